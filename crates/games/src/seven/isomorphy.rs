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

use std::sync::OnceLock;

use super::{Board, Tile, TileMask, symmetry::Symmetry};
use crate::hypergraph::{Mask, incidence};

const IMAGES: [Symmetry; 4] = [Symmetry::Identity, Symmetry::Mirror, Symmetry::Flip, Symmetry::Turn];

/// How the lines look from another place: those that are there, moved back, and not here; and those that are only here.
#[derive(Clone, Debug)]
struct Elsewhere<M> {
    more: Vec<M>,
    /// Bit i is the i-th line.
    missing: u128,
}

/// [`Elsewhere`] for every image and shift, made when it is first needed.
#[derive(Debug, Default)]
pub(super) struct Places<M>(OnceLock<Vec<Elsewhere<M>>>);

impl<M: TileMask> Places<M> {
    fn get(&self, game: &Tile<M>, symmetry: usize, shift: i32) -> &Elsewhere<M> {
        let shifts = 2 * game.columns() as i32 + 1;
        let all = self.0.get_or_init(|| {
            let lines = game.weak.lines();
            let shifts = -(game.columns() as i32)..=game.columns() as i32;
            let place = |symmetry: Symmetry, shift: i32| {
                let back = lines.iter().filter_map(|&line| {
                    let moved = shifted(line, -shift);
                    let fits = moved.within(game.all()) && shifted(moved, shift) == line;
                    fits.then(|| symmetry.image(moved, game.columns()))
                });
                let there: Vec<M> = back.collect();
                let more = there.iter().copied().filter(|line| !lines.contains(line)).collect();
                let missing = lines.iter().enumerate().filter(|(_, line)| !there.contains(line));
                Elsewhere { more, missing: missing.fold(0, |set, (i, _)| set | 1 << i) }
            };
            IMAGES
                .iter()
                .flat_map(|&s| shifts.clone().map(move |shift| (s, shift)))
                .map(|(s, d)| place(s, d))
                .collect()
        });
        &all[symmetry * shifts as usize + (shift + game.columns() as i32) as usize]
    }
}

/// A set of cells, so many columns to the right.
fn shifted<M: TileMask>(set: M, columns: i32) -> M {
    let by = 4 * columns.unsigned_abs();
    match columns {
        _ if by as usize >= M::BITS => M::EMPTY,
        ..0 => set >> by,
        _ => set << by,
    }
}

/// The live part of a position: of every line without a cell of Breaker whose rest contains no other, Maker's cells and the
/// cells he lacks.
struct Part<M> {
    /// What is left of these lines.
    edges: Vec<M>,
    /// Which lines they are; bit i is the i-th line.
    lines: u128,
    cells: M,
    maker: M,
}

impl<M: TileMask> Tile<M> {
    /// The canonical cells of Maker and Breaker, for the side to move that the position has.
    pub(super) fn canonical(&self, p: &Board<M>) -> (M, M) {
        let Some(part) = self.live_part(p) else { return self.canonical_by_lines(p) };
        let mut least = None;
        for (i, symmetry) in IMAGES.into_iter().enumerate() {
            let maker = symmetry.image(part.maker, self.columns());
            let all = symmetry.image(part.cells | part.maker, self.columns());
            if all.is_empty() {
                break;
            }
            // Against the left edge, and from there to the right.
            let (start, end) = all.span();
            for shift in 0..=self.columns() as u32 - (end - start) {
                let moved = |set: M| set >> (4 * start) << (4 * shift);
                let place = (moved(maker), self.all().minus(moved(all)));
                let better = least.is_none_or(|least| place < least);
                let found = better && self.fits(&part, self.places.get(self, i, shift as i32 - start as i32));
                if found {
                    least = Some(place);
                }
                // Further to the right, Maker's cells are a larger number.
                if !maker.is_empty() && (found || !better) {
                    break;
                }
            }
        }
        least.unwrap_or((p.maker, p.breaker))
    }

    /// `None` if there are too many lines.
    fn live_part(&self, p: &Board<M>) -> Option<Part<M>> {
        let all = self.weak.lines();
        if all.len() > 128 {
            return None;
        }
        let mut numbers = [0u8; 128];
        let mut edges = Vec::with_capacity(all.len());
        for (i, line) in all.iter().enumerate() {
            if !line.meets(p.breaker) {
                numbers[edges.len()] = i as u8;
                edges.push(line.minus(p.maker));
            }
        }
        let minimal = incidence::minimal(&edges)?;
        let (mut lines, mut maker, mut cells, mut kept) = (0, M::EMPTY, M::EMPTY, 0);
        for i in minimal.cells() {
            let edge = edges[i];
            lines |= 1 << numbers[i];
            maker = maker | all[usize::from(numbers[i])] & p.maker;
            cells = cells | edge;
            edges[kept] = edge;
            kept += 1;
        }
        edges.truncate(kept);
        Some(Part { edges, lines, cells, maker })
    }

    /// Whether the lines elsewhere leave of the part the images of its edges, and nothing that contains none.
    fn fits(&self, part: &Part<M>, elsewhere: &Elsewhere<M>) -> bool {
        let all = part.cells | part.maker;
        let more =
            || elsewhere.more.iter().filter(|line| line.within(all)).map(|line| line.minus(part.maker));
        if !more().all(|rest| part.edges.iter().any(|edge| edge.within(rest))) {
            return false;
        }
        let lines = self.weak.lines();
        let rest = |i: usize| lines[i].minus(part.maker);
        // What is missing must be left of another line.
        (part.lines & elsewhere.missing).cells().all(|i| {
            more().any(|other| other == rest(i))
                || part.lines.minus(elsewhere.missing).cells().any(|j| rest(j) == rest(i))
        })
    }

    /// The same, line by line.
    fn canonical_by_lines(&self, p: &Board<M>) -> (M, M) {
        let lines = self.weak.lines();
        let live: Vec<M> = lines.iter().copied().filter(|line| !line.meets(p.breaker)).collect();
        // What is left of the lines, without what contains another, and Maker's cells in those.
        let (mut edges, mut maker) = (Vec::with_capacity(live.len()), M::EMPTY);
        for line in &live {
            let rest = line.minus(p.maker);
            let inside = |other: &M| other.minus(p.maker).within(rest) && other.minus(p.maker) != rest;
            if !live.iter().any(inside) {
                edges.push(rest);
                maker = maker | *line & p.maker;
            }
        }
        let cells = edges.iter().fold(M::EMPTY, |cells, &e| cells | e);
        let mut least = None;
        for symmetry in IMAGES {
            let image = |set: M| symmetry.image(set, self.columns());
            let part = image(cells | maker);
            if part.is_empty() {
                break;
            }
            // Against the left edge, and from there to the right.
            let (start, end) = part.span();
            for shift in 0..=self.columns() as u32 - (end - start) {
                let moved = |set: M| image(set) >> (4 * start) << (4 * shift);
                let place = (moved(maker), self.all().minus(moved(cells | maker)));
                if least.is_none_or(|least| place < least) && same(lines, &edges, moved, place) {
                    least = Some(place);
                }
            }
        }
        least.unwrap_or((p.maker, p.breaker))
    }
}

/// Whether the cells of Maker and Breaker leave of the lines the images of the edges, and nothing that contains none.
fn same<M: TileMask>(lines: &[M], edges: &[M], moved: impl Fn(M) -> M, (maker, breaker): (M, M)) -> bool {
    let left = || lines.iter().filter(|line| !line.meets(breaker)).map(|line| line.minus(maker));
    let images: Vec<M> = edges.iter().map(|&e| moved(e)).collect();
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
        seven::{EdgeSet, Seven, WideSeven},
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

    /// The changes of the lines from place to place give the same keys as all lines.
    #[test]
    fn changes_of_lines_give_the_same_keys() {
        let mut rng = Rng::new(10);
        let mut moved = 0;
        for round in 0..4000 {
            let edges = if round % 3 == 0 { EdgeSet::Harness } else { EdgeSet::Paper };
            let game = Seven::new(4 + round % 12, edges).expect("a board").for_goal(Goal::Wdl);
            let (low, high) = (rng.below(20), rng.below(21));
            for _ in 0..4 {
                let mut p = game.start();
                for cell in 0..4 * game.columns() {
                    match rng.below(20) {
                        n if n < low.min(high) => p.maker |= 1 << cell,
                        n if n < low.max(high) => p.breaker |= 1 << cell,
                        _ => (),
                    }
                }
                let slow = game.canonical_by_lines(&p);
                assert_eq!(game.canonical(&p), slow, "{p:?} of {game:?}");
                moved += u32::from(slow != (p.maker, p.breaker));
            }
        }
        assert!(moved > 2000, "{moved}");
        for round in 0..200 {
            let game = WideSeven::new(16 + round % 8, EdgeSet::Paper).expect("a board").for_goal(Goal::Wdl);
            let mut p = game.start();
            for cell in 0..4 * game.columns() {
                match rng.below(10) {
                    0..3 => p.maker |= 1 << cell,
                    3..7 => p.breaker |= 1 << cell,
                    _ => (),
                }
            }
            assert_eq!(game.canonical(&p), game.canonical_by_lines(&p), "{p:?} of {game:?}");
        }
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
