//! A queue in a file, for the processes of one machine.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use ludex_core::{Error, ErrorCode};
use rusqlite::{
    Connection, ErrorCode as Code, OpenFlags, params_from_iter,
    types::{Value, ValueRef},
};

use super::{Cell, Cells, Database, Dialect, Fault};

/// `LUDF`, in the file's header, so that nobody's other database is taken for a farm.
const APPLICATION_ID: i64 = 0x4C55_4446;
/// How long to wait for another process's transaction.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often to look whether somebody has changed something.
const LOOK_EVERY: Duration = Duration::from_millis(2);

const DIALECT: Dialect = Dialect {
    id: "INTEGER PRIMARY KEY AUTOINCREMENT",
    now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
    skip_taken: "",
    each: "json_each($1)",
};

pub(super) struct Sqlite {
    connection: Connection,
    name: String,
    version: i64,
}

impl Sqlite {
    pub(super) fn open(path: &Path, make: bool) -> Result<Self, Fault> {
        let name = path.display().to_string();
        if !make && !path.exists() {
            let message = format!("there is no file {name}");
            let hint = format!("make it with: ludex farm init --store sqlite:{name}");
            return Err(Fault::Refused(Error::new(ErrorCode::NoDatabase, message, hint)));
        }
        let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        if make {
            flags |= OpenFlags::SQLITE_OPEN_CREATE;
        }
        let connection = Connection::open_with_flags(path, flags).map_err(|e| fault(&name, &e))?;
        let set_up = || {
            connection.busy_timeout(PATIENCE)?;
            let ours: i64 = connection.pragma_query_value(None, "application_id", |r| r.get(0))?;
            let blank: bool =
                connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |r| r.get(0))?;
            Ok((ours, blank))
        };
        let (ours, blank) = set_up().map_err(|e: rusqlite::Error| fault(&name, &e))?;
        if ours != APPLICATION_ID && !(make && blank) {
            let message = format!("{name} is not a database of ludex farm");
            let hint = "name another file, or make one with ludex farm init: this one is left as it is";
            return Err(Fault::Refused(Error::new(ErrorCode::BadDatabase, message, hint)));
        }
        let finish = || {
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            if blank {
                connection.pragma_update(None, "application_id", APPLICATION_ID)?;
            }
            Ok(())
        };
        finish().map_err(|e: rusqlite::Error| fault(&name, &e))?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(Self { connection, name, version: 0 })
    }

    /// A number that changes when another connection has written.
    fn version(&self) -> Result<i64, Fault> {
        self.connection
            .pragma_query_value(None, "data_version", |r| r.get(0))
            .map_err(|e| fault(&self.name, &e))
    }
}

impl Database for Sqlite {
    fn dialect(&self) -> Dialect {
        DIALECT
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn query(&mut self, sql: &str, values: &[Cell]) -> Result<Vec<Cells>, Fault> {
        let sql = sql.replace('$', "?");
        let run = || {
            let mut statement = self.connection.prepare_cached(&sql)?;
            let columns = statement.column_count();
            let values = values.iter().map(|cell| match cell {
                Cell::Null => Value::Null,
                Cell::Int(n) => Value::Integer(*n),
                Cell::Real(x) => Value::Real(*x),
                Cell::Text(text) => Value::Text(text.clone()),
            });
            let mut rows = statement.query(params_from_iter(values))?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let cell = |column| {
                    Ok(match row.get_ref(column)? {
                        ValueRef::Integer(n) => Cell::Int(n),
                        ValueRef::Real(x) => Cell::Real(x),
                        ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
                        _ => Cell::Null,
                    })
                };
                found.push((0..columns).map(cell).collect::<rusqlite::Result<Cells>>()?);
            }
            Ok(found)
        };
        run().map_err(|e: rusqlite::Error| fault(&self.name, &e))
    }

    fn batch(&mut self, sql: &str) -> Result<(), Fault> {
        self.connection.execute_batch(sql).map_err(|e| fault(&self.name, &e))
    }

    fn begin(&mut self) -> Result<(), Fault> {
        self.batch("BEGIN IMMEDIATE")
    }

    fn notify(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn wait(&mut self, time: Duration) -> Result<(), Fault> {
        let until = Instant::now() + time;
        loop {
            let version = self.version()?;
            if std::mem::replace(&mut self.version, version) != version || Instant::now() >= until {
                return Ok(());
            }
            thread::sleep(LOOK_EVERY.min(until.saturating_duration_since(Instant::now())));
        }
    }
}

fn fault(name: &str, error: &rusqlite::Error) -> Fault {
    match error.sqlite_error_code() {
        Some(Code::DatabaseBusy | Code::DatabaseLocked) => {
            Fault::Lost(format!("the database {name} is locked by another process"))
        }
        Some(Code::NotADatabase) => Fault::Refused(Error::new(
            ErrorCode::BadDatabase,
            format!("{name} is not a database"),
            "name a file made by ludex farm init",
        )),
        Some(Code::CannotOpen) => Fault::Refused(Error::new(
            ErrorCode::BadDatabase,
            format!("cannot open the database {name}"),
            "name a file in a folder that exists and can be written to",
        )),
        _ if error.to_string().starts_with("no such table") => Fault::NoTable,
        _ => Fault::refused(name, error),
    }
}
