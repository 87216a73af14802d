//! The torus the cards lie on, and where a pawn can walk on it.
//!
//! Cells are numbered in reading order, a set of cells is a 16-bit mask:
//!
//! ```text
//!      a  b  c  d            a  b  c
//!  1   0  1  2  3        1   0  1  2
//!  2   4  5  6  7        2   3  4  5
//!  3   8  9 10 11        3   6  7  8
//!  4  12 13 14 15
//! ```
//! Where exactly `s` steps can end depends on nothing but the open cells seen from the pawn. So one table per number
//! of steps, for a pawn on cell 0, answers for all cells: shift the open cells so that the pawn is on cell 0, look up,
//! shift the answer back.

use std::sync::LazyLock;

/// The geometry of a board of 3x3 or 4x4 cards.
#[derive(Debug)]
pub struct Board {
    /// Rows, and columns.
    pub width: usize,
    /// `width` squared.
    pub cells: usize,
    /// By steps − 1, then the other open cells (the mask without its bit 0): the cells where the steps can end,
    /// and above them, from bit 16, their number plus the number of open neighbours. After four steps come any
    /// number of steps from one to four, for a wild start card: all their ends, and the sum of the numbers.
    pub(super) walks: Vec<u32>,
    /// The bits of the first `k` columns.
    columns: [u16; 5],
}

/// Where a pawn can walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walks {
    /// The cells where it can end.
    pub ends: u16,
    /// How many those are, plus how many neighbours of the pawn are open: a measure to order moves by.
    pub ease: u32,
}

static SMALL: LazyLock<Board> = LazyLock::new(|| Board::new(3));
static LARGE: LazyLock<Board> = LazyLock::new(|| Board::new(4));

impl Board {
    /// The board of three or four rows and columns.
    #[must_use]
    pub fn of(width: usize) -> &'static Self {
        if width == 3 { &SMALL } else { &LARGE }
    }

    fn new(width: usize) -> Self {
        let cells = width * width;
        let columns =
            std::array::from_fn(|k| (0..cells).filter(|c| c % width < k).fold(0, |mask, c| mask | 1 << c));
        let mut board = Self { width, cells, walks: Vec::new(), columns };
        let near = board.neighbours(0).iter().fold(0u16, |mask, n| mask | 1 << n);
        for steps in 1..=4 {
            for others in 0..1u32 << (cells - 1) {
                let open = (others << 1) as u16;
                let mut ends = 0;
                board.walk(0, steps, open, &mut ends);
                board.walks.push(u32::from(ends) | (ends.count_ones() + (near & open).count_ones()) << 16);
            }
        }
        for others in 0..1 << (cells - 1) {
            let each = [0, 1, 2, 3].map(|steps| board.walks[board.walks_by(steps + 1) | others]);
            let ends = each.iter().fold(0, |all, one| all | one & 0xFFFF);
            board.walks.push(ends | each.iter().map(|one| one >> 16 << 16).sum::<u32>());
        }
        board
    }

    fn walk(&self, from: usize, steps: usize, open: u16, ends: &mut u16) {
        if steps == 0 {
            *ends |= 1 << from;
            return;
        }
        for next in self.neighbours(from) {
            if open >> next & 1 == 1 {
                self.walk(next, steps - 1, open & !(1 << next), ends);
            }
        }
    }

    /// The cell above, to the left, to the right and below, around the edges.
    #[must_use]
    pub fn neighbours(&self, cell: usize) -> [usize; 4] {
        let (w, row, column) = (self.width, cell / self.width, cell % self.width);
        [
            (row + w - 1) % w * w + column,
            row * w + (column + w - 1) % w,
            row * w + (column + 1) % w,
            (row + 1) % w * w + column,
        ]
    }

    /// All cells.
    #[must_use]
    pub fn all(&self) -> u16 {
        ((1u32 << self.cells) - 1) as u16
    }

    /// The ends of all walks from cell 0 by every card over every set of open cells, for a solver that keeps its sets ready
    /// to be seen from any cell: the ends below, 16 bits, and how easy it is to go on above.
    #[must_use]
    pub fn walk_table(&self) -> &[u32] {
        &self.walks
    }

    /// Where the walks by a card begin in that table.
    #[inline(always)]
    #[must_use]
    pub const fn walks_by(&self, steps: usize) -> usize {
        (steps - 1) << (self.cells - 1)
    }

    /// Where exactly `steps` steps (5: one to four) from a cell can end, through open cells, none visited twice, the
    /// cell itself counting as visited.
    #[inline]
    #[must_use]
    pub fn ends(&self, cell: usize, steps: usize, open: u16) -> u16 {
        self.walks(cell, steps, open).ends
    }

    /// The same, with the ease of moving there.
    #[inline(always)]
    #[must_use]
    pub fn walks(&self, cell: usize, steps: usize, open: u16) -> Walks {
        if self.width != 4 {
            return self.walks_on_3x3(cell, steps, open);
        }
        let (row, column) = (cell as u32 >> 2, cell as u32 & 3);
        let seen = columns_left(u32::from(open.rotate_right(4 * row)), column);
        let found = self.walks[(steps - 1) << 15 | (seen >> 1) as usize];
        let ends = columns_left(found & 0xFFFF, (4 - column) & 3) as u16;
        Walks { ends: ends.rotate_left(4 * row), ease: found >> 16 }
    }

    #[inline(never)]
    fn walks_on_3x3(&self, cell: usize, steps: usize, open: u16) -> Walks {
        let (row, column) = (cell / 3, cell % 3);
        let seen = self.shift(open, 3 - row, 3 - column);
        let found = self.walks[self.walks_by(steps) | usize::from(seen >> 1)];
        Walks { ends: self.shift(found as u16, row, column), ease: found >> 16 }
    }

    /// A set of cells moved down and to the right, around the edges.
    #[must_use]
    pub fn shift(&self, mask: u16, down: usize, right: usize) -> u16 {
        let (w, down, right) = (self.width, down % self.width, right % self.width);
        let mask = u32::from(mask);
        let rows = (mask << (down * w) | mask >> (self.cells - down * w)) & u32::from(self.all());
        let stay = u32::from(self.columns[w - right]);
        ((rows & stay) << right | (rows & !stay) >> (w - right)) as u16
    }

    /// A path of exactly `steps` steps between two cells through open cells, both ends included: the first one when
    /// up is tried before left, left before right, right before down.
    #[must_use]
    pub fn path(&self, from: usize, to: usize, steps: usize, open: u16) -> Option<Vec<usize>> {
        let mut path = vec![from];
        self.extend(&mut path, to, steps, open & !(1 << from)).then_some(path)
    }

    fn extend(&self, path: &mut Vec<usize>, to: usize, steps: usize, open: u16) -> bool {
        let here = path[path.len() - 1];
        if steps == 0 {
            return here == to;
        }
        for next in self.neighbours(here) {
            if open >> next & 1 == 1 {
                path.push(next);
                if self.extend(path, to, steps - 1, open & !(1 << next)) {
                    return true;
                }
                path.pop();
            }
        }
        false
    }

    /// The most steps, up to four, that can be made from a cell through open cells.
    #[must_use]
    pub fn reach(&self, cell: usize, open: u16) -> usize {
        (1..=4).take_while(|&s| self.ends(cell, s, open) != 0).last().unwrap_or(0)
    }

    /// `a1` … `d4`.
    #[must_use]
    pub fn cell_name(&self, cell: usize) -> String {
        format!("{}{}", char::from(b'a' + (cell % self.width) as u8), cell / self.width + 1)
    }

    /// The cell of a name, in upper or lower case.
    #[must_use]
    pub fn cell(&self, name: &str) -> Option<usize> {
        let &[column, row] = name.as_bytes() else { return None };
        let column = usize::from(column.to_ascii_lowercase().checked_sub(b'a')?);
        let row = usize::from(row.checked_sub(b'1')?);
        (column < self.width && row < self.width).then(|| row * self.width + column)
    }
}

/// The four columns of a 4x4 set moved to the left, around the edge.
#[inline(always)]
const fn columns_left(mask: u32, by: u32) -> u32 {
    let stay = 0x1111 * (0xF >> by);
    mask >> by & stay | mask << (4 - by) & !stay & 0xFFFF
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Rng;

    #[test]
    fn tables_know_every_walk() {
        let mut rng = Rng::new(3);
        for width in [3, 4] {
            let board = Board::of(width);
            for _ in 0..4000 {
                let open = rng.next_u64() as u16 & board.all();
                let cell = rng.below(board.cells);
                for steps in 1..=4 {
                    let mut slow = 0;
                    board.walk(cell, steps, open & !(1 << cell), &mut slow);
                    assert_eq!(board.ends(cell, steps, open), slow, "{cell} {steps} {open:x}");
                    for to in 0..board.cells {
                        let path = board.path(cell, to, steps, open);
                        assert_eq!(path.is_some(), slow >> to & 1 == 1);
                        if let Some(path) = path {
                            assert_eq!(path.len(), steps + 1);
                        }
                    }
                }
                let each = [1, 2, 3, 4].map(|steps| board.walks(cell, steps, open));
                let any = board.walks(cell, 5, open);
                assert_eq!(any.ends, each.iter().fold(0, |all, one| all | one.ends));
                assert_eq!(any.ease, each.iter().map(|one| one.ease).sum::<u32>());
            }
        }
    }

    #[test]
    fn names_of_cells() {
        let board = Board::of(4);
        for cell in 0..16 {
            assert_eq!(board.cell(&board.cell_name(cell)), Some(cell));
        }
        assert_eq!(board.cell("C3"), Some(10));
        assert_eq!(
            (board.cell("e1"), board.cell("a5"), board.cell("a0"), board.cell("a")),
            (None, None, None, None)
        );
    }
}
