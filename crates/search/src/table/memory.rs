//! Zeroed shared words and prefetching: the one place of this crate that needs `unsafe`.
//!
//! A table of a gibibyte must not be touched before it is used, or every small question would pay for it. The
//! allocator hands out zeroed pages lazily, but only through an uninitialised type, hence the `unsafe`.
#![allow(unsafe_code)]

use std::sync::atomic::AtomicU64;

/// `n` zeros that cost nothing until they are used.
#[must_use]
pub fn zeroed(n: usize) -> Box<[AtomicU64]> {
    // SAFETY: an AtomicU64 has the same representation as a u64 (documented by the standard library), for which all
    // bits zero is a valid value.
    unsafe { Box::<[AtomicU64]>::new_zeroed_slice(n).assume_init() }
}

/// Put words on huge pages, where the system has them: those that have been touched now, the others when they are. A
/// table is read at random, so that most reads of small pages miss the processor's list of pages. It takes about as
/// long as copying the words.
pub fn on_huge_pages(words: &[AtomicU64]) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        const HUGE: usize = 2 << 20;
        let start = words.as_ptr();
        let skipped = start.align_offset(HUGE).saturating_mul(size_of::<AtomicU64>());
        let bytes = size_of_val(words).saturating_sub(skipped) / HUGE * HUGE;
        if bytes > 0 {
            for advice in [libc::MADV_HUGEPAGE, libc::MADV_COLLAPSE] {
                // SAFETY: whole pages within the slice; what they hold stays the same. If the system cannot, nothing
                // happens.
                unsafe { libc::madvise(start.byte_add(skipped).cast_mut().cast(), bytes, advice) };
            }
        }
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let _ = words;
}

/// Start loading a word into the cache.
#[inline]
pub fn prefetch(word: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching reads nothing and cannot fault; the address is valid anyway.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}
