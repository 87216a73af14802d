//! What every request passes: host, size and encoding are checked, headers added, answers counted, panics caught.

use std::{
    panic::AssertUnwindSafe,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Instant,
};

use axum::{
    body::HttpBody as _,
    extract::{MatchedPath, Request, State},
    http::{HeaderName, HeaderValue, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;
use ludex_core::ErrorCode;

use crate::{ApiError, Service, body::Held, certificate::MOST_BYTES, endpoints::CERTIFICATES};

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

/// The longest address that is read, in bytes.
const LONGEST_ADDRESS: usize = 32 << 10;

/// The outermost layer.
pub async fn guard(State(service): State<Arc<Service>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map_or("other", |p| p.as_str()).to_owned();
    let checked = check_origin(&service, &request).and_then(|()| check_size(&service, &request));
    let mut response = match checked.and_then(|()| check_text(request.uri())) {
        Err(refusal) => refusal.into_response(),
        Ok(()) => match AssertUnwindSafe(next.run(request)).catch_unwind().await {
            Ok(response) => response,
            Err(_) => {
                service.metrics.panics.fetch_add(1, Relaxed);
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

/// Hold the bytes of an answer against what may be unread at a time: clients that ask and do not read fill no memory.
pub async fn count_unread(State(service): State<Arc<Service>>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let kibibytes = response.body().size_hint().exact().unwrap_or(0) >> 10;
    match service.unread.clone().try_acquire_many_owned(u32::try_from(kibibytes).unwrap_or(u32::MAX)) {
        Ok(counted) => response.map(|body| Held::wrap(body, counted)),
        Err(_) => {
            service.metrics.refused.fetch_add(1, Relaxed);
            ApiError::busy("too many answers wait for their clients to read them").into_response()
        }
    }
}

/// What is too large is refused before any of it is read.
fn check_size(service: &Service, request: &Request) -> Result<(), ApiError> {
    let declared =
        request.headers().get(header::CONTENT_LENGTH).and_then(|n| n.to_str().ok()?.parse::<u64>().ok());
    let most = match request.uri().path() {
        CERTIFICATES => service.config.body.max(MOST_BYTES),
        _ => service.config.body,
    };
    if declared.is_some_and(|bytes| bytes > most as u64) {
        return Err(ApiError::too_large());
    }
    if request.uri().path_and_query().is_some_and(|text| text.as_str().len() > LONGEST_ADDRESS) {
        return Err(ApiError::new(
            ErrorCode::UrlTooLong,
            "the address is longer than this server reads",
            "put what is long into the body of a POST",
        ));
    }
    Ok(())
}

/// An address must be text, in the encoding of addresses.
fn check_text(uri: &Uri) -> Result<(), ApiError> {
    let text = uri.path_and_query().map_or("", |text| text.as_str());
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    let bad =
        |what: String| ApiError::new(ErrorCode::BadQuery, what, "encode texts in UTF-8, and bytes as %XX");
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'%' => {
                let mut digit = || bytes.next().and_then(|b| char::from(b).to_digit(16));
                let (Some(high), Some(low)) = (digit(), digit()) else {
                    return Err(bad("a % in the address is not followed by two hexadecimal digits".into()));
                };
                (high << 4 | low) as u8
            }
            byte => byte,
        });
    }
    match std::str::from_utf8(&decoded) {
        Ok(_) => Ok(()),
        Err(fault) => Err(bad(format!("the address is not UTF-8: {fault}"))),
    }
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
    let name = &*host_name(host).to_ascii_lowercase();
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
        && origin.split_once("://").is_none_or(|(_, from)| !from.eq_ignore_ascii_case(host))
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
    fn addresses_are_text() {
        for (address, right) in [
            ("/a%20b?c=%C3%A4", true),
            ("/?%", false),
            ("/?a=%4", false),
            ("/?a=%zz", false),
            ("/%ff", false),
            ("/?a=%ED%A0%80", false),
            ("/?a=%+1", false),
        ] {
            assert_eq!(check_text(&address.parse().unwrap()).is_ok(), right, "{address}");
        }
    }

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
