//! The rules of [`reduce`](super::reduce) on sets of edges, for hypergraphs that [`Incidence`] holds. The same
//! reductions come in the same order.

use super::{
    Given, Mask, Reduction, Residual, Rules,
    incidence::Incidence,
    residual::{ONE, weight_of},
};

/// A hypergraph on the way to its simplest form.
struct Simplifying<'a, M, S> {
    edges: &'a mut [M],
    on: Incidence<S>,
    /// The edges that are left.
    live: S,
    given: Given<M>,
}

impl<M: Mask> Residual<M> {
    /// Apply the rules until none applies any more. No edge is empty.
    pub(super) fn simplify_sets<S: Mask>(
        &mut self,
        maker_to_move: bool,
        rules: Rules,
        trace: &mut impl FnMut(Reduction<M>),
    ) -> Given<M> {
        let (on, live) = (Incidence::<S>::of(&self.edges), S::below(self.edges.len()));
        let mut at = Simplifying { edges: &mut self.edges, on, live, given: Given::default() };
        loop {
            let mut changed = false;
            let mut made = false;
            if rules.dominated {
                at.drop_supersets(trace);
                changed = at.pair_twins(trace);
                if !changed && maker_to_move {
                    (changed, made) = at.exchange(trace);
                }
            }
            if !changed && rules.neutral {
                changed = at.drop_neutral(rules.whole, trace);
            }
            if !changed || made {
                break;
            }
        }
        let Simplifying { live, given, .. } = at;
        let mut kept = 0;
        for i in live.cells() {
            self.edges[kept] = self.edges[i];
            kept += 1;
        }
        self.edges.truncate(kept);
        given
    }
}

impl<M: Mask, S: Mask> Simplifying<'_, M, S> {
    fn cells(&self) -> M {
        self.live.cells().fold(M::EMPTY, |cells, i| cells | self.edges[i])
    }

    fn drop_supersets(&mut self, trace: &mut impl FnMut(Reduction<M>)) {
        let mut todo = self.live;
        while let Some(i) = todo.lowest() {
            todo = todo.without_lowest();
            let inner = self.edges[i];
            let containing = self.on.containing(inner, i, self.live).minus(S::bit(i));
            if containing.is_empty() {
                continue;
            }
            containing.cells().for_each(|j| trace(Reduction::Superset { edge: self.edges[j], inner }));
            self.live = self.live.minus(containing);
            todo = todo.minus(containing);
        }
    }

    fn pair_twins(&mut self, trace: &mut impl FnMut(Reduction<M>)) -> bool {
        let mut left = self.cells();
        let mut gone = S::EMPTY;
        while let Some(v) = left.lowest() {
            left = left.without_lowest();
            let through = self.on.through(v) & self.live;
            let Some(edge) = through.lowest().map(|i| self.edges[i]) else { continue };
            // A lower twin would have found this one.
            let twin = (edge & left).cells().find(|&u| self.on.through(u) & self.live == through);
            if let Some(u) = twin {
                left = left.minus(M::bit(u));
                gone = gone | through;
                self.given.blocked = self.given.blocked | M::bit(u) | M::bit(v);
                trace(Reduction::Twins(v, u));
            }
        }
        self.live = self.live.minus(gone);
        !gone.is_empty()
    }

    /// Whether there was an exchange, and whether it has completed an edge.
    fn exchange(&mut self, trace: &mut impl FnMut(Reduction<M>)) -> (bool, bool) {
        for i in self.live.cells() {
            let e = self.edges[i];
            let (Some(a), Some(b)) = (e.lowest(), e.without_lowest().lowest()) else { continue };
            if !e.without_lowest().without_lowest().is_empty() {
                continue;
            }
            let alone = |cell: usize| (self.on.through(cell) & self.live).without_lowest().is_empty();
            let (taken, blocked) = match (alone(a), alone(b)) {
                (true, _) => (b, a),
                (_, true) => (a, b),
                _ => continue,
            };
            self.given.taken = self.given.taken | M::bit(taken);
            self.given.blocked = self.given.blocked | M::bit(blocked);
            self.live = self.live.minus(self.on.through(blocked));
            let mut made = false;
            for j in (self.on.through(taken) & self.live).cells() {
                self.edges[j] = self.edges[j].minus(M::bit(taken));
                made |= self.edges[j].is_empty();
            }
            self.on.forget(taken);
            trace(Reduction::Exchange { taken, blocked });
            return (true, made);
        }
        (false, false)
    }

    fn drop_neutral(&mut self, whole: bool, trace: &mut impl FnMut(Reduction<M>)) -> bool {
        let mut left = self.cells();
        let mut gone = S::EMPTY;
        while let Some(cell) = left.lowest() {
            let (part, edges) = if whole { (left, self.live) } else { self.component(cell) };
            left = left.minus(part);
            // Enough is enough: most parts are far from neutral.
            let mut weight = 0;
            let neutral = edges.cells().all(|i| {
                weight += weight_of(self.edges[i]);
                weight < ONE / 2
            });
            if neutral {
                gone = gone | edges;
                trace(Reduction::Neutral(part));
            }
        }
        self.live = self.live.minus(gone);
        !gone.is_empty()
    }

    /// The cells connected with a cell by edges, and these edges.
    fn component(&self, cell: usize) -> (M, S) {
        let (mut cells, mut edges) = (M::bit(cell), S::EMPTY);
        let mut new = cells;
        while !new.is_empty() {
            let met = new.cells().fold(S::EMPTY, |met, v| met | self.on.through(v));
            let found = (met & self.live).minus(edges);
            edges = edges | found;
            new = found.cells().fold(M::EMPTY, |cells, i| cells | self.edges[i]).minus(cells);
            cells = cells | new;
        }
        (cells, edges)
    }
}
