//! Domineering: a game from outside the Ludex repository.
//!
//! The rules and the notation are all that has to be written. `main.rs` turns them into a program that solves, plays, serves
//! and tabulates the game; `reference.rs`, the rules once more and naively, lets the conformance kit check them.
pub mod reference;

use ludex::prelude::*;

/// Players place dominoes, the first upright, the second lying; who cannot loses.
#[derive(Clone, Debug)]
pub struct Domineering {
    /// How many rows there are.
    pub rows: usize,
    /// How many columns there are.
    pub columns: usize,
}

/// The squares that each side has covered, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    taken: [u64; 2],
    side: Side,
}

/// Its upper or left cell, its lower or right cell.
pub type Domino = (usize, usize);

impl Game for Domineering {
    type Position = Board;
    type Move = Domino;
    type Key = [u64; 2];

    fn root(&self) -> Option<Board> {
        Some(Board { taken: [0; 2], side: Side::First })
    }
    fn side(&self, p: &Board) -> Side {
        p.side
    }
    fn outcome(&self, p: &Board) -> Option<Outcome> {
        self.dominoes(p).next().is_none().then_some(Outcome::Loss)
    }
    fn each_move(&self, p: &Board, f: impl FnMut(Domino)) {
        self.dominoes(p).for_each(f);
    }
    fn play(&self, p: &Board, (a, b): Domino) -> Board {
        let mut taken = p.taken;
        taken[p.side.index()] |= 1 << a | 1 << b;
        Board { taken, side: p.side.other() }
    }
    fn rank(&self, p: &Board) -> u32 {
        (p.taken[0] | p.taken[1]).count_ones()
    }
    fn max_plies(&self, p: &Board) -> u32 {
        ((self.rows * self.columns) as u32 - self.rank(p)) / 2
    }
    fn key(&self, p: &Board) -> [u64; 2] {
        [p.taken[0] | p.taken[1], p.side.index() as u64]
    }
}

impl Domineering {
    fn dominoes(&self, p: &Board) -> impl Iterator<Item = Domino> {
        let (size, columns, upright) = (self.rows * self.columns, self.columns, p.side == Side::First);
        let free = move |cell: usize, taken: u64| cell < size && taken >> cell & 1 == 0;
        let taken = p.taken[0] | p.taken[1];
        (0..size)
            .map(move |a| (a, if upright { a + columns } else { a + 1 }))
            .filter(move |&(a, b)| (upright || b % columns != 0) && free(a, taken) && free(b, taken))
    }
}

impl Notation for Domineering {
    fn spec(&self) -> String {
        format!("domineering:{}x{}", self.rows, self.columns)
    }
    fn title(&self) -> String {
        format!("Domineering {}x{}", self.rows, self.columns)
    }
    fn grid(&self, p: &Board) -> Option<Grid> {
        Some(Grid::of_masks(self.rows, self.columns, &[('x', p.taken[0]), ('o', p.taken[1])]))
    }
    fn read_grid(&self, grid: &Grid, side: Option<Side>) -> Result<Board, Error> {
        let turn = if grid.count('x') > grid.count('o') { Side::Second } else { Side::First };
        Ok(Board { taken: [grid.mask('x'), grid.mask('o')], side: side.unwrap_or(turn) })
    }
    fn touched(&self, (a, b): Domino) -> Vec<(usize, usize)> {
        [a, b].map(|cell| (cell / self.columns, cell % self.columns)).into()
    }
    fn sets_up_freely(&self) -> bool {
        true
    }
}

/// What is known of the game before a spec is read.
pub const FAMILY: Family = Family {
    name: "domineering",
    title: "Domineering",
    about: "Dominoes on squares, First upright, Second flat; the side that cannot place one loses.",
    usage: "domineering:RxC (R rows, C columns, at most 64 squares)",
    examples: &["domineering:4x4", "domineering:6x6"],
    small: &["domineering:2x3", "domineering:3x3"],
    ..Family::NEW
};

/// Make the game of a spec.
///
/// # Errors
/// If there is no such board.
pub fn of_spec(spec: &Spec) -> Result<Domineering, Error> {
    spec.only(1, &[], FAMILY.usage)?;
    let (rows, columns) = spec.size(0, FAMILY.usage)?.unwrap_or((4, 4));
    if rows == 0 || columns == 0 || rows > 64 || columns > 64 || rows * columns > 64 {
        return Err(Error::spec(format!("there is no board of {rows}x{columns}"), FAMILY.usage));
    }
    Ok(Domineering { rows, columns })
}
