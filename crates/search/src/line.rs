//! A line of best play, from what a search remembers and a little more search.

use ludex_core::{Bounds, Contradiction, Game, Outcome, Value, Window, sort_by};

use crate::{driver::in_order, halt::Halt};

/// What is known of a position that a question is about; it may search for the answer if the third argument says so.
pub(crate) type Know<'a, P> = dyn FnMut(&P, Window, bool) -> Result<Bounds, Halt> + 'a;

/// Follow `best` and then moves that keep what the bounds promise. Of moves that keep it equally well, the smallest; the
/// first in the game's order, where nothing is promised about plies. The line may stop short of the end, and does where
/// `know` is stopped. A contradiction met on the way is the end of it, and of the verdict.
pub(crate) fn follow<G: Game>(
    game: &G,
    root: &G::Position,
    best: Option<G::Move>,
    bounds: Bounds,
    know: &mut Know<'_, G::Position>,
) -> Result<Vec<G::Move>, Box<Contradiction>> {
    let Some(first) = best else { return Ok(Vec::new()) };
    let mut line = vec![first];
    let mut p = game.step(root, first);
    // What the position is worth to its mover, as far as it is known.
    let mut promise = behind(game, root, &p, bounds);
    while game.outcome(&p).is_none() {
        let m = match next(game, &p, promise, know) {
            Ok(Some(m)) => m,
            Ok(None) | Err(Halt::Stopped(_)) => break,
            Err(Halt::Contradicted(found)) => return Err(found),
        };
        let child = game.step(&p, m);
        promise = behind(game, &p, &child, promise);
        line.push(m);
        p = child;
    }
    Ok(line)
}

/// The next move of a line: one known to keep the promise. A loser of whom no number of plies is known takes one that is
/// known to lose.
fn next<G: Game>(
    game: &G,
    p: &G::Position,
    promise: Bounds,
    know: &mut Know<'_, G::Position>,
) -> Result<Option<G::Move>, Halt> {
    let lost = promise.lo.outcome() == Outcome::Loss;
    let plies = if lost { promise.lo > Value::WORST.later() } else { promise.lo != Value::SOME_WIN };
    let mut moves = in_order(game, p);
    if plies {
        sort_by(&mut moves, Ord::cmp);
    }
    // First by what is known already, then by search: a short answer at hand is as good as one that takes time.
    for search in [false, true] {
        let mut chosen: Option<(Value, G::Move)> = None;
        for &m in &moves {
            let child = game.step(p, m);
            let alternates = game.side(p) != game.side(&child);
            let question = if plies { Window::at_least(promise.lo).child(alternates) } else { Window::WIN };
            let seen = match game.outcome(&child) {
                Some(outcome) => Bounds::exact(Value::ended(outcome)),
                None => know(&child, question, search)?,
            };
            let value = seen.back(alternates);
            let keeps = if plies || !lost { value.lo >= promise.lo } else { value.hi < Value::DRAW };
            if keeps && chosen.is_none_or(|(v, _)| value.lo > v) {
                chosen = Some((value.lo, m));
                if search {
                    break;
                }
            }
        }
        if let Some((_, m)) = chosen {
            return Ok(Some(m));
        }
    }
    Ok(None)
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
