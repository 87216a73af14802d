//! A farm's queue: submissions, jobs with leases, workers.
//!
//! Everything goes by the database's clock, and everything can be done twice: a connection that is lost in the middle is
//! made again, and what was being done is done again.

use std::{
    thread,
    time::{Duration, Instant},
};

use ludex_core::{Error, ErrorCode};
use ludex_judge::Question;

use crate::{
    Kind, Plan, StoreUrl,
    chore::Ordered,
    database::{Cell, Cells, Database, Fault, cells, connect},
    schema,
};

/// The version of the program, which workers of one submission must share: keys and ways are its own.
pub(crate) const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// How long a database may be away before it is given up.
const PATIENCE: Duration = Duration::from_secs(120);

/// A connection to a farm's queue.
pub struct Farm {
    url: StoreUrl,
    database: Box<dyn Database>,
    patience: Duration,
    expired: Option<Instant>,
}

impl std::fmt::Debug for Farm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Farm").field("url", &self.url).finish_non_exhaustive()
    }
}

/// A submission as the queue keeps it.
#[derive(Clone, Debug)]
pub(crate) struct Submission {
    pub(crate) id: i64,
    pub(crate) kind: Kind,
    pub(crate) spec: String,
    pub(crate) question: Question,
    /// What its parts have in common, if it has parts.
    pub(crate) ordered: Option<Ordered>,
    pub(crate) plan: Plan,
    pub(crate) program: String,
    pub(crate) state: String,
    pub(crate) epoch: i64,
}

/// A job that a worker has.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) id: i64,
    pub(crate) submission: i64,
    pub(crate) task: String,
}

/// A job that is done, as it goes into the queue.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    pub(crate) job: i64,
    pub(crate) result: String,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
    /// The last fact of others that went into it.
    pub(crate) seen: i64,
    /// Whether the sample has it.
    pub(crate) sampled: bool,
}

impl Farm {
    /// Make a farm's tables, unless they are there; says whether they are new.
    ///
    /// # Errors
    /// If the database cannot be reached or is not ours.
    pub fn init(url: &StoreUrl) -> Result<bool, Error> {
        let mut database = connect(url, true).map_err(said)?;
        schema::make(&mut *database).map_err(said)
    }

    /// Open a farm.
    ///
    /// # Errors
    /// If the database cannot be reached, has no farm in it, or one of another version.
    pub fn open(url: &StoreUrl) -> Result<Self, Error> {
        let mut database = connect(url, false).map_err(said)?;
        schema::check(&mut *database).map_err(said)?;
        Ok(Self { url: url.clone(), database, patience: PATIENCE, expired: None })
    }

    /// Another connection to the same farm.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn again(&self) -> Result<Self, Error> {
        Self::open(&self.url)
    }

    /// The farm's database, without anything secret.
    #[must_use]
    pub fn name(&self) -> String {
        self.url.to_string()
    }

    /// Do something, again after a connection was lost, until patience ends.
    pub(crate) fn run<T>(
        &mut self,
        mut work: impl FnMut(&mut dyn Database) -> Result<T, Fault>,
    ) -> Result<T, Error> {
        let began = Instant::now();
        let mut pause = Duration::from_millis(20);
        loop {
            let why = match work(&mut *self.database) {
                Ok(done) => return Ok(done),
                Err(Fault::Lost(why)) => why,
                Err(fault) => return Err(said(fault)),
            };
            if began.elapsed() > self.patience {
                return Err(said(Fault::Lost(why)));
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_secs(1));
            // A transaction that was left open goes with its connection.
            match connect(&self.url, false) {
                Ok(database) => self.database = database,
                Err(Fault::Lost(_)) => {}
                Err(fault) => return Err(said(fault)),
            }
        }
    }

    /// The same in a transaction.
    pub(crate) fn transact<T>(
        &mut self,
        mut work: impl FnMut(&mut dyn Database) -> Result<T, Fault>,
    ) -> Result<T, Error> {
        self.run(|database| {
            database.begin()?;
            match work(database) {
                Ok(done) => database.batch("COMMIT").map(|()| done),
                Err(fault) => {
                    let _ = database.batch("ROLLBACK");
                    Err(fault)
                }
            }
        })
    }

    pub(crate) fn query(&mut self, sql: &str, values: &[Cell]) -> Result<Vec<Cells>, Error> {
        self.run(|database| {
            let sql = database.dialect().say(sql);
            database.query(&sql, values)
        })
    }

    pub(crate) fn wait(&mut self, time: Duration) -> Result<(), Error> {
        self.run(|database| database.wait(time))
    }

    pub(crate) fn notify(&mut self) -> Result<(), Error> {
        self.run(|database| database.notify())
    }

    /// Enter a worker.
    pub(crate) fn enter_worker(&mut self, name: &str) -> Result<i64, Error> {
        let process = i64::from(std::process::id());
        let rows = self.query(
            "INSERT INTO farm_worker (name, process, program, started, seen) VALUES ($1, $2, $3, {now}, {now}) RETURNING id",
            cells![name, process, PROGRAM],
        )?;
        Ok(rows[0][0].int())
    }

    /// Take waiting jobs, the most urgent first. `alone`: nobody else is there to check one's own answers.
    pub(crate) fn claim(
        &mut self,
        worker: i64,
        lease: Duration,
        most: usize,
        alone: bool,
    ) -> Result<Vec<Job>, Error> {
        if self.expired.is_none_or(|at| at.elapsed() > lease / 4) {
            self.expired = Some(Instant::now());
            self.query("UPDATE farm_job SET state = 0 WHERE state = 1 AND lease < {now}", &[])?;
        }
        let rows = self.query(
            "UPDATE farm_job SET state = 1, worker = $1, lease = {now} + $2, attempts = attempts + 1
             WHERE id IN (
                 SELECT id FROM farm_job WHERE state = 0 AND (avoid IS NULL OR avoid <> $1 OR $3 = 1)
                 AND submission IN (SELECT id FROM farm_submission WHERE program = $4)
                 AND EXISTS (SELECT 1 FROM farm_worker WHERE id = $1 AND trusted = 1)
                 ORDER BY rank DESC, id LIMIT $5 {skip_taken})
             RETURNING id, submission, task",
            cells![worker, lease.as_millis() as i64, i64::from(alone), PROGRAM, most as i64],
        )?;
        let mut jobs: Vec<Job> = rows
            .into_iter()
            .map(|row| Job { id: row[0].int(), submission: row[1].int(), task: row[2].text().to_owned() })
            .collect();
        jobs.sort_by_key(|job| job.id);
        Ok(jobs)
    }

    /// Say that a worker lives and goes on; which of its jobs are still its own.
    pub(crate) fn heartbeat(&mut self, worker: i64, lease: Duration) -> Result<Vec<i64>, Error> {
        self.query("UPDATE farm_worker SET seen = {now} WHERE id = $1", cells![worker])?;
        let rows = self.query(
            "UPDATE farm_job SET lease = {now} + $2 WHERE worker = $1 AND state = 1 RETURNING id",
            cells![worker, lease.as_millis() as i64],
        )?;
        Ok(rows.iter().map(|row| row[0].int()).collect())
    }

    /// Give back jobs that were taken and not done.
    pub(crate) fn give_back(&mut self, worker: i64) -> Result<(), Error> {
        self.query("UPDATE farm_job SET state = 0 WHERE worker = $1 AND state = 1", cells![worker]).map(drop)
    }

    /// Hand in answers. Those to jobs that are done already, or called off, are left alone; they are returned.
    pub(crate) fn finish(&mut self, worker: i64, done: &[Finished]) -> Result<Vec<i64>, Error> {
        let list: Vec<_> = done
            .iter()
            .map(|it| {
                let checked = if it.sampled { "waiting" } else { "" };
                serde_json::json!([it.job, it.result, it.nodes, it.seconds, it.seen, checked])
            })
            .collect();
        let list = serde_json::Value::Array(list).to_string();
        let rows = self.transact(|database| {
            let sql = database.dialect().say(
                "UPDATE farm_job SET state = 2, worker = $2, result = r.result, nodes = r.nodes,
                     seconds = r.seconds, seen = r.seen, finished = {now}, checked = NULLIF(r.checked, '')
                 FROM (SELECT CAST(value ->> 0 AS BIGINT) AS id, value ->> 1 AS result,
                              CAST(value ->> 2 AS BIGINT) AS nodes,
                              CAST(value ->> 3 AS DOUBLE PRECISION) AS seconds,
                              CAST(value ->> 4 AS BIGINT) AS seen, value ->> 5 AS checked FROM {each}) AS r
                 WHERE farm_job.id = r.id AND farm_job.state IN (0, 1)
                   AND EXISTS (SELECT 1 FROM farm_worker AS w WHERE w.id = $2 AND w.trusted = 1)
                 RETURNING farm_job.id",
            );
            let rows = database.query(&sql, &[Cell::Text(list.clone()), Cell::Int(worker)])?;
            if done.iter().any(|it| it.sampled) {
                database.query(
                    "INSERT INTO farm_job (submission, key, task, rank, avoid)
                     SELECT submission, 'check:' || id, '{\"task\":\"check\",\"job\":' || id || '}', rank, worker
                     FROM farm_job WHERE state = 2 AND checked = 'waiting' AND worker = $1
                     ON CONFLICT (submission, key) DO NOTHING",
                    cells![worker],
                )?;
            }
            Ok(rows)
        })?;
        let taken: Vec<i64> = rows.iter().map(|row| row[0].int()).collect();
        Ok(done.iter().map(|it| it.job).filter(|job| !taken.contains(job)).collect())
    }

    /// How many trusted workers have been seen lately.
    pub(crate) fn live_workers(&mut self, within: Duration) -> Result<usize, Error> {
        let rows = self.query(
            "SELECT count(*) FROM farm_worker WHERE trusted = 1 AND seen > {now} - $1",
            cells![within.as_millis() as i64],
        )?;
        Ok(rows[0][0].int().max(0) as usize)
    }

    /// A submission by its number.
    pub(crate) fn submission(&mut self, id: i64) -> Result<Submission, Error> {
        let rows = self.query(
            "SELECT id, kind, spec, question, plan, program, state, epoch FROM farm_submission WHERE id = $1",
            cells![id],
        )?;
        let row = rows.into_iter().next().ok_or_else(|| {
            let message = format!("there is no submission {id} in {}", self.url);
            Error::new(ErrorCode::NotFound, message, "ludex farm status lists them")
        })?;
        let damaged = |e: serde_json::Error| {
            Error::new(ErrorCode::Damaged, format!("submission {id} cannot be read: {e}"), "")
        };
        let kind = Kind::read(row[1].text());
        let (question, ordered) = match kind {
            Kind::Parts => (Question::default(), Some(serde_json::from_str(row[3].text()).map_err(damaged)?)),
            _ => (serde_json::from_str(row[3].text()).map_err(damaged)?, None),
        };
        Ok(Submission {
            id: row[0].int(),
            kind,
            spec: row[2].text().to_owned(),
            question,
            ordered,
            plan: serde_json::from_str(row[4].text()).map_err(damaged)?,
            program: row[5].text().to_owned(),
            state: row[6].text().to_owned(),
            epoch: row[7].int(),
        })
    }

    /// Call a submission off; says how many jobs that were not done yet.
    ///
    /// # Errors
    /// If there is none of this number, or it has ended.
    pub fn cancel(&mut self, id: i64) -> Result<u64, Error> {
        let submission = self.submission(id)?;
        if submission.state != "open" {
            let message = format!("submission {id} is {} already", submission.state);
            return Err(Error::new(ErrorCode::BadArguments, message, "only an open one can be called off"));
        }
        let rows = self.transact(|database| {
            let sql = database.dialect().say(
                "UPDATE farm_submission SET state = 'cancelled', finished = {now} WHERE id = $1 AND state = 'open'",
            );
            database.query(&sql, cells![id])?;
            database.query(
                "UPDATE farm_job SET state = 3 WHERE submission = $1 AND state IN (0, 1) RETURNING id",
                cells![id],
            )
        })?;
        self.notify()?;
        Ok(rows.len() as u64)
    }
}

/// A fault as an error.
pub(crate) fn said(fault: Fault) -> Error {
    match fault {
        Fault::Lost(why) => Error::new(
            ErrorCode::BadDatabase,
            why,
            "see that the server runs and can be reached; what was learnt is kept",
        ),
        Fault::NoTable => Error::new(
            ErrorCode::BadDatabase,
            "there is no farm in this database",
            "make one with ludex farm init",
        ),
        Fault::Refused(error) => error,
    }
}
