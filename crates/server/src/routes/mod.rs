//! The handlers behind the endpoints.

pub(crate) mod analysis;
pub(crate) mod certificate;
pub(crate) mod farm;
pub(crate) mod games;
pub(crate) mod health;
pub(crate) mod solve;

use std::sync::Arc;

use axum::{
    extract::{FromRequest, FromRequestParts, Query, Request, rejection::JsonRejection},
    http::{StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use ludex_core::ErrorCode;
use serde::de::DeserializeOwned;

use crate::{ApiError, Service};

/// The query of a request, with our own words for what is wrong with it.
pub(crate) struct Ask<T>(pub(crate) T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Ask<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Query::try_from_uri(&parts.uri).map(|Query(q)| Self(q)).map_err(|e| {
            ApiError::new(ErrorCode::BadQuery, e.body_text(), "the parameters are described at /api")
        })
    }
}

/// The JSON body of a request, with our own words for what is wrong with it.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<Service>> for Body<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &Arc<Service>) -> Result<Self, Response> {
        let time = state.config.body_time;
        let read = axum::Json::from_request(request, state);
        let rejected = match tokio::time::timeout(time, read).await {
            Ok(Ok(axum::Json(body))) => return Ok(Self(body)),
            Ok(Err(rejected)) => rejected,
            Err(_) => {
                let message = format!("the body did not arrive within {time:?}");
                let error = ApiError::new(ErrorCode::TooSlow, message, "send it in one go");
                // The rest of it is not waited for.
                return Err(([(header::CONNECTION, "close")], error).into_response());
            }
        };
        if rejected.status() == StatusCode::PAYLOAD_TOO_LARGE {
            return Err(ApiError::too_large().into_response());
        }
        let error =
            ApiError::new(ErrorCode::BadBody, rejected.body_text(), "the bodies are described at /api");
        Err(match rejected {
            // A body that is not said to be JSON has a status of its own in HTTP.
            JsonRejection::MissingJsonContentType(_) => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, error).into_response()
            }
            _ => error.into_response(),
        })
    }
}
