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

use super::{Ask, Body};
use crate::{
    ApiError, Service,
    jobs::{Job, Run, Snapshot, Subject},
    listener::Peer,
    objects::{self, JobState},
    part::Part,
    questions::{self, LongSearch},
    requests::{PartQuery, SolveBody},
};

pub(crate) async fn start(
    State(service): State<Arc<Service>>,
    peer: Option<Extension<Peer>>,
    Body(body): Body<SolveBody>,
) -> Result<Response, ApiError> {
    let client = peer.map_or(IpAddr::from([0; 4]), |Extension(Peer(address))| address.ip());
    // What is plainly wrong takes nobody's turn; a question that no search would take is refused now, not when its turn has
    // come.
    body.kind()?;
    questions::budget(&service.judge, &body)?;
    let judge = service.judge.clone();
    let search = service.look(move || Ok(LongSearch::read(&judge, body)?)).await?;
    let subject = Subject { game: search.game.clone(), position: search.position.clone(), kind: search.kind };
    let (judge, time) = (service.judge.clone(), search.time);
    let run: Run = Box::new(move |cancel, tell| search.run(&judge, cancel, move |news| tell(news)));
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
