//! Where calls become questions: the games that are open, the limits, and the calls that are under way.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use ludex_core::{Budget, Cancel, Error, ErrorCode, Goal};
use ludex_judge::{AnyGame, Question, Registry, Terms};
use serde_json::Value;

use crate::{Limits, Means, reply::Reply, tools::Offer};

/// Games that stay open, with what their searches remember.
const OPEN: usize = 4;

/// Where calls become questions.
pub(crate) struct Desk {
    registry: Registry,
    means: Means,
    /// The last one was asked about last.
    open: Mutex<Vec<Arc<dyn AnyGame>>>,
    /// How calls are called off, by their numbers.
    running: Mutex<BTreeMap<u64, Cancel>>,
    calls: AtomicU64,
}

impl Desk {
    pub(crate) fn new(registry: Registry, means: Means) -> Self {
        Self {
            registry,
            means,
            open: Mutex::new(Vec::new()),
            running: Mutex::default(),
            calls: AtomicU64::new(0),
        }
    }

    pub(crate) const fn limits(&self) -> Limits {
        self.means.limits
    }

    pub(crate) const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Answer a call.
    pub(crate) fn call(&self, tool: &Offer, arguments: Value, cancel: &Cancel) -> Result<Reply, Error> {
        let running = || self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let number = self.calls.fetch_add(1, Relaxed);
        running().insert(number, cancel.clone());
        let answer = (tool.answer)(self, arguments, cancel);
        running().remove(&number);
        answer
    }

    /// Call off everything.
    pub(crate) fn close(&self) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).values().for_each(Cancel::cancel);
    }

    /// The game of a spec, which names no file: who calls is a stranger.
    pub(crate) fn game(&self, spec: &str) -> Result<Arc<dyn AnyGame>, Error> {
        let opened: Arc<dyn AnyGame> = self.registry.open_foreign(spec)?.into();
        let name = opened.spec();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let game = match open.iter().position(|game| game.spec() == name) {
            Some(place) => open.remove(place),
            None => opened,
        };
        open.push(game.clone());
        if open.len() > OPEN {
            open.remove(0);
        }
        Ok(game)
    }

    /// What a question may use.
    pub(crate) fn terms(&self, cancel: &Cancel) -> Terms {
        let Means { tables, memory, .. } = &self.means;
        Terms { memory: memory.clone(), tables: tables.clone(), ..Terms::default().until(cancel) }
    }

    /// A question about a position, its time cut down to the limit.
    pub(crate) fn question(
        &self,
        position: Option<String>,
        goal: Goal,
        seconds: Option<f64>,
    ) -> Result<Question, Error> {
        let most = self.means.limits.time;
        let time = match seconds {
            None => most,
            Some(seconds) => Duration::try_from_secs_f64(seconds)
                .ok()
                .filter(|time| !time.is_zero())
                .ok_or_else(|| {
                    let message = format!("{seconds} is no time");
                    Error::new(ErrorCode::BadTime, message, "a number of seconds above zero")
                })?
                .min(most),
        };
        let Limits { memory, threads, .. } = self.means.limits;
        let budget = Budget { time: Some(time), nodes: None, memory, threads };
        Ok(Question { position, goal, budget, ..Question::default() })
    }
}
