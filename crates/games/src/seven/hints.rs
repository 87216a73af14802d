//! What the game knows without search: the Maker–Breaker game on its lines, and first guesses of the work.

use ludex_core::{Bounds, Game, Moves, Side, Value, Window, Witness, switches};

use super::{Board, Cell, Logit, Tile, TileMask};
use crate::hypergraph::{
    Residual,
    residual::{ONE, weight_of},
    weak::{self, Stage},
};

switches! {
    /// The rules that can be switched off: those of the engine, and its own.
    pub(super) SWITCHES after weak::SWITCHES:
    pub(super) MIRROR = "mirror", "mirror images are the same position";
    HEURISTIC = "heuristic", "first guesses of the work from the potential";
    pub(super) ISOMORPHY = "isomorphy", "shifted and turned live parts are the same position (with dead)";
}

/// The base of the guess: the work to show that Breaker wins grows as this to the potential.
pub(super) const ALPHA: f32 = 20.0;

/// No guess is larger: an infinite one would say that it cannot be done.
const GREATEST_GUESS: f32 = 1e30;

/// How much the chance that Breaker wins adds to the work to show that Maker does.
pub(super) const BETA: f32 = 10.0;

/// The chance that Breaker wins, as `ludex seven fit` finds it from what `ludex seven data` prints. The SHA-256 of that
/// data is 9e820864b3574f36f4ae32499980997dc005a289ba3b4ea4e62ad3ad3372a13a.
const CHANCE: Logit = Logit { constant: 18.5619, maker_to_move: -8.1350, empty: 0.5885, potential: -7.6755 };

/// Maker or Breaker wins, said by the side to move.
fn won_by(maker: bool, side: Side) -> Bounds {
    if maker == (side == Side::First) {
        Bounds::at_least(Value::SOME_WIN)
    } else {
        Bounds::at_most(Value::SOME_LOSS)
    }
}

/// A weight as an ordering score.
fn score(weight: u64) -> i32 {
    (weight >> 8) as i32
}

impl<M: TileMask> Board<M> {
    /// As a position of the Maker–Breaker game.
    fn stage(&self) -> Stage<M> {
        Stage {
            maker: self.maker,
            breaker: self.breaker,
            maker_to_move: self.side == Side::First,
            left: u32::MAX,
        }
    }
}

impl<M: TileMask> Tile<M> {
    pub(super) fn hints(&self, p: &Board<M>, window: Window, moves: &mut Moves<Cell>) -> Bounds {
        moves.clear();
        if !(self.outcome_only && window.is_class()) {
            return self.plain(p, moves);
        }
        let winner = self.weak.look(&p.stage(), |cell, weight| {
            moves.push_scored(Cell::of_bit(cell as u32), score(weight));
        });
        moves.sort();
        if let Some(maker) = winner {
            if moves.is_empty() {
                self.each_move(p, |m| moves.push(m));
            }
            return won_by(maker, p.side);
        }
        Self::OPEN
    }

    /// Bounds without any rule that could hide the shortest way; all moves, the weightiest first.
    fn plain(&self, p: &Board<M>, moves: &mut Moves<Cell>) -> Bounds {
        let rest = Residual::of(self.weak.lines(), p.maker, p.breaker);
        self.each_move(p, |m| {
            let through = rest.edges().iter().filter(|e| e.has(m.index()));
            moves.push_scored(m, score(through.map(|&e| weight_of(e)).sum()));
        });
        moves.sort();
        let single = rest.single();
        let bound = if p.side == Side::First { ONE / 2 } else { ONE };
        match p.side {
            Side::First if !single.is_empty() => Bounds::exact(Value::win(1)),
            Side::Second if single.count() > 1 => Bounds::exact(Value::loss(2)),
            side if rest.weight() < bound => won_by(false, side),
            _ => Self::OPEN,
        }
    }

    pub(super) fn reason(&self, p: &Board<M>, side: Side) -> Option<Witness<Cell>> {
        let cell = |cell: usize| Cell::of_bit(cell as u32);
        self.weak.witness(&p.stage(), side == Side::First).map(|witness| witness.map(cell))
    }

    pub(super) fn simple(&self, p: &Board<M>, m: Cell) -> Board<M> {
        let Stage { maker, breaker, .. } = self.weak.step(&p.stage(), m.index());
        Board { maker, breaker, side: p.side.other() }
    }

    /// What the guess is made from: the number of empty cells, and the potential.
    #[must_use]
    pub fn seen(&self, p: &Board<M>) -> (f64, f64) {
        let weight = self.weak.weight(&p.stage()) as f64;
        (f64::from(self.free(p).count()), 2.0 * weight / ONE as f64)
    }

    /// The first guess of the paper: the work to show that Breaker wins grows as α^potential; the work to show that Maker
    /// wins is 1 + β · (the chance that Breaker does).
    pub(super) fn guess(&self, p: &Board<M>) -> (f32, f32) {
        if !self.switches.on(HEURISTIC) {
            return (1.0, 1.0);
        }
        let (empty, potential) = self.seen(p);
        let breaker = self.alpha.powf(potential as f32).min(GREATEST_GUESS);
        let maker = match self.beta {
            0.0 => 1.0,
            beta => 1.0 + beta * CHANCE.chance(p.side == Side::First, empty, potential) as f32,
        };
        if p.side == Side::First { (maker, breaker) } else { (breaker, maker) }
    }
}
