//! Maker–Breaker by nothing but the rules: the twin that every theorem about residual hypergraphs is tested against.

use std::collections::HashMap;

/// Whether Maker wins, to move or not, by trying everything.
#[must_use]
pub fn maker_wins(edges: &[u64], to_move: bool) -> bool {
    maker_wins_within(edges, to_move, u32::MAX)
}

/// The same, if Maker has only so many moves.
#[must_use]
pub fn maker_wins_within(edges: &[u64], to_move: bool, left: u32) -> bool {
    let all = edges.iter().fold(0, |a, e| a | e);
    Naive { edges, all, left, seen: HashMap::new() }.search(0, 0, to_move)
}

struct Naive<'a> {
    edges: &'a [u64],
    all: u64,
    left: u32,
    seen: HashMap<(u64, u64), bool>,
}

impl Naive<'_> {
    fn search(&mut self, taken: u64, blocked: u64, to_move: bool) -> bool {
        if self.edges.iter().any(|e| e & !taken == 0) {
            return true;
        }
        if self.edges.iter().all(|e| e & blocked != 0) || to_move && taken.count_ones() >= self.left {
            return false;
        }
        if let Some(&known) = self.seen.get(&(taken, blocked)) {
            return known;
        }
        let free = self.all & !taken & !blocked;
        let mut cells = (0..64).map(|c| 1u64 << c).filter(|bit| free & bit != 0);
        let wins = if to_move {
            cells.any(|bit| self.search(taken | bit, blocked, false))
        } else {
            // With all cells taken Breaker passes: only the bound on Maker's moves can end the game then.
            free != 0 && cells.all(|bit| self.search(taken, blocked | bit, true))
        };
        self.seen.insert((taken, blocked), wins);
        wins
    }
}
