//! Symmetries of the torus: 384 for 4x4 cards, 72 for 3x3.
//!
//! The torus of 4x4 is the hypercube Q4: number rows and columns by the Gray code 0, 1, 3, 2 and take cell (r, c) as
//! the four bits of gray(r), gray(c); neighbours then differ in one bit. Its automorphisms are the 16 XORs with a
//! constant followed by the 24 permutations of the bits, and not only the 128 that a picture of the torus suggests.
//! On 3x3 every row (and column) is next to every other, so rows and columns may be permuted at will and exchanged:
//! 6 · 6 · 2. Either group takes any cell to any other.

use std::sync::LazyLock;

use ludex_core::Side;

use super::{Collapsi, Position, board::Board, position::JOKER};

/// A symmetry: where each cell goes.
pub type Symmetry = [u8; 16];

static SMALL: LazyLock<Vec<Symmetry>> = LazyLock::new(|| group(3));
static LARGE: LazyLock<Vec<Symmetry>> = LazyLock::new(|| group(4));
static SMALL_FROM: LazyLock<Vec<Vec<Symmetry>>> = LazyLock::new(|| homewards(Board::of(3)));
static LARGE_FROM: LazyLock<Vec<Vec<Symmetry>>> = LazyLock::new(|| homewards(Board::of(4)));

/// The symmetries of a board, the identity first.
#[must_use]
pub fn symmetries(board: &Board) -> &'static [Symmetry] {
    if board.width == 3 { &SMALL } else { &LARGE }
}

/// The symmetries that take a cell to cell 0.
pub(super) fn home(board: &Board, cell: usize) -> &'static [Symmetry] {
    if board.width == 3 { &SMALL_FROM[cell] } else { &LARGE_FROM[cell] }
}

fn homewards(board: &Board) -> Vec<Vec<Symmetry>> {
    let all = symmetries(board);
    (0..board.cells).map(|cell| all.iter().filter(|s| s[cell] == 0).copied().collect()).collect()
}

fn group(width: usize) -> Vec<Symmetry> {
    let mut group = Vec::new();
    if width == 3 {
        let orders = orders(3);
        for rows in &orders {
            for columns in &orders {
                for exchange in [false, true] {
                    group.push(std::array::from_fn(|cell| {
                        let (r, c) = (cell / 3, cell % 3);
                        if r > 2 {
                            return cell as u8;
                        }
                        let (r, c) = (rows[r], columns[c]);
                        if exchange { c * 3 + r } else { r * 3 + c }
                    }));
                }
            }
        }
    } else {
        const GRAY: [u8; 4] = [0, 1, 3, 2];
        let vertex = |cell: u8| GRAY[usize::from(cell >> 2)] << 2 | GRAY[usize::from(cell & 3)];
        // The Gray code of two bits undoes itself.
        for constant in 0..16 {
            for order in orders(4) {
                group.push(std::array::from_fn(|cell| {
                    let moved = vertex(cell as u8) ^ constant;
                    vertex((0..4).fold(0, |v, bit| v | (moved >> bit & 1) << order[bit]))
                }));
            }
        }
    }
    group
}

/// All orders of 0 … n − 1, the ascending one first.
fn orders(n: u8) -> Vec<Vec<u8>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let shorter = orders(n - 1);
    let mut all = Vec::new();
    for place in (0..n).rev() {
        for order in &shorter {
            let mut order = order.clone();
            order.insert(usize::from(place), n - 1);
            all.push(order);
        }
    }
    all
}

/// The image of a position.
#[must_use]
pub fn image(p: &Position, s: &Symmetry) -> Position {
    let mut q = Position { cards: 0, open: 0, pawns: p.pawns.map(|c| s[usize::from(c)]), side: p.side };
    let mut open = p.open;
    while open != 0 {
        let cell = open.trailing_zeros() as usize;
        open &= open - 1;
        q.cards |= u64::from(p.card(cell)) << (3 * s[cell]);
        q.open |= 1 << s[cell];
    }
    q
}

/// All images of a position.
pub(super) fn images(game: &Collapsi, p: &Position) -> Vec<Position> {
    symmetries(game.board).iter().map(|s| image(p, s)).collect()
}

/// The least key of all images, start cards that are not wild taken as aces: with the pawn of the side to move on
/// cell 0, which leaves one symmetry in sixteen (or nine) to try. It is the plain key of that image.
pub(super) fn canonical(game: &Collapsi, p: &Position) -> u64 {
    let mut p = *p;
    if !game.wild {
        for cell in 0..game.board.cells {
            if p.card(cell) == JOKER {
                p.cards ^= u64::from(JOKER ^ 1) << (3 * cell);
            }
        }
    }
    let mover = p.mine()[0];
    let side = (p.side.index() as u64) << 56;
    let other = usize::from(p.pawns[usize::from(p.side == Side::First)]);
    let place = if p.side == Side::First { 52 } else { 48 };
    home(game.board, mover)
        .iter()
        .map(|s| image(&p, s).cards | u64::from(s[other]) << place)
        .min()
        .map_or(0, |least| least | side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_symmetry_keeps_neighbours() {
        for (width, size) in [(3, 72), (4, 384)] {
            let board = Board::of(width);
            let group = symmetries(board);
            assert_eq!(group.iter().collect::<HashSet<_>>().len(), size);
            assert!((0..board.cells).all(|c| usize::from(group[0][c]) == c), "the identity is first");
            for s in group {
                for cell in 0..board.cells {
                    let mut there = board.neighbours(cell).map(|n| usize::from(s[n]));
                    let mut here = board.neighbours(usize::from(s[cell]));
                    there.sort_unstable();
                    here.sort_unstable();
                    assert_eq!(there, here);
                }
            }
            for cell in 0..board.cells {
                assert_eq!(home(board, cell).len(), size / board.cells);
            }
        }
    }
}
