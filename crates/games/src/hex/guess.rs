//! How a position looks where it cannot be solved: who is fewer stones away from a chain, and over how many ways.
//!
//! A layer after another is flooded from an edge: cells that are one stone away, two, three. A cell is on a shortest way if
//! its layers from both edges add up to the shortest distance.

use ludex_core::{Game, Side};

use super::{Hex, HexPosition};
use crate::CellSet;

/// What a side lacks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ways<const N: usize> {
    /// Stones to a chain, if the opponent passes.
    pub distance: i32,
    /// The empty cells on a shortest way.
    pub cells: CellSet<N>,
}

impl<const N: usize> Hex<N> {
    /// The shortest ways of a side.
    pub(super) fn ways(&self, p: &HexPosition<N>, side: Side) -> Ways<N> {
        let (own, empty) = (p.stones[side.index()], self.empty(p));
        let [from, to] = self.board.edges(side).map(|edge| self.layers(edge, own, empty));
        let reached = |n: usize, layers: &[CellSet<N>]| layers.get(n).copied().unwrap_or(CellSet::EMPTY);
        // A cell in layer i from one edge and j from the other costs i + j - 1 stones, itself counted once.
        let least = (1..=from.len() + to.len())
            .find(|&sum| (1..=sum).any(|i| !(reached(i - 1, &from) & reached(sum - i, &to)).is_empty()));
        let Some(sum) = least else {
            return Ways { distance: self.board.len() as i32, cells: CellSet::EMPTY };
        };
        let cells =
            (1..=sum).fold(CellSet::EMPTY, |cells, i| cells | reached(i - 1, &from) & reached(sum - i, &to));
        Ways { distance: sum as i32, cells }
    }

    /// The empty cells by the number of stones from an edge up to and with them, from one on.
    fn layers(&self, edge: CellSet<N>, own: CellSet<N>, empty: CellSet<N>) -> Vec<CellSet<N>> {
        let mut layers = Vec::new();
        let (mut reach, mut seen) = (edge & own, CellSet::EMPTY);
        let mut border = edge;
        loop {
            reach = reach | self.board.flood(reach, own);
            let layer = ((self.board.around(reach) | border) & empty).without(seen);
            if layer.is_empty() {
                return layers;
            }
            layers.push(layer);
            seen = seen | layer;
            border = CellSet::EMPTY;
            reach = layer | self.board.flood(self.board.around(layer) & own, own);
        }
    }

    /// The guess for the side to move.
    pub(super) fn guess(&self, p: &HexPosition<N>) -> i32 {
        let [us, them] = [self.side(p), self.side(p).other()].map(|side| self.ways(p, side));
        100 * (them.distance - us.distance) + us.cells.len() as i32 - them.cells.len() as i32
    }
}

#[cfg(test)]
mod tests {
    use ludex_core::{Game as _, Notation as _, Side};

    use crate::hex::Hex;

    #[test]
    fn distances_are_counted_in_stones() {
        let game = Hex::<1>::new(5, 5);
        let start = game.root().expect("a start");
        assert_eq!(game.ways(&start, Side::First).distance, 5);
        for (text, black, white) in
            [("...../..B../...../...../.....", 4, 5), ("..B../..B../..B../..B../.....", 1, 5)]
        {
            let p = game.parse_position(&format!("{text} W")).expect("a position");
            assert_eq!(game.ways(&p, Side::First).distance, black, "{text}");
            assert_eq!(game.ways(&p, Side::Second).distance, white, "{text}");
        }
    }

    #[test]
    fn a_guessing_player_begins_in_the_middle() {
        let game = Hex::<2>::new(11, 11);
        let start = game.root().expect("a start");
        let mut moves = ludex_core::Moves::new();
        game.candidates(&start, 20, &mut moves);
        assert_eq!(moves.len(), 20);
        assert_eq!(game.move_text(&start, moves.get(0)), "f6");
    }
}
