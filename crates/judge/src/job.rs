//! What is asked of the judge.

use std::{fmt, path::PathBuf, sync::Arc};

use ludex_core::{Budget, Cancel, Goal, InputError, MIN_MEMORY, Progress};
use ludex_store::Store;

use crate::checkpoint::Checkpoint;

/// Who is told of progress.
pub type Reporter = Arc<dyn Fn(&Progress) + Send + Sync>;

/// A question about a position of a game, and what answering it may cost.
#[derive(Clone)]
pub struct Job {
    /// The position's text; the start if there is none.
    pub position: Option<String>,
    /// The seed of the deal, for games that begin with one.
    pub seed: Option<u64>,
    /// What is wanted.
    pub goal: Goal,
    /// Limits.
    pub budget: Budget,
    /// The search by name, or the one that suits the game.
    pub solver: Option<String>,
    /// Rules to do without.
    pub without: Vec<String>,
    /// The database to ask and to feed.
    pub store: Option<Arc<Store>>,
    /// Whether tables may answer.
    pub tables: bool,
    /// The folder with the tables; by default what `LUDEX_TABLES` in the environment names.
    pub table_folder: Option<PathBuf>,
    /// Whether books may answer.
    pub book: bool,
    /// Where to keep what the search remembers, so that it can go on after it was stopped.
    pub checkpoint: Option<Checkpoint>,
    /// Raised to stop it.
    pub cancel: Cancel,
    /// Told of progress several times a second.
    pub progress: Option<Reporter>,
}

impl Default for Job {
    fn default() -> Self {
        Self {
            position: None,
            seed: None,
            goal: Goal::Wdl,
            budget: Budget::default(),
            solver: None,
            without: Vec::new(),
            store: None,
            tables: true,
            table_folder: std::env::var_os("LUDEX_TABLES").map(PathBuf::from),
            book: true,
            checkpoint: None,
            cancel: Cancel::new(),
            progress: None,
        }
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("position", &self.position)
            .field("goal", &self.goal)
            .field("budget", &self.budget)
            .field("solver", &self.solver)
            .field("without", &self.without)
            .finish_non_exhaustive()
    }
}

impl Job {
    /// Refuse limits that no search can keep.
    pub(crate) fn check(&self) -> Result<(), InputError> {
        let budget = &self.budget;
        if budget.memory < MIN_MEMORY {
            return Err(InputError::new(
                "bad_memory",
                format!("{} bytes of memory are too few", budget.memory),
                format!("at least {} MiB", MIN_MEMORY >> 20),
            ));
        }
        if budget.time.is_some_and(|t| t.is_zero()) {
            return Err(InputError::new(
                "bad_time",
                "no time at all",
                "a time above zero, such as 30s or 5m",
            ));
        }
        if budget.nodes == Some(0) {
            return Err(InputError::new("bad_nodes", "no nodes at all", "a number above zero, such as 1e6"));
        }
        if !(1..=1024).contains(&budget.threads) {
            return Err(InputError::new(
                "bad_threads",
                format!("{} threads", budget.threads),
                "a number of threads from 1 to 1024",
            ));
        }
        Ok(())
    }
}
