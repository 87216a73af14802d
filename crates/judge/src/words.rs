//! Verdicts in words: whose, what, how long. Made here and nowhere else; they travel with the verdict.

use ludex_core::{Bounds, Outcome, Side, Status, Value};

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
    let (mover, other) = (names[side.index()], names[side.other().index()]);
    let wins = |who: &str, value: Value| match (over, value.plies()) {
        (true, _) => format!("{who} has won."),
        (false, Some(plies)) => format!("{who} wins in {plies} with perfect play."),
        (false, None) => format!("{who} wins with perfect play."),
    };
    let exact = bounds.value();
    match bounds.outcome() {
        Some(Outcome::Win) => wins(mover, exact.unwrap_or(Value::SOME_WIN)),
        Some(Outcome::Loss) => wins(other, exact.unwrap_or(Value::SOME_LOSS)),
        Some(Outcome::Draw) if over => "The game is drawn.".into(),
        Some(Outcome::Draw) => "Draw with perfect play.".into(),
        None if bounds.lo >= Value::DRAW => format!("{mover} has at least a draw."),
        None if bounds.hi <= Value::DRAW => format!("{mover} cannot win any more."),
        None => "Nothing is certain yet.".into(),
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
