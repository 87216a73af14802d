//! The symmetries of a board, found from its lines: a mirror image counts only if it maps every line to a line.

use super::Line;

/// A map of the board onto itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Nothing moves.
    Identity,
    /// Left and right change places.
    Mirror,
    /// Top and bottom change places.
    Flip,
    /// Both.
    Turn,
}

impl Symmetry {
    /// The symmetries of a set of lines, the identity first.
    pub fn of(columns: usize, lines: &[Line]) -> Vec<Self> {
        let keeps = |s: &Symmetry| lines.iter().all(|&line| lines.contains(&s.image(line, columns)));
        [Self::Identity, Self::Mirror, Self::Flip, Self::Turn].into_iter().filter(keeps).collect()
    }

    /// The image of a set of cells.
    #[inline]
    pub fn image(self, set: u64, columns: usize) -> u64 {
        match self {
            Self::Identity => set,
            // Reversing all bits turns the board by half; a column is a group of four bits.
            Self::Turn => set.reverse_bits() >> (64 - 4 * columns),
            Self::Flip => upside_down(set),
            Self::Mirror => upside_down(set.reverse_bits() >> (64 - 4 * columns)),
        }
    }
}

/// Reverse the bits of every group of four.
fn upside_down(set: u64) -> u64 {
    const LOW: u64 = 0x5555_5555_5555_5555;
    const PAIRS: u64 = 0x3333_3333_3333_3333;
    let swapped = (set & LOW) << 1 | set >> 1 & LOW;
    (swapped & PAIRS) << 2 | swapped >> 2 & PAIRS
}

#[cfg(test)]
mod tests {
    use super::{Symmetry::*, *};
    use crate::seven::{Cell, EdgeSet};

    #[test]
    fn images_of_cells() {
        for n in 4..=15_u8 {
            for (r, c) in (0..4).flat_map(|r| (0..n).map(move |c| (r, c))) {
                let cell = Cell::at(r, c).mask();
                assert_eq!(Mirror.image(cell, n.into()), Cell::at(r, n - 1 - c).mask());
                assert_eq!(Flip.image(cell, n.into()), Cell::at(3 - r, c).mask());
                assert_eq!(Turn.image(cell, n.into()), Cell::at(3 - r, n - 1 - c).mask());
            }
        }
    }

    #[test]
    fn one_set_has_the_mirror_the_other_the_flip() {
        for n in 4..=15 {
            assert_eq!(Symmetry::of(n, &EdgeSet::Paper.lines(n)), [Identity, Mirror], "n = {n}");
            let harness = Symmetry::of(n, &EdgeSet::Harness.lines(n));
            if (7..=12).contains(&n) {
                assert_eq!(harness, [Identity, Flip], "n = {n}");
            } else {
                assert_eq!(harness, [Identity, Mirror, Flip, Turn], "n = {n}");
            }
        }
    }
}
