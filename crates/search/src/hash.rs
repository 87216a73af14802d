//! The hashes of the searches. A hash is only ever a place to look, never an identity.
//!
//! There is one [`Hasher`], for maps and for the few bits by which moves are ordered. Tables shared by threads know their
//! keys as words and have two functions of their own: which entries share a bucket, and which positions share a mark,
//! decides how many nodes a search enters, so each of the two stays as it is, or the node counts that stand for a
//! search's behaviour (`ludex bench`) all change. (The packed table needs a bijection and has it in its own module.)

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

/// 2^64 divided by the golden ratio: an odd number whose bits look random.
pub(crate) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
/// Another odd number without a pattern.
pub(crate) const OTHER: u64 = 0xd6e8_feb8_6659_fd93;

/// A map whose keys nobody chooses to make them collide.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;

/// The place of a key of several words in a table; its high bits are the good ones.
#[inline]
pub(crate) fn place(key: &[u64]) -> u64 {
    let mut hash = 0u64;
    for &word in key {
        hash = (hash ^ word).wrapping_mul(GOLDEN);
        hash ^= hash >> 32;
    }
    hash.wrapping_mul(OTHER)
}

/// The mark of a position that a worker is at: quicker, as only its highest bits are used.
#[inline]
pub(crate) fn mark(key: &[u64]) -> u64 {
    key.iter().fold(0u64, |hash, word| (hash ^ word).wrapping_mul(GOLDEN))
}

/// A multiplicative hash of words and of small things. The rotation brings the good high bits down, where a map looks.
#[derive(Default)]
pub(crate) struct Mix(u64);

impl Hasher for Mix {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    /// Whole words at once: the keys of most games are arrays of them.
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|&word| self.write_u64(u64::from_le_bytes(word)));
        rest.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.write_u64(u64::from(n));
    }

    #[inline]
    fn write_u16(&mut self, n: u16) {
        self.write_u64(u64::from(n));
    }

    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.write_u64(u64::from(n));
    }

    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0 ^ n ^ 0x2545).wrapping_mul(GOLDEN).rotate_left(29);
    }

    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, hash::BuildHasher};

    use super::*;

    /// Keys that differ in one bit, as those of neighbouring positions do, spread over the low bits of a map.
    #[test]
    fn neighbours_are_spread() {
        let build = BuildHasherDefault::<Mix>::default();
        let keys: Vec<[u64; 2]> =
            (0..128).map(|bit| if bit < 64 { [1 << bit, 0] } else { [0, 1 << (bit - 64)] }).collect();
        let low: HashSet<u64> = keys.iter().map(|key| build.hash_one(key) % 1024).collect();
        assert!(low.len() > 100, "{} places", low.len());
        let high: HashSet<u64> = keys.iter().map(|key| place(key) >> 54).collect();
        assert!(high.len() > 100, "{} places", high.len());
    }
}
