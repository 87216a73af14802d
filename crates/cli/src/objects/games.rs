//! Objects of single games' verbs.

use std::{collections::BTreeMap, path::PathBuf};

use ludex_core::{Outcome, Side, Status};
use ludex_judge::answer::known_outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The census inside another object, with its `type`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CensusObject {
    /// A census.
    Census(Census),
}

/// What a line of `type` `measured` holds: version 1 gave two verbs the same word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Measured {
    /// A solver on a list of positions.
    Scores(ScoreLine),
    /// A line of a table of the paper.
    Paper(PaperLine),
}

/// Deals solved by the thousand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BenchDeals {
    /// What was measured.
    pub case: String,
    /// Deals solved.
    pub deals: u64,
    /// How many the side to move wins.
    pub won: u64,
    /// Nodes searched.
    pub nodes: u64,
    /// Time it took.
    pub seconds: f64,
    /// Deals in a second.
    pub rate: f64,
    /// Time for a deal of every class at this rate.
    pub classes_seconds: f64,
}

/// A record of a file of solved positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DealRecord {
    /// Its number, from 0.
    pub number: u64,
    /// Its key, in hexadecimal.
    pub key: String,
    /// Whose turn it is: 0 or 1.
    pub turn: u8,
    /// Whether that side wins: 0 or 1.
    pub win: u8,
    /// A best move.
    pub best: Option<String>,
    /// Plies to the end.
    pub plies: u16,
    /// The position, if an index tells.
    pub position: Option<String>,
    /// The keys of the shifted positions, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_keys: Option<Vec<String>>,
}

/// What a check of a record file found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordsChecked {
    /// The file.
    pub file: PathBuf,
    /// Its layout.
    pub layout: String,
    /// Its records.
    pub records: u64,
    /// How many of them were looked at.
    #[serde(default)]
    pub checked: u64,
    /// Records with turn 0, 1 and anything else.
    pub turns: [u64; 3],
    /// Records with win 0, 1 and anything else.
    pub wins: [u64; 3],
    /// Plies to the end.
    pub plies: PliesRange,
    /// Records without a best move.
    pub no_move: u64,
    /// Zero keys among the first records, and how many those are.
    pub zero_keys_in_first: (u64, u64),
    /// What was looked for.
    pub anomalies: Vec<Anomaly>,
    /// Records whose position the index knows, all of which were solved again.
    pub solved_again: u64,
    /// Whether only the first part of the index was used.
    pub index_cut: bool,
    /// The first records.
    pub samples: Vec<CheckedRecord>,
    /// Whether nothing is wrong.
    pub sound: bool,
}

/// A range of numbers of plies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PliesRange {
    /// The least.
    pub min: u16,
    /// The mean.
    pub mean: f64,
    /// The greatest.
    pub max: u16,
}

/// Something that may be wrong with records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Anomaly {
    /// What it is.
    pub name: String,
    /// How many records have it.
    pub count: u64,
    /// The numbers of the first of them.
    pub first: Vec<u64>,
}

/// A record as it is in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedRecord {
    /// Its key, in hexadecimal.
    pub key: String,
    /// Whose turn it is.
    pub turn: u8,
    /// Whether that side wins.
    pub win: u8,
    /// The best move's byte.
    pub best: u8,
    /// Plies to the end.
    pub plies: u16,
}

/// A deal with exactly one winning first move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DealPuzzle {
    /// The puzzle's number.
    pub number: u64,
    /// The seed that deals it.
    pub seed: u64,
    /// The spec of the deal.
    pub game: String,
    /// The deal.
    pub deal: String,
    /// How many plies the win takes.
    pub plies: u32,
    /// The winning move.
    pub answer: String,
}

/// Who wins how many of all deals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Census {
    /// The spec of the rules.
    pub game: String,
    /// Deals.
    pub deals: u64,
    /// Deals up to symmetry.
    pub classes: u64,
    /// Deals that the side to move wins.
    pub won: u64,
    /// By plies to the end.
    pub by_plies: Vec<CensusOfPlies>,
    /// By the distance between the start cards.
    pub by_distance: Vec<CensusOfDistance>,
}

/// Deals that end after so many plies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CensusOfPlies {
    /// How many plies.
    pub plies: u32,
    /// Deals.
    pub deals: u64,
    /// Deals up to symmetry.
    pub classes: u64,
}

/// Deals whose start cards are so far apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CensusOfDistance {
    /// How far.
    pub distance: usize,
    /// Deals.
    pub deals: u64,
    /// Deals that the side to move wins.
    pub won: u64,
}

/// How many deals have how many winning first moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FirstMoves {
    /// The spec of the rules.
    pub game: String,
    /// One class in so many was looked at.
    pub every: u64,
    /// Classes.
    pub classes: u64,
    /// Deals.
    pub deals: u64,
    /// By winning first moves.
    pub by_winning: Vec<DealsOfWinning>,
    /// By first moves.
    pub by_moves: Vec<DealsOfMoves>,
}

/// Deals with so many winning first moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DealsOfWinning {
    /// How many win.
    pub winning: usize,
    /// Deals.
    pub deals: u64,
}

/// Deals with so many first moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DealsOfMoves {
    /// How many there are.
    pub moves: usize,
    /// Deals.
    pub deals: u64,
}

/// What the heuristic opponent thinks of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judged {
    /// The board.
    pub game: String,
    /// The position.
    pub position: String,
    /// For whom: the side to move.
    pub side: Side,
    /// What it counts.
    pub parts: BTreeMap<String, i32>,
    /// The sum.
    pub total: i32,
    /// Cells that complete a line.
    pub threats: Threats,
}

/// The cells that complete a line of each player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Threats {
    /// Of the first player.
    pub first: Vec<String>,
    /// Of the second player.
    pub second: Vec<String>,
}

/// A level of the opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Level {
    /// Its name.
    pub name: String,
    /// What it does.
    pub about: String,
    /// Games won, drawn and lost against the level before it.
    pub against_weaker: Option<[u32; 3]>,
}

/// A move of the opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LevelMove {
    /// Its level.
    pub level: String,
    /// The move.
    #[serde(rename = "move")]
    pub m: String,
}

/// What a technique of the opponent's search saves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Nodes {
    /// The technique, with all before it.
    pub technique: String,
    /// The depth.
    pub depth: u32,
    /// The nodes it takes.
    pub nodes: u64,
}

/// A solver on a list of positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreLine {
    /// The list.
    pub positions: String,
    /// The solver.
    pub solver: String,
    /// Positions solved.
    pub number: u64,
    /// Scores that differ from those in the list.
    pub wrong: u64,
    /// Mean nodes.
    pub nodes: f64,
    /// Mean processor time.
    pub seconds: f64,
    /// The time as a multiple of ours.
    pub ratio: Option<f64>,
}

/// A line of a table of the paper, measured again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PaperLine {
    /// The table.
    pub table: String,
    /// What was asked.
    pub game: String,
    /// Which technique the line is about.
    pub about: String,
    /// The techniques left out.
    pub without: String,
    /// Seconds and nodes as multiples of those with all techniques.
    pub ratio: Option<[f64; 2]>,
    /// How it ends for the side to move, or what was counted.
    pub outcome: String,
    /// Positions whose moves were generated.
    pub nodes: u64,
    /// Positions created.
    pub created: u64,
    /// Time it took.
    pub seconds: f64,
    /// The paper's number.
    pub paper: String,
}

/// The value of an empty board, beside the one that is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ValueFound {
    /// The board.
    pub game: String,
    /// Whether it was solved.
    pub status: Status,
    /// How it ends for the first player.
    #[serde(with = "known_outcome")]
    #[schemars(with = "known_outcome::Word")]
    pub outcome: Option<Outcome>,
    /// In how many plies.
    pub plies: Option<u32>,
    /// The outcome that is known.
    pub known: Outcome,
    /// The plies that are known.
    pub known_plies: Option<u32>,
    /// Nodes it took.
    pub nodes: u64,
    /// Time it took.
    pub seconds: f64,
}

/// How a position of Nex looks, term by term.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NexEval {
    /// The canonical spec.
    #[serde(default)]
    pub game: String,
    /// The position.
    #[serde(default)]
    pub position: String,
    /// Whose score it is.
    pub to_move: Side,
    /// The score.
    pub score: i32,
    /// What it is made of.
    pub terms: Vec<NexTerm>,
}

/// A term of the evaluation of Nex.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NexTerm {
    /// Its name.
    pub name: String,
    /// What it counts.
    pub what: String,
    /// Black's count.
    pub black: i32,
    /// White's count.
    pub white: i32,
    /// What one is worth.
    pub weight: i32,
    /// Whether it is part of the score.
    pub counted: bool,
}

/// A line of seven in a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Edge {
    /// Its cells.
    pub cells: String,
}

/// The potential of a board of seven in a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Potential {
    /// Lines with 1 to 7 cells.
    pub lines: [u32; 7],
    /// The potential.
    pub potential: f64,
}

/// A move of a random game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlyPlayed {
    /// Its number, from 1.
    pub number: usize,
    /// Who moved.
    pub player: String,
    /// Where.
    pub cell: String,
    /// The potential after it.
    pub potential: f64,
    /// Whether Maker has a line.
    pub maker_won: bool,
    /// Whether Breaker has a certificate that he wins.
    pub certificate: bool,
}

/// The chance that Breaker wins, fitted to solved positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fit {
    /// Positions.
    pub positions: usize,
    /// Positions that Breaker wins.
    pub breaker: usize,
    /// The constant of the log odds.
    pub constant: f64,
    /// Its part if Maker is to move.
    pub maker_to_move: f64,
    /// Its part for every empty cell.
    pub empty: f64,
    /// Its part for the potential.
    pub potential: f64,
    /// The mean loss.
    pub loss: f64,
    /// The share that is told right.
    pub share: f64,
    /// The digest of the data.
    pub sha256: String,
}

/// Every rule held against minimax on random positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Soak {
    /// Positions checked.
    pub positions: u64,
    /// Positions whose winner was seen without search.
    pub seen: u64,
    /// Of those, wins of Maker.
    pub made: u64,
    /// Moves listed elsewhere.
    pub listed: u64,
    /// Of so many empty cells.
    pub empties: u64,
}

/// A file of a positional game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sheet {
    /// The canonical spec of its game.
    pub game: String,
    /// The shape to achieve.
    pub shape: String,
    /// Cells of the board.
    pub cells: usize,
    /// Winning sets of Black.
    pub sets: usize,
    /// Plies until the end.
    pub plies: usize,
    /// The file's text, if it was not written to a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
}
