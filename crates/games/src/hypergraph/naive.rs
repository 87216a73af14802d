//! Maker–Breaker by nothing but the rules: the twin that every theorem about residual hypergraphs is tested against.

use std::collections::HashMap;

/// Whether Maker wins, to move or not, by trying everything.
#[must_use]
pub fn maker_wins(edges: &[u64], to_move: bool) -> bool {
    fn search(
        edges: &[u64],
        all: u64,
        taken: u64,
        blocked: u64,
        to_move: bool,
        seen: &mut HashMap<(u64, u64), bool>,
    ) -> bool {
        if edges.iter().any(|e| e & !taken == 0) {
            return true;
        }
        if edges.iter().all(|e| e & blocked != 0) {
            return false;
        }
        if let Some(&known) = seen.get(&(taken, blocked)) {
            return known;
        }
        let free = all & !taken & !blocked;
        let mut cells = (0..64).map(|c| 1u64 << c).filter(|bit| free & bit != 0);
        let wins = if to_move {
            cells.any(|bit| search(edges, all, taken | bit, blocked, false, seen))
        } else {
            cells.all(|bit| search(edges, all, taken, blocked | bit, true, seen))
        };
        seen.insert((taken, blocked), wins);
        wins
    }
    let all = edges.iter().fold(0, |a, e| a | e);
    search(edges, all, 0, 0, to_move, &mut HashMap::new())
}
