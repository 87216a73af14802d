//! Jobs: start, look, watch, cancel.

use std::{
    convert::Infallible,
    net::IpAddr,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use axum::{
    Extension, Json,
    extract::{Path, State},
    http::{StatusCode, header},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::stream::{self, Stream};
use ludex_core::{Budget, Cancel, ErrorCode, MIN_MEMORY};
use ludex_judge::{Goal, Question, Reporter, Terms};

use super::{Ask, Body};
use crate::{
    ApiError, Service,
    board::{self, Location},
    jobs::{Job, Run, Snapshot, Subject},
    judge::Inquiry,
    listener::Peer,
    objects::{self, JobKind, JobProgress, JobResult, JobState, PartialAnalysis},
    part::Part,
    requests::{PartQuery, SolveBody, goal},
};

pub(crate) async fn start(
    State(service): State<Arc<Service>>,
    peer: Option<Extension<Peer>>,
    Body(body): Body<SolveBody>,
) -> Result<Response, ApiError> {
    let config = &service.config;
    let client = peer.map_or(IpAddr::from([0; 4]), |Extension(Peer(address))| address.ip());
    let (kind, goal) = (body.kind()?, goal(body.goal.as_deref())?);
    let time = body.time.unwrap_or(f64::MAX);
    if time.is_nan() || time < 0.001 {
        return Err(ApiError::new(
            ErrorCode::BadTime,
            format!("a job cannot take {time} s"),
            "seconds, 0.001 or more",
        ));
    }
    if body.threads == Some(0) {
        return Err(ApiError::new(
            ErrorCode::BadThreads,
            "no threads at all",
            "a number of threads from 1 on",
        ));
    }
    let threads = usize::try_from(body.threads.unwrap_or(1)).unwrap_or(usize::MAX);
    let time = Duration::from_secs_f64(time.min(config.job_time.as_secs_f64()));
    let budget = Budget {
        time: Some(time),
        nodes: body.nodes,
        memory: body.memory.unwrap_or(u64::MAX).min(config.job_memory).max(MIN_MEMORY),
        threads: threads.clamp(1, config.threads.max(1)),
    };
    let location = Location { game: body.game, position: body.position, ..Location::default() };
    let judge = service.judge.clone();
    // A question that no search would take is refused now, not when its turn has come.
    let (found, to_move, question) = service
        .look(move || {
            let found = board::find(&judge.registry, &location)?;
            let to_move = found.game.view_part(&found.position, 0..0)?.0.to_move;
            let usual = if kind == JobKind::Solve { Goal::Wdl } else { found.game.usual_goal() };
            let question = Question {
                goal: goal.unwrap_or(usual),
                budget,
                solver: body.solver,
                without: body.without,
                ..Question::at(&found.position)
            };
            found.game.check(&question, &judge.terms(&Cancel::new()))?;
            Ok((found, to_move, question))
        })
        .await?;
    let subject = Subject { game: found.game.spec(), position: found.position, kind };
    let inquiry = Inquiry { game: subject.game.clone(), question, any_memory: false };
    let (judge, names) = (service.judge.clone(), found.game.side_names());
    let run: Run = Box::new(move |cancel, tell| {
        let progress: Reporter = Arc::new(move |p| tell(JobProgress::new(p, names, to_move)));
        let terms = Terms { progress: Some(progress), ..judge.terms(cancel) };
        match kind {
            JobKind::Solve => judge.ask(&inquiry, terms, |g, q, t| g.solve(q, t)).map(JobResult::Verdict),
            JobKind::Analyze => {
                let analysis = judge.ask(&inquiry, terms, |g, q, t| g.analyze(q, t))?;
                let total_moves = analysis.moves.len();
                Ok(JobResult::Analysis(PartialAnalysis { analysis, total_moves }))
            }
        }
    });
    let job = service.jobs.start(subject, client, time, run).inspect_err(|_| {
        service.metrics.refused.fetch_add(1, Relaxed);
    })?;
    service.metrics.jobs.fetch_add(1, Relaxed);
    let address = [(header::LOCATION, format!("/api/v1/solve/{}", job.id))];
    Ok((StatusCode::ACCEPTED, address, Json(job.object(job.now(), Part::default()))).into_response())
}

pub(crate) async fn look(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    Ask(query): Ask<PartQuery>,
) -> Result<Json<objects::Job>, ApiError> {
    let part = query.part()?;
    let job = service.jobs.get(&id)?;
    Ok(Json(job.object(job.now(), part)))
}

pub(crate) async fn cancel(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
) -> Result<Json<objects::Job>, ApiError> {
    let job = service.jobs.get(&id)?;
    job.cancel();
    // The search notices within 100 ms or so, and the answer shows what it had learnt by then; or it is given up.
    let mut changes = job.watch();
    let _ =
        tokio::time::timeout(Duration::from_secs(2), changes.wait_for(|s| s.state == JobState::Done)).await;
    Ok(Json(job.object(job.now(), Part::default())))
}

pub(crate) async fn events(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let job = service.jobs.get(&id)?.watched();
    let mut changes = job.0.watch();
    changes.mark_changed();
    let events = stream::unfold(Some((job, changes)), |watching| async move {
        let (watched, mut changes) = watching?;
        let job = &watched.0;
        // The job itself holds the other end: it goes on telling until it is done.
        let _ = changes.changed().await;
        job.look();
        let snapshot = changes.borrow_and_update().clone();
        let done = snapshot.state == JobState::Done;
        let event = event(job, snapshot);
        let watching = (!done).then_some((watched, changes));
        Some((Ok(event), watching))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(10))))
}

fn event(job: &Job, snapshot: Snapshot) -> Event {
    let name = if snapshot.state == JobState::Done { "done" } else { "progress" };
    let data = serde_json::to_string(&job.object(snapshot, Part::default())).unwrap_or_default();
    // Whoever loses the connection comes back before the job is given up.
    Event::default().event(name).retry(Duration::from_millis(500)).data(data)
}
