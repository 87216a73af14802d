//! Counting move sequences and positions: the first check of any implementation of rules.

use std::collections::HashSet;

use crate::Game;

/// The number of move sequences of each length from `p`, up to `depth`; the first entry is 1. Sequences end when the
/// game does.
pub fn sequences<G: Game>(game: &G, p: &G::Position, depth: u32) -> Vec<u64> {
    let mut counts = vec![0; depth as usize + 1];
    walk(game, p, &mut counts);
    counts
}

fn walk<G: Game>(game: &G, p: &G::Position, counts: &mut [u64]) {
    counts[0] += 1;
    if counts.len() == 1 || game.outcome(p).is_some() {
        return;
    }
    if counts.len() == 2 {
        game.each_move(p, |_| counts[1] += 1);
        return;
    }
    for m in game.moves(p) {
        walk(game, &game.play(p, m), &mut counts[1..]);
    }
}

/// The number of different positions after each number of plies from `p`, up to `depth`.
pub fn positions<G: Game>(game: &G, p: &G::Position, depth: u32) -> Vec<u64> {
    layers(game, p, depth, |q| *q)
}

/// The number of different positions up to symmetry after each number of plies from `p`, up to `depth`.
pub fn canonical<G: Game>(game: &G, p: &G::Position, depth: u32) -> Vec<u64> {
    layers(game, p, depth, |q| game.key(q))
}

fn layers<G: Game, K: Eq + std::hash::Hash>(
    game: &G,
    p: &G::Position,
    depth: u32,
    name: impl Fn(&G::Position) -> K,
) -> Vec<u64> {
    let mut layer = vec![*p];
    let mut counts = vec![1];
    for _ in 0..depth {
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for q in &layer {
            if game.outcome(q).is_none() {
                game.each_move(q, |m| {
                    let child = game.play(q, m);
                    if seen.insert(name(&child)) {
                        next.push(child);
                    }
                });
            }
        }
        counts.push(next.len() as u64);
        layer = next;
    }
    counts
}
