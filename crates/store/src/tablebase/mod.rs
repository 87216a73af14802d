//! Tablebase files: the values of all positions of a game, compressed, checked and immutable.
//!
//! A file holds segments (the tiers of a numbering), each a run of fixed-width values in blocks, optionally with the
//! sorted key of every value in front. Heading, directory, indexes and blocks have checksums that are compared whenever
//! they are read; the whole file has a digest. [`Builder`] writes segments one by one next to the file's place, so that a build that is killed goes on
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
mod lock;
mod packing;
mod reader;
mod segment;

pub use build::{Builder, TierWriter, unfinished};
pub use error::TableError;
pub use heading::Heading;
pub use reader::{Tablebase, TierEntry};

/// The checksum that parts of a file are under: CRC-32.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// The version of the file format.
pub const FORMAT_VERSION: u32 = 3;

/// What a file of any version begins with; its version follows as a digit.
const FAMILY: &[u8; 7] = b"LUDEXTB";
const MAGIC: &[u8; 8] = b"LUDEXTB3";
const END: &[u8; 8] = b"3BTXEDUL";
