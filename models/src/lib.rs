//! The tables that threads share without locks, compiled from the very files of `ludex-search` and `ludex-studies`, but
//! with loom's atomics: `tests/models.rs` lets loom try every order of loads and stores that the language allows.
//!
//! A torn entry of an exact table would be a false theorem, and on x86-64 alone a test would not find it: the processor
//! orders more than the language promises.

// The files say `ludex_search::…`, and here that is this crate.
extern crate self as ludex_search;

/// What `crates/search/src/atomic.rs` is to the program.
pub mod atomic {
    // Marks of busy positions choose who does what and are never part of a value: a table has thousands, all of them
    // plain here.
    pub use std::sync::atomic::AtomicU8;

    pub use loom::sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};

    /// Each further try multiplies the orders by those of one try.
    pub(crate) const TRIES: u32 = 1;

    /// Zeros.
    #[must_use]
    pub fn zeroed(n: usize) -> Box<[AtomicU64]> {
        (0..n).map(|_| AtomicU64::new(0)).collect()
    }
}

#[allow(dead_code)]
#[path = "../../crates/search/src/hash.rs"]
mod hash;
#[allow(dead_code)]
#[path = "../../crates/search/src/table/mod.rs"]
pub mod table;

/// Connect Four's table, which grows while it is read.
#[path = "../../crates/studies/src/connect4/memory.rs"]
pub mod connect4;
