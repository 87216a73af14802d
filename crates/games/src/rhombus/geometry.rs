//! Neighbours, floods, connections and names of cells.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use ludex_core::{Error, Side};

use crate::CellSet;

/// The longest side of a board.
pub const WIDEST: usize = 19;

/// Up to this many cells the connections of all sets are tabulated.
const TABULATED: usize = 16;

/// A board of `rows` by `cols` hexagons.
#[derive(Clone)]
pub struct Rhombus<const N: usize> {
    /// Rows, lettered from `a`.
    pub rows: usize,
    /// Columns, numbered from 1.
    pub cols: usize,
    all: CellSet<N>,
    not_first: CellSet<N>,
    not_last: CellSet<N>,
    /// The edges that each side connects.
    edges: [[CellSet<N>; 2]; 2],
    tables: Option<Arc<[Vec<u64>; 2]>>,
}

impl<const N: usize> std::fmt::Debug for Rhombus<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

impl<const N: usize> Rhombus<N> {
    /// The board of a size, 2x2 to 19x19, that fits into `N` words.
    #[must_use]
    pub fn new(rows: usize, cols: usize) -> Self {
        assert!((2..=WIDEST).contains(&rows) && (2..=WIDEST).contains(&cols) && rows * cols <= 64 * N);
        let n = rows * cols;
        let pick = |f: &dyn Fn(usize, usize) -> bool| {
            (0..n).filter(|i| f(i / cols, i % cols)).collect::<CellSet<N>>()
        };
        let mut board = Self {
            rows,
            cols,
            all: CellSet::below(n),
            not_first: pick(&|_, c| c > 0),
            not_last: pick(&|_, c| c + 1 < cols),
            edges: [
                [pick(&|r, _| r == 0), pick(&|r, _| r + 1 == rows)],
                [pick(&|_, c| c == 0), pick(&|_, c| c + 1 == cols)],
            ],
            tables: None,
        };
        if n <= TABULATED {
            board.tables = Some(board.tabulate());
        }
        board
    }

    /// For each side, one bit for each of the 2^n sets of stones: whether it connects. Shared by all boards of a size.
    fn tabulate(&self) -> Arc<[Vec<u64>; 2]> {
        type Tables = BTreeMap<(usize, usize), Arc<[Vec<u64>; 2]>>;
        static MADE: Mutex<Tables> = Mutex::new(BTreeMap::new());
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        let table = made.entry((self.rows, self.cols)).or_insert_with(|| {
            let sets = 1usize << self.len();
            Arc::new([Side::First, Side::Second].map(|side| {
                let mut bits = vec![0u64; sets.div_ceil(64)];
                for set in 0..sets {
                    let mut stones = CellSet::<N>::EMPTY;
                    for i in (0..self.len()).filter(|i| set >> i & 1 == 1) {
                        stones = stones | CellSet::one(i);
                    }
                    bits[set / 64] |= u64::from(self.floods_across(stones, side)) << (set % 64);
                }
                bits
            }))
        });
        Arc::clone(table)
    }

    /// The number of cells.
    #[inline]
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(&self) -> usize {
        self.rows * self.cols
    }

    /// All cells.
    #[inline]
    #[must_use]
    pub const fn all(&self) -> CellSet<N> {
        self.all
    }

    /// The two edges that a side connects.
    #[inline]
    #[must_use]
    pub const fn edges(&self, side: Side) -> [CellSet<N>; 2] {
        self.edges[side.index()]
    }

    /// All neighbours of a set of cells.
    #[inline]
    #[must_use]
    pub fn around(&self, x: CellSet<N>) -> CellSet<N> {
        let (left, right) = (x & self.not_first, x & self.not_last);
        let c = self.cols;
        (x.up(c) | x.down(c) | right.up(1) | left.down(1) | left.up(c - 1) | right.down(c - 1)) & self.all
    }

    /// The cells of `within` that hang together with those of `seed` in it.
    #[inline]
    #[must_use]
    pub fn flood(&self, seed: CellSet<N>, within: CellSet<N>) -> CellSet<N> {
        let mut reached = seed & within;
        loop {
            let next = reached | (self.around(reached) & within);
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// Whether stones connect the edges of a side, by a flood.
    #[must_use]
    pub fn floods_across(&self, stones: CellSet<N>, side: Side) -> bool {
        let [from, to] = self.edges[side.index()];
        !(self.flood(from, stones) & to).is_empty()
    }

    /// Whether stones connect the edges of a side.
    #[inline]
    #[must_use]
    pub fn connects(&self, stones: CellSet<N>, side: Side) -> bool {
        match &self.tables {
            Some(tables) => {
                let set = stones.words()[0] as usize;
                tables[side.index()][set / 64] >> (set % 64) & 1 == 1
            }
            None => {
                let least = if side == Side::First { self.rows } else { self.cols };
                stones.len() >= least && self.floods_across(stones, side)
            }
        }
    }

    /// A shortest chain of stones between the edges of a side, if there is one, in order.
    #[must_use]
    pub fn chain(&self, stones: CellSet<N>, side: Side) -> Option<Vec<usize>> {
        let [from, to] = self.edges[side.index()];
        let mut layers = vec![from & stones];
        let mut seen = layers[0];
        while (layers[layers.len() - 1] & to).is_empty() {
            let next = (self.around(layers[layers.len() - 1]) & stones).without(seen);
            if next.is_empty() {
                return None;
            }
            seen = seen | next;
            layers.push(next);
        }
        let mut cell = (layers.pop()? & to).iter().next()?;
        let mut chain = vec![cell];
        while let Some(layer) = layers.pop() {
            cell = (layer & self.around(CellSet::one(cell))).iter().next()?;
            chain.push(cell);
        }
        chain.reverse();
        Some(chain)
    }

    /// The same cells after the half turn, the board's only symmetry that keeps the sides apart.
    #[inline]
    #[must_use]
    pub fn turned(&self, x: CellSet<N>) -> CellSet<N> {
        x.reversed(self.len())
    }

    /// The cell reflected in the long diagonal, which swaps the sides' edges; only on square boards.
    #[inline]
    #[must_use]
    pub const fn reflected(&self, cell: usize) -> usize {
        cell % self.cols * self.cols + cell / self.cols
    }

    /// Twice the steps from the middle of the board to a cell.
    #[must_use]
    pub fn off_centre(&self, cell: usize) -> usize {
        let down = 2 * (cell / self.cols) as i32 + 1 - self.rows as i32;
        let right = 2 * (cell % self.cols) as i32 + 1 - self.cols as i32;
        // A step goes along a row, along a column, or down one and back the other.
        [down, right, down + right].map(i32::unsigned_abs).into_iter().max().unwrap_or(0) as usize
    }

    /// The name of a cell: the letter of its row, then its column from 1.
    #[must_use]
    pub fn name(&self, cell: usize) -> String {
        format!("{}{}", char::from(b'a' + (cell / self.cols) as u8), cell % self.cols + 1)
    }

    /// The cell of a name.
    ///
    /// # Errors
    /// If it is no cell, or off the board.
    pub fn cell(&self, name: &str) -> Result<usize, Error> {
        let hint = || format!("the cells are a1 to {}", self.name(self.len() - 1));
        let bad = || Error::bad_move(format!("'{name}' is not a cell"), hint());
        let letter = name.chars().next().filter(char::is_ascii_alphabetic).ok_or_else(bad)?;
        let digits = &name[1..];
        let column: usize = match digits.bytes().all(|b| b.is_ascii_digit()) {
            true => digits.parse().map_err(|_| bad())?,
            false => return Err(bad()),
        };
        let row = (letter.to_ascii_lowercase() as u8 - b'a') as usize;
        if row >= self.rows || column == 0 || column > self.cols {
            return Err(Error::bad_move(format!("{name} is off the board"), hint()));
        }
        Ok(row * self.cols + column - 1)
    }

    /// Read rows of one letter per cell joined by `/`, and call `f` with each cell and its letter in lower case.
    ///
    /// # Errors
    /// If the rows have the wrong number or length, or `f` refuses a letter.
    pub fn read(&self, board: &str, mut f: impl FnMut(usize, char) -> bool) -> Result<(), Error> {
        let size = format!("{} rows of {} cells joined by '/'", self.rows, self.cols);
        let rows: Vec<&str> = board.trim().split('/').collect();
        if rows.len() != self.rows {
            return Err(Error::position(format!("'{board}' has {} rows", rows.len()), size));
        }
        for (r, row) in rows.iter().enumerate() {
            if row.chars().count() != self.cols {
                let message = format!("row {} ('{row}') has {} cells", r + 1, row.chars().count());
                return Err(Error::position(message, size));
            }
            for (c, letter) in row.chars().enumerate() {
                if !f(r * self.cols + c, letter.to_ascii_lowercase()) {
                    return Err(Error::position(
                        format!("'{letter}' on {} is no stone", self.name(r * self.cols + c)),
                        "a cell is . (empty), B, W or, in Nex, ? (neutral)",
                    ));
                }
            }
        }
        Ok(())
    }

    /// Write rows of one letter per cell joined by `/`.
    #[must_use]
    pub fn write(&self, letter: impl Fn(usize) -> char) -> String {
        let rows: Vec<String> =
            (0..self.rows).map(|r| (0..self.cols).map(|c| letter(r * self.cols + c)).collect()).collect();
        rows.join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Rng;

    fn touch(cols: usize, a: usize, b: usize) -> bool {
        let (dr, dc) = ((b / cols) as i32 - (a / cols) as i32, (b % cols) as i32 - (a % cols) as i32);
        matches!((dr, dc), (0, 1 | -1) | (1 | -1, 0) | (-1, 1) | (1, -1))
    }

    #[test]
    fn neighbours_by_shifting_are_neighbours_by_coordinates() {
        for (rows, cols) in [(2, 2), (2, 7), (5, 3), (13, 13), (19, 19), (4, 16)] {
            let board = Rhombus::<6>::new(rows, cols);
            for a in 0..board.len() {
                let naive: CellSet<6> = (0..board.len()).filter(|&b| touch(cols, a, b)).collect();
                assert_eq!(board.around(CellSet::one(a)), naive, "{} on {board:?}", board.name(a));
            }
        }
    }

    #[test]
    fn a_full_board_connects_exactly_one_side() {
        let mut rng = Rng::new(5);
        for (rows, cols) in [(2, 2), (3, 4), (4, 4), (5, 5), (13, 13)] {
            let board = Rhombus::<3>::new(rows, cols);
            for _ in 0..200 {
                let black: CellSet<3> = (0..board.len()).filter(|_| rng.below(2) == 0).collect();
                let white = board.all().without(black);
                assert_ne!(board.connects(black, Side::First), board.connects(white, Side::Second));
                assert_eq!(board.connects(black, Side::First), board.floods_across(black, Side::First));
                assert_eq!(
                    board.connects(board.turned(black), Side::First),
                    board.connects(black, Side::First)
                );
                let chain = board.chain(black, Side::First);
                assert_eq!(chain.is_some(), board.connects(black, Side::First));
                if let Some(chain) = chain {
                    assert!(chain.iter().all(|&c| black.has(c)));
                    assert!(chain.windows(2).all(|w| touch(cols, w[0], w[1])));
                    assert!(chain[0] < cols && chain[chain.len() - 1] >= board.len() - cols);
                }
            }
        }
    }

    #[test]
    fn the_tables_are_the_flood() {
        let board = Rhombus::<1>::new(3, 4);
        for set in 0..1u64 << 12 {
            let stones: CellSet<1> = (0..12).filter(|i| set >> i & 1 == 1).collect();
            for side in [Side::First, Side::Second] {
                assert_eq!(board.connects(stones, side), board.floods_across(stones, side));
            }
        }
    }
}
