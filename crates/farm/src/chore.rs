//! Work that falls into parts: a book's positions, a tournament's games, the deals of Collapsi.
//!
//! Whoever has such work splits it, submits the parts and waits for what they come to. A worker does a part if it knows a
//! [`Chore`] of that name; what a chore does is code of the program, and only its numbers and texts come from the queue.

use std::time::Duration;

use ludex_core::{Cancel, Error, ErrorCode};
use ludex_judge::{AnyGame, Registry, Terms};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{
    Farm, Kind, Plan,
    database::cells,
    farm::PROGRAM,
    plan::{Answer, Task},
    submit::{AT_ONCE, internal},
};

/// What a worker can do by name.
pub trait Chore: std::fmt::Debug + Send + Sync {
    /// Its name in the queue.
    fn name(&self) -> &'static str;

    /// Do a part; `None` if it was called off. `order` is what all parts have in common.
    ///
    /// # Errors
    /// If the order or the part makes no sense. The whole submission fails then.
    fn part(&self, at: &At<'_>, order: &Value, part: &Value) -> Result<Option<Value>, Error>;

    /// Whether a part comes to the same whoever does it. Only such parts can be checked by another worker.
    fn repeats(&self, _order: &Value) -> bool {
        true
    }
}

/// What a part is done with.
pub struct At<'a> {
    /// The games there are.
    pub registry: &'a Registry,
    /// The submission's game, with what its searches remember of earlier parts.
    pub game: &'a dyn AnyGame,
    /// The worker's memory, in bytes.
    pub memory: u64,
    /// How the part is called off.
    pub terms: &'a Terms,
}

/// The chores that a worker knows.
pub type Chores = &'static [&'static dyn Chore];

/// What all parts of a submission have in common, as the queue keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Ordered {
    pub(crate) chore: String,
    pub(crate) order: Value,
}

/// The chore that a submission asks for.
pub(crate) fn find(chores: Chores, ordered: Option<&Ordered>) -> Result<&'static dyn Chore, Error> {
    let name = ordered.map_or("", |ordered| &ordered.chore);
    chores.iter().copied().find(|chore| chore.name() == name).ok_or_else(|| {
        let message = format!("this worker does not know how to do '{name}'");
        Error::new(ErrorCode::BadKind, message, "start a worker of the program that submitted it")
    })
}

/// How far the parts of a submission are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gathering {
    /// Parts that are done.
    pub done: u64,
    /// All parts.
    pub of: u64,
    /// Workers that live.
    pub workers: u64,
}

/// How often it is looked how far they are.
const LOOK_EVERY: Duration = Duration::from_millis(500);

impl Farm {
    /// Submit parts of a chore about a game; the number of the submission. Parts that were submitted before with the same
    /// order are the same submission, whatever has become of it since: what was called off or failed is tried again.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub fn submit_parts(
        &mut self,
        chore: &dyn Chore,
        spec: &str,
        order: &Value,
        parts: &[Value],
    ) -> Result<i64, Error> {
        let ordered = Ordered { chore: chore.name().to_owned(), order: order.clone() };
        let ordered = serde_json::to_string(&ordered).map_err(|e| internal(&e))?;
        let mut digest = Sha256::new();
        let mut add = |text: &str| {
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text);
        };
        [PROGRAM, spec, &ordered].into_iter().for_each(&mut add);
        let mut jobs = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            add(&part.to_string());
            let task = Task::Part { part: part.clone() };
            let task = serde_json::to_string(&task).map_err(|e| internal(&e))?;
            jobs.push(serde_json::json!([number.to_string(), task]));
        }
        let token: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        let jobs: Vec<String> =
            jobs.chunks(AT_ONCE).map(|some| Value::Array(some.to_vec()).to_string()).collect();
        let plan = Plan {
            sample: if chore.repeats(order) { Plan::default().sample } else { 0.0 },
            ..Plan::default()
        };
        let id = self.enter(&token, Kind::Parts, spec, &ordered, &plan, &[], &jobs)?;
        // What was called off or refused is tried again: it may have been for want of memory, or of a worker that knows how.
        self.transact(|database| {
            database.query(
                "UPDATE farm_job SET state = 0, result = NULL, finished = NULL, checked = NULL
                 WHERE submission = $1 AND (state = 3 OR state = 2 AND result LIKE '{\"answer\":\"refused\"%')",
                cells![id],
            )?;
            database.query(
                "UPDATE farm_submission SET state = 'open', finished = NULL WHERE id = $1 AND state <> 'open'
                 AND EXISTS (SELECT 1 FROM farm_job AS j WHERE j.submission = farm_submission.id AND j.state = 0)",
                cells![id],
            )
        })?;
        self.notify()?;
        Ok(id)
    }

    /// Wait until all parts are done and checked, and return what they came to, in their order; `None` if called off.
    /// `tell` hears how far they are.
    ///
    /// # Errors
    /// If a part failed, the submission was called off, or the database cannot be used.
    pub fn gather(
        &mut self,
        id: i64,
        cancel: &Cancel,
        tell: &mut dyn FnMut(Gathering),
    ) -> Result<Option<Vec<Value>>, Error> {
        loop {
            self.close_finished()?;
            let rows = self.query(
                "SELECT s.state, (SELECT count(*) FROM farm_job WHERE submission = s.id AND key NOT LIKE 'check:%'),
                    (SELECT count(*) FROM farm_job WHERE submission = s.id AND key NOT LIKE 'check:%' AND state = 2)
                 FROM farm_submission AS s WHERE s.id = $1",
                cells![id],
            )?;
            let workers = self.live_workers(Duration::from_secs(10))? as u64;
            let row = rows.first().ok_or_else(|| {
                Error::new(ErrorCode::NotFound, format!("there is no submission {id}"), "it was deleted")
            })?;
            let count = |column: usize| row[column].int().max(0) as u64;
            tell(Gathering { done: count(2), of: count(1), workers });
            match row[0].text() {
                "done" => return self.parts(id).map(Some),
                "open" if cancel.is_cancelled() => return Ok(None),
                "open" => self.wait(LOOK_EVERY)?,
                state => {
                    let message = format!("submission {id} is {state}");
                    return Err(Error::new(ErrorCode::Stopped, message, "the same command goes on with it"));
                }
            }
        }
    }

    /// What the parts of a finished submission came to, in their order.
    ///
    /// # Errors
    /// If a part failed or cannot be read.
    pub fn parts(&mut self, id: i64) -> Result<Vec<Value>, Error> {
        let rows = self.query(
            "SELECT CAST(key AS BIGINT), result FROM farm_job
             WHERE submission = $1 AND state = 2 AND key NOT LIKE 'check:%' ORDER BY 1",
            cells![id],
        )?;
        let each = rows.iter().enumerate().map(|(number, row)| {
            let unread = |why: String| {
                Error::new(ErrorCode::Damaged, format!("part {number} of submission {id}: {why}"), "")
            };
            if row[0].int() != number as i64 {
                return Err(unread("it is missing".into()));
            }
            match serde_json::from_str(row[1].text()).map_err(|e| unread(e.to_string()))? {
                Answer::Part { came_to } => Ok(came_to),
                Answer::Refused { error } => Err(error),
                _ => Err(unread("it is the answer to something else".into())),
            }
        });
        each.collect()
    }
}
