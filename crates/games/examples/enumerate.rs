//! Count all positions of a game: how many, how many won, lost and drawn for the side to move, how many up to symmetry.
//!
//! `cargo run --release -p ludex-games --example enumerate -- mnk:4,4,3`

use std::collections::HashSet;

use ludex_core::{Error, Outcome, conformance::Minimax};
use ludex_games::registry::{self, Playable, Visitor};

struct Enumerate;

impl Visitor for Enumerate {
    type Output = ();

    fn visit<G: Playable>(self, game: G) {
        let Some(start) = game.root() else {
            eprintln!("{} has no fixed start", game.spec());
            return;
        };
        let mut minimax = Minimax::new();
        let value = minimax.value(&game, &start);
        let mut ended = HashSet::new();
        for p in minimax.values.keys() {
            game.each_move(p, |m| {
                let child = game.play(p, m);
                if game.outcome(&child).is_some() {
                    ended.insert(child);
                }
            });
        }
        let mut counts = [0u64; 3];
        let mut keys = HashSet::new();
        for p in minimax.values.keys().chain(&ended) {
            let outcome = game.outcome(p).unwrap_or_else(|| minimax.values[p].outcome());
            counts[outcome as usize] += 1;
            keys.insert(game.key(p));
        }
        let [lost, drawn, won] =
            [Outcome::Loss, Outcome::Draw, Outcome::Win].map(|outcome| counts[outcome as usize]);
        println!(
            "{}: {value}; {} positions, {won} won, {lost} lost, {drawn} drawn; {} up to symmetry",
            game.spec(),
            won + lost + drawn,
            keys.len()
        );
    }
}

fn main() -> Result<(), Error> {
    for spec in std::env::args().skip(1) {
        registry::visit(&spec.parse()?, Enumerate)?;
    }
    Ok(())
}
