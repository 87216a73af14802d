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

    /// The cells of the top row, of the third from the top, and so on: the upper cells when every column is cut into
    /// pairs from the top.
    fn upper_rows(self) -> Self::Word;

    /// The cells from `cell` up to the top of its column.
    #[inline]
    fn upward(self, cell: Self::Word) -> Self::Word {
        let ceilings = self.bottom() << self.height();
        (ceilings & !cell.minus(Self::Word::ONE)).first().minus(cell)
    }

    /// The cells of the column in which `cell` lies.
    #[inline]
    fn column_of(self, cell: Self::Word) -> Self::Word {
        let ceilings = self.bottom() << self.height();
        let ceiling = (ceilings & !cell.minus(Self::Word::ONE)).first();
        ceiling.minus(ceiling >> self.height())
    }

    /// The number of the column in which `cell` lies.
    #[inline]
    fn column_number(self, cell: Self::Word) -> u32 {
        cell.lowest() / self.stride()
    }

    /// The given cells and everything above them.
    #[inline]
    fn and_above(self, mut cells: Self::Word) -> Self::Word {
        for _ in 1..self.height() {
            cells |= cells << 1 & self.cells();
        }
        cells
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

const STANDARD: Sized<u64> = Sized::STANDARD;

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
    fn upper_rows(self) -> u64 {
        STANDARD.upper
    }

    #[inline]
    fn mirrored(self, cells: u64) -> u64 {
        const LEFT: [u64; 3] = [0x7f, 0x7f << 7, 0x7f << 14];
        const MIDDLE: u64 = 0x7f << 21;
        (cells & MIDDLE)
            | (cells & LEFT[0]) << 42
            | cells >> 42 & LEFT[0]
            | (cells & LEFT[1]) << 28
            | cells >> 28 & LEFT[1]
            | (cells & LEFT[2]) << 14
            | cells >> 14 & LEFT[2]
    }
}

/// A size that is a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sized<W> {
    width: u32,
    height: u32,
    bottom: W,
    cells: W,
    upper: W,
}

impl Sized<u64> {
    /// The board in the shops, as [`Standard`] is.
    pub const STANDARD: Self = Self::new64(7, 6);

    const fn new64(width: u32, height: u32) -> Self {
        let (mut bottom, mut c) = (0, 0);
        while c < width {
            bottom |= 1 << (c * (height + 1));
            c += 1;
        }
        let (mut upper, mut r) = (0, height);
        while r > 0 {
            upper |= bottom << (r - 1);
            r = r.saturating_sub(2);
        }
        Self { width, height, bottom, cells: bottom * ((1 << height) - 1), upper }
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
        let upper = (0..height).rev().step_by(2).fold(W::ZERO, |upper, r| upper | bottom << r);
        Some(Self { width, height, bottom, cells, upper })
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

    #[inline]
    fn upper_rows(self) -> W {
        self.upper
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_board_is_a_board_of_its_size() {
        let sized = Sized::<u64>::new(7, 6).expect("it fits");
        assert_eq!(sized, STANDARD);
        assert_eq!(sized.cells.count_ones(), 42);
        for c in 0..7 {
            for r in 0..6 {
                let cell = Standard.cell(c, r);
                assert_eq!(Standard.mirrored(cell), sized.mirrored(cell));
                assert_eq!(Standard.upper_rows() & cell != 0, r % 2 == 1, "even rows counted from 1");
                assert_eq!(Standard.column_of(cell), Standard.column(c));
                assert_eq!(Standard.upward(cell).count_ones(), 6 - r);
                assert_eq!(Standard.and_above(cell), Standard.upward(cell));
                assert_eq!(Standard.column_number(cell), c);
            }
        }
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
