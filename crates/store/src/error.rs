//! What can go wrong with a database, and what to do about it.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// A fault of the database. None of them leaves anything half written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The path cannot be opened at all.
    #[error("cannot open the database {}: {why}", path.display())]
    CannotOpen {
        /// The file asked for.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
    /// A file, but no SQLite database.
    #[error("{} is not a database", path.display())]
    NotDatabase {
        /// The file asked for.
        path: PathBuf,
    },
    /// A database that something else made.
    #[error("{} is a database of another program", path.display())]
    Foreign {
        /// The file asked for.
        path: PathBuf,
    },
    /// A database that a later version of Ludex made.
    #[error("{} has schema version {found}, but this program knows versions up to {known}", path.display())]
    Newer {
        /// The file asked for.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// A database that may only be read.
    #[error("the database {} is read-only", path.display())]
    ReadOnly {
        /// The file asked for.
        path: PathBuf,
    },
    /// Other processes kept it locked for too long.
    #[error("the database {} is locked by another process", path.display())]
    Busy {
        /// The file asked for.
        path: PathBuf,
    },
    /// The disk is full.
    #[error("no room left to write to the database {}", path.display())]
    Full {
        /// The file asked for.
        path: PathBuf,
    },
    /// The file is damaged.
    #[error("the database {} is damaged: {why}", path.display())]
    Corrupt {
        /// The file asked for.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Two findings about one position exclude each other: one of them is wrong.
    #[error("{spec} {position}: {one} contradicts {other}")]
    Contradiction {
        /// The game.
        spec: String,
        /// The position.
        position: String,
        /// One finding and what made it.
        one: String,
        /// The other.
        other: String,
    },
    /// Anything else that SQLite has to say.
    #[error("the database {}: {why}", path.display())]
    Sqlite {
        /// The file asked for.
        path: PathBuf,
        /// What it said.
        why: String,
    },
}

impl StoreError {
    /// A stable word for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::CannotOpen { .. } => "db_cannot_open",
            Self::NotDatabase { .. } => "db_not_a_database",
            Self::Foreign { .. } => "db_foreign",
            Self::Newer { .. } => "db_newer",
            Self::ReadOnly { .. } => "db_read_only",
            Self::Busy { .. } => "db_busy",
            Self::Full { .. } => "db_full",
            Self::Corrupt { .. } => "db_corrupt",
            Self::Contradiction { .. } => "db_contradiction",
            Self::Sqlite { .. } => "db_error",
        }
    }

    /// What would be right.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::CannotOpen { .. } => {
                "name a file in a folder that exists and can be written to, or use --no-db"
            }
            Self::NotDatabase { .. } => "name a file made by ludex, or one that does not exist yet",
            Self::Foreign { .. } => "name another file: this one is left as it is",
            Self::Newer { .. } => "use the newer ludex that made it, or another file",
            Self::ReadOnly { .. } => "make it writable, name another file, or use --no-db",
            Self::Busy { .. } => "wait for the other process to finish its transaction, or name another file",
            Self::Full { .. } => "make room on that disk, name a file on another, or use --no-db",
            Self::Corrupt { .. } => "move the file away; a new one is made in its place",
            Self::Contradiction { .. } => {
                "solve the position without rules to see which is wrong, then purge what made it"
            }
            Self::Sqlite { .. } => "name another file, or use --no-db",
        }
        .to_owned()
    }

    pub(crate) fn from_sqlite(path: &Path, error: &rusqlite::Error) -> Self {
        let path = path.to_owned();
        let why = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => Self::CannotOpen { path, why },
            Some(ErrorCode::NotADatabase) => Self::NotDatabase { path },
            Some(ErrorCode::ReadOnly) => Self::ReadOnly { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path },
            Some(ErrorCode::DiskFull) => Self::Full { path },
            Some(ErrorCode::DatabaseCorrupt) => Self::Corrupt { path, why },
            _ => Self::Sqlite { path, why },
        }
    }
}
