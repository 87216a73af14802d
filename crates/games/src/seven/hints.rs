//! What the game knows without search: the reductions of residual hypergraphs, each behind a switch.
//!
//! The theorems stand where they are programmed: [`Residual::simplify`], [`forcing`], [`components`]. With Breaker to
//! move and weight Σ 2^−l < 1 he wins, with Maker to move and weight < 1/2 too (Erdős and Selfridge); the potential of
//! the paper is twice the weight, and its stop is the weaker "Breaker to move and potential < 1".

use ludex_core::{Bounds, Game, Moves, Side, Switch, Value, Window};

use super::{Board, Cell, Seven};
use crate::hypergraph::{
    Mask, Near, Reduction, Residual, Rules,
    components::{blocks, component},
    forcing::{self, must_play, threat_win},
    residual::{ONE, weight, weight_of},
};

pub(super) const FORCED: usize = 0;
pub(super) const THREATS: usize = 1;
pub(super) const DEAD: usize = 2;
pub(super) const DOMINATED: usize = 3;
pub(super) const STOP: usize = 4;
pub(super) const SELFRIDGE: usize = 5;
pub(super) const COMPONENTS: usize = 6;
pub(super) const BLOCKS: usize = 7;
pub(super) const MIRROR: usize = 8;
pub(super) const HEURISTIC: usize = 9;

/// The rules that can be switched off.
pub(super) const SWITCHES: &[Switch] = &[
    Switch { name: "forced", what: "forced replies, and wins by crossing lines of two" },
    Switch { name: "threats", what: "wins by rows of threats, and replies bound to their carriers" },
    Switch { name: "dead", what: "cells in no live line are not played and not told apart" },
    Switch { name: "dominated", what: "supersets, twins, exchanges; dominated cells are not played" },
    Switch { name: "stop", what: "Breaker to move wins when the potential is below 1" },
    Switch { name: "selfridge", what: "the stop at its full strength: 2 for Breaker to move, 1 for Maker" },
    Switch { name: "components", what: "after a move of Maker only its component matters; neutral parts go" },
    Switch { name: "blocks", what: "after a move of Maker that is no cut vertex only its block matters" },
    Switch { name: "mirror", what: "mirror images are the same position" },
    Switch { name: "heuristic", what: "first guesses of the work from the potential" },
];

/// Maker wins, from the side to move.
fn maker(side: Side) -> Bounds {
    if side == Side::First { Bounds::at_least(Value::SOME_WIN) } else { Bounds::at_most(Value::SOME_LOSS) }
}

/// Breaker wins, from the side to move.
fn breaker(side: Side) -> Bounds {
    maker(side.other())
}

impl Seven {
    fn on(&self, switch: usize) -> bool {
        self.switches.on(switch)
    }

    fn rules(&self) -> Rules {
        Rules {
            dominated: self.on(DOMINATED),
            neutral: self.on(STOP) && self.on(SELFRIDGE),
            whole: !self.on(COMPONENTS),
        }
    }

    /// How many rows of exchanges to look at for a win by threats; 0 for none.
    fn rows(&self) -> usize {
        match (self.on(FORCED), self.on(THREATS)) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => forcing::STATES,
        }
    }

    /// Whether Breaker wins by the sum of what is left of the lines.
    fn stopped(&self, edges: &[u64], side: Side) -> bool {
        let bound = match (self.on(STOP), self.on(SELFRIDGE), side) {
            (false, ..) | (_, false, Side::First) => return edges.is_empty(),
            (_, true, Side::Second) => ONE,
            (_, _, _) => ONE / 2,
        };
        weight(edges) < bound
    }

    pub(super) fn hints(&self, p: &Board, window: Window, moves: &mut Moves<Cell>) -> Bounds {
        moves.clear();
        let mut rest = Residual::of(self.minimal_lines(), p.maker, p.breaker);
        if !(self.outcome_only && window.is_class()) {
            return self.plain(p, &rest, moves);
        }
        // Exchanges are moves, and left to be played: what comes from `step` has none left.
        rest.simplify(false, self.rules(), |_| ());
        if self.stopped(rest.edges(), p.side) {
            self.each_move(p, |m| moves.push(m));
            return breaker(p.side);
        }
        let worth = match (self.on(DOMINATED), self.on(DEAD)) {
            (true, _) => Near::of(&rest).undominated(),
            (false, true) => rest.cells(),
            _ => self.free(p),
        };
        match p.side {
            Side::First => self.maker_to_move(&rest, worth, moves),
            Side::Second => self.breaker_to_move(&rest, worth, moves),
        }
    }

    fn maker_to_move(&self, rest: &Residual<u64>, worth: u64, moves: &mut Moves<Cell>) -> Bounds {
        let push =
            |moves: &mut Moves<Cell>, cell: usize, score| moves.push_scored(Cell::of_bit(cell as u32), score);
        let single = rest.single();
        if self.rows() > 0 {
            if let Some(cell) = single.lowest() {
                push(moves, cell, 0);
                return maker(Side::First);
            }
            if let Some(carrier) = threat_win(rest.edges(), self.rows()) {
                carrier.cells().for_each(|cell| push(moves, cell, 0));
                return maker(Side::First);
            }
        }
        let total = weight(rest.edges());
        for cell in worth.cells() {
            let gain: u64 = rest.edges().iter().filter(|e| e.has(cell)).map(|&e| weight_of(e)).sum();
            // With Breaker to move then, the weight is the sum plus the gain.
            if self.on(STOP) && self.on(SELFRIDGE) && total + gain < ONE && single == 0 {
                continue;
            }
            push(moves, cell, (gain >> 8) as i32);
        }
        moves.sort();
        if moves.is_empty() { breaker(Side::First) } else { Self::OPEN }
    }

    fn breaker_to_move(&self, rest: &Residual<u64>, worth: u64, moves: &mut Moves<Cell>) -> Bounds {
        let mut cells = worth;
        if self.rows() > 0 {
            let single = rest.single();
            match single.count_ones() {
                0 => {
                    if let Some(bound) = must_play(rest.edges(), worth, self.rows()) {
                        cells = bound;
                    }
                }
                1 => cells = single,
                _ => cells = 0,
            }
        }
        for cell in cells.cells() {
            let gain: u64 = rest.edges().iter().filter(|e| e.has(cell)).map(|&e| weight_of(e)).sum();
            moves.push_scored(Cell::of_bit(cell as u32), (gain >> 8) as i32);
        }
        moves.sort();
        if moves.is_empty() { maker(Side::Second) } else { Self::OPEN }
    }

    /// Bounds without any rule that could hide the shortest way; all moves, the weightiest first.
    fn plain(&self, p: &Board, rest: &Residual<u64>, moves: &mut Moves<Cell>) -> Bounds {
        self.each_move(p, |m| {
            let gain: u64 = rest.edges().iter().filter(|e| *e & m.mask() != 0).map(|&e| weight_of(e)).sum();
            moves.push_scored(m, (gain >> 8) as i32);
        });
        moves.sort();
        let single = rest.single();
        match p.side {
            Side::First if single != 0 => Bounds::exact(Value::win(1)),
            Side::Second if single.count_ones() > 1 => Bounds::exact(Value::loss(2)),
            side if self.stopped(rest.edges(), side) => breaker(side),
            _ => Self::OPEN,
        }
    }

    /// The position after a move without what can no longer matter: cells are handed out as the reductions say, cells
    /// in no live line are Breaker's, and so are Maker's cells in no live line.
    pub(super) fn simple(&self, p: &Board, m: Cell) -> Board {
        let mut next = self.play(p, m);
        let mut rest = Residual::of(self.minimal_lines(), p.maker, p.breaker);
        let mut apart = 0;
        if p.side == Side::First {
            if self.on(COMPONENTS) {
                let cells = rest.cells();
                rest.restrict(self.part(&rest, m));
                apart = cells & !rest.cells();
            }
            rest.take(m.index());
        } else {
            rest.block(m.index());
        }
        let given = rest.simplify(next.side == Side::First, self.rules(), |reduction| {
            if let Reduction::Neutral(cells) = reduction {
                apart |= cells;
            }
        });
        next.maker |= given.taken;
        next.breaker |= given.blocked | apart & !m.mask();
        if self.on(DEAD) {
            next.breaker |= self.free(&next) & !rest.cells();
            let live =
                self.minimal_lines().iter().filter(|&line| line & next.breaker == 0).fold(0, |a, b| a | b);
            next.breaker |= next.maker & !live;
            next.maker &= live;
        }
        next
    }

    /// The cells that matter after Maker's move.
    fn part(&self, rest: &Residual<u64>, m: Cell) -> u64 {
        if self.on(BLOCKS) {
            let found = blocks(rest);
            let mut around = found.iter().filter(|b| *b & m.mask() != 0);
            if let (Some(&block), None) = (around.next(), around.next()) {
                return block;
            }
        }
        component(rest.edges(), m.index())
    }

    /// The paper's first guesses, with base α = 50 instead of 1000: the work to disprove grows as α^potential.
    pub(super) fn guess(&self, p: &Board, _: Window) -> (f32, f32) {
        if !self.on(HEURISTIC) {
            return (1.0, 1.0);
        }
        let potential =
            2.0 * weight(Residual::of(self.minimal_lines(), p.maker, p.breaker).edges()) as f32 / ONE as f32;
        let disproof = 50f32.powf(potential);
        match p.side {
            Side::First => (1.0, disproof),
            Side::Second => (disproof, 1.0),
        }
    }
}
