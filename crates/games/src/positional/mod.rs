//! Any positional game, from a `.pg` file: cells, winning sets of Black and perhaps of White, and whose turn each ply is.
//!
//! Without sets of White it is a Maker–Breaker game: Black is Maker, and White wins when he has a stone in every set or
//! the plies are used up. With sets of White the first to complete one wins, and it is a draw when the plies are used
//! up. A game is known by the SHA-256 of its text, not by its path; three small ones are built in.
//!
//! ```
//! use ludex_core::{Game, Notation, Outcome, conformance::Minimax};
//! use ludex_games::positional::{Positional, Sheet};
//!
//! let text = "#times\nt1 t2 t3\n#blackturns\nt1 t3\n#positions\na b c\n#blackwins\na b\nb c\n";
//! let game = Positional::<u64, 3>::new(&Sheet::read(text).unwrap(), "example");
//! let start = game.root().unwrap();
//! assert_eq!(Minimax::new().value(&game, &start).outcome(), Outcome::Win);
//! ```
mod digest;
mod file;
mod goals;
mod hints;
mod notation;
mod polyomino;
mod position;
mod reference;

use std::{
    collections::HashMap,
    fs,
    sync::{Mutex, OnceLock},
};

use ludex_core::{Error, Spec};

use crate::{
    CellSet,
    registry::{Family, Visitor},
};

pub use digest::sha256;
pub use file::Sheet;
pub use polyomino::{Achievement, Polyomino, SHAPES};
pub use position::{Cell, Positional, Stones};
pub use reference::NaivePositional;

/// What the registry says about it.
pub const FAMILY: Family = Family {
    name: "positional",
    title: "Positional game",
    about: "A hypergraph game from a .pg file: Black wants a whole set, White prevents it or wants one of his own.",
    usage: "positional:FILE (a .pg file, or tic-tac-toe, weak-tic-tac-toe, double-step)",
    reads_files: true,
    examples: &["positional:tic-tac-toe", "positional:weak-tic-tac-toe", "positional:double-step"],
    small: &["positional:tic-tac-toe", "positional:weak-tic-tac-toe", "positional:double-step"],
    largest: &["positional:double-step"],
    rules: include_str!("rules.md"),
    known: include_str!("known.toml"),
    perft: include_str!("perft.txt"),
    playthrough: include_str!("playthrough.txt"),
    ..Family::NEW
};

const BUILT_IN: [(&str, &str); 3] = [
    ("tic-tac-toe", include_str!("tic-tac-toe.pg")),
    ("weak-tic-tac-toe", include_str!("weak-tic-tac-toe.pg")),
    ("double-step", include_str!("double-step.pg")),
];

/// The largest board a mask holds.
const MAX_CELLS: usize = 384;

/// Texts seen by this process, by their digests: so that a canonical spec makes its game again.
fn seen() -> &'static Mutex<HashMap<String, String>> {
    static SEEN: OnceLock<Mutex<HashMap<String, String>>> = OnceLock::new();
    SEEN.get_or_init(Mutex::default)
}

/// Remember a text, and return the canonical spec of its game. A text that does not list its winning sets is remembered with
/// them, since that is the form which every reader of certificates knows.
///
/// # Errors
/// If the text is not a good `.pg` file.
pub fn remember(text: &str) -> Result<String, Error> {
    let text = Sheet::plain(text)?;
    let name = format!("sha256={}", sha256(text.as_bytes()));
    let mut seen = seen().lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    seen.insert(name.clone(), text.into_owned());
    Ok(format!("{}:{name}", FAMILY.name))
}

/// The text of a spec's game and the name it goes by.
fn text_of(spec: &Spec) -> Result<(String, String), Error> {
    let wanted = spec.rest.trim();
    if let Some((name, text)) = BUILT_IN.iter().find(|(name, _)| *name == wanted || wanted.is_empty()) {
        return Ok(((*text).to_owned(), (*name).to_owned()));
    }
    if let Some(digest) = wanted.strip_prefix("sha256=") {
        if let Some((_, text)) = BUILT_IN.iter().find(|(_, text)| sha256(text.as_bytes()) == digest) {
            return Ok(((*text).to_owned(), wanted.to_owned()));
        }
        let seen = seen().lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        return seen.get(wanted).map(|text| (text.clone(), wanted.to_owned())).ok_or_else(|| {
            Error::spec(
                format!("no file with {wanted} has been read"),
                "name the file itself: positional:FILE",
            )
        });
    }
    let text = fs::read_to_string(wanted)
        .map_err(|e| Error::spec(format!("the file '{wanted}' cannot be read: {e}"), FAMILY.usage))?;
    let canonical =
        remember(&text).map_err(|e| Error { message: format!("{wanted}, {}", e.message), ..e })?;
    text_of(&canonical.parse()?)
}

/// The text of a game that this process has read, by the name in its spec.
fn source(name: &str) -> Option<String> {
    text_of(&format!("{}:{name}", FAMILY.name).parse().ok()?).ok().map(|(text, _)| text)
}

/// Make the game of a spec.
///
/// # Errors
/// If the file cannot be read or is not a good one.
pub fn make<V: Visitor>(spec: &Spec, visitor: V) -> Result<V::Output, Error> {
    Ok(match of_spec(spec)? {
        AnyPositional::Small(game) => visitor.visit(game),
        AnyPositional::Middle(game) => visitor.visit(game),
        AnyPositional::Large(game) => visitor.visit(game),
    })
}

/// A game by the words a set of its cells takes.
#[derive(Clone, Debug)]
pub enum AnyPositional {
    /// At most 64 cells.
    Small(Positional<u64, 3>),
    /// At most 128 cells.
    Middle(Positional<u128, 5>),
    /// As many as there may be.
    Large(Positional<CellSet<6>, 13>),
}

/// The game of a spec, as its own type.
///
/// # Errors
/// If the file cannot be read or is not a good one.
pub fn of_spec(spec: &Spec) -> Result<AnyPositional, Error> {
    let (text, name) = text_of(spec)?;
    let sheet = Sheet::read(&text)?;
    match sheet.cells.len() {
        ..=64 => Ok(AnyPositional::Small(Positional::new(&sheet, &name))),
        65..=128 => Ok(AnyPositional::Middle(Positional::new(&sheet, &name))),
        129..=MAX_CELLS => Ok(AnyPositional::Large(Positional::new(&sheet, &name))),
        cells => Err(Error::spec(
            format!("{cells} positions are too many"),
            format!("a board has at most {MAX_CELLS}"),
        )),
    }
}
