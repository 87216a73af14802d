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
