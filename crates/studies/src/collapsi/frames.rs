//! A set of cells, ready to be seen from any cell.
//!
//! The table of walks is for a pawn on cell 0, so a set is moved until the pawn's cell is there. Moving it up is a
//! rotation; moving it to the left is not, since every row goes around by itself. On 4x4 the four ways of moving it to the
//! left are kept side by side:
//!
//! ```text
//! bits 63 … 48    47 … 32    31 … 16    15 … 0
//!      by three   by two     by one     as it is
//! ```

use ludex_games::collapsi::Board;

/// A set of cells of a board with `W` rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frames<const W: usize>(u64);

/// By cell, all but its bits.
const WITHOUT: [u64; 16] = {
    let mut table = [0; 16];
    let mut cell = 0;
    while cell < 16 {
        table[cell] = !spread(1 << cell);
        cell += 1;
    }
    table
};

impl<const W: usize> Frames<W> {
    /// The frames of a set.
    #[inline(always)]
    pub fn new(set: u16) -> Self {
        if W == 4 { Self(spread(set)) } else { Self(set.into()) }
    }

    /// The set.
    #[inline(always)]
    pub fn set(self) -> u16 {
        self.0 as u16
    }

    /// The set without a cell.
    #[inline(always)]
    pub fn without(self, cell: usize) -> Self {
        if W == 4 { Self(self.0 & WITHOUT[cell & 15]) } else { Self(self.0 & !(1 << cell)) }
    }

    /// The set moved so that a cell is on cell 0.
    #[inline(always)]
    pub fn seen(self, cell: usize) -> u16 {
        if W == 4 {
            ((self.0 >> (16 * (cell & 3))) as u16).rotate_right(cell as u32 & 12)
        } else {
            Board::of(W).shift(self.set(), W - cell / W, W - cell % W)
        }
    }

    /// The frames of a set that is seen from a cell.
    #[inline(always)]
    pub fn back(seen: u16, cell: usize) -> Self {
        if W == 4 {
            Self(spread(seen.rotate_left(cell as u32 & 12)).rotate_left(16 * (cell as u32 & 3)))
        } else {
            Self::new(Board::of(W).shift(seen, cell / W, cell % W))
        }
    }
}

/// The four ways of moving a set to the left: the odd ones by one column, then the upper two by two.
#[inline(always)]
const fn spread(set: u16) -> u64 {
    let all = set as u64 * 0x0001_0001_0001_0001;
    let by_one = all >> 1 & 0x7777_7777_7777_7777 | all << 3 & 0x8888_8888_8888_8888;
    let all = all & 0x0000_FFFF_0000_FFFF | by_one & 0xFFFF_0000_FFFF_0000;
    let by_two = all >> 2 & 0x3333_3333_3333_3333 | all << 2 & 0xCCCC_CCCC_CCCC_CCCC;
    all & 0x0000_0000_FFFF_FFFF | by_two & 0xFFFF_FFFF_0000_0000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on<const W: usize>() {
        let board = Board::of(W);
        for set in 0..=board.all() {
            let frames = Frames::<W>::new(set);
            assert_eq!(frames.set(), set);
            for cell in 0..board.cells {
                let seen = board.shift(set, W - cell / W, W - cell % W);
                assert_eq!(frames.seen(cell), seen);
                assert_eq!(Frames::back(seen, cell), frames);
                assert_eq!(frames.without(cell), Frames::new(set & !(1 << cell)));
            }
        }
    }

    #[test]
    fn every_set_from_every_cell() {
        on::<3>();
        on::<4>();
    }
}
