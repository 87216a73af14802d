//! What every request passes: host check, time limit, security headers, counting, and a net for panics.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Instant};

use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;
use ludex_core::ErrorCode;

use crate::{ApiError, Service};

/// Everything comes from this server, nothing is inline, nobody may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The outermost layer.
pub async fn guard(State(service): State<Arc<Service>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map_or("other", |p| p.as_str()).to_owned();
    let mut response = match check_origin(&service, &request) {
        Err(refusal) => refusal.into_response(),
        Ok(()) => match AssertUnwindSafe(next.run(request)).catch_unwind().await {
            Ok(response) => response,
            Err(_) => {
                service.metrics.panics.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                ApiError::internal().into_response()
            }
        },
    };
    service.metrics.answered(&route, response.status().as_u16(), start.elapsed());
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    if route == "/embed"
        && !service.config.embed.is_empty()
        && let Ok(policy) = HeaderValue::from_str(&framed_by(&service.config.embed))
    {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        response.headers_mut().remove(header::X_FRAME_OPTIONS);
    }
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// The policy of the page that these sites may frame.
fn framed_by(sites: &[String]) -> String {
    POLICY.replace("frame-ancestors 'none'", &format!("frame-ancestors {}", sites.join(" ")))
}

/// On loopback, a request for another host name comes from a page that had its own name point here (DNS rebinding);
/// one with a foreign origin that changes something comes from a page of somebody else's.
fn check_origin(service: &Service, request: &Request) -> Result<(), ApiError> {
    let named = request.headers().get(header::HOST).and_then(|h| h.to_str().ok());
    let host = named.or(request.uri().host()).unwrap_or("");
    let name = host_name(host);
    if service.config.listen.ip().is_loopback() || !service.config.hosts.is_empty() {
        let loopback = matches!(name, "localhost" | "127.0.0.1" | "[::1]");
        if !loopback && !service.config.hosts.iter().any(|h| h.eq_ignore_ascii_case(name)) {
            return Err(ApiError::new(
                ErrorCode::UnknownHost,
                format!("this server does not answer for the host '{name}'"),
                "use the address it printed when it started, or start it with --host NAME",
            ));
        }
    }
    let origin = request.headers().get(header::ORIGIN).and_then(|h| h.to_str().ok());
    if let Some(origin) = origin
        && !request.method().is_safe()
        && origin.split_once("://").is_none_or(|(_, from)| from != host)
    {
        return Err(ApiError::new(
            ErrorCode::ForeignOrigin,
            format!("requests from pages of '{origin}' may not change anything here"),
            "call the API from its own page, or from a program",
        ));
    }
    Ok(())
}

fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !name.is_empty() => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_names_the_sites_that_may_frame_it() {
        let policy = framed_by(&["https://example.org".into()]);
        assert!(policy.ends_with("frame-ancestors https://example.org"), "{policy}");
    }

    #[test]
    fn ports_are_no_part_of_the_name() {
        for (host, name) in
            [("localhost:7117", "localhost"), ("[::1]:80", "[::1]"), ("[::1]", "[::1]"), ("a", "a")]
        {
            assert_eq!(host_name(host), name);
        }
    }
}
