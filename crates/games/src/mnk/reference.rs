//! The rules once more, naively: a grid of characters, and lines found by walking.

use ludex_core::{Outcome, Reference, Side};

use super::Rule;

/// The naive twin of [`Mnk`](super::Mnk).
#[derive(Clone, Copy, Debug)]
pub struct NaiveMnk {
    pub(super) m: usize,
    pub(super) n: usize,
    pub(super) k: usize,
    pub(super) rule: Rule,
}

/// `grid[y][x]` with row 0 at the bottom, and who is to move.
type Grid = (Vec<Vec<char>>, Side);

impl NaiveMnk {
    /// Whether somewhere `k` cells in a row, column or diagonal all satisfy `good`.
    fn line(&self, grid: &[Vec<char>], good: impl Fn(char) -> bool) -> bool {
        let at = |x: i32, y: i32| -> bool {
            x >= 0 && y >= 0 && x < self.m as i32 && y < self.n as i32 && good(grid[y as usize][x as usize])
        };
        for y in 0..self.n as i32 {
            for x in 0..self.m as i32 {
                for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    if (0..self.k as i32).all(|i| at(x + i * dx, y + i * dy)) {
                        return true;
                    }
                }
            }
        }
        false
    }
}

impl Reference for NaiveMnk {
    type Position = Grid;

    fn read(&self, board: &str, side: Side) -> Grid {
        (board.split('/').rev().map(|row| row.chars().collect()).collect(), side)
    }

    fn write(&self, (grid, _): &Grid) -> String {
        let rows: Vec<String> = grid.iter().rev().map(|row| row.iter().collect()).collect();
        rows.join("/")
    }

    fn side(&self, (_, side): &Grid) -> Side {
        *side
    }

    fn outcome(&self, (grid, side): &Grid) -> Option<Outcome> {
        let (mine, theirs) = if *side == Side::First { ('x', 'o') } else { ('o', 'x') };
        let full = grid.iter().flatten().all(|&c| c != '.');
        match self.rule {
            Rule::Strong | Rule::Misere => {
                let completed = if self.rule == Rule::Strong { Outcome::Loss } else { Outcome::Win };
                assert!(!self.line(grid, |c| c == mine), "only the last move can complete a line");
                if self.line(grid, |c| c == theirs) { Some(completed) } else { full.then_some(Outcome::Draw) }
            }
            Rule::Weak => {
                let maker = |outcome: Outcome| if *side == Side::First { outcome } else { outcome.flipped() };
                if self.line(grid, |c| c == 'x') {
                    Some(maker(Outcome::Win))
                } else {
                    (!self.line(grid, |c| c != 'o')).then(|| maker(Outcome::Loss))
                }
            }
        }
    }

    fn moves(&self, (grid, _): &Grid) -> Vec<String> {
        let mut moves = Vec::new();
        for (y, row) in grid.iter().enumerate() {
            for (x, _) in row.iter().enumerate().filter(|(_, c)| **c == '.') {
                moves.push(format!("{}{}", ludex_core::column_name(x), y + 1));
            }
        }
        moves
    }

    fn play(&self, (grid, side): &Grid, m: &str) -> Grid {
        let mut grid = grid.clone();
        for (y, row) in grid.iter_mut().enumerate() {
            for (x, c) in row.iter_mut().enumerate() {
                if m == format!("{}{}", ludex_core::column_name(x), y + 1) {
                    *c = if *side == Side::First { 'x' } else { 'o' };
                }
            }
        }
        (grid, side.other())
    }
}
