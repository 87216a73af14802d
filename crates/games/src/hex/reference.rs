//! The rules once more, naive and obviously right.

use ludex_core::{Outcome, Reference, Side};

/// The naive twin of [`Hex`](super::Hex).
#[derive(Clone, Copy, Debug)]
pub struct NaiveHex;

type Grid = Vec<Vec<char>>;

fn connected(grid: &Grid, letter: char) -> bool {
    let (rows, cols) = (grid.len(), grid[0].len());
    let mut reached = vec![vec![false; cols]; rows];
    loop {
        let mut grown = false;
        for r in 0..rows {
            for c in 0..cols {
                let edge = if letter == 'B' { r == 0 } else { c == 0 };
                let beside = [(1, 0), (-1, 0), (0, 1), (0, -1), (-1, 1), (1, -1)].iter().any(|(dr, dc)| {
                    let (r, c) = (r as i32 + dr, c as i32 + dc);
                    r >= 0 && c >= 0 && r < rows as i32 && c < cols as i32 && reached[r as usize][c as usize]
                });
                if grid[r][c] == letter && !reached[r][c] && (edge || beside) {
                    reached[r][c] = true;
                    grown = true;
                }
            }
        }
        if !grown {
            break;
        }
    }
    if letter == 'B' { reached[rows - 1].contains(&true) } else { reached.iter().any(|row| row[cols - 1]) }
}

fn letter(side: Side) -> char {
    if side == Side::First { 'B' } else { 'W' }
}

impl Reference for NaiveHex {
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
        if connected(grid, letter(side.other())) {
            Some(Outcome::Loss)
        } else {
            connected(grid, letter(*side)).then_some(Outcome::Win)
        }
    }

    fn moves(&self, (grid, _): &Self::Position) -> Vec<String> {
        let mut moves = Vec::new();
        for (r, row) in grid.iter().enumerate() {
            for (c, _) in row.iter().enumerate().filter(|(_, x)| **x == '.') {
                moves.push(format!("{}{}", char::from(b'a' + r as u8), c + 1));
            }
        }
        moves
    }

    fn play(&self, (grid, side): &Self::Position, m: &str) -> Self::Position {
        let mut next = grid.clone();
        let column: usize = m[1..].parse().expect("a column");
        next[usize::from(m.as_bytes()[0] - b'a')][column - 1] = letter(*side);
        (next, side.other())
    }
}
