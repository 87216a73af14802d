//! What is no usable database is refused, with a reason, and left exactly as it was.

use std::{fs, path::Path};

use ludex_core::Side;
use ludex_store::{Row, SCHEMA_VERSION, Store};
use rusqlite::Connection;

/// Opening fails with this code, says what to do, and changes nothing in the folder.
fn refused(path: &Path, code: &str) -> String {
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
    assert_eq!(error.code(), code, "{error}");
    assert!(!error.hint().is_empty());
    assert!(files() == before, "nothing written");
    error.to_string()
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (name, content) in [("a", &b"x"[..]), ("b", b"PK\x03\x04 a zip file or so"), ("c", &[0; 4096])] {
        fs::write(at(name), content).unwrap();
        assert!(refused(&at(name), "db_not_a_database").ends_with("is not a database"));
    }
    fs::write(at("d"), [&b"SQLite format 3\0"[..], &[7; 5000]].concat()).unwrap();
    refused(&at("d"), "db_not_a_database");
    fs::create_dir(at("folder")).unwrap();
    refused(&at("folder"), "db_cannot_open");
    refused(&at("missing/ludex.db"), "db_cannot_open");
}

#[test]
fn other_programs_and_newer_versions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("photos.db");
    Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE photo (x); PRAGMA user_version = 1")
        .unwrap();
    refused(&path, "db_foreign");

    let path = folder.path().join("ludex.db");
    drop(Store::open(&path).unwrap());
    let c = Connection::open(&path).unwrap();
    c.pragma_update(None, "user_version", SCHEMA_VERSION + 1).unwrap();
    c.pragma_update(None, "journal_mode", "DELETE").unwrap();
    drop(c);
    let text = refused(&path, "db_newer");
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
    refused(&path, "db_read_only");
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
    for b in &mut bytes[4096..12288] {
        *b = 0xA5;
    }
    fs::write(&path, bytes).unwrap();
    let store = Store::open(&path).unwrap();
    let code = |r: Result<(), ludex_store::StoreError>| r.unwrap_err().code();
    assert_eq!(code(store.check()), "db_corrupt");
    assert_eq!(code(store.query(&Default::default()).map(drop)), "db_corrupt");
}

#[test]
fn an_empty_file_becomes_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ludex.db");
    fs::write(&path, "").unwrap();
    Store::open(&path).unwrap().check().unwrap();
    assert!(Store::open(&path).unwrap().path().ends_with("ludex.db"));
}
