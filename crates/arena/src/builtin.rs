//! Players that need no other program: random, greedy, levels and perfect, for every game.
//!
//! Half of a level's positions go into an exact search; what it settles is played. Otherwise the other half goes into a
//! deepening search on guesses. The same seed plays the same game. `level:4-eval-bridges` is level 4 without the rule
//! `eval-bridges`; several rules are joined by `+`.

use std::time::Duration;

use ludex_core::Rng;
use ludex_judge::{AnyGame, Budget, Error, Goal, Limits, Question, Side, Terms, answer::Thought, choose};

pub use crate::levels::Kind;
use crate::{
    levels::{GREATEST, Level},
    player::{Fault, Player, Start, Turn},
};

/// A built-in player.
#[derive(Debug)]
pub struct Builtin {
    kind: Kind,
    seed: u64,
    rng: Rng,
    threads: usize,
    memory: u64,
    without: Vec<String>,
    name: String,
    terms: Terms,
    thought: Option<Thought>,
}

impl Builtin {
    /// A player of a kind; the same seed makes the same choices.
    #[must_use]
    pub fn new(kind: Kind, seed: u64) -> Self {
        Self {
            kind,
            seed,
            rng: Rng::new(seed),
            threads: 1,
            memory: 64 << 20,
            without: Vec::new(),
            name: kind.to_string(),
            terms: Terms::default(),
            thought: None,
        }
    }

    /// The player of a name: that of a [level](crate::levels), after which rules to leave out may follow a dash.
    ///
    /// # Errors
    /// If there is no such player.
    pub fn named(name: &str, seed: u64) -> Result<Self, Error> {
        let (level, rules) = name.split_once('-').unwrap_or((name, ""));
        let without = rules.split('+').filter(|rule| !rule.is_empty()).map(String::from).collect();
        Ok(Self { without, name: name.to_owned(), ..Self::new(Level::named(level)?.kind, seed) })
    }

    /// The same with threads to search with.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// The same with what its searches may use: the database, the tables, the switch that stops them.
    #[must_use]
    pub fn with_terms(mut self, terms: Terms) -> Self {
        self.terms = terms;
        self
    }

    /// The same with memory to search with, in bytes.
    #[must_use]
    pub fn with_memory(mut self, memory: u64) -> Self {
        self.memory = memory;
        self
    }

    /// What can be settled within a share of the nodes is settled; otherwise another share goes into a guess.
    fn search(&mut self, turn: &Turn<'_>) -> Result<String, Fault> {
        let budget = Budget {
            time: share(turn.time),
            nodes: self.kind.nodes(),
            memory: self.memory,
            threads: self.threads,
        };
        let (goal, level) = match self.kind {
            Kind::Level(n) => (Goal::Wdl, n),
            _ => (turn.game.usual_goal(), GREATEST),
        };
        let limits = Limits { depth: 1 + level, breadth: 8 * (1 + level as usize) };
        let question =
            Question { goal, budget, without: self.without.clone(), ..Question::at(turn.position) };
        let chosen = choose(turn.game, &question, &self.terms, limits)?;
        self.thought = chosen.thought;
        chosen.best.ok_or_else(|| Fault::Failed("found no move".into()))
    }
}

/// The part of a time that the choice may take, which leaves a margin for what happens around it.
fn share(time: Option<Duration>) -> Option<Duration> {
    time.map(|t| t.mul_f64(0.8).max(Duration::from_millis(2)))
}

impl Player for Builtin {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, _: &dyn AnyGame, side: Side, start: Start<'_>) -> Result<(), Fault> {
        let salt = start.position.bytes().fold(0u64, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(b)));
        self.rng = Rng::new(self.seed ^ salt.wrapping_mul(2).wrapping_add(side.index() as u64));
        Ok(())
    }

    fn thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<String, Fault> {
        self.thought = None;
        let mut any = |moves| self.rng.below(moves);
        let chosen = match self.kind {
            Kind::Random => turn.game.one_move(turn.position, &mut any)?,
            Kind::Greedy => {
                let budget = Budget { time: share(turn.time), ..Budget::default() };
                let question = Question { budget, ..Question::at(turn.position) };
                turn.game.greedy_move(&question, &self.terms, &mut any)?
            }
            Kind::Level(_) | Kind::Perfect => return self.search(turn),
        };
        chosen.ok_or_else(|| Fault::Failed("has no move".into()))
    }
}
