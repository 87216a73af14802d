//! Wins by threats alone, and where Breaker must play because of them.
//!
//! An edge of two cells {s,t} is a threat for Maker: he takes s, Breaker must take t at once. Maker, to move, wins if a
//! row of such exchanges ends in an edge of one cell, or in two edges of two cells that cross. The cells of the
//! exchanges and of the last edges are the *carrier* of the win.
//!
//! Theorem. If Maker could win by threats with carrier C were he to move, and Breaker is to move, every move of Breaker
//! outside C loses. Proof: the edges used in the win lie, but for Maker's cells, in C, so they are untouched by a move
//! outside it, and Maker's win goes through as it is. The same holds for a carrier found after some other move b of
//! Breaker: without b Maker has only more edges.
//!
//! All this is about a Breaker without lines of his own. Where both sides have some, see [`threats`](super::threats).

use super::{Mask, incidence::Fit, rows::Rows};

/// How many rows of exchanges are tried before a search for threats gives up; with 1, only crossings count.
pub const STATES: usize = 96;

/// A win of Maker by threats alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forced<M> {
    /// Maker's first move.
    pub first: usize,
    /// How many moves he makes, the one that completes an edge included.
    pub moves: u32,
    /// The cells of all exchanges and of the last edges.
    pub carrier: M,
}

/// A win of Maker, to move, by threats alone; `None` if none was found in so many rows of exchanges, or if it takes more
/// than `left` moves.
#[must_use]
pub fn threat_win<M: Mask>(edges: &[M], rows: usize, left: u32) -> Option<Forced<M>> {
    let quick = match Fit::of(edges) {
        Fit::One => Rows::<M, u64>::new(edges).map(|mut found| found.win(None, rows, left)),
        Fit::Two => Rows::<M, u128>::new(edges).map(|mut found| found.win(None, rows, left)),
        Fit::Neither => None,
    };
    quick.unwrap_or_else(|| threat_win_by_edges(edges, rows, left))
}

/// The same, edge by edge.
pub(super) fn threat_win_by_edges<M: Mask>(edges: &[M], rows: usize, left: u32) -> Option<Forced<M>> {
    search(edges, rows, left, &mut Vec::new()).map(|found| found.0)
}

/// The same, with Maker's cells in the order in which he takes them, up to the one after which he threatens twice.
#[must_use]
pub fn threat_row<M: Mask>(edges: &[M], rows: usize, left: u32) -> Option<(Forced<M>, Vec<usize>)> {
    let mut states = Vec::new();
    let (win, mut state, last) = search(edges, rows, left, &mut states)?;
    let mut row = vec![last];
    while state > 0 {
        let before = states[state].from;
        row.extend(states[state].taken.minus(states[before].taken).cells());
        state = before;
    }
    row.reverse();
    Some((win, row))
}

/// Look for a win by threats: the win, the row of exchanges that leads to it, and the cell that comes after it.
fn search<M: Mask>(
    edges: &[M],
    rows: usize,
    left: u32,
    states: &mut Vec<Exchanges<M>>,
) -> Option<(Forced<M>, usize, usize)> {
    let edges = within_reach(edges);
    states.push(Exchanges { from: 0, first: None, taken: M::EMPTY, blocked: M::EMPTY, slept: M::EMPTY });
    let mut pairs: Vec<M> = Vec::with_capacity(edges.len());
    let mut next = 0;
    while next < states.len() {
        let Exchanges { first, taken, blocked, mut slept, .. } = states[next];
        let from = next;
        next += 1;
        pairs.clear();
        let (mut once, mut twice, mut longer) = (M::EMPTY, M::EMPTY, M::EMPTY);
        for e in edges.iter().filter(|e| !e.meets(blocked)) {
            let lacking = e.minus(taken);
            let rest = lacking.without_lowest();
            if rest.is_empty() {
                let last = lacking.lowest().or(first)?;
                let moves = (taken | lacking).count();
                let carrier = taken | lacking | blocked;
                let win = Forced { first: first.unwrap_or(last), moves, carrier };
                return (moves <= left).then_some((win, from, last));
            }
            if !rest.without_lowest().is_empty() {
                longer = longer | lacking;
            } else if !pairs.contains(&lacking) {
                twice = twice | once & lacking;
                once = once | lacking;
                pairs.push(lacking);
            }
        }
        if let Some(cell) = twice.lowest() {
            let carrier = pairs.iter().filter(|p| p.has(cell)).take(2).fold(taken | blocked, |c, &p| c | p);
            let moves = taken.count() + 2;
            let win = Forced { first: first.unwrap_or(cell), moves, carrier };
            return (moves <= left).then_some((win, from, cell));
        }
        // The pairs are disjoint, so their exchanges can be made in any order: those passed over here sleep.
        let asleep = slept;
        for pair in pairs.iter().copied().filter(|p| !p.meets(asleep) && p.meets(longer)) {
            let high = pair.without_lowest();
            for (s, t) in [(pair ^ high, high), (high, pair ^ high)] {
                if states.len() < rows && s.meets(longer) {
                    let first = first.or(s.lowest());
                    states.push(Exchanges { from, first, taken: taken | s, blocked: blocked | t, slept });
                }
            }
            slept = slept | pair;
        }
    }
    None
}

/// A row of exchanges: the row it continues, Maker's first cell, his cells, Breaker's, and those of pairs that are exchanged in
/// other rows.
#[derive(Clone, Copy)]
struct Exchanges<M> {
    from: usize,
    first: Option<usize>,
    taken: M,
    blocked: M,
    slept: M,
}

/// Without counting bits, which is slow where there is no instruction for it.
fn at_most_two<M: Mask>(set: M) -> bool {
    set.without_lowest().without_lowest().is_empty()
}

/// The edges that can come down to two cells by exchanges: all but two of their cells are in other such edges.
fn within_reach<M: Mask>(edges: &[M]) -> Vec<M> {
    let mut found = Vec::new();
    let mut reach = M::EMPTY;
    for &e in edges {
        if at_most_two(e) {
            found.push(e);
            reach = reach | e;
        }
    }
    let mut grown = found.len();
    while grown > 0 {
        grown = 0;
        for &e in edges {
            if e.meets(reach) && at_most_two(e.minus(reach)) && !found.contains(&e) {
                found.push(e);
                grown += 1;
            }
        }
        reach = found.iter().fold(reach, |r, &e| r | e);
    }
    found
}

/// Where Breaker, to move, has to play because of Maker's threats: `None` if anywhere, the empty set if he has lost.
/// Only moves within `worth` are considered; the others are known to be no better.
#[must_use]
pub fn must_play<M: Mask>(edges: &[M], worth: M, rows: usize, left: u32) -> Option<M> {
    let quick = match Fit::of(edges) {
        Fit::One => Rows::<M, u64>::new(edges)
            .map(|mut found| must_play_after(worth, |without| found.win(without, rows, left))),
        Fit::Two => Rows::<M, u128>::new(edges)
            .map(|mut found| must_play_after(worth, |without| found.win(without, rows, left))),
        Fit::Neither => None,
    };
    quick.unwrap_or_else(|| must_play_by_edges(edges, worth, rows, left))
}

/// The same, edge by edge.
fn must_play_by_edges<M: Mask>(edges: &[M], worth: M, rows: usize, left: u32) -> Option<M> {
    let mut after = Vec::with_capacity(edges.len());
    must_play_after(worth, |without| {
        let Some(cell) = without else { return threat_win_by_edges(edges, rows, left) };
        after.clear();
        after.extend(edges.iter().copied().filter(|e| !e.has(cell)));
        threat_win_by_edges(&after, rows, left)
    })
}

/// The same, with Maker's wins by threats as `win` finds them, without the edges through a cell where one is named.
fn must_play_after<M: Mask>(worth: M, mut win: impl FnMut(Option<usize>) -> Option<Forced<M>>) -> Option<M> {
    let mut open = win(None)?.carrier & worth;
    let mut good = M::EMPTY;
    while let Some(cell) = open.lowest() {
        open = open.minus(M::bit(cell));
        match win(Some(cell)) {
            Some(Forced { carrier, .. }) => {
                open = open & carrier;
                good = good & carrier;
            }
            None => good = good | M::bit(cell),
        }
    }
    Some(good)
}

/// Rows of threats by which Maker would win were he to move, chosen so that few of Breaker's moves lie in the carriers of all of
/// them. Empty if no row is found.
#[must_use]
pub fn rows_around<M: Mask>(edges: &[M], rows: usize, left: u32) -> Vec<Vec<usize>> {
    let Some((win, row)) = threat_row(edges, rows, left) else { return Vec::new() };
    let mut found = vec![(win.carrier, row)];
    let mut open = win.carrier;
    let mut tried = M::EMPTY;
    let mut after = Vec::with_capacity(edges.len());
    while let Some(cell) = open.minus(tried).lowest() {
        let bit = M::bit(cell);
        tried = tried | bit;
        after.clear();
        after.extend(edges.iter().copied().filter(|e| !e.meets(bit)));
        if let Some((win, row)) = threat_row(&after, rows, left) {
            open = open & win.carrier;
            found.push((win.carrier, row));
        }
    }
    // A row that the others make superfluous goes.
    let mut i = 0;
    while found.len() > 1 && i < found.len() {
        let others = found.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, (carrier, _))| *carrier);
        if others.reduce(|a, b| a & b) == Some(open) {
            found.remove(i);
        } else {
            i += 1;
        }
    }
    found.into_iter().map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hypergraph::{Near, Residual, naive::maker_wins};

    #[test]
    fn threats_win_and_bind() {
        let mut rng = ludex_core::Rng::new(31);
        let (mut wins, mut bound) = (0, 0);
        for _ in 0..20_000 {
            let cells = 4 + rng.below(7);
            let edges: Vec<u64> = (0..2 + rng.below(8))
                .map(|_| (0..2 + rng.below(3)).fold(0, |e, _| e | 1 << rng.below(cells)))
                .collect();
            if let Some(win) = threat_win(&edges, STATES, u32::MAX) {
                wins += 1;
                assert!(maker_wins(&edges, true), "{edges:?}");
                let mut next = Residual::new(edges.clone());
                next.take(win.first);
                assert!(win.moves == 1 || maker_wins(next.edges(), false), "{edges:?}: {win:?}");
                let (same, row) = threat_row(&edges, STATES, u32::MAX).expect("the same");
                assert_eq!((same, row[0]), (win, win.first));
                for row in rows_around(&edges, STATES, u32::MAX) {
                    played_out(&edges, &row);
                }
            }
            let rest = Residual::new(edges.clone());
            let worth = Near::of(&rest).undominated();
            if let Some(cells) = must_play(&edges, worth, STATES, u32::MAX) {
                bound += 1;
                let saves = cells.cells().any(|c| {
                    let mut next = rest.clone();
                    next.block(c);
                    !maker_wins(next.edges(), true)
                });
                assert_eq!(saves, !maker_wins(&edges, false), "{edges:?}");
            }
        }
        assert!(wins > 1000 && bound > 1000);
    }

    /// Sets of edges find the very same wins: on random hypergraphs of few and of many edges, with all limits.
    #[test]
    fn sets_of_edges_find_the_same() {
        let mut rng = ludex_core::Rng::new(32);
        let (mut wins, mut lost, mut long) = (0, 0, 0);
        for round in 0..30_000 {
            let cells = 4 + rng.below(if round % 2 == 0 { 10 } else { 50 });
            let count = rng.below([6, 12, 30, 64, 128][round % 5]);
            let size = |rng: &mut ludex_core::Rng| if rng.below(3) == 0 { 2 } else { 1 + rng.below(5) };
            let mut edges: Vec<u64> = (0..count)
                .map(|_| (0..size(&mut rng)).fold(0u64, |e, _| e | 1 << rng.below(cells)))
                .filter(|e| round % 7 == 0 || e.count_ones() > 1)
                .collect();
            if round % 11 == 0 {
                edges.push(0x1f_ffff);
            }
            let rows = [1, 5, STATES][rng.below(3)];
            let left = [2, 4, u32::MAX][rng.below(3)];
            let slow = threat_win_by_edges(&edges, rows, left);
            assert_eq!(threat_win(&edges, rows, left), slow, "{edges:?}");
            let two_words = Rows::<u64, u128>::new(&edges).map(|mut found| found.win(None, rows, left));
            assert!(two_words.is_none_or(|win| win == slow), "{edges:?}");
            let wide: Vec<u128> = edges.iter().map(|&e| u128::from(e) << 40).collect();
            let moved = slow.map(|win| (win.first + 40, win.moves, u128::from(win.carrier) << 40));
            let found = threat_win(&wide, rows, left).map(|win| (win.first, win.moves, win.carrier));
            assert_eq!(found, moved, "{edges:?}");
            let worth = rng.next_u64() | rng.next_u64();
            let slow = must_play_by_edges(&edges, worth, rows, left);
            assert_eq!(must_play(&edges, worth, rows, left), slow, "{edges:?}");
            wins += u32::from(slow.is_some_and(|cells| cells == 0));
            lost += u32::from(slow.is_none());
            long += u32::from(two_words.is_none());
        }
        assert!(wins > 1000 && lost > 1000 && long > 1000, "{wins} {lost} {long}");
    }

    /// Every cell of a row leaves one threat, until one leaves two or completes an edge. A row that was found after a move of
    /// Breaker may win sooner without it.
    fn played_out(edges: &[u64], row: &[usize]) {
        let mut rest = Residual::new(edges.to_vec());
        for &cell in row {
            rest.take(cell);
            let threats = rest.single();
            if rest.is_made() || threats.count_ones() > 1 {
                return;
            }
            assert_eq!(threats.count_ones(), 1, "{edges:?}: {row:?}");
            rest.block(threats.trailing_zeros() as usize);
        }
        panic!("{edges:?}: {row:?} does not win");
    }

    /// A row of exchanges: {a,b}, {a,c,d}, {c,e}: Maker takes a, Breaker b; now {c,d} and {c,e} cross.
    #[test]
    fn an_exchange_makes_a_crossing() {
        let edges = [0b00011u64, 0b01101, 0b10100];
        let win = Forced { first: 0, moves: 3, carrier: 0b11111 };
        assert_eq!(threat_win(&edges, STATES, u32::MAX), Some(win));
        assert_eq!(threat_win(&edges, STATES, 2), None);
        assert_eq!(threat_win(&[0b00011u64, 0b01101], STATES, u32::MAX), None);
    }
}
