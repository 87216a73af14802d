//! For those who look after the server.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use crate::{Service, endpoints};

pub(crate) async fn health() -> Json<Value> {
    Json(json!({"type": "health", "status": "ok", "program": concat!("ludex ", env!("CARGO_PKG_VERSION"))}))
}

pub(crate) async fn metrics(State(service): State<Arc<Service>>) -> Response {
    let (running, waiting) = service.jobs.load();
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (kind, service.metrics.text(running, waiting)).into_response()
}

pub(crate) async fn openapi() -> Json<Value> {
    Json(endpoints::openapi())
}
