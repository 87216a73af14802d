//! What the game knows without search. Maker–Breaker games that alternate have the engine of
//! [`weak`](crate::hypergraph::weak); the others see wins in one and what must be stopped at once.

use ludex_core::{Bounds, Game, Moves, Side, Switch, Value, Window, Witness};

use super::{Cell, Positional, Stones};
use crate::hypergraph::{
    Mask,
    residual::ONE,
    weak::{self, Stage},
};

/// The rules that can be switched off, those of the engine.
pub(super) const SWITCHES: &[Switch] = weak::SWITCHES;

/// The base of the guess: the work to show that White prevents it grows as this to the potential.
const ALPHA: f32 = 20.0;

impl<M: Mask, const W: usize> Positional<M, W> {
    /// The position for the Maker–Breaker engine, if it applies: only the outcome is asked, White has no sets, and from
    /// here on the sides take turns.
    fn stage(&self, p: &Stones<M>) -> Option<Stage<M>> {
        let turns = &self.sheet.black_turn[usize::from(p.ply)..];
        let applies = self.outcome_only && self.is_maker_breaker() && turns.windows(2).all(|t| t[0] != t[1]);
        if !applies || p.ply == 0 && self.sheet.first.is_some() {
            return None;
        }
        let bounded = turns.len() < self.free(p).count() as usize;
        let left = if bounded { turns.iter().filter(|b| **b).count() as u32 } else { u32::MAX };
        Some(Stage { maker: p.black, breaker: p.white, maker_to_move: self.side(p) == Side::First, left })
    }

    pub(super) fn hints(&self, p: &Stones<M>, window: Window, moves: &mut Moves<Cell>) -> Bounds {
        moves.clear();
        let Some(stage) = self.stage(p).filter(|_| window.is_class()) else { return self.plain(p, moves) };
        let winner =
            self.weak.look(&stage, |cell, weight| moves.push_scored(Cell(cell as u16), (weight >> 8) as i32));
        moves.sort();
        let Some(maker) = winner else { return Self::OPEN };
        if moves.is_empty() {
            self.each_move(p, |m| moves.push(m));
        }
        if maker == stage.maker_to_move {
            Bounds::at_least(Value::SOME_WIN)
        } else {
            Bounds::at_most(Value::SOME_LOSS)
        }
    }

    /// Complete a set at once; otherwise stop the opponent, who moves next, from doing so.
    fn plain(&self, p: &Stones<M>, moves: &mut Moves<Cell>) -> Bounds {
        let side = self.side(p);
        let (mine, theirs) = match side {
            Side::First => {
                (self.black.winning_cells(p.black, p.white), self.white.winning_cells(p.white, p.black))
            }
            Side::Second => {
                (self.white.winning_cells(p.white, p.black), self.black.winning_cells(p.black, p.white))
            }
        };
        let free = self.free(p);
        if let Some(cell) = (mine & free).lowest() {
            moves.push(Cell(cell as u16));
            return Bounds::exact(Value::win(1));
        }
        let next = self.plies_left(p) > 1 && self.turn(p.ply + 1) != side;
        let stop = theirs & free;
        if next && stop == theirs && theirs.count() == 1 {
            stop.cells().for_each(|c| moves.push(Cell(c as u16)));
        } else {
            self.each_move(p, |m| moves.push(m));
        }
        if next && theirs.count() > 1 { Bounds::exact(Value::loss(2)) } else { Self::OPEN }
    }

    pub(super) fn reason(&self, p: &Stones<M>, side: Side) -> Option<Witness<Cell>> {
        let witness = self.weak.witness(&self.stage(p)?, side == Side::First)?;
        Some(witness.map(|cell| Cell(cell as u16)))
    }

    pub(super) fn simple(&self, p: &Stones<M>, m: Cell) -> Stones<M> {
        let Some(stage) = self.stage(p) else { return self.play(p, m) };
        let next = self.weak.step(&stage, usize::from(m.0));
        Stones { black: next.maker, white: next.breaker, ply: p.ply + 1 }
    }

    pub(super) fn guess(&self, p: &Stones<M>) -> (f32, f32) {
        let Some(stage) = self.stage(p) else { return (1.0, 1.0) };
        let potential = 2.0 * self.weak.weight(&stage) as f32 / ONE as f32;
        let breaker = ALPHA.powf(potential.min(20.0));
        if stage.maker_to_move { (1.0, breaker) } else { (breaker, 1.0) }
    }
}
