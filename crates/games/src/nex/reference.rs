//! The rules once more, naive and obviously right: letters on a grid, moves as texts.

use std::collections::HashSet;

use ludex_core::{Outcome, Reference, Side};

use super::Rules;

/// The naive twin of [`Nex`](super::Nex).
#[derive(Clone, Copy, Debug)]
pub struct NaiveNex {
    /// How it ends when nothing else is possible.
    pub rules: Rules,
    /// Whether the second player may take over the first move.
    pub swap: bool,
}

type Grid = Vec<Vec<char>>;

impl NaiveNex {
    fn cells(grid: &Grid, letter: char) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for (r, row) in grid.iter().enumerate() {
            for (c, &x) in row.iter().enumerate() {
                if x == letter {
                    found.push((r, c));
                }
            }
        }
        found
    }

    fn connected(grid: &Grid, letter: char) -> bool {
        let (rows, cols) = (grid.len() as i32, grid[0].len() as i32);
        let mine = |r: i32, c: i32| {
            r >= 0 && c >= 0 && r < rows && c < cols && grid[r as usize][c as usize] == letter
        };
        let mut open: Vec<(i32, i32)> = if letter == 'B' {
            (0..cols).map(|c| (0, c)).filter(|&(r, c)| mine(r, c)).collect()
        } else {
            (0..rows).map(|r| (r, 0)).filter(|&(r, c)| mine(r, c)).collect()
        };
        let mut seen: HashSet<(i32, i32)> = open.iter().copied().collect();
        while let Some((r, c)) = open.pop() {
            if if letter == 'B' { r == rows - 1 } else { c == cols - 1 } {
                return true;
            }
            for (dr, dc) in [(1, 0), (-1, 0), (0, 1), (0, -1), (-1, 1), (1, -1)] {
                if mine(r + dr, c + dc) && seen.insert((r + dr, c + dc)) {
                    open.push((r + dr, c + dc));
                }
            }
        }
        false
    }
}

fn name((r, c): (usize, usize)) -> String {
    format!("{}{}", char::from(b'a' + r as u8), c + 1)
}

fn letter(side: Side) -> char {
    if side == Side::First { 'B' } else { 'W' }
}

impl Reference for NaiveNex {
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

    fn outcome(&self, p: &Self::Position) -> Option<Outcome> {
        let (grid, side) = p;
        if Self::connected(grid, letter(side.other())) {
            Some(Outcome::Loss)
        } else if Self::connected(grid, letter(*side)) {
            Some(Outcome::Win)
        } else if self.moves(p).is_empty() {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    fn moves(&self, (grid, side): &Self::Position) -> Vec<String> {
        let own = letter(*side);
        let (empties, neutrals, owns) =
            (Self::cells(grid, '.'), Self::cells(grid, '?'), Self::cells(grid, own));
        let mut moves = Vec::new();
        for &a in &empties {
            for &b in empties.iter().filter(|&&b| b != a) {
                moves.push(format!("{own}{}?{}", name(a), name(b)));
            }
        }
        for &a in &neutrals {
            for &b in neutrals.iter().filter(|&&b| b > a) {
                for &c in &owns {
                    moves.push(format!("{own}{}{own}{}?{}", name(a), name(b), name(c)));
                }
            }
        }
        if moves.is_empty() && self.rules == Rules::Official {
            let last = if empties.is_empty() { &neutrals } else { &empties };
            moves.extend(last.iter().map(|&a| format!("{own}{}", name(a))));
        }
        let whites = Self::cells(grid, 'W').len();
        let blacks = Self::cells(grid, 'B').len();
        if self.swap && *side == Side::Second && (blacks, whites, neutrals.len()) == (1, 0, 1) {
            moves.push("swap".into());
        }
        moves
    }

    fn play(&self, (grid, side): &Self::Position, m: &str) -> Self::Position {
        let mut next = grid.clone();
        if m == "swap" {
            for (r, row) in grid.iter().enumerate() {
                for (c, &x) in row.iter().enumerate() {
                    next[c][r] = match x {
                        'B' => 'W',
                        'W' => 'B',
                        other => other,
                    };
                }
            }
            return (next, side.other());
        }
        let starts: Vec<usize> =
            m.char_indices().filter(|(_, x)| "BW?".contains(*x)).map(|(i, _)| i).collect();
        for (i, &start) in starts.iter().enumerate() {
            let part = &m[start..starts.get(i + 1).copied().unwrap_or(m.len())];
            let row = usize::from(part.as_bytes()[1] - b'a');
            let column: usize = part[2..].parse().expect("a column");
            next[row][column - 1] = part.chars().next().expect("a stone");
        }
        (next, side.other())
    }
}
