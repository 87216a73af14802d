//! The page's files, embedded in the program.

use std::sync::Arc;

use axum::{
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{MethodRouter, get},
};

use crate::Service;

macro_rules! files {
    ($($path:literal => $file:literal as $kind:literal),* $(,)?) => {
        /// Path, content type, content.
        const FILES: &[(&str, &str, &str)] =
            &[$(($path, $kind, include_str!(concat!("../page/", $file)))),*];
    };
}

files! {
    "/" => "index.html" as "text/html; charset=utf-8",
    "/api" => "api.html" as "text/html; charset=utf-8",
    "/style.css" => "style.css" as "text/css; charset=utf-8",
    "/icon.svg" => "icon.svg" as "image/svg+xml",
    "/js/main.js" => "js/main.js" as "text/javascript; charset=utf-8",
    "/js/api.js" => "js/api.js" as "text/javascript; charset=utf-8",
    "/js/apipage.js" => "js/apipage.js" as "text/javascript; charset=utf-8",
    "/js/board.js" => "js/board.js" as "text/javascript; charset=utf-8",
    "/js/chart.js" => "js/chart.js" as "text/javascript; charset=utf-8",
    "/js/edit.js" => "js/edit.js" as "text/javascript; charset=utf-8",
    "/js/game.js" => "js/game.js" as "text/javascript; charset=utf-8",
    "/js/home.js" => "js/home.js" as "text/javascript; charset=utf-8",
    "/js/panels.js" => "js/panels.js" as "text/javascript; charset=utf-8",
    "/js/tree.js" => "js/tree.js" as "text/javascript; charset=utf-8",
    "/js/words.js" => "js/words.js" as "text/javascript; charset=utf-8",
}

/// The routes of all files.
pub(crate) fn routes() -> Vec<(&'static str, MethodRouter<Arc<Service>>)> {
    FILES
        .iter()
        .map(|&(path, kind, content)| {
            let tag = format!("\"{:016x}\"", digest(content.as_bytes()));
            (path, get(move |headers: HeaderMap| async move { file(&headers, kind, content, &tag) }))
        })
        .collect()
}

/// The file, or word that the browser has it already.
fn file(headers: &HeaderMap, kind: &'static str, content: &'static str, tag: &str) -> Response {
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|t| t.as_bytes() == tag.as_bytes());
    let caching = [(header::ETAG, tag.to_owned()), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if known {
        (StatusCode::NOT_MODIFIED, caching).into_response()
    } else {
        (caching, [(header::CONTENT_TYPE, kind)], content).into_response()
    }
}

/// FNV-1a: enough to tell two versions of a file apart.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small_and_loads_nothing_from_elsewhere() {
        let total: usize = FILES.iter().map(|f| f.2.len()).sum();
        assert!(total <= 90 << 10, "the page has {total} bytes");
        for (path, _, content) in FILES {
            let foreign = content.matches("//").count() - content.matches("http://www.w3.org/").count();
            let comments = content.lines().filter(|l| l.trim_start().starts_with("//")).count();
            assert!(foreign - comments == 0, "{path} names an address");
        }
    }

    #[test]
    fn nothing_is_inline() {
        for (path, _, content) in FILES.iter().filter(|f| f.1.starts_with("text/html")) {
            assert!(
                !content.contains("style=")
                    && !content.contains("<style")
                    && !content.contains("onclick=")
                    && !content.contains("onload="),
                "{path}"
            );
            assert_eq!(
                content.matches("<script").count(),
                content.matches("<script type=\"module\" src=").count()
            );
        }
    }
}
