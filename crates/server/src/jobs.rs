//! Long searches: a bounded queue, a few at a time, watched, cancelled, and forgotten in the end.
//!
//! A job belongs to nobody: it goes on while somebody asks about it (by GET or an open event stream) and is cancelled
//! when nobody has for a while, so a client that vanished holds no worker.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use ludex_core::{Error, ErrorCode};
use ludex_judge::{
    Cancel,
    answer::{ErrorLine, VERSION},
};
use tokio::sync::{Semaphore, watch};

use crate::{
    ApiError, Config,
    objects::{self, JobKind, JobObject, JobProgress, JobResult, JobState},
};

/// Finished jobs that are still remembered.
const REMEMBERED: usize = 256;

/// How long a job goes on after its last watcher has left.
const GRACE: Duration = Duration::from_secs(5);

/// What is known of a job at a moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// How far it is.
    pub state: JobState,
    /// The latest news of its search.
    pub progress: Option<JobProgress>,
    /// What came of it.
    pub result: Option<JobResult>,
}

/// What a job is about.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The canonical spec.
    pub game: String,
    /// The position text.
    pub position: String,
    /// What is asked.
    pub kind: JobKind,
}

/// One search.
#[derive(Debug)]
pub struct Job {
    /// Its number.
    pub id: u64,
    subject: Subject,
    client: IpAddr,
    cancel: Cancel,
    snapshot: watch::Sender<Snapshot>,
    seen: Mutex<Instant>,
    patience: Duration,
}

/// Told of progress.
pub type Tell = Arc<dyn Fn(JobProgress) + Send + Sync>;

/// Searches to the end; called on a thread that may block.
pub type Run = Box<dyn FnOnce(&Cancel, Tell) -> Result<JobResult, Error> + Send>;

impl Job {
    /// The job object: what was asked, how far it is, what came of it.
    #[must_use]
    pub fn object(&self, snapshot: Snapshot) -> objects::Job {
        objects::Job {
            object: JobObject::Job,
            version: VERSION,
            id: self.id.to_string(),
            state: snapshot.state,
            game: self.subject.game.clone(),
            position: self.subject.position.clone(),
            kind: self.subject.kind,
            progress: snapshot.progress,
            result: snapshot.result,
        }
    }

    /// What is known now.
    #[must_use]
    pub fn now(&self) -> Snapshot {
        self.look();
        self.snapshot.borrow().clone()
    }

    /// What becomes known.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Snapshot> {
        self.look();
        self.snapshot.subscribe()
    }

    /// Somebody cares.
    pub fn look(&self) {
        *lock(&self.seen) = Instant::now();
    }

    /// Somebody stopped watching: unless somebody else looks, it is given up soon.
    pub fn leave(&self) {
        let long_ago = Instant::now().checked_sub(self.patience.saturating_sub(GRACE));
        let mut seen = lock(&self.seen);
        *seen = long_ago.unwrap_or(*seen).min(*seen);
    }

    /// Stop it.
    pub fn cancel(&self) {
        self.cancel.cancel();
        // Wake whoever waits for its turn.
        self.snapshot.send_modify(|_| {});
    }

    fn done(&self) -> bool {
        self.snapshot.borrow().state == JobState::Done
    }
}

/// All jobs of a server.
#[derive(Debug)]
pub struct Jobs {
    all: Mutex<HashMap<u64, Arc<Job>>>,
    next: AtomicU64,
    turns: Arc<Semaphore>,
    running: AtomicUsize,
    waiting: AtomicUsize,
    queue: usize,
    per_client: usize,
    patience: Duration,
}

impl Jobs {
    /// No jobs yet.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        // Numbers that cannot be guessed from one another would need a secret; that jobs are not private is documented.
        Self {
            all: Mutex::default(),
            next: AtomicU64::new(1),
            turns: Arc::new(Semaphore::new(config.solves.max(1))),
            running: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            queue: config.queue,
            per_client: config.per_client,
            patience: config.patience,
        }
    }

    /// How many run and how many wait.
    #[must_use]
    pub fn load(&self) -> (usize, usize) {
        (self.running.load(Relaxed), self.waiting.load(Relaxed))
    }

    /// A job by its number.
    ///
    /// # Errors
    /// If there is none.
    pub fn get(&self, id: &str) -> Result<Arc<Job>, ApiError> {
        let job = id.parse().ok().and_then(|id: u64| lock(&self.all).get(&id).cloned());
        job.ok_or_else(|| {
            ApiError::new(
                ErrorCode::NotFound,
                format!("there is no job '{id}'"),
                "jobs are forgotten some time after they end; POST to /api/v1/solve to start one",
            )
        })
    }

    /// Take a job on, or say that there are too many.
    ///
    /// # Errors
    /// If the queue is full, or this client has too many jobs.
    pub fn start(self: &Arc<Self>, subject: Subject, client: IpAddr, run: Run) -> Result<Arc<Job>, ApiError> {
        let job = {
            let mut all = lock(&self.all);
            let unfinished = all.values().filter(|j| !j.done()).count();
            if unfinished >= self.queue + self.turns_in_all() {
                return Err(ApiError::busy(format!("{} jobs are waiting already", self.queue)));
            }
            if all.values().filter(|j| !j.done() && j.client == client).count() >= self.per_client {
                return Err(ApiError::new(
                    ErrorCode::TooMany,
                    format!("you have {} unfinished jobs", self.per_client),
                    "wait for one of your jobs to end, or cancel it with DELETE",
                ));
            }
            forget(&mut all);
            let id = self.next.fetch_add(1, Relaxed);
            let first = Snapshot { state: JobState::Queued, progress: None, result: None };
            let job = Arc::new(Job {
                id,
                subject,
                client,
                cancel: Cancel::new(),
                snapshot: watch::Sender::new(first),
                seen: Mutex::new(Instant::now()),
                patience: self.patience,
            });
            all.insert(id, job.clone());
            job
        };
        self.waiting.fetch_add(1, Relaxed);
        tokio::spawn(self.clone().carry_out(job.clone(), run));
        tokio::spawn(abandon(job.clone()));
        Ok(job)
    }

    fn turns_in_all(&self) -> usize {
        self.turns.available_permits() + self.running.load(Relaxed)
    }

    async fn carry_out(self: Arc<Self>, job: Arc<Job>, run: Run) {
        let mut changes = job.snapshot.subscribe();
        let turn = loop {
            tokio::select! {
                turn = self.turns.clone().acquire_owned() => break turn.ok(),
                _ = changes.changed() => if job.cancel.is_cancelled() { break None },
            }
        };
        self.waiting.fetch_sub(1, Relaxed);
        let result = match turn {
            None => Err(Error::new(
                ErrorCode::Cancelled,
                "the job was cancelled before its turn came",
                "start it again",
            )),
            Some(turn) => {
                self.running.fetch_add(1, Relaxed);
                let worker = job.clone();
                let result = tokio::task::spawn_blocking(move || {
                    let _turn = turn;
                    worker.snapshot.send_modify(|s| s.state = JobState::Running);
                    let watched = worker.clone();
                    let tell: Tell =
                        Arc::new(move |p| watched.snapshot.send_modify(|s| s.progress = Some(p)));
                    run(&worker.cancel, tell)
                })
                .await;
                self.running.fetch_sub(1, Relaxed);
                result.unwrap_or_else(|_| Err(ApiError::internal().0))
            }
        };
        let result = result.unwrap_or_else(|error| JobResult::Error(ErrorLine::from(error)));
        job.snapshot.send_modify(|s| {
            s.state = JobState::Done;
            s.result = Some(result);
        });
    }

    /// Cancel everything: the server is about to stop.
    pub fn cancel_all(&self) {
        for job in lock(&self.all).values() {
            job.cancel();
        }
    }
}

/// Cancel a job that nobody has asked about for so long.
async fn abandon(job: Arc<Job>) {
    let mut changes = job.snapshot.subscribe();
    loop {
        if job.done() {
            return;
        }
        let quiet = lock(&job.seen).elapsed();
        if quiet >= job.patience {
            job.cancel();
            return;
        }
        tokio::select! {
            () = tokio::time::sleep((job.patience - quiet).min(GRACE / 2)) => {},
            ended = changes.wait_for(|s| s.state == JobState::Done) => if ended.is_ok() { return },
        }
    }
}

/// Drop the oldest finished jobs beyond those to be remembered.
fn forget(all: &mut HashMap<u64, Arc<Job>>) {
    let mut finished: Vec<u64> = all.values().filter(|j| j.done()).map(|j| j.id).collect();
    finished.sort_unstable();
    for id in finished.iter().rev().skip(REMEMBERED) {
        all.remove(id);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
