//! What the server is asked: the queries and bodies of requests.
//!
//! In a query every value is a text, and an empty one counts as left out; the schemas say what the text must be.

use std::str::FromStr;

use ludex_core::{Error, ErrorCode, Goal};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{board::Location, objects::JobKind};

/// What is wanted: `wdl` (who wins) or `distance` (and how soon).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GoalName {
    /// Who wins.
    Wdl,
    /// Who wins, and how soon.
    Distance,
}

/// A goal, if one is named.
pub(crate) fn goal(text: Option<&str>) -> Result<Option<Goal>, Error> {
    text.filter(|t| !t.is_empty()).map(str::parse).transpose()
}

/// A number in a query, if there is one.
pub(crate) fn number<T: FromStr>(text: Option<&str>, name: &str) -> Result<Option<T>, Error> {
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
    pub game: String,
}

/// Which position of which game.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct LocationQuery {
    /// A game spec, such as connect4, mnk:4,3,3 or nex:3x3.
    pub game: String,
    /// A position text, or moves:m1,m2,… from the start. Left out or empty: the start, or the deal of the seed.
    pub position: Option<String>,
    /// Moves to play from there, separated by spaces.
    pub play: Option<String>,
    /// A seed for a deal or a random choice.
    #[schemars(with = "Option<u64>")]
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

/// A random position.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RandomQuery {
    /// Where to begin.
    #[serde(flatten)]
    pub from: LocationQuery,
    /// How many random moves.
    #[schemars(with = "Option<u32>")]
    pub plies: Option<String>,
}

/// A question that is answered at once, or as far as a short time allows.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct AnalyzeQuery {
    /// The position.
    #[serde(flatten)]
    pub location: LocationQuery,
    /// Who wins, or how soon; left out: what suits the game.
    #[schemars(with = "Option<GoalName>")]
    pub goal: Option<String>,
    /// Milliseconds to think, up to the server's limit.
    #[schemars(with = "Option<u64>")]
    pub time: Option<String>,
}

/// A move to make.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct PlayBody {
    /// A game spec.
    pub game: String,
    /// A position text; the start if left out.
    pub position: Option<String>,
    /// The move to make.
    #[serde(rename = "move")]
    pub text: String,
}

/// Several positions of one game.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct AnalyzeBody {
    /// A game spec.
    pub game: String,
    /// Position texts.
    pub positions: Vec<String>,
    /// Who wins, or how soon; left out: what suits the game.
    #[schemars(with = "Option<GoalName>")]
    pub goal: Option<String>,
    /// Milliseconds to think about each.
    pub time: Option<u64>,
}

/// What to solve, and with how much.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SolveBody {
    /// A game spec.
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
    pub time: Option<f64>,
    /// Bytes, up to the server's limit.
    pub memory: Option<u64>,
    /// Positions to search at most.
    pub nodes: Option<u64>,
    /// Threads, up to the server's limit.
    pub threads: Option<usize>,
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
pub struct ChooseBody {
    /// A game spec.
    pub game: String,
    /// A position text; the start if left out.
    pub position: Option<String>,
    /// One of the game's levels; the best one if left out.
    pub level: Option<String>,
    /// A seed for its chances.
    pub seed: Option<u64>,
    /// Milliseconds to think, up to the server's limit.
    pub time: Option<u64>,
}
