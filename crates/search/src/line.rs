//! A line of best play, read from what a search remembers.

use ludex_core::{Bounds, Game, Outcome, Value};

use crate::driver::in_order;

/// Follow `best` and then, as long as memory serves, moves that keep what the bounds promise. Of moves that keep it
/// equally well, the smallest; the first in the game's order, where nothing is promised about plies. The line may stop
/// short of the end.
pub(crate) fn follow<G: Game>(
    game: &G,
    root: &G::Position,
    best: Option<G::Move>,
    bounds: Bounds,
    recall: impl Fn(&G::Position) -> Bounds,
) -> Vec<G::Move> {
    let Some(first) = best else { return Vec::new() };
    let mut line = vec![first];
    let mut p = game.step(root, first);
    // What the position is worth to its mover, as far as it is known.
    let mut promise = behind(game, root, &p, bounds);
    while game.outcome(&p).is_none() {
        let Some(m) = next(game, &p, promise, &recall) else { break };
        let child = game.step(&p, m);
        promise = behind(game, &p, &child, promise);
        line.push(m);
        p = child;
    }
    line
}

/// The next move of a line: a winner needs one known to keep the promise; a loser takes the one that holds out longest of
/// those known to lose.
fn next<G: Game>(
    game: &G,
    p: &G::Position,
    promise: Bounds,
    recall: impl Fn(&G::Position) -> Bounds,
) -> Option<G::Move> {
    let lost = promise.lo.outcome() == Outcome::Loss;
    let plies = if lost { promise.lo > Value::WORST.later() } else { promise.lo != Value::SOME_WIN };
    let mut moves = in_order(game, p);
    if plies {
        moves.sort_unstable();
    }
    let mut chosen: Option<(Value, G::Move)> = None;
    for m in moves {
        let child = game.step(p, m);
        let seen = game.outcome(&child).map_or_else(|| recall(&child), |o| Bounds::exact(Value::ended(o)));
        let value = seen.back(game.side(p) != game.side(&child));
        let keeps = if lost {
            value.lo > Value::WORST.later() || value.hi < Value::DRAW
        } else {
            value.lo >= promise.lo
        };
        if keeps && chosen.is_none_or(|(v, _)| value.lo > v) {
            chosen = Some((value.lo, m));
        }
    }
    chosen.map(|(_, m)| m)
}

/// The bounds of a child that follow from those of its parent when the move was a best one.
fn behind<G: Game>(game: &G, p: &G::Position, child: &G::Position, bounds: Bounds) -> Bounds {
    let step = |v: Value| match v.plies() {
        Some(0) | None => v,
        Some(n) if v > Value::DRAW => Value::win(n - 1),
        Some(n) => Value::loss(n - 1),
    };
    let own = Bounds { lo: step(bounds.lo), hi: step(bounds.hi) };
    if game.side(p) == game.side(child) { own } else { own.flipped() }
}
