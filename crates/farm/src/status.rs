//! How a farm is doing, for people and programs.

use ludex_core::{Error, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Farm, Kind, chore::Ordered, database::cells, tree::Twig};

/// How a shared proof search ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Solved {
    /// How it ends for who is to move.
    pub outcome: Outcome,
    /// Jobs it took.
    pub jobs: u64,
    /// Positions searched by all workers.
    pub nodes: u64,
    /// Seconds of all workers in jobs.
    pub busy: f64,
    /// Workers that took part.
    pub workers: u64,
}

/// A submission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SubmissionStatus {
    /// Its number.
    pub id: i64,
    /// What it is.
    pub kind: Kind,
    /// The canonical spec of the game.
    pub game: String,
    /// The position, of a proof search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// What its parts are parts of, where it has parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chore: Option<String>,
    /// `open`, `done`, `cancelled` or `failed`.
    pub state: String,
    /// Jobs that wait.
    pub waiting: u64,
    /// Jobs that workers have.
    pub running: u64,
    /// Jobs that are done.
    pub done: u64,
    /// Jobs that were called off.
    pub called_off: u64,
    /// Answers that were found out a second time and are right.
    pub confirmed: u64,
    /// Answers that are to be.
    pub to_check: u64,
    /// Seconds since it was submitted, to its end if it has ended.
    pub seconds: f64,
    /// Jobs done in a second, of the last minute.
    pub rate: f64,
    /// Seconds to the end of a list at this rate, if it can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<f64>,
    /// Positions searched.
    pub nodes: u64,
    /// Who leads it, if somebody does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub master: Option<String>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<Solved>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// The top of the tree of a proof search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<Twig>,
}

impl SubmissionStatus {
    /// What it is about: a position, a list of them, or a chore.
    #[must_use]
    pub fn about(&self) -> &str {
        self.position.as_deref().or(self.chore.as_deref()).unwrap_or("a list of positions")
    }
}

/// A worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkerStatus {
    /// Its number.
    pub id: i64,
    /// What it is called.
    pub name: String,
    /// Its process.
    pub process: u32,
    /// Whether it was seen in the last ten seconds.
    pub live: bool,
    /// Seconds since it was seen.
    pub seen: f64,
    /// Whether its answers are believed.
    pub trusted: bool,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Jobs it has done.
    pub done: u64,
    /// Positions it has searched.
    pub nodes: u64,
}

/// A farm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FarmStatus {
    /// The database, without anything secret.
    pub store: String,
    /// The submissions, the last first.
    pub submissions: Vec<SubmissionStatus>,
    /// The workers, the last first.
    pub workers: Vec<WorkerStatus>,
}

impl Farm {
    /// How the farm is doing; one submission, if only that is wanted.
    ///
    /// # Errors
    /// If the database cannot be used, or there is no such submission.
    pub fn status(&mut self, only: Option<i64>) -> Result<FarmStatus, Error> {
        if let Some(id) = only {
            self.submission(id)?;
        }
        self.close_finished()?;
        let rows = self.query(
            "SELECT s.id, s.kind, s.spec, s.question, s.state, s.master, s.answer, s.tree,
                    COALESCE(s.finished, {now}) - s.created,
                    CASE WHEN s.master_until > {now} THEN 1 ELSE 0 END
             FROM farm_submission AS s WHERE s.id = $1 OR $2 = 1 ORDER BY s.id DESC LIMIT 100",
            cells![only.unwrap_or(0), i64::from(only.is_none())],
        )?;
        let mut submissions = Vec::new();
        for row in rows {
            let id = row[0].int();
            let counts = self.query(
                "SELECT state, count(*), CAST(COALESCE(sum(nodes), 0) AS BIGINT),
                        count(CASE WHEN checked = 'confirmed' THEN 1 END),
                        count(CASE WHEN checked = 'waiting' THEN 1 END),
                        count(CASE WHEN state = 2 AND finished > {now} - 60000 THEN 1 END)
                 FROM farm_job WHERE submission = $1 AND key NOT LIKE 'check:%' GROUP BY state",
                cells![id],
            )?;
            let of = |state: i64| counts.iter().find(|row| row[0].int() == state);
            let number =
                |state: i64, column: usize| of(state).map_or(0, |row| row[column].int().max(0) as u64);
            let seconds = row[8].int().max(0) as f64 / 1000.0;
            let (waiting, running) = (number(0, 1), number(1, 1));
            let rate = number(2, 5) as f64 / seconds.clamp(0.001, 60.0);
            let kind = Kind::read(row[1].text());
            let state = row[4].text().to_owned();
            let open = state == "open";
            let left = (open && kind != Kind::Proof && rate > 0.0).then(|| (waiting + running) as f64 / rate);
            let ordered: Option<Ordered> = serde_json::from_str(row[3].text()).ok();
            let question: Option<ludex_judge::Question> = serde_json::from_str(row[3].text()).ok();
            submissions.push(SubmissionStatus {
                id,
                kind,
                game: row[2].text().to_owned(),
                position: question.and_then(|question| question.position),
                chore: ordered.filter(|_| kind == Kind::Parts).map(|ordered| ordered.chore),
                waiting,
                running,
                done: number(2, 1),
                called_off: number(3, 1),
                confirmed: number(2, 3),
                to_check: number(2, 4),
                seconds,
                rate: (rate * 100.0).round() / 100.0,
                left,
                nodes: number(2, 2),
                master: (open && row[9].int() == 1).then(|| row[5].text().to_owned()),
                solved: serde_json::from_str(row[6].text()).ok(),
                failed: (state == "failed").then(|| row[6].text().to_owned()),
                tree: serde_json::from_str(row[7].text()).ok(),
                state,
            });
        }
        let rows = self.query(
            "SELECT w.id, w.name, w.process, {now} - w.seen, w.trusted, w.why,
                    (SELECT count(*) FROM farm_job AS j WHERE j.worker = w.id AND j.state = 2),
                    (SELECT CAST(COALESCE(sum(j.nodes), 0) AS BIGINT) FROM farm_job AS j
                     WHERE j.worker = w.id AND j.state = 2)
             FROM farm_worker AS w WHERE w.seen > {now} - 3600000 OR w.trusted = 0 ORDER BY w.id DESC LIMIT 200",
            &[],
        )?;
        let workers = rows
            .iter()
            .map(|row| WorkerStatus {
                id: row[0].int(),
                name: row[1].text().to_owned(),
                process: row[2].int() as u32,
                live: row[3].int() < 10_000,
                seen: row[3].int() as f64 / 1000.0,
                trusted: row[4].int() == 1,
                why: (!row[5].is_null()).then(|| row[5].text().to_owned()),
                done: row[6].int() as u64,
                nodes: row[7].int() as u64,
            })
            .collect();
        Ok(FarmStatus { store: self.name(), submissions, workers })
    }
}
