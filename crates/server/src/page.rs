//! The page's files, embedded in the program.
//!
//! What is served is what was written, without comments and indentation. The modules that every visit needs travel as one, so
//! that the first board does not wait for a dozen requests; the others come when they are asked for. A debug build takes the files from the folder that
//! `LUDEX_PAGE` names, if it is set, so that whoever works on the page sees a change by reloading.

use std::{
    borrow::Cow,
    sync::{Arc, LazyLock},
};

use axum::{
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{MethodRouter, get},
};

use crate::Service;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// A file of the page.
struct File {
    /// Where it is served.
    path: &'static str,
    /// Its name in the folder.
    name: &'static str,
    /// Its type.
    kind: &'static str,
    /// Its text, as it was written.
    text: &'static str,
}

macro_rules! files {
    ($($path:literal => $name:literal as $kind:expr),* $(,)?) => {
        const FILES: &[File] = &[$(File {
            path: $path,
            name: $name,
            kind: $kind,
            text: include_str!(concat!("../page/", $name)),
        }),*];
    };
}

files! {
    "/" => "index.html" as HTML,
    "/embed" => "index.html" as HTML,
    "/api" => "api.html" as HTML,
    "/style.css" => "style.css" as "text/css; charset=utf-8",
    "/more.css" => "more.css" as "text/css; charset=utf-8",
    "/manifest.json" => "manifest.json" as "application/manifest+json",
    "/icon.svg" => "icon.svg" as "image/svg+xml",
    "/js/main.js" => "js/main.js" as SCRIPT,
    "/js/wire.js" => "js/wire.js" as SCRIPT,
    "/js/api.js" => "js/api.js" as SCRIPT,
    "/js/apipage.js" => "js/apipage.js" as SCRIPT,
    "/js/chart.js" => "js/chart.js" as SCRIPT,
    "/js/edit.js" => "js/edit.js" as SCRIPT,
    "/js/explorer.js" => "js/explorer.js" as SCRIPT,
    "/js/home.js" => "js/home.js" as SCRIPT,
    "/js/menu.js" => "js/menu.js" as SCRIPT,
    "/js/open.js" => "js/open.js" as SCRIPT,
    "/js/proof.js" => "js/proof.js" as SCRIPT,
    "/js/puzzle.js" => "js/puzzle.js" as SCRIPT,
    "/js/rules.js" => "js/rules.js" as SCRIPT,
    "/js/share.js" => "js/share.js" as SCRIPT,
    "/js/sheet.js" => "js/sheet.js" as SCRIPT,
    "/js/words.js" => "js/words.js" as SCRIPT,
    "/lang/en.js" => "lang/en.js" as SCRIPT,
    "/lang/de.js" => "lang/de.js" as SCRIPT,
    "/lang/fr.js" => "lang/fr.js" as SCRIPT,
    "/lang/en-more.js" => "lang/en-more.js" as SCRIPT,
    "/lang/de-more.js" => "lang/de-more.js" as SCRIPT,
    "/lang/fr-more.js" => "lang/fr-more.js" as SCRIPT,
    "/lang/de-said.js" => "lang/de-said.js" as SCRIPT,
    "/lang/fr-said.js" => "lang/fr-said.js" as SCRIPT,
    "/lang/de-rules.js" => "lang/de-rules.js" as SCRIPT,
    "/lang/fr-rules.js" => "lang/fr-rules.js" as SCRIPT,
}

macro_rules! together {
    ($($name:literal),* $(,)?) => {
        /// The modules that travel as `main.js`, whoever is imported before whoever imports.
        const TOGETHER: &[(&str, &str)] = &[$(($name, include_str!(concat!("../page/js/", $name, ".js")))),*];
    };
}

together!["words", "wire", "api", "tree", "board", "bar", "panels", "game", "main"];

/// A text and the tag of its version, ready to be sent.
struct Ready {
    text: Cow<'static, str>,
    tag: String,
}

static READY: LazyLock<Vec<Ready>> =
    LazyLock::new(|| FILES.iter().map(|file| ready(file, file.text)).collect());

fn ready(file: &File, text: &str) -> Ready {
    let text = match file.path {
        "/js/main.js" => together(),
        // The description of the API is no game, and has nothing to do with them.
        "/js/apipage.js" | "/js/api.js" | "/js/words.js" | "/js/wire.js" => lean(file.kind, text),
        path if path.starts_with("/js/") => pointed(&lean(file.kind, text)),
        _ => lean(file.kind, text),
    };
    Ready { tag: format!("\"{:016x}\"", digest(text.as_bytes())), text: text.into() }
}

/// The modules that travel as one: what they import from each other is there already.
fn together() -> String {
    let one = |&(name, text): &(&str, &'static str)| {
        let text = on_disk(&format!("js/{name}.js")).map_or(Cow::Borrowed(text), Cow::Owned);
        let lines = lean(SCRIPT, &text);
        lines
            .lines()
            .filter(|line| !line.starts_with("import "))
            .flat_map(|line| [line, "\n"])
            .collect::<String>()
    };
    TOGETHER.iter().map(one).collect()
}

/// A module that imports from those that travel as one.
fn pointed(text: &str) -> String {
    TOGETHER.iter().fold(text.to_owned(), |text, (name, _)| {
        text.replace(&format!("from \"./{name}.js\""), "from \"./main.js\"")
    })
}

/// The routes of all files.
pub(crate) fn routes() -> Vec<(&'static str, MethodRouter<Arc<Service>>)> {
    let route = |(i, file): (usize, &'static File)| {
        (file.path, get(move |headers: HeaderMap| async move { answer(&headers, i, file) }))
    };
    FILES.iter().enumerate().map(route).collect()
}

/// The file, or word that the browser has it already.
fn answer(headers: &HeaderMap, i: usize, file: &File) -> Response {
    let changed = on_disk(file.name).map(|text| ready(file, &text));
    let Ready { text, tag } = changed.as_ref().unwrap_or(&READY[i]);
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|t| t.as_bytes() == tag.as_bytes());
    let caching = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if known {
        (StatusCode::NOT_MODIFIED, caching).into_response()
    } else {
        (caching, [(header::CONTENT_TYPE, file.kind)], text.clone()).into_response()
    }
}

/// The file as it is on disk, for those who work on the page.
fn on_disk(name: &str) -> Option<String> {
    if !cfg!(debug_assertions) {
        return None;
    }
    let folder = std::env::var_os("LUDEX_PAGE")?;
    std::fs::read_to_string(std::path::Path::new(&folder).join(name)).ok()
}

/// Whether somebody in front of a browser is asking.
pub(crate) fn is_wanted(headers: &HeaderMap) -> bool {
    headers.get(header::ACCEPT).is_some_and(|a| a.to_str().is_ok_and(|a| a.contains("text/html")))
}

/// The page that says that there is none here.
pub(crate) fn nothing_here() -> Response {
    let text = lean(HTML, include_str!("../page/nothing.html"));
    (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, HTML)], text).into_response()
}

/// A text without comments, indentation and empty lines. The files keep to what this understands, and a test sees to it: no
/// comment after code except `/* … */`, and no string over several lines.
fn lean(kind: &str, text: &str) -> String {
    let code = kind == SCRIPT || kind.starts_with("text/css");
    let mut rest = text;
    let mut kept = String::with_capacity(text.len());
    while code && let Some((before, after)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    let lines = kept.lines().map(str::trim).filter(|l| !(l.is_empty() || code && l.starts_with("//")));
    let mut lean = String::with_capacity(kept.len());
    for line in lines {
        lean.push_str(line);
        lean.push('\n');
    }
    lean
}

/// FNV-1a: enough to tell two versions of a file apart.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visit_is_small_and_loads_nothing_from_elsewhere() {
        // Whoever opens a game loads these, German having the longest texts; the rest comes with a click.
        let visited = ["/", "/style.css", "/icon.svg", "/js/main.js", "/lang/de.js"];
        let total: usize = READY
            .iter()
            .zip(FILES)
            .filter(|(_, f)| visited.contains(&f.path))
            .map(|(r, _)| r.text.len())
            .sum();
        assert!(total <= 90_000, "the page has {total} bytes");
        for file in FILES {
            let lean = lean(file.kind, file.text);
            // The name of SVG is no address, and where the source is, is for those who click.
            let known = ["http://www.w3.org/", "https://github.com/ludex/ludex"];
            let expected: usize = known.iter().map(|name| lean.matches(name).count()).sum();
            assert_eq!(lean.matches("//").count(), expected, "{}", file.path);
        }
    }

    #[test]
    fn what_travels_as_one_has_no_name_twice_and_imports_nothing_else() {
        let mut names = std::collections::HashSet::new();
        for (module, text) in TOGETHER {
            for line in text.lines() {
                if let Some(import) = line.strip_prefix("import ") {
                    let from = import.split("from \"./").nth(1).and_then(|rest| rest.strip_suffix(".js\";"));
                    let known = from.is_some_and(|from| TOGETHER.iter().any(|(name, _)| *name == from));
                    assert!(known && !import.contains(" as "), "{module}: {line}");
                }
                let line = line.strip_prefix("export ").unwrap_or(line);
                let line = line.strip_prefix("async ").unwrap_or(line);
                let declared =
                    ["function ", "class ", "const ", "let "].iter().find_map(|w| line.strip_prefix(w));
                if let Some(rest) = declared {
                    let name: String =
                        rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    assert!(!name.is_empty() && names.insert(name.clone()), "{module}: {name}");
                }
            }
        }
        assert!(!together().contains("import "), "no import is left");
    }

    #[test]
    fn what_is_left_out_is_nothing_but_comments() {
        for file in FILES.iter().filter(|f| f.kind == SCRIPT) {
            assert_eq!(file.text.matches("/*").count(), file.text.matches("*/").count(), "{}", file.path);
            for line in file.text.lines() {
                assert!(
                    line.matches('`').count() % 2 == 0,
                    "{}: a string over several lines: {line}",
                    file.path
                );
            }
        }
        let text = "/* a\n b */\n  x = 1; /** @type {B} */ (y)\n\n  // c\n";
        assert_eq!(lean(SCRIPT, text), "x = 1;  (y)\n");
    }

    #[test]
    fn nothing_is_inline() {
        for file in FILES.iter().filter(|f| f.kind == HTML) {
            assert!(!["style=", "<style", "onclick=", "onload="].iter().any(|word| file.text.contains(word)));
            let scripts = file.text.matches("<script").count();
            assert_eq!(scripts, file.text.matches("<script type=\"module\" src=").count(), "{}", file.path);
        }
    }
}
