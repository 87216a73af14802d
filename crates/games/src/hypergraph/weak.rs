//! The Maker–Breaker game on any hypergraph: everything that is known of a position without search, each piece behind a
//! switch, for all games of this kind.
//!
//! The theorems stand where they are programmed: [`Residual::simplify`], [`forcing`], [`components`](super::components).
//! With Breaker to move and weight Σ 2^−|e| < 1 he wins, with Maker to move and weight < 1/2 too (Erdős and Selfridge
//! 1973): Breaker always takes the cell of greatest weight, so that the sum never rises over a move of Maker and his
//! answer, and an edge of Maker's alone would weigh 1. The potential of Czifra et al. is twice the weight, and their
//! stop is the weaker "Breaker to move and potential < 1". Pairs of cells take edges out of the sum, see
//! [`pairing`].
//!
//! A game may be bounded: Maker has `left` moves, and edges with more cells cannot be completed. All rules hold then as
//! well but the exchange and the cut vertex, which cost Maker a move, and wins by threats that take too long.

use std::sync::Arc;

use ludex_core::{Switches, Witness, switches};

use super::{
    Given, Mask, Reduction, Residual, Rules, Turn,
    components::{around, blocks, component},
    forcing::{self, must_play, rows_around, threat_row, threat_win},
    incidence::CELLS,
    pairing,
    residual::{ONE, weight_of},
};

/// With more edges than this, only the rules that go through them once are used: the others would take longer than a
/// search can wait for.
const MANY_EDGES: usize = 1024;

/// Moves of Breaker that are tried for one after which pairs win.
const AHEAD_MOVES: usize = 8;

switches! {
    /// The rules that can be switched off. A game's own follow them in its list.
    pub SWITCHES:
    FORCED = "forced", "forced replies, and wins by crossing lines of two";
    THREATS = "threats", "wins by rows of threats, and replies bound to their carriers";
    pub DEAD = "dead", "cells in no live line are not played and not told apart";
    DOMINATED = "dominated", "supersets, twins, exchanges; dominated cells are not played";
    STOP = "stop", "Breaker to move wins when the potential is below 1";
    SELFRIDGE = "selfridge", "the stop at its full strength: 2 for Breaker to move, 1 for Maker";
    COMPONENTS = "components", "after a move of Maker only its component matters; neutral parts go";
    BLOCKS = "blocks", "after a move of Maker that is no cut vertex only its block matters";
    PAIRING = "pairing", "Breaker wins by pairs of cells and the potential of what they leave";
}

/// A Maker–Breaker game.
#[derive(Clone, Debug)]
pub struct Weak<M> {
    lines: Arc<[M]>,
    all: M,
    /// Which of [`SWITCHES`] are on.
    pub on: Switches,
}

/// A position of such a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage<M> {
    /// Maker's cells.
    pub maker: M,
    /// Breaker's cells.
    pub breaker: M,
    /// Whether Maker moves next; they take turns.
    pub maker_to_move: bool,
    /// How many moves Maker still has; `u32::MAX` if there is no bound.
    pub left: u32,
}

impl<M: Mask> Stage<M> {
    fn bounded(&self) -> bool {
        self.left != u32::MAX
    }

    /// The position after a move.
    #[must_use]
    pub fn after(&self, cell: usize) -> Self {
        let bit = M::bit(cell);
        let spent = u32::from(self.maker_to_move && self.bounded());
        let (maker, breaker) = if self.maker_to_move {
            (self.maker | bit, self.breaker)
        } else {
            (self.maker, self.breaker | bit)
        };
        Self { maker, breaker, maker_to_move: !self.maker_to_move, left: self.left.saturating_sub(spent) }
    }
}

/// For every cell, the weight of the edges through it; and the weight of all edges.
fn gains<M: Mask>(edges: &[M]) -> (Vec<u64>, u64) {
    let mut gains = vec![0; M::BITS];
    let mut total = 0;
    for &edge in edges {
        let weight = weight_of(edge);
        total += weight;
        edge.cells().for_each(|cell| gains[cell] += weight);
    }
    (gains, total)
}

impl<M: Mask> Weak<M> {
    /// The game of these lines on the cells `0..cells`. Lines that contain another are left out.
    #[must_use]
    pub fn new(cells: usize, lines: &[M]) -> Self {
        let mut rest = Residual::new(lines.iter().copied());
        rest.drop_supersets_of_many();
        Self { lines: rest.edges.into(), all: M::below(cells), on: Switches::default() }
    }

    /// The lines that contain no other.
    #[must_use]
    pub fn lines(&self) -> &[M] {
        &self.lines
    }

    fn rules(&self) -> Rules {
        Rules {
            dominated: self.on.on(DOMINATED),
            neutral: self.on.on(STOP) && self.on.on(SELFRIDGE),
            whole: !self.on.on(COMPONENTS),
        }
    }

    /// How many rows of exchanges to look at for a win by threats; 0 for none.
    fn rows(&self) -> usize {
        match (self.on.on(FORCED), self.on.on(THREATS)) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => forcing::STATES,
        }
    }

    fn residual(&self, p: &Stage<M>) -> Residual<M> {
        let mut rest = Residual::of(&self.lines, p.maker, p.breaker);
        if p.bounded() {
            rest.edges.retain(|e| e.count() <= p.left);
        }
        rest
    }

    /// The sum of 2^−|e| over what is left of the lines, in units of 1 / [`ONE`].
    #[must_use]
    pub fn weight(&self, p: &Stage<M>) -> u64 {
        let edges = self.lines.iter().filter(|line| !line.meets(p.breaker)).map(|line| line.minus(p.maker));
        edges.filter(|e| !p.bounded() || e.count() <= p.left).map(weight_of).sum()
    }

    /// Whether Breaker wins by the sum of what is left of the lines. `weight` is this sum.
    fn stopped(&self, edges: &[M], weight: u64, maker_to_move: bool) -> bool {
        let bound = match (self.on.on(STOP), self.on.on(SELFRIDGE), maker_to_move) {
            (false, ..) | (_, false, true) => return edges.is_empty(),
            (_, true, false) => ONE,
            _ => ONE / 2,
        };
        weight < bound
    }

    /// Whether Breaker may win by pairs of cells and the sum of what they leave; not asked where there is too much to pair.
    fn pairable(&self, weight: u64, turn: Turn) -> bool {
        let too_much = match turn {
            Turn::Attacker => ONE / 4 * 5,
            Turn::Defender => ONE / 2 * 3,
        };
        self.on.on(PAIRING) && weight < too_much
    }

    /// Who is known to win an unfinished game (`Some(true)`: Maker), if anybody, and the moves worth searching, with
    /// the weight of the lines through them. Where the side to move is known to win, the moves among which the
    /// winning one is.
    pub fn look(&self, p: &Stage<M>, mut worth: impl FnMut(usize, u64)) -> Option<bool> {
        let mut rest = self.residual(p);
        // Exchanges are moves, and left to be played: what comes from `step` has none left.
        let few = rest.edges().len() <= MANY_EDGES;
        if few {
            rest.simplify(false, self.rules(), |_| ());
        }
        let (gains, total) = gains(rest.edges());
        let gain = |cell: usize| gains[cell];
        let turn = if p.maker_to_move { Turn::Attacker } else { Turn::Defender };
        let paired = || self.pairable(total, turn) && pairing::paired(rest.edges(), turn, 0);
        if self.stopped(rest.edges(), total, p.maker_to_move) || few && paired() {
            rest.cells().cells().for_each(|cell| worth(cell, gain(cell)));
            return Some(false);
        }
        let cells = match (self.on.on(DOMINATED), self.on.on(DEAD)) {
            (true, _) if few => rest.undominated(),
            (true, _) | (false, true) => rest.cells(),
            _ => self.all.minus(p.maker | p.breaker),
        };
        let mut any = false;
        let mut list = |cell: usize, gain: u64| {
            any = true;
            worth(cell, gain);
        };
        let single = rest.single();
        if p.maker_to_move {
            if self.rows() > 0 {
                let win = if !few && single.is_empty() {
                    None
                } else if single.is_empty() {
                    threat_win(rest.edges(), self.rows(), p.left).map(|win| win.carrier)
                } else {
                    Some(single)
                };
                if let Some(carrier) = win {
                    carrier.cells().for_each(|cell| list(cell, gain(cell)));
                    return Some(true);
                }
            }
            let stop = self.on.on(STOP) && self.on.on(SELFRIDGE) && single.is_empty();
            for cell in cells.cells() {
                let gain = gain(cell);
                // With Breaker to move then, the weight is the sum plus the gain.
                if !(stop && total + gain < ONE) {
                    list(cell, gain);
                }
            }
            return if any { None } else { Some(false) };
        }
        let bound = match (self.rows(), single.count()) {
            (0, _) => cells,
            (_, 0) if !few => cells,
            (rows, 0) => must_play(rest.edges(), cells, rows, p.left).unwrap_or(cells),
            (_, 1) => single,
            _ => M::EMPTY,
        };
        let mut replies: Vec<(u64, usize)> = bound.cells().map(|cell| (gain(cell), cell)).collect();
        if few && self.on.on(PAIRING) && replies.len() > 1 {
            replies.sort_unstable_by_key(|&(gain, cell)| (std::cmp::Reverse(gain), cell));
            let mut left = Vec::with_capacity(rest.edges().len());
            let wins = |&&(gain, cell): &&(u64, usize)| {
                if !self.pairable(total - gain, Turn::Attacker) {
                    return false;
                }
                left.clear();
                left.extend(rest.edges().iter().copied().filter(|e| !e.has(cell)));
                pairing::paired(&left, Turn::Attacker, 0)
            };
            if let Some(&(gain, cell)) = replies.iter().take(AHEAD_MOVES).find(wins) {
                list(cell, gain);
                return Some(false);
            }
        }
        replies.into_iter().for_each(|(gain, cell)| list(cell, gain));
        if any { None } else { Some(true) }
    }

    /// Why [`look`](Weak::look) knows that Maker wins, or Breaker, if it is by threats or by pairs; both on the lines as they are,
    /// without the reductions, which a certificate spells out in moves.
    #[must_use]
    pub fn witness(&self, p: &Stage<M>, maker: bool) -> Option<Witness<usize>> {
        let rest = self.residual(p);
        if rest.is_made() || rest.edges().len() > MANY_EDGES {
            return None;
        }
        if !maker {
            return Some(Witness::Pairs(pairing::chain(&pairing::minimal(rest.edges().iter().copied()))));
        }
        let rows = if p.maker_to_move {
            threat_row(rest.edges(), self.rows(), p.left).map(|(_, row)| vec![row])?
        } else {
            rows_around(rest.edges(), self.rows(), p.left)
        };
        (!rows.is_empty()).then_some(Witness::Threats(rows))
    }

    /// The position after a move without what can no longer matter: cells are handed out as the reductions say, cells
    /// in no live line are Breaker's, and so are Maker's cells in no live line.
    #[must_use]
    pub fn step(&self, p: &Stage<M>, cell: usize) -> Stage<M> {
        let mut next = p.after(cell);
        let mut rest = self.residual(p);
        let mut apart = M::EMPTY;
        if p.maker_to_move {
            if self.on.on(COMPONENTS) {
                let cells = rest.cells();
                rest.restrict(self.part(&rest, cell, p.bounded()));
                apart = cells.minus(rest.cells() | M::bit(cell));
            }
            rest.take(cell);
        } else {
            rest.block(cell);
        }
        if next.bounded() {
            rest.edges.retain(|e| e.count() <= next.left);
        }
        let mut given = Given::default();
        if rest.edges().len() <= MANY_EDGES {
            given = rest.simplify(next.maker_to_move && !next.bounded(), self.rules(), |reduction| {
                if let Reduction::Neutral(cells) = reduction {
                    apart = apart | cells;
                }
            });
        }
        next.maker = next.maker | given.taken;
        next.breaker = next.breaker | given.blocked | apart;
        if self.on.on(DEAD) {
            next.breaker = next.breaker | self.all.minus(next.maker | rest.cells());
            let live = self
                .lines
                .iter()
                .filter(|line| !line.meets(next.breaker))
                .fold(M::EMPTY, |cells, &line| cells | line);
            next.breaker = next.breaker | next.maker.minus(live);
            next.maker = next.maker & live;
        }
        next
    }

    /// The cells that matter after Maker's move.
    fn part(&self, rest: &Residual<M>, cell: usize, bounded: bool) -> M {
        if self.on.on(BLOCKS) && !bounded && rest.edges().len() <= MANY_EDGES {
            if M::BITS <= CELLS {
                return around(rest.edges(), cell);
            }
            let found = blocks(rest);
            let mut around = found.iter().filter(|b| b.has(cell));
            if let (Some(&block), None) = (around.next(), around.next()) {
                return block;
            }
        }
        component(rest.edges(), cell)
    }
}
