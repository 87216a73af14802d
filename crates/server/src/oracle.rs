//! The way to the judge: a question in, a `verdict` or `analysis` object out.

use std::{path::PathBuf, sync::Arc, time::Duration};

use ludex_judge::{AnyGame, Budget, Cancel, Goal, Job, Limits, Progress, Refusal, Reporter, Store, wire};
use serde_json::{Value, json};

use crate::{
    ApiError, Config, board,
    warm::{Lent, Warm},
};

/// How far a guess looks ahead, if its time lasts.
const GUESS: Limits = Limits { depth: 40, breadth: 48 };

/// What is asked about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Its value.
    Solve,
    /// The value of every move.
    Analyze,
    /// Why it is worth what it is.
    Explain,
}

impl Kind {
    /// The word in requests.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Solve => "solve",
            Kind::Analyze => "analyze",
            Kind::Explain => "explain",
        }
    }
}

/// A question, its limits already cut down to what the server allows.
#[derive(Clone, Debug)]
pub struct Question {
    /// The canonical spec.
    pub game: String,
    /// The canonical position text.
    pub position: String,
    /// Value or all moves.
    pub kind: Kind,
    /// `wdl` or `distance`.
    pub goal: String,
    /// Time limit.
    pub time: Duration,
    /// Memory limit in bytes.
    pub memory: u64,
    /// Whether it is a short question, which takes the memory of a long search before it if that lies ready.
    pub short: bool,
    /// Node limit.
    pub nodes: Option<u64>,
    /// Threads.
    pub threads: usize,
    /// Rules to do without.
    pub without: Vec<String>,
    /// The search to use.
    pub solver: Option<String>,
}

/// Told of progress, as `progress` objects.
pub type Told = Arc<dyn Fn(Value) + Send + Sync>;

/// What the judge may use to answer.
#[derive(Debug)]
pub struct Oracle {
    store: Option<Arc<Store>>,
    tables: Option<PathBuf>,
    warm: Warm,
}

impl Oracle {
    /// With these settings and this database.
    #[must_use]
    pub fn new(config: &Config, store: Option<Arc<Store>>) -> Self {
        let tables = config.tables.clone().or_else(|| Job::default().table_folder);
        Self { store, tables, warm: Warm::new(config.warm) }
    }

    /// The folder with tables of whole games.
    #[must_use]
    pub fn tables(&self) -> Option<&PathBuf> {
        self.tables.as_ref()
    }

    /// A job with the database and the tables, which stops when `cancel` is raised.
    #[must_use]
    pub fn terms(&self, cancel: &Cancel) -> Job {
        Job {
            store: self.store.clone(),
            table_folder: self.tables.clone(),
            cancel: cancel.clone(),
            ..Job::default()
        }
    }

    fn job(&self, question: &Question, memory: u64, cancel: &Cancel) -> Job {
        Job {
            position: Some(question.position.clone()),
            goal: if question.goal == "wdl" { Goal::Wdl } else { Goal::Distance },
            budget: Budget {
                time: Some(question.time),
                nodes: question.nodes,
                memory,
                threads: question.threads,
            },
            solver: question.solver.clone(),
            without: question.without.clone(),
            ..self.terms(cancel)
        }
    }

    /// Ask the judge. Blocks until it has an answer, its limits are reached, or `cancel` is raised.
    ///
    /// # Errors
    /// If the question is wrong. A database that fails is no reason not to answer.
    pub fn ask(&self, question: &Question, cancel: &Cancel, told: Option<Told>) -> Result<Value, ApiError> {
        let purpose = (question.game.clone(), question.goal.clone());
        // Who names a search or leaves out a rule wants to see just that at work.
        let plain = question.solver.is_none() && question.without.is_empty();
        let memory = Some(question.memory).filter(|_| !question.short);
        let known = plain.then(|| self.warm.take(&purpose, memory)).flatten();
        let lent = match known {
            Some(lent) => lent,
            None => Lent { game: board::open(&question.game)?, purpose, memory: question.memory },
        };
        let progress: Option<Reporter> =
            told.map(|told| -> Reporter { Arc::new(move |p: &Progress| told(wire::progress(p))) });
        let mut job = Job { progress, ..self.job(question, lent.memory, cancel) };
        let answered = match answer(lent.game.as_ref(), question.kind, &job) {
            Err(Refusal::Store(fault)) => {
                eprintln!("ludex: {fault} ({})", fault.hint());
                job.store = None;
                answer(lent.game.as_ref(), question.kind, &job)
            }
            other => other,
        };
        if plain {
            self.warm.give(lent);
        }
        answered.map_err(|e| ApiError::bad_request(e.code(), e.to_string(), e.hint()))
    }

    /// A move to play where the answer does not come in time.
    ///
    /// # Errors
    /// If the question is wrong.
    pub fn guess(&self, question: &Question, cancel: &Cancel) -> Result<Option<String>, ApiError> {
        let game = board::open(&question.game)?;
        let thought = game.think(&self.job(question, question.memory, cancel), GUESS);
        thought.map(|t| t.best).map_err(|e| ApiError::bad_request(e.code(), e.to_string(), e.hint()))
    }
}

fn answer(game: &dyn AnyGame, kind: Kind, job: &Job) -> Result<Value, Refusal> {
    match kind {
        Kind::Solve => game.solve(job).map(|v| json!(v)),
        Kind::Analyze => game.analyze(job).map(|a| json!(a)),
        Kind::Explain => game.explain(job).map(|e| json!(e)),
    }
}
