//! Solves one tile of seven in a row from its start by df-pn and does nothing else, so that its instructions can be counted.
//! It builds in a fraction of the time of the whole program.

use ludex_core::{Game, Goal, Unlimited};
use ludex_games::seven::{EdgeSet, Seven};
use ludex_search::{
    Ask,
    dfpn::{self, Options, ProofTable},
};

fn main() {
    let columns = std::env::args().nth(1).and_then(|n| n.parse().ok()).expect("the number of columns");
    let game = Seven::new(columns, EdgeSet::Paper).expect("a tile").for_goal(Goal::Wdl);
    let table = ProofTable::new(16 << 20);
    let position = game.root().expect("a start");
    let ask = Ask { game: &game, position, goal: Goal::Wdl, probe: &Unlimited, worker: 0 };
    let verdict = dfpn::solve(&ask, &table, Options::default()).expect("no contradiction");
    let value = verdict.bounds.outcome().expect("no limit");
    println!("4x{columns}: {value:?}, {} nodes", verdict.stats.nodes);
}
