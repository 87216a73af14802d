//! Submissions: work for a farm, and what came of it.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher as _, Hasher as _},
};

use ludex_core::{Error, ErrorCode, Goal};
use ludex_judge::{AnyGame, Question, answer::Verdict};

use crate::{
    Farm, Kind, Plan,
    database::{Cell, cells},
    farm::PROGRAM,
    plan::{Answer, Task},
};

/// What became of one line of a list of positions.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It is answered.
    Answered(Box<Verdict>),
    /// The line is none, or its search failed.
    Failed(Error),
    /// It is not answered yet, or never will be because the submission was called off.
    Open,
}

/// A submission that is written twice, because a connection was lost in the middle, is entered once: it has a token.
fn token() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}

pub(crate) fn internal(e: &serde_json::Error) -> Error {
    Error::new(ErrorCode::Internal, format!("a submission cannot be written: {e}"), "")
}

/// Lines that go into the queue at once.
pub(crate) const AT_ONCE: usize = 5_000;

impl Farm {
    /// Submit a list of positions, one question each; the number of the submission, and how many jobs it has. Lines that
    /// are no positions get their error as an answer, and equal positions are one job.
    ///
    /// # Errors
    /// If the question makes no sense, or the database cannot be used.
    pub fn submit_positions(
        &mut self,
        game: &dyn AnyGame,
        question: &Question,
        plan: &Plan,
        lines: &[String],
    ) -> Result<(i64, u64), Error> {
        let question = Question { position: None, ..question.clone() };
        game.check(&question, &ludex_judge::Terms::default())?;
        let mut list = Vec::new();
        let mut jobs = Vec::new();
        let mut met = std::collections::HashSet::new();
        for (i, line) in lines.iter().enumerate() {
            list.push(match game.state(line) {
                Ok(state) => {
                    let position = state.position;
                    if met.insert(position.clone()) {
                        let task = Task::Solve { position: position.clone() };
                        let task = serde_json::to_string(&task).map_err(|e| internal(&e))?;
                        jobs.push(serde_json::json!([position, task]));
                    }
                    serde_json::json!([i, line, position, ""])
                }
                Err(error) => {
                    let error = serde_json::to_string(&error).map_err(|e| internal(&e))?;
                    serde_json::json!([i, line, "", error])
                }
            });
        }
        let parts = |list: &[serde_json::Value]| -> Vec<String> {
            list.chunks(AT_ONCE).map(|part| serde_json::Value::Array(part.to_vec()).to_string()).collect()
        };
        let (lists, works) = (parts(&list), parts(&jobs));
        let question = serde_json::to_string(&question).map_err(|e| internal(&e))?;
        let id = self.enter(&token(), Kind::Positions, &game.spec(), &question, plan, &lists, &works)?;
        Ok((id, jobs.len() as u64))
    }

    /// Submit one position to be solved by a proof search that all workers share; the number of the submission.
    ///
    /// # Errors
    /// If the question makes no sense, asks for more than who wins, or the database cannot be used.
    pub fn submit_proof(
        &mut self,
        game: &dyn AnyGame,
        question: &Question,
        plan: &Plan,
    ) -> Result<i64, Error> {
        if question.goal != Goal::Wdl {
            let message = "a shared proof search finds out who wins, not how soon";
            return Err(Error::new(ErrorCode::BadGoal, message, "leave --goal out"));
        }
        let position = match &question.position {
            Some(text) => game.state(text)?,
            None => game.state(&game.start(question.seed)?)?,
        };
        if position.over.is_some() {
            return Err(Error::new(
                ErrorCode::GameOver,
                "the game is over",
                "name a position in which it goes on",
            ));
        }
        let question = Question { position: Some(position.position), seed: None, ..question.clone() };
        game.check(
            &Question { solver: Some("dfpn".into()), ..question.clone() },
            &ludex_judge::Terms::default(),
        )?;
        let question = serde_json::to_string(&question).map_err(|e| internal(&e))?;
        self.enter(&token(), Kind::Proof, &game.spec(), &question, plan, &[], &[])
    }

    /// Enter a submission and its jobs, unless there is one with the same token; its number.
    #[expect(clippy::too_many_arguments, reason = "they are the columns of the row")]
    pub(crate) fn enter(
        &mut self,
        token: &str,
        kind: Kind,
        spec: &str,
        question: &str,
        plan: &Plan,
        lines: &[String],
        jobs: &[String],
    ) -> Result<i64, Error> {
        let plan = serde_json::to_string(plan).map_err(|e| internal(&e))?;
        let id = self.transact(|database| {
            let known = database.query("SELECT id FROM farm_submission WHERE token = $1", cells![token])?;
            if let Some(row) = known.first() {
                return Ok(row[0].int());
            }
            let sql = database.dialect().say(
                "INSERT INTO farm_submission (token, kind, spec, question, plan, program, state, created)
                 VALUES ($1, $2, $3, $4, $5, $6, 'open', {now}) RETURNING id",
            );
            let values = cells![token, kind.word(), spec, question, plan.as_str(), PROGRAM];
            let id = database.query(&sql, values)?[0][0].int();
            let sql = database.dialect().say(
                "INSERT INTO farm_job (submission, key, task, rank)
                 SELECT CAST($2 AS BIGINT), value ->> 0, value ->> 1, 0.0 FROM {each}",
            );
            for part in jobs {
                database.query(&sql, &[Cell::Text(part.clone()), Cell::Int(id)])?;
            }
            let sql = database.dialect().say(
                "INSERT INTO farm_line (submission, line, text, key, error)
                 SELECT CAST($2 AS BIGINT), CAST(value ->> 0 AS BIGINT), value ->> 1, NULLIF(value ->> 2, ''),
                     NULLIF(value ->> 3, '') FROM {each}",
            );
            for part in lines {
                database.query(&sql, &[Cell::Text(part.clone()), Cell::Int(id)])?;
            }
            Ok(id)
        })?;
        self.notify()?;
        Ok(id)
    }

    /// What became of a list of positions, line by line: `each` gets the line and its outcome.
    ///
    /// # Errors
    /// If there is no such list, or the database cannot be used; those of `each`.
    pub fn positions<E: From<Error>>(
        &mut self,
        id: i64,
        mut each: impl FnMut(&str, Outcome) -> Result<(), E>,
    ) -> Result<(), E> {
        let submission = self.submission(id)?;
        if submission.kind != Kind::Positions {
            let message = format!("submission {id} is no list of positions");
            return Err(Error::new(ErrorCode::BadKind, message, "ask for its answer").into());
        }
        let mut next = 0;
        loop {
            let rows = self.query(
                "SELECT l.line, l.text, l.error, j.result FROM farm_line AS l
                 LEFT JOIN farm_job AS j ON j.submission = l.submission AND j.key = l.key AND j.state = 2
                 WHERE l.submission = $1 AND l.line >= $2 ORDER BY l.line LIMIT 1000",
                cells![id, next],
            )?;
            let Some(last) = rows.last() else { return Ok(()) };
            next = last[0].int() + 1;
            for row in &rows {
                let unread = |e: serde_json::Error| {
                    Error::new(
                        ErrorCode::Damaged,
                        format!("an answer of submission {id} cannot be read: {e}"),
                        "",
                    )
                };
                let outcome = if !row[2].is_null() {
                    Outcome::Failed(serde_json::from_str(row[2].text()).map_err(unread)?)
                } else if row[3].is_null() {
                    Outcome::Open
                } else {
                    match serde_json::from_str(row[3].text()).map_err(unread)? {
                        Answer::Verdict(verdict) => Outcome::Answered(verdict),
                        Answer::Refused { error } => Outcome::Failed(error),
                        Answer::Pursuit(_) | Answer::Part { .. } | Answer::Checked { .. } => Outcome::Open,
                    }
                };
                each(row[1].text(), outcome)?;
            }
        }
    }

    /// Close lists of positions and chores that are done.
    pub(crate) fn close_finished(&mut self) -> Result<(), Error> {
        self.query(
            "UPDATE farm_submission SET state = 'done', finished = {now}
             WHERE state = 'open' AND kind IN ('positions', 'parts') AND NOT EXISTS (
                 SELECT 1 FROM farm_job AS j WHERE j.submission = farm_submission.id AND j.state IN (0, 1))",
            &[],
        )
        .map(drop)
    }

    /// Whether there is nothing to do and nothing to come.
    pub(crate) fn is_idle(&mut self) -> Result<bool, Error> {
        let rows = self.query(
            "SELECT (SELECT count(*) FROM farm_submission WHERE state = 'open' AND program = $1)
                  + (SELECT count(*) FROM farm_job WHERE state IN (0, 1)
                     AND submission IN (SELECT id FROM farm_submission WHERE program = $1))",
            cells![PROGRAM],
        )?;
        Ok(rows[0][0].int() == 0)
    }
}
