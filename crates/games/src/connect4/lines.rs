//! Fours, and the cells that complete them.

use super::{Shape, Word};

/// Whether a set of cells holds four in a line.
#[inline]
#[must_use]
pub fn has_four<S: Shape>(shape: S, cells: S::Word) -> bool {
    fours(shape, cells).any()
}

/// The first cells (leftmost, and lowest in a column) of all fours in a set, whatever their direction.
#[inline]
fn fours<S: Shape>(shape: S, cells: S::Word) -> S::Word {
    let stride = shape.stride();
    let mut found = S::Word::ZERO;
    for step in [1, stride - 1, stride, stride + 1] {
        let pairs = cells & cells >> step;
        found |= pairs & pairs >> (2 * step);
    }
    found
}

/// The cells of every four in a set.
#[must_use]
pub fn four_cells<S: Shape>(shape: S, cells: S::Word) -> S::Word {
    let stride = shape.stride();
    let mut found = S::Word::ZERO;
    for step in [1, stride - 1, stride, stride + 1] {
        let pairs = cells & cells >> step;
        let first = pairs & pairs >> (2 * step);
        let two = first | first << step;
        found |= two | two << (2 * step);
    }
    found
}

/// The cells, free or not, that would complete a four of `stones`; the caller takes those that are free.
#[inline]
#[must_use]
pub fn completing<S: Shape>(shape: S, stones: S::Word) -> S::Word {
    let stride = shape.stride();
    let mut found = stones << 1 & stones << 2 & stones << 3;
    for step in [stride - 1, stride, stride + 1] {
        let right = stones << step & stones << (2 * step);
        found |= right & (stones << (3 * step) | stones >> step);
        let left = stones >> step & stones >> (2 * step);
        found |= left & (stones >> (3 * step) | stones << step);
    }
    found
}

/// How many fours of an empty board go through a cell.
#[must_use]
pub fn through<S: Shape>(shape: S, column: u32, row: u32) -> u32 {
    let (left, right) = (column, shape.width() - 1 - column);
    let (below, above) = (row, shape.height() - 1 - row);
    let ways = [
        (left, right),
        (below, above),
        (left.min(below), right.min(above)),
        (left.min(above), right.min(below)),
    ];
    ways.iter().map(|(back, on)| (back.min(&3) + on.min(&3)).saturating_sub(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect4::{Sized, Standard};

    #[test]
    fn every_four_goes_through_four_cells() {
        assert_eq!([0, 1, 2, 3].map(|c| through(Standard, c, 2)), [5, 8, 11, 13]);
        for (width, height, fours) in [(7, 6, 69), (4, 4, 10), (5, 4, 17)] {
            let shape = Sized::<u64>::new(width, height).expect("it fits");
            let cells = (0..width).flat_map(|c| (0..height).map(move |r| (c, r)));
            assert_eq!(cells.map(|(c, r)| through(shape, c, r)).sum::<u32>(), 4 * fours);
        }
    }
}
