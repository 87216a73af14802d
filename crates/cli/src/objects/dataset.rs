//! The objects of `dataset`.

use ludex_core::{Bounds, Outcome, Side, Status};
use ludex_judge::answer::known_outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which part of a dataset a position is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// To learn from.
    Train,
    /// To be tested with.
    Test,
}

impl Part {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Part::Train => "train",
            Part::Test => "test",
        }
    }
}

/// A position of a dataset with what it is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DatasetRow {
    /// The canonical spec.
    pub game: String,
    /// The canonical text of the position.
    pub position: String,
    /// Who is to move.
    pub to_move: Side,
    /// The part it is in, where the dataset is split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Part>,
    /// Whether everything that was asked is known, or why not.
    pub status: Status,
    /// How it ends for the side to move.
    #[serde(with = "known_outcome")]
    #[schemars(with = "known_outcome::Word")]
    pub outcome: Option<Outcome>,
    /// Moves of either side to the end, if they were asked for and are known; null for draws.
    pub plies: Option<u32>,
    /// What the side to move gets at least and at most, where that is all that is known.
    #[serde(flatten)]
    pub bounds: Option<Bounds>,
    /// The score for the side to move by the game's convention, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The share of the legal moves that do not keep the outcome: how likely a move made blindly is a mistake. Null where the
    /// outcome of a move is not known, and when the game is over.
    pub difficulty: Option<f64>,
    /// All best moves.
    pub best: Vec<String>,
    /// Every legal move, smallest first.
    pub moves: Vec<DatasetMove>,
}

/// A move of a position of a dataset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DatasetMove {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// How it ends for the side that makes the move.
    #[serde(with = "known_outcome")]
    #[schemars(with = "known_outcome::Word")]
    pub outcome: Option<Outcome>,
    /// Plies from the position before it, if they were asked for and are known.
    pub plies: Option<u32>,
    /// What the side that makes the move gets at least and at most, where that is all that is known.
    #[serde(flatten)]
    pub bounds: Option<Bounds>,
    /// The score by the game's convention, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
}

/// A dataset that was written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Dataset {
    /// The command that makes it again, with the name of the file and without its folder.
    pub command: String,
    /// What fixes every byte of it.
    pub order: DatasetOrder,
    /// Rows of the file.
    pub rows: u64,
    /// Of those, rows of which not everything that was asked is known.
    pub unsolved: u64,
    /// Positions that were left out because not everything that was asked is known of them.
    pub left_out: u64,
    /// Rows that are won, drawn and lost for the side to move.
    pub won: u64,
    /// See `won`.
    pub drawn: u64,
    /// See `won`.
    pub lost: u64,
    /// Rows to learn from, where the dataset is split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub train: Option<u64>,
    /// Rows to be tested with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<u64>,
    /// Bytes of the file.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: String,
}

/// What fixes every byte of a dataset. Threads, time and folders do not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DatasetOrder {
    /// The program and its version.
    pub program: String,
    /// The canonical spec.
    pub game: String,
    /// Where the games begin, if not at the start.
    pub position: Option<String>,
    /// Positions to take at most.
    pub positions: Option<u64>,
    /// Where the positions come from: `random`, `play`, `all`, or `from` and the SHA-256 of a file.
    pub sample: String,
    /// The seed.
    pub seed: u64,
    /// What is found out of every move.
    pub goal: String,
    /// Which positions count as the same: `none`, `position` or `symmetry`.
    pub distinct: String,
    /// The share of the classes that is for testing.
    pub split: Option<f64>,
    /// Whether positions are left out of which not everything is known.
    pub only_solved: bool,
    /// Nodes for each position.
    pub nodes: u64,
    /// Bytes of memory for each search.
    pub memory: u64,
    /// The search, if one is named.
    pub solver: Option<String>,
    /// Rules that are left out.
    pub without: Vec<String>,
    /// Whether tables may answer.
    pub tables: bool,
    /// Whether books may answer.
    pub book: bool,
    /// `jsonl` or `csv`, and `.zst` where it is compressed.
    pub format: String,
}
