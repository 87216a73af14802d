//! The way to the judge: a question in, a `verdict` or `analysis` object out.

use std::{sync::Arc, time::Duration};

use ludex_judge::{Budget, Cancel, Goal, Job, Progress, Refusal, Reporter, Store, wire};
use serde_json::{Value, json};

use crate::{ApiError, board};

/// What is asked about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Its value.
    Solve,
    /// The value of every move.
    Analyze,
}

impl Kind {
    /// The word in requests.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Solve => "solve",
            Kind::Analyze => "analyze",
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

/// Ask the judge. Blocks until it has an answer, its limits are reached, or `cancel` is raised.
///
/// # Errors
/// If the question is wrong. A database that fails is no reason not to answer.
pub fn ask(
    question: &Question,
    store: Option<&Arc<Store>>,
    cancel: &Cancel,
    told: Option<Told>,
) -> Result<Value, ApiError> {
    let game = board::open(&question.game)?;
    let progress: Option<Reporter> =
        told.map(|told| -> Reporter { Arc::new(move |p: &Progress| told(wire::progress(p))) });
    let mut job = Job {
        position: Some(question.position.clone()),
        goal: if question.goal == "wdl" { Goal::Wdl } else { Goal::Distance },
        budget: Budget {
            time: Some(question.time),
            nodes: question.nodes,
            memory: question.memory,
            threads: question.threads,
        },
        solver: question.solver.clone(),
        without: question.without.clone(),
        store: store.cloned(),
        cancel: cancel.clone(),
        progress,
        ..Job::default()
    };
    let answer = |job: &Job| match question.kind {
        Kind::Solve => game.solve(job).map(|v| json!(v)),
        Kind::Analyze => game.analyze(job).map(|a| json!(a)),
    };
    let answered = match answer(&job) {
        Err(Refusal::Store(fault)) => {
            eprintln!("ludex: {fault} ({})", fault.hint());
            job.store = None;
            answer(&job)
        }
        other => other,
    };
    answered.map_err(|e| ApiError::bad_request(e.code(), e.to_string(), e.hint()))
}
