//! Solves one position with the program's own solver and does nothing else, so that its instructions can be counted. It
//! builds in a fraction of the time of the whole program.
#![allow(dead_code)]

#[path = "../../../../crates/studies/src/connect4/driver.rs"]
mod driver;
#[path = "../../../../crates/studies/src/connect4/memory.rs"]
mod memory;
#[path = "../../../../crates/studies/src/connect4/solver.rs"]
mod solver;

use ludex_core::{Game, Notation, Unlimited};
use ludex_games::connect4::Connect4;

fn main() {
    let moves = std::env::args().nth(1).expect("the moves");
    let game = Connect4::default();
    let position = game.parse_position(&moves).expect("a position");
    let memory = memory::Packed::new(64 << 20, game.key_bits()).expect("enough memory");
    let (score, nodes) = driver::score_of(&game, position, &memory, &Unlimited).expect("no limit");
    println!("{moves}: score {score}, {nodes} nodes");
}
