//! Proof numbers and the table that keeps them.

use std::marker::PhantomData;

use ludex_core::{Bounds, Key, Value, Window};

use crate::table::{Busy, Wide};

/// Work left to show that the side to move reaches a question's `beta`, and to show that it does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Numbers {
    pub(super) phi: f64,
    pub(super) delta: f64,
}

impl Numbers {
    /// The numbers of a question that bounds have settled.
    pub(super) fn settled(question: Window, bounds: Bounds) -> Self {
        if question.fails_high(bounds.lo) {
            Self { phi: 0.0, delta: f64::INFINITY }
        } else {
            Self { phi: f64::INFINITY, delta: 0.0 }
        }
    }

    pub(super) fn is_settled(self) -> bool {
        self.phi == 0.0 || self.delta == 0.0
    }

    /// The same, seen by the other side.
    pub(super) fn flipped(self) -> Self {
        Self { phi: self.delta, delta: self.phi }
    }
}

/// What the table tells of a position.
pub(super) struct Remembered {
    pub(super) numbers: Numbers,
    pub(super) bounds: Bounds,
}

/// Numbers and bounds as the table keeps them.
fn payload(question: Window, numbers: Numbers, bounds: Bounds) -> [u64; 2] {
    let bits = |v: Value| (v.raw() + 1001) as u64;
    [
        u64::from((numbers.phi as f32).to_bits()) | u64::from((numbers.delta as f32).to_bits()) << 32,
        bits(bounds.lo) | bits(bounds.hi) << 11 | bits(question.beta) << 22,
    ]
}

/// Proof numbers by exact key, and which positions workers are at.
///
/// Bounds hold whatever the question was; numbers are those of one question, and are taken for 1 and 1 under another.
pub struct ProofTable<K> {
    entries: Wide,
    pub(super) busy: Busy,
    key: PhantomData<fn(K)>,
}

impl<K: Key> ProofTable<K> {
    /// A table of at most `bytes` bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Self { entries: Wide::new(bytes, K::WORDS, 2), busy: Busy::new(), key: PhantomData }
    }

    pub(super) fn get(&self, key: K, question: Window) -> Option<Remembered> {
        let mut payload = [0; 2];
        if !self.entries.get(key.words().as_ref(), 1, &mut payload) {
            return None;
        }
        let value = |shift: u32| Value::from_raw((payload[1] >> shift & 0x7ff) as i16 - 1001);
        let bounds = Bounds { lo: value(0), hi: value(11) };
        let numbers = if question.settled_by(bounds) {
            Numbers::settled(question, bounds)
        } else if value(22) == question.beta {
            Numbers {
                phi: f64::from(f32::from_bits(payload[0] as u32)),
                delta: f64::from(f32::from_bits((payload[0] >> 32) as u32)),
            }
        } else {
            Numbers { phi: 1.0, delta: 1.0 }
        };
        Some(Remembered { numbers, bounds })
    }

    pub(super) fn put(&self, key: K, question: Window, numbers: Numbers, bounds: Bounds, work: u64) {
        self.entries.put(key.words().as_ref(), 1, &payload(question, numbers, bounds), work);
    }

    /// An entry as [`each`](Self::each) hands it out.
    pub(super) fn entry(key: K, question: Window, numbers: Numbers, bounds: Bounds, work: u64) -> Vec<u64> {
        let class = u64::from(64 - work.max(1).leading_zeros());
        let payload = payload(question, numbers, bounds);
        key.words().as_ref().iter().chain(&payload).copied().chain([class]).collect()
    }

    /// What an entry says of its position, if it is one: a lower and an upper bound.
    #[must_use]
    pub fn bounds_of(entry: &[u64]) -> Option<Bounds> {
        let word = *entry.get(K::WORDS + 1).filter(|_| entry.len() == Self::ENTRY)?;
        let value = |shift: u32| Value::from_raw((word >> shift & 0x7ff) as i16 - 1001);
        Some(Bounds { lo: value(0), hi: value(11) })
    }

    /// Words of an entry as it is handed out and taken back: key, numbers, bounds, class of work.
    pub const ENTRY: usize = K::WORDS + 3;

    /// Hand out all positions that were searched. Those only looked at are left out: a look finds them again.
    pub fn each(&self, mut f: impl FnMut(&[u64])) {
        let mut entry = Vec::with_capacity(Self::ENTRY);
        self.entries.each(1, |key, payload, class| {
            if class > 0 {
                entry.clear();
                entry.extend(key.iter().chain(payload).copied().chain([u64::from(class)]));
                f(&entry);
            }
        });
    }

    /// Take back an entry that a table handed out.
    pub fn restore(&self, entry: &[u64]) {
        let (key, rest) = entry.split_at(K::WORDS);
        self.entries.put(key, 1, &rest[..2], 1 << (rest[2].clamp(1, 64) - 1));
    }

    /// Get ready for a long search, one step of many: on small pages, workers that touch new ones wait for each other.
    pub(super) fn settle(&self) {
        self.entries.settle();
    }

    pub(super) fn bytes(&self) -> u64 {
        self.entries.bytes() + Busy::BYTES
    }

    pub(super) fn fill(&self) -> f64 {
        self.entries.fill(1)
    }
}
