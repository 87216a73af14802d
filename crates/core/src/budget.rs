//! How much a search may cost, and how it is called off.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// The least memory a search can be given.
pub const MIN_MEMORY: u64 = 1 << 20;

/// Limits on a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Bytes for tables and trees, at least [`MIN_MEMORY`].
    pub memory: u64,
    /// Threads, at least one.
    pub threads: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { time: None, nodes: None, memory: 1 << 30, threads: 1 }
    }
}

/// A flag shared by whoever may cancel and whoever must stop.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that is not raised.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Raise it.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is raised.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
