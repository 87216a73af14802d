//! A set of many cells in a few machine words, for the boards that one word does not hold.

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// A set of cells below `64·N`, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CellSet<const N: usize>([u64; N]);

impl<const N: usize> Default for CellSet<N> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const N: usize> CellSet<N> {
    /// No cell.
    pub const EMPTY: Self = Self([0; N]);

    /// The one cell `i`.
    #[inline]
    #[must_use]
    pub fn one(i: usize) -> Self {
        let mut set = Self::EMPTY;
        set.0[i / 64] = 1 << (i % 64);
        set
    }

    /// The cells below `n`.
    #[inline]
    #[must_use]
    pub fn below(n: usize) -> Self {
        Self(std::array::from_fn(|i| match n.saturating_sub(64 * i) {
            0 => 0,
            n @ 1..64 => (1 << n) - 1,
            _ => !0,
        }))
    }

    /// The words, lowest cells first.
    #[inline]
    #[must_use]
    pub const fn words(self) -> [u64; N] {
        self.0
    }

    /// Whether cell `i` is in it.
    #[inline]
    #[must_use]
    pub const fn has(self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// How many there are.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Those that are not in the other set.
    #[inline]
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Every cell moved up by `k`.
    #[inline]
    #[must_use]
    pub fn up(self, k: usize) -> Self {
        let (words, bits) = (k / 64, k % 64);
        Self(std::array::from_fn(|i| {
            let high = if i >= words { self.0[i - words] << bits } else { 0 };
            let low = if bits > 0 && i > words { self.0[i - words - 1] >> (64 - bits) } else { 0 };
            high | low
        }))
    }

    /// Every cell moved down by `k`.
    #[inline]
    #[must_use]
    pub fn down(self, k: usize) -> Self {
        let (words, bits) = (k / 64, k % 64);
        Self(std::array::from_fn(|i| {
            let low = if i + words < N { self.0[i + words] >> bits } else { 0 };
            let high = if bits > 0 && i + words + 1 < N { self.0[i + words + 1] << (64 - bits) } else { 0 };
            high | low
        }))
    }

    /// Cell `i` to cell `n − 1 − i`, for a set below `n`.
    #[inline]
    #[must_use]
    pub fn reversed(self, n: usize) -> Self {
        let whole = Self(std::array::from_fn(|i| self.0[N - 1 - i].reverse_bits()));
        whole.down(64 * N - n)
    }

    /// The cells in ascending order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> + Clone {
        let (mut words, mut i) = (self.0, 0);
        std::iter::from_fn(move || {
            while i < N {
                if words[i] != 0 {
                    let bit = words[i].trailing_zeros() as usize;
                    words[i] &= words[i] - 1;
                    return Some(64 * i + bit);
                }
                i += 1;
            }
            None
        })
    }

    /// All but the lowest cell.
    #[inline]
    #[must_use]
    pub fn without_lowest(mut self) -> Self {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
        self
    }

    /// Two sets below `n`, one after the other, as `2·N` words.
    #[inline]
    #[must_use]
    pub fn pair(low: Self, high: Self, n: usize) -> [[u64; N]; 2] {
        let spill = high.down(64 * N - n);
        [(low | high.up(n)).0, spill.0]
    }
}

macro_rules! bitwise {
    ($($name:ident $f:ident $op:tt),*) => {$(
        impl<const N: usize> $name for CellSet<N> {
            type Output = Self;
            #[inline]
            fn $f(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i] $op other.0[i]))
            }
        }
    )*};
}
bitwise!(BitAnd bitand &, BitOr bitor |, BitXor bitxor ^);

impl<const N: usize> Not for CellSet<N> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl<const N: usize> Shl<u32> for CellSet<N> {
    type Output = Self;
    #[inline]
    fn shl(self, by: u32) -> Self {
        self.up(by as usize)
    }
}

impl<const N: usize> Shr<u32> for CellSet<N> {
    type Output = Self;
    #[inline]
    fn shr(self, by: u32) -> Self {
        self.down(by as usize)
    }
}

impl<const N: usize> FromIterator<usize> for CellSet<N> {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Self {
        cells.into_iter().fold(Self::EMPTY, |set, i| set | Self::one(i))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moving_and_turning_a_wide_set() {
        let cells = [0, 1, 63, 64, 100, 127, 128, 168];
        let set: CellSet<3> = cells.into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), cells);
        assert_eq!(set.len(), 8);
        for k in [0, 1, 18, 63, 64, 70, 128] {
            let up: Vec<_> = cells.iter().map(|c| c + k).filter(|&c| c < 192).collect();
            assert_eq!(set.up(k).iter().collect::<Vec<_>>(), up, "up {k}");
            let down: Vec<_> = cells.iter().filter(|&&c| c >= k).map(|c| c - k).collect();
            assert_eq!(set.down(k).iter().collect::<Vec<_>>(), down, "down {k}");
        }
        let turned: Vec<_> = cells.iter().rev().map(|c| 168 - c).collect();
        assert_eq!(set.reversed(169).iter().collect::<Vec<_>>(), turned);
        assert_eq!(set.reversed(169).reversed(169), set);
    }

    #[test]
    fn a_pair_is_two_sets_one_after_the_other() {
        let (low, high): (CellSet<1>, CellSet<1>) =
            ([0, 5, 39].into_iter().collect(), [1, 30, 39].into_iter().collect());
        let words = CellSet::pair(low, high, 40);
        let whole = u128::from(words[0][0]) | u128::from(words[1][0]) << 64;
        assert_eq!(whole, u128::from(low.words()[0]) | u128::from(high.words()[0]) << 40);
    }
}
