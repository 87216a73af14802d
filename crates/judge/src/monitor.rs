//! The clock and the limits of a question that is being answered.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use ludex_core::{Bounds, Budget, Cancel, Error, Probe, Progress, Stop, Value};

use crate::{Clock, Reporter, Terms};

/// Watches all workers: counts their nodes, stops them at the limits, tells of progress.
pub struct Monitor {
    clock: Arc<dyn Clock>,
    start: Duration,
    time: Option<Duration>,
    nodes_limit: Option<u64>,
    cancel: Cancel,
    reporter: Option<Reporter>,
    nodes: AtomicU64,
    bounds: Mutex<Bounds>,
    /// The analysis that the questions belong to.
    around: Mutex<Option<Surroundings>>,
    numbers: Mutex<Option<(f64, f64)>>,
    /// When progress is next due, in milliseconds since the start.
    due: AtomicU64,
    /// Raised when one of several workers has the answer.
    done: AtomicBool,
    /// What went wrong without harm to the answer.
    warnings: Mutex<Vec<Error>>,
}

/// What an analysis knows while it looks at one move after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings {
    /// The best that the moves before give.
    pub(crate) best: Bounds,
    /// How many moves are done, and how many there are.
    pub(crate) moves: (usize, usize),
    /// Whether the other side is to move after the move that is looked at.
    pub(crate) alternating: bool,
}

impl Surroundings {
    /// The bounds of the position, given those of the move that is looked at.
    fn bounds(&self, now: Bounds) -> Bounds {
        let now = now.back(self.alternating);
        let last = self.moves.0 + 1 >= self.moves.1;
        let hi = if last { self.best.hi.max(now.hi) } else { Value::BEST };
        Bounds { lo: self.best.lo.max(now.lo), hi }
    }
}

/// Time between two reports.
const REPORT_EVERY: u64 = 100;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Monitor {
    /// The clock starts now.
    #[must_use]
    pub fn new(budget: &Budget, terms: &Terms) -> Self {
        Self {
            clock: terms.clock.clone(),
            start: terms.clock.now(),
            time: budget.time,
            nodes_limit: budget.nodes,
            cancel: terms.cancel.clone(),
            reporter: terms.progress.clone(),
            nodes: AtomicU64::new(0),
            bounds: Mutex::new(Bounds::ALL),
            around: Mutex::new(None),
            numbers: Mutex::new(None),
            due: AtomicU64::new(REPORT_EVERY),
            done: AtomicBool::new(false),
            warnings: Mutex::default(),
        }
    }

    /// Something went wrong that leaves the answer as it is. The same thing is told once.
    pub(crate) fn warn(&self, warning: Error) {
        let mut warnings = locked(&self.warnings);
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }

    /// What went wrong so far without harm to the answer.
    pub(crate) fn warnings(&self) -> Vec<Error> {
        locked(&self.warnings).clone()
    }

    /// Nodes of all threads so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Tell the workers that the answer is found, or that they may go on with the next question.
    pub(crate) fn set_done(&self, done: bool) {
        self.done.store(done, Relaxed);
    }

    /// Forget the bounds of the question before.
    pub(crate) fn next_question(&self) {
        *locked(&self.bounds) = Bounds::ALL;
        *locked(&self.numbers) = None;
    }

    /// The next question is about a move of an analysis.
    pub(crate) fn next_move(&self, around: Surroundings) {
        self.next_question();
        *locked(&self.around) = Some(around);
    }

    fn report(&self, time: Duration) {
        let Some(reporter) = &self.reporter else { return };
        let now = time.as_millis() as u64;
        let due = self.due.load(Relaxed);
        if now >= due && self.due.compare_exchange(due, now + REPORT_EVERY, Relaxed, Relaxed).is_ok() {
            let (bounds, numbers, around) =
                (*locked(&self.bounds), *locked(&self.numbers), *locked(&self.around));
            let bounds = around.map_or(bounds, |a| a.bounds(bounds));
            let moves = around.map(|a| a.moves);
            reporter(&Progress { nodes: self.nodes(), time, bounds, moves, numbers });
        }
    }
}

impl Probe for Monitor {
    fn check(&self, new_nodes: u64) -> Option<Stop> {
        // Most questions bring no nodes, and workers need not write to what all of them read.
        let before = if new_nodes == 0 { self.nodes() } else { self.nodes.fetch_add(new_nodes, Relaxed) };
        let nodes = before + new_nodes;
        if self.cancel.is_cancelled() || self.done.load(Relaxed) {
            return Some(Stop::Cancelled);
        }
        if self.nodes_limit.is_some_and(|limit| nodes >= limit) {
            return Some(Stop::Nodes);
        }
        if self.time.is_some() || self.reporter.is_some() {
            let time = self.elapsed();
            self.report(time);
            if self.time.is_some_and(|limit| time >= limit) {
                return Some(Stop::Time);
            }
        }
        None
    }

    fn bounds(&self, bounds: Bounds) {
        *locked(&self.bounds) = bounds;
    }

    fn numbers(&self, phi: f64, delta: f64) {
        *locked(&self.numbers) = Some((phi, delta));
    }

    fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_analysis_knows_what_its_best_move_gives() {
        let draw = Bounds::exact(Value::DRAW);
        let around = |moves| Surroundings { best: draw, moves, alternating: true };
        assert_eq!(around((1, 3)).bounds(Bounds::ALL), Bounds { lo: Value::DRAW, hi: Value::BEST });
        assert_eq!(around((2, 3)).bounds(Bounds::at_least(Value::DRAW)), draw);
        assert_eq!(around((1, 3)).bounds(Bounds::exact(Value::loss(4))).lo, Value::win(5));
    }
}
