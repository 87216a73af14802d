//! The command line, as it is typed and as it answers: every file under `tests/cmd`.

#[test]
fn commands() {
    trycmd::TestCases::new().case("tests/cmd/*.md").case("tests/cmd/*.trycmd");
}

/// `[..]` accepts any text, so it stands only for what is another at every run, in another version, or on another machine:
/// a time, memory, the bytes of a compressed file and their digest, the last digits of a logarithm.
#[test]
fn nothing_else_is_left_open() {
    const OPEN: &[&str] = &[
        "\"seconds\":",
        "\"memory\":",
        "\"created\":",
        " nodes in ",
        " nodes",
        " derived again in ",
        " of memory planned, ",
        " nodes, collapsi ",
        "(0 nodes, table ",
        " tiers, ",
        " plies in ",
        "sha256 ",
        ", made by ludex ",
    ];
    let numbers = ["\"tree_log10\":", "\"tree_relative_error\":", "\"plies_error\":", "\"moves_error\":"];
    let mut seen = 0;
    for file in std::fs::read_dir("tests/cmd").expect("a folder") {
        let path = file.expect("a file").path();
        if path.extension().is_none_or(|end| end != "md") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        for line in text.lines() {
            assert_ne!(line, "...", "{}: any lines at all", path.display());
            for (at, _) in line.match_indices("[..]") {
                let before = &line[..at];
                let digits = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
                let open = OPEN.iter().any(|end| before.ends_with(end))
                    || digits.len() + 5 < at && numbers.iter().any(|end| digits.ends_with(end));
                assert!(open, "{}: '{before}' is followed by any text", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 0);
}
