//! Two things said to be certain that exclude each other.
//!
//! Everything a search combines is meant to be true: what the rules of a game see, what a table remembers, what came up
//! from the children. When two of these leave no value between them, at least one is wrong, and nobody can say which.
//! So there is no verdict then, only a [`Contradiction`] that names the position and both sources.

use std::fmt;

use crate::{Bounds, Error};

/// What a source says of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Who says it: `the rules`, `the table`, a solver and its version.
    pub source: String,
    /// What it says.
    pub bounds: Bounds,
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Bounds that leave no value say so by themselves: the source contradicts itself.
        write!(f, "{:?} by {}", self.bounds, self.source)
    }
}

/// Two claims about one position that cannot both be true.
///
/// ```
/// use ludex_core::{Bounds, Contradiction, Error, ErrorCode, Value};
///
/// let (win, draw) = (Bounds::at_least(Value::win(5)), Bounds::exact(Value::DRAW));
/// assert_eq!(win.and(draw), None);
/// let found = Contradiction::new("x../.o./...", ("the table", win), ("the rules", draw));
/// assert!(found.to_string().contains("by the table"));
/// assert_eq!(Error::from(found).code, ErrorCode::Contradiction);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("contradictory values of {position}: {one}, but {other}")]
pub struct Contradiction {
    /// The position, in the words of whoever found it.
    pub position: String,
    /// What the one says.
    pub one: Claim,
    /// What the other says.
    pub other: Claim,
}

impl Contradiction {
    /// Two claims about a position, each with its source.
    #[must_use]
    pub fn new(
        position: impl Into<String>,
        one: (impl Into<String>, Bounds),
        other: (impl Into<String>, Bounds),
    ) -> Self {
        Self {
            position: position.into(),
            one: Claim { source: one.0.into(), bounds: one.1 },
            other: Claim { source: other.0.into(), bounds: other.1 },
        }
    }
}

impl From<Contradiction> for Error {
    fn from(found: Contradiction) -> Self {
        Error::contradiction(found.to_string())
    }
}
