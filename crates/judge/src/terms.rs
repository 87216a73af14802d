//! Under what terms a question is answered: what may be used, who may stop it, who is told.

use std::{fmt, path::PathBuf, sync::Arc};

use ludex_core::{Cancel, Progress};
use ludex_store::Memory;

#[cfg(feature = "files")]
use crate::Checkpoint;
#[cfg(target_family = "wasm")]
use crate::{Alone, NoClock};
use crate::{Clock, Spawner};

/// Who is told of progress.
pub type Reporter = Arc<dyn Fn(&Progress) + Send + Sync>;

/// What the judge is handed besides a question. Everything that reaches outside the process is here.
#[derive(Clone)]
pub struct Terms {
    /// The verdicts to ask and to feed.
    pub memory: Option<Arc<dyn Memory>>,
    /// The folder with the tables.
    pub tables: Option<PathBuf>,
    /// Where to keep what the search remembers, so that it can go on after it was stopped.
    #[cfg(feature = "files")]
    pub checkpoint: Option<Checkpoint>,
    /// Raised to stop it.
    pub cancel: Cancel,
    /// Told of progress several times a second.
    pub progress: Option<Reporter>,
    /// Where the time comes from.
    pub clock: Arc<dyn Clock>,
    /// Who runs the workers.
    pub spawner: Arc<dyn Spawner>,
}

impl Terms {
    /// With this clock and these workers, and nothing else.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, spawner: Arc<dyn Spawner>) -> Self {
        Self {
            memory: None,
            tables: None,
            #[cfg(feature = "files")]
            checkpoint: None,
            cancel: Cancel::new(),
            progress: None,
            clock,
            spawner,
        }
    }

    /// The same, stopped when `cancel` is raised.
    #[must_use]
    pub fn until(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }
}

/// The system's clock and threads where there are some, and nothing else.
impl Default for Terms {
    fn default() -> Self {
        #[cfg(not(target_family = "wasm"))]
        return Self::new(Arc::new(crate::SystemClock::default()), Arc::new(crate::Threads));
        #[cfg(target_family = "wasm")]
        Self::new(Arc::new(NoClock), Arc::new(Alone))
    }
}

impl fmt::Debug for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terms")
            .field("memory", &self.memory.is_some())
            .field("tables", &self.tables)
            .field("cancel", &self.cancel)
            .field("clock", &self.clock)
            .field("spawner", &self.spawner)
            .finish_non_exhaustive()
    }
}
