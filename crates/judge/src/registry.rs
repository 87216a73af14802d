//! The list of games, as a value: ours, yours, or both.

use std::{fmt, sync::Arc};

use ludex_core::{Error, ErrorCode, Family, Import, Notation, Spec};

#[cfg(feature = "files")]
use crate::table::Present;
use crate::{AUTO, AnyGame, host};

/// Makes the game of a spec.
type Open = dyn Fn(&Spec) -> Result<Box<dyn AnyGame>, Error> + Send + Sync;

/// The games that can be asked for, by name. Everything above the judge takes one of these.
///
/// ```
/// # use ludex_games::template::{FAMILY, of_spec};
/// use ludex_judge::{Question, Registry, Terms};
///
/// let registry = Registry::new().with(&FAMILY, of_spec);
/// let game = registry.open("heap:21").unwrap();
/// let verdict = game.solve(&Question::default(), &Terms::default()).unwrap();
/// assert_eq!(verdict.sentence, "First wins with perfect play.");
/// assert!(registry.open("chess").err().unwrap().hint.contains("heap"));
/// ```
#[derive(Clone, Default)]
pub struct Registry {
    entries: Vec<Entry>,
}

#[derive(Clone)]
struct Entry {
    family: &'static Family,
    open: Arc<Open>,
}

impl Registry {
    /// No games yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With a family of games whose specs `make` reads.
    #[must_use]
    pub fn with<G: Notation>(
        self,
        family: &'static Family,
        make: impl Fn(&Spec) -> Result<G, Error> + Send + Sync + 'static,
    ) -> Self {
        self.with_hosted(family, move |spec| Ok(host(make(spec)?, family)))
    }

    /// With a family that hosts its games itself, because it has a study or more than one representation. A family of the
    /// same name gives way.
    #[must_use]
    pub fn with_hosted(
        mut self,
        family: &'static Family,
        open: impl Fn(&Spec) -> Result<Box<dyn AnyGame>, Error> + Send + Sync + 'static,
    ) -> Self {
        self.entries.retain(|entry| entry.family.name != family.name);
        self.entries.push(Entry { family, open: Arc::new(open) });
        self
    }

    /// The families, in the order in which they are listed to people.
    pub fn families(&self) -> impl Iterator<Item = &'static Family> + '_ {
        self.entries.iter().map(|entry| entry.family)
    }

    /// The family of a name, or of another word for it.
    ///
    /// # Errors
    /// If there is none.
    pub fn family(&self, name: &str) -> Result<&'static Family, Error> {
        Ok(self.entry(&self.resolve(name)?)?.family)
    }

    /// Read a game as another program writes it: a link, SGF.
    ///
    /// # Errors
    /// If no family knows the text, or it is not a whole game.
    pub fn import(&self, text: &str) -> Result<Import, Error> {
        self.families().find_map(|family| (family.import)(text)).unwrap_or_else(|| {
            let hint = "a record of ours, a link of HexWorld, or SGF of Hex or gomoku";
            Err(Error::new(ErrorCode::BadRecord, "this is no game that can be read", hint))
        })
    }

    /// Make the game of a spec.
    ///
    /// # Errors
    /// If there is no such game, or its parameters are wrong.
    pub fn open(&self, spec: &str) -> Result<Box<dyn AnyGame>, Error> {
        let spec = self.resolve(spec)?;
        (self.entry(&spec)?.open)(&spec)
    }

    /// Make the game of a spec that somebody else sent. A family whose specs name files takes its examples and texts known
    /// by their digest only.
    ///
    /// # Errors
    /// If there is no such game, its parameters are wrong, or the spec names a file.
    pub fn open_foreign(&self, spec: &str) -> Result<Box<dyn AnyGame>, Error> {
        let spec = self.resolve(spec)?;
        let family = self.entry(&spec)?.family;
        let harmless = !family.reads_files
            || spec.rest.is_empty()
            || spec.rest.starts_with("sha256=")
            || family.examples.contains(&spec.to_string().as_str());
        if !harmless {
            let hint = format!("here there are {}", family.examples.join(", "));
            return Err(Error::spec(format!("a server opens no file for '{}'", spec.name), hint));
        }
        (self.entry(&spec)?.open)(&spec)
    }

    /// Refuse the name of a solver that a game does not have.
    ///
    /// # Errors
    /// If it belongs to another game, or there is none of that name.
    pub fn check_solver(&self, game: &dyn AnyGame, name: &str) -> Result<(), Error> {
        let own = game.solvers();
        if name == AUTO || own.contains(&name) {
            return Ok(());
        }
        let hint = format!("its solvers are {AUTO}, {}", own.join(", "));
        let example = |entry: &Entry| (entry.open)(&entry.family.examples.first()?.parse().ok()?).ok();
        let elsewhere = self.entries.iter().filter_map(example).any(|other| other.solvers().contains(&name));
        Err(if elsewhere {
            let message = format!("the solver '{name}' is not for {}", game.spec());
            Error::new(ErrorCode::WrongSolver, message, hint)
        } else {
            Error::new(
                ErrorCode::UnknownSolver,
                format!("there is no solver '{name}' for {}", game.spec()),
                hint,
            )
        })
    }

    /// A spec with another word for a game replaced by what it stands for.
    ///
    /// # Errors
    /// If parameters follow a word that stands for a whole spec, or the text is no spec.
    pub fn resolve(&self, spec: &str) -> Result<Spec, Error> {
        let parsed: Spec = spec.parse()?;
        let aliases = self.entries.iter().flat_map(|entry| entry.family.aliases);
        let Some((_, meant)) = aliases.into_iter().find(|(word, _)| *word == parsed.name) else {
            return Ok(parsed);
        };
        match (parsed.rest.as_str(), meant.contains(':')) {
            ("", _) => meant.parse(),
            (rest, false) => format!("{meant}:{rest}").parse(),
            (_, true) => Err(Error::spec(
                format!("'{}' is {meant} and takes no parameters", parsed.name),
                format!("write {meant} with other numbers"),
            )),
        }
    }

    /// The tables and books that come with the program.
    #[cfg(feature = "files")]
    pub(crate) fn shipped_tables(&self) -> Vec<Present> {
        let example = |entry: &Entry| (entry.open)(&entry.family.examples.first()?.parse().ok()?).ok();
        self.entries.iter().filter_map(example).flat_map(|game| game.tables().shipped()).collect()
    }

    fn entry(&self, spec: &Spec) -> Result<&Entry, Error> {
        self.entries.iter().find(|entry| entry.family.name == spec.name).ok_or_else(|| {
            let names: Vec<_> = self.families().map(|family| family.name).collect();
            let hint = format!("the games are {}", names.join(", "));
            Error::spec(format!("there is no game '{}'", spec.name), hint)
        })
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.families().map(|family| family.name)).finish()
    }
}
