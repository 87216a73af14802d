//! The fast rules, on masks of cells.
//!
//! ```text
//! bit 4c + r is the cell in row r, column c:
//!   0  4  8 12 …
//!   1  5  9 13 …
//!   2  6 10 14 …
//!   3  7 11 15 …
//! ```
//!
//! A tile is one type for each width of its sets of cells ([`TileMask`]): one word up to 15 columns, which two words would
//! make slower, and two words for more.

use std::sync::Arc;

use ludex_core::{
    Bounds, Error, Game, Goal, Moves, Nature, Outcome, Side, Switch, Switches, Window, Witness,
};

use super::{EdgeSet, Histogram, Potential, TileMask, hints, isomorphy::Places, symmetry::Symmetry};
use crate::hypergraph::{
    Mask,
    weak::{self, Weak},
};

/// The least number of columns: the diagonals need four.
pub const MIN_COLUMNS: usize = 4;
/// The greatest number of columns: a key of four words has the cells of both and the side to move.
pub const MAX_COLUMNS: usize = u128::COLUMNS;

/// The game on a board with its lines. Maker is [`Side::First`], whoever moves first.
#[derive(Clone, Debug)]
pub struct Tile<M> {
    columns: usize,
    edges: EdgeSet,
    first: Side,
    start: Option<Board<M>>,
    lines: Arc<[M]>,
    symmetries: Arc<[Symmetry]>,
    pub(super) places: Arc<Places<M>>,
    pub(super) weak: Weak<M>,
    pub(super) alpha: f32,
    pub(super) beta: f32,
    pub(super) outcome_only: bool,
    pub(super) switches: Switches,
}

/// The game on at most 15 columns.
pub type Seven = Tile<u64>;

/// The game on at most 31 columns.
pub type WideSeven = Tile<u128>;

/// A position: the cells of both, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board<M = u64> {
    /// Maker's cells.
    pub maker: M,
    /// Breaker's cells.
    pub breaker: M,
    /// Who is to move; Maker is first.
    pub side: Side,
}

/// A cell of the board. A move takes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The cell in a row and a column, counted from 0.
    #[must_use]
    pub const fn at(row: u8, column: u8) -> Self {
        Self(4 * column + row)
    }

    /// The cell of a bit of a mask.
    #[must_use]
    pub const fn of_bit(bit: u32) -> Self {
        Self(bit as u8)
    }

    /// Its bit in a mask.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its row.
    #[must_use]
    pub const fn row(self) -> u8 {
        self.0 % 4
    }

    /// Its column.
    #[must_use]
    pub const fn column(self) -> u8 {
        self.0 / 4
    }

    /// The set of this cell alone.
    #[inline]
    #[must_use]
    pub fn mask<M: Mask>(self) -> M {
        M::bit(self.index())
    }
}

impl<M: TileMask> Tile<M> {
    /// The game on so many columns, Maker first.
    ///
    /// # Errors
    /// If there are fewer than four columns or more than fit into a mask.
    pub fn new(columns: usize, edges: EdgeSet) -> Result<Self, Error> {
        if !(MIN_COLUMNS..=M::COLUMNS).contains(&columns) {
            return Err(Error::spec(
                format!("the number of columns cannot be {columns}"),
                format!("it is a number from {MIN_COLUMNS} to {}", M::COLUMNS),
            ));
        }
        let lines: Vec<M> = edges.lines(columns);
        let symmetries = Symmetry::of(columns, &lines);
        Ok(Self {
            columns,
            edges,
            first: Side::First,
            start: None,
            weak: Weak::new(4 * columns, &lines),
            alpha: hints::ALPHA,
            beta: hints::BETA,
            outcome_only: false,
            switches: Switches::default(),
            lines: lines.into(),
            symmetries: symmetries.into(),
            places: Arc::default(),
        })
    }

    /// The same game with another side to begin.
    #[must_use]
    pub fn with_first(self, first: Side) -> Self {
        Self { first, ..self }
    }

    /// The same game from another position on.
    #[must_use]
    pub fn with_start(self, start: Board<M>) -> Self {
        Self { start: (start != self.empty()).then_some(start), ..self }
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Which lines there are.
    #[must_use]
    pub fn edges(&self) -> EdgeSet {
        self.edges
    }

    /// Who begins on the empty board.
    #[must_use]
    pub fn first(&self) -> Side {
        self.first
    }

    /// All lines.
    #[must_use]
    pub fn lines(&self) -> &[M] {
        &self.lines
    }

    /// The same game with other weights for the guess of the work (see [`Game::effort`]): the work to show that Breaker
    /// wins is α^potential, that Maker wins 1 + β · (the chance that Breaker does). They guide a search and change no
    /// answer.
    #[must_use]
    pub fn with_guess(self, alpha: f32, beta: f32) -> Self {
        Self { alpha, beta, ..self }
    }

    /// Where the game begins.
    #[must_use]
    pub fn start(&self) -> Board<M> {
        self.start.unwrap_or(self.empty())
    }

    /// The board without stones.
    #[must_use]
    pub fn empty(&self) -> Board<M> {
        Board { maker: M::EMPTY, breaker: M::EMPTY, side: self.first }
    }

    /// All cells.
    #[must_use]
    pub fn all(&self) -> M {
        M::below(4 * self.columns)
    }

    /// The cells that nobody has.
    #[must_use]
    pub fn free(&self, p: &Board<M>) -> M {
        self.all().minus(p.maker | p.breaker)
    }

    /// How many lines without a cell of Breaker have how many cells left to take.
    #[must_use]
    pub fn histogram(&self, p: &Board<M>) -> Histogram {
        Histogram::of(self.lines.iter().filter(|line| !line.meets(p.breaker)).map(|line| line.minus(p.maker)))
    }

    /// The sum of 2^−(l−1) over those lines, l being the cells left to take.
    #[must_use]
    pub fn potential(&self, p: &Board<M>) -> Potential {
        self.histogram(p).potential()
    }

    /// A line that is all Maker's.
    #[must_use]
    pub fn complete_line(&self, p: &Board<M>) -> Option<M> {
        self.lines.iter().copied().find(|line| line.within(p.maker))
    }
}

impl<M: TileMask> Game for Tile<M> {
    type Position = Board<M>;
    type Move = Cell;
    type Key = M::Key;

    fn root(&self) -> Option<Board<M>> {
        Some(self.start())
    }

    fn side(&self, p: &Board<M>) -> Side {
        p.side
    }

    fn outcome(&self, p: &Board<M>) -> Option<Outcome> {
        let mut live = false;
        for line in self.lines.iter() {
            if !line.meets(p.breaker) {
                if line.within(p.maker) {
                    return Some(if p.side == Side::First { Outcome::Win } else { Outcome::Loss });
                }
                live = true;
            }
        }
        (!live).then_some(if p.side == Side::First { Outcome::Loss } else { Outcome::Win })
    }

    fn each_move(&self, p: &Board<M>, f: impl FnMut(Cell)) {
        self.free(p).cells().map(|bit| Cell(bit as u8)).for_each(f);
    }

    fn play(&self, p: &Board<M>, m: Cell) -> Board<M> {
        let (maker, breaker) = match p.side {
            Side::First => (p.maker | m.mask(), p.breaker),
            Side::Second => (p.maker, p.breaker | m.mask()),
        };
        Board { maker, breaker, side: p.side.other() }
    }

    fn rank(&self, p: &Board<M>) -> u32 {
        (p.maker | p.breaker).count()
    }

    fn max_plies(&self, p: &Board<M>) -> u32 {
        if self.outcome(p).is_some() { 0 } else { self.free(p).count() }
    }

    fn key(&self, p: &Board<M>) -> M::Key {
        // Cells in no live line are not told apart there, so they must not be played either.
        if self.outcome_only && self.switches.on(hints::ISOMORPHY) && self.switches.on(weak::DEAD) {
            let (maker, breaker) = self.canonical(p);
            return M::key(maker, breaker, p.side);
        }
        let (mut maker, mut breaker) = (p.maker, p.breaker);
        if !self.switches.on(hints::MIRROR) {
            return M::key(maker, breaker, p.side);
        }
        for symmetry in &self.symmetries[1..] {
            let image = (symmetry.image(p.maker, self.columns), symmetry.image(p.breaker, self.columns));
            (maker, breaker) = image.min((maker, breaker));
        }
        M::key(maker, breaker, p.side)
    }

    fn key_bits(&self) -> u32 {
        M::KEY_BITS
    }

    fn images(&self, p: &Board<M>) -> Vec<Board<M>> {
        if !self.switches.on(hints::MIRROR) {
            return vec![*p];
        }
        self.symmetries
            .iter()
            .map(|s| Board {
                maker: s.image(p.maker, self.columns),
                breaker: s.image(p.breaker, self.columns),
                ..*p
            })
            .collect()
    }

    fn look(&self, p: &Board<M>, window: Window, moves: &mut Moves<Cell>) -> Bounds {
        self.hints(p, window, moves)
    }

    fn witness(&self, p: &Board<M>, side: Side, _: bool) -> Option<Witness<Cell>> {
        self.reason(p, side)
    }

    fn for_goal(self, goal: Goal) -> Self {
        Self { outcome_only: goal == Goal::Wdl, ..self }
    }

    fn step(&self, p: &Board<M>, m: Cell) -> Board<M> {
        if self.outcome_only { self.simple(p, m) } else { self.play(p, m) }
    }

    fn effort(&self, p: &Board<M>, window: Window) -> (f32, f32) {
        let _ = window;
        self.guess(p)
    }

    fn switches(&self) -> &'static [Switch] {
        hints::SWITCHES
    }

    fn switched(&self) -> Switches {
        self.switches
    }

    fn with_switches(self, on: Switches) -> Self {
        let mut game = Self { switches: on, ..self };
        game.weak.on = on;
        game
    }

    fn nature(&self) -> Nature {
        Nature { draws: false, forcing: true, deepen: false, odd_wins: false }
    }
}
