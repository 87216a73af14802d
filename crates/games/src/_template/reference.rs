//! The rules once more, naively.

use ludex_core::{Outcome, Reference, Side};

/// The naive twin of [`Heap`](super::Heap).
#[derive(Clone, Copy, Debug)]
pub struct NaiveHeap;

impl Reference for NaiveHeap {
    type Position = (Vec<char>, Side);

    fn read(&self, board: &str, side: Side) -> Self::Position {
        (vec!['o'; board.parse().expect("a number")], side)
    }

    fn write(&self, (heap, _): &Self::Position) -> String {
        heap.len().to_string()
    }

    fn side(&self, (_, side): &Self::Position) -> Side {
        *side
    }

    fn outcome(&self, (heap, _): &Self::Position) -> Option<Outcome> {
        heap.is_empty().then_some(Outcome::Loss)
    }

    fn moves(&self, (heap, _): &Self::Position) -> Vec<String> {
        ["1", "2", "3"].iter().take(heap.len()).map(ToString::to_string).collect()
    }

    fn play(&self, (heap, side): &Self::Position, m: &str) -> Self::Position {
        let mut heap = heap.clone();
        for _ in 0..m.parse().expect("a number") {
            heap.pop();
        }
        (heap, side.other())
    }
}
