//! Faults aimed at writes: a process that is killed at any step, a full disk, a read-only one.
//!
//! Tests start this same test binary again as a process that gets killed (the test `victim`, told by its environment what to
//! do). Files of ours are hit by [`fail_points`](crate::fail_points). SQLite's are hit by a limit on the size of files: the
//! write that passes it is cut there, and the system kills the process.

use std::{
    env, fs,
    io::{BufRead, BufReader, Write},
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
};

use ludex_core::{Bounds, Side, Value};
use rustix::process::{Resource, Rlimit, Signal, setrlimit};

use crate::{
    AtomicFile, Memory, Row, Store, StoreError,
    checkpoint::{self, Reached},
    fail_points::{Fate, aim},
    tablebase::{Builder, Heading, TableError, Tablebase},
};

const TASK: &str = "LUDEX_TEST_VICTIM_TASK";
const FILE: &str = "LUDEX_TEST_VICTIM_FILE";
const LIMIT: &str = "LUDEX_TEST_VICTIM_LIMIT";

const ABOUT: &str = "game=heap:21\n";
/// Entries of a checkpoint that is written in several pieces.
const ENTRIES: u64 = 20_000;

/// What a started process does until it is killed, saying what it has done.
#[test]
fn victim() {
    let (Ok(task), Ok(file), Ok(limit)) = (env::var(TASK), env::var(FILE), env::var(LIMIT)) else {
        // Not `eprintln`, which the test harness would hide.
        let _ = writeln!(std::io::stderr(), "skipped: the other tests start it, with {TASK} set");
        return;
    };
    let (file, limit): (PathBuf, u64) = (file.into(), limit.parse().unwrap());
    let say = |what: u64| {
        let mut out = std::io::stdout();
        writeln!(out, "\ndid {what}").and_then(|()| out.flush()).unwrap();
    };
    match task.as_str() {
        "checkpoint" => {
            aim(Some((limit, Fate::Killed)));
            save(&file, 2).unwrap();
        }
        "table" => {
            let builder = Builder::open(&file, &heading()).unwrap();
            aim(Some((limit, Fate::Killed)));
            build(builder).unwrap();
        }
        "rows" => {
            setrlimit(Resource::Fsize, Rlimit { current: Some(limit), maximum: Some(limit) }).unwrap();
            let store = Store::open(&file).unwrap();
            // Often, so that the writes of the database itself are hit too, and not only those of its log.
            store.lock().pragma_update(None, "wal_autocheckpoint", 3).unwrap();
            for i in 0.. {
                store.put(&row(i)).unwrap();
                say(i);
            }
        }
        "migrate" => {
            setrlimit(Resource::Fsize, Rlimit { current: Some(limit), maximum: Some(limit) }).unwrap();
            Store::open(&file).unwrap();
        }
        other => panic!("{other}"),
    }
    say(0);
}

/// Start a process that is killed at a step or a size; how it ended, and how often it said that it had done something.
fn start(task: &str, file: &Path, limit: u64) -> (ExitStatus, u64) {
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "chaos::victim", "--nocapture", "--test-threads=1"])
        .env(TASK, task)
        .env(FILE, file)
        .env(LIMIT, limit.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let said = lines.filter(|line| line.starts_with("did ")).count() as u64;
    (child.wait().unwrap(), said)
}

fn killed(status: ExitStatus, signal: Signal) -> bool {
    status.signal() == Some(signal.as_raw())
}

fn save(path: &Path, nodes: u64) -> Result<(), checkpoint::CheckpointError> {
    let reached = Reached { nodes, seconds: 1.0 };
    checkpoint::save(path, ABOUT, reached, &|put| (0..ENTRIES).for_each(|i| put(&[i, nodes])))
}

/// The nodes of a checkpoint, if all of it is there.
fn load(path: &Path) -> u64 {
    let mut entries = Vec::new();
    let reached = checkpoint::load(path, ABOUT, 2, &mut |e| entries.push((e[0], e[1]))).unwrap().unwrap();
    assert!(entries.into_iter().eq((0..ENTRIES).map(|i| (i, reached.nodes))));
    reached.nodes
}

fn heading() -> Heading {
    Heading { spec: "heap:9".into(), block: 100, ..Heading::default() }
}

/// Build what is missing of a table of three tiers.
fn build(builder: Builder) -> Result<Tablebase, TableError> {
    for tier in 0..3 {
        let values: Vec<u8> = (0..500).map(|i| (i * (tier + 3) % 250) as u8).collect();
        if builder.load(tier).is_none() {
            builder.put(tier, &format!("rank {tier}"), &values, &[])?;
        }
    }
    builder.finish(3)
}

fn row(i: u64) -> Row {
    let mut row = Row::new("heap:9", &i.to_be_bytes(), "9", Side::First);
    row.bounds = Bounds::exact(Value::win((i % 99) as u32));
    row.pv = vec!["1".into(); (i * 37 % 300) as usize];
    row
}

/// Every file in a folder.
fn files(folder: &Path) -> Vec<String> {
    let name = |file: fs::DirEntry| file.file_name().to_string_lossy().into_owned();
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| name(file.unwrap())).collect();
    files.sort();
    files
}

/// A disk that is full at any step: an error, the old file, and nothing left over.
#[test]
fn a_failing_step_leaves_the_old_file_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search");
    save(&path, 1).unwrap();
    let mut steps = 0;
    loop {
        aim(Some((steps, Fate::Full)));
        let saved = save(&path, 2);
        if aim(None).is_some() {
            saved.unwrap();
            break;
        }
        assert!(matches!(saved, Err(checkpoint::CheckpointError::Io { .. })), "step {steps}");
        assert_eq!((load(&path), files(folder.path())), (1, vec!["search".to_owned()]), "step {steps}");
        steps += 1;
    }
    assert!(steps > 6, "create, several writes, sync, rename: {steps}");
    assert_eq!(load(&path), 2);
}

#[test]
fn a_checkpoint_killed_at_any_step_is_the_old_one_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search");
    for step in 0.. {
        save(&path, 1).unwrap();
        let (status, _) = start("checkpoint", &path, step);
        if status.success() {
            assert!(step > 6, "{step}");
            assert_eq!(load(&path), 2);
            break;
        }
        assert!(killed(status, Signal::KILL), "{status}");
        assert_eq!(load(&path), 1, "step {step}");
        save(&path, 3).unwrap();
        assert_eq!((load(&path), files(folder.path())), (3, vec!["search".to_owned()]), "step {step}");
    }
}

#[test]
fn a_table_killed_at_any_step_is_finished_by_the_next_builder() {
    let folder = tempfile::tempdir().unwrap();
    let reference = build(Builder::open(&folder.path().join("whole"), &heading()).unwrap()).unwrap();
    for step in 0.. {
        let path = folder.path().join(format!("{step}.table"));
        let (status, _) = start("table", &path, step);
        if status.success() {
            assert!(step > 15, "{step}");
            break;
        }
        assert!(killed(status, Signal::KILL), "{status}");
        // The lock of a killed process is free.
        let table = match Tablebase::open(&path) {
            Ok(table) => table,
            Err(_) => build(Builder::open(&path, &heading()).unwrap()).unwrap(),
        };
        table.check().unwrap();
        assert_eq!(table.digest(), reference.digest(), "step {step}");
    }
}

/// The process dies in the midst of a write of the log, of the database, or of the index of the log, wherever that happens to
/// be at this size.
#[test]
fn a_database_killed_within_a_write_has_every_finished_row() {
    let folder = tempfile::tempdir().unwrap();
    let mut total = 0;
    for size in (0..30).map(|i| 1000 + 4219 * i) {
        let path = folder.path().join(format!("{size}.db"));
        let (status, said) = start("rows", &path, size);
        assert!(killed(status, Signal::XFSZ), "{size}: {status}");
        let store = Store::open(&path).unwrap();
        store.check().unwrap();
        for i in 0..said {
            let expected = row(i);
            let found =
                store.get("heap:9", &expected.key).unwrap().expect("a row that was said to be written");
            assert_eq!((found.bounds, found.pv), (expected.bounds, expected.pv));
        }
        assert!(store.count().unwrap() <= said + 1);
        total += said;
    }
    assert!(total > 100, "{total}");
}

#[test]
fn a_migration_killed_within_a_write_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let original = folder.path().join("original.db");
    let store = Store::open(&original).unwrap();
    store.put_all(&(0..300).map(row).collect::<Vec<_>>()).unwrap();
    // Back to version 1, whose rows have no checksums.
    store
        .lock()
        .execute_batch(
            "DROP INDEX unsealed; ALTER TABLE verdict DROP COLUMN checksum; PRAGMA user_version = 1;
             PRAGMA wal_checkpoint(TRUNCATE);",
        )
        .unwrap();
    drop(store);
    let bytes = fs::metadata(&original).unwrap().len();
    let mut hit = 0;
    for size in (0..20).map(|i| bytes * i / 15 + 4097) {
        let path = folder.path().join(format!("{size}.db"));
        fs::copy(&original, &path).unwrap();
        let (status, _) = start("migrate", &path, size);
        assert!(killed(status, Signal::XFSZ) || status.success(), "{size}: {status}");
        hit += u32::from(!status.success());
        let store = Store::open(&path).unwrap();
        store.check().unwrap();
        assert_eq!(store.count().unwrap(), 300);
        assert_eq!(store.get("heap:9", &row(7).key).unwrap().unwrap().pv, row(7).pv);
    }
    assert!(hit > 5, "{hit}");
}

/// A small disk of its own, where this system lets us have one.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn new(bytes: u64) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let disk = Self(folder);
        disk.mount(&format!("size={bytes}")).then_some(disk)
    }

    fn mount(&self, options: &str) -> bool {
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "ludex-test"])
            .arg(self.0.path())
            .stderr(Stdio::null())
            .status();
        mounted.is_ok_and(|status| status.success())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).stderr(Stdio::null()).status();
    }
}

#[test]
fn a_full_disk_loses_nothing() {
    let Some(disk) = SmallDisk::new(512 << 10) else {
        let _ = writeln!(std::io::stderr(), "skipped: may not mount a disk");
        return;
    };
    // A database takes rows until there is no room, then says so, then takes rows again.
    let store = Store::open(disk.path("ludex.db")).unwrap();
    let mut rows = 0;
    let error = loop {
        match store.put(&row(rows)) {
            Ok(()) => rows += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, StoreError::Full { .. }), "{error}");
    assert!(rows > 50, "{rows}");
    store.check().unwrap();
    assert_eq!(store.count().unwrap(), rows);

    // No room for a checkpoint either, nor for a table.
    let path = disk.path("search");
    assert!(matches!(save(&path, 1), Err(checkpoint::CheckpointError::Io { .. })));
    let table = disk.path("heap.table");
    assert!(Builder::open(&table, &heading()).and_then(build).is_err());
    assert!(!files(disk.0.path()).iter().any(|name| name.ends_with(".tmp")), "{:?}", files(disk.0.path()));

    // There is room again.
    assert!(disk.mount("remount,size=4m"));
    store.put(&row(rows)).unwrap();
    assert_eq!(store.count().unwrap(), rows + 1);
    save(&path, 1).unwrap();
    build(Builder::open(&table, &heading()).unwrap()).unwrap().check().unwrap();
}

#[test]
fn a_read_only_disk_is_refused_and_left_alone() {
    let Some(disk) = SmallDisk::new(4 << 20) else {
        let _ = writeln!(std::io::stderr(), "skipped: may not mount a disk");
        return;
    };
    let (database, search) = (disk.path("ludex.db"), disk.path("search"));
    Store::open(&database).unwrap().put(&row(1)).unwrap();
    save(&search, 1).unwrap();
    let before = files(disk.0.path());
    assert!(disk.mount("remount,ro"));
    let error = Store::open(&database).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. } | StoreError::CannotOpen { .. }), "{error}");
    assert!(Store::open(disk.path("new.db")).is_err());
    assert!(save(&search, 2).is_err());
    assert!(AtomicFile::create(disk.path("file")).is_err());
    assert!(matches!(Builder::open(&disk.path("heap.table"), &heading()), Err(TableError::Io { .. })));
    assert_eq!((load(&search), files(disk.0.path())), (1, before));
    assert!(disk.mount("remount,rw"));
    assert_eq!(Store::open(&database).unwrap().count().unwrap(), 1);
}
