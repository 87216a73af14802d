//! Things by the rank of positions, the lowest first: what is open while positions are listed in the order of their ranks.
//!
//! One map from numbers to numbers serves all games, so that none of them brings a map of its own types.

use std::{collections::BTreeMap, mem};

/// A list of things, one for each rank.
///
/// ```
/// let mut open = ludex_core::ByRank::<Vec<char>>::default();
/// open.at(2).push('c');
/// open.at(1).extend(['a', 'b']);
/// assert_eq!(open.pop_first(), Some((1, vec!['a', 'b'])));
/// assert_eq!(open.pop_first(), Some((2, vec!['c'])));
/// assert_eq!(open.pop_first(), None);
/// ```
#[derive(Clone, Debug)]
pub struct ByRank<T> {
    places: BTreeMap<u32, usize>,
    things: Vec<T>,
}

impl<T> Default for ByRank<T> {
    fn default() -> Self {
        Self { places: BTreeMap::new(), things: Vec::new() }
    }
}

impl<T: Default> ByRank<T> {
    /// What there is at a rank, an empty thing if there was nothing.
    pub fn at(&mut self, rank: u32) -> &mut T {
        let place = *self.places.entry(rank).or_insert(self.things.len());
        if place == self.things.len() {
            self.things.push(T::default());
        }
        &mut self.things[place]
    }

    /// Take out what there is at the lowest rank.
    pub fn pop_first(&mut self) -> Option<(u32, T)> {
        let (rank, place) = self.places.pop_first()?;
        Some((rank, mem::take(&mut self.things[place])))
    }

    /// What there is, in no order; empty things where something was taken out.
    pub fn things(&mut self) -> &mut [T] {
        &mut self.things
    }
}
