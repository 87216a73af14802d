//! What the API says when it cannot answer.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use ludex_core::{Error, ErrorCode};
use ludex_judge::answer::ErrorLine;

/// Seconds after which a client that was turned away may try again.
const RETRY_SECONDS: u32 = 5;

/// An error as an answer: the status that belongs to its code, and the `error` object of the machine interface.
#[derive(Clone, Debug)]
pub struct ApiError(pub Error);

impl ApiError {
    /// An error with its code, what was wrong and what would be right.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self(Error::new(code, message, hint))
    }

    /// The server has as much to do as it takes on.
    #[must_use]
    pub fn busy(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Busy, message, format!("try again in {RETRY_SECONDS} s, or run your own server"))
    }

    /// A body beyond what is read.
    #[must_use]
    pub fn too_large() -> Self {
        Self::new(
            ErrorCode::TooLarge,
            "the body is larger than this server reads",
            "send less in one request, such as fewer positions",
        )
    }

    /// A fault of ours.
    #[must_use]
    pub fn internal() -> Self {
        Self::new(
            ErrorCode::Internal,
            "the server made a mistake answering this request",
            "other requests are not affected; please report what you asked",
        )
    }
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(ErrorLine::from(self.0))).into_response();
        if matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(RETRY_SECONDS));
        }
        response
    }
}
