//! Long searches: a bounded queue, a few at a time, watched, cancelled, and forgotten in the end.
//!
//! A job belongs to nobody: it goes on while somebody asks about it (by GET or an open event stream) and is cancelled
//! when nobody has for a while, or when the last event stream was closed, so a client that vanished holds no worker. Who
//! cancels it need not wait for a search that does not notice: the job is done then, whatever its thread still does.

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
use tokio::sync::watch;

use crate::{
    ApiError, Config,
    objects::{self, JobKind, JobObject, JobProgress, JobResult, JobState},
    part::Part,
    pool::{Place, Pool},
};

/// Finished jobs that are still remembered, and the moves in their results.
const REMEMBERED: (usize, usize) = (256, 200_000);

/// How long a job goes on after its last watcher has left: time to come back after a fault of the network.
const GRACE: Duration = Duration::from_secs(2);

/// How long a search may take to notice that it was cancelled.
const NOTICE: Duration = Duration::from_millis(700);

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
    watchers: AtomicUsize,
    patience: Duration,
}

/// Told of progress.
pub type Tell = Arc<dyn Fn(JobProgress) + Send + Sync>;

/// Searches to the end; called on a thread that may block.
pub type Run = Box<dyn FnOnce(&Cancel, Tell) -> Result<JobResult, Error> + Send>;

impl Job {
    /// The job object: what was asked, how far it is, what came of it, with a part of its moves.
    #[must_use]
    pub fn object(&self, snapshot: Snapshot, part: Part) -> objects::Job {
        let result = snapshot.result.map(|result| match result {
            JobResult::Analysis(whole) => JobResult::Analysis(part.cut(whole.analysis)),
            other => other,
        });
        objects::Job {
            object: JobObject::Job,
            version: VERSION,
            id: self.id.to_string(),
            state: snapshot.state,
            game: self.subject.game.clone(),
            position: self.subject.position.clone(),
            kind: self.subject.kind,
            progress: snapshot.progress,
            result,
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

    /// Watch it for as long as the answer lives; when the last one who does leaves, it is given up soon.
    #[must_use]
    pub fn watched(self: &Arc<Self>) -> Watched {
        self.watchers.fetch_add(1, Relaxed);
        Watched(self.clone())
    }

    /// Stop it.
    pub fn cancel(&self) {
        self.cancel.cancel();
        // Wake whoever waits for its turn.
        self.snapshot.send_modify(|_| {});
    }

    /// Change what is known, unless it is final.
    fn tell(&self, news: impl FnOnce(&mut Snapshot)) {
        self.snapshot.send_if_modified(|snapshot| {
            let open = snapshot.state != JobState::Done;
            if open {
                news(snapshot);
            }
            open
        });
    }

    /// Moves in its result.
    fn moves(&self) -> usize {
        match &self.snapshot.borrow().result {
            Some(JobResult::Analysis(whole)) => whole.analysis.moves.len(),
            _ => 0,
        }
    }

    fn is_queued(&self) -> bool {
        self.snapshot.borrow().state == JobState::Queued
    }

    fn done(&self) -> bool {
        self.snapshot.borrow().state == JobState::Done
    }
}

/// A job that somebody watches.
#[derive(Debug)]
pub struct Watched(pub Arc<Job>);

impl Drop for Watched {
    fn drop(&mut self) {
        if self.0.watchers.fetch_sub(1, Relaxed) == 1 {
            let long_ago = Instant::now().checked_sub(self.0.patience.saturating_sub(GRACE));
            let mut seen = lock(&self.0.seen);
            *seen = long_ago.unwrap_or(*seen).min(*seen);
        }
    }
}

/// All jobs of a server.
#[derive(Debug)]
pub struct Jobs {
    all: Mutex<HashMap<u64, Arc<Job>>>,
    next: AtomicU64,
    pool: Pool,
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
            pool: Pool::new(config.solves, config.queue),
            per_client: config.per_client,
            patience: config.patience,
        }
    }

    /// How many run and how many wait.
    #[must_use]
    pub fn load(&self) -> (usize, usize) {
        let (running, waiting, overtime) = self.pool.load();
        (running + overtime, waiting)
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

    /// Take a job on that may take so long, or say that there are too many.
    ///
    /// # Errors
    /// If the queue is full, or this client has too many jobs.
    pub fn start(
        &self,
        subject: Subject,
        client: IpAddr,
        time: Duration,
        run: Run,
    ) -> Result<Arc<Job>, ApiError> {
        let mut all = lock(&self.all);
        if all.values().filter(|j| !j.done() && j.client == client).count() >= self.per_client {
            return Err(ApiError::new(
                ErrorCode::TooMany,
                format!("you have {} unfinished jobs", self.per_client),
                "wait for one of your jobs to end, or cancel it with DELETE",
            ));
        }
        let place = self.pool.enter()?;
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
            watchers: AtomicUsize::new(0),
            patience: self.patience,
        });
        all.insert(id, job.clone());
        drop(all);
        tokio::spawn(carry_out(job.clone(), place, time, run));
        tokio::spawn(abandon(job.clone()));
        Ok(job)
    }

    /// Cancel everything: the server is about to stop.
    pub fn cancel_all(&self) {
        for job in lock(&self.all).values() {
            job.cancel();
        }
    }
}

/// Wait for the turn of a job, search, and keep the result.
async fn carry_out(job: Arc<Job>, place: Place, time: Duration, run: Run) {
    let mut changes = job.snapshot.subscribe();
    let cancelled = async {
        let _ = changes.wait_for(|_| job.cancel.is_cancelled()).await;
    };
    // The end of its time stops a search too, but then nobody has cancelled the job.
    let stop = Cancel::new();
    let search = async {
        let turn = place.turn().await?;
        let worker = job.clone();
        let work = move |cancel: &Cancel| {
            worker.tell(|s| s.state = JobState::Running);
            let watched = worker.clone();
            let tell: Tell = Arc::new(move |p| watched.tell(|s| s.progress = Some(p)));
            Ok(run(cancel, tell)?)
        };
        turn.run(time, &stop, work).await
    };
    let result = tokio::select! {
        result = search => result.map_err(|error| error.0),
        // What waits has no result; what searches has a moment for one.
        why = async {
            cancelled.await;
            stop.cancel();
            if job.is_queued() {
                return "the job was cancelled before its turn came";
            }
            tokio::time::sleep(NOTICE).await;
            "the search did not stop when the job was cancelled, and was given up"
        } => Err(Error::new(ErrorCode::Cancelled, why, "start it again")),
    };
    let result = result.unwrap_or_else(|error| JobResult::Error(ErrorLine::from(error)));
    job.tell(|s| {
        s.state = JobState::Done;
        s.result = Some(result);
    });
}

/// Cancel a job that nobody has asked about for so long.
async fn abandon(job: Arc<Job>) {
    let mut changes = job.snapshot.subscribe();
    loop {
        let quiet = lock(&job.seen).elapsed();
        if job.done() || quiet >= job.patience && job.watchers.load(Relaxed) == 0 {
            job.cancel();
            return;
        }
        tokio::select! {
            () = tokio::time::sleep(job.patience.saturating_sub(quiet).clamp(GRACE / 8, GRACE / 2)) => {},
            ended = changes.wait_for(|s| s.state == JobState::Done) => if ended.is_ok() { return },
        }
    }
}

/// Drop the oldest finished jobs beyond those to be remembered.
fn forget(all: &mut HashMap<u64, Arc<Job>>) {
    let mut finished: Vec<(u64, usize)> =
        all.values().filter(|j| j.done()).map(|j| (j.id, j.moves())).collect();
    finished.sort_unstable_by_key(|&(id, _)| std::cmp::Reverse(id));
    let mut kept = 0;
    for (i, (id, moves)) in finished.into_iter().enumerate() {
        kept += moves;
        if i >= REMEMBERED.0 || kept > REMEMBERED.1 {
            all.remove(&id);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
