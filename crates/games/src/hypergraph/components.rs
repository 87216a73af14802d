//! How a residual hypergraph falls apart.
//!
//! Theorem (components). Let the edges split into parts without a common cell. Maker, to move, wins the whole iff he
//! wins one part, to move. Proof: if he wins none, Breaker answers in the part in which Maker moved by his strategy
//! there. So after a move of Maker only its own part matters: [`component`].
//!
//! Theorem (cut vertex; IV.2 of Czifra et al.). Let E = E1 ∪ E2 whose only common cell is v. Maker, to move, wins iff
//! he wins E1, or E2, or, with v his and still to move, each of them. Proof: in the last case he takes v; Breaker
//! moves in at most one part, and Maker wins the other. If none of the three holds, say Maker to move does not win E1
//! with v his; Breaker then answers moves in E1 off v by that strategy, and moves in E2, v included, by his strategy
//! there. Applied again and again: Maker wins iff he wins one block, or wins by taking a cut vertex. So after a move
//! that is no cut vertex only its own block matters: [`blocks`].
//!
//! With a bound on Maker's moves the cut vertex does not hold: v costs him a move, and Breaker's strategy in E1 would have
//! to do both for E1 with all the moves and for E1 with v and one less. A test shows a game in which no block is won and
//! the whole is, by a first move that is no cut vertex.
//!
//! The paper's Theorem IV.3, for a single edge across two parts, is false: E = {{a,b}} with the parts {a} and {b}. It
//! is not used anywhere, and a test below shows why.

use super::{Mask, Residual, incidence::CELLS};

/// The cells connected with a cell by edges, itself included.
#[must_use]
pub fn component<M: Mask>(edges: &[M], cell: usize) -> M {
    let mut reached = M::bit(cell);
    loop {
        let grown = edges.iter().filter(|e| e.meets(reached)).fold(reached, |cells, &e| cells | e);
        if grown == reached {
            return reached;
        }
        reached = grown;
    }
}

/// The parts without a common cell, each as its set of cells.
#[must_use]
pub fn components<M: Mask>(rest: &Residual<M>) -> Vec<M> {
    let mut left = rest.cells();
    let mut parts = Vec::new();
    while let Some(cell) = left.lowest() {
        let part = component(rest.edges(), cell);
        left = left.minus(part);
        parts.push(part);
    }
    parts
}

/// The blocks: maximal parts that no single cell cuts, each as its set of cells. Two blocks share at most one cell, a
/// cut vertex, and every edge lies within one block. (Hopcroft and Tarjan, on the graph of cells that share an edge.)
#[must_use]
pub fn blocks<M: Mask>(rest: &Residual<M>) -> Vec<M> {
    let cells = rest.cells();
    let mut near = vec![M::EMPTY; cells.cells().last().map_or(0, |c| c + 1)];
    for &e in rest.edges() {
        e.cells().for_each(|c| near[c] = near[c] | e);
    }
    let mut walk = Walk {
        near,
        order: vec![0; M::BITS],
        low: vec![0; M::BITS],
        count: 0,
        open: Vec::new(),
        blocks: Vec::new(),
    };
    for cell in cells.cells() {
        if walk.order[cell] == 0 {
            walk.visit(cell);
            // A cell on its own: an edge of one cell.
            if walk.near[cell] == M::bit(cell) {
                walk.blocks.push(M::bit(cell));
            }
            walk.open.clear();
        }
    }
    walk.blocks
}

/// What matters after Maker has taken a cell: its block, or its component if it is a cut vertex.
#[must_use]
pub fn around<M: Mask>(edges: &[M], cell: usize) -> M {
    let bit = M::bit(cell);
    let mut near = [M::EMPTY; CELLS];
    for &e in edges {
        e.cells().for_each(|c| near[c] = near[c] | e);
    }
    let mut climb = Climb { near: &near, unseen: !bit };
    let Some(first) = near[cell].minus(bit).lowest() else { return bit };
    let (_, mut part) = climb.visit(first, bit);
    while let Some(next) = (near[cell] & climb.unseen).lowest() {
        // The cell is a cut vertex, and the component is all that can be seen.
        climb.visit(next, bit);
        part = !climb.unseen;
    }
    part | bit
}

/// A walk through a component, with the sets of cells that Hopcroft and Tarjan keep as numbers.
struct Climb<'a, M> {
    near: &'a [M; CELLS],
    unseen: M,
}

impl<M: Mask> Climb<'_, M> {
    /// Walk from a cell on, `above` being the cells on the way to it. What comes back is the cells that are next to those
    /// of its block below it, and these cells. A part whose cells are next to none above the cell is cut off by it.
    fn visit(&mut self, cell: usize, above: M) -> (M, M) {
        let bit = M::bit(cell);
        self.unseen = self.unseen.minus(bit);
        let (mut next_to, mut block) = (self.near[cell], bit);
        while let Some(next) = (self.near[cell] & self.unseen).lowest() {
            let (reached, cells) = self.visit(next, above | bit);
            if reached.meets(above) {
                next_to = next_to | reached;
                block = block | cells;
            }
        }
        (next_to, block)
    }
}

struct Walk<M> {
    near: Vec<M>,
    order: Vec<u32>,
    low: Vec<u32>,
    count: u32,
    open: Vec<usize>,
    blocks: Vec<M>,
}

impl<M: Mask> Walk<M> {
    fn visit(&mut self, cell: usize) {
        self.count += 1;
        self.order[cell] = self.count;
        self.low[cell] = self.count;
        self.open.push(cell);
        for next in self.near[cell].minus(M::bit(cell)).cells() {
            if self.order[next] != 0 {
                self.low[cell] = self.low[cell].min(self.order[next]);
                continue;
            }
            let height = self.open.len();
            self.visit(next);
            self.low[cell] = self.low[cell].min(self.low[next]);
            if self.low[next] >= self.order[cell] {
                let block = self.open.drain(height..).fold(M::bit(cell), |b, c| b | M::bit(c));
                self.blocks.push(block);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hypergraph::naive::maker_wins;

    fn random_edges(rng: &mut ludex_core::Rng, cells: usize) -> Vec<u64> {
        let edge = |rng: &mut ludex_core::Rng| {
            let size = 1 + rng.below(4);
            (0..size).fold(0, |e, _| e | 1 << rng.below(cells))
        };
        (0..1 + rng.below(7)).map(|_| edge(rng)).collect()
    }

    #[test]
    fn blocks_of_a_chain() {
        let rest =
            Residual::<u64>::new([0b0000_0111, 0b0001_1100, 0b0011_0000, 0b0110_0000, 0b0101_0000, 1 << 9]);
        let mut found = blocks(&rest);
        found.sort_unstable();
        assert_eq!(found, [0b0000_0111, 0b0001_1100, 0b0111_0000, 1 << 9]);
        assert_eq!(components(&rest), [0b0111_1111, 1 << 9]);
    }

    /// Deleting a cell separates two blocks; a block stays in one piece without any of its cells.
    #[test]
    fn blocks_are_what_no_cell_cuts() {
        let mut rng = ludex_core::Rng::new(11);
        for _ in 0..3000 {
            let rest = Residual::new(random_edges(&mut rng, 9));
            let found = blocks(&rest);
            for (i, a) in found.iter().enumerate() {
                assert!(found[..i].iter().all(|b| (a & b).count_ones() <= 1), "{rest:?}");
                for cell in a.cells() {
                    let inside: Vec<u64> =
                        rest.edges.iter().filter(|e| e.within(*a)).map(|e| e & !(1 << cell)).collect();
                    let others = a & !(1 << cell);
                    if let Some(c) = others.lowest() {
                        assert_eq!(component(&inside, c) & others, others, "{rest:?}");
                    }
                }
            }
            assert!(rest.edges.iter().all(|e| found.iter().any(|b| e.within(*b))));
        }
    }

    #[test]
    fn around_a_cell_is_its_block_or_its_component() {
        let mut rng = ludex_core::Rng::new(14);
        let (mut one, mut several) = (0, 0);
        for round in 0..20_000 {
            let cells = 4 + rng.below(if round % 2 == 0 { 8 } else { 40 });
            let edges: Vec<u64> = (0..1 + rng.below(30))
                .map(|_| (0..1 + rng.below(4)).fold(0, |e, _| e | 1 << rng.below(cells)))
                .collect();
            let found = blocks(&Residual::new(edges.iter().copied()));
            let cell = rng.below(cells);
            let through: Vec<u64> = found.into_iter().filter(|b| b.has(cell)).collect();
            let expected = match through[..] {
                [block] => block,
                _ => component(&edges, cell),
            };
            assert_eq!(around(&edges, cell), expected, "{edges:?} around {cell}");
            one += u32::from(through.len() == 1);
            several += u32::from(through.len() > 1);
        }
        assert!(one > 1000 && several > 100, "{one} {several}");
    }

    /// Both theorems on random hypergraphs: Maker wins iff a move wins in its block, or a cut vertex does.
    #[test]
    fn only_the_block_of_a_move_matters() {
        let mut rng = ludex_core::Rng::new(12);
        for _ in 0..3000 {
            let rest = Residual::new(random_edges(&mut rng, 9));
            let found = blocks(&rest);
            let by_blocks = rest.cells().cells().any(|cell| {
                let mut part = rest.clone();
                let mut around = found.iter().filter(|b| b.has(cell));
                if let (Some(&block), None) = (around.next(), around.next()) {
                    part.restrict(block);
                }
                part.take(cell);
                maker_wins(&part.edges, false)
            });
            assert_eq!(maker_wins(&rest.edges, true), by_blocks, "{rest:?}");
        }
    }

    /// Theorem IV.3 as printed: E = E1' ∪ E2' ∪ {e}, Ei = Ei' ∪ {e ∩ Vi}; Maker, to move, wins iff he wins E1', or E2',
    /// or both E1 and E2. Its third clause is wrong for a single edge of two cells, one in each part.
    #[test]
    fn the_theorem_on_bridging_edges_is_false() {
        let (a, b) = (0b01u64, 0b10u64);
        let (one, two, whole) = ([a], [b], [a | b]);
        assert!(maker_wins(&one, true) && maker_wins(&two, true), "the third clause holds");
        assert!(!maker_wins(&whole, true), "and Breaker wins all the same");
    }

    /// What remains of it: none of the clauses, then Breaker wins; one part without e, then Maker; one part with e to
    /// move and the other with e not to move, then Maker.
    #[test]
    fn what_is_sound_of_bridging_edges() {
        let mut rng = ludex_core::Rng::new(13);
        for _ in 0..3000 {
            let left = random_edges(&mut rng, 4);
            let right: Vec<u64> = random_edges(&mut rng, 4).iter().map(|e| e << 4).collect();
            let (a, b) = (1 + rng.below(15) as u64, (1 + rng.below(15) as u64) << 4);
            let whole: Vec<u64> = left.iter().chain(&right).copied().chain([a | b]).collect();
            let with = |edges: &[u64], part: u64| edges.iter().copied().chain([part]).collect::<Vec<_>>();
            let (left_e, right_e) = (with(&left, a), with(&right, b));
            let plain = maker_wins(&left, true) || maker_wins(&right, true);
            let wins = maker_wins(&whole, true);
            if plain {
                assert!(wins);
            } else if !(maker_wins(&left_e, true) && maker_wins(&right_e, true)) {
                assert!(!wins, "{left:?} {right:?} {a} {b}");
            }
            let both = |x: &[u64], y: &[u64]| maker_wins(x, true) && maker_wins(y, false);
            if both(&left_e, &right_e) || both(&right_e, &left_e) {
                assert!(wins, "{left:?} {right:?} {a} {b}");
            }
        }
    }
}
