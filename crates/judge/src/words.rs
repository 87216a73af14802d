//! Verdicts in words: whose, what, how long. Made here and nowhere else; they travel with the verdict.

use ludex_core::{Bounds, Outcome, Said, Side, Status, Value};

use crate::sentences::{self, HAS_WON, WINS, WINS_IN};

/// What is certain of the side to move, in a sentence.
///
/// ```
/// use ludex_core::{Bounds, Side, Value};
/// use ludex_judge::words::verdict;
///
/// let names = ["Red", "Yellow"];
/// assert_eq!(verdict(names, Side::First, Bounds::exact(Value::win(13)), false), "Red wins in 13 with perfect play.");
/// assert_eq!(verdict(names, Side::First, Bounds::at_most(Value::DRAW), false), "Red cannot win any more.");
/// ```
#[must_use]
pub fn verdict(names: [&str; 2], side: Side, bounds: Bounds, over: bool) -> String {
    said(names, side, bounds, over).text
}

/// The same, to be said in any language.
pub(crate) fn said(names: [&str; 2], side: Side, bounds: Bounds, over: bool) -> Said {
    let (mover, other) = (names[side.index()], names[side.other().index()]);
    let wins = |who: &str, value: Value| match (over, value.plies()) {
        (true, _) => HAS_WON.say([("side", who.into())]),
        (false, Some(plies)) => WINS_IN.say([("side", who.into()), ("n", (plies as usize).into())]),
        (false, None) => WINS.say([("side", who.into())]),
    };
    let exact = bounds.value();
    match bounds.outcome() {
        Some(Outcome::Win) => wins(mover, exact.unwrap_or(Value::SOME_WIN)),
        Some(Outcome::Loss) => wins(other, exact.unwrap_or(Value::SOME_LOSS)),
        Some(Outcome::Draw) if over => sentences::GAME_DRAWN.say([]),
        Some(Outcome::Draw) => sentences::DRAW.say([]),
        None if bounds.lo >= Value::DRAW => sentences::AT_LEAST_DRAW.say([("side", mover.into())]),
        None if bounds.hi <= Value::DRAW => sentences::CANNOT_WIN.say([("side", mover.into())]),
        None => sentences::NOTHING_CERTAIN.say([]),
    }
}

/// The sentence of a verdict: what is certain, why the game is over if it is, and why no more is known if it is not.
pub(crate) fn sentence(
    names: [&str; 2],
    side: Side,
    bounds: Bounds,
    status: Status,
    over: Option<&str>,
) -> String {
    let said = verdict(names, side, bounds, over.is_some());
    match (over, status) {
        (Some(why), _) => format!("{said} {why}").trim_end().to_owned(),
        (None, Status::Solved) => said,
        (None, status) => format!("{said} (not solved: {})", status.word().replace('_', " ")),
    }
}

/// A value of a move for the side that makes it: `win in 13`, `draw`, `at least a draw`.
#[must_use]
pub fn value(bounds: Bounds) -> String {
    match (bounds.value(), bounds.outcome()) {
        (Some(value), _) => value.to_string(),
        (None, Some(outcome)) => outcome.to_string(),
        (None, None) if bounds.lo >= Value::DRAW => "at least a draw".into(),
        (None, None) if bounds.hi <= Value::DRAW => "at most a draw".into(),
        (None, None) => "unknown".into(),
    }
}

/// How a finished game ended, in a sentence.
#[must_use]
pub fn ended(names: [&str; 2], side: Side, outcome: Outcome) -> String {
    verdict(names, side, Bounds::exact(Value::ended(outcome)), true)
}
