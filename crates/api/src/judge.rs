//! The way to the judge: what it may use to answer, and the games that stay warm between questions.

use std::time::Duration;

use ludex_core::Budget;
use ludex_judge::{
    AnyGame, Cancel, Error, ErrorCode, Goal, Question, Registry, Terms,
    table::{Present, present},
};

use crate::{
    board::Found,
    warm::{Lent, Warm},
};

/// The memory of a short question, in bytes.
const MEMORY: u64 = 64 << 20;

/// What a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The canonical spec.
    pub game: String,
    /// The canonical text of the position.
    pub position: String,
    /// What is wanted.
    pub goal: Goal,
}

impl Subject {
    /// A position that was found, and what is wanted: what suits the game if nothing is said.
    #[must_use]
    pub fn of(found: Found, goal: Option<Goal>) -> Self {
        let goal = goal.unwrap_or_else(|| found.game.usual_goal());
        Self { game: found.game.spec(), position: found.position, goal }
    }
}

/// A question about a game, its limits already cut down to what is allowed.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// The canonical spec.
    pub game: String,
    /// What is asked of it.
    pub question: Question,
    /// Whether the memory of a longer search before it will do as well, if that lies ready.
    pub any_memory: bool,
}

/// How much a question may take at most.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The longest a direct analysis may take.
    pub analyze_time: Duration,
    /// The longest an engine may think about a move.
    pub move_time: Duration,
    /// The longest a long search may take.
    pub job_time: Duration,
    /// The most memory a search may take, in bytes.
    pub memory: u64,
    /// Threads of a long search.
    pub threads: usize,
    /// Positions in one request.
    pub positions: usize,
}

/// What questions are answered with.
#[derive(Debug)]
pub struct Judge {
    /// The games there are.
    pub registry: Registry,
    /// How much a question may take.
    pub limits: Limits,
    terms: Terms,
    warm: Warm,
    seeds: fn() -> u64,
}

impl Judge {
    /// With these games and limits, under these terms. Games that wait for the next question take `warm` bytes at most.
    #[must_use]
    pub fn new(registry: Registry, limits: Limits, warm: u64, terms: Terms) -> Self {
        Self { registry, limits, terms, warm: Warm::new(warm), seeds: some_seed }
    }

    /// The same with another source of seeds that nobody asked for.
    #[must_use]
    pub fn with_seeds(self, seeds: fn() -> u64) -> Self {
        Self { seeds, ..self }
    }

    /// A seed nobody asked for: below 2^32, so that people can read it out and JavaScript keeps it exact.
    #[must_use]
    pub fn any_seed(&self) -> u64 {
        (self.seeds)() & u64::from(u32::MAX)
    }

    /// The tables and books that are present.
    #[must_use]
    pub fn tables(&self) -> Vec<Present> {
        present(&self.registry, self.terms.tables.as_deref())
    }

    /// The verdicts and the tables, until `cancel` is raised.
    #[must_use]
    pub fn terms(&self, cancel: &Cancel) -> Terms {
        self.terms.clone().until(cancel)
    }

    /// A short question about a position.
    #[must_use]
    pub fn inquiry(&self, subject: &Subject, time: Duration) -> Inquiry {
        Inquiry {
            game: subject.game.clone(),
            question: Question {
                goal: subject.goal,
                budget: self.short(time),
                ..Question::at(&subject.position)
            },
            any_memory: true,
        }
    }

    /// What a short question may take.
    pub(crate) fn short(&self, time: Duration) -> Budget {
        Budget { time: Some(time), nodes: None, memory: self.limits.memory.min(MEMORY), threads: 1 }
    }

    /// Ask a verb of the judge: `ask(&inquiry, terms, |game, question, terms| game.analyze(question, terms))`. Blocks until
    /// there is an answer, the limits are reached, or the terms are cancelled.
    ///
    /// # Errors
    /// If the question is wrong. A database that fails is no reason not to answer.
    pub fn ask<T>(
        &self,
        inquiry: &Inquiry,
        mut terms: Terms,
        verb: impl Fn(&dyn AnyGame, &Question, &Terms) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut question = inquiry.question.clone();
        // Who names a search or leaves out a rule wants to see just that at work, from the beginning.
        let warm = question.takes_any_source();
        let purpose = (inquiry.game.clone(), question.goal);
        let memory = (!inquiry.any_memory).then_some(question.budget.memory);
        let known = if warm { self.warm.take(&purpose, memory) } else { None };
        let lent = match known {
            Some(lent) => lent,
            None => Lent {
                game: self.registry.open_foreign(&inquiry.game)?,
                purpose,
                memory: question.budget.memory,
            },
        };
        question.budget.memory = lent.memory;
        let mut answer = verb(lent.game.as_ref(), &question, &terms);
        if let Err(fault) = &answer
            && fault.code == ErrorCode::BadDatabase
            && terms.memory.take().is_some()
        {
            eprintln!("ludex: {fault} ({})", fault.hint);
            answer = verb(lent.game.as_ref(), &question, &terms);
        }
        if warm {
            self.warm.give(lent);
        }
        answer
    }
}

fn some_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0) >> 32
}
