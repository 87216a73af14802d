//! Entries with the whole key, guarded by a sequence number per bucket.
//!
//! ```text
//!  bucket:  sequence | slot | slot | …          slot:  key words … | head | payload words …
//!  head:    generation (high 32 bits) | work (low 32 bits), 0 = empty
//! ```
//! A writer makes the sequence odd, writes, and makes it even again; a reader that finds it odd, or changed when it is
//! done, has read nothing. A writer that finds another at work gives up: a lost entry costs time, never truth. The
//! fences are those of Boehm, "Can seqlocks get along with programming language memory models?", 2012.

use super::{
    growth::{AT_FIRST, Growth},
    memory::{self, HugePages},
    work_class,
};
use crate::{
    atomic::{
        AtomicU64,
        Ordering::{Acquire, Relaxed, Release},
        TRIES, fence,
    },
    hash,
};

pub(super) const GENERATIONS: u64 = 1 << 32;

/// A table from keys of any width to a few words of payload.
pub struct Wide {
    words: Box<[AtomicU64]>,
    /// Buckets in use at first.
    buckets: u64,
    growth: Growth,
    slots: usize,
    key_words: usize,
    payload_words: usize,
    pages: HugePages,
}

impl Wide {
    /// A table of at most `bytes` bytes.
    #[must_use]
    pub fn new(bytes: u64, key_words: usize, payload_words: usize) -> Self {
        Self::growing(AT_FIRST, bytes, key_words, payload_words)
    }

    /// The same with at most `from` bytes in use at first.
    #[must_use]
    pub fn growing(from: u64, to: u64, key_words: usize, payload_words: usize) -> Self {
        let slot = key_words + 1 + payload_words;
        let slots = (7 / slot).max(2);
        let stride = 1 + slots * slot;
        let most = (to / (8 * stride as u64)).max(1);
        // Sixteen bits of the hash choose among the parts that are added.
        let doublings = (0..16).find(|d| (most >> d) * 8 * stride as u64 <= from).unwrap_or(16);
        let doublings = doublings.min(most.ilog2());
        let buckets = most >> doublings;
        let growth = Growth::new(buckets * slots as u64, doublings);
        let words = memory::zeroed((buckets << doublings) as usize * stride);
        Self { words, buckets, growth, slots, key_words, payload_words, pages: HugePages::default() }
    }

    fn slot_words(&self) -> usize {
        self.key_words + 1 + self.payload_words
    }

    /// Words of a bucket.
    fn stride(&self) -> usize {
        1 + self.slots * self.slot_words()
    }

    /// Words in use.
    fn used(&self) -> usize {
        self.buckets as usize * self.stride() * self.growth.times()
    }

    /// The place of a key: the high bits of a hash, which is only a place and never an identity. The bits after them choose among
    /// the parts that have been added.
    #[inline]
    fn bucket(&self, key: &[u64], spread: u64) -> &[AtomicU64] {
        let scaled = u128::from(hash::place(key)) * u128::from(self.buckets);
        let part = (scaled as u64) >> 48 & spread;
        let place = ((scaled >> 64) as u64 + part * self.buckets) as usize * self.stride();
        &self.words[place..place + self.stride()]
    }

    /// Start loading the place of a key.
    #[inline]
    pub fn prefetch(&self, key: &[u64]) {
        memory::prefetch(&self.bucket(key, self.growth.spread())[0]);
    }

    /// Copy the payload of a key, if it is there.
    #[inline]
    pub fn get(&self, key: &[u64], generation: u64, payload: &mut [u64]) -> bool {
        let spread = self.growth.spread();
        self.find(self.bucket(key, spread), key, generation, payload)
            || self
                .growth
                .before(spread)
                .is_some_and(|before| self.find(self.bucket(key, before), key, generation, payload))
    }

    #[inline]
    fn find(&self, bucket: &[AtomicU64], key: &[u64], generation: u64, payload: &mut [u64]) -> bool {
        let sequence = bucket[0].load(Acquire);
        if sequence & 1 == 1 {
            return false;
        }
        for slot in bucket[1..].chunks_exact(self.slot_words()) {
            let head = slot[self.key_words].load(Relaxed);
            if head >> 32 == generation && self.holds(slot, key) {
                for (out, word) in payload.iter_mut().zip(&slot[self.key_words + 1..]) {
                    *out = word.load(Relaxed);
                }
                fence(Acquire);
                return bucket[0].load(Relaxed) == sequence;
            }
        }
        false
    }

    #[inline]
    fn holds(&self, slot: &[AtomicU64], key: &[u64]) -> bool {
        slot[..self.key_words].iter().zip(key).all(|(word, &k)| word.load(Relaxed) == k)
    }

    /// Remember a payload that took `work` nodes to find, in place of the least work of the bucket.
    #[inline]
    pub fn put(&self, key: &[u64], generation: u64, payload: &[u64], work: u64) {
        let bucket = self.bucket(key, self.growth.spread());
        let sequence = bucket[0].load(Relaxed);
        if sequence & 1 == 1 || bucket[0].compare_exchange(sequence, sequence + 1, Acquire, Relaxed).is_err()
        {
            return;
        }
        fence(Release);
        let (mut target, mut least, mut free) = (0, u64::MAX, false);
        for (i, slot) in bucket[1..].chunks_exact(self.slot_words()).enumerate() {
            let head = slot[self.key_words].load(Relaxed);
            let live = head >> 32 == generation;
            if live && self.holds(slot, key) {
                (target, free) = (i, false);
                break;
            }
            let worth = if live { 1 + (head & 0xffff_ffff) } else { 0 };
            if worth < least {
                (least, target, free) = (worth, i, !live);
            }
        }
        let slot = &bucket[1 + target * self.slot_words()..];
        for (word, &k) in slot.iter().zip(key) {
            word.store(k, Relaxed);
        }
        slot[self.key_words].store(generation << 32 | work_class(work, 32), Relaxed);
        for (word, &p) in slot[self.key_words + 1..].iter().zip(payload) {
            word.store(p, Relaxed);
        }
        bucket[0].store(sequence + 2, Release);
        if free && self.growth.took() {
            let used = self.used();
            HugePages::when_touched(&self.words[used / 2..used]);
        }
    }

    /// Hand out every entry of a generation: key, payload, and the class of its work. What a writer is at meanwhile is
    /// read again, and left out if it stays so.
    pub fn each(&self, generation: u64, mut f: impl FnMut(&[u64], &[u64], u32)) {
        let mut copy = vec![0; self.stride() - 1];
        for bucket in self.words[..self.used()].chunks_exact(self.stride()) {
            let whole = (0..TRIES).any(|_| {
                let sequence = bucket[0].load(Acquire);
                copy.iter_mut().zip(&bucket[1..]).for_each(|(out, word)| *out = word.load(Relaxed));
                fence(Acquire);
                sequence & 1 == 0 && bucket[0].load(Relaxed) == sequence
            });
            for slot in copy.chunks_exact(self.slot_words()).filter(|_| whole) {
                let (key, rest) = slot.split_at(self.key_words);
                if rest[0] >> 32 == generation {
                    f(key, &rest[1..], rest[0] as u32);
                }
            }
        }
    }

    /// Get ready for a long search, one step of many.
    pub fn settle(&self) {
        self.pages.step(&self.words[..self.used()]);
    }

    /// Nothing is found any more, because of a new generation: begin with a small table again.
    pub(super) fn restart(&mut self) {
        self.growth.restart();
    }

    pub(super) fn clear(&self) {
        for bucket in self.words.chunks_exact(self.stride()) {
            for slot in bucket[1..].chunks_exact(self.slot_words()) {
                slot[self.key_words].store(0, Relaxed);
            }
        }
    }

    /// Bytes in use.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        8 * self.used() as u64
    }

    /// How full it is, 0 to 1, judged by a sample.
    #[must_use]
    pub fn fill(&self, generation: u64) -> f64 {
        let sample = self.words[..self.used()].chunks_exact(self.stride()).take(1024);
        let (mut used, mut all) = (0, 0);
        for slot in sample.flat_map(|bucket| bucket[1..].chunks_exact(self.slot_words())) {
            all += 1;
            used += u32::from(slot[self.key_words].load(Relaxed) >> 32 == generation);
        }
        f64::from(used) / f64::from(all.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(table: &Wide, generation: u64) -> Vec<(u64, u64, u32)> {
        let mut found = Vec::new();
        table.each(generation, |key, payload, work| found.push((key[0], payload[0], work)));
        found.sort_unstable();
        found
    }

    /// Every entry of a generation is handed out with its key and the class of its work, and no other.
    #[test]
    fn all_entries_of_a_generation() {
        let table = Wide::growing(1 << 12, 1 << 16, 1, 1);
        let put = |generation: u64, keys: std::ops::Range<u64>| {
            keys.for_each(|key| table.put(&[key], generation, &[key * 3], 1 << key));
        };
        put(1, 0..10);
        put(2, 20..25);
        assert_eq!(listed(&table, 1), (0..10).map(|key| (key, key * 3, key as u32 + 1)).collect::<Vec<_>>());
        assert_eq!(listed(&table, 2), (20..25).map(|key| (key, key * 3, key as u32 + 1)).collect::<Vec<_>>());
        let slots = table.used() / table.stride() * table.slots;
        assert!(slots <= 2048, "the sample is all of it");
        assert_eq!(table.fill(1), 10.0 / slots as f64);
        assert_eq!(table.fill(2), 5.0 / slots as f64);
        table.clear();
        assert_eq!((listed(&table, 1), listed(&table, 2), table.fill(1)), (Vec::new(), Vec::new(), 0.0));
    }

    /// A bucket with a writer at it is not read, not written, and not handed out.
    #[test]
    fn a_writer_has_its_bucket_alone() {
        let table = Wide::growing(1 << 12, 1 << 12, 1, 1);
        table.put(&[7], 1, &[70], 1);
        let sequence = &table.bucket(&[7], 0)[0];
        assert_eq!(sequence.load(Relaxed), 2);
        sequence.store(3, Relaxed);
        let mut payload = [0];
        assert!(!table.get(&[7], 1, &mut payload), "a writer is at it");
        assert_eq!(listed(&table, 1), []);
        table.put(&[7], 1, &[71], 1);
        assert_eq!(sequence.load(Relaxed), 3, "the other writer is left alone");
        sequence.store(4, Relaxed);
        assert!(table.get(&[7], 1, &mut payload));
        assert_eq!((payload, listed(&table, 1)), ([70], vec![(7, 70, 1)]));
    }

    /// An entry that took no work at all makes room only where there is no free place.
    #[test]
    fn free_places_first() {
        let table = Wide::growing(1, 1, 1, 1);
        let mut payload = [0];
        (0..table.slots as u64).for_each(|key| table.put(&[key], 1, &[key], 0));
        assert!((0..table.slots as u64).all(|key| table.get(&[key], 1, &mut payload) && payload[0] == key));
    }
}
