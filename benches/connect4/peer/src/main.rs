//! Solves every line `MOVES SCORE` of a file with connect-four-ai, a cleared table for each, and prints mean
//! processor seconds, mean nodes and wrong scores. Clearing is not timed.

use std::time::Duration;

use connect_four_ai::{Position, Solver};
use cpu_time::ProcessTime;

fn main() {
    let file = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(file).expect("readable");
    let (mut time, mut nodes, mut wrong, mut count) = (Duration::ZERO, 0, 0, 0);
    let mut solver = Solver::empty();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let moves = words.next().filter(|m| *m != "-").unwrap_or("");
        let score: i8 = words.next().expect("a score").parse().expect("a number");
        let position = Position::from_moves(moves).expect("a position");
        solver.reset();
        let start = ProcessTime::now();
        let found = solver.solve(&position);
        time += start.elapsed();
        nodes += solver.explored_positions;
        wrong += usize::from(found != score);
        count += 1;
    }
    println!("{} {} {wrong}", time.as_secs_f64() / count as f64, nodes as f64 / count as f64);
}
