//! The atomic words that threads share without locks.
//!
//! Every shared table names its atomics by this module, and by no other way, so that `models/` can compile the very same
//! tables with atomics of which a model checker tries every order that the language allows.
#![allow(unsafe_code)]

pub use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering, fence};

/// How often a reader that should miss nothing tries again while a writer is at the same place.
pub(crate) const TRIES: u32 = 100;

/// `n` zeros that cost nothing until they are used: a table of a gibibyte must not be touched before that, or every
/// small question would pay for it.
#[must_use]
pub fn zeroed(n: usize) -> Box<[AtomicU64]> {
    // SAFETY: an AtomicU64 has the same representation as a u64 (documented by the standard library), for which all
    // bits zero is a valid value. The allocator hands out zeroed pages lazily, but only through an uninitialised type.
    unsafe { Box::<[AtomicU64]>::new_zeroed_slice(n).assume_init() }
}
