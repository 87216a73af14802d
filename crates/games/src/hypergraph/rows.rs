//! Rows of exchanges on sets of edges: what [`forcing`](super::forcing) does edge by edge, for hypergraphs that
//! [`Incidence`] holds. It finds the same wins in the same order.
//!
//! A row of exchanges keeps how many cells each edge lacks, bit by bit ([`Counts`]). Maker's cell s and Breaker's answer t
//! change it in a few instructions for all edges at once, and only the edges through s can bring a new edge of two cells. So
//! a row is looked at for a win when it is made, and not again with all its edges when its turn comes.

use super::{
    Mask,
    forcing::Forced,
    incidence::{Counts, Incidence},
};

/// The threats of a hypergraph.
pub(super) struct Rows<'a, M, S> {
    edges: &'a [M],
    on: Incidence<S>,
    sizes: Counts<S>,
    /// Edges of at most two cells, then those that can come down to two by exchanges in the edges before, and so on.
    rounds: Vec<S>,
    /// The rows from which others go on, or may.
    rows: Vec<Row<M, S>>,
    /// How many rows there were, with those from which none goes on.
    made: usize,
}

/// A row of exchanges: Maker's cells, Breaker's; the edges that Breaker has not touched, how many cells they lack, and the
/// cells of those that lack two; and the edges through pairs that are exchanged in other rows.
#[derive(Clone, Copy)]
struct Row<M, S> {
    first: Option<usize>,
    taken: M,
    blocked: M,
    live: S,
    lacking: Counts<S>,
    paired: M,
    slept: S,
}

impl<'a, M: Mask, S: Mask> Rows<'a, M, S> {
    /// `None` if an edge is too long to count its cells.
    pub(super) fn new(edges: &'a [M]) -> Option<Self> {
        let on = Incidence::<S>::of(edges);
        let mut sizes = Counts::ZERO;
        let cells = edges.iter().fold(M::EMPTY, |cells, &e| cells | e);
        for v in cells.cells() {
            if !sizes.add(on.through(v)).is_empty() {
                return None;
            }
        }
        Some(Self { edges, on, sizes, rounds: Vec::new(), rows: Vec::new(), made: 0 })
    }

    /// A win by threats without the edges through a cell, if one is named.
    pub(super) fn win(&mut self, without: Option<usize>, most: usize, left: u32) -> Option<Forced<M>> {
        let all = S::below(self.edges.len());
        let live = self.reach(without.map_or(all, |cell| all.minus(self.on.through(cell))));
        let few = *self.rounds.first()?;
        if let Some(single) = few.minus(self.sizes.two()).lowest() {
            let cells = self.edges[single];
            let forced = Forced { first: cells.lowest()?, moves: cells.count(), carrier: cells };
            return (forced.moves <= left).then_some(forced);
        }
        let start = Row {
            first: None,
            taken: M::EMPTY,
            blocked: M::EMPTY,
            live,
            lacking: self.sizes,
            paired: M::EMPTY,
            slept: S::EMPTY,
        };
        self.rows.clear();
        self.rows.push(start);
        self.made = 1;
        match self.pairs_meet(&start, few, M::EMPTY) {
            None => return self.forced(0, left),
            Some(paired) => self.rows[0].paired = paired,
        }
        let mut next = 0;
        while next < self.rows.len() && self.made < most {
            if let Some(won) = self.go_on(next, most) {
                return self.forced(won, left);
            }
            next += 1;
        }
        None
    }

    /// The edges within reach of exchanges: all but two of their cells are in other such edges. They are noted in rounds.
    fn reach(&mut self, live: S) -> S {
        self.rounds.clear();
        let mut lacking = self.sizes;
        let mut found = S::EMPTY;
        let mut reached = M::EMPTY;
        loop {
            let round = live.minus(found | lacking.three_or_more());
            if round.is_empty() {
                return found;
            }
            self.rounds.push(round);
            found = found | round;
            let cells = round.cells().fold(M::EMPTY, |cells, i| cells | self.edges[i]);
            for v in cells.minus(reached).cells() {
                lacking.less(self.on.through(v));
            }
            reached = reached | cells;
        }
    }

    /// Make the rows that continue one by an exchange, until one wins.
    fn go_on(&mut self, row: usize, most: usize) -> Option<usize> {
        let row = self.rows[row];
        let Row { live, slept: asleep, .. } = row;
        let longer = row.lacking.three_or_more() & live;
        let three = row.lacking.three() & live;
        let awake = (row.lacking.two() & live).minus(asleep);
        let mut slept = asleep;
        for round in 0..self.rounds.len() {
            let mut pairs = self.rounds[round] & awake;
            while let Some(i) = pairs.lowest() {
                pairs = pairs.without_lowest();
                let pair = self.edges[i].minus(row.taken);
                let (Some(low), Some(high)) = (pair.lowest(), pair.without_lowest().lowest()) else {
                    continue;
                };
                let [of_low, of_high] = [self.on.through(low), self.on.through(high)];
                // The same pair may be left of another edge.
                if slept.has(i) || !(of_low | of_high).meets(longer) {
                    continue;
                }
                // The pairs are disjoint, so their exchanges can be made in any order: those passed over here sleep.
                let later = awake.minus(slept | of_low);
                for (s, through, answered) in [(low, of_low, of_high), (high, of_high, of_low)] {
                    if !through.meets(longer) {
                        continue;
                    }
                    if self.made >= most {
                        return None;
                    }
                    self.made += 1;
                    let new = (three & through).minus(answered);
                    if new.is_empty() && later.is_empty() {
                        continue;
                    }
                    let own = M::bit(s);
                    let mut next = Row {
                        first: row.first.or(Some(s)),
                        taken: row.taken | own,
                        blocked: row.blocked | pair ^ own,
                        live: live.minus(answered),
                        lacking: row.lacking,
                        paired: row.paired.minus(pair),
                        slept,
                    };
                    next.lacking.less(through & live);
                    let paired = self.pairs_meet(&next, new, next.paired);
                    next.paired = paired.unwrap_or(M::EMPTY);
                    self.rows.push(next);
                    if paired.is_none() {
                        return Some(self.rows.len() - 1);
                    }
                }
                slept = slept | of_low;
            }
        }
        None
    }

    /// Add the edges `new` of a row, which lack two cells, to the pairs `paired`, which do not cross: the cells of all
    /// pairs; `None` if two that are not the same cross.
    #[inline]
    fn pairs_meet(&self, row: &Row<M, S>, new: S, mut paired: M) -> Option<M> {
        for i in new.cells() {
            let pair = self.edges[i].minus(row.taken);
            if pair.meets(paired) {
                let two = row.lacking.two() & row.live;
                let crosses = |cell: usize| {
                    (self.on.through(cell) & two).cells().any(|j| self.edges[j].minus(row.taken) != pair)
                };
                if pair.cells().any(crosses) {
                    return None;
                }
            }
            paired = paired | pair;
        }
        Some(paired)
    }

    /// The win of a row by the lowest crossing of its pairs.
    fn forced(&self, row: usize, left: u32) -> Option<Forced<M>> {
        let Row { first, taken, blocked, live, lacking, .. } = self.rows[row];
        let (mut pairs, mut once, mut twice) = (Vec::new(), M::EMPTY, M::EMPTY);
        for &round in &self.rounds {
            for i in (round & lacking.two() & live).cells() {
                let pair = self.edges[i].minus(taken);
                if !pairs.contains(&pair) {
                    twice = twice | once & pair;
                    once = once | pair;
                    pairs.push(pair);
                }
            }
        }
        let cell = twice.lowest()?;
        let last = pairs.iter().filter(|pair| pair.has(cell)).take(2);
        let carrier = last.fold(taken | blocked, |carrier, &pair| carrier | pair);
        let moves = taken.count() + 2;
        (moves <= left).then_some(Forced { first: first.unwrap_or(cell), moves, carrier })
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::forcing::{STATES, threat_win, threat_win_by_edges},
        *,
    };

    /// The rounds of edges within reach are those that a look at every edge and every cell finds.
    #[test]
    fn rounds_as_edge_by_edge() {
        let mut rng = ludex_core::Rng::new(33);
        let mut longest = 0;
        for _ in 0..4000 {
            let cells = 5 + rng.below(24);
            let edges: Vec<u64> = (0..2 + rng.below(40))
                .map(|_| (0..1 + rng.below(8)).fold(0, |e, _| e | 1 << rng.below(cells)))
                .collect();
            let live = (rng.next_u64() | rng.next_u64()) & u64::below(edges.len());
            let union = |set: u64| set.cells().fold(0, |cells, i| cells | edges[i]);
            let (mut found, mut rounds) = (0, Vec::new());
            loop {
                let near = |&i: &usize| edges[i].minus(union(found)).count() <= 2;
                let round = live.minus(found).cells().filter(near).fold(0, |set, i| set | 1 << i);
                if round == 0 {
                    break;
                }
                rounds.push(round);
                found |= round;
            }
            let mut rows = Rows::<u64, u64>::new(&edges).expect("short edges");
            assert_eq!((rows.reach(live), &rows.rounds), (found, &rounds), "{edges:?}");
            longest = longest.max(rounds.len());
        }
        assert!(longest > 3, "{longest} rounds at most");
    }

    /// Rows of many exchanges: pairs that do not cross, and longer edges through them. The same rows are made in the same order, so
    /// that every limit on their number finds the same.
    #[test]
    fn as_many_rows_as_edge_by_edge() {
        let mut rng = ludex_core::Rng::new(34);
        let mut found = [0; 2];
        for _ in 0..4000 {
            let pairs = 2 + rng.below(4);
            let mut edges: Vec<u64> = (0..pairs).map(|i| 3 << (2 * i)).collect();
            for _ in 0..1 + rng.below(8) {
                let size = 3 + rng.below(3);
                edges.push((0..size).fold(0, |e, _| e | 1 << rng.below(2 * pairs + 3)));
            }
            if rng.below(3) == 0 {
                edges.push(edges[rng.below(pairs)]);
            }
            for most in [1 + rng.below(12), 1 + rng.below(60), STATES] {
                let slow = threat_win_by_edges(&edges, most, u32::MAX);
                assert_eq!(threat_win(&edges, most, u32::MAX), slow, "{edges:?}, {most} rows");
                found[usize::from(slow.is_some())] += 1;
            }
        }
        assert!(found.iter().all(|&n| n > 1000), "{found:?}");
    }
}
