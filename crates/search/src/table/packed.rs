//! Entries of one word.
//!
//! ```text
//!  63            37 36    33 32    27 26  22 21         11 10          0
//!  rest of the key | generation | work | tag |     hi     |     lo      |
//! ```
//! With 2^p buckets of two entries, a key of b bits fits if b − p ≤ 27.

use super::{
    Entry, TAG_BITS,
    memory::{self, HugePages},
    pack, unpack, work_class,
};
use crate::{
    atomic::{AtomicU64, Ordering::Relaxed},
    hash::{GOLDEN, OTHER},
};

const WORK_BITS: u32 = 6;
const GENERATION_BITS: u32 = 4;
const WORK_SHIFT: u32 = 22 + TAG_BITS;
const GENERATION_SHIFT: u32 = WORK_SHIFT + WORK_BITS;
const REST_SHIFT: u32 = GENERATION_SHIFT + GENERATION_BITS;
const REST_BITS: u32 = 64 - REST_SHIFT;
pub(super) const GENERATIONS: u64 = 1 << GENERATION_BITS;

pub(super) struct Packed {
    words: Box<[AtomicU64]>,
    key_bits: u32,
    place_bits: u32,
    pages: HugePages,
}

impl Packed {
    /// A table of at most `bytes` bytes, if keys of that many bits fit its entries.
    pub(super) fn new(bytes: u64, key_bits: u32) -> Option<Self> {
        let place_bits = (bytes / 16).max(2).ilog2().min(key_bits);
        (key_bits <= 64 && key_bits - place_bits <= REST_BITS).then(|| Self {
            words: memory::zeroed(2 << place_bits),
            key_bits,
            place_bits,
            pages: HugePages::default(),
        })
    }

    /// A bijection of the keys, which no general hash is: multiplication by an odd number and folding down the high bits, within the key's bits.
    #[inline]
    fn mix(&self, key: u64) -> u64 {
        let mask = u64::MAX >> (64 - self.key_bits);
        let half = (self.key_bits / 2).max(1);
        let k = key.wrapping_mul(GOLDEN) & mask;
        let k = k ^ k >> half;
        k.wrapping_mul(OTHER) & mask
    }

    /// The first word of the key's bucket, and what of the key is to be stored.
    #[inline]
    fn place(&self, key: u64) -> (usize, u64) {
        let mixed = self.mix(key);
        let rest_bits = self.key_bits - self.place_bits;
        ((mixed >> rest_bits) as usize * 2, mixed & !(u64::MAX << rest_bits))
    }

    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        memory::prefetch(&self.words[self.place(key).0]);
    }

    #[inline]
    pub(super) fn get(&self, key: u64, generation: u64) -> Option<Entry> {
        let (place, rest) = self.place(key);
        let wanted = rest << REST_SHIFT | generation << GENERATION_SHIFT;
        for word in &self.words[place..place + 2] {
            let word = word.load(Relaxed);
            if (word ^ wanted) >> GENERATION_SHIFT == 0 {
                return Some(unpack(word));
            }
        }
        None
    }

    #[inline]
    pub(super) fn put(&self, key: u64, generation: u64, entry: Entry, work: u64) {
        let (place, rest) = self.place(key);
        let head = rest << REST_SHIFT | generation << GENERATION_SHIFT;
        let word = head | work_class(work, WORK_BITS) << WORK_SHIFT | pack(entry);
        let [first, second] = [self.words[place].load(Relaxed), self.words[place + 1].load(Relaxed)];
        let same = |old: u64| (old ^ head) >> GENERATION_SHIFT == 0;
        // An entry of an earlier generation counts as no work.
        let worth = |old: u64| {
            let live = old >> GENERATION_SHIFT & (GENERATIONS - 1) == generation;
            if live { old >> WORK_SHIFT & ((1 << WORK_BITS) - 1) } else { 0 }
        };
        let slot = if same(first) {
            0
        } else if same(second) || worth(second) <= worth(first) {
            1
        } else {
            0
        };
        self.words[place + slot].store(word, Relaxed);
    }

    pub(super) fn settle(&self) {
        self.pages.step(&self.words);
    }

    pub(super) fn clear(&self) {
        for word in &self.words {
            word.store(0, Relaxed);
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        8 * self.words.len() as u64
    }

    pub(super) fn fill(&self, generation: u64) -> f64 {
        let sample = self.words.len().min(4096);
        let used = self.words[..sample]
            .iter()
            .filter(|w| w.load(Relaxed) >> GENERATION_SHIFT & (GENERATIONS - 1) == generation)
            .count();
        used as f64 / sample as f64
    }
}
