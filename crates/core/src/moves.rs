//! The list of moves a game hands to a search.

use crate::{Value, sort_by};

/// A reusable list of moves, each with an ordering score (higher is tried first).
#[derive(Clone, Debug)]
pub struct Moves<M> {
    list: Vec<(i32, M)>,
    left_out: Value,
}

impl<M> Default for Moves<M> {
    fn default() -> Self {
        Self { list: Vec::new(), left_out: Value::WORST }
    }
}

impl<M: Copy> Moves<M> {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forget the moves, keep the space.
    #[inline]
    pub fn clear(&mut self) {
        self.list.clear();
        self.left_out = Value::WORST;
    }

    /// Say that a move worth up to this much, and better than the best listed one, may have been left out because it
    /// does not matter to the question asked.
    #[inline]
    pub fn leave_out(&mut self, at_most: Value) {
        self.left_out = self.left_out.max(at_most);
    }

    /// What the moves that were left out may be worth, if more than the best listed one.
    #[inline]
    #[must_use]
    pub fn left_out(&self) -> Value {
        self.left_out
    }

    /// Add a move behind the others.
    #[inline]
    pub fn push(&mut self, m: M) {
        self.list.push((0, m));
    }

    /// Add a move with its ordering score.
    #[inline]
    pub fn push_scored(&mut self, m: M, score: i32) {
        self.list.push((score, m));
    }

    /// Best score first; equal scores keep the order in which they came.
    #[inline]
    pub fn sort(&mut self) {
        sort_by(&mut self.list, |a, b| b.0.cmp(&a.0));
    }

    /// How many there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The `i`-th move.
    #[inline]
    #[must_use]
    pub fn get(&self, i: usize) -> M {
        self.list[i].1
    }

    /// The moves and their scores, for a search that refines the order.
    #[inline]
    pub fn scored_mut(&mut self) -> &mut Vec<(i32, M)> {
        &mut self.list
    }

    /// The moves in order.
    #[inline]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = M> + ExactSizeIterator + '_ {
        self.list.iter().map(|&(_, m)| m)
    }
}
