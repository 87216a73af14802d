//! The symmetries of a board, found from its lines: a mirror image counts only if it maps every line to a line.

use super::TileMask;

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
    pub fn of<M: TileMask>(columns: usize, lines: &[M]) -> Vec<Self> {
        let keeps = |s: &Symmetry| lines.iter().all(|&line| lines.contains(&s.image(line, columns)));
        [Self::Identity, Self::Mirror, Self::Flip, Self::Turn].into_iter().filter(keeps).collect()
    }

    /// The image of a set of cells.
    #[inline]
    pub fn image<M: TileMask>(self, set: M, columns: usize) -> M {
        match self {
            Self::Identity => set,
            Self::Turn => set.half_turned(columns),
            Self::Flip => set.upside_down(),
            Self::Mirror => set.half_turned(columns).upside_down(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Symmetry::*, *};
    use crate::seven::{Cell, EdgeSet};

    #[test]
    fn images_of_cells() {
        for n in 4..=31_u8 {
            for (r, c) in (0..4).flat_map(|r| (0..n).map(move |c| (r, c))) {
                let cell: u128 = Cell::at(r, c).mask();
                assert_eq!(Mirror.image(cell, n.into()), Cell::at(r, n - 1 - c).mask());
                assert_eq!(Flip.image(cell, n.into()), Cell::at(3 - r, c).mask());
                assert_eq!(Turn.image(cell, n.into()), Cell::at(3 - r, n - 1 - c).mask());
            }
        }
    }

    #[test]
    fn images_are_the_same_in_both_widths() {
        let mut rng = ludex_core::Rng::new(2);
        for n in 4..=15 {
            let set = rng.next_u64() >> (64 - 4 * n);
            for symmetry in [Identity, Mirror, Flip, Turn] {
                assert_eq!(u128::from(symmetry.image(set, n)), symmetry.image(u128::from(set), n));
            }
        }
    }

    #[test]
    fn one_set_has_the_mirror_the_other_the_flip() {
        for n in 4..=31 {
            assert_eq!(Symmetry::of(n, &EdgeSet::Paper.lines::<u128>(n)), [Identity, Mirror], "n = {n}");
            let harness = Symmetry::of(n, &EdgeSet::Harness.lines::<u128>(n));
            if (7..=12).contains(&n) {
                assert_eq!(harness, [Identity, Flip], "n = {n}");
            } else {
                assert_eq!(harness, [Identity, Mirror, Flip, Turn], "n = {n}");
            }
        }
    }
}
