//! Rows are what was written, or an error that names them; databases of schema version 1 keep theirs.

use std::{fs, path::Path};

use ludex_core::{Bounds, Error, ErrorCode, Side, Value};
use ludex_store::{Filter, Memory, Row, SCHEMA_VERSION, Store, StoreError};
use rusqlite::Connection;

/// A database as version 1 of the schema made it.
const VERSION_1: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA application_id = 0x4C554458;
    PRAGMA user_version = 1;
    CREATE TABLE verdict (
        spec     TEXT    NOT NULL,
        key      BLOB    NOT NULL,
        position TEXT    NOT NULL,
        to_move  INTEGER NOT NULL CHECK (to_move IN (0, 1)),
        lo       INTEGER NOT NULL CHECK (lo BETWEEN -1001 AND 1001),
        hi       INTEGER NOT NULL CHECK (hi BETWEEN lo AND 1001),
        best     TEXT,
        pv       TEXT    NOT NULL,
        nodes    INTEGER NOT NULL,
        seconds  REAL    NOT NULL,
        version  TEXT    NOT NULL,
        solver   TEXT    NOT NULL,
        switches TEXT    NOT NULL,
        created  INTEGER NOT NULL,
        PRIMARY KEY (spec, key, version, solver, switches)
    ) WITHOUT ROWID, STRICT;
    INSERT INTO verdict VALUES
        ('heap:9', x'0900000000000000', '9', 0, 998, 998, '1', '1 3 2', 77, 0.0, '0.0.9', 'brute', '', 1700000000),
        ('heap:9', x'0900000000000000', '9', 0, 1, 1001, NULL, '', 5, 1.25, '0.0.9', 'dfpn', 'pairing,threats', 1700000001),
        ('mnk:3,3,3', x'00ff', '.../.../...', 1, -1001, 0, 'b2', 'b2 a1', 1099511627776, 3600.5, '0.0.9', 'alphabeta', '', 0);
";

/// How version 1 of the program writes a row.
const WRITE_1: &str = "INSERT OR REPLACE INTO verdict (spec, key, position, to_move, lo, hi, best, pv, nodes, seconds, version,
    solver, switches, created) VALUES ('heap:9', x'05', '5', 0, 1, 1001, NULL, '', 1, 0.5, '0.0.9', 'dfpn', '', 1)";

fn version_1(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch(VERSION_1).unwrap();
    connection
}

fn user_version(connection: &Connection) -> u32 {
    connection.pragma_query_value(None, "user_version", |r| r.get(0)).unwrap()
}

#[test]
fn a_migration_keeps_every_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ludex.db");
    drop(version_1(&path));
    for _ in 0..2 {
        let store = Store::open(&path).unwrap();
        store.check().unwrap();
        let rows = store.query(&Filter::default()).unwrap();
        assert_eq!(rows.len(), 3);
        let known = store.get("heap:9", &9u64.to_le_bytes()).unwrap().unwrap();
        assert_eq!((known.bounds, known.solver.as_str()), (Bounds::exact(Value::win(3)), "brute"));
        let mnk = &rows[2];
        assert_eq!((mnk.spec.as_str(), mnk.to_move, mnk.seconds), ("mnk:3,3,3", Side::Second, 3600.5));
        assert_eq!((mnk.nodes, mnk.created, mnk.pv.join(" ")), (1 << 40, 0, "b2 a1".into()));
    }
    assert_eq!(user_version(&Connection::open(&path).unwrap()), SCHEMA_VERSION);
}

/// What no program can have written is not believed because it is old.
#[test]
fn a_migration_does_not_vouch_for_nonsense() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ludex.db");
    let old = version_1(&path);
    old.pragma_update(None, "ignore_check_constraints", true).unwrap();
    old.execute_batch("UPDATE verdict SET hi = 2000 WHERE solver = 'dfpn'").unwrap();
    drop(old);
    let store = Store::open(&path).unwrap();
    let damaged = store.damaged().unwrap();
    assert_eq!(damaged.len(), 1);
    assert_eq!(damaged[0].to_string(), "heap:9 9 by dfpn 0.0.9");
    assert!(matches!(store.get("heap:9", &9u64.to_le_bytes()), Err(StoreError::DamagedRow { .. })));
    assert!(store.get("mnk:3,3,3", &[0, 255]).unwrap().is_some(), "the others are sound");
}

/// A program of version 1 has the file open while one of version 2 migrates it: both go on, nothing is lost, and what
/// cannot be checked yet is no answer.
#[test]
fn two_versions_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ludex.db");
    let old = version_1(&path);
    let read = |connection: &Connection| -> i64 {
        connection
            .prepare_cached("SELECT count(*), max(hi) FROM verdict WHERE lo >= -1001")
            .unwrap()
            .query_row([], |r| r.get(0))
            .unwrap()
    };
    assert_eq!(read(&old), 3);
    let store = Store::open(&path).unwrap();
    assert_eq!(read(&old), 3, "the old one reads as before");
    old.execute_batch(WRITE_1).unwrap();
    assert_eq!(read(&old), 4);
    assert_eq!(store.get("heap:9", &[5]).unwrap(), None, "not checked, not believed");
    store.check().unwrap();
    let mut row = Row::new("heap:9", &[5], "5", Side::First);
    (row.solver, row.bounds) = ("brute".into(), Bounds::exact(Value::win(3)));
    store.put(&row).unwrap();
    assert_eq!(read(&old), 5, "the old one reads what the new one wrote");
    let again = Store::open(&path).unwrap();
    assert_eq!(again.query(&Filter::game("heap")).unwrap().len(), 4, "now it is sealed");
    again.check().unwrap();
    drop((old, store, again));
    assert_eq!(Store::open(&path).unwrap().count().unwrap(), 5);
}

/// Turn every bit of a row in the file, one at a time: whatever is asked, the answer is the right one, none, or an error.
#[test]
fn no_bit_of_a_row_can_change_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ludex.db");
    let mut row = Row::new("heap:9", b"KEYBYTES", "POSITION", Side::First);
    row.bounds = Bounds::exact(Value::win(3));
    (row.best, row.pv, row.solver) = (Some("1".into()), vec!["1".into(), "3".into()], "dfpn".into());
    (row.nodes, row.seconds, row.created) = (1234, 0.5, 1_700_000_000);
    let store = Store::open(&path).unwrap();
    store.put(&row).unwrap();
    drop(store);
    let whole = fs::read(&path).unwrap();
    let find = |text: &[u8]| whole.windows(text.len()).position(|w| w == text).unwrap();
    let key = find(b"KEYBYTES");
    // The header of the record is before its first column, which is the spec; its last is the checksum, at the end of a page.
    let start = find(b"heap:9") - 20;
    let end = start.next_multiple_of(4096);
    let other = folder.path().join("damaged.db");
    let mut noticed = 0;
    for bit in 8 * start..8 * end {
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        fs::write(&other, &damaged).unwrap();
        let in_key = (8 * key..8 * (key + 8)).contains(&bit);
        let asked = &damaged[key..key + 8];
        let answers =
            Store::open(&other).map(|store| [store.get("heap:9", b"KEYBYTES"), store.get("heap:9", asked)]);
        for answer in answers.into_iter().flatten() {
            match answer {
                Ok(Some(found)) => assert_eq!(found, row, "bit {bit}"),
                Ok(None) => {}
                Err(_) => noticed += 1,
            }
        }
        if in_key {
            let store = Store::open(&other).unwrap();
            let error = store.get("heap:9", asked).unwrap_err();
            assert!(matches!(error, StoreError::DamagedRow { .. }), "{error}");
            let error = Error::from(error);
            assert_eq!(error.code, ErrorCode::BadDatabase);
            assert!(error.message.contains("damaged row: heap:9 POSITION by dfpn"), "{error}");
            assert!(error.hint.contains("ludex db purge --damaged"), "{error:?}");
        }
        for suffix in ["-wal", "-shm"] {
            let _ = fs::remove_file(folder.path().join(format!("damaged.db{suffix}")));
        }
    }
    assert!(noticed > 8 * 64, "{noticed}");
}

/// Damaged rows can be deleted even where a changed key is out of order, and the others stay.
#[test]
fn damaged_rows_are_purged_and_the_others_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ludex.db");
    let store = Store::open(&path).unwrap();
    let row =
        |i: u8| Row { solver: "dfpn".into(), ..Row::new("heap:9", &[b'K', b'E', b'Y', i], "9", Side::First) };
    store.put_all(&(0..200).map(row).collect::<Vec<_>>()).unwrap();
    drop(store);
    let mut bytes = fs::read(&path).unwrap();
    for i in [3, 50, 199] {
        // Pages that were split have old copies of rows in their free space.
        while let Some(at) = bytes.windows(4).position(|w| w == [b'K', b'E', b'Y', i]) {
            bytes[at] ^= 0x40;
        }
    }
    fs::write(&path, bytes).unwrap();
    let store = Store::open(&path).unwrap();
    assert_eq!(store.damaged().unwrap().len(), 3);
    assert!(matches!(store.check(), Err(StoreError::DamagedRow { .. })));
    assert!(matches!(store.query(&Filter::default()), Err(StoreError::DamagedRow { .. })));
    assert_eq!(store.purge_damaged().unwrap(), 3);
    store.check().unwrap();
    assert_eq!(store.query(&Filter::default()).unwrap().len(), 197);
    assert_eq!(store.purge_damaged().unwrap(), 0);
    store.put(&row(50)).unwrap();
    assert_eq!(store.count().unwrap(), 198);
}
