//! The machine words a board fits in: 64 bits where that is enough, 128 otherwise.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

use ludex_core::Key;

/// A set of cells.
pub trait Word:
    Key
    + Default
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// No cell.
    const ZERO: Self;
    /// The first bit.
    const ONE: Self;
    /// Bits in the word.
    const BITS: u32;

    /// The sum, carrying through columns on purpose.
    #[must_use]
    fn plus(self, other: Self) -> Self;
    /// The difference.
    #[must_use]
    fn minus(self, other: Self) -> Self;
    /// How many cells.
    #[must_use]
    fn count(self) -> u32;
    /// The index of the lowest bit.
    #[must_use]
    fn lowest(self) -> u32;

    /// The word of a number, less what does not fit.
    #[must_use]
    fn of(number: u128) -> Self;

    /// Its first 64 bits.
    #[must_use]
    fn low(self) -> u64;

    /// Whether there is any cell.
    #[inline]
    #[must_use]
    fn any(self) -> bool {
        self != Self::ZERO
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    fn none(self) -> bool {
        self == Self::ZERO
    }

    /// Whether there are two or more.
    #[inline]
    #[must_use]
    fn several(self) -> bool {
        (self & self.minus(Self::ONE)).any()
    }

    /// The lowest cell alone.
    #[inline]
    #[must_use]
    fn first(self) -> Self {
        self & Self::ZERO.minus(self)
    }

    /// All but the lowest cell.
    #[inline]
    #[must_use]
    fn rest(self) -> Self {
        self & self.minus(Self::ONE)
    }
}

macro_rules! words {
    ($($word:ty),*) => {$(
        impl Word for $word {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const BITS: u32 = <$word>::BITS;
            #[inline]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn of(number: u128) -> Self {
                number as $word
            }
            #[inline]
            fn low(self) -> u64 {
                self as u64
            }
        }
    )*};
}

words!(u64, u128);
