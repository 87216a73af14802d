//! The fast rules.

use ludex_core::{Bounds, Game, Moves, Outcome, Side, Window};

/// The game of a heap of `size` counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heap {
    /// How many counters there are at the start.
    pub size: u32,
}

/// A position: how many are left, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pile {
    /// Counters left.
    pub left: u32,
    /// Who takes next.
    pub side: Side,
}

/// A move: how many counters to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Take(pub u8);

impl Game for Heap {
    type Position = Pile;
    type Move = Take;
    type Key = u64;

    fn root(&self) -> Option<Pile> {
        Some(Pile { left: self.size, side: Side::First })
    }

    fn side(&self, p: &Pile) -> Side {
        p.side
    }

    fn outcome(&self, p: &Pile) -> Option<Outcome> {
        (p.left == 0).then_some(Outcome::Loss)
    }

    fn each_move(&self, p: &Pile, f: impl FnMut(Take)) {
        (1..=p.left.min(3)).map(|n| Take(n as u8)).for_each(f);
    }

    fn play(&self, p: &Pile, m: Take) -> Pile {
        Pile { left: p.left - u32::from(m.0), side: p.side.other() }
    }

    fn rank(&self, p: &Pile) -> u32 {
        self.size - p.left
    }

    fn max_plies(&self, p: &Pile) -> u32 {
        p.left
    }

    fn key(&self, p: &Pile) -> u64 {
        u64::from(p.left) << 1 | p.side.index() as u64
    }

    fn key_bits(&self) -> u32 {
        10
    }

    fn look(&self, p: &Pile, window: Window, moves: &mut Moves<Take>) -> Bounds {
        self.hints(p, window, moves)
    }
}
