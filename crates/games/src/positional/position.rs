//! The fast rules, on masks of cells.

use std::sync::Arc;

use ludex_core::{Bounds, Game, Goal, Moves, Nature, Outcome, Side, Switch, Switches, Window, Witness};

use super::{Sheet, hints};
use crate::hypergraph::{Lines, Mask, weak::Weak};

/// A positional game on a mask type, with keys of `W` words: two masks and the ply.
#[derive(Clone, Debug)]
pub struct Positional<M, const W: usize> {
    pub(super) sheet: Arc<Sheet>,
    pub(super) name: Arc<str>,
    pub(super) black: Arc<Lines<M>>,
    pub(super) white: Arc<Lines<M>>,
    pub(super) start: Stones<M>,
    first: Option<M>,
    pub(super) outcome_only: bool,
    pub(super) weak: Weak<M>,
}

/// A position: the stones and the number of plies played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stones<M> {
    /// Black's cells.
    pub black: M,
    /// White's cells.
    pub white: M,
    /// Plies played.
    pub ply: u16,
}

/// A cell, by its place in `#positions`. A move takes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub u16);

fn mask<M: Mask>(cells: &[usize]) -> M {
    cells.iter().fold(M::EMPTY, |m, &c| m | M::bit(c))
}

impl<M: Mask, const W: usize> Positional<M, W> {
    /// The game of a sheet, under a name for its spec.
    #[must_use]
    pub fn new(sheet: &Sheet, name: &str) -> Self {
        let lines = |sets: &[Vec<usize>]| {
            Arc::new(Lines::new(sheet.cells.len(), sets.iter().map(|set| mask(set)).collect()))
        };
        let black: Arc<Lines<M>> = lines(&sheet.black_wins);
        Self {
            weak: Weak::new(sheet.cells.len(), black.all()),
            black,
            white: lines(&sheet.white_wins),
            start: Stones { black: mask(&sheet.black), white: mask(&sheet.white), ply: 0 },
            first: sheet.first.as_ref().map(|cells| mask(cells)),
            outcome_only: false,
            name: name.into(),
            sheet: Arc::new(sheet.clone()),
        }
    }

    /// Whether White only has to prevent.
    #[must_use]
    pub fn is_maker_breaker(&self) -> bool {
        self.white.all().is_empty()
    }

    /// The cells that can be taken.
    pub(super) fn free(&self, p: &Stones<M>) -> M {
        let free = M::below(self.sheet.cells.len()).minus(p.black | p.white);
        match self.first {
            Some(first) if p.ply == 0 => free & first,
            _ => free,
        }
    }

    /// Whose turn a ply is; after the last one it would be the other's.
    pub(super) fn turn(&self, ply: u16) -> Side {
        let turns = &self.sheet.black_turn;
        let black = match turns.get(usize::from(ply)) {
            Some(&black) => black,
            None => !turns.last().copied().unwrap_or(false),
        };
        if black { Side::First } else { Side::Second }
    }

    pub(super) fn plies_left(&self, p: &Stones<M>) -> usize {
        self.sheet.times.len() - usize::from(p.ply)
    }

    /// Whether these stones, one or more besides those of the start, can have come about. Fewer stones never end a
    /// game that more do not end: if one of the last mover's can have been the last, the others can all have come before.
    pub(super) fn can_follow(&self, p: &Stones<M>) -> bool {
        let new = |p: &Stones<M>, side| match side {
            Side::First => p.black.minus(self.start.black),
            Side::Second => p.white.minus(self.start.white),
        };
        let begun = |p: &Stones<M>| match self.first {
            Some(first) if p.ply > 0 => new(p, self.turn(0)).meets(first),
            _ => true,
        };
        let side = self.turn(p.ply - 1);
        let before = |stone: M| match side {
            Side::First => Stones { black: p.black.minus(stone), ply: p.ply - 1, ..*p },
            Side::Second => Stones { white: p.white.minus(stone), ply: p.ply - 1, ..*p },
        };
        begun(p)
            && new(p, side)
                .cells()
                .map(|cell| before(M::bit(cell)))
                .any(|p| begun(&p) && self.winner(&p).is_none())
    }

    /// Who has won, `None` while the game goes on, `Some(None)` for nobody.
    fn winner(&self, p: &Stones<M>) -> Option<Option<Side>> {
        if self.black.owned_by(p.black).is_some() {
            return Some(Some(Side::First));
        }
        if self.white.owned_by(p.white).is_some() {
            return Some(Some(Side::Second));
        }
        let over = self.plies_left(p) == 0 || self.free(p).is_empty();
        if self.is_maker_breaker() {
            let broken = over || self.black.all().iter().all(|set| set.meets(p.white));
            return broken.then_some(Some(Side::Second));
        }
        over.then_some(None)
    }
}

impl<M: Mask, const W: usize> Game for Positional<M, W> {
    type Position = Stones<M>;
    type Move = Cell;
    type Key = [u64; W];

    const ALTERNATES: bool = false;

    fn root(&self) -> Option<Stones<M>> {
        Some(self.start)
    }

    fn side(&self, p: &Stones<M>) -> Side {
        self.turn(p.ply)
    }

    fn outcome(&self, p: &Stones<M>) -> Option<Outcome> {
        Some(match self.winner(p)? {
            None => Outcome::Draw,
            Some(side) if side == self.side(p) => Outcome::Win,
            Some(_) => Outcome::Loss,
        })
    }

    fn each_move(&self, p: &Stones<M>, f: impl FnMut(Cell)) {
        self.free(p).cells().map(|c| Cell(c as u16)).for_each(f);
    }

    fn play(&self, p: &Stones<M>, m: Cell) -> Stones<M> {
        let bit = M::bit(usize::from(m.0));
        let (black, white) = match self.side(p) {
            Side::First => (p.black | bit, p.white),
            Side::Second => (p.black, p.white | bit),
        };
        Stones { black, white, ply: p.ply + 1 }
    }

    fn rank(&self, p: &Stones<M>) -> u32 {
        u32::from(p.ply)
    }

    fn max_plies(&self, p: &Stones<M>) -> u32 {
        if self.winner(p).is_some() { 0 } else { self.plies_left(p) as u32 }
    }

    fn key(&self, p: &Stones<M>) -> [u64; W] {
        let words = (W - 1) / 2;
        let mut key =
            std::array::from_fn(|i| if i < words { p.black.word(i) } else { p.white.word(i - words) });
        key[W - 1] = u64::from(p.ply);
        key
    }

    fn look(&self, p: &Stones<M>, window: Window, moves: &mut Moves<Cell>) -> Bounds {
        self.hints(p, window, moves)
    }

    fn witness(&self, p: &Stones<M>, side: Side, _: bool) -> Option<Witness<Cell>> {
        self.reason(p, side)
    }

    fn for_goal(self, goal: Goal) -> Self {
        Self { outcome_only: goal == Goal::Wdl, ..self }
    }

    fn step(&self, p: &Stones<M>, m: Cell) -> Stones<M> {
        self.simple(p, m)
    }

    fn effort(&self, p: &Stones<M>, window: Window) -> (f32, f32) {
        let _ = window;
        self.guess(p)
    }

    fn switches(&self) -> &'static [Switch] {
        hints::SWITCHES
    }

    fn switched(&self) -> Switches {
        self.weak.on
    }

    fn with_switches(mut self, on: Switches) -> Self {
        self.weak.on = on;
        self
    }

    fn nature(&self) -> Nature {
        Nature { draws: !self.is_maker_breaker(), forcing: self.is_maker_breaker(), ..Nature::default() }
    }
}
