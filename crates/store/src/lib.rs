//! What was learnt: verdicts of positions, tables of whole games, checkpoints of searches.
//!
//! A [`Memory`] keeps what searches found out about positions, as bounds, together with what made them: program version,
//! solver, rules switched off. Several findings about one position are kept side by side and answered as their
//! intersection, so that a rule found wrong later can be purged without losing what others have shown.
//!
//! Features, both on by default: `sqlite` for the memory in a file (`Store`, which several processes may use at once),
//! `files` for tables, checkpoints and [`AtomicFile`]. Without them nothing here opens a file or reads a clock, and the
//! crate builds for a browser.
//!
//! ```
//! use ludex_core::{Bounds, Side, Value};
//! use ludex_store::{Memory, Remembered, Row};
//!
//! let memory = Remembered::default();
//! let mut row = Row::new("heap:21", b"7", "7", Side::First);
//! row.solver = "dfpn".into();
//! row.bounds = Bounds::at_least(Value::SOME_WIN);
//! memory.put(&row)?;
//! row.solver = "alphabeta".into();
//! row.bounds = Bounds::at_most(Value::win(3));
//! memory.put(&row)?;
//! assert_eq!(memory.get("heap:21", b"7")?.unwrap().bounds, Bounds { lo: Value::SOME_WIN, hi: Value::win(3) });
//!
//! // Two findings that exclude each other are never an answer.
//! row.bounds = Bounds::exact(Value::DRAW);
//! assert!(memory.put(&row).is_err());
//! # Ok::<(), ludex_store::StoreError>(())
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "files")]
mod atomic_file;
#[cfg(all(test, unix, feature = "files", feature = "sqlite"))]
mod chaos;
#[cfg(feature = "files")]
pub mod checkpoint;
#[cfg(feature = "files")]
mod digested;
mod error;
#[cfg(all(test, feature = "files"))]
mod fail_points;
mod filter;
mod memory;
mod remembered;
mod row;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "files")]
pub mod tablebase;

#[cfg(feature = "files")]
pub use atomic_file::AtomicFile;
pub use error::{DamagedRow, StoreError};
pub use filter::Filter;
pub use memory::Memory;
pub use remembered::Remembered;
pub use row::{Row, key_bytes};
#[cfg(feature = "sqlite")]
pub use sqlite::{SCHEMA_VERSION, Store};
