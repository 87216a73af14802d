//! Entries of one word.
//!
//! ```text
//!  63            37 36    33 32    27 26  22 21         11 10          0
//!  rest of the key | generation | work | tag |     hi     |     lo      |
//! ```
//! With 2^p buckets of two entries at first, a key of b bits fits if b − p ≤ 27. A table that has grown takes the further bits of a
//! bucket's number from the rest of the key, all of which stands in the entry.

use super::{
    Entry, TAG_BITS,
    growth::Growth,
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
    /// The bits of a bucket's number at first.
    place_bits: u32,
    /// Where in the rest of a key the further bits of the number are.
    further: u32,
    growth: Growth,
    pages: HugePages,
}

impl Packed {
    /// A table of `from` bytes at first and at most `to` bytes, if keys of that many bits fit its entries.
    pub(super) fn growing(from: u64, to: u64, key_bits: u32) -> Option<Self> {
        let bits = |bytes: u64| (bytes / 16).max(2).ilog2().min(key_bits);
        let place_bits = bits(from).max(key_bits.saturating_sub(REST_BITS)).min(bits(to));
        let doublings = bits(to) - place_bits;
        (key_bits <= 64 && key_bits - place_bits <= REST_BITS).then(|| Self {
            words: memory::zeroed(2 << bits(to)),
            key_bits,
            place_bits,
            further: key_bits - place_bits - doublings,
            growth: Growth::new(2 << place_bits, doublings),
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
    fn place(&self, key: u64, spread: u64) -> (usize, u64) {
        let mixed = self.mix(key);
        let rest_bits = self.key_bits - self.place_bits;
        let rest = mixed & !(u64::MAX << rest_bits);
        let bucket = mixed >> rest_bits | (rest >> self.further & spread) << self.place_bits;
        (bucket as usize * 2, rest)
    }

    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        memory::prefetch(&self.words[self.place(key, self.growth.spread()).0]);
    }

    #[inline]
    pub(super) fn get(&self, key: u64, generation: u64) -> Option<Entry> {
        let spread = self.growth.spread();
        let found = self.find(key, generation, spread);
        if found.is_none()
            && let Some(before) = self.growth.before(spread)
        {
            return self.find(key, generation, before);
        }
        found
    }

    #[inline]
    fn find(&self, key: u64, generation: u64, spread: u64) -> Option<Entry> {
        let (place, rest) = self.place(key, spread);
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
        let (place, rest) = self.place(key, self.growth.spread());
        let head = rest << REST_SHIFT | generation << GENERATION_SHIFT;
        let word = head | work_class(work, WORK_BITS) << WORK_SHIFT | pack(entry);
        let [first, second] = [self.words[place].load(Relaxed), self.words[place + 1].load(Relaxed)];
        let same = |old: u64| (old ^ head) >> GENERATION_SHIFT == 0;
        // An entry of an earlier generation counts as no work.
        let live = |old: u64| old >> GENERATION_SHIFT & (GENERATIONS - 1) == generation;
        let worth = |old: u64| if live(old) { old >> WORK_SHIFT & ((1 << WORK_BITS) - 1) } else { 0 };
        let slot = if same(first) {
            0
        } else if same(second) || worth(second) <= worth(first) {
            1
        } else {
            0
        };
        self.words[place + slot].store(word, Relaxed);
        if !live([first, second][slot]) && self.growth.took() {
            let used = self.used();
            HugePages::when_touched(&self.words[used / 2..used]);
        }
    }

    /// Words in use.
    fn used(&self) -> usize {
        (2 << self.place_bits) * self.growth.times()
    }

    pub(super) fn settle(&self) {
        self.pages.step(&self.words[..self.used()]);
    }

    /// Nothing is found any more, because of a new generation: begin with a small table again.
    pub(super) fn restart(&mut self) {
        self.growth.restart();
    }

    pub(super) fn clear(&self) {
        for word in &self.words {
            word.store(0, Relaxed);
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        8 * self.used() as u64
    }

    pub(super) fn fill(&self, generation: u64) -> f64 {
        let sample = self.used().min(4096);
        let used = self.words[..sample]
            .iter()
            .filter(|w| w.load(Relaxed) >> GENERATION_SHIFT & (GENERATIONS - 1) == generation)
            .count();
        used as f64 / sample as f64
    }
}
