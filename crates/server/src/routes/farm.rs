//! The page of a farm, made by whoever knows the farm.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use ludex_core::Error;

use crate::{ApiError, Service, page};

/// Writes the page anew whenever it is asked for; one at a time.
#[derive(Clone)]
pub struct FarmPage(Arc<Mutex<dyn FnMut() -> Result<String, Error> + Send>>);

impl FarmPage {
    /// A page that is written by this.
    pub fn new(write: impl FnMut() -> Result<String, Error> + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(write)))
    }
}

impl fmt::Debug for FarmPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FarmPage")
    }
}

/// How the farm is doing, if this server has one to tell of.
pub(crate) async fn farm(State(service): State<Arc<Service>>, headers: HeaderMap) -> Response {
    let Some(page) = service.config.farm.clone() else {
        return if page::is_wanted(&headers) {
            page::nothing_here()
        } else {
            ApiError::new(
                ludex_core::ErrorCode::NotFound,
                "this server shows no farm",
                "start it with --farm URL",
            )
            .into_response()
        };
    };
    let write = move || Ok(page.0.lock().unwrap_or_else(PoisonError::into_inner)()?);
    match service.look(write).await {
        Ok(text) => {
            let kind =
                [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
            (kind, text).into_response()
        }
        Err(error) => error.into_response(),
    }
}
