//! What is no usable database is refused, with a reason, and left exactly as it was.

use std::{fs, path::Path};

use ludex_core::{Error, ErrorCode, Side};
use ludex_store::{Filter, Memory, Row, SCHEMA_VERSION, Store, StoreError};
use rusqlite::Connection;

/// Opening fails and changes nothing in the folder.
fn refused(path: &Path) -> StoreError {
    let folder = path.parent().unwrap();
    let files = || {
        let mut files: Vec<_> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .map(|f| f.unwrap().path())
            .map(|p| (p.clone(), fs::read(p).ok()))
            .collect();
        files.sort();
        files
    };
    let before = files();
    let error = Store::open(path).unwrap_err();
    assert!(files() == before, "nothing written");
    error
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (name, content) in [("a", &b"x"[..]), ("b", b"PK\x03\x04 a zip file or so"), ("c", &[0; 4096])] {
        fs::write(at(name), content).unwrap();
        let error = Error::from(refused(&at(name)));
        assert_eq!(error.code, ErrorCode::BadDatabase);
        assert!(error.message.ends_with(&format!("{name} is not a database")), "{error}");
        assert!(!error.hint.is_empty());
    }
    fs::write(at("d"), [&b"SQLite format 3\0"[..], &[7; 5000]].concat()).unwrap();
    assert!(matches!(refused(&at("d")), StoreError::NotDatabase { .. }));
    fs::create_dir(at("folder")).unwrap();
    assert!(matches!(refused(&at("folder")), StoreError::CannotOpen { .. }));
    assert!(matches!(refused(&at("missing/ludex.db")), StoreError::CannotOpen { .. }));
}

#[test]
fn other_programs_and_newer_versions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("photos.db");
    Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE photo (x); PRAGMA user_version = 1")
        .unwrap();
    assert!(matches!(refused(&path), StoreError::Foreign { .. }));

    let path = folder.path().join("ludex.db");
    drop(Store::open(&path).unwrap());
    let c = Connection::open(&path).unwrap();
    c.pragma_update(None, "user_version", SCHEMA_VERSION + 1).unwrap();
    c.pragma_update(None, "journal_mode", "DELETE").unwrap();
    drop(c);
    let error = refused(&path);
    assert!(matches!(error, StoreError::Newer { .. }));
    let text = error.to_string();
    assert!(text.contains(&format!("version {}", SCHEMA_VERSION + 1)), "{text}");
}

#[test]
fn a_read_only_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ludex.db");
    let store = Store::open(&path).unwrap();
    store.put(&Row::new("heap:9", &[1], "9", Side::First)).unwrap();
    drop(store);
    let writable = fs::metadata(&path).unwrap().permissions();
    let mut read_only = writable.clone();
    read_only.set_readonly(true);
    fs::set_permissions(&path, read_only).unwrap();
    assert!(matches!(refused(&path), StoreError::ReadOnly { .. }));
    fs::set_permissions(&path, writable).unwrap();
    assert_eq!(Store::open(&path).unwrap().count().unwrap(), 1);
}

#[test]
fn a_damaged_file_is_an_error_and_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ludex.db");
    let store = Store::open(&path).unwrap();
    let rows: Vec<_> = (0..500u32).map(|i| Row::new("heap:9", &i.to_le_bytes(), "9", Side::First)).collect();
    store.put_all(&rows).unwrap();
    drop(store);
    let mut bytes = fs::read(&path).unwrap();
    bytes[12288..20480].fill(0xA5);
    fs::write(&path, &bytes).unwrap();
    let store = Store::open(&path).unwrap();
    assert!(matches!(store.check(), Err(StoreError::Corrupt { .. })));
    assert!(matches!(store.query(&Filter::default()), Err(StoreError::Corrupt { .. })));
    drop(store);
    // The roots of the table and its index.
    bytes[4096..12288].fill(0xA5);
    fs::write(&path, &bytes).unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::Corrupt { .. })));
}

/// Rows that no program of ours would have written are errors that name the position and who is said to have made
/// them; they are never an answer, and can be purged.
#[test]
fn forged_rows_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ludex.db");
    // Without a checksum, as an older program writes them; they get theirs when the file is next opened.
    let forge = |solver: &str, lo: i64, hi: i64| {
        drop(Store::open(&path).unwrap());
        let c = Connection::open(&path).unwrap();
        c.pragma_update(None, "ignore_check_constraints", true).unwrap();
        c.execute(
            "INSERT INTO verdict VALUES ('heap:9', x'01', '9', 0, ?, ?, NULL, '', 1, 0.0, '0', ?, '', 1, NULL)",
            (lo, hi, solver),
        )
        .unwrap();
        Store::open(&path).unwrap()
    };
    for (lo, hi) in [(3, 2), (-1001, 2000), (-2000, 0)] {
        let store = forge("liar", lo, hi);
        for result in
            [store.get("heap:9", &[1]).map(drop), store.put(&Row::new("heap:9", &[1], "9", Side::First))]
        {
            let error = result.unwrap_err().to_string();
            assert!(error.ends_with("has a damaged row: heap:9 9 by liar 0"), "{error}");
        }
        assert!(matches!(store.query(&Filter::default()), Err(StoreError::DamagedRow { .. })));
        assert_eq!(store.purge(&Filter { solver: Some("liar".into()), ..Filter::default() }).unwrap(), 1);
    }
    forge("one", 1, 1001);
    let store = forge("other", -1001, 0);
    assert_eq!(store.query(&Filter::default()).unwrap().len(), 2, "each is possible by itself");
    let error = store.get("heap:9", &[1]).unwrap_err().to_string();
    assert_eq!(error, "heap:9 9: [win, win(0)] by one 0 contradicts [loss(0), draw] by other 0");
    assert_eq!(store.purge(&Filter { solver: Some("other".into()), ..Filter::default() }).unwrap(), 1);
    assert!(store.get("heap:9", &[1]).is_ok());
}

#[test]
fn a_batch_with_one_bad_row_is_not_written() {
    let store = Store::memory().unwrap();
    let good = Row::new("heap:9", &[1], "9", Side::First);
    let bounds = ludex_core::Bounds { lo: ludex_core::Value::SOME_WIN, hi: ludex_core::Value::DRAW };
    store.put_all(&[good.clone(), Row { bounds, ..good }]).unwrap_err();
    assert_eq!(store.count().unwrap(), 0);
}

#[test]
fn an_empty_file_becomes_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ludex.db");
    fs::write(&path, "").unwrap();
    Store::open(&path).unwrap().check().unwrap();
    assert!(Store::open(&path).unwrap().path().ends_with("ludex.db"));
}
