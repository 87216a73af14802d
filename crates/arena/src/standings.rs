//! How a tournament stands: a cross table for people, and the objects that programs are told.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    elo::{Cross, Finding, Rating, TestResult},
    record::{Record, Score},
};

/// How a tournament stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The players' names.
    pub names: Vec<String>,
    /// Their results against each other.
    pub cross: Cross,
    /// Their ratings.
    pub ratings: Vec<Rating>,
    /// Wins, draws and losses of each.
    pub results: Vec<[u64; 3]>,
    /// Games played so far.
    pub played: usize,
    /// Games in all.
    pub total: usize,
    /// The sequential test, if one was asked for.
    pub test: Option<TestResult>,
}

impl Table {
    /// The cross table for people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| self.ratings[b].elo.total_cmp(&self.ratings[a].elo));
        let wide = self.names.iter().map(|n| n.chars().count()).max().unwrap_or(0).max(6);
        let mut text =
            format!("{:>3} {:<wide$} {:>7} {:>6} {:>13}", "#", "player", "Elo", "±", "won-drawn-lost");
        for place in 1..=order.len() {
            let _ = write!(text, " {place:>7}");
        }
        text.push('\n');
        for (place, &i) in order.iter().enumerate() {
            let [w, d, l] = self.results[i];
            let rating = self.ratings[i];
            let _ = write!(
                text,
                "{:>3} {:<wide$} {:>+7.0} {:>6.0} {:>14}",
                place + 1,
                self.names[i],
                rating.elo,
                rating.error,
                format!("{w}-{d}-{l}")
            );
            for &j in &order {
                let cell = if i == j || self.cross.games[i][j] == 0.0 {
                    "—".to_owned()
                } else {
                    format!("{}/{}", self.cross.points[i][j], self.cross.games[i][j])
                };
                let _ = write!(text, " {cell:>7}");
            }
            text.push('\n');
        }
        let _ = writeln!(text, "{} of {} games", self.played, self.total);
        if let Some(TestResult { ratio, finding }) = self.test {
            let name = &self.names[0];
            let said = match finding {
                Finding::Open => format!("it is still open whether {name} is stronger"),
                Finding::Stronger => format!("{name} is stronger"),
                Finding::NotStronger => format!("{name} is not stronger"),
            };
            let _ = writeln!(text, "sequential test: log-likelihood ratio {ratio:.2}, {said}");
        }
        text
    }

    /// The table for programs; `game` is the spec as it was asked for.
    #[must_use]
    pub fn line(&self, game: &str) -> TournamentLine {
        let player = |i: usize| {
            let [won, drawn, lost] = self.results[i];
            let Rating { elo, error } = self.ratings[i];
            PlayerLine {
                name: self.names[i].clone(),
                elo: elo.round(),
                error: error.round(),
                won,
                drawn,
                lost,
                points: self.cross.points[i].clone(),
                games: self.cross.games[i].clone(),
            }
        };
        TournamentLine {
            kind: TournamentKind::Tournament,
            game: game.to_owned(),
            played: self.played,
            total: self.total,
            players: (0..self.names.len()).map(player).collect(),
            test: self.test,
        }
    }
}

/// The type of a [`TournamentLine`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum TournamentKind {
    /// `tournament`.
    Tournament,
}

/// The type of a [`GameLine`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum GameKind {
    /// `game`.
    Game,
}

/// A finished tournament, or one that was stopped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TournamentLine {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: TournamentKind,
    /// The game's spec.
    pub game: String,
    /// Games played so far.
    pub played: usize,
    /// Games in all.
    pub total: usize,
    /// The players, in the order of the plan.
    pub players: Vec<PlayerLine>,
    /// The sequential test, if one was asked for.
    pub test: Option<TestResult>,
}

/// A player's results in a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlayerLine {
    /// What it is called.
    pub name: String,
    /// Elo points; the average of all players is 0.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
    /// Points against every player.
    pub points: Vec<f64>,
    /// Games against every player.
    pub games: Vec<f64>,
}

/// A game of a tournament, told when it is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GameLine {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: GameKind,
    /// Which game of the tournament it was.
    pub round: Option<String>,
    /// Who played first.
    pub first: String,
    /// Who played second.
    pub second: String,
    /// How it ended.
    pub result: Score,
    /// How many moves were made.
    pub plies: usize,
    /// Why it ended so.
    pub reason: Option<String>,
}

impl From<&Record> for GameLine {
    fn from(record: &Record) -> Self {
        let [first, second] = record.players.clone();
        Self {
            kind: GameKind::Game,
            round: record.round.clone(),
            first,
            second,
            result: record.score,
            plies: record.moves.len(),
            reason: record.reason.clone(),
        }
    }
}
