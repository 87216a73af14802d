//! Where the words of a table are: on which pages, and whether in the cache. It needs `unsafe` to tell the system.
#![allow(unsafe_code)]

use std::ops::Range;

pub use crate::atomic::zeroed;
use crate::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// How far a table has been put on huge pages. A table is read at random, so that most reads of small pages
/// miss the processor's list of pages; but moving a gibibyte can take seconds, in which a search could not be stopped.
/// So it is done page by page.
#[derive(Debug, Default)]
pub struct HugePages(AtomicUsize);

impl HugePages {
    const BYTES: usize = 2 << 20;

    /// Put the next words on a huge page, where the system has them. False once there are none left. Takes some
    /// milliseconds at most, and may be called by several threads.
    pub fn step(&self, words: &[AtomicU64]) -> bool {
        let pages = Self::whole(words);
        if self.0.load(Relaxed) >= pages.len() / Self::BYTES {
            return false;
        }
        let start = self.0.fetch_add(1, Relaxed) * Self::BYTES;
        if start == 0 {
            Self::advise(words, pages.clone(), Advice::WhenTouched);
        }
        let page = pages.start + start..pages.start + start + Self::BYTES;
        if page.end <= pages.end {
            Self::advise(words, page, Advice::Now);
        }
        true
    }

    /// Let words that have not been touched come on huge pages when they are.
    pub fn when_touched(words: &[AtomicU64]) {
        Self::advise(words, Self::whole(words), Advice::WhenTouched);
    }

    /// The bytes of the words that are whole huge pages, counted from the first word.
    fn whole(words: &[AtomicU64]) -> Range<usize> {
        let skipped = words.as_ptr().align_offset(Self::BYTES).saturating_mul(size_of::<AtomicU64>());
        skipped
            ..skipped.saturating_add(size_of_val(words).saturating_sub(skipped) / Self::BYTES * Self::BYTES)
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn advise(words: &[AtomicU64], bytes: Range<usize>, advice: Advice) {
        let advice = match advice {
            Advice::WhenTouched => libc::MADV_HUGEPAGE,
            Advice::Now => libc::MADV_COLLAPSE,
        };
        if !bytes.is_empty() {
            debug_assert!(bytes.end <= size_of_val(words));
            // SAFETY: whole pages within the slice; what they hold stays the same. If the system cannot, nothing
            // happens.
            unsafe {
                let start = words.as_ptr().byte_add(bytes.start);
                libc::madvise(start.cast_mut().cast(), bytes.len(), advice);
            }
        }
    }

    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    fn advise(_words: &[AtomicU64], _bytes: Range<usize>, _advice: Advice) {}
}

/// When words are to be on huge pages.
enum Advice {
    WhenTouched,
    Now,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every word is what it was, however many threads move them; and it ends.
    #[test]
    fn huge_pages_change_nothing() {
        let words = zeroed((9 << 20) / 8 + 5);
        words.iter().enumerate().for_each(|(i, word)| word.store(i as u64, Relaxed));
        let pages = HugePages::default();
        let steps = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while pages.step(&words) {
                        steps.fetch_add(1, Relaxed);
                    }
                });
            }
        });
        assert!((3..=6).contains(&steps.load(Relaxed)), "{steps:?}");
        HugePages::when_touched(&words);
        assert!(words.iter().enumerate().all(|(i, word)| word.load(Relaxed) == i as u64));
        assert!(!HugePages::default().step(&words[..100]), "too few for a huge page");
    }
}
