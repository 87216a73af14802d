//! What the API says when it cannot answer: a status, a code, and what would be right.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use ludex_core::InputError;
use serde_json::{Value, json};

/// An error answer. Its body is the `error` object of the machine interface.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// The HTTP status.
    pub status: StatusCode,
    /// A stable word for programs.
    pub code: &'static str,
    /// What was wrong.
    pub message: String,
    /// What would be right.
    pub hint: String,
    /// Seconds after which to try again.
    pub retry_after: Option<u32>,
}

impl ApiError {
    /// An error with a status of its own.
    #[must_use]
    pub fn new(
        status: StatusCode,
        code: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self { status, code, message: message.into(), hint: hint.into(), retry_after: None }
    }

    /// A request that makes no sense.
    #[must_use]
    pub fn bad_request(code: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message, hint)
    }

    /// Something that is not there.
    #[must_use]
    pub fn not_found(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message, hint)
    }

    /// The server has all its hands full.
    #[must_use]
    pub fn busy(message: impl Into<String>, seconds: u32) -> Self {
        Self {
            retry_after: Some(seconds),
            ..Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "busy",
                message,
                format!("try again in {seconds} s, or run your own server"),
            )
        }
    }

    /// One client asks for more than its share.
    #[must_use]
    pub fn too_many(message: impl Into<String>, seconds: u32) -> Self {
        Self {
            retry_after: Some(seconds),
            ..Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too_many",
                message,
                "wait for one of your jobs to end, or cancel it with DELETE",
            )
        }
    }

    /// A fault of ours.
    #[must_use]
    pub fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "the server made a mistake answering this request",
            "other requests are not affected; please report what you asked",
        )
    }

    /// The `error` object.
    #[must_use]
    pub fn object(&self) -> Value {
        json!({"type": "error", "code": self.code, "message": self.message, "hint": self.hint})
    }
}

impl From<InputError> for ApiError {
    fn from(error: InputError) -> Self {
        Self::bad_request(error.code, error.message, error.hint)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.object())).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
