//! Depth-first and proof-number search in turns.
//!
//! Where a proof is a narrow line of threats, df-pn finds it long before a depth-first search leaves its first wrong
//! branch; where it is a wide tree of quiet refutations, depth-first search needs a fraction of the work. Nobody knows
//! beforehand which it is, so both search, each on a table of its own that it comes back to, with twice the nodes at
//! every turn. The loser costs a constant factor at most, and with one thread everything stays deterministic.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use ludex_core::{Bounds, Game, Probe, Stats, Status, Stop, Verdict};
use ludex_search::{
    Ask, alphabeta,
    dfpn::{self, ProofTable},
    table::Table,
};

use crate::{parallel, watch::Watch};

/// The solver's name.
pub(crate) const NAME: &str = "both";

/// Nodes of the first turn of the depth-first search.
const FIRST_TURN: u64 = 20_000;

/// A node of df-pn looks at all its children, so it gets this many times fewer.
const NODES_PER_EXPANSION: u64 = 64;

/// A job's watch that also ends a turn.
struct Turn<'a> {
    watch: &'a Watch,
    nodes: AtomicU64,
    limit: u64,
    over: AtomicBool,
}

impl Probe for Turn<'_> {
    fn check(&self, new_nodes: u64) -> Option<Stop> {
        let stop = self.watch.check(new_nodes);
        if stop.is_none() && self.nodes.fetch_add(new_nodes, Relaxed) + new_nodes >= self.limit {
            self.over.store(true, Relaxed);
            return Some(Stop::Nodes);
        }
        stop
    }

    fn elapsed(&self) -> std::time::Duration {
        self.watch.elapsed()
    }
}

/// Search in turns until one of the two has the answer, and say which; or until the watch ends it.
pub(crate) fn run<G: Game>(
    ask: &Ask<'_, G>,
    threads: usize,
    watch: &Watch,
    bounds: &Table<G::Key>,
    proofs: &ProofTable<G::Key>,
) -> (&'static str, Verdict<G::Move>) {
    let mut known = Bounds::ALL;
    let mut stats = Stats::default();
    let mut nodes = FIRST_TURN;
    loop {
        for name in ["alphabeta", "dfpn"] {
            let limit = if name == "dfpn" { nodes / NODES_PER_EXPANSION } else { nodes };
            let turn = Turn { watch, nodes: AtomicU64::new(0), limit, over: AtomicBool::new(false) };
            let mut verdict = parallel::run(watch, threads, name == "alphabeta", |worker| {
                let ask = Ask { probe: &turn, worker, ..ask.clone() };
                match name {
                    "dfpn" => dfpn::solve(&ask, proofs, dfpn::Options::default()),
                    _ => alphabeta::solve(&ask, bounds),
                }
            });
            known = known.and(verdict.bounds);
            watch.bounds(known);
            stats.absorb(&verdict.stats);
            stats.iterations.append(&mut verdict.stats.iterations);
            if verdict.status == Status::Solved || !turn.over.load(Relaxed) {
                return (name, Verdict { bounds: known, stats, ..verdict });
            }
        }
        nodes *= 2;
    }
}
