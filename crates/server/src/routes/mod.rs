//! The handlers behind the endpoints.

pub(crate) mod analysis;
pub(crate) mod games;
pub(crate) mod health;
pub(crate) mod solve;

use axum::{
    extract::{FromRequest, FromRequestParts, Query, Request, rejection::JsonRejection},
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Response},
};
use ludex_core::ErrorCode;
use serde::de::DeserializeOwned;

use crate::ApiError;

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

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let rejected = match axum::Json::from_request(request, state).await {
            Ok(axum::Json(body)) => return Ok(Self(body)),
            Err(rejected) => rejected,
        };
        if rejected.status() == StatusCode::PAYLOAD_TOO_LARGE {
            let error = ApiError::new(
                ErrorCode::TooLarge,
                "the body is larger than this server reads",
                "send less in one request, such as fewer positions",
            );
            return Err(error.into_response());
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
