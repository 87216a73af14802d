//! The text record of a game: a few lines of `key: value`, games separated by blank lines.
//!
//! ```
//! use ludex_arena::record::{Record, read};
//!
//! let text = "ludex-game: 1\nspec: nex:2x2\nfirst: level:2\nsecond: random\nmoves: Ba1?a2 Wb2?b1 Ba2Bb1?a1\nresult: draw\n";
//! let games = read(text).unwrap();
//! assert_eq!(games[0].moves.len(), 3);
//! assert_eq!(read(&games[0].to_string()).unwrap(), games);
//! ```

use std::fmt;

use ludex_judge::{Error, ErrorCode, Outcome, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a recorded game ended, written `first wins`, `second wins`, `draw` or `unfinished`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(into = "String", try_from = "String")]
#[schemars(with = "String")]
pub enum Score {
    /// A side won.
    Won(Side),
    /// Nobody did.
    Drawn,
    /// It was broken off.
    Unfinished,
}

impl Score {
    /// From the outcome for the side to move.
    #[must_use]
    pub fn of(outcome: Outcome, to_move: Side) -> Self {
        match outcome {
            Outcome::Win => Self::Won(to_move),
            Outcome::Draw => Self::Drawn,
            Outcome::Loss => Self::Won(to_move.other()),
        }
    }

    /// The points of a side: 1, ½ or 0, if the game was finished.
    #[must_use]
    pub fn points(self, side: Side) -> Option<f64> {
        match self {
            Self::Won(winner) => Some(if winner == side { 1.0 } else { 0.0 }),
            Self::Drawn => Some(0.5),
            Self::Unfinished => None,
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Won(side) => write!(f, "{side} wins"),
            Self::Drawn => f.write_str("draw"),
            Self::Unfinished => f.write_str("unfinished"),
        }
    }
}

impl From<Score> for String {
    fn from(score: Score) -> Self {
        score.to_string()
    }
}

impl TryFrom<String> for Score {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        let all = [Self::Won(Side::First), Self::Won(Side::Second), Self::Drawn, Self::Unfinished];
        all.into_iter().find(|score| score.to_string() == text).ok_or_else(|| {
            let hint = all.map(String::from).join(", ");
            Error::new(ErrorCode::BadRecord, format!("'{text}' is not a result"), hint)
        })
    }
}

/// A game as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The spec of the game.
    pub spec: String,
    /// The players, first and second.
    pub players: [String; 2],
    /// Where it began, if not at the game's own start.
    pub start: Option<String>,
    /// The moves.
    pub moves: Vec<String>,
    /// How it ended.
    pub score: Score,
    /// Why.
    pub reason: Option<String>,
    /// Where it belongs in a tournament.
    pub round: Option<String>,
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "ludex-game: 1\nspec: {}", self.spec)?;
        if let Some(round) = &self.round {
            writeln!(f, "round: {}", line(round))?;
        }
        writeln!(f, "first: {}\nsecond: {}", line(&self.players[0]), line(&self.players[1]))?;
        if let Some(start) = &self.start {
            writeln!(f, "start: {}", line(start))?;
        }
        writeln!(f, "moves: {}\nresult: {}", self.moves.join(" "), self.score)?;
        if let Some(reason) = &self.reason {
            writeln!(f, "reason: {}", line(reason))?;
        }
        Ok(())
    }
}

/// A text on one line.
fn line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Read all games of a text.
///
/// # Errors
/// If a line is not of that form; the message gives its number.
pub fn read(text: &str) -> Result<Vec<Record>, Error> {
    let mut games = Vec::new();
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate().chain([(0, "")]) {
        let line = line.trim_end();
        if line.is_empty() {
            if !lines.is_empty() {
                games.push(one(&std::mem::take(&mut lines))?);
            }
        } else if !line.starts_with('#') {
            lines.push((number + 1, line));
        }
    }
    Ok(games)
}

fn one(lines: &[(usize, &str)]) -> Result<Record, Error> {
    let line_number = |number: usize| format!("line {number}");
    let bad = |number: usize, what: String, hint: &str| {
        Error::new(ErrorCode::BadRecord, what, hint).at(line_number(number))
    };
    let first = lines[0].0;
    let mut record = Record {
        spec: String::new(),
        players: ["?".into(), "?".into()],
        start: None,
        moves: Vec::new(),
        score: Score::Unfinished,
        reason: None,
        round: None,
    };
    let mut version = false;
    for &(number, text) in lines {
        let Some((key, value)) = text.split_once(':') else {
            return Err(bad(
                number,
                format!("'{text}' is not 'key: value'"),
                "a record is lines such as 'moves: m1 m2'",
            ));
        };
        // As it will be written, so that what was read once is read the same again.
        let value = line(value);
        let value = value.trim();
        match key.trim() {
            "ludex-game" if value == "1" => version = true,
            "ludex-game" => {
                return Err(bad(
                    number,
                    format!("version {value} is not known"),
                    "this program reads version 1",
                ));
            }
            "spec" => record.spec = value.into(),
            "first" => record.players[0] = value.into(),
            "second" => record.players[1] = value.into(),
            "start" => record.start = Some(value.into()),
            "moves" => record.moves.extend(value.split_whitespace().map(String::from)),
            "reason" => record.reason = Some(value.into()),
            "round" => record.round = Some(value.into()),
            "result" => {
                record.score = Score::try_from(value.to_owned()).map_err(|e| e.at(line_number(number)))?
            }
            // Others may add lines of their own.
            _ => {}
        }
    }
    if !version || record.spec.is_empty() {
        return Err(bad(
            first,
            "this is not a game".into(),
            "a record begins with 'ludex-game: 1' and names its spec",
        ));
    }
    Ok(record)
}
