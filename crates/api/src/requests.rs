//! What is asked: the queries and bodies of requests.
//!
//! In a query every value is a text, and an empty one counts as left out; the schemas say what the text must be.

use std::{str::FromStr, time::Duration};

use ludex_core::{Error, ErrorCode, Goal};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use crate::{board::Location, engine, objects::JobKind, part::Part};

/// What is wanted: `wdl` (who wins) or `distance` (and how soon).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GoalName {
    /// Who wins.
    Wdl,
    /// Who wins, and how soon.
    Distance,
}

/// The spec of a game, with some that there are.
fn game_spec(_: &mut SchemaGenerator) -> Schema {
    let examples = ["connect4", "mnk:3,3,3", "nex:3x3", "hex:4x4", "collapsi:A242/2333/34X2/OAAA", "seven:6"];
    json_schema!({"type": "string", "minLength": 1, "examples": examples})
}

/// The name of a level, or nothing.
fn level_name(_: &mut SchemaGenerator) -> Schema {
    let mut names: Vec<_> = engine::levels().map(|level| Some(level.name)).collect();
    names.push(None);
    json_schema!({"type": ["string", "null"], "enum": names})
}

/// A goal, if one is named.
///
/// # Errors
/// If there is no such goal.
pub fn goal(text: Option<&str>) -> Result<Option<Goal>, Error> {
    text.filter(|t| !t.is_empty()).map(str::parse).transpose()
}

/// A number in a query, if there is one.
///
/// # Errors
/// If the text is no such number.
pub fn number<T: FromStr>(text: Option<&str>, name: &str) -> Result<Option<T>, Error> {
    let parse = |text: &str| {
        text.parse().map_err(|_| {
            let message = format!("{name}='{text}' is not a number here");
            Error::new(ErrorCode::BadQuery, message, "a whole number from 0 on")
        })
    };
    text.filter(|t| !t.is_empty()).map(parse).transpose()
}

/// Which game.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct GameQuery {
    /// A game spec, such as connect4, mnk:4,3,3 or nex:3x3.
    #[schemars(schema_with = "game_spec")]
    pub game: String,
}

/// Which position of which game.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct LocationQuery {
    /// A game spec, such as connect4, mnk:4,3,3 or nex:3x3.
    #[schemars(schema_with = "game_spec")]
    pub game: String,
    /// A position text, or moves:m1,m2,… from the start. Left out or empty: the start, or the deal of the seed.
    pub position: Option<String>,
    /// Moves to play from there, separated by spaces.
    pub play: Option<String>,
    /// A seed for a deal or a random choice.
    #[schemars(with = "Option<u64>", range(max = 18_446_744_073_709_551_615_u64))]
    pub seed: Option<String>,
}

impl LocationQuery {
    /// The location it names.
    ///
    /// # Errors
    /// If the seed is no number.
    pub fn location(self) -> Result<Location, Error> {
        Ok(Location {
            seed: number(self.seed.as_deref(), "seed")?,
            game: self.game,
            position: self.position,
            play: self.play.unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
        })
    }
}

/// Which part of a list of moves.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct PartQuery {
    /// Moves to leave out at the beginning of the list.
    #[schemars(with = "Option<u64>", range(max = 18_446_744_073_709_551_615_u64))]
    pub offset: Option<String>,
    /// Moves in the answer at most; total_moves says how many there are.
    #[schemars(with = "Option<u64>", range(max = 10_000))]
    pub limit: Option<String>,
}

impl PartQuery {
    /// The part it names.
    ///
    /// # Errors
    /// If a number is none, or too large.
    pub fn part(&self) -> Result<Part, Error> {
        Part::of(self.offset.as_deref(), self.limit.as_deref())
    }
}

/// A position, and which of its moves.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct PositionQuery {
    /// The position.
    #[serde(flatten)]
    pub location: LocationQuery,
    /// The moves.
    #[serde(flatten)]
    pub part: PartQuery,
}

/// A random position.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RandomQuery {
    /// Where to begin.
    #[serde(flatten)]
    pub from: LocationQuery,
    /// How many random moves.
    #[schemars(with = "Option<u32>", range(max = 4_294_967_295_u32))]
    pub plies: Option<String>,
}

/// A puzzle.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct PuzzleQuery {
    /// Where to begin.
    #[serde(flatten)]
    pub from: LocationQuery,
    /// The length of the win, in moves of both sides: an odd number from 3 on. Any length, if left out.
    #[schemars(with = "Option<u32>", range(max = 4_294_967_295_u32))]
    pub plies: Option<String>,
    /// Milliseconds to look for it, up to the server's limit.
    #[schemars(with = "Option<u64>", range(min = 1, max = 18_446_744_073_709_551_615_u64))]
    pub time: Option<String>,
}

/// A question that is answered at once, or as far as a short time allows.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ExplainQuery {
    /// The position.
    #[serde(flatten)]
    pub location: LocationQuery,
    /// Who wins, or how soon; left out: what suits the game.
    #[schemars(with = "Option<GoalName>")]
    pub goal: Option<String>,
    /// Milliseconds to think, up to the server's limit.
    #[schemars(with = "Option<u64>", range(min = 1, max = 18_446_744_073_709_551_615_u64))]
    pub time: Option<String>,
}

/// A position to prove the value of.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ProveQuery {
    /// The position.
    #[serde(flatten)]
    pub location: LocationQuery,
    /// Milliseconds to take, up to the server's limit.
    #[schemars(with = "Option<u64>", range(min = 1, max = 18_446_744_073_709_551_615_u64))]
    pub time: Option<String>,
}

/// A walk through a certificate.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WalkQuery {
    /// Which of its claims, from 1; the first if left out.
    #[schemars(with = "Option<u64>", range(min = 1, max = 1_000))]
    pub claim: Option<String>,
    /// Moves of both sides from the certificate's position, separated by spaces.
    pub play: Option<String>,
}

/// The same, and which moves of the answer.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct AnalyzeQuery {
    /// The question.
    #[serde(flatten)]
    pub question: ExplainQuery,
    /// The moves.
    #[serde(flatten)]
    pub part: PartQuery,
}

/// Milliseconds in a query, cut down to what is allowed.
///
/// # Errors
/// If it is no number, or no time at all.
pub fn millis(text: Option<&str>, most: Duration) -> Result<Duration, Error> {
    match number::<u64>(text, "time")? {
        Some(0) => {
            Err(Error::new(ErrorCode::BadTime, "no time at all", "a number of milliseconds from 1 on"))
        }
        Some(millis) => Ok(Duration::from_millis(millis).min(most)),
        None => Ok(most),
    }
}

/// A game as another program writes it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ImportBody {
    /// The text, such as a link or SGF.
    pub text: String,
}

/// A move to make.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(example = serde_json::json!({"game": "mnk:3,3,3", "position": "x../.../...", "move": "b2"}))]
pub struct PlayBody {
    /// A game spec.
    #[schemars(schema_with = "game_spec")]
    pub game: String,
    /// A position text; the start if left out.
    pub position: Option<String>,
    /// The move to make.
    #[serde(rename = "move")]
    pub text: String,
}

/// Several positions of one game.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(example = serde_json::json!({"game": "connect4", "positions": ["4453", "moves:4,4"], "time": 200}))]
pub struct AnalyzeBody {
    /// A game spec.
    #[schemars(schema_with = "game_spec")]
    pub game: String,
    /// Position texts.
    #[schemars(length(max = 100))]
    pub positions: Vec<String>,
    /// Who wins, or how soon; left out: what suits the game.
    #[schemars(with = "Option<GoalName>")]
    pub goal: Option<String>,
    /// Milliseconds to think about each.
    #[schemars(range(min = 1, max = 18_446_744_073_709_551_615_u64))]
    pub time: Option<u64>,
    /// Moves of each answer at most; left out: all that 50,000 for the whole request allow.
    #[schemars(range(max = 10_000))]
    pub limit: Option<usize>,
}

/// What to solve, and with how much.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(example = serde_json::json!({"game": "nex:3x3", "kind": "solve", "goal": "wdl", "time": 2.5}))]
pub struct SolveBody {
    /// A game spec.
    #[schemars(schema_with = "game_spec")]
    pub game: String,
    /// A position text; the start if left out.
    pub position: Option<String>,
    /// The value of the position, or of every move.
    #[schemars(with = "Option<JobKind>")]
    pub kind: Option<String>,
    /// Who wins, or how soon.
    #[schemars(with = "Option<GoalName>")]
    pub goal: Option<String>,
    /// Seconds, up to the server's limit.
    #[schemars(range(min = 0.001))]
    pub time: Option<f64>,
    /// Bytes, up to the server's limit.
    #[schemars(range(max = 18_446_744_073_709_551_615_u64))]
    pub memory: Option<u64>,
    /// Positions to search at most.
    #[schemars(range(min = 1, max = 18_446_744_073_709_551_615_u64))]
    pub nodes: Option<u64>,
    /// Threads, up to the server's limit.
    #[schemars(range(min = 1, max = 18_446_744_073_709_551_615_u64))]
    pub threads: Option<u64>,
    /// Rules to leave out.
    #[serde(default)]
    pub without: Vec<String>,
    /// The search to use.
    pub solver: Option<String>,
}

impl SolveBody {
    /// The kind of job it asks for.
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn kind(&self) -> Result<JobKind, Error> {
        match self.kind.as_deref() {
            None | Some("solve") => Ok(JobKind::Solve),
            Some("analyze") => Ok(JobKind::Analyze),
            Some(other) => {
                let message = format!("'{other}' is not a kind of job");
                Err(Error::new(ErrorCode::BadKind, message, "solve or analyze"))
            }
        }
    }
}

/// A position for an engine to move in.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(example = serde_json::json!({"game": "hex:4x4", "level": "greedy", "seed": 1, "time": 100}))]
pub struct ChooseBody {
    /// A game spec.
    #[schemars(schema_with = "game_spec")]
    pub game: String,
    /// A position text; the start if left out.
    pub position: Option<String>,
    /// One of the game's levels; the best one if left out.
    #[serde(default)]
    #[schemars(schema_with = "level_name")]
    pub level: Option<String>,
    /// A seed for its chances.
    #[schemars(range(max = 18_446_744_073_709_551_615_u64))]
    pub seed: Option<u64>,
    /// Milliseconds to think, up to the server's limit.
    #[schemars(range(max = 18_446_744_073_709_551_615_u64))]
    pub time: Option<u64>,
}
