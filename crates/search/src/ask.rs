//! What a search is given besides its table.

use ludex_core::{Game, Goal, Probe};

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
