//! Named rules that can be switched off, each on its own.
//!
//! A game declares its rules once, with [`switches!`](crate::switches): the name for `--without`, what it does, and a
//! constant to ask by. The constants are places in the list that the compiler looks up by name.

use crate::{Error, ErrorCode};

/// One piece of knowledge that a game or a search may use, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The word for `--without`.
    pub name: &'static str,
    /// What it does, in a line.
    pub what: &'static str,
}

impl Switch {
    /// The place of a rule in a list. Meant for constants: a name that is missing or given twice does not compile.
    #[must_use]
    pub const fn place(list: &[Self], name: &str) -> usize {
        let (mut found, mut i) = (None, 0);
        while i < list.len() {
            if same(list[i].name, name) {
                assert!(found.is_none(), "two rules of one name");
                found = Some(i);
            }
            i += 1;
        }
        assert!(list.len() <= u32::BITS as usize, "too many rules for one word");
        found.expect("a rule of the list")
    }

    /// Two lists as one.
    #[must_use]
    pub const fn chain<const N: usize>(first: &[Self], second: &[Self]) -> [Self; N] {
        assert!(first.len() + second.len() == N);
        let mut all = [Self { name: "", what: "" }; N];
        let mut i = 0;
        while i < N {
            all[i] = if i < first.len() { first[i] } else { second[i - first.len()] };
            i += 1;
        }
        all
    }
}

/// Whether two texts are equal, at compile time.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// Which rules of a list of at most 32 are on. All of them are, to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Switches(u32);

impl Default for Switches {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl Switches {
    /// No rule at all.
    pub const NONE: Self = Self(0);

    /// Whether a rule is on, by its place in the list: ask by the constant that [`switches!`](crate::switches) made.
    #[inline]
    #[must_use]
    pub const fn on(self, i: usize) -> bool {
        self.0 >> i & 1 == 1
    }

    /// The same with a rule off, by its place in the list.
    #[must_use]
    pub const fn off(self, i: usize) -> Self {
        Self(self.0 & !(1 << i))
    }

    /// Switch a rule off by name.
    ///
    /// # Errors
    /// If the list has no such rule.
    pub fn without(self, list: &[Switch], name: &str) -> Result<Self, Error> {
        match list.iter().position(|s| s.name == name) {
            Some(i) => Ok(self.off(i)),
            None => {
                let known: Vec<_> = list.iter().map(|s| s.name).collect();
                Err(Error::new(
                    ErrorCode::UnknownRule,
                    format!("there is no rule '{name}' to do without"),
                    if known.is_empty() {
                        "this game has none".to_owned()
                    } else {
                        format!("its rules are {}", known.join(", "))
                    },
                ))
            }
        }
    }

    /// The names of the rules that are off, joined by commas: a canonical text for the database.
    #[must_use]
    pub fn off_names(self, list: &[Switch]) -> String {
        let off: Vec<_> =
            list.iter().enumerate().filter(|(i, _)| !self.on(*i)).map(|(_, s)| s.name).collect();
        off.join(",")
    }
}

/// Declare the rules of a game that can be switched off: the list for [`Game::switches`](crate::Game::switches), and a
/// constant for each rule to ask [`Switches::on`] by.
///
/// ```
/// use ludex_core::{Switches, switches};
///
/// switches! {
///     /// The rules of every such game.
///     pub COMMON:
///     FORCED = "forced", "take a win, stop one";
///     pub DEAD = "dead", "disregard what can make no difference any more";
/// }
/// switches! {
///     /// The rules of this game.
///     SWITCHES after COMMON:
///     MIRROR = "mirror", "mirror images are the same position";
/// }
///
/// let on = Switches::default().without(SWITCHES, "dead")?;
/// assert!(on.on(FORCED) && !on.on(DEAD) && on.on(MIRROR));
/// assert_eq!(on.off_names(SWITCHES), "dead");
/// # Ok::<(), ludex_core::Error>(())
/// ```
#[macro_export]
macro_rules! switches {
    ($(#[$about:meta])* $vis:vis $list:ident $(after $base:path)?:
     $($rule_vis:vis $rule:ident = $name:literal, $what:literal;)+) => {
        $(#[$about])*
        $vis const $list: &[$crate::Switch] = {
            const BASE: &[$crate::Switch] = { let base: &[$crate::Switch] = &[]; $(let base = { let _ = base; $base };)? base };
            const OWN: &[$crate::Switch] = &[$($crate::Switch { name: $name, what: $what }),+];
            const ALL: [$crate::Switch; BASE.len() + OWN.len()] = $crate::Switch::chain(BASE, OWN);
            &ALL
        };
        $(
            #[doc = concat!("The switch `", $name, "`: ", $what, ".")]
            $rule_vis const $rule: usize = $crate::Switch::place($list, $name);
        )+
    };
}
