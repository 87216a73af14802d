//! What the threads of a process know of each other: how far they are, whether to stop, which process is lost.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use ludex_core::{Cancel, Error, ErrorCode};

/// How far a build is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// `waiting`, `listing`, `solving` or `joining`.
    pub phase: &'static str,
    /// The tier that is being solved or listed.
    pub tier: usize,
    /// How many there are; 0 while positions are being listed.
    pub tiers: usize,
    /// Its name.
    pub name: String,
    /// Positions solved or listed so far, by this process.
    pub done: u64,
    /// Positions of this process in all; 0 while they are being listed.
    pub positions: u64,
    /// Bytes sent to other workers so far.
    pub sent: u64,
    /// Time since the start.
    pub time: Duration,
}

const NOBODY: usize = usize::MAX;

/// Seen by all threads of a process.
#[derive(Debug)]
pub struct Watch {
    cancel: Cancel,
    start: Instant,
    lost: AtomicUsize,
    failed: Mutex<Option<Error>>,
    settled: AtomicBool,
    working: AtomicUsize,
    done: AtomicU64,
    sent: AtomicU64,
    step: Mutex<Step>,
    hosts: Vec<String>,
}

impl Watch {
    /// A watch over so many workers of this process.
    pub fn new(cancel: Cancel, start: Instant, workers: usize, hosts: Vec<String>) -> Self {
        Self {
            cancel,
            start,
            lost: AtomicUsize::new(NOBODY),
            failed: Mutex::new(None),
            settled: AtomicBool::new(false),
            working: AtomicUsize::new(workers),
            done: AtomicU64::new(0),
            sent: AtomicU64::new(0),
            step: Mutex::new(Step { phase: "waiting", ..Step::default() }),
            hosts,
        }
    }

    /// Whether to go on.
    ///
    /// # Errors
    /// If it was called off, another worker failed, or a process is lost.
    pub fn check(&self) -> Result<(), Error> {
        if self.cancel.is_cancelled() && !self.settled.load(Ordering::Acquire) {
            return Err(crate::stopped());
        }
        if let Some(error) = self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone() {
            return Err(error);
        }
        match self.lost.load(Ordering::Acquire) {
            NOBODY => Ok(()),
            process => Err(Error::new(
                ErrorCode::PeerLost,
                format!("process {process} at {} is gone", self.hosts[process]),
                "start the same command there again: the build goes on from the last tier that all have",
            )),
        }
    }

    /// The table is whole, or about to be: too late to stop.
    pub(crate) fn settle(&self) {
        self.settled.store(true, Ordering::Release);
    }

    /// Another process has left before the end.
    pub(crate) fn lose(&self, process: usize) {
        let _ = self.lost.compare_exchange(NOBODY, process, Ordering::AcqRel, Ordering::Relaxed);
    }

    /// A worker of this process has failed; the others stop.
    pub(crate) fn fail(&self, error: &Error) {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| error.clone());
    }

    /// A worker of this process has done all its work.
    pub(crate) fn finish(&self) {
        self.working.fetch_sub(1, Ordering::AcqRel);
    }

    /// Whether all workers of this process have done all their work.
    pub(crate) fn finished(&self) -> bool {
        self.working.load(Ordering::Acquire) == 0
    }

    /// So many positions more are done.
    pub(crate) fn count(&self, positions: u64) {
        self.done.fetch_add(positions, Ordering::Relaxed);
    }

    pub(crate) fn sent(&self, bytes: usize) {
        self.sent.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// A phase begins: nothing of it is done.
    pub(crate) fn phase(&self, phase: &'static str, positions: u64) {
        self.done.store(0, Ordering::Relaxed);
        *self.step.lock().unwrap_or_else(PoisonError::into_inner) =
            Step { phase, positions, ..Step::default() };
    }

    /// A tier begins.
    pub(crate) fn tier(&self, tier: usize, tiers: usize, name: &str) {
        let mut step = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        (step.tier, step.tiers, step.name) = (tier, tiers, name.to_owned());
    }

    /// How far it is.
    pub fn step(&self) -> Step {
        let step = self.step.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Step {
            done: self.done.load(Ordering::Relaxed),
            sent: self.sent.load(Ordering::Relaxed),
            time: self.start.elapsed(),
            ..step
        }
    }
}
