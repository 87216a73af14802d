//! The fast rules.

use std::sync::Arc;

use ludex_core::{Bounds, Game, Goal, Key, Moves, Nature, Outcome, Side, Switch, Switches, Window, Witness};

use super::{Rule, Shape, Symmetry, hints};
use crate::hypergraph::{Mask, Wide};

/// A mask together with the key of a board whose sides it holds.
///
/// A key is the cells of first, then those of second, then one bit for the side to move, without gaps: `2·m·n + 1`
/// bits. A cell in both sets is a wall (see [`Mnk::key`](Game::key)).
pub trait Board: Mask {
    /// The key.
    type Key: Key;

    /// Pack two sets of `cells` cells and the side to move.
    fn pack(first: Self, second: Self, side: Side, cells: usize) -> Self::Key;
}

impl Board for u64 {
    type Key = u128;

    #[inline]
    fn pack(first: Self, second: Self, side: Side, cells: usize) -> u128 {
        u128::from(first) | u128::from(second) << cells | (side.index() as u128) << (2 * cells)
    }
}

impl Board for u128 {
    type Key = [u64; 4];

    #[inline]
    fn pack(first: Self, second: Self, side: Side, cells: usize) -> [u64; 4] {
        words(first, second, side, cells)
    }
}

impl Board for Wide {
    type Key = [u64; 8];

    fn pack(first: Self, second: Self, side: Side, cells: usize) -> [u64; 8] {
        words(first, second, side, cells)
    }
}

#[inline]
fn words<M: Mask, const N: usize>(first: M, second: M, side: Side, cells: usize) -> [u64; N] {
    let mut words = std::array::from_fn(|i| first.word(i));
    let (skip, shift) = (cells / 64, cells % 64);
    for i in 0..=cells / 64 {
        let word = second.word(i);
        words[i + skip] |= word << shift;
        if shift > 0 && i + skip + 1 < N {
            words[i + skip + 1] |= word >> (64 - shift);
        }
    }
    words[2 * cells / 64] |= (side.index() as u64) << (2 * cells % 64);
    words
}

/// The stones on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stones<M> {
    /// First's, the crosses.
    pub first: M,
    /// Second's, the noughts.
    pub second: M,
}

impl<M: Mask> Stones<M> {
    /// Who is to move: first, whenever there are as many noughts as crosses.
    #[inline]
    #[must_use]
    pub fn side(&self) -> Side {
        if self.first.count() == self.second.count() { Side::First } else { Side::Second }
    }

    /// The stones of the side to move, and the others.
    #[inline]
    #[must_use]
    pub fn sides(&self) -> (M, M) {
        match self.side() {
            Side::First => (self.first, self.second),
            Side::Second => (self.second, self.first),
        }
    }
}

/// A move: a stone on this cell, numbered row by row from the bottom left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub u8);

/// What a key may disregard besides symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Merge {
    /// Nothing: positions are counted by it.
    Nothing,
    /// Whose a stone is that can be in no line any more: the rest of the game is the same, move by move.
    DeadStones,
    /// Also whether such a cell is empty: the outcome is the same.
    DeadCells,
}

/// An m,n,k-game on boards that fit a mask.
#[derive(Clone, Debug)]
pub struct Mnk<M> {
    pub(super) shape: Arc<Shape<M>>,
    pub(super) symmetry: Arc<Symmetry<M>>,
    pub(super) rule: Rule,
    pub(super) merge: Merge,
    pub(super) on: Switches,
}

impl<M: Board> Mnk<M> {
    /// The game of these sizes.
    ///
    /// # Panics
    /// If a size is 0 or the board has as many cells as the mask has bits, or more.
    #[must_use]
    pub fn new(m: usize, n: usize, k: usize, rule: Rule) -> Self {
        assert!(m > 0 && n > 0 && k > 0 && m * n < M::BITS, "{m},{n},{k} does not fit {} bits", M::BITS);
        Self {
            shape: Arc::new(Shape::new(m, n, k)),
            symmetry: Arc::new(Symmetry::new(m, n)),
            rule,
            merge: Merge::Nothing,
            on: Switches::default(),
        }
    }

    /// The board.
    #[must_use]
    pub fn shape(&self) -> &Shape<M> {
        &self.shape
    }

    /// What it means to complete a line.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The cells without a stone.
    #[inline]
    #[must_use]
    pub fn empty(&self, p: &Stones<M>) -> M {
        self.shape.board().minus(p.first | p.second)
    }

    /// The cells that lie in a line which a side can still complete: one without the other's stones. In the weak game
    /// that side can only be first.
    #[inline]
    #[must_use]
    pub fn live_cells(&self, p: &Stones<M>) -> M {
        let mut live = M::EMPTY;
        for &line in self.shape.lines().all() {
            if !line.meets(p.second) || self.rule != Rule::Weak && !line.meets(p.first) {
                live = live | line;
            }
        }
        live
    }
}

impl<M: Board> Game for Mnk<M> {
    type Position = Stones<M>;
    type Move = Cell;
    type Key = M::Key;

    const HEAVY: bool = true;

    fn root(&self) -> Option<Stones<M>> {
        Some(Stones { first: M::EMPTY, second: M::EMPTY })
    }

    #[inline]
    fn side(&self, p: &Stones<M>) -> Side {
        p.side()
    }

    #[inline]
    fn outcome(&self, p: &Stones<M>) -> Option<Outcome> {
        if self.rule == Rule::Weak {
            let maker = |outcome: Outcome| if p.side() == Side::First { outcome } else { outcome.flipped() };
            return if self.shape.has_line(p.first) {
                Some(maker(Outcome::Win))
            } else {
                (!self.shape.has_line(self.shape.board().minus(p.second))).then(|| maker(Outcome::Loss))
            };
        }
        let (_, theirs) = p.sides();
        if self.shape.has_line(theirs) {
            return Some(if self.rule == Rule::Strong { Outcome::Loss } else { Outcome::Win });
        }
        (p.first | p.second == self.shape.board()).then_some(Outcome::Draw)
    }

    #[inline]
    fn each_move(&self, p: &Stones<M>, mut f: impl FnMut(Cell)) {
        self.empty(p).cells().for_each(|cell| f(Cell(cell as u8)));
    }

    #[inline]
    fn play(&self, p: &Stones<M>, m: Cell) -> Stones<M> {
        let stone = M::bit(usize::from(m.0));
        match p.side() {
            Side::First => Stones { first: p.first | stone, ..*p },
            Side::Second => Stones { second: p.second | stone, ..*p },
        }
    }

    #[inline]
    fn rank(&self, p: &Stones<M>) -> u32 {
        (p.first | p.second).count()
    }

    #[inline]
    fn max_plies(&self, p: &Stones<M>) -> u32 {
        self.shape.cells() as u32 - self.rank(p)
    }

    /// The least image of the position. Prepared for a goal, cells that lie in no line a side can still complete
    /// become walls, which are nobody's: only stones where the number of plies is asked or a free move can matter
    /// (misère), empty cells too where it cannot.
    #[inline]
    fn key(&self, p: &Stones<M>) -> M::Key {
        let dead = match self.merge {
            _ if !self.on.on(hints::DEAD) => M::EMPTY,
            Merge::Nothing => M::EMPTY,
            Merge::DeadStones => (p.first | p.second).minus(self.live_cells(p)),
            Merge::DeadCells => self.shape.board().minus(self.live_cells(p)),
        };
        let (mut first, mut second) = (p.first | dead, p.second | dead);
        if self.on.on(hints::SYMMETRY) {
            (first, second) = self.symmetry.least(first, second);
        }
        M::pack(first, second, p.side(), self.shape.cells())
    }

    fn key_bits(&self) -> u32 {
        2 * self.shape.cells() as u32 + 1
    }

    fn for_goal(mut self, goal: Goal) -> Self {
        let outcome_only = goal == Goal::Wdl && self.rule != Rule::Misere;
        self.merge = if outcome_only { Merge::DeadCells } else { Merge::DeadStones };
        self
    }

    fn look(&self, p: &Stones<M>, window: Window, moves: &mut Moves<Cell>) -> Bounds {
        self.hints(p, window, moves)
    }

    fn witness(&self, p: &Stones<M>, side: Side, win: bool) -> Option<Witness<Cell>> {
        self.reason(p, side, win)
    }

    fn images(&self, p: &Stones<M>) -> Vec<Stones<M>> {
        if !self.on.on(hints::SYMMETRY) {
            return vec![*p];
        }
        self.symmetry.pairs(p.first, p.second).map(|(first, second)| Stones { first, second }).collect()
    }

    fn switches(&self) -> &'static [Switch] {
        hints::SWITCHES
    }

    fn switched(&self) -> Switches {
        self.on
    }

    fn with_switches(mut self, on: Switches) -> Self {
        self.on = on;
        self
    }

    fn nature(&self) -> Nature {
        Nature {
            draws: self.rule != Rule::Weak,
            forcing: true,
            deepen: true,
            odd_wins: self.rule != Rule::Misere,
        }
    }
}
