//! Hypergraph games of others, read from the folder that LUDEX_EXTERNAL names, if it names one.

use std::{
    fs,
    io::{self, Write as _},
    path::PathBuf,
};

use ludex_judge::{Outcome, Question, Terms};
use ludex_standard::open;

/// The Hex puzzles of which Black wins within the plies; he wins none of the others.
const WON: [&str; 13] = [
    "hein_05_6x6-13",
    "hein_06_4x4-13",
    "hein_07_4x4-09",
    "hein_08_5x5-11",
    "hein_09_4x4-07",
    "hein_10_5x5-13",
    "hein_11_5x5-11",
    "hein_12_4x4-07",
    "hein_13_5x5-09",
    "hein_14_5x5-09",
    "hein_15_5x5-15",
    "hein_16_5x5-13",
    "hein_19_5x5-11",
];

fn files(folder: &str) -> Vec<PathBuf> {
    let Some(external) = std::env::var_os("LUDEX_EXTERNAL") else {
        // Not `eprintln`, which the test harness would hide.
        let _ = writeln!(io::stderr(), "skipped: LUDEX_EXTERNAL names no folder");
        return Vec::new();
    };
    let folder = PathBuf::from(external).join("positional").join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn outcome(file: &std::path::Path) -> Option<Outcome> {
    let game =
        open(&format!("positional:{}", file.display())).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    game.solve(&Question::default(), &Terms::default())
        .unwrap_or_else(|e| panic!("{}: {e}", file.display()))
        .outcome
}

#[test]
fn hex_puzzles() {
    for file in files("hex-hein") {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let expected = if WON.contains(&name.as_str()) { Outcome::Win } else { Outcome::Loss };
        assert_eq!(outcome(&file), Some(expected), "{name}");
    }
}

#[test]
fn small_polyomino_games() {
    for file in files("gttt-3x3") {
        assert!(outcome(&file).is_some(), "{}", file.display());
    }
}
