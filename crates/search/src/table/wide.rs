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
    buckets: u64,
    slots: usize,
    key_words: usize,
    payload_words: usize,
    pages: HugePages,
}

impl Wide {
    /// A table of at most `bytes` bytes.
    #[must_use]
    pub fn new(bytes: u64, key_words: usize, payload_words: usize) -> Self {
        let slot = key_words + 1 + payload_words;
        let slots = (7 / slot).max(2);
        let stride = 1 + slots * slot;
        let buckets = (bytes / (8 * stride as u64)).max(1);
        let words = memory::zeroed(buckets as usize * stride);
        Self { words, buckets, slots, key_words, payload_words, pages: HugePages::default() }
    }

    fn slot_words(&self) -> usize {
        self.key_words + 1 + self.payload_words
    }

    /// The place of a key: the high bits of a hash, which is only a place and never an identity.
    #[inline]
    fn bucket(&self, key: &[u64]) -> &[AtomicU64] {
        let stride = 1 + self.slots * self.slot_words();
        let place = ((u128::from(hash::place(key)) * u128::from(self.buckets)) >> 64) as usize * stride;
        &self.words[place..place + stride]
    }

    /// Start loading the place of a key.
    #[inline]
    pub fn prefetch(&self, key: &[u64]) {
        memory::prefetch(&self.bucket(key)[0]);
    }

    /// Copy the payload of a key, if it is there.
    #[inline]
    pub fn get(&self, key: &[u64], generation: u64, payload: &mut [u64]) -> bool {
        let bucket = self.bucket(key);
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
        let bucket = self.bucket(key);
        let sequence = bucket[0].load(Relaxed);
        if sequence & 1 == 1 || bucket[0].compare_exchange(sequence, sequence + 1, Acquire, Relaxed).is_err()
        {
            return;
        }
        fence(Release);
        let mut target = 0;
        let mut least = u64::MAX;
        for (i, slot) in bucket[1..].chunks_exact(self.slot_words()).enumerate() {
            let head = slot[self.key_words].load(Relaxed);
            let live = head >> 32 == generation;
            if live && self.holds(slot, key) {
                target = i;
                break;
            }
            let worth = if live { 1 + (head & 0xffff_ffff) } else { 0 };
            if worth < least {
                (least, target) = (worth, i);
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
    }

    /// Hand out every entry of a generation: key, payload, and the class of its work. What a writer is at meanwhile is
    /// read again, and left out if it stays so.
    pub fn each(&self, generation: u64, mut f: impl FnMut(&[u64], &[u64], u32)) {
        let stride = 1 + self.slots * self.slot_words();
        let mut copy = vec![0; stride - 1];
        for bucket in self.words.chunks_exact(stride) {
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
        self.pages.step(&self.words);
    }

    pub(super) fn clear(&self) {
        for bucket in self.words.chunks_exact(1 + self.slots * self.slot_words()) {
            for slot in bucket[1..].chunks_exact(self.slot_words()) {
                slot[self.key_words].store(0, Relaxed);
            }
        }
    }

    /// Bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        8 * self.words.len() as u64
    }

    /// How full it is, 0 to 1, judged by a sample.
    #[must_use]
    pub fn fill(&self, generation: u64) -> f64 {
        let stride = 1 + self.slots * self.slot_words();
        let sample = self.words.chunks_exact(stride).take(1024);
        let (mut used, mut all) = (0, 0);
        for slot in sample.flat_map(|bucket| bucket[1..].chunks_exact(self.slot_words())) {
            all += 1;
            used += u32::from(slot[self.key_words].load(Relaxed) >> 32 == generation);
        }
        f64::from(used) / f64::from(all.max(1))
    }
}
