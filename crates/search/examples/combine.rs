//! What the ways of putting proof numbers together cost: nodes of df-pn on the start of each game named.
//!
//! `cargo run --release -p ludex-search --example combine -- SPEC…`

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Instant,
};

use ludex_core::{Goal, Playable, Probe, Stop};
use ludex_games::registry::{self, Visitor};
use ludex_search::{
    Ask,
    dfpn::{self, Combine, Options, ProofTable},
};

/// A search that enters more positions than this is given up.
const LIMIT: u64 = 20_000_000;

#[derive(Default)]
struct Patience(AtomicU64);

impl Probe for Patience {
    fn check(&self, new_nodes: u64) -> Option<Stop> {
        (self.0.fetch_add(new_nodes, Ordering::Relaxed) > LIMIT).then_some(Stop::Nodes)
    }
}

struct Compare;

impl Visitor for Compare {
    type Output = ();

    fn visit<G: Playable>(self, game: G) {
        let Some(position) = game.deal(0) else { return };
        let game = game.for_goal(Goal::Wdl);
        let mut cells = Vec::new();
        for combine in [Combine::Sum, Combine::Weak] {
            for epsilon in [0.0, 0.25] {
                let table = ProofTable::new(256 << 20);
                let patience = Patience::default();
                let ask = Ask { game: &game, position, goal: Goal::Wdl, probe: &patience, worker: 0 };
                let start = Instant::now();
                let options = Options { combine, epsilon, ..Options::default() };
                let verdict = match dfpn::solve(&ask, &table, options) {
                    Ok(verdict) => verdict,
                    Err(found) => return eprintln!("{found}"),
                };
                if cells.is_empty() {
                    let outcome = verdict.bounds.outcome().map_or(verdict.status.word(), |o| o.word());
                    cells.extend([format!("`{}`", game.spec()), outcome.to_owned()]);
                }
                let seconds = start.elapsed().as_secs_f64();
                cells.push(format!("{} ({seconds:.1} s)", verdict.stats.nodes));
            }
        }
        println!("| {} |", cells.join(" | "));
    }
}

fn main() {
    println!(
        "| game | verdict | sum, ε = 0 | sum, ε = 1/4 | weak, ε = 0 | weak, ε = 1/4 |\n|---|---|---|---|---|---|"
    );
    for spec in std::env::args().skip(1) {
        let seen = spec.parse().and_then(|spec| registry::visit(&spec, Compare));
        if let Err(e) = seen {
            eprintln!("{spec}: {e} ({})", e.hint);
        }
    }
}
