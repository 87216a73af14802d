//! What leaves the judge: the objects of the machine interface, version 1.
//!
//! Each is one type, written and read by serde, with a schema. The command line prints them, the server sends them, a
//! worker on another machine can read them back; nothing above makes them a second time.
//!
//! ```
//! use ludex_judge::answer::{Source, Verdict};
//!
//! # let line = r#"{"type":"verdict","version":1,"game":"heap:21","position":"21","to_move":"first","status":"solved",
//! #   "outcome":"win","plies":null,"lower":{"outcome":"win","plies":null},"upper":{"outcome":"win","plies":1},
//! #   "sentence":"First wins with perfect play.","best":["1"],"pv":["1"],"solver":"alphabeta","from":"search",
//! #   "stats":{"nodes":1,"leaves":1,"pruned":0,"cutoffs":0,"table_hits":0,"table_fill":0.0,"depth":0,"memory":0}}"#;
//! let verdict: Verdict = serde_json::from_str(line).unwrap();
//! assert_eq!(verdict.from, Source::Search);
//! assert!(verdict.is_solved() && verdict.outcome == Some(ludex_core::Outcome::Win));
//! ```

use std::{borrow::Cow, fmt};

use ludex_core::{Bounds, Error, Outcome, Progress, Reason, Said, Side, Stats, Status, Value};
use ludex_search::think::Part;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the interface.
pub const VERSION: u32 = 1;

/// The word in an object's `type` field, as a type of its own: nothing else is read back as that object.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $name:ident { $($word:ident),+ })*) => {
        $($(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        #[schemars(inline)]
        pub enum $name {
            $(#[doc = concat!("`", stringify!($word), "`, in small letters.")] $word,)+
        })*
    };
}

kinds! {
    /// The type of a [`Verdict`].
    VerdictKind { Verdict, Analysis }
    /// The type of an [`Explanation`].
    ExplanationKind { Explanation }
    /// The type of a [`ProgressLine`].
    ProgressKind { Progress }
    /// The type of an [`ErrorLine`].
    ErrorKind { Error }
    /// The type of an [`Opening`].
    OpeningKind { Opening }
    /// The type of [`Complexity`].
    ComplexityKind { Complexity }
    /// The type of an [`Evaluation`].
    EvaluationKind { Eval }
    /// The type of a [`Thought`].
    ThoughtKind { Thought }
    /// The type of a [`Puzzle`].
    PuzzleKind { Puzzle }
    /// The type of [`Rules`].
    RulesKind { Rules }
    /// The type of a [`Review`].
    ReviewKind { Review }
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// It was searched for.
    Search,
    /// The database of verdicts knew it.
    Cache,
    /// A table of the whole game.
    Table,
    /// An opening book.
    Book,
}

impl Source {
    /// The word in the machine interface.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Source::Search => "search",
            Source::Cache => "cache",
            Source::Table => "table",
            Source::Book => "book",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Who found an answer out: a search by its name, or `table` and `book`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct SolverName(pub Cow<'static, str>);

impl SolverName {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&'static str> for SolverName {
    fn from(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }
}

impl From<String> for SolverName {
    fn from(name: String) -> Self {
        Self(Cow::Owned(name))
    }
}

impl fmt::Display for SolverName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// An outcome that may not be known: `win`, `draw`, `loss` or `unknown`.
pub mod known_outcome {
    use ludex_core::Outcome;
    use schemars::JsonSchema;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// The words of the machine interface.
    #[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    #[schemars(rename = "KnownOutcome")]
    pub enum Word {
        /// That side wins.
        Win,
        /// Nobody wins.
        Draw,
        /// That side loses.
        Loss,
        /// Not known.
        Unknown,
    }

    /// The word for an outcome that may not be known.
    #[must_use]
    pub fn word(outcome: Option<Outcome>) -> &'static str {
        outcome.map_or("unknown", Outcome::word)
    }

    /// Write it.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(outcome: &Option<Outcome>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(word(*outcome))
    }

    /// Read it.
    ///
    /// # Errors
    /// If it is none of the four words.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Outcome>, D::Error> {
        Ok(match Word::deserialize(deserializer)? {
            Word::Win => Some(Outcome::Win),
            Word::Draw => Some(Outcome::Draw),
            Word::Loss => Some(Outcome::Loss),
            Word::Unknown => None,
        })
    }
}

/// What is known of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: VerdictKind,
    /// The version of the interface.
    pub version: u32,
    /// The canonical spec.
    pub game: String,
    /// The canonical text of the position.
    pub position: String,
    /// Who is to move.
    pub to_move: Side,
    /// Whether the question is answered, or why not.
    pub status: Status,
    /// How it ends for the side to move.
    #[serde(with = "known_outcome")]
    #[schemars(with = "known_outcome::Word")]
    pub outcome: Option<Outcome>,
    /// Moves of either side to the end, if they were asked for and are known; null for draws.
    pub plies: Option<u32>,
    /// What the side to move gets at least and at most.
    #[serde(flatten)]
    pub bounds: Bounds,
    /// The score for the side to move by the game's convention, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The verdict in a sentence.
    #[serde(default)]
    pub sentence: String,
    /// A best move, or all best moves in an analysis; none when the game is over, nor while nothing is certain of any.
    pub best: Vec<String>,
    /// A line of best play.
    pub pv: Vec<String>,
    /// The search that found it.
    pub solver: SolverName,
    /// Where it comes from.
    pub from: Source,
    /// What it took.
    pub stats: Stats,
    /// What went wrong without harm to the answer: the database or the checkpoint could not be written, or a table not
    /// read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Error>,
}

impl Verdict {
    /// Whether the question is answered.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.status == Status::Solved
    }

    /// Who wins with perfect play, if that is known and it is no draw.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        self.outcome?.winner(self.to_move)
    }
}

/// A move in an analysis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MoveValue {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// How it ends for the side that makes the move.
    #[serde(with = "known_outcome")]
    #[schemars(with = "known_outcome::Word")]
    pub outcome: Option<Outcome>,
    /// Plies from the position before it, if they were asked for and are known.
    pub plies: Option<u32>,
    /// What the side that makes the move gets at least and at most.
    #[serde(flatten)]
    pub bounds: Bounds,
    /// The score by the game's convention, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
}

/// The answer to `analyze`: a verdict whose type is `analysis`, and every legal move, best first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Analysis {
    /// What is said of the position.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Every legal move, best first.
    pub moves: Vec<MoveValue>,
}

/// The answer to `explain`: why a position is worth what it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: ExplanationKind,
    /// The version of the interface.
    pub version: u32,
    /// The canonical spec.
    pub game: String,
    /// The canonical text of the position.
    pub position: String,
    /// Who is to move.
    pub to_move: Side,
    /// Whether the question is answered, or why not.
    pub status: Status,
    /// The verdict in a sentence.
    pub verdict: String,
    /// The reasons, a sentence each.
    pub reasons: Vec<Reason>,
    /// A line of best play, to its end if it could be followed so far.
    pub line: Vec<Ply>,
    /// What went wrong without harm to the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Error>,
}

/// A move of the line of an explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ply {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// Who makes it.
    pub by: Side,
    /// What it does: `forced`, `threatens c3`, `wins`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The same, to be said in any language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<Said>,
}

/// A move to play where nothing is certain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Thought {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: ThoughtKind,
    /// The canonical spec.
    pub game: String,
    /// The move, unless the game is over.
    pub best: Option<String>,
    /// Its guess for the side to move.
    pub score: i32,
    /// The line expected.
    pub pv: Vec<String>,
    /// What every finished depth took.
    pub depths: Vec<ludex_search::think::Depth>,
}

/// How many of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// How many are done.
    pub done: usize,
    /// How many there are.
    pub of: usize,
}

/// How far a search is, several times a second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgressLine {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: ProgressKind,
    /// Positions searched so far.
    pub nodes: u64,
    /// Seconds since the start.
    pub seconds: f64,
    /// Positions searched in a second.
    pub rate: u64,
    /// What is certain of the position so far.
    #[serde(flatten)]
    pub bounds: Bounds,
    /// In an analysis: how many moves are done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Share>,
    /// The proof number of the root, from searches that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<f64>,
    /// The disproof number of the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disproof: Option<f64>,
}

impl From<&Progress> for ProgressLine {
    fn from(progress: &Progress) -> Self {
        let seconds = progress.time.as_secs_f64();
        Self {
            kind: ProgressKind::Progress,
            nodes: progress.nodes,
            seconds: (seconds * 1e3).round() / 1e3,
            rate: if seconds > 0.0 { (progress.nodes as f64 / seconds) as u64 } else { 0 },
            bounds: progress.bounds,
            moves: progress.moves.map(|(done, of)| Share { done, of }),
            proof: progress.numbers.map(|n| n.0),
            disproof: progress.numbers.map(|n| n.1),
        }
    }
}

/// An error as the interface writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorLine {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: ErrorKind,
    /// What was wrong.
    #[serde(flatten)]
    pub error: Error,
}

impl From<Error> for ErrorLine {
    fn from(error: Error) -> Self {
        Self { kind: ErrorKind::Error, error }
    }
}

/// Openings that a symmetry of the board maps to each other, with what they are worth to the first player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Opening {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: OpeningKind,
    /// The canonical spec.
    pub game: String,
    /// The moves, smallest first.
    pub moves: Vec<String>,
    /// Their value for the side that makes them.
    #[serde(flatten)]
    pub value: Value,
}

/// How large a game is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Complexity {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: ComplexityKind,
    /// The canonical spec.
    pub game: String,
    /// Nodes of the whole tree of move sequences, if it was counted; as text, since it may pass what JSON keeps exact.
    pub tree: Option<String>,
    /// Different positions that can be reached, if they were counted.
    pub positions: Option<u64>,
    /// Games sampled.
    pub samples: u64,
    /// The estimate of the tree's nodes by Knuth's method, as a decimal logarithm.
    pub tree_log10: f64,
    /// Its relative standard error.
    pub tree_relative_error: f64,
    /// The mean length of a random game.
    pub plies: f64,
    /// Its standard error.
    pub plies_error: f64,
    /// The mean number of moves in a position of a random game.
    pub moves: f64,
    /// Its standard error.
    pub moves_error: f64,
}

/// A position in which exactly one move wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Puzzle {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: PuzzleKind,
    /// The version of the interface.
    pub version: u32,
    /// The canonical spec.
    pub game: String,
    /// The position.
    pub position: String,
    /// Who is to move, and wins.
    pub to_move: Side,
    /// The seed that makes it again.
    pub seed: u64,
    /// The length of the win.
    pub plies: u32,
    /// A line that wins.
    pub solution: Vec<String>,
    /// The winning move.
    pub best: Vec<String>,
}

/// The rules of a game, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rules {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: RulesKind,
    /// The version of the interface.
    pub version: u32,
    /// The canonical spec.
    pub game: String,
    /// The game's name.
    pub title: String,
    /// What one tries to do.
    pub goal: String,
    /// How a move is made, step by step; none where nobody has drawn them.
    pub steps: Vec<RuleStep>,
    /// How a game ends.
    pub end: String,
    /// How moves and positions are written.
    pub notation: String,
}

/// A step of the rules, drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleStep {
    /// What happens.
    pub text: String,
    /// The spec of the board that is drawn.
    pub game: String,
    /// The position that is drawn.
    pub position: String,
    /// The board as SVG.
    pub svg: String,
    /// The board as text.
    pub picture: String,
}

/// How a position or a move is worth, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Worth {
    /// How it ends.
    #[serde(with = "known_outcome")]
    #[schemars(with = "known_outcome::Word")]
    pub outcome: Option<Outcome>,
    /// Plies to the end, if they are known.
    pub plies: Option<u32>,
}

/// What a move of a game kept or gave away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MoveMark {
    /// No other move is better.
    Best,
    /// It keeps the outcome, though another wins sooner or loses later.
    Good,
    /// There was a win before it, and none after it.
    LostWin,
    /// There was a draw before it, and a loss after it.
    LostDraw,
    /// Not known.
    Unknown,
}

/// A game looked back on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: ReviewKind,
    /// The version of the interface.
    pub version: u32,
    /// The canonical spec.
    pub game: String,
    /// Where the game began.
    pub start: String,
    /// Where it ended or was broken off.
    pub position: String,
    /// What the sides are called.
    pub sides: [String; 2],
    /// Whether it was played to its end.
    pub over: bool,
    /// Who has won, if somebody has.
    pub winner: Option<Side>,
    /// Where it turned, in words.
    pub sentence: String,
    /// Every move.
    pub moves: Vec<Reviewed>,
}

/// A move of a game that was looked back on. What it is worth is said for the side that made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reviewed {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// Who made it.
    pub by: Side,
    /// What it kept or gave away.
    pub mark: MoveMark,
    /// What the position before it was worth.
    pub before: Worth,
    /// What the move was worth, in plies from the position before it.
    pub after: Worth,
    /// A move that would have kept what was given away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub better: Option<String>,
}

/// How good a position looks, term by term. A guess, never a verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evaluation {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: EvaluationKind,
    /// The canonical spec.
    pub game: String,
    /// The position.
    pub position: String,
    /// Whose score it is: the side to move.
    pub to_move: Side,
    /// The score.
    pub score: i32,
    /// What it is made of, where the game tells.
    pub terms: Vec<Part>,
}
