//! Requests to the server, without a socket.

use std::{sync::LazyLock, time::Duration};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, header},
};
use ludex_judge::Registry;
use ludex_server::{Config, Service, router};
use ludex_standard::Standard as _;
use serde_json::Value;
use tokio::runtime::Runtime;
use tower::ServiceExt as _;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime")
});

static ROUTER: LazyLock<Router> = LazyLock::new(|| {
    let brief = Duration::from_millis(10);
    let config = Config { analyze_time: brief, job_time: brief, move_time: brief, ..Config::default() };
    router(Service::new(config, Registry::standard(), None))
});

const LONGEST: usize = 16 << 20;

/// A path and a query, or a path and a body: an object comes back, an error with code, message and hint, and never a fault
/// of the server's own.
pub(crate) fn query(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (target, body) = text.split_once('\n').map_or((text, None), |(target, body)| (target, Some(body)));
    let request = Request::builder()
        .method(if body.is_some() { "POST" } else { "GET" })
        .uri(format!("/api/v1/{target}"))
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body.unwrap_or_default().to_owned()));
    // What is no URI never gets here.
    let Ok(request) = request else { return };
    // Jobs go on after the request, and are not for one request to test.
    if request.uri().path().contains("solve") {
        return;
    }
    RUNTIME.block_on(async {
        let response = ROUTER.clone().oneshot(request).await.expect("an answer");
        let (status, kind) = (response.status(), response.headers().get(header::CONTENT_TYPE).cloned());
        assert!(!status.is_server_error(), "{text}: {status}");
        if kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream")) {
            return;
        }
        let bytes = to_bytes(response.into_body(), LONGEST).await.expect("a body of bounded length");
        if status.is_success() || status.is_redirection() {
            return;
        }
        let error: Value = serde_json::from_slice(&bytes).unwrap_or_else(|e| panic!("{text}: {status}: {e}"));
        let has = |name: &str| error[name].as_str().is_some_and(|value| !value.is_empty());
        assert!(error["type"] == "error" && has("code") && has("message") && has("hint"), "{text}: {error}");
    });
}

pub(crate) fn queries() -> Vec<Vec<u8>> {
    let texts = [
        "games",
        "game?game=mnk:3,3,3",
        "position?game=nex:2x2&position=moves:Ba1%3Fa2&play=&seed=1",
        "position?game=collapsi&seed=7",
        "analyze?game=heap:9&goal=distance&time=5",
        "explain?game=mnk:3,3,3&position=xx./oo./...",
        "random?game=hex:3x3&plies=3&seed=2",
        "puzzle?game=mnk:3,3,3&seed=2",
        "tables?game=connect4",
        "play\n{\"game\":\"mnk:3,3,3\",\"position\":\"x../.../...\",\"move\":\"b2\"}",
        "analyze\n{\"game\":\"heap:5\",\"positions\":[\"5\",\"3\"],\"time\":5}",
        "choose\n{\"game\":\"nex:2x2\",\"level\":\"1\",\"seed\":3,\"time\":5}",
    ];
    texts.map(|text| text.as_bytes().to_vec()).into()
}
