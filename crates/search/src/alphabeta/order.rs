//! Which move first: the table's, then the game's own order refined by what has cut off before.
//!
//! Killers (moves that cut off at the same ply) and history (moves that cut off anywhere, weighted by the tree they
//! saved) are hints only: they order moves to which the game gives the same score.

use std::hash::{Hash, Hasher};

use ludex_core::Moves;

use crate::table::TAG_BITS;

/// A few bits that mostly tell moves apart, never 0. Two moves may share one: it only orders.
#[inline]
pub(super) fn tag<M: Hash>(m: M) -> u8 {
    let mut hasher = Mix(0);
    m.hash(&mut hasher);
    1 + ((hasher.0 >> 32) % ((1 << TAG_BITS) - 1)) as u8
}

/// A finer name of a move for the history.
#[inline]
fn name<M: Hash>(m: M) -> usize {
    let mut hasher = Mix(0);
    m.hash(&mut hasher);
    (hasher.0 >> 40) as usize % HISTORY
}

const HISTORY: usize = 1024;

/// A multiplicative hash of small things.
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }
    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.write_u64(u64::from(n));
    }
    #[inline]
    fn write_u16(&mut self, n: u16) {
        self.write_u64(u64::from(n));
    }
    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.write_u64(u64::from(n));
    }
    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0 ^ n ^ 0x2545).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
}

pub(super) struct Order<M> {
    killers: Vec<[Option<M>; 2]>,
    history: Vec<[u32; HISTORY]>,
}

impl<M: Copy + Eq + Hash> Order<M> {
    pub(super) fn new() -> Self {
        Self { killers: Vec::new(), history: vec![[0; HISTORY]; 2] }
    }

    /// Order the moves of a node at a ply; `first` is the tag of the table's move.
    pub(super) fn sort(&mut self, moves: &mut Moves<M>, first: u8, ply: usize) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = self.killers[ply];
        let history = &self.history[ply % 2];
        // Insertion sort by (game's score, refinement); stable, and short lists are the rule.
        let list = moves.scored_mut();
        let rank = |&(score, m): &(i32, M)| {
            let own = tag(m);
            if own == first {
                return (i32::MAX, u32::MAX);
            }
            let mut fine = history[name(m)];
            if killers.contains(&Some(m)) {
                fine = fine.saturating_add(1 << 30);
            }
            (score, fine)
        };
        list.sort_by_cached_key(|entry| std::cmp::Reverse(rank(entry)));
    }

    /// A move cut off at a ply after `tried` others.
    pub(super) fn good(&mut self, m: M, ply: usize, tried: usize) {
        if tried == 0 {
            return;
        }
        if let Some(killers) = self.killers.get_mut(ply)
            && killers[0] != Some(m)
        {
            *killers = [Some(m), killers[0]];
        }
        let history = &mut self.history[ply % 2];
        history[name(m)] += 1;
        if history[name(m)] > 1 << 20 {
            history.iter_mut().for_each(|n| *n /= 2);
        }
    }
}
