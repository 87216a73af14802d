//! Trust: a seeded sample of all answers is found out again by somebody else. Whoever answered wrongly is named, and all
//! that rests on his answers is set aside and done again.

use std::time::Duration;

use ludex_core::{Error, ErrorCode};
use ludex_judge::{Leaf, Pursuit, Question, Registry, SharedFact, Terms};

use crate::{
    Farm, Found,
    chore::{self, At, Chores},
    database::cells,
    farm::Finished,
    plan::{Answer, Task},
    worker::granted,
};

/// Nodes of a check, for each node of the answer and at least.
const NODES_EACH: u64 = 64;
const NODES_LEAST: u64 = 20_000;
/// Time of a check.
const TIME: Duration = Duration::from_secs(600);

/// Whether the sample of a seed has a job.
pub(crate) fn is_sampled(seed: u64, job: i64, share: f64) -> bool {
    let mut hash =
        (seed ^ (job as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^= hash >> 32;
    ((hash >> 11) as f64) < share * (1u64 << 53) as f64
}

/// Find out again what a job's answer says, without anything that was shared; nothing if called off.
pub(crate) fn check(
    farm: &mut Farm,
    registry: &Registry,
    job: i64,
    (memory, chores): (u64, Chores),
    terms: &Terms,
) -> Result<Option<(Found, u64)>, Error> {
    let rows =
        farm.query("SELECT submission, task, result FROM farm_job WHERE id = $1 AND state = 2", cells![job])?;
    // It was set aside meanwhile.
    let Some(row) = rows.first() else { return Ok(Some((Found::Open, 0))) };
    let unread = |e: serde_json::Error| Error::new(ErrorCode::Damaged, format!("job {job}: {e}"), "");
    let submission = farm.submission(row[0].int())?;
    let task: Task = serde_json::from_str(row[1].text()).map_err(unread)?;
    let Ok(answer) = serde_json::from_str::<Answer>(row[2].text()) else {
        return Ok(Some((Found::Wrong, 0)));
    };
    let game = registry.open_foreign(&submission.spec)?;
    let mut question = granted(&submission.question, memory);
    question.budget.time = Some(TIME);
    match (task, answer) {
        (Task::Solve { position }, Answer::Verdict(claim)) => {
            let question = Question { position: Some(position), ..question };
            let own = game.solve(&question, terms)?;
            let wrong = own.bounds.and(claim.bounds).is_none()
                || claim.position != own.position
                || claim.is_solved() && !submission.question.goal.met_by(claim.bounds);
            let found = match () {
                () if terms.cancel.is_cancelled() => return Ok(None),
                () if wrong => Found::Wrong,
                () if own.is_solved() => Found::Confirmed,
                () => Found::Open,
            };
            Ok(Some((found, own.stats.nodes)))
        }
        (Task::Part { part }, Answer::Part { came_to }) => {
            let ordered = submission.ordered.as_ref();
            let chore = chore::find(chores, ordered)?;
            let order = ordered.map_or(&serde_json::Value::Null, |ordered| &ordered.order);
            if !chore.repeats(order) {
                return Ok(Some((Found::Open, 0)));
            }
            let at = At { registry, game: &*game, memory, terms };
            let Some(own) = chore.part(&at, order, &part)? else { return Ok(None) };
            Ok(Some((if own == came_to { Found::Confirmed } else { Found::Wrong }, 0)))
        }
        (Task::Pursue(leaf), Answer::Pursuit(claim)) => {
            // One of the facts if there are some, or the answer itself.
            let facts = solved_facts(farm, job)?;
            let whole = claim.answer().is_some() && (facts.is_empty() || job % 2 == 0);
            let pursue = |way: &[String], nodes: u64| {
                let leaf = Leaf {
                    way: way.to_vec(),
                    phi: f64::INFINITY,
                    delta: f64::INFINITY,
                    least: 0,
                    nodes: Some(nodes.saturating_mul(NODES_EACH).max(NODES_LEAST)),
                    seconds: None,
                    facts: 0,
                    ..leaf.clone()
                };
                game.pursue(&question, &leaf, &[], terms)
            };
            let own = |pursued: Result<Pursuit, Error>| match pursued {
                Err(error) if error.code == ErrorCode::Stopped => Ok(None),
                other => other.map(Some),
            };
            if whole {
                let Some(own) = own(pursue(&leaf.way, claim.nodes))? else { return Ok(None) };
                let found = match (own.answer(), claim.answer()) {
                    (None, _) => Found::Open,
                    (a, b) if a == b => Found::Confirmed,
                    _ => Found::Wrong,
                };
                return Ok(Some((found, own.nodes)));
            }
            let Some(fact) = facts.get(job as usize % facts.len().max(1)) else {
                return Ok(Some((Found::Open, 0)));
            };
            let Some(own) = own(pursue(&fact.way, fact.work))? else { return Ok(None) };
            let found = match () {
                () if own.key != fact.key() || own.bounds.and(fact.bounds).is_none() => Found::Wrong,
                () if own.answer().is_some() => Found::Confirmed,
                () => Found::Open,
            };
            Ok(Some((found, own.nodes)))
        }
        _ => Ok(Some((Found::Open, 0))),
    }
}

/// The facts of a job that say who wins.
fn solved_facts(farm: &mut Farm, job: i64) -> Result<Vec<SharedFact>, Error> {
    let rows = farm.query("SELECT body FROM farm_fact WHERE job = $1", cells![job])?;
    let read = |row: &Vec<crate::database::Cell>| serde_json::from_str::<Vec<SharedFact>>(row[0].text()).ok();
    Ok(rows.iter().filter_map(read).flatten().filter(|fact| fact.bounds.outcome().is_some()).collect())
}

/// Do what follows from a check.
pub(crate) fn act_on_check(farm: &mut Farm, checker: i64, result: &str) -> Result<(), Error> {
    if !result.starts_with("{\"answer\":\"checked\"") {
        return Ok(());
    }
    let Ok(Answer::Checked { job, found }) = serde_json::from_str(result) else { return Ok(()) };
    farm.query("UPDATE farm_job SET checked = $2 WHERE id = $1 AND state = 2", cells![job, found.word()])?;
    if found == Found::Wrong {
        let rows = farm.query("SELECT worker FROM farm_job WHERE id = $1 AND state = 2", cells![job])?;
        if let Some(row) = rows.first() {
            let why = format!("job {job} was answered wrongly, as worker {checker} found out");
            distrust(farm, row[0].int(), &why)?;
        }
    }
    Ok(())
}

/// An answer to a job that somebody else has answered: the two must agree. If they do not, the answer that stands is
/// checked by a third.
pub(crate) fn compare_late(farm: &mut Farm, worker: i64, ours: &Finished) -> Result<(), Error> {
    let rows = farm.query(
        "SELECT result, worker, submission FROM farm_job WHERE id = $1 AND state = 2 AND worker <> $2",
        cells![ours.job, worker],
    )?;
    let Some(row) = rows.first() else { return Ok(()) };
    let read = |text: &str| serde_json::from_str::<Answer>(text).ok();
    let (Some(theirs), Some(own)) = (read(row[0].text()), read(&ours.result)) else { return Ok(()) };
    if own.contradicts(&theirs) {
        farm.query(
            "INSERT INTO farm_job (submission, key, task, rank, avoid)
             VALUES ($1, 'check:' || CAST($2 AS BIGINT), $3, 1e9, $4) ON CONFLICT (submission, key) DO NOTHING",
            cells![
                row[2].int(),
                ours.job,
                format!("{{\"task\":\"check\",\"job\":{}}}", ours.job),
                row[1].int()
            ],
        )?;
    }
    Ok(())
}

/// Trust a worker no more: his answers are set aside, and so are those of others that his facts went into.
pub(crate) fn distrust(farm: &mut Farm, worker: i64, why: &str) -> Result<(), Error> {
    farm.transact(|database| {
        let say = |sql: &str| database.dialect().say(sql);
        let enter = "UPDATE farm_worker SET trusted = 0, why = $2 WHERE id = $1 AND trusted = 1";
        let aside = say(
            "INSERT INTO farm_aside (job, worker, result, why, at)
             SELECT j.id, j.worker, j.result, CAST($2 AS TEXT), {now} FROM farm_job AS j WHERE j.state = 2 AND (j.worker = $1
                OR j.seen >= (SELECT COALESCE(min(f.seq), 9000000000000000000) FROM farm_fact AS f
                              WHERE f.worker = $1 AND f.submission = j.submission))",
        );
        let again = "UPDATE farm_job SET state = 0, result = NULL, checked = NULL, finished = NULL, seen = 0
             WHERE state = 2 AND id IN (SELECT job FROM farm_aside WHERE why = $1)";
        let facts = "DELETE FROM farm_fact WHERE worker = $1 OR job IN (SELECT job FROM farm_aside WHERE why = $2)";
        let open = "UPDATE farm_submission SET epoch = epoch + 1, answer = NULL, finished = NULL,
                 state = CASE WHEN state IN ('done', 'failed') THEN 'open' ELSE state END
             WHERE id IN (SELECT submission FROM farm_job WHERE id IN (SELECT job FROM farm_aside WHERE why = $1))";
        database.query(enter, cells![worker, why])?;
        database.query(&aside, cells![worker, why])?;
        database.query(again, cells![why])?;
        database.query(facts, cells![worker, why])?;
        database.query(open, cells![why])?;
        database.query(
            "UPDATE farm_job SET state = 0 WHERE worker = $1 AND state = 1",
            cells![worker],
        )?;
        Ok(())
    })?;
    farm.notify()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_as_large_as_it_should_be() {
        for share in [0.0, 0.02, 0.5, 1.0] {
            let taken = (0..100_000).filter(|job| is_sampled(7, *job, share)).count() as f64 / 1e5;
            assert!((taken - share).abs() < 0.01, "{share} {taken}");
        }
    }
}
