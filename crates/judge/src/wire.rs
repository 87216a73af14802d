//! The objects of the machine interface, version 1. They are printed by the command line and served over HTTP.

use ludex_core::{Bounds, InputError, Outcome, Progress, Side, Stats, Value as GameValue};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use crate::Refusal;

/// The version of the interface.
pub const VERSION: u32 = 1;

/// A value: outcome and plies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Value {
    /// `win`, `draw` or `loss`.
    pub outcome: &'static str,
    /// Plies to the end, where they are known.
    pub plies: Option<u32>,
}

impl From<GameValue> for Value {
    fn from(value: GameValue) -> Self {
        Self { outcome: value.outcome().word(), plies: value.plies() }
    }
}

/// The answer to `solve`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// `verdict`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The version of the interface.
    pub version: u32,
    /// The canonical spec.
    pub game: String,
    /// The canonical text of the position.
    pub position: String,
    /// `first` or `second`.
    pub to_move: &'static str,
    /// `solved`, or why not.
    pub status: &'static str,
    /// For the side to move: `win`, `draw`, `loss` or `unknown`.
    pub outcome: &'static str,
    /// Plies to the end, if they were asked for and are known.
    pub plies: Option<u32>,
    /// What the side to move gets at least.
    pub lower: Value,
    /// What the side to move gets at most.
    pub upper: Value,
    /// The score by the game's convention, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// A best move, or all best moves in an analysis; none when the game is over.
    pub best: Vec<String>,
    /// A line of best play.
    pub pv: Vec<String>,
    /// The search that found it.
    pub solver: String,
    /// `search`, `cache`, `table` or `book`.
    pub from: &'static str,
    /// What it took.
    pub stats: Json,
    /// Who is to move.
    #[serde(skip)]
    pub side: Side,
    /// The bounds themselves.
    #[serde(skip)]
    pub bounds: Bounds,
}

/// A move in an analysis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveValue {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// For the side that makes the move: `win`, `draw`, `loss` or `unknown`.
    pub outcome: &'static str,
    /// Plies from the position before it, if they were asked for and are known.
    pub plies: Option<u32>,
    /// At least this.
    pub lower: Value,
    /// At most this.
    pub upper: Value,
    /// The score by the game's convention, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
}

/// The answer to `analyze`: a verdict whose type is `analysis`, and every legal move, best first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// What is said of the position.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Every legal move, best first.
    pub moves: Vec<MoveValue>,
}

/// The answer to `explain`: why a position is worth what it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// `explanation`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The version of the interface.
    pub version: u32,
    /// The canonical spec.
    pub game: String,
    /// The canonical text of the position.
    pub position: String,
    /// `first` or `second`.
    pub to_move: &'static str,
    /// `solved`, or why not.
    pub status: &'static str,
    /// The verdict in a sentence.
    pub verdict: String,
    /// The reasons, a sentence each.
    pub reasons: Vec<Reason>,
    /// A line of best play, to its end if it could be followed so far.
    pub line: Vec<Ply>,
}

/// A reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// A sentence.
    pub text: String,
    /// The cells it is about.
    pub cells: Vec<String>,
    /// Cells that belong together.
    pub pairs: Vec<[String; 2]>,
}

/// A move of the line of an explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ply {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// `first` or `second`.
    pub by: &'static str,
    /// What it does: `forced`, `threatens c3`, `wins`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A move to play where nothing is certain.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// The move, unless the game is over.
    pub best: Option<String>,
    /// Its guess for the side to move.
    pub score: i32,
    /// The line expected.
    pub pv: Vec<String>,
    /// What every finished depth took.
    pub depths: Vec<ludex_search::think::Depth>,
}

/// The outcome that bounds leave, or `unknown`.
#[must_use]
pub fn outcome_word(bounds: Bounds) -> &'static str {
    bounds.outcome().map_or("unknown", Outcome::word)
}

/// The statistics of a search.
#[must_use]
pub fn stats(stats: &Stats, seconds: f64) -> Json {
    let mut map = Map::new();
    map.insert("nodes".into(), json!(stats.nodes));
    map.insert("leaves".into(), json!(stats.leaves));
    map.insert("pruned".into(), json!(stats.pruned));
    map.insert("cutoffs".into(), json!(stats.cutoffs));
    map.insert("table_hits".into(), json!(stats.table_hits));
    map.insert("table_fill".into(), json!((stats.table_fill * 1e4).round() / 1e4));
    map.insert("depth".into(), json!(stats.depth));
    map.insert("memory".into(), json!(stats.memory));
    for (name, n) in &stats.extra {
        map.insert((*name).into(), json!(n));
    }
    map.insert("seconds".into(), json!((seconds * 1e6).round() / 1e6));
    let iterations: Vec<Json> = stats
        .iterations
        .iter()
        .map(|i| {
            let seconds = (i.time.as_secs_f64() * 1e6).round() / 1e6;
            json!({"question": i.question, "nodes": i.nodes, "seconds": seconds})
        })
        .collect();
    map.insert("iterations".into(), Json::Array(iterations));
    Json::Object(map)
}

/// A progress line.
#[must_use]
pub fn progress(progress: &Progress) -> Json {
    let seconds = progress.time.as_secs_f64();
    let mut object = json!({
        "type": "progress",
        "nodes": progress.nodes,
        "seconds": (seconds * 1e3).round() / 1e3,
        "rate": if seconds > 0.0 { (progress.nodes as f64 / seconds) as u64 } else { 0 },
        "lower": Value::from(progress.bounds.lo),
        "upper": Value::from(progress.bounds.hi),
    });
    if let Some((done, of)) = progress.moves {
        object["moves"] = json!({"done": done, "of": of});
    }
    if let Some((proof, disproof)) = progress.numbers {
        object["proof"] = json!(proof);
        object["disproof"] = json!(disproof);
    }
    object
}

/// An error object.
#[must_use]
pub fn error(code: &str, message: &str, hint: &str) -> Json {
    json!({"type": "error", "code": code, "message": message, "hint": hint})
}

/// The error object of a refused job.
#[must_use]
pub fn refusal(e: &Refusal) -> Json {
    error(e.code(), &e.to_string(), &e.hint())
}

/// The error object of bad input.
#[must_use]
pub fn input_error(e: &InputError) -> Json {
    error(e.code, &e.message, &e.hint)
}
