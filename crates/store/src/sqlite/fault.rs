//! What SQLite says, as a [`StoreError`].

use std::path::Path;

use rusqlite::{Error, ErrorCode};

use crate::StoreError;

/// An error of the database at `path`.
pub(super) fn fault(path: &Path, error: &Error) -> StoreError {
    let database = name(path);
    let why = error.to_string();
    match (error.sqlite_error_code(), error) {
        (Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied), _) => {
            StoreError::CannotOpen { database, why }
        }
        (Some(ErrorCode::NotADatabase), _) => StoreError::NotDatabase { database },
        (Some(ErrorCode::ReadOnly), _) => StoreError::ReadOnly { database },
        (Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked), _) => StoreError::Busy { database },
        (Some(ErrorCode::DiskFull), _) => StoreError::Full { database },
        // The schema lets no such value in, so something went around it.
        (Some(ErrorCode::DatabaseCorrupt), _)
        | (None, Error::IntegralValueOutOfRange(..) | Error::InvalidColumnType(..)) => {
            StoreError::Corrupt { database, why }
        }
        _ => StoreError::Failed { database, why },
    }
}

/// How errors call a database.
pub(super) fn name(path: &Path) -> String {
    path.display().to_string()
}
