//! Tablebase files: the values of all positions of a game, compressed, checked and immutable.
//!
//! A file holds segments (the tiers of a numbering), each a run of fixed-width values in blocks, optionally with the
//! sorted key of every value in front. Every block is compressed and has its own checksum; the whole file has a
//! digest. [`Builder`] writes segments one by one next to the file's place, so that a build that is killed goes on
//! where it was, and puts the finished file into place under its name at the end. [`Tablebase`] reads it.
//!
//! ```
//! use ludex_store::tablebase::{Builder, Heading, Tablebase};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("example.table");
//! let heading = Heading { spec: "heap:3".into(), ..Heading::default() };
//! let builder = Builder::open(&path, &heading)?;
//! builder.put(0, "all", &[1, 254, 254, 254], &[])?;
//! builder.finish(1)?;
//!
//! let table = Tablebase::open(&path)?;
//! assert_eq!(table.heading().spec, "heap:3");
//! assert_eq!(table.value(0, 0)?, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
mod build;
mod error;
mod heading;
mod reader;
mod segment;

pub use build::{Builder, unfinished};
pub use error::TableError;
pub use heading::Heading;
pub use reader::{Tablebase, TierEntry};

/// The version of the file format.
pub const FORMAT_VERSION: u32 = 2;

const MAGIC: &[u8; 8] = b"LUDEXTB2";
const END: &[u8; 8] = b"2BTXEDUL";
