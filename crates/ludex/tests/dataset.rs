//! Datasets on the command line: what they say is what brute force says, and every byte is fixed by the order.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    io::Read as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use ludex::{
    judge::{Question, Registry, Terms},
    prelude::{AnyGame, Goal, Outcome, Standard as _},
};
use serde_json::Value;

fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.current_dir(folder).arg("dataset").args(arguments.split(' '));
    command
}

fn run(folder: &Path, arguments: &str) -> Output {
    command(folder, arguments).output().expect("ludex runs")
}

/// Run it and read what it wrote.
fn bytes(folder: &Path, arguments: &str, file: &str) -> Vec<u8> {
    let output = run(folder, &format!("{arguments} --out {file}"));
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    fs::read(folder.join(file)).expect("the dataset")
}

fn rows(bytes: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(bytes).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("a row")).collect()
}

/// Every unfinished position of a game with its value in plies, by minimax over texts.
fn brute(game: &dyn AnyGame) -> HashMap<String, (Outcome, Option<u32>)> {
    fn value(game: &dyn AnyGame, p: &str, known: &mut HashMap<String, i64>) -> i64 {
        if let Some(&value) = known.get(p) {
            return value;
        }
        let view = game.view(p).expect("a position");
        // 1000 less the plies for a win, the other way round for a loss.
        let value = match view.over {
            Some(Outcome::Win) => 1000,
            Some(Outcome::Loss) => -1000,
            Some(Outcome::Draw) => 0,
            None => {
                let child = |m: &str| {
                    let next = game.play(p, m).expect("a move");
                    let same = game.view(&next).expect("a position").to_move == view.to_move;
                    let value = value(game, &next, known);
                    (if same { value } else { -value }) - value.signum() * if same { 1 } else { -1 }
                };
                let best = view.moves.iter().map(|m| m.text.as_str()).map(child).max();
                best.expect("a move")
            }
        };
        known.insert(p.to_owned(), value);
        value
    }
    let mut known = HashMap::new();
    value(game, &game.start(None).expect("a start"), &mut known);
    let open = known.into_iter().filter(|(p, _)| game.state(p).expect("a position").over.is_none());
    open.map(|(p, value)| {
        let worth = match value {
            0 => (Outcome::Draw, None),
            1.. => (Outcome::Win, Some((1000 - value) as u32)),
            _ => (Outcome::Loss, Some((1000 + value) as u32)),
        };
        (p, worth)
    })
    .collect()
}

fn worth(row: &Value) -> (Outcome, Option<u32>) {
    let outcome = serde_json::from_value(row["outcome"].clone()).expect("an outcome");
    (outcome, row["plies"].as_u64().map(|n| n as u32))
}

/// All positions of small games, with all moves, against minimax; the difficulty is what it is said to be.
#[test]
fn every_value_is_that_of_minimax() {
    let folder = tempfile::tempdir().unwrap();
    for (spec, file) in
        [("mnk:3,3,3", "a.jsonl"), ("nex:2x2", "b.jsonl"), ("heap:9", "c.jsonl"), ("hex:2x2", "d.jsonl")]
    {
        let game = Registry::standard().open(spec).expect("a game");
        let right = brute(&*game);
        let rows = rows(&bytes(
            folder.path(),
            &format!("{spec} --sample all --goal distance --memory 1MiB --threads 2"),
            file,
        ));
        assert_eq!(rows.len(), right.len(), "{spec}");
        for row in &rows {
            let position = row["position"].as_str().expect("a position");
            assert_eq!(worth(row), right[position], "{spec} {position}");
            let moves = row["moves"].as_array().expect("moves");
            let (mut best, mut kept) = (Vec::new(), 0);
            for m in moves {
                let text = m["move"].as_str().expect("a move");
                let next = game.view(&game.play(position, text).expect("a move")).expect("a position");
                if let Some((outcome, plies)) = right.get(&next.position) {
                    let turned = if next.to_move == game.state(position).expect("a position").to_move {
                        *outcome
                    } else {
                        match outcome {
                            Outcome::Win => Outcome::Loss,
                            Outcome::Draw => Outcome::Draw,
                            Outcome::Loss => Outcome::Win,
                        }
                    };
                    assert_eq!(worth(m), (turned, plies.map(|n| n + 1)), "{spec} {position} {text}");
                }
                kept += usize::from(m["outcome"] == row["outcome"]);
                if worth(m) == worth(row) {
                    best.push(m["move"].clone());
                }
            }
            assert_eq!(row["best"].as_array().expect("best"), &best, "{spec} {position}");
            let difficulty = 1.0 - kept as f64 / moves.len() as f64;
            assert!((row["difficulty"].as_f64().expect("a number") - difficulty).abs() < 1e-4);
        }
    }
}

/// Whatever the threads and however often it was killed, the bytes are the same; a finished file is left alone.
#[test]
fn threads_and_kill_9_change_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let order =
        "mnk:4,4,4 --positions 400 --sample random --seed 7 --split 20% --nodes 60 --memory 1MiB --no-table";
    let once = bytes(folder.path(), order, "once.jsonl");
    assert_eq!(bytes(folder.path(), &format!("{order} --threads 3"), "threads.jsonl"), once);
    // Some are not solved within so few nodes: their bounds are the same too.
    let unsolved = rows(&once).iter().filter(|row| row["status"] == "out_of_nodes").count();
    assert!((1..400).contains(&unsolved), "{unsolved} are unsolved");

    let part = folder.path().join("killed.jsonl.part");
    let lines = || fs::read(&part).map_or(0, |bytes| bytes.iter().filter(|b| **b == b'\n').count());
    let mut seen = 0;
    for _ in 0..3 {
        let mut child = command(folder.path(), &format!("{order} --threads 2 --out killed.jsonl"))
            .stdout(Stdio::null())
            .spawn()
            .expect("ludex runs");
        let began = Instant::now();
        while lines() < seen + 40
            && child.try_wait().expect("a child").is_none()
            && began.elapsed().as_secs() < 60
        {
            thread::sleep(Duration::from_millis(2));
        }
        let _ = child.kill();
        child.wait().expect("a child");
        if !part.exists() {
            break;
        }
        assert!(lines() >= seen, "nothing that was written is lost");
        seen = lines();
        // A line that the system had written only half of.
        let mut torn = fs::read(&part).expect("the rows");
        torn.extend_from_slice(br#"{"type":"dataset_row","game":"mn"#);
        fs::write(&part, torn).expect("the rows");
    }
    assert_eq!(bytes(folder.path(), &format!("{order} --threads 2"), "killed.jsonl"), once);
    assert!(!part.exists());
    let card = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a card");
    let same = card("once.jsonl.card.md").replace("once.jsonl", "killed.jsonl");
    assert_eq!(same, card("killed.jsonl.card.md"));
    assert!(same.contains("ludex dataset mnk:4,4,4 --sample random --positions 400"), "{same}");

    // The same command again finds it done; another one is refused, and so is a file that is not ours.
    assert_eq!(bytes(folder.path(), order, "once.jsonl"), once);
    let other = run(folder.path(), &format!("{} --out once.jsonl", order.replace("--seed 7", "--seed 8")));
    let said = String::from_utf8_lossy(&other.stderr).into_owned();
    assert_eq!(other.status.code(), Some(2), "{said}");
    assert!(said.contains("seed 7 there, 8 here"), "{said}");
    fs::write(folder.path().join("theirs.csv"), "a,b\n").expect("a file");
    assert_eq!(run(folder.path(), &format!("{order} --out theirs.csv")).status.code(), Some(2));
    assert_eq!(fs::read(folder.path().join("theirs.csv")).expect("a file"), b"a,b\n");
}

#[test]
fn a_run_that_is_stopped_keeps_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let order = "mnk:4,4,4 --positions 100000 --nodes 1e5 --no-table";
    let stopped = run(folder.path(), &format!("{order} --time 500ms --out a.csv"));
    let said = String::from_utf8_lossy(&stopped.stderr).into_owned();
    assert_eq!(stopped.status.code(), Some(1), "{said}");
    assert!(said.contains("time is up") && said.contains("goes on from here"), "{said}");
    let other = run(folder.path(), "mnk:4,4,4 --positions 99 --nodes 1e5 --no-table --out a.csv");
    assert_eq!(other.status.code(), Some(2), "another command on the rows of this one");
}

/// Of images under the symmetries of the board, all are in the same part, and with --distinct symmetry only one is there.
#[test]
fn no_symmetric_twin_is_in_the_other_part() {
    let folder = tempfile::tempdir().unwrap();
    let mirror =
        |p: &str| p.split('/').map(|row| row.chars().rev().collect()).collect::<Vec<String>>().join("/");
    let turned = |p: &str| {
        let rows: Vec<Vec<char>> = p.split('/').map(|row| row.chars().collect()).collect();
        let column = |x: usize| rows.iter().rev().map(|row| row[x]).collect::<String>();
        (0..rows.len()).map(column).collect::<Vec<_>>().join("/")
    };
    let all = rows(&bytes(
        folder.path(),
        "mnk:3,3,3 --sample all --split 30% --goal wdl --memory 1MiB --threads 2",
        "all.jsonl",
    ));
    let parts: BTreeMap<String, Value> = all
        .iter()
        .map(|row| (row["position"].as_str().expect("a text").to_owned(), row["split"].clone()))
        .collect();
    let board = |text: &str| text.split(' ').next().expect("a board").to_owned();
    let by_board: BTreeMap<String, &Value> = parts.iter().map(|(p, part)| (board(p), part)).collect();
    let mut twins = 0;
    for (p, part) in &by_board {
        for image in [mirror(p), turned(p), turned(&mirror(p))] {
            twins += usize::from(image != *p);
            assert_eq!(by_board[&image], *part, "{p} and {image}");
        }
    }
    assert!(twins > 5000, "{twins} pairs were compared");
    let test = parts.values().filter(|part| *part == "test").count();
    assert!((700..2200).contains(&test), "{test} of {} are for testing", parts.len());

    let one = rows(&bytes(
        folder.path(),
        "mnk:3,3,3 --sample all --distinct symmetry --goal wdl --memory 1MiB",
        "one.jsonl",
    ));
    // 765 boards of tic-tac-toe up to symmetry, of which 138 are the end of a game; keys may disregard more.
    assert!(one.len() <= 627 && one.len() > 300, "{}", one.len());
    let mut seen = std::collections::BTreeSet::new();
    for row in &one {
        let p = board(row["position"].as_str().expect("a text"));
        let mut images = vec![p.clone(), mirror(&p)];
        for i in 0..6 {
            images.push(turned(&images[i]));
        }
        assert!(seen.insert(images.into_iter().min()), "{p} is there twice");
    }
}

/// The same rows as comma-separated values and compressed.
#[test]
fn formats_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let order = "connect4:5x4 --positions 50 --sample play --seed 3";
    let plain = bytes(folder.path(), order, "a.jsonl");
    let unpacked = |name: &str| {
        let mut text = Vec::new();
        let file = fs::File::open(folder.path().join(name)).expect("a file");
        zstd::Decoder::new(file).expect("zstd").read_to_end(&mut text).expect("zstd");
        text
    };
    bytes(folder.path(), order, "a.jsonl.zst");
    assert_eq!(unpacked("a.jsonl.zst"), plain);
    let table = bytes(folder.path(), order, "a.csv");
    bytes(folder.path(), order, "a.csv.zst");
    assert_eq!(unpacked("a.csv.zst"), table);
    let table = String::from_utf8(table).expect("text");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("position,to_move,split,status,outcome,plies,score,difficulty,best,moves"));
    for (line, row) in lines.zip(rows(&plain)) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), 10, "{line}");
        assert_eq!(cells[0], row["position"]);
        assert_eq!(
            (cells[4], cells[6].parse().ok()),
            (row["outcome"].as_str().expect("a word"), row["score"].as_i64())
        );
        for (cell, m) in cells[9].split(' ').zip(row["moves"].as_array().expect("moves")) {
            let plies = m["plies"].as_u64().map_or(String::new(), |n| n.to_string());
            let outcome = m["outcome"].as_str().expect("a word");
            let score = m["score"].as_i64().expect("a score");
            assert_eq!(cell, format!("{}={outcome}:{plies}:{score}", m["move"].as_str().expect("a move")));
        }
    }
}

/// In comma-separated values, spaces and equality signs divide moves.
#[test]
fn no_move_is_written_with_a_space() {
    let registry = Registry::standard();
    for family in registry.families() {
        for spec in family.examples {
            let Ok(game) = registry.open(spec) else { continue };
            let Ok(start) = game.start(Some(1)) else { continue };
            let (view, _) = game.view_part(&start, 0..200).expect("a start");
            assert!(view.moves.iter().all(|m| !m.text.contains([' ', '='])), "{spec}");
        }
    }
}

/// Positions of a file in their order, and games that begin with a deal.
#[test]
fn positions_come_from_files_and_deals() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.txt"), "# three\nxx./oo./... \nmoves:b2\n\nx../.../... # a corner\n")
        .expect("a file");
    let rows_of = |bytes: &[u8]| rows(bytes);
    let listed = rows_of(&bytes(folder.path(), "mnk:3,3,3 --sample from=p.txt", "a.jsonl"));
    let game = Registry::standard().open("mnk:3,3,3").expect("a game");
    assert_eq!(listed.len(), 3);
    for (row, text) in listed.iter().zip(["xx./oo./...", "moves:b2", "x../.../..."]) {
        let question = Question { goal: Goal::Distance, ..Question::at(text) };
        let verdict = game.solve(&question, &Terms::default()).expect("an answer");
        assert_eq!(
            (&row["position"], worth(row).0),
            (&Value::from(verdict.position), verdict.outcome.expect("solved"))
        );
    }
    let deals = rows_of(&bytes(folder.path(), "collapsi --positions 30 --goal wdl", "b.jsonl"));
    assert_eq!(deals.len(), 30);

    fs::write(folder.path().join("bad.txt"), "xx./oo./...\nxx./oo./zz.\n").expect("a file");
    fs::write(folder.path().join("none.txt"), "# nothing\n").expect("a file");
    for (arguments, word) in [
        ("mnk:3,3,3 --sample from=bad.txt --out x.jsonl", "line 2"),
        ("mnk:3,3,3 --sample from=none.txt --out x.jsonl", "no positions"),
        ("mnk:3,3,3 --sample from=gone.txt --out x.jsonl", "cannot read"),
        ("mnk:3,3,3 --sample random --out x.jsonl", "--positions"),
        ("mnk:3,3,3 --sample some --positions 3 --out x.jsonl", "random, play, all or from=FILE"),
        ("mnk:3,3,3 --positions 3 --out x.parquet", ".jsonl"),
        ("mnk:3,3,3 xxx/oo./... --positions 3 --out x.jsonl", "over"),
        ("mnk:3,3,3 --positions 0 --out x.jsonl", "above zero"),
        ("mnk:3,3,3 --positions 3 --split 1.5 --out x.jsonl", "share"),
        ("mnk:3,3,3 --positions 3 --threads 0 --out x.jsonl", "threads"),
        ("mnk:3,3,3 --positions 3 --solver nosuch --out x.jsonl", "nosuch"),
        ("nosuch --positions 3 --out x.jsonl", "nosuch"),
        ("mnk:3,3,3 --positions 3 --out gone/x.jsonl", "cannot write"),
    ] {
        let output = run(folder.path(), arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        assert!(said.contains(word), "{arguments}: {said}");
    }
    let left: Vec<PathBuf> =
        fs::read_dir(folder.path()).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    assert!(left.iter().all(|path| !path.display().to_string().contains("x.jsonl")), "{left:?}");
}
