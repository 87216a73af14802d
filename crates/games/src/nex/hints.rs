//! What the game knows without search.

use ludex_core::{Bounds, Game, Moves, Value, Window, switches};

use super::{Nex, NexMove, NexPosition, Rules};
use crate::CellSet;

switches! {
    /// The rules that can be switched off.
    pub(super) SWITCHES:
    WIN_IN_ONE = "win-in-one", "see a move that connects, and know that without one it takes three plies";
    PLIES_LEFT = "plies-left", "know that no game outlasts the cells that are left";
    NEAREST_FIRST = "nearest-first", "try the moves first that leave the mover fewest stones to place";
    pub(super) EVAL_NEEDED = "eval-needed", "guess by the fewest stones still needed to connect";
    pub(super) EVAL_PATHS = "eval-paths", "guess by the number of cells where those stones can be";
    pub(super) EVAL_DOMINANCE = "eval-dominance", "guess by the open cells beside own stones";
    pub(super) EVAL_CHAINS = "eval-chains", "guess by the number of separate chains";
    pub(super) EVAL_BRIDGES = "eval-bridges", "guess by pairs of stones with two open cells between them";
    pub(super) EVAL_EDGES = "eval-edges", "guess by stones with two open cells to an own edge";
    pub(super) EVAL_MOVES = "eval-moves", "guess by the number of legal moves";
    pub(super) EVAL_LEAN = "eval-lean", "guess by the first two of these alone, which plays better";
}

impl<const N: usize> Nex<N> {
    /// Three facts.
    ///
    /// *A move that connects.* It wins in one ply. If there is none, a win takes three plies at least, because the
    /// sides alternate.
    ///
    /// *Plies left.* Every move colours one cell for good measure: the number of coloured cells rises by one. So a
    /// win or loss takes at most [`max_plies`](Game::max_plies); where fewer than three are left and none connects, the
    /// mover does not win, and where fewer than two are left it does not lose. Under official rules nobody draws.
    ///
    /// *Order.* Moves whose own cells lie on short paths come first. It changes no answer.
    pub(super) fn hints(&self, p: &NexPosition<N>, _: Window, moves: &mut Moves<NexMove>) -> Bounds {
        moves.clear();
        let mut bounds = Self::OPEN;
        if self.on.on(WIN_IN_ONE) {
            if let Some(m) = self.connecting_move(p) {
                moves.push(m);
                return Bounds::exact(Value::win(1));
            }
            bounds.hi = Value::win(3);
        }
        let left = self.max_plies(p);
        if self.on.on(PLIES_LEFT) && self.rules == Rules::Nexc {
            if left < 3 && self.on.on(WIN_IN_ONE) {
                bounds.hi = Value::DRAW;
            }
            if left < 2 {
                bounds.lo = Value::DRAW;
            }
        }
        self.each_move(p, |m| moves.push(m));
        if self.on.on(NEAREST_FIRST) && moves.len() > 2 {
            self.order(p, moves);
        }
        bounds
    }

    /// A move after which the mover's edges are connected.
    #[must_use]
    pub fn connecting_move(&self, p: &NexPosition<N>) -> Option<NexMove> {
        let (side, own) = (p.side, p.stones[p.side.index()]);
        let empty = self.empty(p);
        if !self.board.connects(own | p.neutral | empty, side) {
            return None;
        }
        let wins = |stones: CellSet<N>| self.board.connects(stones, side);
        // Cells that touch, or are, both what hangs on one edge and what hangs on the other.
        let [from, to] =
            self.board.edges(side).map(|edge| edge | self.board.around(self.board.flood(edge, own)));
        let joints = from & to;
        if empty.len() >= 2 {
            let joint = (joints & empty).iter().next();
            if let Some(own) = joint {
                let neutral = empty.without(CellSet::one(own)).iter().next()?;
                return Some(NexMove::Generate { own: own as u16, neutral: neutral as u16 });
            }
        }
        if p.neutral.len() >= 2 && !own.is_empty() && wins(own | p.neutral) {
            for first in p.neutral.iter() {
                for second in p.neutral.iter().filter(|&c| c > first) {
                    let whole = own | CellSet::one(first) | CellSet::one(second);
                    if !wins(whole) {
                        continue;
                    }
                    if let Some(back) = own.iter().find(|&back| wins(whole.without(CellSet::one(back)))) {
                        let [first, second, back] = [first, second, back].map(|c| c as u16);
                        return Some(NexMove::Transform { first, second, back });
                    }
                }
            }
        }
        let mut single = None;
        if self.rules == Rules::Official && empty.len() < 2 && (p.neutral.len() < 2 || own.is_empty()) {
            self.each_move(p, |m| {
                if let NexMove::Single { cell } = m
                    && joints.has(usize::from(cell))
                {
                    single = single.or(Some(m));
                }
            });
        }
        single
    }

    /// Prefer own stones where both sides' shortest paths run, and neutral ones where only the opponent's do.
    fn order(&self, p: &NexPosition<N>, moves: &mut Moves<NexMove>) {
        let ours = self.paths(p, p.side).cells;
        let theirs = self.paths(p, p.side.other()).cells;
        let worth = |cell: u16| {
            let cell = usize::from(cell);
            2 * i32::from(ours.has(cell)) + i32::from(theirs.has(cell))
        };
        for (score, m) in moves.scored_mut() {
            *score = match *m {
                NexMove::Generate { own, neutral } => 4 * worth(own) - worth(neutral),
                NexMove::Transform { first, second, back } => {
                    3 * (worth(first) + worth(second)) - 6 * i32::from(ours.has(usize::from(back))) - 2
                }
                NexMove::Single { .. } | NexMove::Swap => 0,
            };
        }
        moves.sort();
    }
}
