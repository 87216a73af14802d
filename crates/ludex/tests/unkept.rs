//! What was found is printed even where it cannot be kept, and what was kept is what comes back.
#![cfg(unix)]

use std::{
    fs::{self, File},
    path::Path,
    process::{Command, Output},
};

use ludex_core::Side;
use ludex_judge::{Memory, Row, Store};
use serde_json::Value;

fn ludex(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ludex")).args(arguments).output().unwrap()
}

/// Run it where no file may grow beyond 32 KiB, as on a disk that is full.
fn without_room(arguments: &[&str]) -> Output {
    Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_ludex")])
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}"))
}

#[test]
fn a_verdict_is_printed_if_the_database_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("v.db");
    let file = path.to_str().unwrap();
    // The log is long already, and stays so as long as it is in use.
    let store = Store::open(&path).unwrap();
    for i in 0..40u8 {
        let mut row = Row::new("heap:9", &[i], "9", Side::First);
        row.pv = vec!["1".into(); 1000];
        store.put(&row).unwrap();
    }
    let log = folder.path().join("v.db-wal");
    assert!(fs::metadata(&log).unwrap().len() > 100_000);

    let output = without_room(&["solve", "mnk:3,3,3", "--json", "--db", file]);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    let verdict = json(&output);
    assert_eq!((&verdict["status"], &verdict["outcome"]), (&"solved".into(), &"draw".into()));
    assert_eq!(verdict["warnings"].as_array().unwrap().len(), 1);
    assert_eq!(verdict["warnings"][0]["code"], "bad_database");
    let stderr = text(&output.stderr);
    assert!(stderr.starts_with("ludex: warning: the verdict was not kept: the database "), "{stderr}");

    for verb in ["solve", "analyze", "explain"] {
        let output = without_room(&[verb, "mnk:3,3,3", "x../.o./...", "--db", file]);
        assert_eq!(output.status.code(), Some(4), "{output:?}");
        assert!(text(&output.stdout).to_lowercase().contains("draw"), "{output:?}");
        assert_eq!(text(&output.stderr).matches("warning").count(), 1, "{output:?}");
    }
    // Nothing was lost, and with room the same command keeps its verdict.
    assert_eq!(store.count().unwrap(), 40);
    store.check().unwrap();
    let output = ludex(&["solve", "mnk:3,3,3", "--json", "--db", file]);
    assert_eq!((output.status.code(), json(&output).get("warnings")), (Some(0), None));
    assert_eq!(json(&ludex(&["solve", "mnk:3,3,3", "--json", "--db", file]))["from"], "cache");
}

#[test]
fn a_verdict_is_printed_if_the_checkpoint_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search");
    let question = ["solve", "seven:12", "--no-db", "--json", "--checkpoint", path.to_str().unwrap()];
    let output = without_room(&question);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    let verdict = json(&output);
    assert_eq!(
        (&verdict["status"], &verdict["warnings"][0]["code"]),
        (&"solved".into(), &"bad_checkpoint".into())
    );
    assert!(text(&output.stderr).contains("warning: the checkpoint was not written"), "{output:?}");
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|f| f.unwrap().path()).collect();
    assert_eq!(left, std::slice::from_ref(&path), "the checkpoint from the beginning, and nothing else");
    let output = ludex(&question);
    assert_eq!(
        (output.status.code(), &json(&output)["outcome"]),
        (Some(0), &verdict["outcome"]),
        "{output:?}"
    );
}

#[test]
fn places_that_cannot_be_written_are_refused_before_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    let through = file.join("v.db");
    let output = ludex(&["solve", "mnk:3,3,3", "--json", "--db", through.to_str().unwrap()]);
    assert_eq!((output.status.code(), &json(&output)["code"]), (Some(2), &"bad_database".into()));
    let through = file.join("search");
    let output = ludex(&["solve", "seven:8", "--no-db", "--json", "--checkpoint", through.to_str().unwrap()]);
    assert_eq!((output.status.code(), &json(&output)["code"]), (Some(2), &"bad_checkpoint".into()));
}

/// One bit of a key once turned a win into a loss.
#[test]
fn a_damaged_row_is_named_and_purged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("v.db");
    let file = path.to_str().unwrap();
    for game in ["heap:9", "heap:10"] {
        assert_eq!(ludex(&["solve", game, "--db", file]).status.code(), Some(0));
    }
    let (json_rows, sound) = (ludex(&["db", "query", "--db", file]), ludex(&["db", "check", "--db", file]));
    assert!(text(&json_rows.stdout).ends_with("2 of 2 verdicts\n"));
    assert_eq!(text(&sound.stdout), "2 verdicts, all as they were written\n");
    // The key of a position is the word after the spec.
    let mut bytes = fs::read(&path).unwrap();
    let key = bytes.windows(7).position(|w| w == b"heap:10").unwrap() + 7;
    let word = u64::from_le_bytes(bytes[key..key + 8].try_into().unwrap());
    let found = (0..64).find(|bit| {
        bytes[key..key + 8].copy_from_slice(&(word ^ 1 << bit).to_le_bytes());
        fs::write(&path, &bytes).unwrap();
        // Another position of the same game has this key now: it must not get the value of this one.
        (1..=10u32).any(|heap| {
            let position = heap.to_string();
            let output = ludex(&["solve", "heap:10", &position, "--json", "--db", file]);
            let answer = json(&output);
            if output.status.code() == Some(0) {
                assert_eq!(answer["outcome"], if heap % 4 == 0 { "loss" } else { "win" }, "{position}");
                return false;
            }
            assert_eq!(
                (output.status.code(), &answer["code"]),
                (Some(2), &"bad_database".into()),
                "{output:?}"
            );
            assert!(text(&output.stdout).contains("damaged row: heap:10 10 by"), "{output:?}");
            assert!(answer["hint"].as_str().unwrap().contains("ludex db purge --damaged"), "{output:?}");
            true
        })
    });
    assert!(found.is_some(), "no bit makes it another position's");
    let output = ludex(&["db", "check", "--json", "--db", file]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(json(&output)["damaged"][0]["position"], "10");
    let output = ludex(&["db", "purge", "--damaged", "--json", "--db", file]);
    assert_eq!((output.status.code(), &json(&output)["rows"]), (Some(0), &1.into()));
    assert_eq!(ludex(&["db", "check", "--db", file]).status.code(), Some(0));
    assert_eq!(ludex(&["solve", "heap:10", "--db", file]).status.code(), Some(0));
}

/// A table that cannot be used is no reason not to answer, but a reason to say so.
#[test]
fn a_table_that_is_not_used_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (table, tables) = (folder.path().join("mnk-3-3-3.table"), folder.path().to_str().unwrap());
    let built = ludex(&["table", "build", "mnk:3,3,3", "--out", table.to_str().unwrap()]);
    assert_eq!(built.status.code(), Some(0), "{built:?}");
    let solve =
        || ludex(&["solve", "mnk:3,3,3", "--goal", "distance", "--no-db", "--json", "--tables", tables]);
    assert_eq!(json(&solve())["from"], "table");
    let mut bytes = fs::read(&table).unwrap();
    for (at, byte, code) in [(7, b'2', "table_version"), (30, b'!', "table_damaged")] {
        let before = std::mem::replace(&mut bytes[at], byte);
        fs::write(&table, &bytes).unwrap();
        let output = solve();
        let verdict = json(&output);
        assert_eq!((output.status.code(), &verdict["from"]), (Some(0), &"search".into()), "{output:?}");
        assert_eq!(verdict["warnings"][0]["code"], code, "{output:?}");
        assert!(text(&output.stderr).contains("warning: a table was not used"), "{output:?}");
        bytes[at] = before;
    }
}

#[test]
fn a_second_builder_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let (table, part) = (folder.path().join("ttt.table"), folder.path().join("ttt.table.part"));
    fs::create_dir(&part).unwrap();
    let lock = File::create(part.join("lock")).unwrap();
    lock.lock().unwrap();
    let build =
        |file: &Path| ludex(&["table", "build", "mnk:3,3,3", "--json", "--out", file.to_str().unwrap()]);
    let output = build(&table);
    assert_eq!((output.status.code(), &json(&output)["code"]), (Some(1), &"table_busy".into()), "{output:?}");
    assert!(!table.exists());
    drop(lock);
    assert_eq!(build(&table).status.code(), Some(0));
    assert!(!part.exists());
}
