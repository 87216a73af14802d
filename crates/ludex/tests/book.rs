//! The book says what the program does: the list of error codes, and the code of the example game.

use std::{collections::BTreeMap, fs, path::Path};

use ludex::core::ErrorCode;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn text(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
}

/// The text of every page, by its path.
fn pages(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            found.extend(pages(&entry));
        } else if entry.extension().is_some_and(|e| e == "md") {
            found.insert(entry.display().to_string(), fs::read_to_string(&entry).expect("a page"));
        }
    }
    found
}

/// The words between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_error_code_is_in_the_book_with_its_exit_code_and_status() {
    let page = text("docs/src/errors.md");
    let rows = page.lines().filter(|line| line.starts_with("| `")).map(|line| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        assert!(cells[4].len() > 10, "the meaning of {}", cells[1]);
        (cells[1].trim_matches('`').to_owned(), [cells[2].to_owned(), cells[3].to_owned()])
    });
    let listed: BTreeMap<_, _> = rows.collect();
    let real = ErrorCode::ALL
        .iter()
        .map(|code| (code.word().to_owned(), [code.exit().to_string(), code.status().to_string()]))
        .collect();
    assert_eq!(listed, real);
}

#[test]
fn the_book_names_no_error_code_that_does_not_exist() {
    let known = |word: &str| ErrorCode::ALL.iter().any(|code| code.word() == word);
    let mut named = 0;
    for (page, text) in pages(&root().join("docs/src")) {
        let in_objects = text.split("\"code\":\"").skip(1).filter_map(|rest| rest.split('"').next());
        let in_prose = quoted(&text).filter(|word| word.starts_with("bad_") || word.starts_with("unknown_"));
        for word in in_objects.chain(in_prose) {
            assert!(known(word), "{page} names the error code {word}");
            named += 1;
        }
    }
    assert!(named >= ErrorCode::ALL.iter().filter(|code| code.word().starts_with("bad_")).count());
}

/// What the tutorial for programmers shows is the first example of the library, which the doc-tests run.
#[test]
fn the_code_of_the_tutorial_is_a_doc_test() {
    let page = text("docs/src/tutorials/programmer.md");
    let shown =
        page.split("```rust,ignore\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block");
    let library = text("crates/ludex/src/lib.rs");
    let docs = library.lines().filter_map(|line| line.strip_prefix("//!"));
    let docs: Vec<_> = docs.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    assert!(
        docs.join("\n").contains(&format!("```\n{shown}```")),
        "the first example of the library is not {shown}"
    );
}

/// What the page on a game of your own shows is what the tests of the example compile.
#[test]
fn the_code_of_the_example_is_the_example() {
    let example = ["src/lib.rs", "src/main.rs", "src/reference.rs", "tests/kit.rs"]
        .map(|file| text(&format!("examples/own-game/{file}")))
        .concat();
    // In the page a reader is inside the crate, and the fields need not be public.
    let plain = |line: &str| line.trim().replace("own_game::", "").replace("pub ", "");
    let real: Vec<_> = example.lines().map(plain).collect();
    let page = text("docs/src/own-game.md");
    let mut compared = 0;
    for block in page.split("```rust,ignore\n").skip(1).filter_map(|rest| rest.split("```").next()) {
        if block.starts_with("let game") {
            continue;
        }
        for line in block.lines().filter(|line| !line.trim().is_empty()) {
            assert!(real.contains(&plain(line)), "the page shows a line that is not in the example: {line}");
            compared += 1;
        }
    }
    assert!(compared > 80, "only {compared} lines were compared");
}
