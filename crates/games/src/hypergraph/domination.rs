//! Cells that need not be played because another one does all they do.
//!
//! **Theorem**: if every live line through `u` (of either side) also goes through the empty cell `v`, taking `v` is at
//! least as good as taking `u`, in outcome and in plies. **Proof**: whoever took `v` plays on as if he had taken `u`
//! instead, with the two cells exchanged in his mind: should his plan ask for `v`, he takes `u`, should the opponent
//! take `u`, he imagines `v`. Then his own stones contain, up to this exchange, those of the imagined game, and each
//! imagined line of his through `u` also has `v`, so both are his by then. A line of the opponent through `u` goes
//! through `v`, which is his, so it is never completed; and a stone on `v` stops all lines that one on `u` stops. So he
//! wins whenever he wins in his mind, no later, and loses no earlier. Cells in no live line are dominated by all others.

use super::Mask;

/// The cells of `candidates` that are worth playing: of every group that do the same, the lowest; none that another
/// one dominates. `rests` is what each side lacks of the lines it can still complete.
#[must_use]
pub fn undominated<M: Mask>(candidates: M, rests: impl Iterator<Item = M>) -> M {
    let mut common = vec![candidates; M::BITS];
    for rest in rests {
        rest.cells().for_each(|cell| common[cell] = common[cell] & rest);
    }
    let mut kept = candidates;
    for u in candidates.cells() {
        let over = common[u].minus(M::bit(u));
        if over.cells().any(|v| v < u || !common[v].has(u)) {
            kept = kept.minus(M::bit(u));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_of_equals_stays() {
        // Cells 0 and 1 lie in the same line only, 2 also in another, 3 in that one, 4 in none.
        assert_eq!(undominated(0b11111u64, [0b0111, 0b1100].into_iter()), 0b00100);
        assert_eq!(undominated(0b10011u64, [0b0011].into_iter()), 0b00001);
        assert_eq!(undominated(0b110u64, std::iter::empty()), 0b010);
    }
}
