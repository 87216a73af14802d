//! Memory that was freed goes back to the system.
//!
//! The allocator of the GNU C library has a store for every few threads, up to eight for each core, and each store keeps
//! what its largest piece of work needed, long after it was freed. Under many different questions that adds up to several
//! times what is in use. So the server asks for it back now and then, while it works.
#![allow(unsafe_code)]

use std::time::Duration;

/// How often freed memory is given back.
pub(crate) const EVERY: Duration = Duration::from_secs(2);

/// Give back what is free.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn give_back() {
    // SAFETY: it takes the allocator's own locks and touches nothing that is in use.
    unsafe { libc::malloc_trim(0) };
}

/// Other allocators do so by themselves, or offer no way.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_back() {}
