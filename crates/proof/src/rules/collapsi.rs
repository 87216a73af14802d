//! Collapsi: cards by cell, then the cells of the two pawns.

use ludex_core::{Side, column_name};

use super::{Move, Position, Rules};

const COLLAPSED: u8 = 0;
const START: u8 = 5;

pub(super) struct Collapsi {
    wild: bool,
    /// Rows and columns.
    size: usize,
}

impl Collapsi {
    pub(super) fn new(rest: &str) -> Option<Self> {
        let words: Vec<&str> = if rest.is_empty() { Vec::new() } else { rest.split(',').collect() };
        let (words, wild) = match words.as_slice() {
            [words @ .., "joker=wild"] => (words, true),
            words => (words, false),
        };
        match words {
            [] => Some(Self { wild, size: 4 }),
            ["3x3"] => Some(Self { wild, size: 3 }),
            [deal] => {
                let size = if deal.split('/').count() == 3 { 3 } else { 4 };
                let game = Self { wild, size };
                game.read(deal, Side::First).map(|_| game)
            }
            _ => None,
        }
    }

    /// The cells at which a walk of the mover can end.
    fn reachable(&self, p: &Position) -> Vec<bool> {
        let cards = &p.cells[..p.cells.len() - 2];
        let n = cards.len().isqrt();
        let (from, other) = (pawn(p, p.side), pawn(p, p.side.other()));
        let most = match cards[from] {
            START if self.wild => 4,
            START => 1,
            card => usize::from(card),
        };
        let least = if cards[from] == START { 1 } else { most };
        let mut ends = vec![false; cards.len()];
        let mut walks = vec![vec![from]];
        for steps in 1..=most {
            let mut longer = Vec::new();
            for walk in walks {
                let (r, c) = (walk[walk.len() - 1] / n, walk[walk.len() - 1] % n);
                for (dr, dc) in [(1, 0), (n - 1, 0), (0, 1), (0, n - 1)] {
                    let next = (r + dr) % n * n + (c + dc) % n;
                    if cards[next] != COLLAPSED && !walk.contains(&next) {
                        ends[next] |= steps >= least && next != other;
                        longer.push([walk.as_slice(), &[next]].concat());
                    }
                }
            }
            walks = longer;
        }
        ends
    }
}

/// Where a side's pawn stands.
fn pawn(p: &Position, side: Side) -> usize {
    usize::from(p.cells[p.cells.len() - 2 + side.index()])
}

impl Rules for Collapsi {
    fn read(&self, board: &str, side: Side) -> Option<Position> {
        let rows: Vec<&str> = board.split('/').collect();
        let n = self.size;
        (rows.len() == n).then_some(())?;
        let (mut cells, mut pawns) = (Vec::new(), [None; 2]);
        for row in rows {
            let before = cells.len();
            for sign in row.chars() {
                let card = match sign {
                    '.' => Some(COLLAPSED),
                    'A' => Some(1),
                    '2' => Some(2),
                    '3' => Some(3),
                    '4' => Some(4),
                    'J' | 'X' | 'O' => Some(START),
                    'x' | 'o' if cells.len() > before => None,
                    _ => return None,
                };
                cells.extend(card);
                if let Some(side) = "XxOo".find(sign).map(|i| i / 2) {
                    let here = cells.len() - 1;
                    if cells[here] == COLLAPSED || pawns.contains(&Some(here)) {
                        return None;
                    }
                    if pawns[side].replace(here).is_some() {
                        return None;
                    }
                }
            }
            (cells.len() == before + n).then_some(())?;
        }
        let [Some(x), Some(o)] = pawns else { return None };
        cells.extend([x as u8, o as u8]);
        Some(Position { cells, side })
    }

    fn write(&self, p: &Position) -> String {
        let cards = &p.cells[..p.cells.len() - 2];
        let n = cards.len().isqrt();
        let mut text = String::new();
        for (cell, &card) in cards.iter().enumerate() {
            if cell > 0 && cell % n == 0 {
                text.push('/');
            }
            text.push([b'.', b'A', b'2', b'3', b'4', b'J'][usize::from(card)].into());
            for (side, sign) in [(Side::First, 'x'), (Side::Second, 'o')] {
                if pawn(p, side) == cell {
                    text.push(sign);
                }
            }
        }
        text
    }

    fn result(&self, p: &Position) -> Option<Option<Side>> {
        let stuck = !self.reachable(p).contains(&true);
        stuck.then_some(Some(p.side.other()))
    }

    fn moves(&self, p: &Position) -> Vec<Move> {
        let ends = self.reachable(p);
        (0..ends.len()).filter(|&cell| ends[cell]).map(|cell| cell as Move).collect()
    }

    fn play(&self, p: &Position, m: Move) -> Position {
        let mut cells = p.cells.clone();
        let pawns = cells.len() - 2;
        cells[pawn(p, p.side)] = COLLAPSED;
        cells[pawns + p.side.index()] = m as u8;
        Position { cells, side: p.side.other() }
    }

    fn text(&self, p: &Position, m: Move) -> String {
        let n = (p.cells.len() - 2).isqrt();
        let name = |cell: usize| format!("{}{}", column_name(cell % n), cell / n + 1);
        format!("{}-{}", name(pawn(p, p.side)), name(m as usize))
    }
}
