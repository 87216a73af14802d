//! What can go wrong with a tablebase, and what to do about it.

use std::{
    io,
    path::{Path, PathBuf},
};

use ludex_core::{Error, ErrorCode};

use super::FORMAT_VERSION;

/// What can go wrong with a tablebase file.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file system refused.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// The file is not what it should be.
    #[error("{path}: {what}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A table in the format of another version of the program.
    #[error("{path} has format version {found}, and this program reads version {}", FORMAT_VERSION)]
    Version {
        /// The file.
        path: PathBuf,
        /// The version of its format.
        found: u32,
    },
    /// Another process is building the same file.
    #[error("another process is building {path}")]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// An unfinished build of something else is in the way.
    #[error("{path} holds an unfinished build of another table")]
    Other {
        /// The folder.
        path: PathBuf,
    },
}

impl TableError {
    /// What would be right.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Io { .. } => "name a file in a folder that exists and can be used",
            Self::Damaged { .. } => "build the table again",
            Self::Version { found, .. } if *found > FORMAT_VERSION => "use the newer ludex that made it",
            Self::Version { .. } => "remove it and build the table again",
            Self::Busy { .. } => "wait until it is done, or choose another --out",
            Self::Other { .. } => "remove that folder, or choose another --out",
        }
    }

    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |error| Self::Io { path, error }
    }

    pub(super) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), what: what.into() }
    }
}

impl From<TableError> for Error {
    fn from(error: TableError) -> Self {
        let code = match error {
            TableError::Io { .. } => ErrorCode::TableIo,
            TableError::Damaged { .. } => ErrorCode::TableDamaged,
            TableError::Version { .. } => ErrorCode::TableVersion,
            TableError::Busy { .. } => ErrorCode::TableBusy,
            TableError::Other { .. } => ErrorCode::TableInTheWay,
        };
        Self::new(code, error.to_string(), error.hint())
    }
}
