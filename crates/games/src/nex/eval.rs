//! How good a position looks: the terms that the game's authors listed, each with its own switch.
//!
//! Nothing here is a bound, and no solver uses it: it is for choosing a move on boards that are too large to solve.

use ludex_core::{Bounds, Game, Moves, Side, Window};

use super::{
    Nex, NexMove, NexPosition,
    hints::{
        EVAL_BRIDGES, EVAL_CHAINS, EVAL_DOMINANCE, EVAL_EDGES, EVAL_LEAN, EVAL_MOVES, EVAL_NEEDED, EVAL_PATHS,
    },
};
use crate::CellSet;

/// A side's shortest ways of connecting its edges through own, empty and neutral cells.
#[derive(Clone, Copy, Debug)]
pub struct Paths<const N: usize> {
    /// Stones still to be placed; `None` if the opponent's stones are in every way.
    pub needed: Option<usize>,
    /// The cells where they can be.
    pub cells: CellSet<N>,
}

/// The value of each term for Black and White.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Its name, what it counts, the counts of Black and White, and its weight, in the order of [`TERMS`].
    pub counts: [[i32; 2]; TERMS.len()],
}

/// The terms: name, what is counted, weight.
pub const TERMS: [(&str, &str, i32); 7] = [
    ("needed", "fewest stones still needed to connect", -100),
    ("paths", "cells where those stones can be", 3),
    ("dominance", "open cells beside own stones", 2),
    ("chains", "separate chains of own stones", -4),
    ("bridges", "pairs of own stones with two open cells between them", 12),
    ("edges", "own stones with two open cells to an own edge", 6),
    ("moves", "legal moves, as a logarithm", 1),
];

/// The switches of the [`TERMS`].
const SWITCHES: [usize; TERMS.len()] =
    [EVAL_NEEDED, EVAL_PATHS, EVAL_DOMINANCE, EVAL_CHAINS, EVAL_BRIDGES, EVAL_EDGES, EVAL_MOVES];
/// How many of them are left when `eval-lean` is on.
const LEAN_TERMS: usize = 2;

impl<const N: usize> Nex<N> {
    /// The shortest ways of a side.
    #[must_use]
    pub fn paths(&self, p: &NexPosition<N>, side: Side) -> Paths<N> {
        if self.board.connects(p.stones[side.index()], side) {
            return Paths { needed: Some(0), cells: CellSet::EMPTY };
        }
        let own = p.stones[side.index()];
        let open = self.board.all().without(p.stones[side.other().index()]);
        let [near, far] = self.board.edges(side).map(|edge| self.layers(edge, own, open));
        // A cell in layer i of one edge and j of the other lies on a path of i + j − 1 stones to place.
        let mut best = usize::MAX;
        let mut cells = CellSet::EMPTY;
        for (i, a) in near.iter().enumerate().skip(1) {
            for (j, b) in far.iter().enumerate().skip(1) {
                let both = (*a & *b).without(own);
                if i + j <= best && !both.is_empty() {
                    if i + j < best {
                        (cells, best) = (CellSet::EMPTY, i + j);
                    }
                    cells = cells | both;
                }
            }
        }
        Paths { needed: (best < usize::MAX).then(|| best - 1), cells }
    }

    /// The cells that are 0, 1, 2, … stones away from an edge, own stones among them.
    fn layers(&self, edge: CellSet<N>, own: CellSet<N>, open: CellSet<N>) -> Vec<CellSet<N>> {
        let mut layers = vec![self.board.flood(edge, own)];
        let mut seen = layers[0];
        let mut frontier = (edge | self.board.around(seen)) & open;
        loop {
            let new = frontier.without(seen);
            if new.is_empty() {
                return layers;
            }
            let grown = new | self.board.flood(self.board.around(new), own.without(seen));
            layers.push(grown);
            seen = seen | grown;
            frontier = self.board.around(grown) & open;
        }
    }

    /// All terms.
    #[must_use]
    pub fn terms(&self, p: &NexPosition<N>) -> Terms {
        let mut terms = Terms::default();
        for side in [Side::First, Side::Second] {
            let i = side.index();
            let own = p.stones[i];
            let open = self.empty(p) | p.neutral;
            let [needed, paths] = self.lean_terms(p, side);
            let values = [
                needed,
                paths,
                (self.board.around(own) & open).len() as i32,
                self.chains(own),
                self.bridges(own, open),
                self.edge_stones(own, open, side),
                self.mobility(p, own),
            ];
            for (term, value) in terms.counts.iter_mut().zip(values) {
                term[i] = value;
            }
        }
        terms
    }

    /// The terms that are about a side's shortest paths.
    fn lean_terms(&self, p: &NexPosition<N>, side: Side) -> [i32; LEAN_TERMS] {
        let paths = self.paths(p, side);
        let blocked = self.board.rows + self.board.cols;
        [paths.needed.unwrap_or(blocked) as i32, paths.cells.len() as i32]
    }

    /// Whether a term, by its place among [`TERMS`], counts.
    #[must_use]
    pub fn counts(&self, term: usize) -> bool {
        self.on.on(SWITCHES[term]) && (term < LEAN_TERMS || !self.on.on(EVAL_LEAN))
    }

    fn chains(&self, own: CellSet<N>) -> i32 {
        let (mut left, mut chains) = (own, 0);
        while let Some(cell) = left.iter().next() {
            left = left.without(self.board.flood(CellSet::one(cell), own));
            chains += 1;
        }
        chains
    }

    /// Pairs of stones that two open cells join: whichever the opponent takes, the other is left.
    fn bridges(&self, own: CellSet<N>, open: CellSet<N>) -> i32 {
        let mut bridges = 0;
        for cell in own.iter() {
            let beside = self.board.around(CellSet::one(cell));
            for other in own.iter().filter(|&o| o > cell && !beside.has(o)) {
                bridges += i32::from((beside & self.board.around(CellSet::one(other)) & open).len() == 2);
            }
        }
        bridges
    }

    /// Stones in the second row from an own edge with both cells of the edge beside them open.
    fn edge_stones(&self, own: CellSet<N>, open: CellSet<N>, side: Side) -> i32 {
        let mut stones = 0;
        for edge in self.board.edges(side) {
            for cell in own.without(edge).iter() {
                stones += i32::from((self.board.around(CellSet::one(cell)) & edge & open).len() == 2);
            }
        }
        stones
    }

    /// Ten times the binary logarithm of the number of moves a side would have.
    fn mobility(&self, p: &NexPosition<N>, own: CellSet<N>) -> i32 {
        let (e, n) = (self.empty(p).len(), p.neutral.len());
        let moves = e * e.saturating_sub(1) + n * n.saturating_sub(1) / 2 * own.len();
        (10.0 * (1.0 + moves as f64).log2()) as i32
    }

    /// The weighted sum of the terms that are on, for the side to move, which is half a stone ahead.
    #[must_use]
    pub fn evaluate(&self, p: &NexPosition<N>) -> i32 {
        let terms = if self.on.on(EVAL_LEAN) {
            let [black, white] = [Side::First, Side::Second].map(|side| self.lean_terms(p, side));
            let mut terms = Terms::default();
            for (term, counts) in terms.counts.iter_mut().zip(black.into_iter().zip(white)) {
                *term = counts.into();
            }
            terms
        } else {
            self.terms(p)
        };
        let mut black = 0;
        for (i, (counts, (_, _, weight))) in terms.counts.iter().zip(TERMS).enumerate() {
            if self.counts(i) {
                black += weight * (counts[0] - counts[1]);
            }
        }
        50 + if p.side == Side::First { black } else { -black }
    }

    /// The moves worth thinking about: own stones where either side's shortest paths run or touch, neutral ones on the
    /// opponent's paths or out of the way.
    pub(super) fn promising(&self, p: &NexPosition<N>, most: usize, moves: &mut Moves<NexMove>) -> Bounds {
        let empty = self.empty(p).len();
        let all =
            empty * empty.saturating_sub(1) + p.neutral.len().pow(2) / 2 * p.stones[p.side.index()].len();
        if all <= most.max(64) || empty < 4 {
            let bounds = self.look(p, Window::FULL, moves);
            moves.scored_mut().truncate(most.max(1));
            return bounds;
        }
        moves.clear();
        if let Some(m) = self.connecting_move(p) {
            moves.push(m);
            return Bounds::exact(ludex_core::Value::win(1));
        }
        let (ours, theirs) = (self.paths(p, p.side).cells, self.paths(p, p.side.other()).cells);
        let own = p.stones[p.side.index()];
        let near = self.board.around(own);
        let worth =
            |c: usize| 6 * i32::from(ours.has(c)) + 5 * i32::from(theirs.has(c)) + i32::from(near.has(c));
        // Of cells that look alike, those in the middle: on an empty board all do.
        let rank = |c: usize| (-worth(c), self.board.off_centre(c), c);
        let mut cells: Vec<(i32, usize, usize)> = self.empty(p).iter().map(rank).collect();
        cells.sort_unstable();
        let reach = (most / 3).clamp(4, 24);
        let best: Vec<usize> = cells.iter().take(reach).map(|c| c.2).collect();
        let dull: Vec<usize> = cells.iter().rev().take(2).map(|c| c.2).collect();
        for &own in &best {
            let blocking = best.iter().filter(|&&c| theirs.has(c)).take(2);
            for &neutral in blocking.chain(&dull).filter(|&&c| c != own) {
                let score =
                    4 * worth(own) - i32::from(ours.has(neutral)) * 6 + i32::from(theirs.has(neutral)) * 3;
                moves.push_scored(NexMove::Generate { own: own as u16, neutral: neutral as u16 }, score);
            }
        }
        let mut neutrals: Vec<(i32, usize, usize)> = p.neutral.iter().map(rank).collect();
        neutrals.sort_unstable();
        let mut givers: Vec<(i32, usize)> = own.iter().map(|c| (self.use_of(p, c), c)).collect();
        givers.sort_unstable();
        for (i, &(_, _, a)) in neutrals.iter().enumerate().take(4) {
            for &(_, _, b) in neutrals.iter().take(4).skip(i + 1) {
                for &(used, back) in givers.iter().take(2) {
                    let [first, second, back] = [a.min(b), a.max(b), back].map(|c| c as u16);
                    let score = 3 * (worth(a) + worth(b)) - 4 * used;
                    moves.push_scored(NexMove::Transform { first, second, back }, score);
                }
            }
        }
        moves.sort();
        moves.scored_mut().truncate(most.max(1));
        Self::OPEN
    }

    /// How many own or open cells an own stone touches: the fewer, the less it is missed.
    fn use_of(&self, p: &NexPosition<N>, cell: usize) -> i32 {
        let beside = self.board.around(CellSet::one(cell));
        (beside & p.stones[p.side.index()]).len() as i32 * 3 + (beside & self.empty(p)).len() as i32
    }
}

#[cfg(test)]
mod tests {
    use ludex_core::{Notation, Rng};

    use super::*;
    use crate::nex::Rules;

    /// The fewest stones by brute force: the smallest set of open cells that connects.
    fn naive_needed(game: &Nex<1>, p: &NexPosition<1>, side: Side) -> Option<usize> {
        let open: Vec<usize> = (game.empty(p) | p.neutral).iter().collect();
        (0u32..1 << open.len())
            .filter(|set| {
                let extra: CellSet<1> =
                    (0..open.len()).filter(|i| set >> i & 1 == 1).map(|i| open[i]).collect();
                game.board.connects(p.stones[side.index()] | extra, side)
            })
            .map(|set| set.count_ones() as usize)
            .min()
    }

    #[test]
    fn shortest_paths_are_shortest() {
        let mut rng = Rng::new(8);
        for _ in 0..300 {
            let game = Nex::<1>::new(2 + rng.below(3), 2 + rng.below(2), Rules::Nexc, false);
            let seed = rng.next_u64();
            let text = game
                .board
                .write(|c| ['.', '.', 'B', 'W', '?'][Rng::new(seed.wrapping_add(c as u64)).below(5)]);
            let p = game.parse_position(&format!("{text} B")).unwrap();
            for side in [Side::First, Side::Second] {
                assert_eq!(game.paths(&p, side).needed, naive_needed(&game, &p, side), "{text} {side}");
            }
        }
    }

    #[test]
    fn the_lean_sum_is_the_whole_one_without_the_terms_left_out() {
        let lean = Nex::<1>::new(5, 5, Rules::Nexc, false);
        let whole = lean.clone().with_switches(lean.switched().off(EVAL_LEAN));
        let bare = (LEAN_TERMS..TERMS.len())
            .fold(whole.clone(), |game, i| game.clone().with_switches(game.switched().off(SWITCHES[i])));
        let p = lean.parse_position("B.?../..W../.?B../.W.?./..... B").unwrap();
        assert_eq!(lean.evaluate(&p), bare.evaluate(&p));
        assert_ne!(lean.evaluate(&p), whole.evaluate(&p));
        assert_eq!((0..TERMS.len()).filter(|&i| lean.counts(i)).count(), LEAN_TERMS);
    }

    #[test]
    fn a_turned_board_looks_the_same() {
        let game = Nex::<1>::new(5, 5, Rules::Nexc, false);
        let p = game.parse_position("B.?../..W../.?B../.W.?./..... B").unwrap();
        assert_eq!(game.terms(&p), game.terms(&game.turned(&p)));
        assert_eq!(game.evaluate(&p), game.evaluate(&game.turned(&p)));
    }
}
