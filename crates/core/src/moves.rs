//! The list of moves a game hands to a search.

use crate::{Value, sort_by};

/// From here on a list is long: some boards have a hundred thousand moves.
const MANY: usize = 4096;

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
        if self.list.len() < MANY || !self.sort_by_counting() {
            sort_by(&mut self.list, |a, b| b.0.cmp(&a.0));
        }
    }

    /// Sort a long list by how often each score occurs, which takes a step for each move; not if the scores are spread
    /// too far.
    #[cold]
    fn sort_by_counting(&mut self) -> bool {
        let (low, high) =
            self.list.iter().fold((i32::MAX, i32::MIN), |(low, high), &(s, _)| (low.min(s), high.max(s)));
        let spread = i64::from(high) - i64::from(low);
        if spread >= self.list.len() as i64 {
            return false;
        }
        // Where the moves of each score begin, the best first.
        let place = |score: i32| (i64::from(high) - i64::from(score)) as usize;
        let mut next = vec![0usize; spread as usize + 2];
        self.list.iter().for_each(|&(score, _)| next[place(score) + 1] += 1);
        for i in 1..next.len() {
            next[i] += next[i - 1];
        }
        let mut sorted = self.list.clone();
        for &entry in &self.list {
            let at = &mut next[place(entry.0)];
            sorted[*at] = entry;
            *at += 1;
        }
        self.list = sorted;
        true
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn long_lists_are_sorted_like_short_ones() {
        let mut rng = Rng::new(4);
        for (len, spread) in [(MANY - 1, 30), (MANY, 1), (MANY + 3, 30), (2 * MANY, 5 * MANY)] {
            let mut moves = Moves::new();
            for i in 0..len {
                moves.push_scored(i, rng.below(spread) as i32 - 9);
            }
            let mut expected = moves.scored_mut().clone();
            expected.sort_by_key(|&(score, _)| -score);
            moves.sort();
            assert_eq!(*moves.scored_mut(), expected, "{len} moves");
        }
    }
}
