//! A heap of counters. A position is the number that is left, in two bytes.

use ludex_core::Side;

use super::{Move, Position, Rules};
use crate::header::number;

pub(super) struct Heap {
    size: u16,
}

impl Heap {
    pub(super) fn new(rest: &str) -> Option<Self> {
        Some(Self { size: number(rest).filter(|n| (1..=500).contains(n))? as u16 })
    }
}

fn left(p: &Position) -> u16 {
    u16::from_be_bytes([p.cells[0], p.cells[1]])
}

impl Rules for Heap {
    fn read(&self, board: &str, side: Side) -> Option<Position> {
        let left = number(board).filter(|&n| n <= u64::from(self.size))? as u16;
        Some(Position { cells: left.to_be_bytes().to_vec(), side })
    }

    fn write(&self, p: &Position) -> String {
        left(p).to_string()
    }

    fn result(&self, p: &Position) -> Option<Option<Side>> {
        (left(p) == 0).then_some(Some(p.side.other()))
    }

    fn moves(&self, p: &Position) -> Vec<Move> {
        (1..=3).filter(|&taken| taken <= Move::from(left(p))).collect()
    }

    fn play(&self, p: &Position, m: Move) -> Position {
        Position { cells: (left(p) - m as u16).to_be_bytes().to_vec(), side: p.side.other() }
    }

    fn text(&self, _: &Position, m: Move) -> String {
        m.to_string()
    }
}
