//! Solve a position: `cargo run --release -p ludex-search --example solve`.

use ludex_core::{Contradiction, Game, Goal, Unlimited};
use ludex_games::nex::{Nex, Rules};
use ludex_search::{Ask, alphabeta, table::Table};

fn main() -> Result<(), Contradiction> {
    let game = Nex::<1>::new(3, 3, Rules::Nexc, false).for_goal(Goal::Distance);
    let position = game.root().expect("Nex begins with an empty board");
    let ask = Ask { game: &game, position, goal: Goal::Distance, probe: &Unlimited, worker: 0 };
    let verdict = alphabeta::solve(&ask, &Table::new(64 << 20, game.key_bits()))?;
    println!("{:?} after {} nodes; best play is {:?}", verdict.bounds, verdict.stats.nodes, verdict.pv);
    Ok(())
}
