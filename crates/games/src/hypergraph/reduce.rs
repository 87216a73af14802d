//! Simplifying a residual hypergraph without changing who wins.
//!
//! E(v) is the set of edges through a cell v. The rules, each for Maker or Breaker to move unless said otherwise:
//! - **Supersets.** An edge that contains another can go: who owns it owns the other.
//! - **Twins.** E(u) = E(v): all edges through u can go. Proof: Breaker answers one by the other, and so has a cell in
//!   each of those edges; Maker loses edges only.
//! - **Exchange.** Maker to move, an edge {s,t}, s in no other edge: Maker takes t, Breaker must take s. Proof: the
//!   exchange leaves Maker to move with t and Breaker with a cell that is in no other edge, which is the best each
//!   could hope for. (With Breaker to move it is wrong: {s,t}, {t,a}, {t,b}.)
//! - **Neutral parts.** A part without common cells with the rest, of weight Σ 2^−|e| < 1/2, can go: Breaker, second
//!   to move, wins it (Erdős and Selfridge), so that he answers there whenever Maker moves there.
//! - **Dead cells.** A cell in no edge is worth nothing to anybody.
//! - **Domination.** E(v) ⊆ E(u), both free: taking u is at least as good as taking v, for either side.
//!
//! Everything removed is reported to a trace with its reason, so that a proof can be written from it.

use super::{
    Mask, Residual,
    components::component,
    incidence::{Fit, Incidence},
    residual::{ONE, weight_of},
};

/// Which rules are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Remove supersets, twins and exchanges.
    pub dominated: bool,
    /// Remove neutral parts.
    pub neutral: bool,
    /// Only the whole, not every part for itself, is looked at for neutrality.
    pub whole: bool,
}

impl Rules {
    /// All of them.
    pub const ALL: Self = Self { dominated: true, neutral: true, whole: false };
}

/// One simplification and its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction<M> {
    /// `edge` contains `inner`.
    Superset {
        /// What went.
        edge: M,
        /// Why.
        inner: M,
    },
    /// The two cells are in the same edges, which are gone; both cells may be taken for Breaker's.
    Twins(usize, usize),
    /// Maker took a cell, and Breaker had to take another that is in no other edge.
    Exchange {
        /// Maker's.
        taken: usize,
        /// Breaker's.
        blocked: usize,
    },
    /// Breaker, second to move, wins the part on these cells.
    Neutral(M),
}

/// The cells handed out by a simplification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Given<M> {
    /// To Maker.
    pub taken: M,
    /// To Breaker.
    pub blocked: M,
}

impl<M: Mask> Residual<M> {
    /// Apply the rules until none applies any more.
    pub fn simplify(
        &mut self,
        maker_to_move: bool,
        rules: Rules,
        mut trace: impl FnMut(Reduction<M>),
    ) -> Given<M> {
        if self.is_made() {
            return Given::default();
        }
        match Fit::of(&self.edges) {
            Fit::One => self.simplify_sets::<u64>(maker_to_move, rules, &mut trace),
            Fit::Two => self.simplify_sets::<u128>(maker_to_move, rules, &mut trace),
            Fit::Neither => self.simplify_by_edges(maker_to_move, rules, &mut trace),
        }
    }

    /// The same, edge by edge. No edge is empty.
    fn simplify_by_edges(
        &mut self,
        maker_to_move: bool,
        rules: Rules,
        mut trace: impl FnMut(Reduction<M>),
    ) -> Given<M> {
        let mut given = Given::default();
        loop {
            let mut changed = false;
            if rules.dominated {
                self.drop_supersets(&mut trace);
                let near = Near::of(self);
                changed |= self.pair_twins(&near, &mut given, &mut trace);
                if !changed && maker_to_move {
                    changed |= self.exchange(&near, &mut given, &mut trace);
                }
            }
            if !changed && rules.neutral {
                changed |= self.drop_neutral(rules.whole, &mut trace);
            }
            if !changed || self.is_made() {
                return given;
            }
        }
    }

    /// The cells that no other dominates; of cells with the same edges, the lowest.
    #[must_use]
    pub fn undominated(&self) -> M {
        match Fit::of(&self.edges) {
            Fit::One => Incidence::<u64>::of(&self.edges).undominated(&self.edges, self.cells()),
            Fit::Two => Incidence::<u128>::of(&self.edges).undominated(&self.edges, self.cells()),
            Fit::Neither => Near::of(self).undominated(),
        }
    }

    /// The same in the time that many edges have: only edges that begin at a cell of an edge are compared with it.
    pub(super) fn drop_supersets_of_many(&mut self) {
        let mut smallest_first: Vec<usize> = (0..self.edges.len()).collect();
        smallest_first.sort_by_key(|&i| self.edges[i].count());
        let mut beginning: Vec<Vec<M>> = vec![Vec::new(); M::BITS];
        let mut kept = vec![false; self.edges.len()];
        for i in smallest_first {
            let edge = self.edges[i];
            let Some(first) = edge.lowest() else {
                self.edges = vec![edge];
                return;
            };
            if !edge.cells().any(|c| beginning[c].iter().any(|inner| inner.within(edge))) {
                kept[i] = true;
                beginning[first].push(edge);
            }
        }
        let mut kept = kept.into_iter();
        self.edges.retain(|_| kept.next() == Some(true));
    }

    /// Drop the edges that contain another, and of equal ones all but the first.
    pub(super) fn drop_supersets(&mut self, trace: &mut impl FnMut(Reduction<M>)) {
        let mut i = 0;
        while i < self.edges.len() {
            let inner = self.edges[i];
            let mut kept = 0;
            let mut place = i;
            for j in 0..self.edges.len() {
                let edge = self.edges[j];
                if j != i && inner.within(edge) {
                    trace(Reduction::Superset { edge, inner });
                } else {
                    if j == i {
                        place = kept;
                    }
                    self.edges[kept] = edge;
                    kept += 1;
                }
            }
            self.edges.truncate(kept);
            i = place + 1;
        }
    }

    fn pair_twins(
        &mut self,
        near: &Near<M>,
        given: &mut Given<M>,
        trace: &mut impl FnMut(Reduction<M>),
    ) -> bool {
        let mut gone = M::EMPTY;
        for v in near.cells.cells() {
            if gone.has(v) {
                continue;
            }
            let twin =
                near.meet[v].minus(M::bit(v) | gone).cells().find(|&u| near.degree[u] == near.degree[v]);
            if let Some(u) = twin {
                gone = gone | M::bit(u) | M::bit(v);
                given.blocked = given.blocked | M::bit(u) | M::bit(v);
                trace(Reduction::Twins(v, u));
            }
        }
        if !gone.is_empty() {
            // Every edge through one of them is an edge through a pair.
            self.edges.retain(|e| !e.meets(gone));
        }
        !gone.is_empty()
    }

    fn exchange(
        &mut self,
        near: &Near<M>,
        given: &mut Given<M>,
        trace: &mut impl FnMut(Reduction<M>),
    ) -> bool {
        for &e in &self.edges {
            if e.count() != 2 {
                continue;
            }
            let (Some(a), Some(b)) = (e.lowest(), e.without_lowest().lowest()) else { continue };
            let (taken, blocked) = match (near.degree[a], near.degree[b]) {
                (1, _) => (b, a),
                (_, 1) => (a, b),
                _ => continue,
            };
            given.taken = given.taken | M::bit(taken);
            given.blocked = given.blocked | M::bit(blocked);
            self.block(blocked);
            self.take(taken);
            trace(Reduction::Exchange { taken, blocked });
            return true;
        }
        false
    }

    fn drop_neutral(&mut self, whole: bool, trace: &mut impl FnMut(Reduction<M>)) -> bool {
        let mut left = self.cells();
        let mut dropped = M::EMPTY;
        while let Some(cell) = left.lowest() {
            let part = if whole { left } else { component(&self.edges, cell) };
            left = left.minus(part);
            let weight: u64 = self.edges.iter().filter(|e| e.meets(part)).map(|&e| weight_of(e)).sum();
            if weight < ONE / 2 {
                dropped = dropped | part;
                trace(Reduction::Neutral(part));
            }
        }
        if !dropped.is_empty() {
            self.edges.retain(|e| !e.meets(dropped));
        }
        !dropped.is_empty()
    }
}

/// Of every cell, the cells that are in all its edges, and the number of its edges.
#[derive(Clone, Debug)]
pub struct Near<M> {
    /// The cells of all edges.
    pub cells: M,
    /// By cell: the intersection of its edges. E(v) ⊆ E(u) iff u is in it.
    pub meet: Vec<M>,
    /// By cell: how many edges it is in.
    pub degree: Vec<u16>,
}

impl<M: Mask> Near<M> {
    /// Look at all edges.
    #[must_use]
    pub fn of(rest: &Residual<M>) -> Self {
        let cells = rest.cells();
        let end = M::BITS.min(64 * cells_end(cells));
        let (mut meet, mut degree) = (vec![!M::EMPTY; end], vec![0; end]);
        for &e in rest.edges() {
            for v in e.cells() {
                meet[v] = meet[v] & e;
                degree[v] += 1;
            }
        }
        Self { cells, meet, degree }
    }

    /// The cells that no other dominates; of cells with the same edges, the lowest.
    #[must_use]
    pub fn undominated(&self) -> M {
        let dominated = |v: usize| {
            self.meet[v]
                .minus(M::bit(v))
                .cells()
                .any(|u| self.degree[u] > self.degree[v] || self.degree[u] == self.degree[v] && u < v)
        };
        self.cells.cells().filter(|&v| dominated(v)).fold(self.cells, |rest, v| rest.minus(M::bit(v)))
    }
}

/// How many 64-bit words the cells reach into.
fn cells_end<M: Mask>(cells: M) -> usize {
    (0..M::BITS.div_ceil(64)).rev().find(|&i| cells.word(i) != 0).map_or(0, |i| i + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hypergraph::{Wide, naive::maker_wins};

    fn random_residual(rng: &mut ludex_core::Rng) -> Residual<u64> {
        let cells = 3 + rng.below(8);
        let edge = |rng: &mut ludex_core::Rng| {
            let size = 1 + rng.below(4);
            (0..size).fold(0, |e, _| e | 1 << rng.below(cells))
        };
        Residual::new((0..1 + rng.below(10)).map(|_| edge(rng)).collect::<Vec<_>>())
    }

    #[test]
    fn many_edges_lose_the_same_supersets_as_few() {
        let mut rng = ludex_core::Rng::new(22);
        for _ in 0..3000 {
            let (mut one, mut other) = (random_residual(&mut rng), Residual::default());
            other.clone_from(&one);
            one.drop_supersets(&mut |_| ());
            other.drop_supersets_of_many();
            assert_eq!(one, other);
        }
        let mut with_made = Residual::<u64>::new([3, 0, 1, 0]);
        with_made.drop_supersets_of_many();
        assert_eq!(with_made.edges, [0]);
    }

    #[test]
    fn simplifying_keeps_the_winner() {
        let mut rng = ludex_core::Rng::new(21);
        let mut seen = [0; 4];
        for round in 0..12_000 {
            let rest = random_residual(&mut rng);
            let rules = Rules { dominated: round % 3 != 0, neutral: round % 4 != 0, whole: round % 5 == 0 };
            for to_move in [true, false] {
                let mut simple = rest.clone();
                simple.simplify(to_move, rules, |r| {
                    seen[match r {
                        Reduction::Superset { .. } => 0,
                        Reduction::Twins(..) => 1,
                        Reduction::Exchange { .. } => 2,
                        Reduction::Neutral(_) => 3,
                    }] += 1;
                });
                let (before, after) = (maker_wins(&rest.edges, to_move), maker_wins(&simple.edges, to_move));
                assert_eq!(before, after, "{rest:?} became {simple:?}, Maker to move: {to_move}");
            }
        }
        assert!(seen.iter().all(|&n| n > 100), "{seen:?}");
    }

    /// Sets of edges give the same reductions in the same order.
    #[test]
    fn sets_of_edges_reduce_the_same() {
        let mut rng = ludex_core::Rng::new(23);
        let mut seen = [0; 4];
        for round in 0..20_000 {
            let rest = if round % 2 == 0 {
                random_residual(&mut rng)
            } else {
                let (cells, edges) = (8 + rng.below(50), 1 + rng.below(128));
                let size = |rng: &mut ludex_core::Rng| if rng.below(4) == 0 { 2 } else { 3 + rng.below(5) };
                let edge =
                    |rng: &mut ludex_core::Rng| (0..size(rng)).fold(0, |e, _| e | 1 << rng.below(cells));
                Residual::<u64>::new((0..edges).map(|_| edge(&mut rng)).collect::<Vec<_>>())
            };
            let rules =
                Rules { dominated: rng.below(4) != 0, neutral: rng.below(4) != 0, whole: rng.below(4) == 0 };
            let to_move = rng.below(2) == 0;
            let run = |way: usize| {
                let (mut rest, mut trace) = (rest.clone(), Vec::new());
                let note = |reduction| trace.push(reduction);
                let given = match way {
                    0 => rest.simplify_by_edges(to_move, rules, note),
                    1 => rest.simplify(to_move, rules, note),
                    _ => rest.simplify_sets::<u128>(to_move, rules, &mut { note }),
                };
                (rest, given, trace)
            };
            let slow = run(0);
            for reduction in &slow.2 {
                seen[match reduction {
                    Reduction::Superset { .. } => 0,
                    Reduction::Twins(..) => 1,
                    Reduction::Exchange { .. } => 2,
                    Reduction::Neutral(_) => 3,
                }] += 1;
            }
            assert_eq!(run(1), slow, "{rest:?}");
            assert_eq!(run(2), slow, "{rest:?}");
        }
        assert!(seen.iter().all(|&n| n > 300), "{seen:?}");
    }

    /// Playing only undominated cells is as good as playing any.
    #[test]
    fn undominated_cells_suffice() {
        let mut rng = ludex_core::Rng::new(22);
        for _ in 0..12_000 {
            let rest = random_residual(&mut rng);
            let cells = Near::of(&rest).undominated();
            let after = |cell: usize, maker: bool| {
                let mut next = rest.clone();
                if maker {
                    next.take(cell)
                } else {
                    next.block(cell)
                }
                maker_wins(&next.edges, !maker)
            };
            assert_eq!(maker_wins(&rest.edges, true), cells.cells().any(|c| after(c, true)), "{rest:?}");
            assert_eq!(maker_wins(&rest.edges, false), cells.cells().all(|c| after(c, false)), "{rest:?}");
        }
    }

    /// Cells in the last word of a set too.
    #[test]
    fn domination_among_many_cells() {
        let edge = |cells: &[usize]| cells.iter().fold(Wide::EMPTY, |e, &c| e | Wide::bit(c));
        let rest = Residual::new([edge(&[3, 255]), edge(&[70, 255]), edge(&[130, 140])]);
        assert_eq!(rest.undominated(), edge(&[130, 255]));
    }

    #[test]
    fn an_exchange_needs_maker_to_move() {
        let edges = [0b0011u64, 0b0110, 0b1010];
        let mut after = Residual::new(edges);
        after.block(0);
        after.take(1);
        assert!(!maker_wins(&edges, false) && maker_wins(&after.edges, false));
    }
}
