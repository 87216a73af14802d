//! Certificates: made of what a position is worth, and walked through.

use std::sync::Arc;

use axum::{
    Json,
    body::Bytes,
    extract::{FromRequest, Request, State},
    http::header,
    response::{IntoResponse, Response},
};
use ludex_core::ErrorCode;

use super::Ask;
use crate::{
    ApiError, Service,
    certificate::{MOST_BYTES, Walk},
    questions,
    requests::{ProveQuery, WalkQuery, millis},
};

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
    let shared = service.clone();
    service
        .analyze(service.config.analyze_time, move |cancel| {
            Ok(Json(questions::walk(&shared.judge, &shared.certificates, query, &file, cancel)?))
        })
        .await
}

/// Prove what a position is worth.
pub(crate) async fn prove(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<ProveQuery>,
) -> Result<Response, ApiError> {
    let time = millis(query.time.as_deref(), service.config.move_time)?;
    let judge = service.judge.clone();
    service
        .think(time, move |cancel| {
            let file = questions::prove(&judge, query, cancel)?;
            let kind = [(header::CONTENT_TYPE, "application/octet-stream")];
            Ok((kind, file).into_response())
        })
        .await
}
