//! Sizes of boards, and where their cells lie in a word.
//!
//! A column takes `height + 1` bits, from its lowest cell up; the bit above the top one is always free, so that lines
//! do not run from one column into the next. 7x6:
//! ```text
//!   .  .  .  .  .  .  .      the free bits 6, 13, …
//!   5 12 19 26 33 40 47
//!   4 11 18 25 32 39 46
//!   3 10 17 24 31 38 45
//!   2  9 16 23 30 37 44
//!   1  8 15 22 29 36 43
//!   0  7 14 21 28 35 42
//! ```

use std::{fmt::Debug, hash::Hash};

use super::Word;

/// A size of the board. The standard one is known to the compiler, so that it costs nothing.
pub trait Shape: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// What a set of cells fits in.
    type Word: Word;

    /// Columns.
    fn width(self) -> u32;

    /// Rows.
    fn height(self) -> u32;

    /// The lowest cell of every column.
    fn bottom(self) -> Self::Word;

    /// All cells.
    fn cells(self) -> Self::Word;

    /// Bits from a cell to the one beside it.
    #[inline]
    fn stride(self) -> u32 {
        self.height() + 1
    }

    /// All cells of a column.
    #[inline]
    fn column(self, c: u32) -> Self::Word {
        (Self::Word::ONE << self.height()).minus(Self::Word::ONE) << (c * self.stride())
    }

    /// A cell, columns and rows from 0, rows upwards.
    #[inline]
    fn cell(self, c: u32, r: u32) -> Self::Word {
        Self::Word::ONE << (c * self.stride() + r)
    }

    /// The lowest cell of every column, moved up by `r`.
    #[inline]
    fn row(self, r: u32) -> Self::Word {
        self.bottom() << r
    }

    /// The cells of the 1st, 3rd, 5th … rows from the bottom.
    fn odd_rows(self) -> Self::Word {
        (0..self.height()).step_by(2).fold(Self::Word::ZERO, |rows, r| rows | self.row(r))
    }

    /// The board in a looking glass. Takes cells and keys alike.
    #[inline]
    fn mirrored(self, cells: Self::Word) -> Self::Word {
        let (width, stride) = (self.width(), self.stride());
        let column = (Self::Word::ONE << stride).minus(Self::Word::ONE);
        let mut out = Self::Word::ZERO;
        for c in 0..width {
            out |= (cells >> (c * stride) & column) << ((width - 1 - c) * stride);
        }
        out
    }
}

/// The board in the shops: 7 columns, 6 rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Standard;

const STANDARD: Sized<u64> = Sized::new64(7, 6);

impl Shape for Standard {
    type Word = u64;

    #[inline]
    fn width(self) -> u32 {
        7
    }

    #[inline]
    fn height(self) -> u32 {
        6
    }

    #[inline]
    fn bottom(self) -> u64 {
        STANDARD.bottom
    }

    #[inline]
    fn cells(self) -> u64 {
        STANDARD.cells
    }

    #[inline]
    fn odd_rows(self) -> u64 {
        STANDARD.bottom * 0b1_0101
    }
}

/// Any other size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sized<W> {
    width: u32,
    height: u32,
    bottom: W,
    cells: W,
}

impl Sized<u64> {
    const fn new64(width: u32, height: u32) -> Self {
        let (mut bottom, mut c) = (0, 0);
        while c < width {
            bottom |= 1 << (c * (height + 1));
            c += 1;
        }
        Self { width, height, bottom, cells: bottom * ((1 << height) - 1) }
    }
}

impl<W: Word> Sized<W> {
    /// A board of this size, if its columns fit in the word.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Option<Self> {
        if width == 0 || height == 0 || width * (height + 1) > W::BITS {
            return None;
        }
        let bottom = (0..width).fold(W::ZERO, |b, c| b | W::ONE << (c * (height + 1)));
        let cells = (0..height).fold(W::ZERO, |cells, r| cells | bottom << r);
        Some(Self { width, height, bottom, cells })
    }
}

impl<W: Word> Shape for Sized<W> {
    type Word = W;

    #[inline]
    fn width(self) -> u32 {
        self.width
    }

    #[inline]
    fn height(self) -> u32 {
        self.height
    }

    #[inline]
    fn bottom(self) -> W {
        self.bottom
    }

    #[inline]
    fn cells(self) -> W {
        self.cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_board_is_a_board_of_its_size() {
        let sized = Sized::<u64>::new(7, 6).expect("it fits");
        assert_eq!(sized, STANDARD);
        assert_eq!((sized.odd_rows(), sized.cells.count_ones()), (Standard.odd_rows(), 42));
        assert!(Sized::<u64>::new(8, 8).is_none() && Sized::<u128>::new(8, 8).is_some());
    }

    #[test]
    fn the_looking_glass_swaps_columns() {
        for c in 0..7 {
            assert_eq!(Standard.mirrored(Standard.column(c)), Standard.column(6 - c));
        }
        let wide = Sized::<u128>::new(9, 7).expect("it fits");
        assert_eq!(wide.mirrored(wide.cell(1, 5)), wide.cell(7, 5));
    }
}
