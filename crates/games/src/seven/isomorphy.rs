//! Keys that see no difference between positions whose live parts are moved or mirrored images of each other.
//!
//! What matters of a position is its residual hypergraph, and that does not know where on the board it lies. So the
//! live part is shifted along the board and turned over in all ways in which it fits, all other cells being Breaker's.
//! *An image whose residual hypergraph is the image of the residual hypergraph is worth the same*, since the map of the
//! cells is an isomorphism of the two games. Whether it is so is checked for each image, because lines that lie in one
//! place need not lie in another. The least of the images that pass is the canonical position.
//!
//! Every move takes a live cell, so that a position never has the key of one before it. That is why cells in no live
//! line must not be played where these keys are used.

use super::{Board, Line, Seven, symmetry::Symmetry};
use crate::hypergraph::Mask;

const IMAGES: [Symmetry; 4] = [Symmetry::Identity, Symmetry::Mirror, Symmetry::Flip, Symmetry::Turn];

impl Seven {
    /// The canonical cells of Maker and Breaker, for the side to move that the position has.
    pub(super) fn canonical(&self, p: &Board) -> (u64, u64) {
        let lines = self.weak.lines();
        let live: Vec<Line> = lines.iter().copied().filter(|line| line & p.breaker == 0).collect();
        // What is left of the lines, without what contains another, and Maker's cells in those.
        let (mut edges, mut maker) = (Vec::with_capacity(live.len()), 0);
        for line in &live {
            let rest = line & !p.maker;
            let inside = |other: &Line| (other & !p.maker).within(rest) && other & !p.maker != rest;
            if !live.iter().any(inside) {
                edges.push(rest);
                maker |= line & p.maker;
            }
        }
        let cells = edges.iter().fold(0, |cells, e| cells | e);
        let mut least = None;
        for symmetry in IMAGES {
            let image = |set: u64| symmetry.image(set, self.columns());
            let part = image(cells | maker);
            if part == 0 {
                break;
            }
            // Against the left edge, and from there to the right.
            let (start, end) = (part.trailing_zeros() / 4, (67 - part.leading_zeros()) / 4);
            for shift in 0..=self.columns() as u32 - (end - start) {
                let moved = |set: u64| image(set) >> (4 * start) << (4 * shift);
                let place = (moved(maker), self.all() & !moved(cells | maker));
                if least.is_none_or(|least| place < least) && same(lines, &edges, moved, place) {
                    least = Some(place);
                }
            }
        }
        least.unwrap_or((p.maker, p.breaker))
    }
}

/// Whether the cells of Maker and Breaker leave of the lines the images of the edges, and nothing that contains none.
fn same(lines: &[Line], edges: &[Line], moved: impl Fn(u64) -> u64, (maker, breaker): (u64, u64)) -> bool {
    let left = || lines.iter().filter(|line| *line & breaker == 0).map(|line| line & !maker);
    let images: Vec<Line> = edges.iter().map(|&e| moved(e)).collect();
    left().all(|rest| images.iter().any(|image| image.within(rest)))
        && images.iter().all(|&image| left().any(|rest| rest == image))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use ludex_core::{Game, Goal, Rng, Side};

    use super::*;
    use crate::{
        hypergraph::{Residual, naive::maker_wins},
        seven::EdgeSet,
    };

    /// Random positions with one key have one winner; and many keys are shared by positions that no symmetry of the
    /// board joins.
    #[test]
    fn one_key_one_winner() {
        let mut rng = Rng::new(9);
        let mut shared = 0;
        for columns in [5, 7, 9] {
            for edges in [EdgeSet::Paper, EdgeSet::Harness] {
                let game = Seven::new(columns, edges).expect("a board").for_goal(Goal::Wdl);
                let mut winners = HashMap::new();
                for _ in 0..3000 {
                    let mut p = game.start();
                    for cell in 0..4 * columns {
                        let bit = 1u64 << cell;
                        match rng.below(20) {
                            0..7 => p.maker |= bit,
                            7..15 => p.breaker |= bit,
                            _ => (),
                        }
                    }
                    p.side = if rng.below(2) == 0 { Side::First } else { Side::Second };
                    let rest = Residual::of(game.lines(), p.maker, p.breaker);
                    if rest.is_made() || rest.is_broken() || rest.cells().count() > 10 {
                        continue;
                    }
                    let winner = maker_wins(rest.edges(), p.side == Side::First);
                    let entry = winners.entry(game.key(&p)).or_insert((winner, rest.edges().to_vec()));
                    assert_eq!(entry.0, winner, "{p:?} on {columns} columns, {edges}");
                    shared += u32::from(entry.1 != rest.edges());
                    for image in game.images(&p) {
                        assert_eq!(game.key(&image), game.key(&p), "{p:?}");
                    }
                }
            }
        }
        assert!(shared > 500, "{shared} positions met a key again");
    }

    /// A column far from the edges is like any other.
    #[test]
    fn shifted_parts_are_the_same() {
        let game = Seven::new(12, EdgeSet::Paper).expect("a board").for_goal(Goal::Wdl);
        let alone = |column: u32| Board {
            maker: 0b0001 << (4 * column),
            breaker: game.all() & !(0b1111 << (4 * column)),
            side: Side::First,
        };
        let turned = Board { maker: 0b1000 << 20, ..alone(5) };
        for p in [alone(5), alone(7), turned] {
            assert_eq!(game.key(&p), game.key(&alone(0)), "{p:?}");
        }
        assert_ne!(game.key(&alone(5)), game.key(&Board { side: Side::Second, ..alone(5) }));
    }
}
