//! The objects of `farm`.

use ludex_core::{Outcome, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A farm was made, or was there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FarmMade {
    /// The database, without anything secret.
    pub store: String,
    /// Whether it is new.
    pub new: bool,
}

/// Work was submitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FarmSubmitted {
    /// The number of the submission.
    pub submission: i64,
    /// Jobs of a list of positions; none of a proof search, whose master makes them as it goes.
    pub jobs: Option<u64>,
}

/// A submission was called off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FarmCancelled {
    /// The number of the submission.
    pub submission: i64,
    /// Jobs that were not done.
    pub jobs: u64,
}

/// What a worker has done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FarmWorked {
    /// Jobs.
    pub jobs: u64,
    /// Positions searched.
    pub nodes: u64,
    /// Seconds in jobs.
    pub busy: f64,
    /// Seconds in all.
    pub seconds: f64,
}

/// The answer of a shared proof search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FarmAnswer {
    /// The number of the submission.
    pub submission: i64,
    /// The canonical spec of the game.
    pub game: String,
    /// The position.
    pub position: String,
    /// Who is to move.
    pub to_move: Side,
    /// How it ends for who is to move.
    pub outcome: Outcome,
    /// Jobs it took.
    pub jobs: u64,
    /// Positions searched by all workers.
    pub nodes: u64,
    /// Workers that took part.
    pub workers: u64,
    /// Seconds of all workers in jobs.
    pub busy: f64,
    /// Seconds from submission to answer.
    pub seconds: f64,
}

/// The scheduler on so many workers, simulated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FarmSimulated {
    /// Workers.
    pub workers: usize,
    /// Seconds to the answer.
    pub seconds: f64,
    /// Jobs.
    pub jobs: u64,
    /// How many times as fast as one worker.
    pub speedup: f64,
    /// The same, divided by the number of workers.
    pub efficiency: f64,
}
