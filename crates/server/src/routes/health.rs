//! For those who look after the server.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};

use crate::{
    Service,
    objects::{Health, HealthKind},
    openapi,
};

pub(crate) async fn health() -> Json<Health> {
    Json(Health {
        kind: HealthKind::Health,
        status: "ok".into(),
        program: concat!("ludex ", env!("CARGO_PKG_VERSION")).into(),
    })
}

pub(crate) async fn metrics(State(service): State<Arc<Service>>) -> Response {
    let (running, waiting) = service.jobs.load();
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (kind, service.metrics.text(running, waiting)).into_response()
}

pub(crate) async fn document() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], openapi::text()).into_response()
}
