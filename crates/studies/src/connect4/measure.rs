//! Measuring the solver on lists of positions with known scores.

use std::{
    ops::AddAssign,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use ludex_core::{Error, ErrorCode, Game, Goal, Notation, Probe, Rng, Stop};
use ludex_games::connect4::{Board, Column, Connect4, FAMILY, Standard, column_name, score};

use super::{driver::score_of, memory::Packed};
use ludex_judge::{Budget, Question, Registry, Terms};

/// How a list of positions went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScoresMeasured {
    /// Positions solved.
    pub positions: u64,
    /// Scores that differ from those in the list.
    pub wrong: u64,
    /// Nodes of all of them.
    pub nodes: u64,
    /// Time of all of them.
    pub time: Duration,
    /// Processor time of all of them, on every thread: what else runs on the machine counts less.
    pub cpu: Duration,
}

impl AddAssign for ScoresMeasured {
    fn add_assign(&mut self, other: Self) {
        self.positions += other.positions;
        self.wrong += other.wrong;
        self.nodes += other.nodes;
        self.time += other.time;
        self.cpu += other.cpu;
    }
}

/// Stops the other workers when the answer is there.
#[derive(Default)]
struct Done(AtomicBool);

impl Probe for Done {
    fn check(&self, _: u64) -> Option<Stop> {
        self.0.load(Relaxed).then_some(Stop::Cancelled)
    }
}

/// Solves positions of the standard board one after the other, without a book, each with a table that remembers nothing
/// of the ones before.
pub struct Meter<'a> {
    game: Connect4<Standard>,
    memory: Packed,
    bytes: u64,
    threads: usize,
    other: Option<(&'a str, &'a Registry)>,
}

impl<'a> Meter<'a> {
    /// With a table of `bytes` bytes. `other` names another search and the games that it is asked of, each
    /// time anew; without it, the game's own is used.
    ///
    /// # Errors
    /// If the table is too small.
    pub fn new(bytes: u64, threads: usize, other: Option<(&'a str, &'a Registry)>) -> Result<Self, Error> {
        let game = Connect4::default();
        let mut memory = Packed::new(bytes, game.key_bits()).ok_or_else(|| {
            let what = format!("{bytes} bytes are too few");
            Error::new(ErrorCode::BadMemory, what, "at least 16 MiB for the standard board")
        })?;
        if other.is_none() {
            memory.warm_up();
        }
        Ok(Self { game, memory, bytes, threads, other })
    }

    /// Solve lines `POSITION [SCORE]` exactly, and count. `-` is the empty board, `before` the number of lines before
    /// these.
    ///
    /// # Errors
    /// If a line is no position, or the game is over in it.
    pub fn measure<'t>(
        &mut self,
        lines: impl IntoIterator<Item = &'t str>,
        before: usize,
    ) -> Result<ScoresMeasured, Error> {
        let mut measured = ScoresMeasured::default();
        for (i, line) in lines.into_iter().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let at = |e: Error| e.at(format_args!("line {}", before + i + 1));
            let mut words = line.split_whitespace();
            let position = words.next().filter(|&w| w != "-").unwrap_or_default();
            let wanted = words.next().map(|s| {
                s.parse::<i32>().map_err(|_| at(Error::position(format!("'{s}' is no score"), "a number")))
            });
            let wanted = wanted.transpose()?;
            let (score, one) = self.solve(position).map_err(at)?;
            measured += one;
            measured.wrong += u64::from(wanted.is_some_and(|w| w != score));
        }
        Ok(measured)
    }

    /// The score of a position, and what it took.
    ///
    /// # Errors
    /// If the text is no position, or the game is over in it.
    pub fn solve(&mut self, position: &str) -> Result<(i32, ScoresMeasured), Error> {
        let p = self.game.parse_position(position)?;
        if self.game.outcome(&p).is_some() {
            return Err(Error::position("the game is over", "give positions that can be played on"));
        }
        self.memory.age();
        let (start, cpu) = (Instant::now(), cpu_time());
        let (score, nodes) = match &self.other {
            None => self.solve_one(p),
            Some((solver, games)) => {
                let budget = Budget { memory: self.bytes, threads: self.threads, ..Budget::default() };
                let question = Question {
                    goal: Goal::Distance,
                    solver: Some((*solver).into()),
                    budget,
                    tables: false,
                    book: false,
                    ..Question::at(position)
                };
                let verdict = games.open(FAMILY.name)?.solve(&question, &Terms::default())?;
                (score::at_least(verdict.bounds.lo, self.game.max_plies(&p)), verdict.stats.nodes)
            }
        };
        let (time, cpu) = (start.elapsed(), cpu_time().saturating_sub(cpu));
        Ok((score, ScoresMeasured { positions: 1, wrong: 0, nodes, time, cpu }))
    }

    fn solve_one(&self, p: Board<u64>) -> (i32, u64) {
        let (game, memory, done) = (&self.game, &self.memory, Done::default());
        thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|| score_of(game, p, memory, &done));
            }
            let answer = score_of(game, p, memory, &ludex_core::Unlimited);
            done.0.store(true, Relaxed);
            answer.unwrap_or_default()
        })
    }
}

/// The processor time of this process; zero where the system does not tell.
fn cpu_time() -> Duration {
    #[cfg(unix)]
    {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec as u32)
    }
    #[cfg(not(unix))]
    Duration::ZERO
}

/// Positions for the bench, by the stones that random play has placed: a name and the moves of each.
#[must_use]
pub fn samples() -> Vec<(&'static str, Vec<String>)> {
    [("begin, 12 stones", 12, 12), ("middle, 20 stones", 20, 50), ("end, 30 stones", 30, 100)]
        .into_iter()
        .map(|(name, stones, count)| {
            let mut rng = Rng::new(stones);
            let moves = std::iter::repeat_with(|| random_game(&mut rng, stones)).flatten().take(count);
            (name, moves.collect())
        })
        .collect()
}

/// The moves of a random game that is not over after so many stones.
fn random_game(rng: &mut Rng, stones: u64) -> Option<String> {
    let game = Connect4::default();
    let (mut p, mut text) = (game.root()?, String::new());
    for _ in 0..stones {
        let mut columns = Vec::new();
        game.each_move(&p, |m| columns.push(m));
        let m: Column = *rng.pick(&columns)?;
        text.push(column_name(m.0.into()));
        p = game.play(&p, m);
        if game.outcome(&p).is_some() {
            return None;
        }
    }
    Some(text)
}
