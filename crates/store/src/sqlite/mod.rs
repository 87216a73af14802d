//! The memory in a file: one SQLite database, which several processes may use at once.

mod checksum;
mod condition;
mod fault;
mod rows;
mod schema;

use std::{
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use rusqlite::{
    Connection, OpenFlags, OptionalExtension, Params, TransactionBehavior, params, params_from_iter,
    types::Value as Sql,
};

pub use self::schema::SCHEMA_VERSION;
use self::{
    checksum::{SOUND, has_unsealed},
    condition::condition,
    fault::{fault, name},
    schema::{is_blank, is_ours, migrate, user_version},
};
use crate::{DamagedRow, Filter, Memory, Row, StoreError};

/// How long to wait for another process's transaction.
const PATIENCE: Duration = Duration::from_secs(10);

/// A verdict database. Threads may share it; processes may open the same file.
///
/// Every write is one transaction in a write-ahead log: after a crash or `kill -9` the file holds exactly the
/// transactions that were finished.
///
/// ```
/// use ludex_core::{Bounds, Side, Value};
/// use ludex_store::{Filter, Memory, Row, Store};
///
/// let store = Store::memory()?;
/// let mut row = Row::new("heap:21", &7u64.to_le_bytes(), "7", Side::First);
/// row.bounds = Bounds::at_least(Value::SOME_WIN);
/// row.solver = "dfpn".into();
/// store.put(&row)?;
/// row.bounds = Bounds::at_most(Value::win(3));
/// row.solver = "alphabeta".into();
/// store.put(&row)?;
///
/// // Both findings together; each can still be looked at, and purged, on its own.
/// let known = store.get("heap:21", &7u64.to_le_bytes())?.unwrap();
/// assert_eq!(known.bounds, Bounds { lo: Value::SOME_WIN, hi: Value::win(3) });
/// assert_eq!(store.purge(&Filter { solver: Some("dfpn".into()), ..Filter::default() })?, 1);
/// assert_eq!(store.get("heap:21", &7u64.to_le_bytes())?.unwrap().bounds.lo, Value::WORST);
/// # Ok::<(), ludex_store::StoreError>(())
/// ```
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
    /// assert!(error.to_string().ends_with("notes.txt is not a database"));
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        look_at_file(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(|e| fault(path, &e))?;
        Self::set_up(connection, path)
    }

    /// A database that is gone with the process.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn memory() -> Result<Self, StoreError> {
        let path = Path::new(":memory:");
        let connection = Connection::open_in_memory().map_err(|e| fault(path, &e))?;
        Self::set_up(connection, path)
    }

    fn set_up(mut connection: Connection, path: &Path) -> Result<Self, StoreError> {
        let fault = |e: rusqlite::Error| fault(path, &e);
        connection.busy_timeout(PATIENCE).map_err(fault)?;
        // Everything up to here only reads.
        if connection.is_readonly("main").map_err(fault)? {
            return Err(StoreError::ReadOnly { database: name(path) });
        }
        let (known, found) = examine(&mut connection).map_err(fault)?;
        if !known {
            return Err(StoreError::Foreign { database: name(path) });
        }
        if found > SCHEMA_VERSION {
            return Err(StoreError::Newer { database: name(path), found, known: SCHEMA_VERSION });
        }
        use_log(&connection).map_err(fault)?;
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(fault)?;
        checksum::define(&connection).map_err(fault)?;
        // A program of an older version may have the file open, and write rows that have no checksum yet.
        if found < SCHEMA_VERSION || has_unsealed(&connection).map_err(fault)? {
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

    pub(crate) fn lock(&self) -> MutexGuard<'_, Connection> {
        // A panic elsewhere cannot leave a half-done transaction: it was rolled back when it was dropped.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fault(&self, error: &rusqlite::Error) -> StoreError {
        fault(&self.path, error)
    }

    /// The rows that a `rest` of a statement chooses. One that leaves no value is an error: nothing of ours wrote it.
    fn select(
        &self,
        connection: &Connection,
        rest: &str,
        values: impl Params,
    ) -> Result<Vec<Row>, StoreError> {
        let rows = rows::select(connection, rest, values).map_err(|e| self.fault(&e))?;
        rows.into_iter().map(|row| row.map_err(|row| self.damaged_row(row))?.checked()).collect()
    }

    fn damaged_row(&self, row: DamagedRow) -> StoreError {
        StoreError::DamagedRow { database: name(&self.path), row }
    }

    fn findings(&self, connection: &Connection, spec: &str, key: &[u8]) -> Result<Vec<Row>, StoreError> {
        self.select(connection, "WHERE spec = ? AND key = ?", params![spec, key])
    }

    /// List findings, by game and key.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn query(&self, filter: &Filter) -> Result<Vec<Row>, StoreError> {
        let (condition, mut values) = condition(filter);
        values.push(Sql::Integer(filter.limit.and_then(|n| i64::try_from(n).ok()).unwrap_or(-1)));
        let rest = format!("WHERE {condition} ORDER BY spec, key LIMIT ?");
        self.select(&self.lock(), &rest, params_from_iter(values))
    }

    /// Delete findings; says how many.
    ///
    /// # Errors
    /// If the file cannot be written to.
    pub fn purge(&self, filter: &Filter) -> Result<u64, StoreError> {
        let (condition, values) = condition(filter);
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

    /// The rows that are not what was written.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn damaged(&self) -> Result<Vec<DamagedRow>, StoreError> {
        // Rows are read one after the other: an index may lead past one whose key was changed.
        let rest = format!("NOT INDEXED WHERE NOT ({SOUND})");
        let rows = rows::select(&self.lock(), &rest, []).map_err(|e| self.fault(&e))?;
        Ok(rows.into_iter().filter_map(Result::err).collect())
    }

    /// Delete the rows that are not what was written; says how many.
    ///
    /// # Errors
    /// If the file cannot be written to.
    pub fn purge_damaged(&self) -> Result<u64, StoreError> {
        let mut connection = self.lock();
        let mut purge = || {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let count =
                |t: &Connection| t.query_row("SELECT count(*) FROM verdict", [], |r| r.get::<_, i64>(0));
            let before = count(&transaction)?;
            // A row whose key was changed may be out of order, where no search finds it. So all others are put aside and
            // the table is filled anew.
            transaction.execute_batch(&format!(
                "CREATE TEMP TABLE sound AS SELECT * FROM verdict NOT INDEXED WHERE checksum IS NULL OR {SOUND};
                 DELETE FROM verdict;
                 INSERT OR IGNORE INTO verdict SELECT * FROM sound;
                 DROP TABLE sound;"
            ))?;
            let after = count(&transaction)?;
            transaction.commit()?;
            Ok((before - after) as u64)
        };
        purge().map_err(|e: rusqlite::Error| self.fault(&e))
    }

    /// Read the whole file and check that it is sound.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn check(&self) -> Result<(), StoreError> {
        if let Some(row) = self.damaged()?.into_iter().next() {
            return Err(self.damaged_row(row));
        }
        let found: Option<String> = self
            .lock()
            .query_row("PRAGMA integrity_check(1)", [], |r| r.get(0))
            .optional()
            .map_err(|e| self.fault(&e))?;
        match found.as_deref() {
            Some("ok") => Ok(()),
            other => Err(StoreError::Corrupt {
                database: name(&self.path),
                why: other.unwrap_or("the check said nothing").to_owned(),
            }),
        }
    }
}

impl Memory for Store {
    fn get(&self, spec: &str, key: &[u8]) -> Result<Option<Row>, StoreError> {
        Row::together(&self.findings(&self.lock(), spec, key)?)
    }

    fn put(&self, row: &Row) -> Result<(), StoreError> {
        self.put_all(std::slice::from_ref(row))
    }

    /// Add findings in one transaction, all or none.
    fn put_all(&self, rows: &[Row]) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut connection = self.lock();
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(|e| self.fault(&e))?;
        for row in rows {
            let known = self.findings(&transaction, &row.spec, &row.key)?;
            if let Some(mut new) = row.added_to(&known)? {
                if new.created == 0 {
                    new.created = now();
                }
                rows::write(&transaction, &new).map_err(|e| self.fault(&e))?;
            }
        }
        transaction.commit().map_err(|e| self.fault(&e))
    }
}

/// Seconds since 1970.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() as i64)
}

/// Refuse what is plainly no database, before SQLite gets to touch it.
fn look_at_file(path: &Path) -> Result<(), StoreError> {
    let cannot = |why: String| StoreError::CannotOpen { database: name(path), why };
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
        return Err(StoreError::NotDatabase { database: name(path) });
    }
    if meta.permissions().readonly() {
        return Err(StoreError::ReadOnly { database: name(path) });
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

#[cfg(test)]
mod tests {
    use ludex_core::{Bounds, Side, Value};

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
        assert!(matches!(store.put(&row), Err(StoreError::Full { .. })));
        assert_eq!(store.count().unwrap(), 1);
        store.check().unwrap();
        store.lock().pragma_update(None, "max_page_count", 1_000_000).unwrap();
        store.put(&row).unwrap();
        assert_eq!(store.count().unwrap(), 2);
    }
}
