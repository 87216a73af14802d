//! The command line, as it is typed and as it answers: every file under `tests/cmd`.

#[test]
fn commands() {
    trycmd::TestCases::new().case("tests/cmd/*.md").case("tests/cmd/*.trycmd");
}
