//! Verdicts in words: whose, what, how long. The same in the terminal, on the page and in the API.

use ludex_core::{Bounds, Outcome, Side, Value};

/// A verdict on the side to move, in a sentence.
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

/// The bounds of a finished game.
#[must_use]
pub fn ended(outcome: Outcome) -> Bounds {
    Bounds::exact(Value::ended(outcome))
}
