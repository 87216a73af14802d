//! Every object that the command line prints with `--json`, one type each: written and read by serde, with a schema.
//!
//! What the judge answers is defined there ([`ludex_judge::answer`]); here is the rest, and [`Printed`], which is all of it.
//! `ludex schema` prints the schema of that union, so that no field can be left out of it.

mod dataset;
mod farm;
mod games;

use std::path::PathBuf;

use ludex_arena::standings::{GameLine, TournamentLine};
use ludex_core::{Bounds, Outcome, Side, Status};
use ludex_judge::{
    MoveView,
    answer::{self, SolverName, known_outcome},
    table::Probed,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use dataset::{Dataset, DatasetMove, DatasetOrder, DatasetRow, Part};
pub use farm::{FarmAnswer, FarmCancelled, FarmMade, FarmSimulated, FarmSubmitted, FarmWorked};
pub use games::{
    Anomaly, BenchDeals, Census, CensusObject, CensusOfDistance, CensusOfPlies, CheckedRecord, DealPuzzle,
    DealRecord, DealsOfMoves, DealsOfWinning, Edge, FirstMoves, Fit, Judged, Level, LevelMove, Measured,
    NexEval, NexTerm, Nodes, PaperLine, PliesRange, PlyPlayed, Potential, RecordsChecked, ScoreLine, Sheet,
    Soak, Threats, ValueFound,
};

/// Any object that the command line prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Printed {
    /// An object of the command line.
    Line(Box<Line>),
    /// The answer of `analyze`.
    Analysis(Box<answer::Analysis>),
    /// The answer of `solve`.
    Verdict(Box<answer::Verdict>),
    /// The answer of `explain`.
    Explanation(answer::Explanation),
    /// The answer of `think`.
    Thought(answer::Thought),
    /// How far a search is.
    Progress(answer::ProgressLine),
    /// What was wrong.
    Error(answer::ErrorLine),
    /// The answer of `openings`, one for each class.
    Opening(answer::Opening),
    /// The answer of `complexity`.
    Complexity(answer::Complexity),
    /// The answer of `eval`.
    Evaluation(answer::Evaluation),
    /// The answer of `puzzle`.
    Puzzle(answer::Puzzle),
    /// The answer of `rules`.
    Rules(answer::Rules),
    /// The answer of `review`.
    Review(answer::Review),
    /// The answer of `table probe`.
    Probed(Probed),
    /// A game of a `tournament`.
    Played(GameLine),
    /// How a `tournament` ended.
    Tournament(TournamentLine),
}

/// The objects that are made by the command line itself, told apart by their `type`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Line {
    /// A family of games, from `games`.
    Game(Family),
    /// From `show`.
    Position(Position),
    /// From `perft`, one for each depth.
    Perft(Perft),
    /// From `bench`, one for each case.
    Bench(Bench),
    /// From `bench`, the last one.
    BenchTotal(BenchTotal),
    /// From `db query`, one for each verdict.
    Row(Row),
    /// From `db purge`.
    Purged(Purged),
    /// From `db check`.
    DbChecked(DbChecked),
    /// From `prove`, `check` and `proof`.
    Certificate(Certificate),
    /// From `table build`.
    TableBuilt(TableBuilt),
    /// From `table stats`.
    TableStats(TableStats),
    /// From `table export` and `book export`, one for each position.
    Held(Held),
    /// From `table verify`.
    TableVerified(TableVerified),
    /// From `table status`, one for each process.
    TableStatus(TableStatus),
    /// From `table build --progress json`, on standard error.
    Progress(TableProgress),
    /// From `book build` and `book stats`.
    Book(Book),
    /// A row of a file that `dataset` writes.
    DatasetRow(Box<DatasetRow>),
    /// From `dataset`.
    Dataset(Box<Dataset>),
    /// From `farm init`.
    FarmMade(FarmMade),
    /// From `farm submit`.
    FarmSubmitted(FarmSubmitted),
    /// From `farm work`.
    FarmWorked(FarmWorked),
    /// From `farm status`.
    FarmStatus(ludex_farm::FarmStatus),
    /// From `farm cancel`.
    FarmCancelled(FarmCancelled),
    /// From `farm results`, of a shared proof search.
    FarmAnswer(FarmAnswer),
    /// From `farm simulate`, one for each number of workers.
    FarmSimulated(FarmSimulated),
    /// From `replay`, one for each position.
    Replay(Replay),
    /// From `collapsi records`.
    Record(DealRecord),
    /// From `collapsi validate`.
    RecordsChecked(RecordsChecked),
    /// From `collapsi puzzle`.
    Puzzle(DealPuzzle),
    /// From `collapsi census`.
    Census(Census),
    /// From `collapsi first-moves`.
    FirstMoves(FirstMoves),
    /// From `bench`, for games that begin with a deal.
    BenchDeals(BenchDeals),
    /// From `connect4 eval`.
    Evaluation(Judged),
    /// From `connect4 levels`.
    Level(Level),
    /// From `connect4 move`.
    Move(LevelMove),
    /// From `connect4 nodes`.
    Nodes(Nodes),
    /// From `connect4 measure`, `bench`, and `seven reproduce`.
    Measured(Measured),
    /// From `connect4 values`.
    Value(ValueFound),
    /// From `nex eval`.
    Eval(NexEval),
    /// From `seven edges`.
    Edge(Edge),
    /// From `seven potential`.
    Potential(Potential),
    /// From `seven simulate`.
    Ply(PlyPlayed),
    /// From `seven fit`.
    Fit(Fit),
    /// From `positional polyomino`.
    Sheet(Sheet),
    /// From `seven soak`.
    Soak(Soak),
}

/// A position of a table or book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Held {
    /// The canonical spec.
    pub game: String,
    /// The canonical text of the position: of those that the file does not tell apart, one.
    pub position: String,
    /// Who is to move.
    pub to_move: Side,
    /// How it ends for the side to move.
    pub outcome: Outcome,
    /// Plies to the end, if the file has them.
    pub plies: Option<u32>,
}

/// A family of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Family {
    /// Its name in specs.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it is, in a sentence.
    pub about: String,
    /// The form of its specs.
    pub usage: String,
    /// Specs to try.
    pub examples: Vec<String>,
    /// Other words for it.
    #[serde(default)]
    pub aliases: Vec<String>,
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Position {
    /// The canonical spec.
    pub game: String,
    /// The canonical text.
    pub position: String,
    /// Who is to move.
    pub to_move: Side,
    /// How the game has ended for the side to move, if it has.
    pub over: Option<Outcome>,
    /// Why it is over.
    pub why: Option<String>,
    /// The legal moves.
    pub moves: Vec<MoveView>,
}

/// What can be reached in so many plies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Perft {
    /// How many plies.
    pub depth: usize,
    /// Sequences of moves.
    pub nodes: u64,
    /// Different positions, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// Different positions up to symmetry, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canonical: Option<u64>,
}

/// A case of the bench.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bench {
    /// The game.
    pub game: String,
    /// The position; the start if there is none.
    pub position: Option<String>,
    /// Whether it was solved.
    pub status: Status,
    /// How it ends for the side to move.
    #[serde(with = "known_outcome")]
    #[schemars(with = "known_outcome::Word")]
    pub outcome: Option<Outcome>,
    /// In how many plies, where that is asked.
    pub plies: Option<u32>,
    /// The search.
    pub solver: SolverName,
    /// Its nodes.
    pub nodes: u64,
    /// Its time.
    pub seconds: f64,
    /// Nodes in a second.
    pub rate: u64,
    /// Bytes of tables.
    pub memory: u64,
}

/// All cases of the bench.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BenchTotal {
    /// The signature: nodes of all cases.
    pub nodes: u64,
    /// Time of all cases.
    pub seconds: f64,
}

/// A verdict of the database.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// The canonical spec.
    pub game: String,
    /// The position that was searched.
    pub position: String,
    /// Who is to move.
    pub to_move: Side,
    /// Its value in words.
    pub value: String,
    /// Its value.
    #[serde(flatten)]
    pub bounds: Bounds,
    /// A best move.
    pub best: Option<String>,
    /// A line of best play.
    pub pv: Vec<String>,
    /// Nodes it took.
    pub nodes: u64,
    /// Time it took.
    pub seconds: f64,
    /// The version of the program that found it.
    pub version: String,
    /// The search that found it.
    pub solver: String,
    /// The rules that were left out, joined by commas.
    pub without: String,
    /// When, in seconds since 1970.
    pub created: i64,
}

/// How many verdicts were forgotten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Purged {
    /// How many.
    pub rows: u64,
}

/// How sound a database is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DbChecked {
    /// How many verdicts there are.
    pub rows: u64,
    /// Those that are not what was written.
    pub damaged: Vec<DamagedRow>,
}

/// A verdict that is not what was written, by what can still be read of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DamagedRow {
    /// The spec of the game.
    pub game: String,
    /// The position.
    pub position: String,
    /// The search that found it.
    pub solver: String,
    /// The version of the program that found it.
    pub version: String,
}

impl From<ludex_judge::DamagedRow> for DamagedRow {
    fn from(row: ludex_judge::DamagedRow) -> Self {
        Self { game: row.spec, position: row.position, solver: row.solver, version: row.version }
    }
}

/// A table that was built.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TableBuilt {
    /// The spec of the game.
    pub game: String,
    /// The file.
    pub file: PathBuf,
    /// What its values say: `distance` or `wdl`.
    pub goal: String,
    /// How positions are numbered: `dense` or `keys`.
    pub numbering: String,
    /// Tiers in all.
    pub tiers: usize,
    /// Tiers that an earlier run had left.
    pub resumed: usize,
    /// Positions in all.
    pub positions: u64,
    /// Bytes of memory that were planned for.
    pub memory: u64,
    /// The length of the file.
    pub bytes: u64,
    /// Its digest.
    pub digest: String,
    /// Time it took.
    pub seconds: f64,
}

/// How far a process of a build is, by its own last word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TableStatus {
    /// The file that is being built.
    pub file: PathBuf,
    /// The number of the process.
    pub process: usize,
    /// How many processes there are.
    pub processes: usize,
    /// Workers of each process.
    pub workers: usize,
    /// `waiting`, `listing`, `solving`, `joining`, or `finished`.
    pub phase: String,
    /// The tier it is at.
    pub tier: usize,
    /// How many there are; 0 while positions are being listed.
    pub tiers: usize,
    /// Its name.
    pub name: String,
    /// Positions of this process that are done.
    pub nodes: u64,
    /// Positions of this process; 0 while they are being listed.
    pub positions: u64,
    /// Bytes that its workers have sent to other workers.
    pub sent: u64,
    /// Seconds since it was started.
    pub seconds: f64,
    /// Seconds since its last word. More than a few, and it has been stopped or killed.
    pub silent: u64,
}

/// What a table or a book holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TableStats {
    /// The version of the interface.
    pub version: u32,
    /// The spec of the game.
    pub game: String,
    /// What its values say: `distance` or `wdl`.
    pub goal: String,
    /// How positions are numbered: `dense` or `keys`.
    pub numbering: String,
    /// Of an opening book: how many plies it covers.
    pub plies: Option<u32>,
    /// The program that made it.
    pub program: String,
    /// Its digest.
    pub digest: String,
    /// The length of the file.
    pub bytes: u64,
    /// Positions in all.
    pub positions: u64,
    /// Positions that can be reached from the start, if that was asked.
    pub reachable: Option<u64>,
    /// Positions by side, outcome and plies.
    pub counts: Vec<TableCount>,
    /// Positions by tier.
    pub tiers: Vec<TableTier>,
    /// The census of all deals, of games that begin with one.
    pub census: Option<CensusObject>,
}

/// How many positions have a side to move, an outcome for it, and a number of plies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TableCount {
    /// Whose turn it is: `first`, `second`, or `either` if the file does not tell.
    pub side: String,
    /// How it ends for that side.
    #[serde(with = "known_outcome")]
    #[schemars(with = "known_outcome::Word")]
    pub outcome: Option<Outcome>,
    /// In how many plies, if that is known and no draw.
    pub plies: Option<u32>,
    /// How many.
    pub positions: u64,
}

/// A tier of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TableTier {
    /// Its name.
    pub name: String,
    /// Its positions.
    pub positions: u64,
}

/// What a verification found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TableVerified {
    /// Positions whose value was derived again.
    pub checked: u64,
    /// Positions in all.
    pub positions: u64,
    /// The first positions whose value is wrong.
    pub wrong: Vec<WrongValue>,
    /// Time it took.
    pub seconds: f64,
}

/// A position whose value is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrongValue {
    /// The position.
    pub position: String,
    /// What the table says.
    pub table: String,
    /// What the rules say.
    pub rules: String,
}

/// How far a build is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TableProgress {
    /// The tier that is being solved.
    pub tier: usize,
    /// How many there are; 0 while positions are being listed.
    pub tiers: usize,
    /// Its name.
    pub name: String,
    /// Positions solved or listed so far.
    pub nodes: u64,
    /// Positions in all; 0 while they are being listed.
    pub positions: u64,
    /// Time since the start.
    pub seconds: f64,
    /// Positions in a second.
    pub rate: f64,
}

/// An opening book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Book {
    /// The spec of the game.
    pub game: String,
    /// How many plies it covers.
    pub plies: u32,
    /// Its positions.
    pub positions: u64,
    /// Those that the side to move wins.
    pub won: u64,
    /// Those that are drawn.
    pub drawn: u64,
    /// Those that the side to move loses.
    pub lost: u64,
    /// The length of the file.
    pub bytes: u64,
    /// Its digest.
    pub digest: String,
}

/// A position of a recorded game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Replay {
    /// How many moves have been made.
    pub ply: usize,
    /// The last of them.
    #[serde(rename = "move")]
    pub last: Option<String>,
    /// The position.
    pub position: String,
}

/// A certificate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Certificate {
    /// The file.
    pub file: PathBuf,
    /// Whether it proves its claims.
    pub valid: bool,
    /// What is wrong with it otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The moves that lead to the fault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// The game.
    pub game: String,
    /// The position and the side to move.
    pub position: String,
    /// What it claims.
    pub claims: Vec<String>,
    /// Whether a strategy is given, or the value alone.
    pub level: String,
    /// The rules it uses.
    pub rules: Vec<String>,
    /// Parts that can be checked apart.
    pub chunks: usize,
    /// Moves that are stored.
    pub moves: u64,
    /// Positions settled by a rule.
    pub leaves: u64,
    /// Positions that the checker looked at.
    pub positions: u64,
    /// The size of the file.
    pub bytes: u64,
    /// The SHA-256 of its header, which names those of its parts.
    pub sha256: String,
    /// Seconds that checking took.
    pub seconds: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two objects that have the same `type` are told apart by their fields.
    #[test]
    fn objects_are_read_back_as_what_they_are() {
        let family = r#"{"type":"game","name":"heap","title":"Heap","about":"","usage":"heap:N","examples":[],"aliases":[]}"#;
        let played = r#"{"type":"game","round":null,"first":"a","second":"b","result":"draw","plies":3,"reason":null}"#;
        for (text, is_family) in [(family, true), (played, false)] {
            let object: Printed = serde_json::from_str(text).expect("an object");
            assert_eq!(matches!(object, Printed::Line(_)), is_family, "{object:?}");
            assert_eq!(serde_json::to_string(&object).expect("text"), text);
        }
        assert!(serde_json::from_str::<Printed>(r#"{"type":"game","name":"heap"}"#).is_err());
    }

    #[test]
    fn the_schema_names_every_object() {
        let schema = serde_json::to_string(&schemars::schema_for!(Printed)).expect("text");
        for word in ["table_stats", "first_moves", "verdict", "analysis", "explanation", "opening", "error"] {
            assert!(schema.contains(&format!("\"{word}\"")), "{word}");
        }
        assert!(schema.contains("\"score\""));
    }
}
