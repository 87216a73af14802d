//! How much of a table is in use.
//!
//! However much memory is allowed, a table begins small and doubles as it fills: a search whose table fits the processor's caches is
//! faster, and a small question does not pay for the pages of a large table. Nothing is moved. The bucket of a key gets one more
//! bit of the key; until the doubled table has filled up, what is not found is looked for where it was before.

use crate::atomic::{AtomicU64, Ordering::Relaxed};

/// Bytes that a table uses at first.
pub(super) const AT_FIRST: u64 = 16 << 20;

pub(super) struct Growth {
    /// Which further bits of a key take part in the choice of its bucket.
    spread: AtomicU64,
    /// The same before the last doubling; equal to `spread` once the table has filled up again.
    before: AtomicU64,
    /// All bits that may.
    most: u64,
    /// Entries that a table has at first.
    least: u64,
    /// Entries that were put where none was.
    filled: AtomicU64,
}

impl Growth {
    /// A table that begins with `least` entries and may be doubled so often.
    pub(super) fn new(least: u64, doublings: u32) -> Self {
        Self {
            spread: AtomicU64::new(0),
            before: AtomicU64::new(0),
            most: (1 << doublings) - 1,
            least,
            filled: AtomicU64::new(0),
        }
    }

    /// Begin anew: nothing of what the table holds is found any more.
    pub(super) fn restart(&mut self) {
        let doublings = self.most.count_ones();
        *self = Self::new(self.least, doublings);
    }

    /// The bits that take part in the choice of a bucket.
    #[inline]
    pub(super) fn spread(&self) -> u64 {
        self.spread.load(Relaxed)
    }

    /// The bits that took part before, if an entry may still be found by them.
    #[inline]
    pub(super) fn before(&self, spread: u64) -> Option<u64> {
        let before = self.before.load(Relaxed);
        (before != spread).then_some(before)
    }

    /// How many times as large the table is as at first.
    pub(super) fn times(&self) -> usize {
        self.spread() as usize + 1
    }

    /// An entry was put where none was. True if the table has been doubled for it.
    #[inline]
    pub(super) fn took(&self) -> bool {
        if self.most == 0 {
            return false;
        }
        let filled = self.filled.fetch_add(1, Relaxed) + 1;
        let spread = self.spread();
        let entries = self.least * (spread + 1);
        // Half full: buckets begin to overflow. After doubling that is a quarter, and at three eighths it is half full of what is new.
        if 2 * filled > entries {
            spread != self.most
                && self.spread.compare_exchange(spread, 2 * spread + 1, Relaxed, Relaxed).is_ok()
        } else {
            if 8 * filled > 3 * entries && self.before.load(Relaxed) != spread {
                self.before.store(spread, Relaxed);
            }
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Doubled by the first entry beyond a half, as often as is allowed; what was there before is looked for until the doubled
    /// table has three eighths.
    #[test]
    fn doubled_when_half_full() {
        let mut growth = Growth::new(8, 2);
        for restarted in [false, true] {
            let doubled: Vec<u64> = (1..=40).filter(|_| growth.took()).map(|_| growth.spread()).collect();
            assert_eq!((doubled, growth.times()), (vec![1, 3], 4), "restarted: {restarted}");
            growth.restart();
            assert_eq!((growth.spread(), growth.before(0)), (0, None));
        }
        let steps: Vec<_> = (1..=14)
            .map(|_| {
                growth.took();
                (growth.spread(), growth.before(growth.spread()))
            })
            .collect();
        // 5 of 8 double it, 7 of 16 are more than three eighths, 9 of 16 double it again, 13 of 32 are more than three eighths.
        let expected = [
            [(0, None); 4].as_slice(),
            &[(1, Some(0)); 2],
            &[(1, None); 2],
            &[(3, Some(1)); 4],
            &[(3, None); 2],
        ];
        assert_eq!(steps, expected.concat());
        let fixed = Growth::new(8, 0);
        assert!((0..40).all(|_| !fixed.took()) && fixed.times() == 1);
    }
}
