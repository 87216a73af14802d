//! The board: its lines, the order of its cells from the middle, and the test for a finished line.
//!
//! Cells are bits, row by row from the bottom, without gaps, so that 64 bits hold every board of up to 63 cells:
//!
//! ```text
//!   row 3 |  8  9 10 11        a line is k bits at a fixed distance:
//!   row 2 |  4  5  6  7          along a row 1, along a column m,
//!   row 1 |  0  1  2  3          along the diagonals m + 1 and m − 1
//!         +------------
//!            a  b  c  d          (m, n) = (4, 3)
//! ```
//! Shifting a set by the distance `k − 1` times and intersecting leaves the cells from which `k` set bits follow at
//! that distance. Some of these runs wrap around the edge; the cells from which a line fits on the board (`starts`)
//! sort them out, so no gaps between rows are needed.

use ludex_core::column_name;

use crate::hypergraph::{Lines, Mask};

/// A direction of lines: the distance between neighbours, and the cells from which a line fits.
#[derive(Clone, Copy, Debug)]
struct Direction<M> {
    step: u32,
    starts: M,
}

/// A board of `m` columns and `n` rows on which lines have `k` cells.
#[derive(Clone, Debug)]
pub struct Shape<M> {
    /// Columns.
    pub m: usize,
    /// Rows.
    pub n: usize,
    /// Cells of a line.
    pub k: usize,
    lines: Lines<M>,
    directions: Vec<Direction<M>>,
    spiral: Vec<u8>,
    near: Vec<u8>,
}

impl<M: Mask> Shape<M> {
    /// The board of these sizes, which fit the mask.
    pub(super) fn new(m: usize, n: usize, k: usize) -> Self {
        let mut lines = Vec::new();
        let mut directions = Vec::new();
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            let step = (dy * m as i64 + dx) as u32;
            let mut starts = M::EMPTY;
            for cell in 0..m * n {
                let at = |i: i64| ((cell % m) as i64 + i * dx, (cell / m) as i64 + i * dy);
                let (x, y) = at(k as i64 - 1);
                if (0..m as i64).contains(&x) && (0..n as i64).contains(&y) {
                    starts = starts | M::bit(cell);
                    lines.push((0..k).fold(M::EMPTY, |line, i| line | M::bit(cell + i * step as usize)));
                }
            }
            if !starts.is_empty() {
                directions.push(Direction { step, starts });
            }
        }
        let spiral = spiral(m, n);
        let mut near = vec![0; m * n];
        for (i, &cell) in spiral.iter().enumerate() {
            near[usize::from(cell)] = (m * n - i) as u8;
        }
        Self { m, n, k, lines: Lines::new(m * n, lines), directions, spiral, near }
    }

    /// How many cells there are.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.m * self.n
    }

    /// All cells.
    #[must_use]
    pub fn board(&self) -> M {
        M::below(self.cells())
    }

    /// The lines.
    #[must_use]
    pub fn lines(&self) -> &Lines<M> {
        &self.lines
    }

    /// The cells in a spiral from the middle outwards.
    #[must_use]
    pub fn spiral(&self) -> &[u8] {
        &self.spiral
    }

    /// How early a cell comes in the spiral: the greater, the earlier.
    #[must_use]
    pub fn near(&self, cell: usize) -> u8 {
        self.near[cell]
    }

    /// Whether a set of cells contains a line.
    #[inline]
    #[must_use]
    pub fn has_line(&self, set: M) -> bool {
        self.directions.iter().any(|d| {
            let (mut run, mut length) = (set, 1);
            while length < self.k {
                let more = length.min(self.k - length);
                run = run & run >> (more as u32 * d.step);
                length += more;
            }
            run.meets(d.starts)
        })
    }

    /// The name of a cell: its column in letters, its row from the bottom.
    #[must_use]
    pub fn name(&self, cell: usize) -> String {
        format!("{}{}", column_name(cell % self.m), cell / self.m + 1)
    }
}

/// Walk outwards from the middle: right, up, left, down with growing steps, keeping the cells on the board.
fn spiral(m: usize, n: usize) -> Vec<u8> {
    let (mut x, mut y) = ((m as i64 - 1) / 2, (n as i64 - 1) / 2);
    let mut cells = Vec::with_capacity(m * n);
    let mut visit = |x: i64, y: i64| {
        if (0..m as i64).contains(&x) && (0..n as i64).contains(&y) {
            cells.push((y as usize * m + x as usize) as u8);
        }
        cells.len() == m * n
    };
    visit(x, y);
    for leg in 0.. {
        let (dx, dy) = [(1, 0), (0, 1), (-1, 0), (0, -1)][leg % 4];
        for _ in 0..=leg / 2 {
            (x, y) = (x + dx, y + dy);
            if visit(x, y) {
                return cells;
            }
        }
        if leg > 4 * (m + n) {
            break;
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hypergraph::Wide;

    #[test]
    fn shifts_find_what_the_lines_say() {
        fn on<M: Mask>(m: usize, n: usize, k: usize) {
            let shape = Shape::<M>::new(m, n, k);
            let mut rng = ludex_core::Rng::new(3);
            for _ in 0..300 {
                let set = (0..m * n).filter(|_| rng.below(3) > 0).fold(M::EMPTY, |s, c| s | M::bit(c));
                assert_eq!(
                    shape.has_line(set),
                    shape.lines().owned_by(set).is_some(),
                    "{m},{n},{k}: {set:?}"
                );
            }
            let mut order = shape.spiral().to_vec();
            order.sort_unstable();
            assert_eq!(
                order,
                (0..m * n).map(|c| c as u8).collect::<Vec<_>>(),
                "{m},{n}: the spiral misses a cell"
            );
        }
        for (m, n, k) in [
            (1, 1, 1),
            (3, 3, 3),
            (4, 3, 3),
            (3, 4, 3),
            (5, 2, 4),
            (8, 4, 4),
            (7, 9, 5),
            (21, 3, 3),
            (1, 9, 4),
        ] {
            on::<u64>(m, n, k);
            on::<u128>(m, n, k);
            on::<Wide>(m, n, k);
        }
        on::<u128>(8, 8, 5);
        on::<Wide>(16, 8, 5);
        on::<Wide>(15, 15, 5);
        on::<Wide>(200, 1, 3);
    }

    #[test]
    fn numbers_of_lines() {
        let count = |m, n, k| Shape::<u64>::new(m, n, k).lines().all().len();
        assert_eq!(
            [count(3, 3, 3), count(4, 4, 4), count(7, 7, 5), count(3, 3, 4), count(2, 2, 1)],
            [8, 10, 60, 0, 4]
        );
    }
}
