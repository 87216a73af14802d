//! Named rules that can be switched off, each on its own.

use crate::InputError;

/// One piece of knowledge that a game or a search may use, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The word for `--without`.
    pub name: &'static str,
    /// What it does, in a line.
    pub what: &'static str,
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

    /// Whether the `i`-th rule is on.
    #[inline]
    #[must_use]
    pub const fn on(self, i: usize) -> bool {
        self.0 >> i & 1 == 1
    }

    /// The same with the `i`-th rule off.
    #[must_use]
    pub const fn off(self, i: usize) -> Self {
        Self(self.0 & !(1 << i))
    }

    /// Switch a rule off by name.
    ///
    /// # Errors
    /// If the list has no such rule.
    pub fn without(self, list: &[Switch], name: &str) -> Result<Self, InputError> {
        match list.iter().position(|s| s.name == name) {
            Some(i) => Ok(self.off(i)),
            None => {
                let known: Vec<_> = list.iter().map(|s| s.name).collect();
                Err(InputError::new(
                    "unknown_rule",
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
