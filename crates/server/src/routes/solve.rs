//! Jobs: start, look, watch, cancel.

use std::{
    convert::Infallible,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use axum::{
    Json,
    extract::{ConnectInfo, Path, State},
    http::{StatusCode, header},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::stream::{self, Stream};
use serde::Deserialize;
use serde_json::Value;

use super::{Body, analysis::goal};
use crate::{
    ApiError, Service,
    board::{self, Place},
    jobs::{Job, Snapshot, State as JobState},
    listener::Peer,
    oracle::{Kind, Question},
};

/// What to solve, and with how much.
#[derive(Deserialize)]
pub(crate) struct Request {
    game: String,
    position: Option<String>,
    kind: Option<String>,
    goal: Option<String>,
    /// Seconds.
    time: Option<f64>,
    /// Bytes.
    memory: Option<u64>,
    nodes: Option<u64>,
    threads: Option<usize>,
    #[serde(default)]
    without: Vec<String>,
    solver: Option<String>,
}

pub(crate) async fn start(
    State(service): State<Arc<Service>>,
    ConnectInfo(Peer(client)): ConnectInfo<Peer>,
    Body(request): Body<Request>,
) -> Result<Response, ApiError> {
    let config = &service.config;
    let kind = match request.kind.as_deref() {
        None | Some("solve") => Kind::Solve,
        Some("analyze") => Kind::Analyze,
        Some(other) => {
            return Err(ApiError::bad_request(
                "bad_kind",
                format!("'{other}' is not a kind of job"),
                "solve or analyze",
            ));
        }
    };
    let goal = goal(request.goal)?;
    let time = request.time.unwrap_or(f64::MAX);
    if time.is_nan() || time < 0.001 {
        return Err(ApiError::bad_request(
            "bad_time",
            format!("a job cannot take {time} s"),
            "seconds, 0.001 or more",
        ));
    }
    let time = Duration::from_secs_f64(time.min(config.job_time.as_secs_f64()));
    let place = Place { game: request.game, position: request.position, ..Place::default() };
    let at = service.work(move |_| Ok(board::view(&place)?)).await?;
    let question = Question {
        game: at.game,
        position: at.position,
        kind,
        goal: goal.unwrap_or_else(|| if kind == Kind::Solve { "wdl" } else { at.goal }.to_owned()),
        time,
        memory: request.memory.unwrap_or(u64::MAX).min(config.job_memory).max(ludex_core::MIN_MEMORY),
        short: false,
        nodes: request.nodes,
        threads: request.threads.unwrap_or(1).clamp(1, config.threads.max(1)),
        without: request.without,
        solver: request.solver,
    };
    let oracle = service.oracle.clone();
    let job = service
        .jobs
        .start(question, client.ip(), Arc::new(move |q, c, told| oracle.ask(q, c, Some(told))))
        .inspect_err(|_| {
            service.metrics.refused.fetch_add(1, Relaxed);
        })?;
    service.metrics.jobs.fetch_add(1, Relaxed);
    let place = [(header::LOCATION, format!("/api/v1/solve/{}", job.id))];
    Ok((StatusCode::ACCEPTED, place, Json(job.object(&job.now()))).into_response())
}

pub(crate) async fn look(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let job = service.jobs.get(&id)?;
    Ok(Json(job.object(&job.now())))
}

pub(crate) async fn cancel(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let job = service.jobs.get(&id)?;
    job.cancel();
    // The search notices within 100 ms or so; the answer shows what it had learnt by then.
    let mut changes = job.watch();
    let _ =
        tokio::time::timeout(Duration::from_secs(2), changes.wait_for(|s| s.state == JobState::Done)).await;
    Ok(Json(job.object(&job.now())))
}

pub(crate) async fn events(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let job = Watched(service.jobs.get(&id)?);
    let mut changes = job.0.watch();
    changes.mark_changed();
    let events = stream::unfold(Some((job, changes)), |watching| async move {
        let (watched, mut changes) = watching?;
        let job = &watched.0;
        // Looking again now and then keeps the job going for as long as this stream is read.
        while tokio::time::timeout(Duration::from_secs(5), changes.changed()).await.is_err() {
            job.look();
        }
        job.look();
        let snapshot = changes.borrow_and_update().clone();
        let event = event(job, &snapshot);
        let watching = (snapshot.state != JobState::Done).then_some((watched, changes));
        Some((Ok(event), watching))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(10))))
}

/// A job that a stream watches; when the stream ends, so does its interest.
struct Watched(Arc<Job>);

impl Drop for Watched {
    fn drop(&mut self) {
        self.0.leave();
    }
}

fn event(job: &Job, snapshot: &Snapshot) -> Event {
    let name = if snapshot.state == JobState::Done { "done" } else { "progress" };
    Event::default().event(name).data(job.object(snapshot).to_string())
}
