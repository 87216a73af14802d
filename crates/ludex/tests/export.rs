//! Tables and books as text: every position that a file holds is there once, with the value that minimax gives it, as comma-separated
//! values and as JSON lines.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
    process::{Command, Output},
};

use ludex::{
    judge::{Question, Registry, Terms},
    prelude::{AnyGame, Goal, Outcome, Standard as _},
};
use serde_json::Value;

fn ludex(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.current_dir(folder).args(arguments.split(' ')).output().expect("ludex runs")
}

/// What a command prints.
fn said(folder: &Path, arguments: &str) -> String {
    let output = ludex(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// A line of comma-separated values; only a position can have a comma in it, and then it stands in quotation marks.
fn cells(line: &str) -> Vec<String> {
    let (position, rest) = match line.strip_prefix('"') {
        Some(quoted) => quoted.split_once("\",").expect("a closing mark"),
        None => line.split_once(',').expect("a comma"),
    };
    std::iter::once(position).chain(rest.split(',')).map(str::to_owned).collect()
}

/// Position, side to move, outcome and plies of every row, the same in both formats.
fn exported(folder: &Path, verb: &str, file: &str) -> Vec<[String; 4]> {
    let table = said(folder, &format!("{verb} export {file}"));
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("position,to_move,outcome,plies"));
    let rows: Vec<[String; 4]> = lines.map(|line| cells(line).try_into().expect("four cells")).collect();
    let objects = said(folder, &format!("{verb} export {file} --json"));
    let objects: Vec<Value> = objects.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(objects.len(), rows.len());
    for (row, object) in rows.iter().zip(&objects) {
        assert_eq!(object["type"], "held");
        let plies = object["plies"].as_u64().map_or(String::new(), |n| n.to_string());
        let word = |name: &str| object[name].as_str().expect("a word").to_owned();
        assert_eq!(row, &[word("position"), word("to_move"), word("outcome"), plies]);
    }
    let first = said(folder, &format!("{verb} export {file} --limit 3"));
    assert_eq!(first.lines().count(), 4);
    assert!(table.starts_with(&first));
    rows
}

/// Every position that can be reached from one, with its outcome and plies, by minimax over texts.
fn minimax(game: &dyn AnyGame, p: &str, known: &mut HashMap<String, (Outcome, u32)>) -> (Outcome, u32) {
    if let Some(&value) = known.get(p) {
        return value;
    }
    let view = game.view(p).expect("a position");
    let value = view.over.map_or_else(
        || {
            let values = view.moves.iter().map(|m| {
                let next = game.play(p, &m.text).expect("a move");
                let same = game.view(&next).expect("a position").to_move == view.to_move;
                let (outcome, plies) = minimax(game, &next, known);
                let outcome = match outcome {
                    Outcome::Win if !same => Outcome::Loss,
                    Outcome::Loss if !same => Outcome::Win,
                    outcome => outcome,
                };
                (outcome, plies + 1)
            });
            values
                .max_by_key(|&(outcome, plies)| match outcome {
                    Outcome::Win => (2, -i64::from(plies)),
                    Outcome::Draw => (1, 0),
                    Outcome::Loss => (0, i64::from(plies)),
                })
                .expect("a move")
        },
        |outcome| (outcome, 0),
    );
    known.insert(p.to_owned(), value);
    value
}

#[test]
fn a_table_as_text_is_what_minimax_says_of_every_position() {
    let folder = tempfile::tempdir().expect("a folder");
    for spec in ["mnk:3,3,3", "nex:2x2,swap=on", "hex:2x3", "heap:21", "positional:double-step"] {
        let said_of = said(folder.path(), &format!("table build {spec} --out {spec}.table --json"));
        assert!(said_of.contains("\"type\":\"table_built\""), "{said_of}");
        let game = Registry::standard().open(spec).expect("a game");
        let mut known = HashMap::new();
        minimax(&*game, &game.start(None).expect("a start"), &mut known);
        let rows = exported(folder.path(), "table", &format!("{spec}.table"));
        let stats = said(folder.path(), &format!("table stats {spec}.table --json"));
        let stats: Value = serde_json::from_str(&stats).expect("JSON");
        assert_eq!(stats["positions"].as_u64(), Some(rows.len() as u64), "{spec}");
        let mut seen = HashSet::new();
        for [position, to_move, outcome, plies] in &rows {
            assert!(seen.insert(position.clone()), "{spec}: {position} is there twice");
            // A position that stands for its images need not be one that comes up itself.
            let (right, distance) = minimax(&*game, position, &mut known);
            let distance = if right == Outcome::Draw { String::new() } else { distance.to_string() };
            assert_eq!((outcome, plies), (&right.to_string(), &distance), "{spec} {position}");
            assert_eq!(game.view(position).expect("a position").to_move.word(), to_move, "{spec} {position}");
        }
        assert!(rows.len() > 20, "{spec}: {} rows", rows.len());
    }
}

#[test]
fn a_book_as_text_has_the_first_plies_and_their_values() {
    let folder = tempfile::tempdir().expect("a folder");
    for (spec, depth) in [("connect4:4x4", 3), ("mnk:4,3,3", 2), ("nex:2x3", 1)] {
        said(folder.path(), &format!("book build {spec} --depth {depth} --out a.book"));
        let game = Registry::standard().open(spec).expect("a game");
        let rows = exported(folder.path(), "book", "a.book");
        assert!(rows.len() > depth, "{spec}: {} rows", rows.len());
        for [position, _, outcome, plies] in &rows {
            let question = Question { goal: Goal::Distance, ..Question::at(position) };
            let verdict = game.solve(&question, &Terms::default()).expect("an answer");
            let right = verdict.outcome.expect("solved").to_string();
            let distance = verdict.plies.map_or(String::new(), |n| n.to_string());
            assert_eq!((outcome, plies), (&right, &distance), "{spec} {position}");
        }
        // Another book is no continuation of this one.
        std::fs::remove_file(folder.path().join("a.book")).expect("removed");
    }
}

/// A book of another board answers as soon as it lies in the folder of tables under the name of its game.
#[test]
fn a_book_of_another_board_is_used() {
    let folder = tempfile::tempdir().expect("a folder");
    said(folder.path(), "book build connect4:5x4 --depth 3 --out connect4-5x4.table");
    let answer = said(folder.path(), "--tables . solve connect4:5x4 1 --goal distance --no-db --json");
    let verdict: Value = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(
        (&verdict["from"], &verdict["outcome"], &verdict["plies"]),
        (&"book".into(), &"win".into(), &19.into())
    );
}

#[test]
fn what_is_no_table_is_not_exported() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("other"), "position,to_move\n").expect("written");
    for verb in ["table", "book"] {
        for file in ["gone", "other"] {
            let output = ludex(folder.path(), &format!("{verb} export {file}"));
            assert_eq!(output.status.code(), Some(2), "{verb} {file}");
            assert!(output.stdout.is_empty(), "{verb} {file}: no half of a file is printed");
            assert!(String::from_utf8_lossy(&output.stderr).contains(file), "{verb} {file}");
        }
    }
}
