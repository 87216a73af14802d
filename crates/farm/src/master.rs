//! The master of a shared proof search: keeps the top of the tree, hands out leaves, takes in answers.
//!
//! The tree is not stored. It follows from the answers, which are: a master that dies is replaced by another process that
//! reads them and goes on. That there is one master at a time is a lease like that of a job; a master that has lost it finds
//! out before it writes anything.

use std::{
    collections::{HashMap, HashSet},
    thread,
    time::{Duration, Instant},
};

use ludex_core::{Cancel, Error, ErrorCode, Outcome};
use ludex_judge::{Asked, Leaf, Registry};

use crate::{
    Farm, Kind, Worker,
    database::{Cell, cells},
    farm::{PROGRAM, Submission},
    plan::{Answer, Task, visit_key},
    status::Solved,
    tree::{Pick, Tree},
};

/// How long a master may go without a sign of life.
const LEASE: Duration = Duration::from_secs(15);
/// How often it gives one, counts workers and tells of the tree.
const EVERY: Duration = Duration::from_millis(500);
/// Answers are looked for this far back, in milliseconds: one that was written earlier may be seen later. Now and then
/// further back.
const OVERLAP: i64 = 2_000;
const LONG_OVERLAP: i64 = 120_000;
const LONG_EVERY: Duration = Duration::from_secs(10);
/// How long it waits for news before it looks.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A master, and what it has handed out.
pub(crate) struct Master {
    name: String,
    submission: Submission,
    draws: bool,
    asked: Asked,
    tree: Tree,
    applied: HashSet<i64>,
    /// The time of the last answer.
    last: i64,
    looked_back: Instant,
    /// Nodes and seconds of all answers, to know how many nodes a slice has.
    nodes: u64,
    seconds: f64,
    out: HashMap<u32, String>,
    workers: usize,
}

/// Lead the searches that nobody leads, each in a thread of its own.
pub(crate) fn lead_what_nobody_leads<'scope>(
    farm: &mut Farm,
    worker: &Worker,
    registry: &'scope Registry,
    cancel: &'scope Cancel,
    scope: &'scope thread::Scope<'scope, '_>,
    leave: &'scope Cancel,
) -> Result<(), Error> {
    let rows = farm.query(
        "SELECT id FROM farm_submission WHERE kind = 'proof' AND state = 'open' AND program = $1
         AND (master IS NULL OR master_until < {now})",
        cells![PROGRAM],
    )?;
    for row in rows {
        let id = row[0].int();
        let Ok(mut master) = Master::new(farm, registry, id, &worker.name) else { continue };
        let mut own = farm.again()?;
        scope.spawn(move || {
            // Another process goes on with it, after a fault too, and says what is wrong if it is wrong there.
            let _ = master.lead(&mut own, &|| cancel.is_cancelled() || leave.is_cancelled());
        });
    }
    Ok(())
}

impl Farm {
    /// Lead a shared proof search until it is solved; false if it was called off before.
    ///
    /// # Errors
    /// If somebody else leads it, there is no such search, or the database cannot be used.
    pub fn lead(&mut self, registry: &Registry, id: i64, name: &str, cancel: &Cancel) -> Result<bool, Error> {
        Master::new(self, registry, id, name)?.lead(self, &|| cancel.is_cancelled())
    }
}

impl Master {
    /// Become the master of a search.
    pub(crate) fn new(farm: &mut Farm, registry: &Registry, id: i64, name: &str) -> Result<Self, Error> {
        let submission = farm.submission(id)?;
        if submission.kind != Kind::Proof {
            let message = format!("submission {id} is a list of positions, which needs no master");
            return Err(Error::new(ErrorCode::BadKind, message, "start workers with ludex farm work"));
        }
        if submission.program != PROGRAM {
            let message = format!("submission {id} belongs to version {} of the program", submission.program);
            return Err(Error::new(ErrorCode::BadDatabase, message, format!("this is version {PROGRAM}")));
        }
        if submission.state != "open" {
            let message = format!("submission {id} is {} already", submission.state);
            return Err(Error::new(ErrorCode::BadArguments, message, "ludex farm results has its answer"));
        }
        let draws = registry.open_foreign(&submission.spec)?.draws();
        // No two masters have one name, wherever they run.
        let rows = farm.query("SELECT {now}", &[])?;
        let name = format!("{name}, process {} since {}", std::process::id(), rows[0][0].int());
        let rows = farm.query(
            "UPDATE farm_submission SET master = $2, master_until = {now} + $3
             WHERE id = $1 AND state = 'open' AND (master IS NULL OR master_until < {now}) RETURNING id",
            cells![id, name.as_str(), LEASE.as_millis() as i64],
        )?;
        if rows.is_empty() {
            let rows = farm.query("SELECT master FROM farm_submission WHERE id = $1", cells![id])?;
            let other = rows.first().map(|row| row[0].text().to_owned()).unwrap_or_default();
            let message = format!("submission {id} has a master already: {other}");
            let hint = "it goes on by itself; another takes over some seconds after it has died";
            return Err(Error::new(ErrorCode::Busy, message, hint));
        }
        let tree = Tree::new(submission.plan.epsilon, submission.plan.loss);
        Ok(Self {
            name,
            submission,
            draws,
            asked: Asked::Win,
            tree,
            applied: HashSet::new(),
            last: 0,
            looked_back: Instant::now(),
            nodes: 0,
            seconds: 0.0,
            out: HashMap::new(),
            workers: 1,
        })
    }

    /// Lead until it is solved; false if it was called off before.
    pub(crate) fn lead(&mut self, farm: &mut Farm, stop: &dyn Fn() -> bool) -> Result<bool, Error> {
        let led = self.rebuild(farm).and_then(|()| self.go_on(farm, stop));
        match &led {
            // Whoever comes next need not wait.
            Ok(_) => drop(farm.query(
                "UPDATE farm_submission SET master = NULL, master_until = 0 WHERE id = $1 AND master = $2",
                cells![self.submission.id, self.name.as_str()],
            )),
            Err(error) if error.code == ErrorCode::Contradiction => drop(farm.query(
                "UPDATE farm_submission SET state = 'failed', answer = $3, finished = {now}
                 WHERE id = $1 AND master = $2 AND state = 'open'",
                cells![self.submission.id, self.name.as_str(), error.message.as_str()],
            )),
            Err(_) => {}
        }
        led
    }

    fn go_on(&mut self, farm: &mut Farm, stop: &dyn Fn() -> bool) -> Result<bool, Error> {
        let mut beat: Option<Instant> = None;
        loop {
            if stop() {
                return Ok(false);
            }
            if beat.is_none_or(|at| at.elapsed() > EVERY) {
                beat = Some(Instant::now());
                if !self.beat(farm)? {
                    return Ok(false);
                }
            }
            self.take_in(farm)?;
            if self.tree.answer().is_some() && self.answered(farm)? {
                return Ok(true);
            }
            self.call_off_idle(farm)?;
            self.hand_out(farm)?;
            farm.wait(LOOK_EVERY)?;
        }
    }

    /// Say that the master lives; false if the search was called off.
    fn beat(&mut self, farm: &mut Farm) -> Result<bool, Error> {
        let top = serde_json::to_string(&self.tree.top(2, 8)).unwrap_or_default();
        let rows = farm.query(
            "UPDATE farm_submission SET master_until = {now} + $3, tree = $4 WHERE id = $1 AND master = $2
             RETURNING state, epoch",
            cells![self.submission.id, self.name.as_str(), LEASE.as_millis() as i64, top],
        )?;
        let Some(row) = rows.first() else {
            let message = format!("another process leads submission {} now", self.submission.id);
            return Err(Error::new(ErrorCode::Busy, message, "this one stops; nothing is lost"));
        };
        self.workers = farm.live_workers(Duration::from_secs(10))?.max(1);
        if row[1].int() != self.submission.epoch {
            self.submission.epoch = row[1].int();
            self.rebuild(farm)?;
        }
        Ok(row[0].text() == "open")
    }

    /// Make the tree from the answers.
    fn rebuild(&mut self, farm: &mut Farm) -> Result<(), Error> {
        (self.applied, self.last, self.nodes, self.seconds) = (HashSet::new(), 0, 0, 0.0);
        let rows = farm.query(
            "SELECT id, key, state, result, finished FROM farm_job WHERE submission = $1 ORDER BY id",
            cells![self.submission.id],
        )?;
        self.asked = Asked::Win;
        loop {
            self.tree = Tree::new(self.submission.plan.epsilon, self.submission.plan.loss);
            self.out.clear();
            let mut answers = Vec::new();
            let mut waiting = Vec::new();
            for row in &rows {
                let Some((asked, key, visit)) = read_key(row[1].text()) else { continue };
                if asked != self.asked {
                    continue;
                }
                match row[2].int() {
                    2 => answers.push((row, key, visit)),
                    0 | 1 => waiting.push((row[1].text().to_owned(), key, visit)),
                    _ => {}
                }
            }
            // An answer fits once its leaf is there, which another answer may bring.
            while !answers.is_empty() {
                let before = answers.len();
                let mut left = Vec::new();
                for (row, key, visit) in answers {
                    if self.tree.place(key).is_some() {
                        self.apply(row[0].int(), key, visit, row[3].text(), row[4].int())?;
                    } else {
                        left.push((row, key, visit));
                    }
                }
                answers = left;
                if answers.len() == before {
                    break;
                }
            }
            for (job, key, visit) in waiting {
                if self.tree.take(key, visit)
                    && let Some(place) = self.tree.place(key)
                {
                    self.out.insert(place, job);
                } else {
                    self.call_off(farm, &job)?;
                }
            }
            if self.tree.answer() == Some(false) && self.asked == Asked::Win && self.draws {
                self.asked = Asked::Draw;
            } else {
                return Ok(());
            }
        }
    }

    fn apply(&mut self, job: i64, key: &str, visit: u32, result: &str, at: i64) -> Result<(), Error> {
        if !self.applied.insert(job) {
            return Ok(());
        }
        self.last = self.last.max(at);
        match serde_json::from_str::<Answer>(result) {
            Ok(Answer::Pursuit(found)) => {
                self.nodes += found.nodes;
                self.seconds += found.seconds;
                if let Some(place) = self.tree.place(key) {
                    self.out.remove(&place);
                }
                self.tree.apply(key, visit, &found)?;
                Ok(())
            }
            Ok(Answer::Refused { error }) => Err(Error::contradiction(format!("job {job}: {error}"))),
            _ => Err(Error::contradiction(format!("the answer to job {job} cannot be read"))),
        }
    }

    /// Take in the answers that have come.
    fn take_in(&mut self, farm: &mut Farm) -> Result<(), Error> {
        let mut overlap = OVERLAP;
        if self.looked_back.elapsed() > LONG_EVERY {
            (self.looked_back, overlap) = (Instant::now(), LONG_OVERLAP);
        }
        let rows = farm.query(
            "SELECT id, key, finished FROM farm_job
             WHERE submission = $1 AND state = 2 AND finished >= $2 ORDER BY finished, id",
            cells![self.submission.id, self.last - overlap],
        )?;
        for row in rows {
            if self.applied.contains(&row[0].int()) {
                continue;
            }
            if let Some((asked, key, visit)) = read_key(row[1].text())
                && asked == self.asked
            {
                let result = farm.query("SELECT result FROM farm_job WHERE id = $1", cells![row[0].int()])?;
                let Some(result) = result.first() else { continue };
                self.apply(row[0].int(), key, visit, result[0].text(), row[2].int())?;
            }
        }
        Ok(())
    }

    /// Call off the jobs that nothing depends on any more.
    fn call_off_idle(&mut self, farm: &mut Farm) -> Result<(), Error> {
        for place in self.tree.idle() {
            self.tree.put_back(place);
            if let Some(job) = self.out.remove(&place) {
                self.call_off(farm, &job)?;
            }
        }
        Ok(())
    }

    fn call_off(&self, farm: &mut Farm, key: &str) -> Result<(), Error> {
        farm.query(
            "UPDATE farm_job SET state = 3 WHERE submission = $1 AND key = $2 AND state IN (0, 1)",
            cells![self.submission.id, key],
        )
        .map(drop)
    }

    /// Hand out leaves, as many as there are workers and a few more.
    fn hand_out(&mut self, farm: &mut Farm) -> Result<(), Error> {
        let ahead = (self.workers as f64 * self.submission.plan.ahead) as usize;
        let wanted = self.workers + ahead;
        let mut jobs = Vec::new();
        while self.out.len() < wanted {
            let Some(pick) = self.tree.pick() else { break };
            let key = visit_key(self.asked, &pick.key, pick.visit);
            self.out.insert(pick.place, key.clone());
            let task = serde_json::to_string(&Task::Pursue(self.leaf(pick)))
                .map_err(|e| Error::new(ErrorCode::Internal, format!("a job cannot be written: {e}"), ""))?;
            jobs.push(serde_json::json!([key, task]));
        }
        if jobs.is_empty() {
            return Ok(());
        }
        let list = serde_json::Value::Array(jobs).to_string();
        // Only the master of this moment hands out jobs. One that was called off before is called for again.
        farm.query(
            "INSERT INTO farm_job (submission, key, task, rank)
             SELECT s.id, value ->> 0, value ->> 1, 1.0 FROM {each}, farm_submission AS s
             WHERE s.id = $2 AND s.master = $3 AND s.state = 'open'
             ON CONFLICT (submission, key) DO UPDATE SET state = 0, task = excluded.task WHERE farm_job.state = 3",
            &[Cell::Text(list), Cell::Int(self.submission.id), Cell::Text(self.name.clone())],
        )?;
        farm.notify()
    }

    fn leaf(&self, pick: Pick) -> Leaf {
        let plan = &self.submission.plan;
        // While there are few leaves, short slices: they end in moves for others to work on.
        let share = if self.tree.open_leaves() < 2 * self.workers { 0.125 } else { 1.0 };
        let rate = if self.seconds > 0.0 { self.nodes as f64 / self.seconds } else { 0.0 };
        let usual = plan.nodes.map_or(rate * plan.slice, |nodes| nodes as f64);
        Leaf {
            way: pick.way,
            asked: self.asked,
            phi: pick.phi,
            delta: pick.delta,
            least: (usual * share * plan.least) as u64,
            nodes: plan.nodes.map(|nodes| ((nodes as f64 * share) as u64).max(1)),
            seconds: plan.nodes.is_none().then_some(plan.slice * share),
            worth: plan.worth,
            // What all share grows with the number of those who find and of those who read.
            facts: (plan.facts / self.workers).max(4),
        }
    }

    /// The question is answered: go on with the next one, or say what the position is worth.
    fn answered(&mut self, farm: &mut Farm) -> Result<bool, Error> {
        let outcome = match (self.asked, self.tree.answer()) {
            (Asked::Win, Some(true)) => Outcome::Win,
            (Asked::Win, _) if self.draws => {
                for place in self.out.keys().copied().collect::<Vec<_>>() {
                    if let Some(job) = self.out.remove(&place) {
                        self.call_off(farm, &job)?;
                    }
                }
                self.rebuild(farm)?;
                return if self.tree.answer().is_some() && self.asked == Asked::Draw {
                    self.answered(farm)
                } else {
                    Ok(false)
                };
            }
            (Asked::Draw, Some(true)) => Outcome::Draw,
            _ => Outcome::Loss,
        };
        let rows = farm.query(
            "SELECT count(*), CAST(COALESCE(sum(nodes), 0) AS BIGINT), COALESCE(sum(seconds), 0.0), count(DISTINCT worker)
             FROM farm_job WHERE submission = $1 AND state = 2 AND key NOT LIKE 'check:%'",
            cells![self.submission.id],
        )?;
        let solved = Solved {
            outcome,
            jobs: rows[0][0].int() as u64,
            nodes: rows[0][1].int() as u64,
            busy: rows[0][2].real(),
            workers: rows[0][3].int() as u64,
        };
        let text = serde_json::to_string(&solved).unwrap_or_default();
        let top = serde_json::to_string(&self.tree.top(2, 8)).unwrap_or_default();
        let (id, name, epoch) = (self.submission.id, self.name.clone(), self.submission.epoch);
        // The epoch has changed if an answer was found wrong in this very moment.
        let done = farm.transact(|database| {
            let sql = database.dialect().say(
                "UPDATE farm_submission SET state = 'done', answer = $3, finished = {now}, tree = $4, master = NULL,
                 master_until = 0 WHERE id = $1 AND master = $2 AND state = 'open' AND epoch = $5 RETURNING id",
            );
            let rows = database.query(&sql, cells![id, name.as_str(), text.as_str(), top.as_str(), epoch])?;
            if !rows.is_empty() {
                let sql = "UPDATE farm_job SET state = 3
                           WHERE submission = $1 AND state IN (0, 1) AND key NOT LIKE 'check:%'";
                database.query(sql, cells![id])?;
            }
            Ok(!rows.is_empty())
        })?;
        farm.notify()?;
        Ok(done)
    }
}

/// The question, the position and the visit of a job's key; none of a check.
fn read_key(key: &str) -> Option<(Asked, &str, u32)> {
    let (asked, rest) = key.split_once(':')?;
    let asked = match asked {
        "win" => Asked::Win,
        "draw" => Asked::Draw,
        _ => return None,
    };
    let (key, visit) = rest.split_once(':')?;
    Some((asked, key, visit.parse().ok()?))
}
