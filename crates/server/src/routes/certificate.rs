//! Certificates: made of what a position is worth, and walked through.

use std::sync::Arc;

use axum::{
    Json,
    body::Bytes,
    extract::{FromRequest, Request, State},
    http::header,
    response::{IntoResponse, Response},
};
use ludex_core::{Budget, ErrorCode};
use ludex_judge::{AnyGame, Question, Terms};

use super::Ask;
use crate::{
    ApiError, Service, board,
    certificate::{MOST_BYTES, Walk},
    judge::Inquiry,
    requests::{ProveQuery, WalkQuery, millis, number},
};

/// The memory of a proof that is made while somebody waits, in bytes.
const MEMORY: u64 = 64 << 20;

/// A file that was sent.
pub(crate) struct Sent(Bytes);

impl FromRequest<Arc<Service>> for Sent {
    type Rejection = Response;

    async fn from_request(request: Request, state: &Arc<Service>) -> Result<Self, Response> {
        let time = state.config.body_time;
        match tokio::time::timeout(time, Bytes::from_request(request, state)).await {
            Ok(Ok(bytes)) => Ok(Self(bytes)),
            Ok(Err(_)) => Err(too_large().into_response()),
            Err(_) => {
                let message = format!("the body did not arrive within {time:?}");
                let error = ApiError::new(ErrorCode::TooSlow, message, "send it in one go");
                Err(([(header::CONNECTION, "close")], error).into_response())
            }
        }
    }
}

fn too_large() -> ApiError {
    let message = format!("a certificate of more than {MOST_BYTES} bytes");
    ApiError::new(ErrorCode::TooLarge, message, "walk through it with ludex explain FILE")
}

/// Check a certificate, and walk through it.
pub(crate) async fn walk(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<WalkQuery>,
    Sent(file): Sent,
) -> Result<Json<Walk>, ApiError> {
    let claim = number::<usize>(query.claim.as_deref(), "claim")?.unwrap_or(1);
    let moves: Vec<String> = query.play.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let Some(claim) = claim.checked_sub(1) else {
        return Err(ApiError::new(ErrorCode::BadClaim, "there is no claim 0", "claims are numbered from 1"));
    };
    let shared = service.clone();
    service
        .analyze(service.config.analyze_time, move |cancel| {
            let opened = shared.certificates.open(&file, &shared.judge.registry, cancel)?;
            Ok(Json(opened.walk(claim, &moves)?))
        })
        .await
}

/// Prove what a position is worth.
pub(crate) async fn prove(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<ProveQuery>,
) -> Result<Response, ApiError> {
    let time = millis(query.time.as_deref(), service.config.move_time)?;
    let location = query.location.location()?;
    let shared = service.clone();
    service
        .think(time, move |cancel| {
            let found = board::find(&shared.judge.registry, &location)?;
            let memory = shared.config.job_memory.min(MEMORY);
            let budget = Budget { time: Some(time), nodes: None, memory, threads: 1 };
            let question = Question { budget, ..Question::at(&found.position) };
            let inquiry = Inquiry { game: found.game.spec(), question, any_memory: true };
            let ask = |game: &dyn AnyGame, q: &Question, terms: &Terms| game.prove(q, &[], 0, terms);
            let file = shared.judge.ask(&inquiry, shared.judge.terms(cancel), ask)?;
            let kind = [(header::CONTENT_TYPE, "application/octet-stream")];
            Ok((kind, file).into_response())
        })
        .await
}
