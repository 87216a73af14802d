//! Which move first: the table's, then the game's own order refined by what has cut off before.
//!
//! Killers (moves that cut off at the same ply) and history (moves that cut off anywhere, weighted by the tree they
//! saved) are hints only: they order moves to which the game gives the same score.

use std::hash::{Hash, Hasher};

use ludex_core::{Moves, sort_by};

use crate::{hash::Mix, table::TAG_BITS};

/// A few bits that mostly tell moves apart, never 0. Two moves may share one: it only orders.
#[inline]
pub(super) fn tag<M: Hash>(m: M) -> u8 {
    let mut hasher = Mix::default();
    m.hash(&mut hasher);
    1 + ((hasher.finish() >> 32) % ((1 << TAG_BITS) - 1)) as u8
}

/// A finer name of a move for the history.
#[inline]
fn name<M: Hash>(m: M) -> usize {
    let mut hasher = Mix::default();
    m.hash(&mut hasher);
    (hasher.finish() >> 40) as usize % HISTORY
}

const HISTORY: usize = 1024;

pub(super) struct Order<M> {
    killers: Vec<[Option<M>; 2]>,
    history: Vec<[u32; HISTORY]>,
    /// Working space: the moves of a node with their ranks.
    ranked: Vec<Ranked<M>>,
}

/// A move with the game's score, and before it that score and its refinement.
type Ranked<M> = ((i32, u32), (i32, M));

impl<M: Copy + Eq + Hash> Order<M> {
    pub(super) fn new() -> Self {
        Self { killers: Vec::new(), history: vec![[0; HISTORY]; 2], ranked: Vec::new() }
    }

    /// Order the moves of a node at a ply; `first` is the tag of the table's move.
    pub(super) fn sort(&mut self, moves: &mut Moves<M>, first: u8, ply: usize) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = self.killers[ply];
        let history = &self.history[ply % 2];
        // By the game's score, then by the refinement; a stable sort, so that equals keep the game's order.
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
        self.ranked.clear();
        self.ranked.extend(list.iter().map(|entry| (rank(entry), *entry)));
        sort_by(&mut self.ranked, |a, b| b.0.cmp(&a.0));
        list.clear();
        list.extend(self.ranked.iter().map(|entry| entry.1));
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
