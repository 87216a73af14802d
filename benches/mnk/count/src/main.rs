//! Solves one m,n,k-game from its start by alpha-beta and does nothing else, so that its instructions can be counted. It
//! builds in a fraction of the time of the whole program.

use ludex_core::{Game, Goal, Unlimited};
use ludex_games::mnk::{Mnk, Rule};
use ludex_search::{Ask, alphabeta, table::Table};

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|n| n.parse().expect("a number")).collect();
    let [m, n, k] = numbers[..] else { panic!("the columns, the rows and the length of a line") };
    let game = Mnk::<u64>::new(m, n, k, Rule::Strong).for_goal(Goal::Wdl);
    let table = Table::new(16 << 20, game.key_bits());
    let position = game.root().expect("a start");
    let ask = Ask { game: &game, position, goal: Goal::Wdl, probe: &Unlimited, worker: 0 };
    let verdict = alphabeta::solve(&ask, &table).expect("no contradiction");
    let value = verdict.bounds.outcome().expect("no limit");
    println!("{m},{n},{k}: {value:?}, {} nodes", verdict.stats.nodes);
}
