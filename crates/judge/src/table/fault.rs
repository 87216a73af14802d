//! What can go wrong with a table.

use ludex_core::{InputError, Stop};
use ludex_store::tablebase::TableError;

/// Why a table was not built, read or confirmed.
#[derive(Debug, thiserror::Error)]
pub enum TableFault {
    /// The request makes no sense.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file cannot be read or written, or is damaged.
    #[error(transparent)]
    File(#[from] TableError),
    /// It would take more memory than it may.
    #[error("this takes {needed} bytes of memory, and {given} are allowed")]
    Memory {
        /// What it takes.
        needed: u64,
        /// What it may take.
        given: u64,
    },
    /// The list of its positions takes more memory than it may; how much is known only at its end.
    #[error("there are more positions than {given} bytes of memory can list")]
    Listing {
        /// What it may take.
        given: u64,
    },
    /// It was stopped before its end. What was done is kept.
    #[error("stopped before the end; the same command goes on from here")]
    Stopped(Stop),
}

impl TableFault {
    /// A stable word for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Input(e) => e.code,
            Self::File(TableError::Io { .. }) => "table_io",
            Self::File(TableError::Damaged { .. }) => "table_damaged",
            Self::File(TableError::Other { .. }) => "table_in_the_way",
            Self::Memory { .. } | Self::Listing { .. } => "out_of_memory",
            Self::Stopped(_) => "stopped",
        }
    }

    /// What would be right.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Input(e) => e.hint.clone(),
            Self::File(TableError::Io { .. }) => "name a file in a folder that exists and can be used".into(),
            Self::File(TableError::Damaged { .. }) => "build the table again".into(),
            Self::File(TableError::Other { .. }) => "remove that folder, or choose another --out".into(),
            Self::Memory { needed, .. } => {
                format!("allow --memory {}MiB, or take a smaller board", needed.div_ceil(1 << 20))
            }
            Self::Listing { .. } => "allow more --memory, or take a smaller board".into(),
            Self::Stopped(_) => "run it again".into(),
        }
    }
}
