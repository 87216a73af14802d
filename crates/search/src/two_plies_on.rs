//! The positions two plies on.

use std::collections::HashSet;

use ludex_core::{Game, Moves, Probe, Stop, Window};

use crate::meter::{LOOK, Meter};

/// The different positions after a move of each side, as the game's rules list the moves and simplify what comes
/// after them: what Czifra et al. call the support of the root.
///
/// # Errors
/// If the probe says stop.
pub fn positions<G: Game>(game: &G, root: &G::Position, probe: &dyn Probe) -> Result<Vec<G::Position>, Stop> {
    let mut meter = Meter::new(probe);
    let mut seen = HashSet::new();
    let mut after = |p: &G::Position| {
        let (mut moves, mut found) = (Moves::new(), Vec::new());
        if game.outcome(p).is_none() {
            game.look(p, Window::WIN, &mut moves);
        }
        meter.spend(LOOK + moves.len())?;
        for m in moves.iter() {
            meter.spend(1)?;
            let next = game.step(p, m);
            if seen.insert(game.key(&next)) {
                found.push(next);
            }
        }
        Ok(found)
    };
    let mut found = Vec::new();
    for child in after(root)? {
        found.append(&mut after(&child)?);
    }
    Ok(found)
}
