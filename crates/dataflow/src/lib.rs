//! Tables of whole games, built by many threads, processes and hosts.
//!
//! The positions of a game are divided among workers, by the hash of their keys or by ranges of their numbers, and solved
//! tier after tier. [timely] carries what the workers tell each other; every round of messages is one of its
//! timestamps. timely is fail-stop, so nothing that counts is only in memory: every worker writes each tier it has
//! finished to its disk, and after any interruption all go on from the last tier that all have. The file that comes out
//! is the same, byte for byte, as the one that a single thread makes.
//!
//! Nothing here is generic: a game is behind [`Positions`], which answers for thousands of positions at a time.
//!
//! ```
//! use ludex_core::{Cancel, Goal};
//! use ludex_dataflow::{Layout, Order, build};
//! use ludex_games::template::Heap;
//! use ludex_search::retrograde::{Positions, Rows};
//!
//! let folder = tempfile::tempdir()?;
//! let order = Order {
//!     out: folder.path().join("heap.table"),
//!     spec: "heap:8".into(),
//!     goal: Goal::Distance,
//!     memory: 64 << 20,
//!     layout: Layout::threads(2),
//!     cancel: Cancel::default(),
//! };
//! let rows = Rows::new(Heap { size: 8 }).unwrap();
//! let built = build(Positions::Listed(Box::new(rows)), &order, &mut |_| {}).map_err(|e| e.message)?;
//! assert_eq!(built.tiers, 9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod codes;
mod exchange;
mod gather;
mod grow;
mod hosts;
mod job;
mod line;
mod listed;
mod meeting;
mod merge;
mod numbered;
mod pile;
mod rows;
mod run;
mod sections;
mod solve;
mod status;
mod watch;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use ludex_core::{Cancel, Error, ErrorCode, Goal};

pub use hosts::read_hosts;
pub use ludex_search::retrograde::Positions;
pub use run::build;
pub use status::{Status, age, statuses};
pub use watch::Step;

/// Who builds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Threads of each process.
    pub workers: usize,
    /// The number of this process.
    pub process: usize,
    /// Where the processes are, this one included; empty if there is only this one.
    pub hosts: Vec<String>,
    /// How long to wait for another process, at the beginning and after it was lost.
    pub wait: Duration,
}

impl Layout {
    /// Threads of one process.
    #[must_use]
    pub fn threads(workers: usize) -> Self {
        Self { workers, process: 0, hosts: Vec::new(), wait: Duration::from_secs(600) }
    }
}

/// What to build.
#[derive(Clone, Debug)]
pub struct Order {
    /// The file. Process 0 writes it; what the others keep in the meantime is beside it.
    pub out: PathBuf,
    /// The spec of the game.
    pub spec: String,
    /// `Wdl` or `Distance`.
    pub goal: Goal,
    /// Bytes that this process may take.
    pub memory: u64,
    /// Who builds.
    pub layout: Layout,
    /// How it is called off.
    pub cancel: Cancel,
}

/// What was built.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// Its numbering, `dense` or `keys`.
    pub numbering: String,
    /// Tiers in all.
    pub tiers: usize,
    /// Tiers that an earlier run had solved.
    pub resumed: usize,
    /// Positions in all.
    pub positions: u64,
    /// The length of the file.
    pub bytes: u64,
    /// Its digest.
    pub digest: String,
    /// Bytes that the workers of this process sent to other workers.
    pub sent: u64,
    /// Time it took.
    pub time: Duration,
}

/// The name under which a process keeps its folder: the table's own in process 0.
fn process_path(out: &Path, process: usize) -> PathBuf {
    if process == 0 { out.to_owned() } else { out.with_added_extension(format!("process-{process}")) }
}

/// It was called off. What was done is kept.
fn stopped() -> Error {
    Error::new(
        ErrorCode::Stopped,
        "stopped before the end; the same command goes on from here",
        "run it again",
    )
}

/// Something that cannot be.
fn fault(what: &str) -> Error {
    Error::new(ErrorCode::Internal, what, "please report the command")
}

/// A row of a list that the game cannot read.
fn no_row(list: &Path, row: usize) -> Error {
    Error::new(
        ErrorCode::TableDamaged,
        format!(
            "{}: row {row} of a block is no position, or has a successor that fits no row",
            list.display()
        ),
        "remove the folder it is in, in every process, and build the table again",
    )
}
