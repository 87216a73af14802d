//! Several processes at once, and `kill -9` at any moment.
//!
//! The tests start this same test binary again as a writer (the test `writer`, told by its environment what to do).

use std::{
    env,
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use ludex_core::{Bounds, Rng, Side, Value};
use ludex_store::{Memory, Row, Store};

const FILE: &str = "LUDEX_TEST_WRITER_FILE";
const NAME: &str = "LUDEX_TEST_WRITER_NAME";
const ROWS: &str = "LUDEX_TEST_WRITER_ROWS";

fn row(name: u64, i: u64) -> Row {
    let mut row = Row::new("heap:9", &[name.to_le_bytes(), i.to_le_bytes()].concat(), "9", Side::First);
    row.bounds = Bounds::exact(Value::win((i % 99) as u32));
    row.pv = vec!["1".into(); (i % 50) as usize];
    row
}

/// What a started writer does: write rows for ever or so many, and say so after each.
#[test]
fn writer() {
    let (Ok(file), Ok(name), Ok(rows)) = (env::var(FILE), env::var(NAME), env::var(ROWS)) else {
        // Not `eprintln`, which the test harness would hide.
        let _ = writeln!(std::io::stderr(), "skipped: the other tests start it, with {FILE} set");
        return;
    };
    let (name, rows): (u64, u64) = (name.parse().unwrap(), rows.parse().unwrap());
    let store = Store::open(file).unwrap();
    let mut out = std::io::stdout();
    for i in 0..rows {
        store.put(&row(name, i)).unwrap();
        writeln!(out, "\nwrote {i}").and_then(|()| out.flush()).unwrap();
    }
}

fn start(file: &Path, name: u64, rows: u64) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "writer", "--nocapture", "--test-threads=1"])
        .env(FILE, file)
        .env(NAME, name.to_string())
        .env(ROWS, rows.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// How many rows a writer said it wrote.
fn written(child: &mut Child) -> u64 {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    lines.filter(|l| l.starts_with("wrote ")).count() as u64
}

#[test]
fn a_killed_writer_leaves_every_finished_row() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ludex.db");
    let mut rng = Rng::new(11);
    let mut total = 0;
    for name in 0..25 {
        let mut child = start(&file, name, u64::MAX);
        // From before the file exists to the midst of a checkpoint.
        thread::sleep(Duration::from_micros(500 + rng.next_u64() % 60_000));
        child.kill().unwrap();
        let said = written(&mut child);
        child.wait().unwrap();
        let store = Store::open(&file).unwrap();
        store.check().unwrap();
        for i in 0..said {
            let expected = row(name, i);
            let found =
                store.get("heap:9", &expected.key).unwrap().expect("a row that was said to be written");
            assert_eq!((found.bounds, found.pv), (expected.bounds, expected.pv));
        }
        total += said;
    }
    assert!(total > 0, "no writer got anywhere");
}

#[test]
fn writers_do_not_disturb_each_other() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ludex.db");
        // All of them make the file at once.
        let mut children: Vec<_> = (0..4).map(|name| start(&file, name, 25)).collect();
        for child in &mut children {
            let said = written(child);
            let mut fault = String::new();
            child.stderr.take().unwrap().read_to_string(&mut fault).unwrap();
            assert!(child.wait().unwrap().success(), "{fault}");
            assert_eq!(said, 25);
        }
        let store = Store::open(&file).unwrap();
        store.check().unwrap();
        assert_eq!(store.count().unwrap(), 100);
    }
}
