//! The record files of solved Collapsi positions, as older programs wrote them (little-endian).
//!
//! - records (`solved_norm.db`): key, turn, win, best move and plies of a position whose cards were shifted so that X
//!   stands on the first cell;
//! - the index (`norm_index.db`): the cards and pawns behind a key;
//! - `norm2raw/KEY-TURN.txt`: the keys of its sixteen shifts.
//!
//! All of them are read as streams, in memory that does not depend on their length.
mod check;
mod deal;
mod layout;

pub use check::{Anomaly, Checked, check};
pub use deal::{Sets, mixed_key};
pub use layout::{INDEX_LAYOUTS, IndexEntry, IndexLayout, LAYOUTS, Layout, Record, Records, read_index};

/// What is wrong with a record file.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It cannot be read.
    #[error("{file}: {error}")]
    Io {
        /// The file.
        file: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// It is not a whole number of records, or no record file at all.
    #[error("{file}, at offset {offset}: {what}")]
    Foreign {
        /// The file.
        file: String,
        /// Where, in bytes.
        offset: u64,
        /// What is wrong there.
        what: String,
    },
}
