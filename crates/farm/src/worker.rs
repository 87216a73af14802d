//! A worker: takes jobs, does them, hands in the answers.
//!
//! Nothing that the queue says is trusted further than a question goes: games are opened as those of a stranger (no file
//! is read), ways to positions are played move by move, and memory is the worker's own to grant.

use std::{
    collections::{HashMap, HashSet},
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use ludex_core::{Cancel, Error, ErrorCode, Status};
use ludex_judge::{AnyGame, Question, Registry, SharedFact, Terms};

use crate::{
    Farm, Kind,
    chore::{self, At, Chores},
    database::cells,
    farm::{Finished, Job, Submission},
    master,
    plan::{Answer, Task},
    trust,
};

/// How a worker works.
#[derive(Clone, Debug)]
pub struct Worker {
    /// What it is called in lists.
    pub name: String,
    /// How long a job may go without a sign of life.
    pub lease: Duration,
    /// Bytes for tables, whatever a question grants.
    pub memory: u64,
    /// At most so many short jobs are taken at once.
    pub batch: usize,
    /// Leave when there is nothing to do.
    pub until_done: bool,
    /// Whether it leads shared proof searches that nobody leads.
    pub leads: bool,
    /// The folder with tables.
    pub tables: Option<PathBuf>,
    /// What it can do besides searching.
    pub chores: Chores,
}

impl Default for Worker {
    fn default() -> Self {
        Self {
            name: "worker".to_owned(),
            lease: Duration::from_secs(30),
            memory: 1 << 30,
            batch: 256,
            until_done: false,
            leads: true,
            tables: None,
            chores: &[],
        }
    }
}

/// What a worker has done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worked {
    /// Jobs.
    pub jobs: u64,
    /// Positions searched.
    pub nodes: u64,
    /// Seconds in jobs.
    pub busy: f64,
    /// Seconds in all.
    pub seconds: f64,
}

/// Jobs are taken together as far as they take no longer than this.
const TOGETHER: f64 = 0.25;
/// How often the queue is looked at when nobody says that something has changed.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Submissions whose tables are kept.
const KEPT: usize = 2;

/// A submission as a worker knows it: its game, with what was learnt.
struct Known {
    submission: Submission,
    game: Box<dyn AnyGame>,
    /// The last fact of others that the game's table has.
    seen: i64,
    used: Instant,
}

/// The job that is being done, for whoever has to call it off.
type Current = Mutex<Option<(i64, Cancel)>>;

impl Worker {
    /// Work until called off, or until there is nothing to do if that was asked for.
    ///
    /// # Errors
    /// If the database cannot be used, or this worker is not trusted any more.
    pub fn run(&self, farm: &mut Farm, registry: &Registry, cancel: &Cancel) -> Result<Worked, Error> {
        let id = farm.enter_worker(&self.name)?;
        let current: Current = Mutex::new(None);
        let leave = Cancel::new();
        let mut beats = farm.again()?;
        thread::scope(|scope| {
            let heart = scope.spawn(|| self.beat(&mut beats, id, &current, cancel, &leave));
            let mut at_work = AtWork {
                worker: self,
                id,
                registry,
                current: &current,
                known: HashMap::new(),
                sure_of: HashSet::new(),
                together: 1,
                alone: true,
                done: Worked::default(),
            };
            let began = Instant::now();
            let worked = at_work.until_called_off(farm, cancel, scope, &leave);
            leave.cancel();
            let _ = farm.give_back(id);
            let beating = heart.join().unwrap_or_else(|_| {
                Err(Error::new(ErrorCode::Internal, "the thread that says the worker lives has panicked", ""))
            });
            worked?;
            beating?;
            Ok(Worked { seconds: began.elapsed().as_secs_f64(), ..at_work.done })
        })
    }

    /// Say that the worker lives, and call off what it need not go on with.
    fn beat(
        &self,
        farm: &mut Farm,
        id: i64,
        current: &Current,
        cancel: &Cancel,
        leave: &Cancel,
    ) -> Result<(), Error> {
        let every = (self.lease / 4).min(Duration::from_secs(1));
        let mut last: Option<Instant> = None;
        while !leave.is_cancelled() {
            let call_off = |unless: &dyn Fn(i64) -> bool| {
                if let Some((job, flag)) = &*current.lock().unwrap_or_else(PoisonError::into_inner)
                    && !unless(*job)
                {
                    flag.cancel();
                }
            };
            if cancel.is_cancelled() {
                call_off(&|_| false);
            } else if last.is_none_or(|at| at.elapsed() >= every) {
                let before = current.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|c| c.0);
                last = Some(Instant::now());
                let own = farm.heartbeat(id, self.lease)?;
                call_off(&|job| Some(job) != before || own.contains(&job));
            }
            thread::sleep(Duration::from_millis(20).min(every));
        }
        Ok(())
    }
}

/// A worker and what it keeps from one job to the next.
struct AtWork<'a> {
    worker: &'a Worker,
    id: i64,
    registry: &'a Registry,
    current: &'a Current,
    known: HashMap<i64, Known>,
    /// Submissions whose epoch was looked at for the jobs at hand.
    sure_of: HashSet<i64>,
    together: usize,
    alone: bool,
    done: Worked,
}

impl<'a> AtWork<'a> {
    fn until_called_off<'scope>(
        &mut self,
        farm: &mut Farm,
        cancel: &'scope Cancel,
        scope: &'scope thread::Scope<'scope, '_>,
        leave: &'scope Cancel,
    ) -> Result<(), Error>
    where
        'a: 'scope,
    {
        let mut looked: Option<Instant> = None;
        while !cancel.is_cancelled() {
            if looked.is_none_or(|at| at.elapsed() > LOOK_EVERY) {
                looked = Some(Instant::now());
                self.alone = farm.live_workers(Duration::from_secs(10))? <= 1;
                if self.worker.leads {
                    master::lead_what_nobody_leads(farm, self.worker, self.registry, cancel, scope, leave)?;
                }
            }
            let jobs = farm.claim(self.id, self.worker.lease, self.together, self.alone)?;
            if !jobs.is_empty() {
                self.work_on(farm, &jobs, cancel)?;
                continue;
            }
            farm.close_finished()?;
            self.check_trust(farm)?;
            if self.worker.until_done && farm.is_idle()? {
                return Ok(());
            }
            farm.wait(LOOK_EVERY.min(self.worker.lease / 4))?;
        }
        Ok(())
    }

    /// Do jobs and hand in what they came to.
    fn work_on(&mut self, farm: &mut Farm, jobs: &[Job], cancel: &Cancel) -> Result<(), Error> {
        let began = Instant::now();
        self.sure_of.clear();
        let mut done = Vec::new();
        let mut flushed = Instant::now();
        for job in jobs {
            if cancel.is_cancelled() {
                break;
            }
            if let Some(finished) = self.work_at(farm, job)? {
                self.done.jobs += 1;
                self.done.nodes += finished.nodes;
                self.done.busy += finished.seconds;
                done.push(finished);
            }
            if flushed.elapsed().as_secs_f64() > TOGETHER {
                self.hand_in(farm, &mut done)?;
                flushed = Instant::now();
            }
        }
        self.hand_in(farm, &mut done)?;
        let each = began.elapsed().as_secs_f64() / jobs.len() as f64;
        let fit = (TOGETHER / each.max(1e-6)) as usize;
        self.together = fit.clamp(1, self.worker.batch.max(1)).min(self.together * 4);
        if jobs.iter().any(|job| job.task.starts_with("{\"task\":\"pursue\"")) {
            // Leaves are chosen one by one for whoever is free: nobody takes two.
            self.together = 1;
        }
        Ok(())
    }

    fn hand_in(&mut self, farm: &mut Farm, done: &mut Vec<Finished>) -> Result<(), Error> {
        if done.is_empty() {
            return Ok(());
        }
        let late = farm.finish(self.id, done)?;
        for job in late {
            if let Some(ours) = done.iter().find(|it| it.job == job) {
                trust::compare_late(farm, self.id, ours)?;
            }
        }
        for it in done.iter() {
            trust::act_on_check(farm, self.id, &it.result)?;
        }
        done.clear();
        farm.notify()?;
        self.check_trust(farm)
    }

    /// A worker that is not trusted any more stops.
    fn check_trust(&self, farm: &mut Farm) -> Result<(), Error> {
        let rows = farm.query("SELECT trusted, why FROM farm_worker WHERE id = $1", cells![self.id])?;
        match rows.first() {
            Some(row) if row[0].int() == 0 => Err(Error::new(
                ErrorCode::Contradiction,
                format!("this worker is not trusted any more: {}", row[1].text()),
                "its answers are set aside; check the machine's memory and the program before it works again",
            )),
            _ => Ok(()),
        }
    }

    /// Do one job; nothing if it was called off.
    fn work_at(&mut self, farm: &mut Farm, job: &Job) -> Result<Option<Finished>, Error> {
        let began = Instant::now();
        let flag = Cancel::new();
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some((job.id, flag.clone()));
        let answered = self.answer(farm, job, &flag);
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let (answer, nodes, seen, sample) = match answered {
            Ok(Some(answered)) => answered,
            Ok(None) => return Ok(None),
            Err(error) if error.code == ErrorCode::BadDatabase => return Err(error),
            Err(error) => (Answer::Refused { error }, 0, 0, (0.0, 0)),
        };
        let claims = match &answer {
            Answer::Verdict(_) | Answer::Pursuit(_) | Answer::Part { .. } => true,
            Answer::Checked { .. } | Answer::Refused { .. } => false,
        };
        let result = serde_json::to_string(&answer)
            .map_err(|e| Error::new(ErrorCode::Internal, format!("an answer cannot be written: {e}"), ""))?;
        Ok(Some(Finished {
            job: job.id,
            result,
            nodes,
            seconds: began.elapsed().as_secs_f64(),
            seen,
            sampled: claims && trust::is_sampled(sample.1, job.id, sample.0),
        }))
    }

    /// The answer, its nodes, the last fact that went into it, and how the submission samples.
    #[expect(clippy::type_complexity, reason = "a tuple that is taken apart at once")]
    fn answer(
        &mut self,
        farm: &mut Farm,
        job: &Job,
        flag: &Cancel,
    ) -> Result<Option<(Answer, u64, i64, (f64, u64))>, Error> {
        let task: Task = serde_json::from_str(&job.task)
            .map_err(|e| Error::new(ErrorCode::Damaged, format!("job {} cannot be read: {e}", job.id), ""))?;
        let terms = Terms { tables: self.worker.tables.clone(), ..Terms::default() }.until(flag);
        let (id, memory) = (self.id, self.worker.memory);
        if let Task::Check { job } = task {
            let found = trust::check(farm, self.registry, job, (memory, self.worker.chores), &terms)?;
            return Ok(found.map(|(found, nodes)| (Answer::Checked { job, found }, nodes, 0, (0.0, 0))));
        }
        let (registry, chores) = (self.registry, self.worker.chores);
        let known = self.known(farm, job.submission)?;
        let question = granted(&known.submission.question, memory);
        let sample = (known.submission.plan.sample, known.submission.plan.seed);
        match task {
            Task::Solve { position } => {
                let question = Question { position: Some(position), ..question };
                let verdict = known.game.solve(&question, &terms)?;
                if verdict.status == Status::Cancelled {
                    return Ok(None);
                }
                let nodes = verdict.stats.nodes;
                Ok(Some((Answer::Verdict(Box::new(verdict)), nodes, 0, sample)))
            }
            Task::Part { part } => {
                let ordered = known.submission.ordered.as_ref();
                let chore = chore::find(chores, ordered)?;
                let at = At { registry, game: &*known.game, memory, terms: &terms };
                let order = ordered.map_or(&serde_json::Value::Null, |ordered| &ordered.order);
                let came_to = catch_unwind(AssertUnwindSafe(|| chore.part(&at, order, &part)));
                let came_to = came_to.unwrap_or_else(|_| {
                    Err(Error::new(ErrorCode::Internal, "a part panicked", "please report the job"))
                })?;
                Ok(came_to.map(|came_to| (Answer::Part { came_to }, 0, 0, sample)))
            }
            Task::Pursue(leaf) => {
                let facts = known.news(farm, id)?;
                let game = &known.game;
                let pursued =
                    catch_unwind(AssertUnwindSafe(|| game.pursue(&question, &leaf, &facts, &terms)));
                let pursued = pursued.unwrap_or_else(|_| {
                    Err(Error::new(ErrorCode::Internal, "a search panicked", "please report the job"))
                });
                let mut pursuit = match pursued {
                    Err(error) if error.code == ErrorCode::Stopped => return Ok(None),
                    other => other?,
                };
                let facts = std::mem::take(&mut pursuit.facts);
                publish(farm, job, id, &facts)?;
                let (nodes, seen) = (pursuit.nodes, known.seen);
                Ok(Some((Answer::Pursuit(Box::new(pursuit)), nodes, seen, sample)))
            }
            Task::Check { .. } => Ok(None),
        }
    }

    /// A submission with its game, opened when it is first met and again when what was learnt is not to be trusted.
    fn known(&mut self, farm: &mut Farm, id: i64) -> Result<&mut Known, Error> {
        if self.sure_of.insert(id) {
            let rows = farm.query("SELECT epoch FROM farm_submission WHERE id = $1", cells![id])?;
            let epoch = rows.first().map_or(0, |row| row[0].int());
            self.known.retain(|known, it| *known != id || it.submission.epoch == epoch);
        }
        if !self.known.contains_key(&id) {
            while self.known.len() >= KEPT {
                let oldest = self.known.iter().min_by_key(|(_, known)| known.used).map(|(id, _)| *id);
                self.known.retain(|id, _| Some(*id) != oldest);
            }
            let submission = farm.submission(id)?;
            let game = self.registry.open_foreign(&submission.spec)?;
            self.known.insert(id, Known { submission, game, seen: 0, used: Instant::now() });
        }
        let known = self.known.get_mut(&id).ok_or_else(|| {
            Error::new(ErrorCode::Internal, "a submission that was just opened is gone", "")
        })?;
        known.used = Instant::now();
        Ok(known)
    }
}

impl Known {
    /// What others have found since the last time.
    fn news(&mut self, farm: &mut Farm, worker: i64) -> Result<Vec<SharedFact>, Error> {
        if self.submission.kind != Kind::Proof {
            return Ok(Vec::new());
        }
        let rows = farm.query(
            "SELECT seq, CASE WHEN worker = $3 THEN '[]' ELSE body END FROM farm_fact
             WHERE submission = $1 AND seq > $2 ORDER BY seq",
            cells![self.submission.id, self.seen, worker],
        )?;
        let mut facts: Vec<SharedFact> = Vec::new();
        for row in rows {
            self.seen = self.seen.max(row[0].int());
            // What cannot be read is left out: a fact that is missing costs time, never truth.
            facts.extend(serde_json::from_str::<Vec<SharedFact>>(row[1].text()).unwrap_or_default());
        }
        Ok(facts)
    }
}

fn publish(farm: &mut Farm, job: &Job, worker: i64, facts: &[SharedFact]) -> Result<(), Error> {
    if facts.is_empty() {
        return Ok(());
    }
    let body = serde_json::to_string(facts)
        .map_err(|e| Error::new(ErrorCode::Internal, format!("facts cannot be written: {e}"), ""))?;
    farm.query(
        "INSERT INTO farm_fact (submission, job, worker, body) VALUES ($1, $2, $3, $4)",
        cells![job.submission, job.id, worker, body],
    )
    .map(drop)
}

/// A question with the memory that a worker has.
pub(crate) fn granted(question: &Question, memory: u64) -> Question {
    let mut question = question.clone();
    question.budget.memory = question.budget.memory.min(memory).max(ludex_judge::MIN_MEMORY);
    question.budget.threads = 1;
    question
}
