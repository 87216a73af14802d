//! The fast rules.

use ludex_core::{Bounds, Game, Moves, Nature, Outcome, Side, Switch, Switches, Window};

use super::{Shape, Standard, Word, hints, lines};

/// Connect Four on a board of some shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connect4<S> {
    /// The size of the board.
    pub shape: S,
    pub(super) on: Switches,
}

impl<S: Shape> Connect4<S> {
    /// The game on a board of this shape.
    #[must_use]
    pub fn new(shape: S) -> Self {
        Self { shape, on: Switches::default() }
    }
}

impl Default for Connect4<Standard> {
    fn default() -> Self {
        Self::new(Standard)
    }
}

/// A position: the stones of the side to move, and all stones. Who is to move follows from their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board<W> {
    /// The stones of the side to move.
    pub own: W,
    /// The stones of both sides.
    pub all: W,
}

impl<W: Word> Board<W> {
    /// The stones of the side that has just moved.
    #[inline]
    #[must_use]
    pub fn other(&self) -> W {
        self.own ^ self.all
    }

    /// How many stones there are.
    #[inline]
    #[must_use]
    pub fn stones(&self) -> u32 {
        self.all.count()
    }

    /// The cells on which a stone can land.
    #[inline]
    #[must_use]
    pub fn landings<S: Shape<Word = W>>(&self, shape: S) -> W {
        self.all.plus(shape.bottom()) & shape.cells()
    }

    /// The position after a stone on one of the [`landings`](Board::landings).
    #[inline]
    #[must_use]
    pub fn with(&self, cell: W) -> Self {
        Self { own: self.other(), all: self.all | cell }
    }
}

/// A move: the column, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Column(pub u8);

impl<S: Shape> Game for Connect4<S> {
    type Position = Board<S::Word>;
    type Move = Column;
    type Key = S::Word;

    fn root(&self) -> Option<Self::Position> {
        Some(Board { own: S::Word::ZERO, all: S::Word::ZERO })
    }

    #[inline]
    fn side(&self, p: &Self::Position) -> Side {
        if p.stones().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    #[inline]
    fn outcome(&self, p: &Self::Position) -> Option<Outcome> {
        if lines::has_four(self.shape, p.other()) {
            Some(Outcome::Loss)
        } else if p.all == self.shape.cells() {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    fn each_move(&self, p: &Self::Position, mut f: impl FnMut(Column)) {
        let landings = p.landings(self.shape);
        for c in 0..self.shape.width() {
            if (landings & self.shape.column(c)).any() {
                f(Column(c as u8));
            }
        }
    }

    #[inline]
    fn play(&self, p: &Self::Position, m: Column) -> Self::Position {
        let c = u32::from(m.0);
        p.with(p.all.plus(self.shape.cell(c, 0)) & self.shape.column(c))
    }

    fn rank(&self, p: &Self::Position) -> u32 {
        p.stones()
    }

    fn max_plies(&self, p: &Self::Position) -> u32 {
        self.shape.cells().count() - p.stones()
    }

    /// In every column, the stones of the side to move plus all stones: with n stones the sum lies between 2ⁿ − 1 and
    /// 2ⁿ⁺¹ − 2, so it tells both the number and the colours. The lesser of this and its mirror image.
    #[inline]
    fn key(&self, p: &Self::Position) -> S::Word {
        let key = p.own.plus(p.all);
        key.min(self.shape.mirrored(key))
    }

    fn key_bits(&self) -> u32 {
        self.shape.width() * self.shape.stride()
    }

    fn look(&self, p: &Self::Position, window: Window, moves: &mut Moves<Column>) -> Bounds {
        self.hints(p, window, moves)
    }

    fn images(&self, p: &Self::Position) -> Vec<Self::Position> {
        let image = Board { own: self.shape.mirrored(p.own), all: self.shape.mirrored(p.all) };
        vec![*p, image]
    }

    fn switches(&self) -> &'static [Switch] {
        hints::SWITCHES
    }

    fn switched(&self) -> Switches {
        self.on
    }

    fn with_switches(self, on: Switches) -> Self {
        Self { on, ..self }
    }

    fn nature(&self) -> Nature {
        Nature { draws: true, forcing: false, deepen: false, odd_wins: true }
    }
}
