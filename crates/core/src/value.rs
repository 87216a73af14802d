//! Who wins and how soon: [`Side`], [`Outcome`], [`Value`].

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One of the two players. `First` is who starts by the rules of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The player who starts.
    First,
    /// The other one.
    Second,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for first, 1 for second: an index into pairs.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `first` or `second`, the words that work for every game.
    #[must_use]
    pub const fn word(self) -> &'static str {
        ["first", "second"][self as usize]
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// How a game ends for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// That side loses.
    Loss,
    /// Nobody wins.
    Draw,
    /// That side wins.
    Win,
}

impl Outcome {
    /// Who has won a game that ended so for `side`.
    #[must_use]
    pub const fn winner(self, side: Side) -> Option<Side> {
        match self {
            Outcome::Win => Some(side),
            Outcome::Draw => None,
            Outcome::Loss => Some(side.other()),
        }
    }

    /// The same end of the game, seen by the opponent.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }

    /// `win`, `draw` or `loss`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        ["loss", "draw", "win"][self as usize]
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What a position is worth to the side to move, and in how many plies: a total order.
///
/// ```text
///  loss(0) < loss(1) < … < SOME_LOSS < DRAW < SOME_WIN < … < win(1) < win(0)
///   −1001     −1000          −1         0        1         1000      1001
/// ```
/// [`Value::SOME_WIN`] is the slowest conceivable win, so as a lower bound it says "a win, however long". Positions
/// of real games end within [`Value::MAX_PLIES`] plies, so no exact value is ever confused with it.
///
/// As JSON it is an outcome and, where they are known, the plies: `{"outcome":"win","plies":5}`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "Spelled", try_from = "Spelled")]
pub struct Value(i16);

/// A [`Value`] as the machine interface writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Value")]
struct Spelled {
    /// Win, draw or loss.
    outcome: Outcome,
    /// Moves of either side to the end; null for a draw and where they are not known.
    plies: Option<u32>,
}

impl From<Value> for Spelled {
    fn from(value: Value) -> Self {
        Self { outcome: value.outcome(), plies: value.plies() }
    }
}

impl TryFrom<Spelled> for Value {
    type Error = String;

    fn try_from(Spelled { outcome, plies }: Spelled) -> Result<Self, String> {
        match (outcome, plies) {
            (Outcome::Draw, None) => Ok(Self::DRAW),
            (Outcome::Win, None) => Ok(Self::SOME_WIN),
            (Outcome::Loss, None) => Ok(Self::SOME_LOSS),
            (Outcome::Win, Some(plies @ 0..=Self::MAX_PLIES)) => Ok(Self::win(plies)),
            (Outcome::Loss, Some(plies @ 0..=Self::MAX_PLIES)) => Ok(Self::loss(plies)),
            (_, Some(plies)) => Err(format!("a {outcome} in {plies} plies is no value")),
        }
    }
}

impl JsonSchema for Value {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Spelled::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Spelled::json_schema(generator)
    }
}

const _: () = assert!(size_of::<Value>() == 2);

impl Value {
    /// No game here lasts longer than this.
    pub const MAX_PLIES: u32 = 998;
    /// Nobody wins.
    pub const DRAW: Self = Self(0);
    /// The least of all wins.
    pub const SOME_WIN: Self = Self(1);
    /// The best of all losses.
    pub const SOME_LOSS: Self = Self(-1);
    /// Already won.
    pub const BEST: Self = Self::win(0);
    /// Already lost.
    pub const WORST: Self = Self::loss(0);

    /// A win in `plies` plies (moves of either side).
    #[must_use]
    pub const fn win(plies: u32) -> Self {
        assert!(plies <= 1000);
        Self(1001 - plies as i16)
    }

    /// A loss in `plies` plies.
    #[must_use]
    pub const fn loss(plies: u32) -> Self {
        assert!(plies <= 1000);
        Self(plies as i16 - 1001)
    }

    /// The value of a finished game.
    #[must_use]
    pub const fn ended(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win => Self::BEST,
            Outcome::Draw => Self::DRAW,
            Outcome::Loss => Self::WORST,
        }
    }

    /// Win, draw or loss.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self.0 {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        }
    }

    /// The number of plies to the end; `None` for a draw and for "a win" or "a loss" of unknown length.
    #[must_use]
    pub const fn plies(self) -> Option<u32> {
        match self.0 {
            -1..=1 => None,
            v => Some((1001 - v.abs()) as u32),
        }
    }

    /// One ply further from the end, for the same side.
    #[must_use]
    pub const fn later(self) -> Self {
        match self.0 {
            v @ 2.. => Self(v - 1),
            v @ ..=-2 => Self(v + 1),
            v => Self(v),
        }
    }

    /// The same position seen by the other side.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self(-self.0)
    }

    /// What a child worth `self` to its mover is worth to the side that moved there.
    #[must_use]
    pub const fn back(self) -> Self {
        self.later().flipped()
    }

    /// The next better value.
    #[must_use]
    pub const fn better(self) -> Self {
        Self(if self.0 < 1001 { self.0 + 1 } else { 1001 })
    }

    /// The next worse value.
    #[must_use]
    pub const fn worse(self) -> Self {
        Self(if self.0 > -1001 { self.0 - 1 } else { -1001 })
    }

    /// The value as a number, −1001 … 1001; greater is better.
    #[must_use]
    pub const fn raw(self) -> i16 {
        self.0
    }

    /// The value of a number made by [`Value::raw`]; anything beyond the ends is the end.
    #[must_use]
    pub const fn from_raw(raw: i16) -> Self {
        Self(if raw > 1001 {
            1001
        } else if raw < -1001 {
            -1001
        } else {
            raw
        })
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) => write!(f, "{}({plies})", self.outcome()),
            None => write!(f, "{}", self.outcome()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) => write!(f, "{} in {plies}", self.outcome()),
            None => write!(f, "{}", self.outcome()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_and_read_as_json() {
        for value in [Value::win(5), Value::SOME_WIN, Value::DRAW, Value::SOME_LOSS, Value::loss(0)] {
            let text = serde_json::to_string(&value).expect("text");
            assert_eq!(serde_json::from_str::<Value>(&text).expect("a value"), value, "{text}");
        }
        assert_eq!(serde_json::to_string(&Value::win(5)).expect("text"), r#"{"outcome":"win","plies":5}"#);
        assert!(serde_json::from_str::<Value>(r#"{"outcome":"draw","plies":5}"#).is_err());
    }

    #[test]
    fn plies_survive_the_encoding() {
        for plies in 0..=Value::MAX_PLIES {
            assert_eq!(Value::win(plies).plies(), Some(plies));
            assert_eq!(Value::loss(plies).plies(), Some(plies));
            assert_eq!(Value::win(plies).flipped(), Value::loss(plies));
            assert_eq!(Value::win(plies).back(), Value::loss(plies + 1));
        }
        assert_eq!(Value::SOME_WIN.plies(), None);
        assert_eq!(Value::SOME_WIN.back(), Value::SOME_LOSS);
        assert_eq!(Value::DRAW.back(), Value::DRAW);
    }

    #[test]
    fn going_back_reverses_the_order() {
        for a in -1001..=1001 {
            for b in [a - 1, a + 1] {
                let (a, b) = (Value::from_raw(a), Value::from_raw(b));
                if a < b {
                    assert!(a.back() >= b.back());
                }
            }
        }
    }
}
