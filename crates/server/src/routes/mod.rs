//! The handlers behind the endpoints.

pub(crate) mod analysis;
pub(crate) mod games;
pub(crate) mod health;
pub(crate) mod solve;

use std::str::FromStr;

use axum::{
    extract::{FromRequest, FromRequestParts, Query, Request, rejection::JsonRejection},
    http::{StatusCode, request::Parts},
};
use serde::de::DeserializeOwned;

use crate::{ApiError, board::Place};

/// The query of a request, with our own words for what is wrong with it.
pub(crate) struct Ask<T>(pub(crate) T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Ask<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Query::try_from_uri(&parts.uri).map(|Query(q)| Self(q)).map_err(|e| {
            ApiError::bad_request("bad_query", e.body_text(), "the parameters are described at /api")
        })
    }
}

/// The JSON body of a request, with our own words for what is wrong with it.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        match axum::Json::from_request(request, state).await {
            Ok(axum::Json(body)) => Ok(Self(body)),
            Err(e) if e.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(ApiError::new(
                e.status(),
                "too_large",
                "the body is larger than this server reads",
                "send less in one request, such as fewer positions",
            )),
            Err(e) => Err(ApiError {
                status: match e {
                    JsonRejection::JsonDataError(_) => StatusCode::BAD_REQUEST,
                    _ => e.status(),
                },
                ..ApiError::bad_request("bad_body", e.body_text(), "the bodies are described at /api")
            }),
        }
    }
}

/// The parameters that name a place on a board.
#[derive(Clone, Debug, Default, serde::Deserialize)]
pub(crate) struct PlaceQuery {
    pub(crate) game: String,
    pub(crate) position: Option<String>,
    /// Moves, separated by spaces.
    pub(crate) play: Option<String>,
    pub(crate) seed: Option<String>,
}

impl PlaceQuery {
    pub(crate) fn place(self) -> Result<Place, ApiError> {
        Ok(Place {
            seed: number(self.seed.as_deref(), "seed")?,
            game: self.game,
            position: self.position,
            play: self.play.unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
        })
    }
}

/// An optional number.
pub(crate) fn number<T: FromStr>(text: Option<&str>, name: &str) -> Result<Option<T>, ApiError> {
    text.filter(|t| !t.is_empty())
        .map(|t| {
            t.parse().map_err(|_| {
                ApiError::bad_request(
                    "bad_query",
                    format!("{name}='{t}' is not a number here"),
                    "a whole number from 0 on",
                )
            })
        })
        .transpose()
}
