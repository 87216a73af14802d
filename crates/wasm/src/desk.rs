//! Where requests are answered: the paths of the API, without HTTP.
//!
//! A request is a line of JSON (`method`, `path` below `/api/v1/`, `query`) and then its body as it is; an answer is a line with
//! status and type, and then its body. A long search is one request here: its answer is the finished job, and what it learns
//! on the way is told. Whoever wants it stopped ends whatever runs this.

use std::{collections::BTreeMap, time::Duration};

use ludex_api::{
    Judge, Limits, board,
    certificate::Certificates,
    objects::{Job, JobObject, JobResult, JobState},
    questions::{self, LongSearch, Several},
};
use ludex_core::{Cancel, Error, ErrorCode};
use ludex_judge::{
    Registry, Terms,
    answer::{ErrorLine, VERSION},
};
use ludex_standard::Standard as _;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

/// What a question may take in a browser: as on a server with its usual settings.
const LIMITS: Limits = Limits {
    analyze_time: Duration::from_secs(2),
    move_time: Duration::from_secs(10),
    job_time: Duration::from_secs(600),
    memory: 256 << 20,
    threads: 1,
    positions: 100,
};

/// The memory of games that wait for the next question, in bytes.
const WARM: u64 = 256 << 20;

/// What the first line of a request says.
#[derive(Debug, Deserialize)]
struct Heading {
    method: String,
    path: String,
    #[serde(default)]
    query: BTreeMap<String, String>,
}

/// An answer: status, type, bytes.
struct Reply(u16, &'static str, Vec<u8>);

/// Answers requests, one after the other.
#[derive(Debug)]
pub struct Desk {
    judge: Judge,
    certificates: Certificates,
}

impl Desk {
    /// With all games, under these terms.
    #[must_use]
    pub fn new(terms: Terms, seeds: fn() -> u64) -> Self {
        let judge = Judge::new(Registry::standard(), LIMITS, WARM, terms).with_seeds(seeds);
        Self { judge, certificates: Certificates::default() }
    }

    /// The answer to a request. `tell` hears of the progress of a long search, each time as a job in JSON.
    pub fn answer(&self, request: &[u8], tell: fn(&[u8])) -> Vec<u8> {
        let Reply(status, kind, body) = self.reply(request, tell).unwrap_or_else(|error| {
            let body = serde_json::to_vec(&ErrorLine::from(error.clone())).unwrap_or_default();
            Reply(error.code.status(), JSON, body)
        });
        let mut answer = format!("{status} {kind}\n").into_bytes();
        answer.extend(body);
        answer
    }

    fn reply(&self, request: &[u8], tell: fn(&[u8])) -> Result<Reply, Error> {
        let end = request.iter().position(|&b| b == b'\n').unwrap_or(request.len());
        let (heading, body) = (&request[..end], request.get(end + 1..).unwrap_or_default());
        let Heading { method, path, query } = serde_json::from_slice(heading).map_err(|e| {
            let hint = "a line with method, path and query, then the body";
            Error::new(ErrorCode::BadQuery, format!("the request cannot be read: {e}"), hint)
        })?;
        let (judge, cancel) = (&self.judge, &Cancel::new());
        match (method.as_str(), path.as_str()) {
            ("GET", "games") => object(&board::families(&judge.registry)),
            ("GET", "game") => object(&board::about(&judge.registry, named(&query, "game")?)?),
            ("GET", "rules") => object(&ludex_judge::rules(&judge.registry, named(&query, "game")?)?),
            ("GET", "tables") => object(&questions::tables(judge)),
            ("GET", "position") => object(&questions::position(judge, asked(query)?)?),
            ("GET", "analyze") => object(&questions::analyze(judge, asked(query)?, cancel)?),
            ("GET", "explain") => object(&questions::explain(judge, asked(query)?, cancel)?),
            ("GET", "review") => object(&questions::review(judge, asked(query)?, cancel)?),
            ("GET", "random") => object(&questions::random(judge, asked(query)?, cancel)?),
            ("GET", "puzzle") => object(&questions::puzzle(judge, asked(query)?, cancel)?),
            ("GET", "certificate") => Ok(Reply(200, FILE, questions::prove(judge, asked(query)?, cancel)?)),
            ("POST", "import") => object(&questions::import(judge, &sent(body)?)?),
            ("POST", "play") => object(&questions::play(judge, sent(body)?)?),
            ("POST", "analyze") => object(&Several::read(judge, sent(body)?)?.answer(judge, cancel)?),
            ("POST", "choose") => object(&questions::choose(judge, sent(body)?, cancel)?),
            ("POST", "certificate") => {
                object(&questions::walk(judge, &self.certificates, asked(query)?, body, cancel)?)
            }
            ("POST", "solve") => self.solve(LongSearch::read(judge, sent(body)?)?, cancel, tell),
            _ => {
                let message = format!("{method} {path} is not answered here");
                Err(Error::new(ErrorCode::NotFound, message, "a server has it: ludex serve"))
            }
        }
    }

    fn solve(&self, search: LongSearch, cancel: &Cancel, tell: fn(&[u8])) -> Result<Reply, Error> {
        let job = Job {
            object: JobObject::Job,
            version: VERSION,
            id: "1".into(),
            state: JobState::Running,
            game: search.game.clone(),
            position: search.position.clone(),
            kind: search.kind,
            progress: None,
            result: None,
        };
        let running = job.clone();
        let news = move |progress| {
            let news = Job { progress: Some(progress), ..running.clone() };
            tell(&serde_json::to_vec(&news).unwrap_or_default());
        };
        let result =
            search.run(&self.judge, cancel, news).unwrap_or_else(|e| JobResult::Error(ErrorLine::from(e)));
        object(&Job { state: JobState::Done, result: Some(result), ..job })
    }
}

const JSON: &str = "application/json";
const FILE: &str = "application/octet-stream";

fn object(answer: &impl Serialize) -> Result<Reply, Error> {
    let body = serde_json::to_vec(answer).map_err(|e| {
        Error::new(ErrorCode::Internal, format!("the answer has no text: {e}"), "please report it")
    })?;
    Ok(Reply(200, JSON, body))
}

/// The parameter of a name.
fn named<'a>(query: &'a BTreeMap<String, String>, name: &str) -> Result<&'a str, Error> {
    query.get(name).map(String::as_str).ok_or_else(|| {
        Error::new(
            ErrorCode::BadQuery,
            format!("missing field `{name}`"),
            "the parameters are described at /api",
        )
    })
}

/// A query, in which every value is a text.
fn asked<T: DeserializeOwned>(query: BTreeMap<String, String>) -> Result<T, Error> {
    let texts = query.into_iter().map(|(name, text)| (name, Value::String(text))).collect();
    serde_json::from_value(Value::Object(texts))
        .map_err(|e| Error::new(ErrorCode::BadQuery, e.to_string(), "the parameters are described at /api"))
}

/// A body in JSON.
fn sent<T: DeserializeOwned>(body: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(body)
        .map_err(|e| Error::new(ErrorCode::BadBody, e.to_string(), "the bodies are described at /api"))
}
