//! The clock and the limits of a running job.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use ludex_core::{Bounds, Cancel, Probe, Progress, Stop};

use crate::job::{Job, Reporter};

/// Watches all threads of a job: counts their nodes, stops them at the limits, tells of progress.
pub(crate) struct Watch {
    start: Instant,
    time: Option<Duration>,
    nodes_limit: Option<u64>,
    cancel: Cancel,
    reporter: Option<Reporter>,
    nodes: AtomicU64,
    bounds: Mutex<Bounds>,
    /// When progress is next due, in milliseconds since the start.
    due: AtomicU64,
    /// Raised when one of several workers has the answer.
    done: AtomicBool,
}

/// Time between two reports.
const REPORT_EVERY: u64 = 100;

impl Watch {
    pub(crate) fn new(job: &Job) -> Self {
        Self {
            start: Instant::now(),
            time: job.budget.time,
            nodes_limit: job.budget.nodes,
            cancel: job.cancel.clone(),
            reporter: job.progress.clone(),
            nodes: AtomicU64::new(0),
            bounds: Mutex::new(Bounds::ALL),
            due: AtomicU64::new(REPORT_EVERY),
            done: AtomicBool::new(false),
        }
    }

    /// Nodes of all threads so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Tell the workers that the answer is found, or that they may go on with the next question.
    pub(crate) fn set_done(&self, done: bool) {
        self.done.store(done, Relaxed);
    }

    /// Forget the bounds of the question before.
    pub(crate) fn next_question(&self) {
        *self.bounds.lock().unwrap_or_else(PoisonError::into_inner) = Bounds::ALL;
    }

    fn report(&self, time: Duration) {
        let Some(reporter) = &self.reporter else { return };
        let now = time.as_millis() as u64;
        let due = self.due.load(Relaxed);
        if now >= due && self.due.compare_exchange(due, now + REPORT_EVERY, Relaxed, Relaxed).is_ok() {
            let bounds = *self.bounds.lock().unwrap_or_else(PoisonError::into_inner);
            reporter(&Progress { nodes: self.nodes(), time, bounds });
        }
    }
}

impl Probe for Watch {
    fn check(&self, new_nodes: u64) -> Option<Stop> {
        let nodes = self.nodes.fetch_add(new_nodes, Relaxed) + new_nodes;
        if self.cancel.is_cancelled() || self.done.load(Relaxed) {
            return Some(Stop::Cancelled);
        }
        if self.nodes_limit.is_some_and(|limit| nodes >= limit) {
            return Some(Stop::Nodes);
        }
        if self.time.is_some() || self.reporter.is_some() {
            let time = self.start.elapsed();
            self.report(time);
            if self.time.is_some_and(|limit| time >= limit) {
                return Some(Stop::Time);
            }
        }
        None
    }

    fn bounds(&self, bounds: Bounds) {
        *self.bounds.lock().unwrap_or_else(PoisonError::into_inner) = bounds;
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
