//! Games whose searches remember, kept between requests.
//!
//! A game is lent to one request at a time, so that a long search never holds up a short one: whoever finds none lying
//! here opens another. What comes back is kept while the memory that all of them may take stays below a limit; those
//! that were not asked for the longest go first.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use ludex_judge::{AnyGame, Goal};

/// A game and what its searches have learnt.
pub struct Lent {
    /// The game.
    pub game: Box<dyn AnyGame>,
    /// Its spec and the goal of its searches: what they learnt holds for these.
    pub purpose: (String, Goal),
    /// The memory that its searches may take, in bytes.
    pub memory: u64,
}

/// The games nobody uses right now, those used last at the end.
pub struct Warm {
    idle: Mutex<VecDeque<Lent>>,
    room: u64,
}

impl std::fmt::Debug for Warm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Warm({} bytes at most)", self.room)
    }
}

impl Warm {
    /// Room for games whose searches take so many bytes together.
    #[must_use]
    pub fn new(room: u64) -> Self {
        Self { idle: Mutex::default(), room }
    }

    /// A game that was used for this before: with this much memory, or with whatever it has if `memory` is `None`.
    pub fn take(&self, purpose: &(String, Goal), memory: Option<u64>) -> Option<Lent> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let at = idle
            .iter()
            .rposition(|l| l.purpose == *purpose && memory.is_none_or(|memory| memory == l.memory))?;
        idle.remove(at)
    }

    /// Give a game back.
    pub fn give(&self, lent: Lent) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push_back(lent);
        let mut taken: u64 = idle.iter().map(|l| l.memory).sum();
        while taken > self.room
            && let Some(oldest) = idle.pop_front()
        {
            taken -= oldest.memory;
        }
    }
}

#[cfg(test)]
mod tests {
    use ludex_judge::Registry;
    use ludex_standard::Standard as _;

    use super::*;

    fn lent(goal: Goal, memory: u64) -> Lent {
        let game = Registry::standard().open("heap:9").expect("a game");
        Lent { game, purpose: ("heap:9".into(), goal), memory }
    }

    #[test]
    fn the_room_is_kept_and_the_oldest_go_first() {
        let warm = Warm::new(100);
        for memory in [40, 50, 30] {
            warm.give(lent(Goal::Wdl, memory));
        }
        let purpose = ("heap:9".to_owned(), Goal::Wdl);
        assert!(warm.take(&purpose, Some(40)).is_none(), "it was the oldest");
        assert_eq!(warm.take(&purpose, None).map(|l| l.memory), Some(30));
        assert_eq!(warm.take(&purpose, Some(50)).map(|l| l.memory), Some(50));
        assert!(warm.take(&purpose, None).is_none());
        warm.give(lent(Goal::Distance, 10));
        assert!(warm.take(&purpose, None).is_none(), "another goal");
        warm.give(lent(Goal::Wdl, 101));
        assert!(warm.take(&purpose, None).is_none(), "too large to keep");
    }
}
