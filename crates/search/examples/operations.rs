//! What the operations of a game and of the tables take, in nanoseconds, on positions of random play.
//!
//! `cargo run --release -p ludex-search --example operations -- SPEC…`

use std::{hint::black_box, time::Instant};

use ludex_core::{Bounds, Game, Goal, Moves, Playable, Rng, Value, Window};
use ludex_games::registry::{self, Visitor};
use ludex_search::table::{Entry, Table};

/// Positions looked at, and how often the whole lot is gone through.
const POSITIONS: usize = 2000;
const ROUNDS: usize = 5;

struct Time;

impl Visitor for Time {
    type Output = ();

    fn visit<G: Playable>(self, game: G) {
        let game = game.for_goal(Goal::Wdl);
        let sample = sample(&game);
        let moves: Vec<G::Move> = sample.iter().map(|p| any_move(&game, p)).collect();
        let keys: Vec<G::Key> = sample.iter().map(|p| game.key(p)).collect();
        let mut width = 0;
        for p in &sample {
            game.each_move(p, |_| width += 1);
        }
        let table = Table::new(256 << 20, game.key_bits());
        let entry = Entry { bounds: Bounds::exact(Value::DRAW), tag: 1 };
        let mut list = Moves::new();
        let times = [
            nanoseconds(sample.len(), |i| game.outcome(&sample[i])),
            nanoseconds(sample.len(), |i| {
                let mut n = 0;
                game.each_move(&sample[i], |_| n += 1);
                n
            }),
            nanoseconds(sample.len(), |i| game.play(&sample[i], moves[i])),
            nanoseconds(sample.len(), |i| game.key(&sample[i])),
            nanoseconds(sample.len(), |i| game.look(&sample[i], Window::WIN, &mut list)),
            nanoseconds(sample.len(), |i| table.put(keys[i], entry, 1)),
            nanoseconds(sample.len(), |i| table.get(keys[i])),
        ];
        let cells = times.map(|t| format!("{t:.0}")).join(" | ");
        println!("| `{}` | {} | {cells} |", game.spec(), width / sample.len());
    }
}

/// Unfinished positions of random games.
fn sample<G: Playable>(game: &G) -> Vec<G::Position> {
    let mut rng = Rng::new(1);
    let mut sample = Vec::new();
    for seed in 0.. {
        let Some(mut p) = game.deal(seed) else { return sample };
        while game.outcome(&p).is_none() {
            sample.push(p);
            if sample.len() == POSITIONS {
                return sample;
            }
            let Some(&m) = rng.pick(&game.moves(&p)) else { break };
            p = game.play(&p, m);
        }
    }
    sample
}

fn any_move<G: Game>(game: &G, p: &G::Position) -> G::Move {
    let mut last = None;
    game.each_move(p, |m| last = Some(m));
    last.expect("an unfinished game has a move")
}

/// The least of a few measurements, for one call.
fn nanoseconds<T>(n: usize, mut call: impl FnMut(usize) -> T) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for i in 0..n {
            black_box(call(i));
        }
        least = least.min(start.elapsed().as_secs_f64() * 1e9 / n as f64);
    }
    least
}

fn main() {
    println!("| game | moves | outcome | each_move | play | key | look | table put | table get |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for spec in std::env::args().skip(1) {
        let seen = spec.parse().and_then(|spec| registry::visit(&spec, Time));
        if let Err(e) = seen {
            eprintln!("{spec}: {e} ({})", e.hint);
        }
    }
}
