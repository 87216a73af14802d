//! What is to be done, and how: plain data in the queue.

use ludex_judge::{Asked, Leaf, Pursuit, answer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a submission is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A list of positions, each a question of its own.
    Positions,
    /// One position, by a proof search that all workers share.
    Proof,
    /// The parts of a chore.
    Parts,
}

impl Kind {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Positions => "positions",
            Self::Proof => "proof",
            Self::Parts => "parts",
        }
    }

    pub(crate) fn read(word: &str) -> Self {
        match word {
            "proof" => Self::Proof,
            "parts" => Self::Parts,
            _ => Self::Positions,
        }
    }
}

/// How a submission is worked on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Plan {
    /// Seconds of one slice of a proof search.
    pub slice: f64,
    /// Nodes of one slice, where slices are to be the same everywhere.
    pub nodes: Option<u64>,
    /// The part of a slice that a leaf gets at least.
    pub least: f64,
    /// How far beyond the second cheapest move a leaf may go before it comes back: a share of its number.
    pub epsilon: f64,
    /// Leaves handed out beyond one for each worker, as a share of the workers.
    pub ahead: f64,
    /// How much dearer a leaf that is handed out makes the way to it, as a share.
    pub loss: f64,
    /// Facts that took fewer nodes are not shared.
    pub worth: u64,
    /// At most so many facts of one job are.
    pub facts: usize,
    /// The share of answers that are found out a second time.
    pub sample: f64,
    /// Which ones.
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            slice: 1.0,
            nodes: None,
            least: 0.125,
            epsilon: 0.25,
            ahead: 0.125,
            loss: 0.25,
            worth: 4,
            facts: 2048,
            sample: 0.02,
            seed: 1,
        }
    }
}

/// What a worker is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "task", rename_all = "snake_case")]
pub(crate) enum Task {
    /// The submission's question about a position.
    Solve { position: String },
    /// A leaf of a proof search.
    Pursue(Leaf),
    /// A part of the submission's chore.
    Part { part: Value },
    /// An answer of another worker, found out again.
    Check { job: i64 },
}

/// What a worker answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub(crate) enum Answer {
    Verdict(Box<answer::Verdict>),
    Pursuit(Box<Pursuit>),
    /// What a part of a chore came to.
    Part {
        came_to: Value,
    },
    /// What a check came to.
    Checked {
        job: i64,
        found: Found,
    },
    /// The question makes no sense.
    Refused {
        error: ludex_core::Error,
    },
}

/// What a check came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    /// The same.
    Confirmed,
    /// Nothing that would decide it, within the limits.
    Open,
    /// Something that excludes it.
    Wrong,
}

impl Found {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Open => "open",
            Self::Wrong => "wrong",
        }
    }
}

impl Answer {
    /// Whether two answers to one question exclude each other.
    pub(crate) fn contradicts(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Verdict(a), Self::Verdict(b)) => a.bounds.and(b.bounds).is_none(),
            (Self::Pursuit(a), Self::Pursuit(b)) => {
                matches!((a.answer(), b.answer()), (Some(a), Some(b)) if a != b)
            }
            (Self::Part { came_to: a }, Self::Part { came_to: b }) => a != b,
            _ => false,
        }
    }
}

/// The key of a job of a proof search: the question, the position, and which visit it is.
pub(crate) fn visit_key(asked: Asked, key: &str, visit: u32) -> String {
    let asked = match asked {
        Asked::Win => "win",
        Asked::Draw => "draw",
    };
    format!("{asked}:{key}:{visit}")
}
