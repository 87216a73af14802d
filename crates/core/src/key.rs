//! Exact keys of positions.

use std::{fmt::Debug, hash::Hash};

/// An injective encoding of a position into 64-bit words, canonical under the game's symmetries.
///
/// Two positions share a key only if one is the image of the other, so that a table that compares whole keys can
/// never mistake one position for another: a collision in an exact solver would be a false theorem.
pub trait Key: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The words of the key, an array.
    type Words: AsRef<[u64]> + Copy;
    /// How many words there are.
    const WORDS: usize;
    /// The key as words, least significant first.
    fn words(self) -> Self::Words;
}

/// Write the low bytes of a key, the highest first, so that their order is that of the numbers they stand for.
#[inline]
pub fn write_key<K: Key>(key: K, out: &mut [u8]) {
    let words = key.words();
    for (i, byte) in out.iter_mut().rev().enumerate() {
        *byte = (words.as_ref()[i / 8] >> (8 * (i % 8))) as u8;
    }
}

impl Key for u64 {
    type Words = [u64; 1];
    const WORDS: usize = 1;
    #[inline]
    fn words(self) -> [u64; 1] {
        [self]
    }
}

impl Key for u128 {
    type Words = [u64; 2];
    const WORDS: usize = 2;
    #[inline]
    fn words(self) -> [u64; 2] {
        [self as u64, (self >> 64) as u64]
    }
}

impl<const N: usize> Key for [u64; N] {
    type Words = [u64; N];
    const WORDS: usize = N;
    #[inline]
    fn words(self) -> [u64; N] {
        self
    }
}
