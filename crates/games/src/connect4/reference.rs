//! The rules once more, naively: a grid of letters.

use ludex_core::{Outcome, Reference, Side};

/// The naive twin of [`Connect4`](super::Connect4).
#[derive(Clone, Copy, Debug)]
pub struct NaiveConnect4;

/// Rows from the top, each a row of `.`, `x` (first) and `o` (second).
pub type Grid = Vec<Vec<char>>;

impl Reference for NaiveConnect4 {
    type Position = (Grid, Side);

    fn read(&self, board: &str, side: Side) -> Self::Position {
        (board.split('/').map(|row| row.chars().collect()).collect(), side)
    }

    fn write(&self, (grid, _): &Self::Position) -> String {
        let rows: Vec<String> = grid.iter().map(|row| row.iter().collect()).collect();
        rows.join("/")
    }

    fn side(&self, (_, side): &Self::Position) -> Side {
        *side
    }

    fn outcome(&self, (grid, side): &Self::Position) -> Option<Outcome> {
        for (letter, owner) in [('x', Side::First), ('o', Side::Second)] {
            if has_four(grid, letter) {
                return Some(if owner == *side { Outcome::Win } else { Outcome::Loss });
            }
        }
        let full = grid.iter().all(|row| row.iter().all(|&cell| cell != '.'));
        full.then_some(Outcome::Draw)
    }

    fn moves(&self, (grid, _): &Self::Position) -> Vec<String> {
        let top = &grid[0];
        (0..top.len()).filter(|&c| top[c] == '.').map(column_name).collect()
    }

    fn play(&self, (grid, side): &Self::Position, m: &str) -> Self::Position {
        let mut grid = grid.clone();
        let column = (0..grid[0].len()).find(|&c| column_name(c) == m).expect("a column");
        let row = (0..grid.len()).rev().find(|&r| grid[r][column] == '.').expect("room");
        grid[row][column] = if *side == Side::First { 'x' } else { 'o' };
        (grid, side.other())
    }
}

fn column_name(c: usize) -> String {
    "123456789abcdefghijklmnopqrstuvwxyz".chars().nth(c).expect("a column that has a name").to_string()
}

fn has_four(grid: &Grid, letter: char) -> bool {
    let at = |r: i32, c: i32| {
        usize::try_from(r).ok().and_then(|r| grid.get(r)).and_then(|row| row.get(usize::try_from(c).ok()?))
            == Some(&letter)
    };
    let (height, width) = (grid.len() as i32, grid[0].len() as i32);
    (0..height).any(|r| {
        (0..width).any(|c| {
            [(0, 1), (1, 0), (1, 1), (1, -1)]
                .iter()
                .any(|(dr, dc)| (0..4).all(|i| at(r + i * dr, c + i * dc)))
        })
    })
}
