//! Whatever comes from outside, given to the code that reads it. A [target](TARGETS) takes any bytes at all and panics
//! if something is wrong: not only a crash, but a text that is not read back as it was written, a damaged file that passes
//! for a whole one, an answer that is none, or memory out of proportion.
//!
//! `cargo fuzz run TARGET` searches for such bytes; the tests run every target on its corpus and on random changes of it
//! with stable Rust.
#![deny(unsafe_code)]

mod certificates;
mod files;
mod memory;
mod protocols;
mod random;
mod server;
mod texts;

pub use memory::bounded;
pub use random::changed;

/// A name, what it does with some bytes, and bytes to begin with.
pub struct Target {
    /// The name, also of its folder of bytes to begin with.
    pub name: &'static str,
    /// Panics if something is wrong.
    pub run: fn(&[u8]),
    /// Good inputs, besides those in the folder.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "spec", run: texts::spec, seeds: texts::specs },
    Target { name: "position_collapsi", run: texts::position::<1>, seeds: texts::positions::<1> },
    Target { name: "position_connect4", run: texts::position::<0>, seeds: texts::positions::<0> },
    Target { name: "position_heap", run: texts::position::<7>, seeds: texts::positions::<7> },
    Target { name: "position_hex", run: texts::position::<4>, seeds: texts::positions::<4> },
    Target { name: "position_mnk", run: texts::position::<2>, seeds: texts::positions::<2> },
    Target { name: "position_nex", run: texts::position::<3>, seeds: texts::positions::<3> },
    Target { name: "position_positional", run: texts::position::<5>, seeds: texts::positions::<5> },
    Target { name: "position_seven", run: texts::position::<6>, seeds: texts::positions::<6> },
    Target { name: "pg", run: texts::positional_file, seeds: texts::positional_files },
    Target { name: "record", run: texts::record, seeds: texts::records },
    Target { name: "table", run: files::table, seeds: files::edits },
    Target { name: "hostile_table", run: files::hostile_table, seeds: files::edits },
    Target { name: "checkpoint", run: files::checkpoint, seeds: files::edits },
    Target { name: "row", run: files::row, seeds: files::rows },
    Target { name: "database", run: files::database, seeds: files::edits },
    Target { name: "collapsi_records", run: files::collapsi_records, seeds: files::collapsi },
    Target { name: "certificate", run: certificates::certificate, seeds: certificates::certificates },
    Target { name: "false_claim", run: certificates::false_claim, seeds: certificates::false_claims },
    Target { name: "gtp", run: protocols::gtp, seeds: protocols::commands },
    Target { name: "nexc", run: protocols::nexc, seeds: protocols::sessions },
    Target { name: "query", run: server::query, seeds: server::queries },
];

/// The target of a name.
#[must_use]
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
