//! Which edges go through which cell, as sets of edges.
//!
//! With E(v) as one or two words, a question about all edges at once takes a few instructions: the edges that contain an
//! edge are the intersection of E(v) over its cells, u and v are twins if E(u) = E(v), and taking a cell makes every edge of
//! E(v) one shorter. It fits 128 cells and 128 edges; for more, the callers go through the edges one by one.

use super::Mask;

/// More cells than this do not fit.
pub(super) const CELLS: usize = 128;

/// What sets of edges hold the edges of a hypergraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// One word.
    One,
    /// Two words.
    Two,
    /// There are too many edges or cells.
    Neither,
}

impl Fit {
    #[inline]
    pub(super) fn of<M: Mask>(edges: &[M]) -> Self {
        match edges.len() {
            _ if M::BITS > CELLS => Self::Neither,
            0..=64 => Self::One,
            65..=128 => Self::Two,
            _ => Self::Neither,
        }
    }
}

/// E(v) for every cell v; the i-th edge is bit i of a set `S`.
#[derive(Clone, Debug)]
pub(super) struct Incidence<S> {
    through: [S; CELLS],
}

impl<S: Mask> Incidence<S> {
    /// Look at all edges.
    #[inline]
    pub(super) fn of<M: Mask>(edges: &[M]) -> Self {
        let mut through = [S::EMPTY; CELLS];
        for (i, &edge) in edges.iter().enumerate() {
            let bit = S::bit(i);
            edge.cells().for_each(|v| through[v] = through[v] | bit);
        }
        Self { through }
    }

    /// The edges through a cell.
    #[inline]
    pub(super) fn through(&self, cell: usize) -> S {
        self.through[cell]
    }

    /// A cell is in no edge any more.
    pub(super) fn forget(&mut self, cell: usize) {
        self.through[cell] = S::EMPTY;
    }

    /// Those of `live` that contain an edge; with the i-th edge itself, if it is one of them.
    #[inline]
    pub(super) fn containing<M: Mask>(&self, edge: M, i: usize, live: S) -> S {
        let own = S::bit(i);
        let mut found = live;
        for v in edge.cells() {
            found = found & self.through[v];
            if found == own {
                break;
            }
        }
        found
    }

    /// The cells that no other dominates; of cells with the same edges, the lowest. `cells` are the cells of all edges.
    pub(super) fn undominated<M: Mask>(&self, edges: &[M], cells: M) -> M {
        let mut kept = cells;
        for v in cells.cells() {
            let own = self.through[v];
            let Some(edge) = own.lowest().map(|i| edges[i]) else { continue };
            let over = |u: usize| own.within(self.through[u]) && (u < v || self.through[u] != own);
            if edge.minus(M::bit(v)).cells().any(over) {
                kept = kept.minus(M::bit(v));
            }
        }
        kept
    }
}

/// The edges that contain no other, as bits; equal ones are all among them. `None` if there are too many.
pub(crate) fn minimal<M: Mask>(edges: &[M]) -> Option<u128> {
    match Fit::of(edges) {
        Fit::One => Some(minimal_sets::<M, u64>(edges).into()),
        Fit::Two => Some(minimal_sets::<M, u128>(edges)),
        Fit::Neither => None,
    }
}

fn minimal_sets<M: Mask, S: Mask>(edges: &[M]) -> S {
    let on = Incidence::<S>::of(edges);
    let all = S::below(edges.len());
    let mut longer = S::EMPTY;
    for (i, &edge) in edges.iter().enumerate() {
        let containing = on.containing(edge, i, all).minus(S::bit(i));
        longer =
            containing.cells().filter(|&j| edges[j] != edge).fold(longer, |longer, j| longer | S::bit(j));
    }
    all.minus(longer)
}

/// For every edge a small number, bit by bit: bit k of the number of edge i is bit i of the k-th set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts<S>([S; 4]);

impl<S: Mask> Counts<S> {
    pub(super) const ZERO: Self = Self([S::EMPTY; 4]);

    /// One more for each edge of a set. Those whose number is too large now are returned.
    #[inline]
    pub(super) fn add(&mut self, set: S) -> S {
        let mut carry = set;
        for bits in &mut self.0 {
            (*bits, carry) = (*bits ^ carry, *bits & carry);
        }
        carry
    }

    /// One less for each edge of a set; a number that is 0 must not be asked for again.
    #[inline]
    pub(super) fn less(&mut self, set: S) {
        let mut borrow = set;
        for bits in &mut self.0 {
            *bits = *bits ^ borrow;
            borrow = borrow & *bits;
        }
    }

    /// The edges whose number is 3 or more.
    #[inline]
    pub(super) fn three_or_more(&self) -> S {
        let [a, b, c, d] = self.0;
        a & b | c | d
    }

    /// The edges whose number is 3.
    #[inline]
    pub(super) fn three(&self) -> S {
        let [a, b, c, d] = self.0;
        (a & b).minus(c | d)
    }

    /// The edges whose number is 2.
    #[inline]
    pub(super) fn two(&self) -> S {
        let [a, b, c, d] = self.0;
        b.minus(a | c | d)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hypergraph::{Near, Residual};

    #[test]
    fn counts_are_numbers() {
        let mut rng = ludex_core::Rng::new(3);
        let mut numbers = [0u32; 64];
        let mut counts = Counts::<u64>::ZERO;
        for _ in 0..2000 {
            let set = rng.next_u64();
            if rng.below(2) == 0 {
                let fits = (0..64).filter(|&i| numbers[i] < 15).fold(0, |s, i| s | 1 << i) & set;
                assert_eq!(counts.add(fits), 0);
                (0..64).filter(|&i| fits.has(i)).for_each(|i| numbers[i] += 1);
            } else {
                let some = (0..64).filter(|&i| numbers[i] > 0).fold(0, |s, i| s | 1 << i) & set;
                counts.less(some);
                (0..64).filter(|&i| some.has(i)).for_each(|i| numbers[i] -= 1);
            }
            for (i, &n) in numbers.iter().enumerate() {
                let said = (counts.two().has(i), counts.three().has(i), counts.three_or_more().has(i));
                assert_eq!(said, (n == 2, n == 3, n >= 3), "{n}");
            }
        }
        let mut full = Counts::<u64>::ZERO;
        (0..15).for_each(|_| assert_eq!(full.add(5), 0));
        assert_eq!(full.add(4), 4);
    }

    #[test]
    fn sets_that_fit() {
        assert_eq!(Fit::of(&[1u64; 0]), Fit::One);
        assert_eq!((Fit::of(&[1u64; 64]), Fit::of(&[1u128; 64])), (Fit::One, Fit::One));
        assert_eq!((Fit::of(&[1u64; 65]), Fit::of(&[1u128; 128])), (Fit::Two, Fit::Two));
        assert_eq!((Fit::of(&[1u64; 129]), Fit::of(&[1u128; 129])), (Fit::Neither, Fit::Neither));
        // Its cells have numbers from 128 on.
        assert_eq!(Fit::of(&[crate::hypergraph::Wide::bit(200)]), Fit::Neither);
    }

    #[test]
    fn minimal_edges_contain_no_other() {
        let mut rng = ludex_core::Rng::new(5);
        for _ in 0..3000 {
            let edges: Vec<u64> = (0..rng.below(128))
                .map(|_| (0..rng.below(6)).fold(0, |e, _| e | 1 << rng.below(16)))
                .collect();
            let least = |e: u64| edges.iter().all(|&inner| inner == e || !inner.within(e));
            let slow = (0..edges.len()).filter(|&i| least(edges[i])).fold(0, |s, i| s | 1 << i);
            assert_eq!(minimal(&edges), Some(slow), "{edges:?}");
        }
        assert_eq!(minimal(&[1u64; 129]), None);
    }

    #[test]
    fn cells_are_dominated_as_edge_by_edge() {
        let mut rng = ludex_core::Rng::new(4);
        for round in 0..3000 {
            let cells = 3 + rng.below(if round % 2 == 0 { 8 } else { 61 });
            let edges: Vec<u64> = (0..rng.below(if round % 3 == 0 { 60 } else { 12 }))
                .map(|_| (0..1 + rng.below(5)).fold(0, |e, _| e | 1 << rng.below(cells)))
                .collect();
            let rest = Residual::new(edges.iter().copied());
            let slow = Near::of(&rest).undominated();
            assert_eq!(rest.undominated(), slow, "{edges:?}");
            assert_eq!(Incidence::<u64>::of(&edges).undominated(&edges, rest.cells()), slow, "{edges:?}");
            assert_eq!(Incidence::<u128>::of(&edges).undominated(&edges, rest.cells()), slow, "{edges:?}");
        }
    }
}
