//! What a search is given besides its table.

use ludex_core::{Game, Goal, Probe, Stop};

/// A position, a goal, and who is watching.
pub struct Ask<'a, G: Game> {
    /// The game, made [for the goal](Game::for_goal).
    pub game: &'a G,
    /// The position to judge.
    pub position: G::Position,
    /// What is wanted.
    pub goal: Goal,
    /// Limits and progress.
    pub probe: &'a dyn Probe,
    /// The number of this worker. Worker 0 answers; the others search in another order and fill the shared table.
    pub worker: usize,
}

impl<G: Game> Clone for Ask<'_, G> {
    fn clone(&self) -> Self {
        Self { position: self.position, ..*self }
    }
}

/// Nodes between two looks at the clock.
const CHECK_EVERY: u64 = 64;

/// Counts nodes and asks the probe now and then.
pub(crate) struct Meter<'a> {
    probe: &'a dyn Probe,
    pub(crate) nodes: u64,
    reported: u64,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(probe: &'a dyn Probe) -> Self {
        Self { probe, nodes: 0, reported: 0 }
    }

    /// Count a node.
    #[inline]
    pub(crate) fn tick(&mut self) -> Result<(), Stop> {
        self.nodes += 1;
        if self.nodes - self.reported >= CHECK_EVERY { self.report() } else { Ok(()) }
    }

    #[cold]
    fn report(&mut self) -> Result<(), Stop> {
        let new = self.nodes - self.reported;
        self.reported = self.nodes;
        self.probe.check(new).map_or(Ok(()), Err)
    }

    /// Report what is left.
    pub(crate) fn finish(&mut self) {
        let _ = self.report();
    }
}
