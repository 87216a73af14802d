//! Depth-first and proof-number search in turns.
//!
//! Where a proof is a narrow line of threats, df-pn finds it long before a depth-first search leaves its first wrong
//! branch; where it is a wide tree of quiet refutations, depth-first search needs a fraction of the work. Nobody knows
//! beforehand which it is, so both search, each on a table of its own that it comes back to, with twice the nodes at
//! every turn. The loser costs a constant factor at most, and with one thread everything stays deterministic.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use ludex_core::{Bounds, Contradiction, Error, Notation, Probe, Stats, Status, Stop, Verdict};
use ludex_search::{Ask, dfpn::ProofTable, searches::Searches, table::Table};

use crate::{Spawner, monitor::Monitor, parallel};

/// Nodes of the first turn of the depth-first search.
const FIRST_TURN: u64 = 20_000;

/// A node of df-pn looks at all its children, so it gets this many times fewer.
const NODES_PER_EXPANSION: u64 = 64;

/// A monitor that also ends a turn.
struct Turn<'a> {
    monitor: &'a Monitor,
    nodes: AtomicU64,
    limit: u64,
    over: AtomicBool,
}

impl Probe for Turn<'_> {
    fn check(&self, new_nodes: u64) -> Option<Stop> {
        let stop = self.monitor.check(new_nodes);
        if stop.is_none()
            && new_nodes > 0
            && self.nodes.fetch_add(new_nodes, Relaxed) + new_nodes >= self.limit
        {
            self.over.store(true, Relaxed);
            return Some(Stop::Nodes);
        }
        stop
    }

    fn elapsed(&self) -> std::time::Duration {
        self.monitor.elapsed()
    }
}

/// Search in turns until one of the two has the answer, and say which; or until the monitor ends it.
pub(crate) fn run<G: Notation>(
    searches: &dyn Searches<G>,
    ask: &Ask<'_, G>,
    workers: (&dyn Spawner, usize),
    monitor: &Monitor,
    bounds: &Table<G::Key>,
    proofs: &ProofTable<G::Key>,
) -> Result<(&'static str, Verdict<G::Move>), Error> {
    let mut known = Bounds::ALL;
    let mut stats = Stats::default();
    let mut nodes = FIRST_TURN;
    loop {
        for name in ["alphabeta", "dfpn"] {
            let limit = if name == "dfpn" { nodes / NODES_PER_EXPANSION } else { nodes };
            let turn = Turn { monitor, nodes: AtomicU64::new(0), limit, over: AtomicBool::new(false) };
            let mut verdict = parallel::run(monitor, workers.0, workers.1, name == "alphabeta", &|worker| {
                let ask = Ask { probe: &turn, worker, ..ask.clone() };
                Ok(match name {
                    "dfpn" => searches.dfpn(&ask, proofs)?,
                    _ => searches.alphabeta(&ask, bounds)?,
                })
            })?;
            known = known.and(verdict.bounds).ok_or_else(|| {
                let position = format!("{:?}", ask.position);
                Contradiction::new(position, ("the turns before", known), (name, verdict.bounds))
            })?;
            monitor.bounds(known);
            stats.absorb(&verdict.stats);
            stats.iterations.append(&mut verdict.stats.iterations);
            if verdict.status == Status::Solved || !turn.over.load(Relaxed) {
                return Ok((name, Verdict { bounds: known, stats, ..verdict }));
            }
        }
        nodes *= 2;
    }
}
