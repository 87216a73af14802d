//! What is answered: the objects of the machine interface that pages need besides the judge's own.
//!
//! Verdicts, analyses, explanations, puzzles and errors are the judge's own ([`ludex_judge::answer`]). The OpenAPI
//! document and the types of the page are made from the schemas of these structs.

use ludex_core::{Fact, Layout, Progress, Said, Side};
use ludex_judge::{
    MoveView,
    answer::{Analysis, ErrorLine, ProgressLine, Verdict},
    table::Present,
    words,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The word in an object's `type` field, as a type of its own: nothing else is read back as that object.
macro_rules! kinds {
    ($($name:ident { $word:ident })*) => {
        $(#[doc = concat!("The type of `", stringify!($word), "`.")]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        #[schemars(inline)]
        pub enum $name {
            /// The only one.
            #[default]
            $word,
        })*
    };
}

kinds! {
    PositionKind { Position }
    GameKind { Game }
    GamesKind { Games }
    AnalysesKind { Analyses }
    JobObject { Job }
    ChoiceKind { Choice }
    TablesKind { Tables }
    HealthKind { Health }
    ImportedKind { Imported }
    WalkKind { Walk }
}

/// A position with all that is needed to show it and go on from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Position {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: PositionKind,
    /// The version of the interface.
    pub version: u32,
    /// The canonical spec.
    pub game: String,
    /// The game's name.
    pub title: String,
    /// Where the played moves started.
    pub start: String,
    /// The position text.
    pub position: String,
    /// Who is to move.
    pub to_move: Side,
    /// What the sides are called.
    pub sides: [String; 2],
    /// The colours of the sides, as `#RRGGBB`.
    pub colours: [String; 2],
    /// The last move played.
    pub last: Option<String>,
    /// The end, if the game is over.
    pub over: Option<End>,
    /// The legal moves, with the clicks that make them: at most 10,000 of them, from the offset that was asked for.
    pub moves: Vec<MoveView>,
    /// How many legal moves there are.
    pub total_moves: usize,
    /// What else is worth knowing.
    pub facts: Vec<Fact>,
    /// The board as SVG; its cells carry `data-cell`.
    pub svg: String,
    /// The board as text.
    pub picture: String,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct End {
    /// Who has won; nobody, if it is a draw.
    pub winner: Option<Side>,
    /// The reason, in a sentence.
    pub why: Option<String>,
    /// The same, to be said in any language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<Said>,
}

/// What a game is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Game {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: GameKind,
    /// The version of the interface.
    pub version: u32,
    /// The canonical spec.
    pub game: String,
    /// The name of its family.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it is, in a sentence.
    pub about: String,
    /// The form of its specs.
    pub usage: String,
    /// What the sides are called.
    pub sides: [String; 2],
    /// The colours of the sides, as `#RRGGBB`.
    pub colours: [String; 2],
    /// The start, unless the game begins with a deal.
    pub start: Option<String>,
    /// Whether it can be drawn.
    pub draws: bool,
    /// Rules of the search that can be switched off.
    pub switches: Vec<Rule>,
    /// How well its engines play, best first.
    pub levels: Vec<Level>,
    /// Rows of cells and what they may hold, where any position can be set up by hand.
    pub layout: Option<Layout>,
}

/// A rule of the search that can be switched off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// What it does.
    pub what: String,
}

/// How well an engine plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Level {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it does.
    pub what: String,
}

/// All games, with the specs to offer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Games {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: GamesKind,
    /// The version of the interface.
    pub version: u32,
    /// The families of games.
    pub games: Vec<Family>,
}

/// A family of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Family {
    /// The name in specs.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// What it is, in a sentence.
    pub about: String,
    /// The form of its specs.
    pub usage: String,
    /// Whether somebody who has never seen it can play at once.
    pub for_newcomers: bool,
    /// Games to offer; the first is the default.
    pub examples: Vec<Example>,
}

/// A game to offer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Example {
    /// The canonical spec.
    pub game: String,
    /// Its name for people.
    pub title: String,
    /// Whether it begins with a deal.
    pub deal: bool,
}

/// The analyses of several positions of a game, in the order in which they were asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Analyses {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: AnalysesKind,
    /// The version of the interface.
    pub version: u32,
    /// The spec, as it was asked for.
    pub game: String,
    /// An analysis or an error for each position.
    pub results: Vec<AnalysisOrError>,
}

/// An analysis with a part of its moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Analysis")]
pub struct PartialAnalysis {
    /// The analysis, with at most 10,000 of its moves, from the offset that was asked for.
    #[serde(flatten)]
    pub analysis: Analysis,
    /// How many moves it has.
    pub total_moves: usize,
}

/// An analysis, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "an error is the exception")]
pub enum AnalysisOrError {
    /// Every move with its value.
    Analysis(PartialAnalysis),
    /// What was wrong.
    Error(ErrorLine),
}

/// A long search: what was asked, how far it is, what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Job {
    /// Which object this is.
    #[serde(rename = "type")]
    pub object: JobObject,
    /// The version of the interface.
    pub version: u32,
    /// Its number.
    pub id: String,
    /// How far it is.
    pub state: JobState,
    /// The canonical spec.
    pub game: String,
    /// The position text.
    pub position: String,
    /// What was asked.
    pub kind: JobKind,
    /// The latest news of the search.
    pub progress: Option<JobProgress>,
    /// What came of it, once it is done.
    pub result: Option<JobResult>,
}

/// What a job finds out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobKind {
    /// The value of the position.
    #[default]
    Solve,
    /// The value of every move.
    Analyze,
}

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// Waiting for its turn.
    Queued,
    /// Being searched.
    Running,
    /// Ended, with a result.
    Done,
}

/// How far the search of a job is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JobProgress {
    /// The numbers.
    #[serde(flatten)]
    pub line: ProgressLine,
    /// What is certain so far, in a sentence; null while nothing is.
    pub sentence: Option<String>,
}

impl JobProgress {
    /// The news of a search for the side to move.
    #[must_use]
    pub fn new(progress: &Progress, names: [&str; 2], to_move: Side) -> Self {
        let certain =
            progress.bounds.lo >= ludex_core::Value::DRAW || progress.bounds.hi <= ludex_core::Value::DRAW;
        Self {
            line: ProgressLine::from(progress),
            sentence: certain.then(|| words::verdict(names, to_move, progress.bounds, false)),
        }
    }
}

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "an error is the exception")]
pub enum JobResult {
    /// Every move with its value.
    Analysis(PartialAnalysis),
    /// The value of the position.
    Verdict(Verdict),
    /// What was wrong.
    Error(ErrorLine),
}

/// A game that another program wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Imported {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: ImportedKind,
    /// The version of the interface.
    pub version: u32,
    /// The canonical spec.
    pub game: String,
    /// Its moves, from the start.
    pub moves: Vec<String>,
}

/// The move of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: ChoiceKind,
    /// The version of the interface.
    pub version: u32,
    /// The canonical spec.
    pub game: String,
    /// The position text.
    pub position: String,
    /// Who is to move.
    pub to_move: Side,
    /// How well it plays.
    pub level: String,
    /// Its move.
    #[serde(rename = "move")]
    pub text: String,
    /// Whether it is known to be a best move.
    pub certain: bool,
}

/// The tables and books that are present.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tables {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: TablesKind,
    /// The version of the interface.
    pub version: u32,
    /// All of them.
    pub tables: Vec<Present>,
}

/// That the server is up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: HealthKind,
    /// `ok`: whoever can answer is well.
    pub status: String,
    /// The program and its version.
    pub program: String,
}
