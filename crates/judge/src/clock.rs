//! Where the time comes from. Nothing in this crate reads a clock of its own, so that it runs where there is none.

use std::{fmt::Debug, time::Duration};

/// Tells how much time has passed since some fixed moment.
pub trait Clock: Debug + Send + Sync {
    /// The time since that moment; never less than before.
    fn now(&self) -> Duration;
}

/// No clock: no time passes, so no limit on it is ever reached.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// The clock of the operating system.
#[cfg(not(target_family = "wasm"))]
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(std::time::Instant);

#[cfg(not(target_family = "wasm"))]
impl Default for SystemClock {
    fn default() -> Self {
        Self(std::time::Instant::now())
    }
}

#[cfg(not(target_family = "wasm"))]
impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
