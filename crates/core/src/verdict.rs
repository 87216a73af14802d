//! What is asked of a position and what comes back.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Bounds, Error, ErrorCode, Outcome, Stats, Stop, Value, Window};

/// What a search is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// Who wins.
    #[default]
    Wdl,
    /// Who wins and in how many plies.
    Distance,
    /// Whether the side to move gets at least this.
    AtLeast(Value),
}

impl Goal {
    /// Whether bounds answer it.
    #[must_use]
    pub fn met_by(self, bounds: Bounds) -> bool {
        match self {
            Goal::Wdl => bounds.outcome().is_some(),
            Goal::Distance => bounds.value().is_some(),
            Goal::AtLeast(value) => Window::at_least(value).settled_by(bounds),
        }
    }

    /// `wdl`, `distance` or `at_least`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Goal::Wdl => "wdl",
            Goal::Distance => "distance",
            Goal::AtLeast(_) => "at_least",
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The goals that have a word of their own: `wdl` and `distance`.
impl FromStr for Goal {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        [Goal::Wdl, Goal::Distance].into_iter().find(|goal| goal.word() == text).ok_or_else(|| {
            let message = format!("'{text}' is not a goal");
            Error::new(ErrorCode::BadGoal, message, "the goals are wdl and distance")
        })
    }
}

/// Whether the goal was reached, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Answered.
    Solved,
    /// The time was up first.
    OutOfTime,
    /// The memory was used up first.
    OutOfMemory,
    /// The nodes were used up first.
    OutOfNodes,
    /// Somebody stopped it.
    Cancelled,
}

impl Status {
    /// The word for it in the machine interface.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Status::Solved => "solved",
            Status::OutOfTime => "out_of_time",
            Status::OutOfMemory => "out_of_memory",
            Status::OutOfNodes => "out_of_nodes",
            Status::Cancelled => "cancelled",
        }
    }
}

impl From<Stop> for Status {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Time => Status::OutOfTime,
            Stop::Nodes => Status::OutOfNodes,
            Stop::Memory => Status::OutOfMemory,
            Stop::Cancelled => Status::Cancelled,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The answer of a search: bounds on the value for the side to move, and how to reach it.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict<M> {
    /// What is certain.
    pub bounds: Bounds,
    /// Whether that is what was asked for.
    pub status: Status,
    /// A best move, if the game goes on and the search found one: it keeps what `bounds.lo` promises, or, when every
    /// move loses, holds out.
    pub best: Option<M>,
    /// A line of best play from here, `best` first. It may stop short of the end.
    pub pv: Vec<M>,
    /// What the search did.
    pub stats: Stats,
}

impl<M> Verdict<M> {
    /// The verdict on a finished game.
    #[must_use]
    pub fn ended(outcome: Outcome) -> Self {
        Self {
            bounds: Bounds::exact(Value::ended(outcome)),
            status: Status::Solved,
            best: None,
            pv: Vec::new(),
            stats: Stats::default(),
        }
    }
}
