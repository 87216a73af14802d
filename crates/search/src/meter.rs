//! When a search asks whether to go on: after so much work, not after so many positions.
//!
//! A position takes a tenth of a microsecond in one game and a millisecond in another, a hundred thousand times as long
//! where it has that many moves. So the meter counts work: a little for every position looked at, and one unit for every
//! move listed, played or compared. What a unit takes it finds out by itself: it asks after one, then after two, four and
//! so on, and the intervals grow only as long as they stay far below a millisecond, and shrink when they do not.
//!
//! Asking changes nothing in a search that is not stopped. Nodes are reported in the same portions whatever the clock
//! says, so that with one thread everything stays deterministic.

use std::time::Duration;

use ludex_core::{Bounds, Contradiction, Game, Moves, Probe, Status, Stop, Window};

use crate::driver;

/// Nodes are reported so many at a time, and the first of them a little earlier, so that a very short search can be stopped.
const PORTION: u64 = 64;
const FIRST_PORTION: u64 = 8;
/// The work of looking at a position, besides one unit for each of its moves.
pub(crate) const LOOK: usize = 16;
/// The most work between two questions.
const MOST: usize = 64 * LOOK;
/// Shorter intervals may grow, longer ones shrink.
const SHORT: Duration = Duration::from_micros(200);
const LONG: Duration = Duration::from_millis(1);

/// Counts nodes and work, and asks the probe now and then.
pub(crate) struct Meter<'a> {
    probe: &'a dyn Probe,
    pub(crate) nodes: u64,
    reported: u64,
    portion: u64,
    /// Work until the next question.
    left: usize,
    /// Work from one question to the next.
    interval: usize,
    asked: Duration,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(probe: &'a dyn Probe) -> Self {
        Self {
            probe,
            nodes: 0,
            reported: 0,
            portion: FIRST_PORTION,
            left: 1,
            interval: 1,
            asked: probe.elapsed(),
        }
    }

    /// Count a node.
    #[inline]
    pub(crate) fn tick(&mut self) -> Result<(), Stop> {
        self.nodes += 1;
        if self.nodes - self.reported >= self.portion { self.report() } else { Ok(()) }
    }

    /// Count work: moves listed, positions stepped to, children compared.
    #[inline]
    pub(crate) fn spend(&mut self, work: usize) -> Result<(), Stop> {
        if work < self.left {
            self.left -= work;
            return Ok(());
        }
        self.ask(0)
    }

    /// What the game sees of a position, as [`driver::look`] says it.
    #[inline]
    pub(crate) fn look<G: Game, H: From<Stop> + From<Box<Contradiction>>>(
        &mut self,
        game: &G,
        classes_only: bool,
        p: &G::Position,
        window: Window,
        moves: &mut Moves<G::Move>,
    ) -> Result<Bounds, H> {
        let seen = driver::look(game, classes_only, p, window, moves)?;
        self.spend(LOOK + moves.len())?;
        Ok(seen)
    }

    fn report(&mut self) -> Result<(), Stop> {
        let new = self.nodes - self.reported;
        self.reported = self.nodes;
        self.portion = self.nodes.clamp(FIRST_PORTION, PORTION);
        self.ask(new)
    }

    #[cold]
    fn ask(&mut self, new_nodes: u64) -> Result<(), Stop> {
        let now = self.probe.elapsed();
        let took = now.saturating_sub(self.asked);
        self.asked = now;
        if took > LONG {
            self.interval = (self.interval / 4).max(1);
        } else if took < SHORT {
            self.interval = (self.interval * 2).min(MOST);
        }
        self.left = self.interval;
        self.probe.check(new_nodes).map_or(Ok(()), Err)
    }

    /// Report what is left.
    pub(crate) fn finish(&mut self) {
        let _ = self.report();
    }
}

/// The work that may go into the line of play after a search. A search that was stopped has used up what it was given, so
/// that only a little may follow; after one that was not, whatever it takes until time is up.
pub(crate) struct Patience<'a> {
    meter: Meter<'a>,
    left: Option<usize>,
}

impl<'a> Patience<'a> {
    /// Some milliseconds, whatever the game.
    const LITTLE: usize = 4 * MOST;

    pub(crate) fn new(probe: &'a dyn Probe, status: Status) -> Self {
        Self { meter: Meter::new(probe), left: (status != Status::Solved).then_some(Self::LITTLE) }
    }

    /// Count work. No nodes are counted any more, so that a limit on them does not matter.
    pub(crate) fn spend(&mut self, work: usize) -> Result<(), Stop> {
        if let Some(left) = &mut self.left {
            *left = left.checked_sub(work).ok_or(Stop::Time)?;
            return Ok(());
        }
        match self.meter.spend(work) {
            Err(stop @ (Stop::Time | Stop::Cancelled)) => Err(stop),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, sync::Mutex};

    use super::*;

    /// A clock that goes on as the test says, and who asked when.
    #[derive(Default)]
    struct Bench {
        now: Mutex<Duration>,
        asked: Mutex<Vec<(Duration, u64)>>,
    }

    impl Bench {
        fn pass(&self, time: Duration) {
            *self.now.lock().expect("one thread") += time;
        }
    }

    impl Probe for Bench {
        fn check(&self, new_nodes: u64) -> Option<Stop> {
            self.asked.lock().expect("one thread").push((self.elapsed(), new_nodes));
            None
        }

        fn elapsed(&self) -> Duration {
            *self.now.lock().expect("one thread")
        }
    }

    /// However dear the work is, and however suddenly it becomes so, the questions come within a few milliseconds of each
    /// other, or after every piece of work if one alone takes longer.
    #[test]
    fn questions_follow_the_work() {
        let bench = Bench::default();
        let mut meter = Meter::new(&bench);
        let longest = Cell::new(Duration::ZERO);
        let mut run = |pieces: u64, work: usize, each: Duration| {
            let first = bench.asked.lock().expect("one thread").len();
            for _ in 0..pieces {
                bench.pass(each);
                meter.spend(work).expect("nobody stops");
            }
            let asked = bench.asked.lock().expect("one thread");
            let gaps = asked[first..].windows(2).map(|w| w[1].0 - w[0].0);
            longest.set(gaps.max().unwrap_or_default());
            asked.len() - first
        };
        let cheap = run(1_000_000, LOOK + 7, Duration::from_nanos(100));
        assert!(longest.get() <= Duration::from_micros(300), "{longest:?}");
        assert!((10_000..40_000).contains(&cheap), "{cheap} questions in 0.1 s");
        run(100, LOOK + 200, Duration::from_millis(2));
        assert!(longest.get() <= Duration::from_millis(10), "{longest:?}");
        let dear = run(50, LOOK + 28_000, Duration::from_millis(20));
        assert_eq!((dear, longest.get()), (50, Duration::from_millis(20)));
    }

    #[test]
    fn nodes_come_in_portions_whatever_the_clock_says() {
        for each in [Duration::ZERO, Duration::from_millis(5)] {
            let bench = Bench::default();
            let mut meter = Meter::new(&bench);
            for _ in 0..200 {
                bench.pass(each);
                meter.tick().expect("nobody stops");
                meter.spend(30).expect("nobody stops");
            }
            meter.finish();
            let asked = bench.asked.lock().expect("one thread");
            let nodes: Vec<u64> = asked.iter().map(|a| a.1).filter(|&n| n > 0).collect();
            assert_eq!(nodes, [8, 8, 16, 32, 64, 64, 8]);
        }
    }
}
