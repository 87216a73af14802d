//! What the solver remembers: bounds on scores by exact key.
//!
//! [`Packed`] keeps an entry in one word. The key is multiplied by an odd number, a bijection; the product's high bits
//! are the bucket and its low bits are stored, so that the place and the entry together are the whole key. Short
//! scores leave room for thousands of generations: forgetting everything between two questions costs nothing, where
//! clearing 64 MiB would take longer than most answers. Boards whose keys do not fit use the generic table.
//!
//! However much memory is allowed, a table begins small and doubles as the work grows: a search whose table fits the
//! processor's caches is nearly twice as fast. Nothing is moved then. The bucket gets one more bit of the stored part
//! of the key, so that the half of the entries where it is set are forgotten, and found again by and by.
//! ```text
//!  63     59 58  54 53 47 46 40 39                        0
//!  | column | work |  hi  |  lo  | generation | rest of key |
//! ```

use ludex_core::{Bounds, Value};
use ludex_games::connect4::Word;
use ludex_search::{
    atomic::{AtomicU64, Ordering::Relaxed},
    table::{
        Entry, Table,
        memory::{self, HugePages},
    },
};

/// Bounds on the score of a position's side to move, and the column that was best there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownScore {
    /// At least this.
    pub lo: i8,
    /// At most this.
    pub hi: i8,
    /// The column, counted on the board that the key stands for.
    pub column: u8,
}

/// A table of what is known.
pub trait Recall<K>: Sync {
    /// Where a key is kept.
    type Place: Copy;
    /// Find the place.
    fn place(&self, key: K) -> Self::Place;
    /// Start loading it.
    fn prefetch(&self, place: Self::Place);
    /// What is known.
    fn get(&self, place: Self::Place) -> Option<KnownScore>;
    /// Remember what took this many nodes to find.
    fn put(&self, place: Self::Place, known: KnownScore, work: u64);
    /// Whether a worker has entered the position of a place, as far as is remembered.
    fn entered(&self, _place: Self::Place) -> bool {
        false
    }
    /// A worker enters it.
    fn enter(&self, _place: Self::Place) {}
    /// It leaves it.
    fn leave(&self, _place: Self::Place) {}
    /// A worker has entered so many more positions: get ready for a long search.
    fn settle(&self, _nodes: u64) {}
}

const REST_AND_GENERATION: u32 = 40;
/// At least so many bits are kept for the generation.
const GENERATION: u32 = 4;
/// Bytes that a table uses at first.
const AT_FIRST: u64 = 64 << 20;
/// A table is doubled when this many positions per word have been entered.
const CROWDED: u64 = 4;

/// From this many positions on, huge pages save more than they cost.
const LONG: u64 = 1 << 10;

/// One word per entry, two entries per bucket.
pub struct Packed {
    words: Box<[AtomicU64]>,
    key_bits: u32,
    /// The bits of a key that are stored.
    rest_bits: u32,
    /// Those of them that take part in the choice of the bucket: none at first, all but a few in a table of full size.
    spread: AtomicU64,
    generation: u64,
    /// Positions entered in this generation.
    nodes: AtomicU64,
    pages: HugePages,
    /// The positions that workers are at.
    entered: Box<[AtomicU64]>,
}

/// Slots for positions that workers are at.
const ENTERED: usize = 1 << 12;

/// A slot, and what stands in it. Two positions that share both are taken for one, which only changes the order.
#[inline]
fn slot((bucket, mark): (u32, u64)) -> (usize, u64) {
    (bucket as usize / 2 % ENTERED, mark | u64::from(bucket) << REST_AND_GENERATION | 1 << 63)
}

impl Packed {
    /// A table of at most `bytes` bytes, if keys of that many bits fit its entries with generations to spare.
    #[must_use]
    pub fn new(bytes: u64, key_bits: u32) -> Option<Self> {
        Self::growing(AT_FIRST, bytes, key_bits)
    }

    /// The same with so many bytes in use at first.
    #[must_use]
    pub fn growing(from: u64, to: u64, key_bits: u32) -> Option<Self> {
        // A word's number has 32 bits.
        let bits = |bytes: u64| (bytes / 16).max(2).ilog2().min(key_bits - 1).min(31);
        let fewest = key_bits.saturating_sub(REST_AND_GENERATION - GENERATION);
        let place_bits = bits(from).max(fewest).min(bits(to));
        (key_bits <= 64 && place_bits >= fewest).then(|| Self {
            words: memory::zeroed(2 << bits(to)),
            key_bits,
            rest_bits: key_bits - place_bits,
            spread: AtomicU64::new(0),
            generation: 1,
            nodes: AtomicU64::new(0),
            pages: HugePages::default(),
            entered: memory::zeroed(ENTERED),
        })
    }

    /// Words in use.
    fn used(&self) -> usize {
        (self.spread.load(Relaxed) as usize + 1) * self.least()
    }

    /// Words in use at first.
    fn least(&self) -> usize {
        2 << (self.key_bits - self.rest_bits)
    }

    /// Forget everything.
    pub fn age(&mut self) {
        (self.spread, self.nodes) = (AtomicU64::new(0), AtomicU64::new(0));
        self.generation += 1;
        if self.generation >> (REST_AND_GENERATION - self.rest_bits) != 0 {
            self.generation = 1;
            self.wipe();
        }
    }

    /// Write zeros everywhere and put them on huge pages, so that no later question pays for that.
    pub fn warm_up(&mut self) {
        self.wipe();
        while self.pages.step(&self.words) {}
    }

    fn wipe(&mut self) {
        self.words.iter().for_each(|word| word.store(0, Relaxed));
    }

    /// Bytes in use.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.used() as u64 * 8
    }

    /// How full it is, 0 to 1, judged by a sample.
    #[must_use]
    pub fn fill(&self) -> f64 {
        let sample = self.used().min(4096);
        let current = |word: &&AtomicU64| {
            (word.load(Relaxed) & !(u64::MAX << REST_AND_GENERATION)) >> self.rest_bits == self.generation
        };
        self.words[..sample].iter().filter(current).count() as f64 / sample as f64
    }
}

const LO: u32 = REST_AND_GENERATION;
const HI: u32 = LO + 7;
const WORK: u32 = HI + 7;
const COLUMN: u32 = WORK + 5;

#[inline]
fn unpack(word: u64) -> KnownScore {
    let score = |shift: u32| (word >> shift & 0x7f) as i8 - 64;
    KnownScore { lo: score(LO), hi: score(HI), column: (word >> COLUMN) as u8 }
}

impl<W: Word> Recall<W> for Packed {
    /// The bucket's first word, and generation and rest of the key as they stand in an entry.
    type Place = (u32, u64);

    #[inline]
    fn place(&self, key: W) -> (u32, u64) {
        // A table is made only where all bits of a key are among the first 64.
        let mixed = key.low().wrapping_mul(0x9e37_79b9_7f4a_7c15) & u64::MAX >> (64 - self.key_bits);
        let rest = mixed & !(u64::MAX << self.rest_bits);
        let spread = (rest & self.spread.load(Relaxed)) << (self.key_bits - self.rest_bits);
        (((mixed >> self.rest_bits) | spread) as u32 * 2, rest | self.generation << self.rest_bits)
    }

    #[inline]
    fn prefetch(&self, place: (u32, u64)) {
        memory::prefetch(&self.words[place.0 as usize]);
    }

    #[inline]
    fn get(&self, (bucket, mark): (u32, u64)) -> Option<KnownScore> {
        let bucket = bucket as usize;
        self.words[bucket..bucket + 2].iter().find_map(|word| {
            let word = word.load(Relaxed);
            (word & !(u64::MAX << REST_AND_GENERATION) == mark).then(|| unpack(word))
        })
    }

    #[inline]
    fn put(&self, (bucket, mark): (u32, u64), known: KnownScore, work: u64) {
        let work = u64::from(64 - work.leading_zeros()).min(31);
        let field = |score: i8| (score + 64) as u64;
        let entry = mark
            | field(known.lo) << LO
            | field(known.hi) << HI
            | work << WORK
            | u64::from(known.column) << COLUMN;
        let bucket = bucket as usize;
        let [first, second] = &self.words[bucket..bucket + 2] else { return };
        let old = first.load(Relaxed);
        let low = !(u64::MAX << REST_AND_GENERATION);
        if old & low == mark {
            first.store(entry, Relaxed);
        } else if second.load(Relaxed) & low == mark {
            second.store(entry, Relaxed);
        } else if (old & low) >> self.rest_bits != self.generation {
            first.store(entry, Relaxed);
        } else if work >= old >> WORK & 31 {
            second.store(old, Relaxed);
            first.store(entry, Relaxed);
        } else {
            second.store(entry, Relaxed);
        }
    }

    #[inline]
    fn entered(&self, place: (u32, u64)) -> bool {
        let (slot, word) = slot(place);
        self.entered[slot].load(Relaxed) == word
    }

    #[inline]
    fn enter(&self, place: (u32, u64)) {
        let (slot, word) = slot(place);
        self.entered[slot].store(word, Relaxed);
    }

    #[inline]
    fn leave(&self, place: (u32, u64)) {
        let (slot, word) = slot(place);
        let _ = self.entered[slot].compare_exchange(word, 0, Relaxed, Relaxed);
    }

    /// Huge pages, once the search is no longer a short one. Twice the words, when those in use are crowded. A place
    /// found before stays right: it is just not where others will look.
    fn settle(&self, nodes: u64) {
        let nodes = self.nodes.fetch_add(nodes, Relaxed) + nodes;
        let (spread, used) = (self.spread.load(Relaxed), self.used());
        if nodes >= LONG {
            self.pages.step(&self.words[..self.least()]);
        }
        if nodes >= used as u64 * CROWDED
            && used < self.words.len()
            && self.spread.compare_exchange(spread, spread * 2 + 1, Relaxed, Relaxed).is_ok()
        {
            HugePages::when_touched(&self.words[used..2 * used]);
        }
    }
}

/// Scores in the generic table, for boards whose keys do not fit an entry of one word.
pub struct Wide<W: Word>(pub Table<W>);

impl<W: Word> Recall<W> for Wide<W> {
    type Place = W;

    #[inline]
    fn place(&self, key: W) -> W {
        key
    }

    #[inline]
    fn prefetch(&self, place: W) {
        self.0.prefetch(place);
    }

    #[inline]
    fn get(&self, place: W) -> Option<KnownScore> {
        self.0.get(place).map(|entry| KnownScore {
            lo: entry.bounds.lo.raw() as i8,
            hi: entry.bounds.hi.raw() as i8,
            column: entry.tag,
        })
    }

    #[inline]
    fn put(&self, place: W, known: KnownScore, work: u64) {
        let value = |score: i8| Value::from_raw(i16::from(score));
        let bounds = Bounds { lo: value(known.lo), hi: value(known.hi) };
        self.0.put(place, Entry { bounds, tag: known.column }, work);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use ludex_core::Rng;

    use super::*;

    /// Whatever a small, crowded table answers was put there for that very key, in this generation.
    #[test]
    fn never_lies() {
        for grown in [false, true] {
            crowd(Packed::growing(if grown { 1 << 8 } else { 1 << 12 }, 1 << 12, 24).expect("it fits"));
        }
    }

    fn crowd(mut table: Packed) {
        let (least, most) = (table.bytes(), table.words.len() as u64 * 8);
        let mut truth: HashMap<u64, KnownScore> = HashMap::new();
        let (mut rng, mut hits) = (Rng::new(5), 0);
        for round in 0..300_000 {
            let key = rng.next_u64() >> 50 | (rng.next_u64() & 1) << 23;
            let table_of: &dyn Recall<u64, Place = (u32, u64)> = &table;
            let place = table_of.place(key);
            if let Some(found) = table_of.get(place) {
                assert_eq!(Some(&found), truth.get(&key), "{key:x}");
                hits += 1;
            }
            let lo = rng.below(128) as i8 as i16 - 64;
            let known = KnownScore {
                lo: lo as i8,
                hi: (rng.below(128) as i16 - 64) as i8,
                column: rng.below(32) as u8,
            };
            table_of.put(place, known, rng.next_u64() >> rng.below(64));
            truth.insert(key, known);
            assert_eq!(table_of.get(place), Some(known), "it is found at once");
            table_of.settle(1);
            if round % 10_000 == 9_999 {
                assert_eq!(table.bytes(), most, "it has grown");
                table.age();
                assert_eq!(table.bytes(), least);
                truth.clear();
            }
        }
        assert!(hits > 1000, "{hits}");
        assert!(most <= 1 << 12);
    }
}
