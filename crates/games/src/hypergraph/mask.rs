//! Sets of cells as bits of one or more machine words.

use std::{
    fmt::Debug,
    hash::Hash,
    ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr},
};

use crate::CellSet;

/// A set of cells numbered from 0: a `u64`, a `u128` or a [`CellSet`], whichever is the smallest that holds them all.
pub trait Mask:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// How many cells it can hold.
    const BITS: usize;
    /// No cell.
    const EMPTY: Self;

    /// One cell.
    fn bit(cell: usize) -> Self;

    /// The cells `0..n`.
    fn below(n: usize) -> Self;

    /// How many cells there are.
    fn count(self) -> u32;

    /// The lowest cell.
    fn lowest(self) -> Option<usize>;

    /// All but the lowest cell.
    #[must_use]
    fn without_lowest(self) -> Self;

    /// The set as 64-bit words, least significant first; those beyond its size are 0.
    fn word(self, i: usize) -> u64;

    /// Whether there is no cell.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether a cell belongs to the set.
    #[inline]
    fn has(self, cell: usize) -> bool {
        self.meets(Self::bit(cell))
    }

    /// Whether two sets have a cell in common.
    #[inline]
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// Whether all cells belong to `other` too.
    #[inline]
    fn within(self, other: Self) -> bool {
        self & other == self
    }

    /// The cells that are not in `other`.
    #[inline]
    #[must_use]
    fn minus(self, other: Self) -> Self {
        self & !other
    }

    /// The cells in ascending order.
    #[inline]
    fn cells(self) -> Cells<Self> {
        Cells(self)
    }
}

/// The cells of a set in ascending order.
#[derive(Clone, Copy, Debug)]
pub struct Cells<M>(M);

impl<M: Mask> Iterator for Cells<M> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let cell = self.0.lowest();
        self.0 = self.0.without_lowest();
        cell
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count() as usize;
        (n, Some(n))
    }
}

impl<M: Mask> ExactSizeIterator for Cells<M> {}

macro_rules! machine_word {
    ($word:ty) => {
        impl Mask for $word {
            const BITS: usize = <$word>::BITS as usize;
            const EMPTY: Self = 0;

            #[inline]
            fn bit(cell: usize) -> Self {
                1 << cell
            }

            #[inline]
            fn below(n: usize) -> Self {
                if n >= <Self as Mask>::BITS { !0 } else { (1 << n) - 1 }
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn lowest(self) -> Option<usize> {
                (self != 0).then(|| self.trailing_zeros() as usize)
            }

            #[inline]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline]
            fn word(self, i: usize) -> u64 {
                if 64 * i < <Self as Mask>::BITS { (self >> (64 * i)) as u64 } else { 0 }
            }
        }
    };
}

machine_word!(u64);
machine_word!(u128);

/// For boards of up to 256 cells.
pub type Wide = CellSet<4>;

impl<const N: usize> Mask for CellSet<N> {
    const BITS: usize = 64 * N;
    const EMPTY: Self = Self::EMPTY;

    #[inline]
    fn bit(cell: usize) -> Self {
        Self::one(cell)
    }

    #[inline]
    fn below(n: usize) -> Self {
        Self::below(n)
    }

    #[inline]
    fn count(self) -> u32 {
        self.len() as u32
    }

    #[inline]
    fn lowest(self) -> Option<usize> {
        self.iter().next()
    }

    #[inline]
    fn without_lowest(self) -> Self {
        self.without_lowest()
    }

    #[inline]
    fn word(self, i: usize) -> u64 {
        self.words().get(i).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All of them against a list of booleans.
    fn like_a_list<M: Mask>() {
        let mut rng = ludex_core::Rng::new(5);
        let draw =
            |rng: &mut ludex_core::Rng| -> Vec<bool> { (0..M::BITS).map(|_| rng.below(3) == 0).collect() };
        let mask = |list: &[bool]| {
            list.iter().enumerate().filter(|(_, on)| **on).fold(M::EMPTY, |m, (i, _)| m | M::bit(i))
        };
        for _ in 0..50 {
            let (a, b) = (draw(&mut rng), draw(&mut rng));
            let (x, y) = (mask(&a), mask(&b));
            let cells: Vec<usize> = (0..M::BITS).filter(|&i| a[i]).collect();
            assert_eq!(x.cells().collect::<Vec<_>>(), cells);
            assert_eq!(x.count() as usize, cells.len());
            assert_eq!(x.lowest(), cells.first().copied());
            assert_eq!(x.meets(y), (0..M::BITS).any(|i| a[i] && b[i]));
            assert_eq!(x.within(y), (0..M::BITS).all(|i| !a[i] || b[i]));
            assert_eq!(
                x.minus(y).cells().collect::<Vec<_>>(),
                (0..M::BITS).filter(|&i| a[i] && !b[i]).collect::<Vec<_>>()
            );
            assert_eq!((x | y) ^ (x & y), x ^ y);
            for by in [0, 1, 7, 63] {
                let left: Vec<_> = (0..M::BITS).filter(|&i| i >= by && a[i - by]).collect();
                let right: Vec<_> = (0..M::BITS).filter(|&i| a.get(i + by) == Some(&true)).collect();
                assert_eq!((x << by as u32).cells().collect::<Vec<_>>(), left);
                assert_eq!((x >> by as u32).cells().collect::<Vec<_>>(), right);
            }
            assert!((0..M::BITS).all(|i| x.has(i) == a[i] && (x.word(i / 64) >> (i % 64) & 1 == 1) == a[i]));
        }
        assert!((0..=M::BITS).all(|n| M::below(n).count() as usize == n && M::below(n) == !(!M::below(n))));
    }

    #[test]
    fn masks_are_sets() {
        like_a_list::<u64>();
        like_a_list::<u128>();
        like_a_list::<Wide>();
        like_a_list::<CellSet<6>>();
    }
}
