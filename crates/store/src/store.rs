//! The database itself.

use std::{
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use ludex_core::Side;
use rusqlite::{
    Connection, OpenFlags, OptionalExtension, TransactionBehavior, params, params_from_iter,
    types::Value as Sql,
};

use crate::{
    Filter, Row, SCHEMA_VERSION, StoreError,
    row::COLUMNS,
    schema::{is_blank, is_ours, migrate, user_version},
};

/// How long to wait for another process's transaction.
const PATIENCE: Duration = Duration::from_secs(10);

/// A verdict database. Threads may share it; processes may open the same file.
///
/// Every write is one transaction in a write-ahead log: after a crash or `kill -9` the file holds exactly the
/// transactions that were finished.
#[derive(Debug)]
pub struct Store {
    connection: Mutex<Connection>,
    path: PathBuf,
}

impl Store {
    /// Open a database, or make it if the file does not exist (its folder must).
    ///
    /// # Errors
    /// If it is no database of ours that can be written to. Nothing is written then.
    ///
    /// ```
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("notes.txt");
    /// std::fs::write(&path, "milk, bread, and other things that are no database").unwrap();
    /// let error = ludex_store::Store::open(&path).unwrap_err();
    /// assert_eq!(error.code(), "db_not_a_database");
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        look_at_file(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection =
            Connection::open_with_flags(path, flags).map_err(|e| StoreError::from_sqlite(path, &e))?;
        Self::set_up(connection, path)
    }

    /// A database that is gone with the process.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn memory() -> Result<Self, StoreError> {
        let path = Path::new(":memory:");
        let connection = Connection::open_in_memory().map_err(|e| StoreError::from_sqlite(path, &e))?;
        Self::set_up(connection, path)
    }

    fn set_up(mut connection: Connection, path: &Path) -> Result<Self, StoreError> {
        let fault = |e: rusqlite::Error| StoreError::from_sqlite(path, &e);
        connection.busy_timeout(PATIENCE).map_err(fault)?;
        // Everything up to here only reads.
        if connection.is_readonly("main").map_err(fault)? {
            return Err(StoreError::ReadOnly { path: path.to_owned() });
        }
        let (known, found) = examine(&mut connection).map_err(fault)?;
        if !known {
            return Err(StoreError::Foreign { path: path.to_owned() });
        }
        if found > SCHEMA_VERSION {
            return Err(StoreError::Newer { path: path.to_owned(), found, known: SCHEMA_VERSION });
        }
        use_log(&connection).map_err(fault)?;
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(fault)?;
        if found < SCHEMA_VERSION {
            migrate(&mut connection).map_err(fault)?;
        }
        connection.set_prepared_statement_cache_capacity(32);
        Ok(Self { connection: Mutex::new(connection), path: path.to_owned() })
    }

    /// The file, or `:memory:`.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // A panic elsewhere cannot leave a half-done transaction: it was rolled back when it was dropped.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fault(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::from_sqlite(&self.path, error)
    }

    /// Everything known of a position: the intersection of all findings.
    ///
    /// # Errors
    /// If findings contradict each other, or the file cannot be read.
    pub fn get(&self, spec: &str, key: &[u8]) -> Result<Option<Row>, StoreError> {
        let rows = findings(&self.lock(), spec, key).map_err(|e| self.fault(&e))?;
        for (i, one) in rows.iter().enumerate() {
            if let Some(other) = rows[..i].iter().find(|other| other.contradicts(one)) {
                return Err(contradiction(one, other));
            }
        }
        Ok(Row::together(rows))
    }

    /// Add a finding. The same maker's earlier one is improved; other makers' stay as they are.
    ///
    /// # Errors
    /// If it contradicts what is known, or cannot be written. Nothing is written then.
    pub fn put(&self, row: &Row) -> Result<(), StoreError> {
        self.put_all(std::slice::from_ref(row))
    }

    /// Add findings, all or none.
    ///
    /// # Errors
    /// If one of them contradicts what is known, or they cannot be written. Nothing is written then.
    pub fn put_all(&self, rows: &[Row]) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut connection = self.lock();
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(|e| self.fault(&e))?;
        for row in rows {
            let known = findings(&transaction, &row.spec, &row.key).map_err(|e| self.fault(&e))?;
            if let Some(other) = known.iter().find(|other| other.contradicts(row)) {
                return Err(contradiction(row, other));
            }
            let same =
                |r: &Row| (&r.version, &r.solver, &r.switches) == (&row.version, &row.solver, &row.switches);
            let new = match known.into_iter().find(same) {
                Some(old) if old.covers(row) => continue,
                Some(old) => old.improved_by(row),
                None => row.clone(),
            };
            write(&transaction, &new).map_err(|e| self.fault(&e))?;
        }
        transaction.commit().map_err(|e| self.fault(&e))
    }

    /// List findings, by game and key.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn query(&self, filter: &Filter) -> Result<Vec<Row>, StoreError> {
        let (condition, mut values) = filter.condition();
        values.push(Sql::Integer(filter.limit.and_then(|n| i64::try_from(n).ok()).unwrap_or(-1)));
        let sql = format!("SELECT {COLUMNS} FROM verdict WHERE {condition} ORDER BY spec, key LIMIT ?");
        let connection = self.lock();
        let rows = || -> rusqlite::Result<Vec<Row>> {
            let mut statement = connection.prepare_cached(&sql)?;
            statement.query_map(params_from_iter(values), Row::read)?.collect()
        };
        rows().map_err(|e| self.fault(&e))
    }

    /// Delete findings; says how many.
    ///
    /// # Errors
    /// If the file cannot be written to.
    pub fn purge(&self, filter: &Filter) -> Result<u64, StoreError> {
        let (condition, values) = filter.condition();
        self.lock()
            .execute(&format!("DELETE FROM verdict WHERE {condition}"), params_from_iter(values))
            .map(|n| n as u64)
            .map_err(|e| self.fault(&e))
    }

    /// How many findings there are.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn count(&self) -> Result<u64, StoreError> {
        self.lock()
            .query_row("SELECT count(*) FROM verdict", [], |r| r.get::<_, i64>(0))
            .map(|n| n as u64)
            .map_err(|e| self.fault(&e))
    }

    /// Read the whole file and check that it is sound.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn check(&self) -> Result<(), StoreError> {
        let found: Option<String> = self
            .lock()
            .query_row("PRAGMA integrity_check(1)", [], |r| r.get(0))
            .optional()
            .map_err(|e| self.fault(&e))?;
        match found.as_deref() {
            Some("ok") => Ok(()),
            other => Err(StoreError::Corrupt {
                path: self.path.clone(),
                why: other.unwrap_or("the check said nothing").to_owned(),
            }),
        }
    }
}

/// Refuse what is plainly no database, before SQLite gets to touch it.
fn look_at_file(path: &Path) -> Result<(), StoreError> {
    let cannot = |why: String| StoreError::CannotOpen { path: path.to_owned(), why };
    let Ok(meta) = fs::metadata(path) else {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(cannot(format!("there is no folder {}", folder.display())));
        }
        return Ok(());
    };
    if !meta.is_file() {
        return Err(cannot("it is not a file".into()));
    }
    let mut head = Vec::new();
    File::open(path).and_then(|f| f.take(16).read_to_end(&mut head)).map_err(|e| cannot(e.to_string()))?;
    if !head.is_empty() && head != b"SQLite format 3\0" {
        return Err(StoreError::NotDatabase { path: path.to_owned() });
    }
    if meta.permissions().readonly() {
        return Err(StoreError::ReadOnly { path: path.to_owned() });
    }
    Ok(())
}

/// Whether the file is ours or blank, and its schema version: one snapshot of it, since another process may be making
/// it at this moment, and a file that was blank a moment ago and is full now is not somebody else's.
fn examine(connection: &mut Connection) -> rusqlite::Result<(bool, u32)> {
    let snapshot = connection.transaction()?;
    Ok((is_ours(&snapshot)? || is_blank(&snapshot)?, user_version(&snapshot)?))
}

/// Switch to the write-ahead log. SQLite does not wait here while another process does the same, so we do.
fn use_log(connection: &Connection) -> rusqlite::Result<()> {
    let start = Instant::now();
    loop {
        let done = connection.pragma_update_and_check(None, "journal_mode", "WAL", |r| r.get::<_, String>(0));
        match done {
            Err(e) if busy(&e) && start.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(10)),
            other => return other.map(drop),
        }
    }
}

fn busy(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
    matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked))
}

fn findings(connection: &Connection, spec: &str, key: &[u8]) -> rusqlite::Result<Vec<Row>> {
    let sql = format!("SELECT {COLUMNS} FROM verdict WHERE spec = ? AND key = ?");
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_map(params![spec, key], Row::read)?.collect()
}

fn write(connection: &Connection, row: &Row) -> rusqlite::Result<()> {
    let sql = format!("INSERT OR REPLACE INTO verdict ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    connection.prepare_cached(&sql)?.execute(params![
        row.spec,
        row.key,
        row.position,
        i64::from(row.to_move == Side::Second),
        row.bounds.lo.raw(),
        row.bounds.hi.raw(),
        row.best,
        row.pv.join(" "),
        i64::try_from(row.nodes).unwrap_or(i64::MAX),
        row.seconds,
        row.version,
        row.solver,
        row.switches,
        row.created,
    ])?;
    Ok(())
}

fn contradiction(one: &Row, other: &Row) -> StoreError {
    StoreError::Contradiction {
        spec: one.spec.clone(),
        position: one.position.clone(),
        one: one.maker(),
        other: other.maker(),
    }
}

#[cfg(test)]
mod tests {
    use ludex_core::{Bounds, Value};

    use super::*;

    #[test]
    fn a_full_disk_is_an_error_and_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().join("full.db")).unwrap();
        let mut row = Row::new("heap:9", &[1], "9", Side::First);
        row.bounds = Bounds::exact(Value::DRAW);
        store.put(&row).unwrap();
        let pages: i64 = store.lock().pragma_query_value(None, "page_count", |r| r.get(0)).unwrap();
        store.lock().pragma_update(None, "max_page_count", pages).unwrap();
        row.position = "x".repeat(100_000);
        row.key = vec![2];
        let error = store.put(&row).unwrap_err();
        assert_eq!((error.code(), error.hint().is_empty()), ("db_full", false));
        assert_eq!(store.count().unwrap(), 1);
        store.check().unwrap();
        store.lock().pragma_update(None, "max_page_count", 1_000_000).unwrap();
        store.put(&row).unwrap();
        assert_eq!(store.count().unwrap(), 2);
    }
}
