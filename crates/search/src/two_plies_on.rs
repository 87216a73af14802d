//! The positions two plies on.

use std::collections::HashSet;

use ludex_core::{Game, Moves, Window};

/// The different positions after a move of each side, as the game's rules list the moves and simplify what comes
/// after them: what Czifra et al. call the support of the root.
#[must_use]
pub fn positions<G: Game>(game: &G, root: &G::Position) -> Vec<G::Position> {
    let after = |p: &G::Position| {
        let mut moves = Moves::new();
        if game.outcome(p).is_none() {
            game.look(p, Window::WIN, &mut moves);
        }
        moves.iter().map(|m| game.step(p, m)).collect::<Vec<_>>()
    };
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for child in after(root).into_iter().filter(|child| seen.insert(game.key(child))).collect::<Vec<_>>() {
        found.extend(after(&child).into_iter().filter(|p| seen.insert(game.key(p))));
    }
    found
}
