//! Two databases behind one small trait: statements in, cells out.
//!
//! The statements are the same for both. What differs is said by the [`Dialect`]: how a row gets its number, what time it
//! is, how rows that somebody else holds are skipped, how a list is handed over as one parameter.

#[cfg(feature = "postgres")]
mod postgresql;
mod sqlite;

use std::{fmt, time::Duration};

use ludex_core::{Error, ErrorCode};

use crate::StoreUrl;

/// A value of a row, or of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
}

impl Cell {
    pub(crate) fn int(&self) -> i64 {
        match self {
            Self::Int(n) => *n,
            Self::Real(x) => *x as i64,
            _ => 0,
        }
    }

    pub(crate) fn real(&self) -> f64 {
        match self {
            Self::Int(n) => *n as f64,
            Self::Real(x) => *x,
            _ => 0.0,
        }
    }

    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            _ => "",
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}

impl From<i64> for Cell {
    fn from(n: i64) -> Self {
        Self::Int(n)
    }
}

impl From<f64> for Cell {
    fn from(x: f64) -> Self {
        Self::Real(x)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// Parameters of a statement.
macro_rules! cells {
    ($($value:expr),* $(,)?) => { &[$($crate::database::Cell::from($value)),*] };
}
pub(crate) use cells;

/// A row of cells.
pub(crate) type Cells = Vec<Cell>;

/// What a database said instead of an answer.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The connection is gone, or another process is in the way: worth another attempt.
    Lost(String),
    /// There is no such table.
    NoTable,
    /// Anything else, as an error that names the database and no secret.
    Refused(Error),
}

impl Fault {
    pub(crate) fn refused(database: &str, why: impl fmt::Display) -> Self {
        let hint = "see that it is a database of ludex farm, and that you may read and write it";
        Self::Refused(Error::new(ErrorCode::BadDatabase, format!("the database {database}: {why}"), hint))
    }
}

/// The words in which two databases differ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dialect {
    /// The type of a number that a row gets by itself.
    pub(crate) id: &'static str,
    /// The database's own clock, in milliseconds.
    pub(crate) now: &'static str,
    /// After a `SELECT` of rows to take: leave out what others are taking.
    pub(crate) skip_taken: &'static str,
    /// The elements of the JSON array in the first parameter, each in a column named `value`.
    pub(crate) each: &'static str,
}

impl Dialect {
    /// A statement with `{id}`, `{now}`, `{skip_taken}` and `{each}` said in these words.
    pub(crate) fn say(&self, sql: &str) -> String {
        sql.replace("{id}", self.id)
            .replace("{now}", self.now)
            .replace("{skip_taken}", self.skip_taken)
            .replace("{each}", self.each)
    }
}

/// A connection.
pub(crate) trait Database: Send {
    fn dialect(&self) -> Dialect;
    /// The database's name without anything secret.
    fn name(&self) -> &str;
    /// Run a statement with parameters `$1`, `$2`, … and return its rows.
    fn query(&mut self, sql: &str, values: &[Cell]) -> Result<Vec<Cells>, Fault>;
    /// Run several statements without parameters.
    fn batch(&mut self, sql: &str) -> Result<(), Fault>;
    /// Begin a transaction that is going to write.
    fn begin(&mut self) -> Result<(), Fault>;
    /// Wake whoever waits.
    fn notify(&mut self) -> Result<(), Fault>;
    /// Wait until somebody has changed something, or so long.
    fn wait(&mut self, time: Duration) -> Result<(), Fault>;
}

/// Connect to what a URL names. With `make` a file that does not exist is made.
pub(crate) fn connect(url: &StoreUrl, make: bool) -> Result<Box<dyn Database>, Fault> {
    match url {
        StoreUrl::Sqlite(path) => Ok(Box::new(sqlite::Sqlite::open(path, make)?)),
        #[cfg(feature = "postgres")]
        StoreUrl::Postgres(address) => Ok(Box::new(postgresql::Postgresql::connect(address)?)),
        #[cfg(not(feature = "postgres"))]
        StoreUrl::Postgres(_) => Err(Fault::Refused(Error::new(
            ErrorCode::BadDatabase,
            "this program was built without PostgreSQL",
            "build it with --features postgres, or use sqlite:FILE",
        ))),
    }
}
