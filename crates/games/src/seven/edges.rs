//! The lines of the board, in two variants.

use std::{fmt, str::FromStr};

use ludex_core::Error;

use super::Cell;
use crate::hypergraph::Mask;

/// Which lines there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum EdgeSet {
    /// The lines of the paper's Figure 2: every seven in a row of the plane tiled by 4xn boards contains one of them.
    #[default]
    Paper,
    /// The lines of an earlier program, kept so that its numbers can be compared: windows of seven in the rows with
    /// shorter prefixes and some suffixes, columns and diagonals, nothing at the sides. They do not cover the plane.
    Harness,
}

impl EdgeSet {
    /// The word in specs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            EdgeSet::Paper => "paper",
            EdgeSet::Harness => "harness",
        }
    }

    /// The lines on a board of so many columns, without repetitions, in the order of [`Cell`] lists.
    #[must_use]
    pub fn lines<M: Mask>(self, columns: usize) -> Vec<M> {
        let mut lines = Lines { columns: columns as isize, masks: Vec::new() };
        match self {
            EdgeSet::Paper => lines.paper(),
            EdgeSet::Harness => lines.harness(),
        }
        lines.both();
        let mut masks = lines.masks;
        masks.sort_by_key(|&line| cells(line).collect::<Vec<_>>());
        masks.dedup();
        masks
    }
}

impl fmt::Display for EdgeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for EdgeSet {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        [EdgeSet::Paper, EdgeSet::Harness].into_iter().find(|e| e.word() == text).ok_or_else(|| {
            Error::spec(format!("there is no edge set '{text}'"), "edges is 'paper' or 'harness'")
        })
    }
}

/// The cells of a set, row by row.
pub fn cells<M: Mask>(set: M) -> impl Iterator<Item = Cell> {
    let columns = (M::BITS / 4) as u8;
    (0..4u8)
        .flat_map(move |r| (0..columns).map(move |c| Cell::at(r, c)))
        .filter(move |cell| set.has(cell.index()))
}

struct Lines<M> {
    columns: isize,
    masks: Vec<M>,
}

impl<M: Mask> Lines<M> {
    fn add(&mut self, line: impl IntoIterator<Item = (isize, isize)>) {
        let cell = |(r, c)| Cell::at(r as u8, c as u8).mask::<M>();
        self.masks.push(line.into_iter().map(cell).fold(M::EMPTY, |a, b| a | b));
    }

    /// Part of a row.
    fn row(&mut self, r: isize, from: isize, length: isize) {
        self.add((from..from + length).map(|c| (r, c)));
    }

    /// What both variants have: the columns and the diagonals of four.
    fn both(&mut self) {
        for c in 0..self.columns {
            self.add((0..4).map(|r| (r, c)));
        }
        for c in 0..=self.columns - 4 {
            self.add((0..4).map(|r| (r, c + r)));
            self.add((0..4).map(|r| (r, c + 3 - r)));
        }
    }

    fn paper(&mut self) {
        let n = self.columns;
        for r in 0..4 {
            self.row(r, 0, 4);
            self.row(r, n - 4, 4);
            for start in 1..=n - 8 {
                self.row(r, start, 7);
            }
        }
        for extra in [vec![(2, 0), (1, 1), (0, 2)], vec![(1, 0), (2, 1), (3, 2)], vec![(1, 0), (0, 1)]] {
            self.add(extra.iter().copied());
            self.add(extra.iter().map(|&(r, c)| (r, n - 1 - c)));
        }
    }

    fn harness(&mut self) {
        let n = self.columns;
        for r in 0..4 {
            for start in 0..=n - 7 {
                self.row(r, start, 7);
            }
            for length in [4, 5, 6] {
                if length <= n {
                    self.row(r, 0, length);
                    if n - length >= 7 || n < 7 {
                        self.row(r, n - length, length);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(set: EdgeSet, n: usize) -> [usize; 8] {
        let mut counts = [0; 8];
        set.lines::<u128>(n).iter().for_each(|line| counts[line.count_ones() as usize] += 1);
        counts
    }

    #[test]
    fn counts_of_the_paper_set() {
        assert_eq!(histogram(EdgeSet::Paper, 4), [0, 0, 2, 4, 10, 0, 0, 0]);
        for n in 5..=31 {
            let x7 = 4 * usize::saturating_sub(n, 8);
            assert_eq!(histogram(EdgeSet::Paper, n), [0, 0, 2, 4, 3 * n + 2, 0, 0, x7], "n = {n}");
        }
    }

    #[test]
    fn counts_of_the_harness_set() {
        assert_eq!(histogram(EdgeSet::Harness, 8), [0, 0, 0, 0, 22, 4, 4, 8]);
    }

    /// A wider set of cells holds the same lines.
    #[test]
    fn both_widths_have_the_same_lines() {
        for n in 4..=15 {
            for set in [EdgeSet::Paper, EdgeSet::Harness] {
                let narrow: Vec<u64> = set.lines(n);
                assert_eq!(
                    narrow.into_iter().map(u128::from).collect::<Vec<_>>(),
                    set.lines::<u128>(n),
                    "n = {n}"
                );
            }
        }
    }

    /// Every seven in a row of the plane contains a line of the tile, wherever and however it runs. The tiles lie in
    /// a grid, so it is enough to start in one of them.
    #[test]
    fn the_paper_set_covers_the_plane() {
        for n in 4..=31_isize {
            let lines: Vec<u128> = EdgeSet::Paper.lines(n as usize);
            for (r, c) in (0..4).flat_map(|r| (0..n).map(move |c| (r, c))) {
                for (dr, dc) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let run: Vec<_> = (0..7).map(|i| (r + i * dr, c + i * dc)).collect();
                    let covered = run.iter().any(|&(r0, c0)| {
                        let tile = (r0.div_euclid(4), c0.div_euclid(n));
                        let part = run
                            .iter()
                            .filter(|(r, c)| (r.div_euclid(4), c.div_euclid(n)) == tile)
                            .map(|(r, c)| {
                                Cell::at(r.rem_euclid(4) as u8, c.rem_euclid(n) as u8).mask::<u128>()
                            })
                            .fold(0, |a, b| a | b);
                        lines.iter().any(|line| line & !part == 0)
                    });
                    assert!(covered, "n = {n}: from ({r},{c}) by ({dr},{dc})");
                }
            }
        }
    }

    /// The other set leaves a row of seven across two tiles uncovered.
    #[test]
    fn the_harness_set_does_not_cover_the_plane() {
        let lines: Vec<u64> = EdgeSet::Harness.lines(8);
        let tail = (4..8).map(|c| Cell::at(0, c).mask::<u64>()).fold(0, |a, b| a | b);
        let head = (0..3).map(|c| Cell::at(0, c).mask::<u64>()).fold(0, |a, b| a | b);
        assert!(lines.iter().all(|line| line & !tail != 0 && line & !head != 0));
    }
}
