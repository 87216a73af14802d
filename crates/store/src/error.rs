//! What can go wrong with a database, and what to do about it.

use ludex_core::{Error, ErrorCode};

/// A fault of a memory of verdicts; a database is named by its file or address. None leaves anything half written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The path cannot be opened at all.
    #[error("cannot open the database {database}: {why}")]
    CannotOpen {
        /// Which one.
        database: String,
        /// What the system said.
        why: String,
    },
    /// A file, but no SQLite database.
    #[error("{database} is not a database")]
    NotDatabase {
        /// Which one.
        database: String,
    },
    /// A database that something else made.
    #[error("{database} is a database of another program")]
    Foreign {
        /// Which one.
        database: String,
    },
    /// A database that a later version of Ludex made.
    #[error("{database} has schema version {found}, but this program knows versions up to {known}")]
    Newer {
        /// Which one.
        database: String,
        /// Its version.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// A database that may only be read.
    #[error("the database {database} is read-only")]
    ReadOnly {
        /// Which one.
        database: String,
    },
    /// Other processes kept it locked for too long.
    #[error("the database {database} is locked by another process")]
    Busy {
        /// Which one.
        database: String,
    },
    /// The disk is full.
    #[error("no room left to write to the database {database}")]
    Full {
        /// Which one.
        database: String,
    },
    /// The file is damaged.
    #[error("the database {database} is damaged: {why}")]
    Corrupt {
        /// Which one.
        database: String,
        /// What is wrong with it.
        why: String,
    },
    /// A row is not what was written: a bit of it was changed.
    #[error("the database {database} has a damaged row: {row}")]
    DamagedRow {
        /// Which one.
        database: String,
        /// Which row.
        row: DamagedRow,
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
    /// A finding whose own bounds leave no value: something made it up.
    #[error("{spec} {position}: {claim} leaves no value")]
    Impossible {
        /// The game.
        spec: String,
        /// The position.
        position: String,
        /// The finding and what made it.
        claim: String,
    },
    /// Anything else that the database has to say.
    #[error("the database {database}: {why}")]
    Failed {
        /// Which one.
        database: String,
        /// What it said.
        why: String,
    },
}

/// A row that is not what was written, by what can still be read of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{spec} {position} by {solver} {version}")]
pub struct DamagedRow {
    /// The game.
    pub spec: String,
    /// The position.
    pub position: String,
    /// The search that found it.
    pub solver: String,
    /// The version of the program that found it.
    pub version: String,
}

impl StoreError {
    /// What kind of error it is: findings that cannot be true are a fault of the program that made them, all else is
    /// one of the database.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::Contradiction { .. } | Self::Impossible { .. } => ErrorCode::Contradiction,
            _ => ErrorCode::BadDatabase,
        }
    }

    /// What would be right.
    #[must_use]
    pub fn hint(&self) -> &'static str {
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
            Self::DamagedRow { .. } => {
                "ludex db check lists such rows, ludex db purge --damaged deletes them and keeps the others"
            }
            Self::Contradiction { .. } | Self::Impossible { .. } => {
                "solve the position without rules to see which is wrong, then purge what made it"
            }
            Self::Failed { .. } => "name another file, or use --no-db",
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        Self::new(error.code(), error.to_string(), error.hint())
    }
}
