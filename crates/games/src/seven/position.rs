//! The fast rules, on masks of cells.
//!
//! ```text
//! bit 4c + r is the cell in row r, column c:
//!   0  4  8 12 …
//!   1  5  9 13 …
//!   2  6 10 14 …
//!   3  7 11 15 …
//! ```

use std::sync::Arc;

use ludex_core::{
    Bounds, Error, Game, Goal, Moves, Nature, Outcome, Side, Switch, Switches, Window, Witness,
};

use super::{EdgeSet, Histogram, Line, Potential, hints, isomorphy::Places, symmetry::Symmetry};
use crate::hypergraph::weak::{self, Weak};

/// The least number of columns: the diagonals need four.
pub const MIN_COLUMNS: usize = 4;
/// The greatest number of columns: two masks of 60 cells and the side to move make a key of two words.
pub const MAX_COLUMNS: usize = 15;

/// The game on a board with its lines. Maker is [`Side::First`], whoever moves first.
#[derive(Clone, Debug)]
pub struct Seven {
    columns: usize,
    edges: EdgeSet,
    first: Side,
    start: Option<Board>,
    lines: Arc<[Line]>,
    symmetries: Arc<[Symmetry]>,
    pub(super) places: Arc<Places>,
    pub(super) weak: Weak<Line>,
    pub(super) alpha: f32,
    pub(super) beta: f32,
    pub(super) outcome_only: bool,
    pub(super) switches: Switches,
}

/// A position: the cells of both, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// Maker's cells.
    pub maker: u64,
    /// Breaker's cells.
    pub breaker: u64,
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
    #[must_use]
    pub const fn mask(self) -> u64 {
        1 << self.0
    }
}

impl Seven {
    /// The game on so many columns, Maker first.
    ///
    /// # Errors
    /// If there are fewer than four columns or more than fit into a mask.
    pub fn new(columns: usize, edges: EdgeSet) -> Result<Self, Error> {
        if !(MIN_COLUMNS..=MAX_COLUMNS).contains(&columns) {
            return Err(Error::spec(
                format!("the number of columns cannot be {columns}"),
                format!("it is a number from {MIN_COLUMNS} to {MAX_COLUMNS}"),
            ));
        }
        let lines = edges.lines(columns);
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
    pub fn with_start(self, start: Board) -> Self {
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
    pub fn lines(&self) -> &[Line] {
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
    pub fn start(&self) -> Board {
        self.start.unwrap_or(self.empty())
    }

    /// The board without stones.
    #[must_use]
    pub fn empty(&self) -> Board {
        Board { maker: 0, breaker: 0, side: self.first }
    }

    /// All cells.
    #[must_use]
    pub fn all(&self) -> u64 {
        u64::MAX >> (64 - 4 * self.columns)
    }

    /// The cells that nobody has.
    #[must_use]
    pub fn free(&self, p: &Board) -> u64 {
        self.all() & !(p.maker | p.breaker)
    }

    /// How many lines without a cell of Breaker have how many cells left to take.
    #[must_use]
    pub fn histogram(&self, p: &Board) -> Histogram {
        Histogram::of(self.lines.iter().filter(|&line| line & p.breaker == 0).map(|line| line & !p.maker))
    }

    /// The sum of 2^−(l−1) over those lines, l being the cells left to take.
    #[must_use]
    pub fn potential(&self, p: &Board) -> Potential {
        self.histogram(p).potential()
    }

    /// A line that is all Maker's.
    #[must_use]
    pub fn complete_line(&self, p: &Board) -> Option<Line> {
        self.lines.iter().copied().find(|line| line & !p.maker == 0)
    }
}

impl Game for Seven {
    type Position = Board;
    type Move = Cell;
    type Key = u128;

    fn root(&self) -> Option<Board> {
        Some(self.start())
    }

    fn side(&self, p: &Board) -> Side {
        p.side
    }

    fn outcome(&self, p: &Board) -> Option<Outcome> {
        let mut live = false;
        for line in self.lines.iter() {
            if line & p.breaker == 0 {
                if line & !p.maker == 0 {
                    return Some(if p.side == Side::First { Outcome::Win } else { Outcome::Loss });
                }
                live = true;
            }
        }
        (!live).then_some(if p.side == Side::First { Outcome::Loss } else { Outcome::Win })
    }

    fn each_move(&self, p: &Board, mut f: impl FnMut(Cell)) {
        let mut free = self.free(p);
        while free != 0 {
            f(Cell(free.trailing_zeros() as u8));
            free &= free - 1;
        }
    }

    fn play(&self, p: &Board, m: Cell) -> Board {
        let (maker, breaker) = match p.side {
            Side::First => (p.maker | m.mask(), p.breaker),
            Side::Second => (p.maker, p.breaker | m.mask()),
        };
        Board { maker, breaker, side: p.side.other() }
    }

    fn rank(&self, p: &Board) -> u32 {
        (p.maker | p.breaker).count_ones()
    }

    fn max_plies(&self, p: &Board) -> u32 {
        if self.outcome(p).is_some() { 0 } else { self.free(p).count_ones() }
    }

    fn key(&self, p: &Board) -> u128 {
        // Cells in no live line are not told apart there, so they must not be played either.
        if self.outcome_only && self.switches.on(hints::ISOMORPHY) && self.switches.on(weak::DEAD) {
            let (maker, breaker) = self.canonical(p);
            return key_of(maker, breaker, p.side);
        }
        let (mut maker, mut breaker) = (p.maker, p.breaker);
        if !self.switches.on(hints::MIRROR) {
            return key_of(maker, breaker, p.side);
        }
        for symmetry in &self.symmetries[1..] {
            let image = (symmetry.image(p.maker, self.columns), symmetry.image(p.breaker, self.columns));
            (maker, breaker) = image.min((maker, breaker));
        }
        key_of(maker, breaker, p.side)
    }

    fn key_bits(&self) -> u32 {
        121
    }

    fn images(&self, p: &Board) -> Vec<Board> {
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

    fn look(&self, p: &Board, window: Window, moves: &mut Moves<Cell>) -> Bounds {
        self.hints(p, window, moves)
    }

    fn witness(&self, p: &Board, side: Side, _: bool) -> Option<Witness<Cell>> {
        self.reason(p, side)
    }

    fn for_goal(self, goal: Goal) -> Self {
        Self { outcome_only: goal == Goal::Wdl, ..self }
    }

    fn step(&self, p: &Board, m: Cell) -> Board {
        if self.outcome_only { self.simple(p, m) } else { self.play(p, m) }
    }

    fn effort(&self, p: &Board, window: Window) -> (f32, f32) {
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

/// Both masks and the side to move, in 60 bits each and one.
fn key_of(maker: u64, breaker: u64, side: Side) -> u128 {
    u128::from(maker) | u128::from(breaker) << 60 | (side.index() as u128) << 120
}
