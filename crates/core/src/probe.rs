//! How a search is watched and stopped from outside.

use std::time::Duration;

use crate::Bounds;

/// Why a search was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Its time was up.
    Time,
    /// Its nodes were used up.
    Nodes,
    /// It had no memory left to go on with.
    Memory,
    /// Somebody cancelled it, or another thread has the answer.
    Cancelled,
}

/// What is known so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Positions searched, all threads together.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// Bounds of the root so far.
    pub bounds: Bounds,
    /// In an analysis: how many of how many moves are done.
    pub moves: Option<(usize, usize)>,
    /// The proof numbers of the root, from searches that have them: the work left to show that the side to move
    /// reaches what is asked, and to show that it does not.
    pub numbers: Option<(f64, f64)>,
}

/// The search's only window to the world: clock, limits and progress.
///
/// A search calls [`check`](Probe::check) after about a millisecond of work, often without new nodes, and winds up when
/// told to; what it has learnt by then is still right.
pub trait Probe: Sync {
    /// Report the nodes searched since the last call; `Some` means stop now.
    fn check(&self, new_nodes: u64) -> Option<Stop>;

    /// Report new bounds of the root.
    fn bounds(&self, bounds: Bounds) {
        let _ = bounds;
    }

    /// Report the proof numbers of the root.
    fn numbers(&self, phi: f64, delta: f64) {
        let _ = (phi, delta);
    }

    /// Time since the start, zero if there is no clock.
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// Nobody watches and nothing stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Probe for Unlimited {
    fn check(&self, _: u64) -> Option<Stop> {
        None
    }
}
