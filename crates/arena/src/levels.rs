//! How strong a built-in player is: the one list of levels, for the command line, the server and the page.
//!
//! A numbered level is a number of positions it may look at for a move: `level:1` has 100, every level ten times the one
//! before.

use std::fmt;

use ludex_judge::{Error, ErrorCode};
use schemars::JsonSchema;
use serde::Serialize;

/// What a built-in player does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Plays any legal move.
    Random,
    /// Plays a winning move if there is one, otherwise one that lets the opponent win at once only if all do.
    Greedy,
    /// Searches a limited number of positions.
    Level(u32),
    /// Searches until it knows.
    Perfect,
}

/// A strength of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Level {
    /// Its name, such as `level:3`.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does, in a sentence without a full stop.
    pub what: &'static str,
    /// What the player does.
    #[serde(skip)]
    pub kind: Kind,
}

const fn level(kind: Kind, name: &'static str, title: &'static str, what: &'static str) -> Level {
    Level { name, title, what, kind }
}

/// All levels, best first.
pub const LEVELS: &[Level] = &[
    level(Kind::Perfect, "perfect", "Perfect", "Plays perfectly where the position can be solved in time"),
    level(Kind::Level(9), "level:9", "Level 9", "Looks at up to ten billion positions"),
    level(Kind::Level(8), "level:8", "Level 8", "Looks at up to a billion positions"),
    level(Kind::Level(7), "level:7", "Level 7", "Looks at up to a hundred million positions"),
    level(Kind::Level(6), "level:6", "Level 6", "Looks at up to ten million positions"),
    level(Kind::Level(5), "level:5", "Level 5", "Looks at up to a million positions"),
    level(Kind::Level(4), "level:4", "Level 4", "Looks at up to a hundred thousand positions"),
    level(Kind::Level(3), "level:3", "Level 3", "Looks at up to ten thousand positions"),
    level(Kind::Level(2), "level:2", "Level 2", "Looks at up to a thousand positions"),
    level(Kind::Level(1), "level:1", "Level 1", "Looks at up to a hundred positions"),
    level(Kind::Greedy, "greedy", "Greedy", "Takes a win, sees the opponent's next move, knows nothing else"),
    level(Kind::Random, "random", "Random", "Plays any legal move"),
];

/// All levels in a line, weakest first, for help and hints.
pub const NAMES: &str = "random, greedy, level:1 to level:9, perfect";

/// The greatest number of a level.
pub const GREATEST: u32 = 9;

impl Kind {
    /// How many positions it may look at for a move, if that is limited.
    #[must_use]
    pub const fn nodes(self) -> Option<u64> {
        match self {
            Kind::Level(n) => Some(10u64.saturating_pow(n.saturating_add(1))),
            Kind::Random | Kind::Greedy | Kind::Perfect => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Random => f.write_str("random"),
            Kind::Greedy => f.write_str("greedy"),
            Kind::Level(n) => write!(f, "level:{n}"),
            Kind::Perfect => f.write_str("perfect"),
        }
    }
}

impl Level {
    /// The level of a name; `level3` is `level:3` too.
    ///
    /// # Errors
    /// If there is no such level.
    pub fn named(name: &str) -> Result<Self, Error> {
        let same = |level: &&Level| level.name == name || level.name.replace(':', "") == name;
        LEVELS.iter().find(same).copied().ok_or_else(|| {
            Error::new(ErrorCode::UnknownPlayer, format!("there is no built-in player '{name}'"), NAMES)
        })
    }

    /// Whether it answers within seconds on a common computer, so that a page can offer it to everybody.
    #[must_use]
    pub fn is_quick(&self) -> bool {
        self.kind.nodes().is_none_or(|nodes| nodes <= 1_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_found_and_says_what_it_does() {
        for level in LEVELS {
            assert_eq!(Level::named(level.name).as_ref(), Ok(level));
            assert_eq!(level.name, level.kind.to_string());
            if let Kind::Level(n) = level.kind {
                assert!(n <= GREATEST && Level::named(&format!("level{n}")).as_ref() == Ok(level));
                let zeros = n as usize + 1;
                assert_eq!(level.kind.nodes().map(|n| n.to_string().len()), Some(zeros + 1));
            }
        }
        for bad in ["", "level:0", "level:10", "clever", "Perfect"] {
            assert_eq!(Level::named(bad).map_err(|e| e.code), Err(ErrorCode::UnknownPlayer), "{bad}");
        }
        let quick: Vec<_> = LEVELS.iter().filter(|l| l.is_quick()).map(|l| l.name).collect();
        assert_eq!(
            quick,
            ["perfect", "level:5", "level:4", "level:3", "level:2", "level:1", "greedy", "random"]
        );
    }
}
