//! A game in thirty lines, and what all its positions are worth: `cargo run -p ludex-core --example heap`.
//!
//! A heap of counters; a move takes one, two or three; who takes the last one wins.

use ludex_core::{Game, Outcome, Side, conformance::Minimax, perft};

#[derive(Clone, Debug)]
struct Heap;

impl Game for Heap {
    type Position = (u32, Side);
    type Move = u32;
    type Key = [u64; 2];

    fn root(&self) -> Option<(u32, Side)> {
        Some((10, Side::First))
    }
    fn side(&self, p: &(u32, Side)) -> Side {
        p.1
    }
    fn outcome(&self, p: &(u32, Side)) -> Option<Outcome> {
        (p.0 == 0).then_some(Outcome::Loss)
    }
    fn each_move(&self, p: &(u32, Side), f: impl FnMut(u32)) {
        (1..=p.0.min(3)).for_each(f);
    }
    fn play(&self, p: &(u32, Side), taken: u32) -> (u32, Side) {
        (p.0 - taken, p.1.other())
    }
    fn rank(&self, p: &(u32, Side)) -> u32 {
        10 - p.0
    }
    fn max_plies(&self, p: &(u32, Side)) -> u32 {
        p.0
    }
    fn key(&self, p: &(u32, Side)) -> [u64; 2] {
        [p.0.into(), p.1.index() as u64]
    }
}

fn main() {
    let mut minimax = Minimax::new();
    for left in 1..=10 {
        let position = (left, Side::First);
        let value = minimax.value(&Heap, &position);
        println!("{left:2} counters: {value}, moves {:?}", Heap.moves(&position));
    }
    println!("lines of play by length: {:?}", perft::sequences(&Heap, &(10, Side::First), 4));
}
