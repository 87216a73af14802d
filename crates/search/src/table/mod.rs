//! Transposition tables with exact keys, shared by threads without locks.
//!
//! Two layouts, chosen by how many bits a key has:
//! - `packed`: one 64-bit word per entry. The key is mixed by a bijection; its high bits are the place in the table
//!   and its low bits are stored, so that place and entry together are the whole key. A word is read and written in
//!   one piece: no torn entry, no false hit.
//! - `wide`: the whole key stands in the entry, and a sequence number per bucket tells readers whether a writer was
//!   at it meanwhile (a seqlock).
//!
//! A collision in an exact solver is a false theorem, so neither layout can have one. Nor can an entry come back with
//! bounds that leave no value: what is read is, as a whole, something that a search has put there, and a search puts
//! nothing in before it has seen that the bounds agree.
mod busy;
mod growth;
pub mod memory;
mod packed;
mod wide;

use ludex_core::{Bounds, Key, Value};

pub(crate) use busy::Busy;
use packed::Packed;
pub use wide::Wide;

/// What a table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Bounds on its value.
    pub bounds: Bounds,
    /// The tag of the move that was best, 0 if there was none.
    pub tag: u8,
}

/// Tags have this many bits.
pub(crate) const TAG_BITS: u32 = 5;

/// Bounds on values by exact key, for the depth-first searches.
pub struct Table<K> {
    layout: Layout,
    generation: u64,
    /// Where the workers are that share it.
    pub(crate) busy: Busy,
    key: std::marker::PhantomData<fn(K)>,
}

enum Layout {
    Packed(Packed),
    Wide(Wide),
}

impl<K: Key> Table<K> {
    /// A table of at most `bytes` bytes for keys of `key_bits` bits. It begins small and grows.
    #[must_use]
    pub fn new(bytes: u64, key_bits: u32) -> Self {
        Self::growing(growth::AT_FIRST, bytes, key_bits)
    }

    /// The same with about `from` bytes in use at first.
    #[must_use]
    pub fn growing(from: u64, to: u64, key_bits: u32) -> Self {
        // Only one of them is ever set aside.
        let packed = if K::WORDS == 1 { Packed::growing(from, to, key_bits) } else { None };
        let layout = match packed {
            Some(packed) => Layout::Packed(packed),
            None => Layout::Wide(Wide::growing(from, to, K::WORDS, 1)),
        };
        Self { layout, generation: 1, busy: Busy::new(), key: std::marker::PhantomData }
    }

    /// Let everything stored so far be forgotten: entries of an earlier generation are not found any more and are the
    /// first to be replaced. Costs nothing, unlike clearing.
    pub fn age(&mut self) {
        self.generation += 1;
        match &mut self.layout {
            Layout::Packed(table) => table.restart(),
            Layout::Wide(table) => table.restart(),
        }
        let last = match self.layout {
            Layout::Packed(_) => packed::GENERATIONS,
            Layout::Wide(_) => wide::GENERATIONS,
        };
        if self.generation == last {
            self.generation = 1;
            match &self.layout {
                Layout::Packed(table) => table.clear(),
                Layout::Wide(table) => table.clear(),
            }
        }
    }

    /// What is known of a key.
    #[inline]
    #[must_use]
    pub fn get(&self, key: K) -> Option<Entry> {
        match &self.layout {
            Layout::Packed(table) => table.get(key.words().as_ref()[0], self.generation),
            Layout::Wide(table) => {
                let mut payload = [0];
                table.get(key.words().as_ref(), self.generation, &mut payload).then(|| unpack(payload[0]))
            }
        }
    }

    /// Start loading the place of a key.
    #[inline]
    pub fn prefetch(&self, key: K) {
        match &self.layout {
            Layout::Packed(table) => table.prefetch(key.words().as_ref()[0]),
            Layout::Wide(table) => table.prefetch(key.words().as_ref()),
        }
    }

    /// Remember an entry that took `work` nodes to find. The least work of a bucket makes room.
    #[inline]
    pub fn put(&self, key: K, entry: Entry, work: u64) {
        match &self.layout {
            Layout::Packed(table) => table.put(key.words().as_ref()[0], self.generation, entry, work),
            Layout::Wide(table) => table.put(key.words().as_ref(), self.generation, &[pack(entry)], work),
        }
    }

    /// Get ready for a long search, one step of many: on small pages, workers that touch new ones wait for each other.
    pub fn settle(&self) {
        match &self.layout {
            Layout::Packed(table) => table.settle(),
            Layout::Wide(table) => table.settle(),
        }
    }

    /// Bytes in use.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let layout = match &self.layout {
            Layout::Packed(table) => table.bytes(),
            Layout::Wide(table) => table.bytes(),
        };
        layout + Busy::BYTES
    }

    /// How full it is, 0 to 1, judged by a sample.
    #[must_use]
    pub fn fill(&self) -> f64 {
        match &self.layout {
            Layout::Packed(table) => table.fill(self.generation),
            Layout::Wide(table) => table.fill(self.generation),
        }
    }
}

/// Bounds as 22 bits.
#[inline]
fn pack_bounds(bounds: Bounds) -> u64 {
    (bounds.lo.raw() + 1001) as u64 | ((bounds.hi.raw() + 1001) as u64) << 11
}

#[inline]
fn unpack_bounds(bits: u64) -> Bounds {
    let value = |v: u64| Value::from_raw((v & 0x7ff) as i16 - 1001);
    Bounds { lo: value(bits), hi: value(bits >> 11) }
}

#[inline]
fn pack(entry: Entry) -> u64 {
    pack_bounds(entry.bounds) | u64::from(entry.tag) << 22
}

#[inline]
fn unpack(bits: u64) -> Entry {
    Entry { bounds: unpack_bounds(bits), tag: (bits >> 22) as u8 & ((1 << TAG_BITS) - 1) }
}

/// Work as a logarithm that fits `bits` bits.
#[inline]
fn work_class(work: u64, bits: u32) -> u64 {
    u64::from(64 - work.leading_zeros()).min((1 << bits) - 1)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use ludex_core::Rng;

    use super::*;

    /// Whatever a small, crowded table answers was put there for that very key, and last of all; while it grows, perhaps earlier.
    fn never_lies<K: Key>(key_bits: u32, make: impl Fn(u64, u64) -> K) {
        crowd(Table::new(1 << 20, key_bits), false, &make);
        // Keys of 43 bits cannot be told apart by a smaller table of one word per entry.
        if key_bits != 43 {
            crowd(Table::growing(1 << 14, 1 << 20, key_bits), true, &make);
        }
    }

    fn crowd<K: Key>(mut table: Table<K>, grows: bool, make: impl Fn(u64, u64) -> K) {
        let least = table.bytes();
        let mut truth: HashMap<K, Vec<Entry>> = HashMap::new();
        let mut rng = Rng::new(3);
        let mut hits = 0;
        for round in 0..400_000u64 {
            let key = make(rng.next_u64(), rng.next_u64() % 5);
            if let Some(found) = table.get(key) {
                let put = truth.get(&key).expect("something was put there");
                let right = if grows { put.contains(&found) } else { put.last() == Some(&found) };
                assert!(right, "{key:?}: {found:?} of {put:?}");
                hits += 1;
            }
            let lo = Value::from_raw(rng.below(2003) as i16 - 1001);
            let entry = Entry { bounds: Bounds { lo, hi: lo.better() }, tag: rng.below(32) as u8 };
            table.put(key, entry, rng.next_u64() >> rng.below(64));
            truth.entry(key).or_default().push(entry);
            // The key itself is found again at once, if it found a place.
            if let Some(found) = table.get(key) {
                assert_eq!(found, entry);
            }
            if round % 150_000 == 149_999 {
                assert!(table.bytes() <= (1 << 20) + Busy::BYTES, "{} bytes", table.bytes());
                table.age();
                truth.clear();
                assert_eq!(table.bytes(), least, "it begins small again");
            }
        }
        assert!(hits > 100, "{hits} hits");
        assert!(!grows || table.bytes() > least, "it has not grown");
    }

    /// What was put into a table is still found after it has been doubled once.
    #[test]
    fn doubling_forgets_little() {
        let table = Table::<u128>::growing(1 << 16, 1 << 24, 128);
        let (least, entry) = (table.bytes(), Entry { bounds: Bounds::ALL, tag: 7 });
        let mut put = 0;
        while table.bytes() == least {
            table.put(u128::from(put), entry, 1);
            put += 1;
        }
        // More than half of 910 buckets of two, and those that have replaced others.
        assert!((911..1300).contains(&put), "doubled after {put}");
        let found = (0..put).filter(|&n| table.get(u128::from(n)).is_some()).count() as u64;
        assert!(found > put * 4 / 5, "{found} of {put}");
    }

    #[test]
    fn exact_for_keys_of_all_widths() {
        never_lies::<u64>(20, |a, _| a % (1 << 20));
        never_lies::<u64>(43, |a, b| (a % 60_000) << 23 | b);
        never_lies::<u64>(64, |a, b| (a % 60_000) << 44 | b);
        never_lies::<u128>(128, |a, b| u128::from(a % 60_000) << 100 | u128::from(b));
        never_lies::<[u64; 4]>(256, |a, b| [b, 0, a % 60_000, 0]);
    }

    /// Writers and readers of the same few buckets: no reader ever sees half of one entry and half of another.
    #[test]
    fn threads_see_whole_entries() {
        let table = Table::<[u64; 3]>::new(1 << 20, 192);
        std::thread::scope(|scope| {
            for worker in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    let mut rng = Rng::new(worker);
                    for _ in 0..300_000 {
                        let n = rng.next_u64() % 64;
                        let key = [n, n * 0x9e37_79b9, !n];
                        let value = Value::from_raw(n as i16);
                        if let Some(found) = table.get(key) {
                            assert_eq!(found, Entry { bounds: Bounds::exact(value), tag: n as u8 % 32 });
                        }
                        table.put(key, Entry { bounds: Bounds::exact(value), tag: n as u8 % 32 }, n);
                    }
                });
            }
        });
        assert!(table.fill() > 0.0);
    }

    const SEVEN: Entry = Entry { bounds: Bounds::ALL, tag: 7 };

    /// Nothing of an earlier generation is ever found again, also when the numbers of generations begin anew.
    #[test]
    fn generations_do_not_come_back() {
        fn forgotten<K: Key>(mut table: Table<K>, key: K, last: u64) {
            table.put(key, SEVEN, 1);
            assert_eq!(table.get(key), Some(SEVEN));
            assert!(table.fill() > 0.0);
            // As if it had been aged so often: there may be four thousand million generations.
            table.generation = last - 2;
            for _ in 0..4 {
                table.age();
                assert_eq!((table.get(key), table.fill()), (None, 0.0), "generation {}", table.generation);
            }
            assert_eq!(table.generation, 3);
        }
        forgotten(Table::<u64>::growing(1 << 12, 1 << 12, 30), 5, packed::GENERATIONS);
        forgotten(Table::<u128>::growing(1 << 12, 1 << 12, 128), 5, wide::GENERATIONS);
    }

    /// What took long to find is not replaced by what did not, and the same key again takes no further place.
    #[test]
    fn much_work_stays() {
        fn stays<K: Key>(table: &Table<K>, make: impl Fn(u64) -> K) {
            let least = table.bytes();
            for _ in 0..10_000 {
                table.put(make(0), SEVEN, 1 << 40);
            }
            assert_eq!(table.bytes(), least, "one key needs no larger table");
            for n in 1..2000 {
                table.put(make(n), Entry { tag: 1, ..SEVEN }, n % 8);
                assert_eq!(table.get(make(0)), Some(SEVEN), "after {n} others");
            }
            // The later of two that took as long is the one that stays.
            assert!((1990..2000).any(|n| table.get(make(n)).is_some()));
        }
        stays(&Table::<u64>::growing(64, 64, 20), |n| n);
        stays(&Table::<u128>::growing(256, 256, 128), u128::from);
        let (packed, wide) =
            (Table::<u64>::growing(1 << 10, 1 << 20, 20), Table::<u128>::growing(1 << 10, 1 << 20, 128));
        stays(&packed, |n| n);
        stays(&wide, u128::from);
        assert!(packed.bytes() > 1 << 14 && wide.bytes() > 1 << 14, "thousands of keys do");
    }

    /// A table of one word per entry while the key fits, of which small questions use little; how full it is; and all parts of one that
    /// has grown are used.
    #[test]
    fn sizes_and_layouts() {
        let large = Table::<u64>::new(1 << 26, 43);
        assert!(matches!(large.layout, Layout::Packed(_)));
        assert_eq!(large.bytes(), (16 << 20) + Busy::BYTES);
        assert!(matches!(Table::<u64>::new(1 << 20, 64).layout, Layout::Wide(_)), "too long for one word");
        let table = Table::<u64>::growing(1 << 12, 1 << 16, 30);
        assert_eq!(table.fill(), 0.0);
        (0..9).for_each(|n| table.put(n, SEVEN, 1));
        assert_eq!(table.fill(), 9.0 / 512.0);
        (0..6000).for_each(|n| table.put(n, SEVEN, 1));
        assert_eq!(table.bytes(), (1 << 16) + Busy::BYTES);
        let again = (0..2000).map(|n| n * 31).inspect(|&n| table.put(n, SEVEN, 1000)).collect::<Vec<u64>>();
        let found = again.iter().filter(|&&n| table.get(n).is_some()).count();
        assert!(found > 1900, "{found} of 2000");
    }
}
