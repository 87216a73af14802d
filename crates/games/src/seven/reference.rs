//! The rules once more, naively: lists of coordinates, no masks.

use ludex_core::{Outcome, Reference, Side};

/// The naive twin of [`Seven`](super::Seven).
#[derive(Clone, Debug)]
pub struct NaiveSeven {
    columns: i32,
    lines: Vec<Vec<(i32, i32)>>,
}

impl NaiveSeven {
    /// The rules on so many columns, with the lines of the paper or of the harness.
    #[must_use]
    pub fn new(columns: usize, paper: bool) -> Self {
        let n = columns as i32;
        let mut lines = Vec::new();
        for r in 0..4 {
            // (first column, last column) of parts of the row
            let mut parts = vec![(0, 3)];
            if paper {
                parts.push((n - 4, n - 1));
                parts.extend((1..n - 7).map(|c| (c, c + 6)));
            } else {
                parts.extend([4, 5].map(|last| (0, last)));
                parts.extend((0..n - 6).map(|c| (c, c + 6)));
                parts.extend([4, 5, 6].map(|l| (n - l, n - 1)).into_iter().filter(|&(c, _)| c >= 7 || n < 7));
            }
            parts.retain(|&(from, to)| from >= 0 && to < n);
            lines.extend(parts.iter().map(|&(from, to)| (from..=to).map(|c| (r, c)).collect::<Vec<_>>()));
        }
        for c in 0..n {
            lines.push((0..4).map(|r| (r, c)).collect());
            if c + 3 < n {
                lines.push((0..4).map(|i| (i, c + i)).collect());
                lines.push((0..4).map(|i| (3 - i, c + i)).collect());
            }
        }
        if paper {
            for corner in [vec![(2, 0), (1, 1), (0, 2)], vec![(1, 0), (2, 1), (3, 2)], vec![(1, 0), (0, 1)]] {
                lines.push(corner.iter().map(|&(r, c)| (r, n - 1 - c)).collect());
                lines.push(corner);
            }
        }
        Self { columns: n, lines }
    }
}

impl Reference for NaiveSeven {
    type Position = (Vec<Vec<char>>, Side);

    fn read(&self, board: &str, side: Side) -> Self::Position {
        (board.split('/').map(|row| row.chars().collect()).collect(), side)
    }

    fn write(&self, (rows, _): &Self::Position) -> String {
        rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/")
    }

    fn side(&self, (_, side): &Self::Position) -> Side {
        *side
    }

    fn outcome(&self, (rows, side): &Self::Position) -> Option<Outcome> {
        let at = |&(r, c): &(i32, i32)| rows[r as usize][c as usize];
        let maker = self.lines.iter().any(|line| line.iter().all(|cell| at(cell) == 'M'));
        let breaker = self.lines.iter().all(|line| line.iter().any(|cell| at(cell) == 'B'));
        match (maker, breaker, side) {
            (false, false, _) => None,
            (true, _, Side::First) | (_, true, Side::Second) => Some(Outcome::Win),
            _ => Some(Outcome::Loss),
        }
    }

    fn moves(&self, (rows, _): &Self::Position) -> Vec<String> {
        let cells = (0..4).flat_map(|r| (0..self.columns as usize).map(move |c| (r, c)));
        cells.filter(|&(r, c)| rows[r][c] == '.').map(|(r, c)| format!("{r},{c}")).collect()
    }

    fn play(&self, (rows, side): &Self::Position, m: &str) -> Self::Position {
        let (r, c) = m.split_once(',').expect("row,column");
        let mut rows = rows.clone();
        rows[r.parse::<usize>().expect("a row")][c.parse::<usize>().expect("a column")] =
            if *side == Side::First { 'M' } else { 'B' };
        (rows, side.other())
    }
}
