//! Every search against minimax on random positions of random games, with random rules off and in tables so small that
//! they forget most of what they are told.

#[path = "../../games/tests/boards/mod.rs"]
mod boards;

use std::sync::atomic::{AtomicU64, Ordering};

use boards::{config, late, specs, switched};
use ludex_core::{Goal, Playable, Probe, Status, Stop, Value, conformance::Minimax};
use ludex_games::registry::{self, Visitor};
use ludex_search::{
    Ask, alphabeta, aostar, brute,
    dfpn::{self, Combine, Options, ProofTable},
    pns,
    table::Table,
};
use proptest::prelude::*;

/// A search that takes this long on a few hundred positions does not end.
const PATIENCE: u64 = 5_000_000;

#[derive(Default)]
struct Patience(AtomicU64);

impl Probe for Patience {
    fn check(&self, new_nodes: u64) -> Option<Stop> {
        (self.0.fetch_add(new_nodes, Ordering::Relaxed) > PATIENCE).then_some(Stop::Nodes)
    }
}

struct Agree {
    seed: u64,
    off: u32,
    bytes: u64,
    worker: usize,
}

impl Visitor for Agree {
    type Output = ();

    fn visit<G: Playable>(self, game: G) {
        let p = late(&game, self.seed, 600);
        let mut minimax = Minimax::new();
        let value = minimax.value(&game, &p);
        for goal in [Goal::Wdl, Goal::Distance, Goal::AtLeast(Value::DRAW), Goal::AtLeast(value)] {
            let searched = game.clone().with_switches(switched(&game, self.off)).for_goal(goal);
            let off = searched.switched().off_names(searched.switches());
            let at = format!("{} {} without '{off}', {goal:?}", game.spec(), game.position_text(&p));
            let patience = Patience::default();
            let ask = |worker| Ask { game: &searched, position: p, goal, probe: &patience, worker };
            let table = Table::new(self.bytes, searched.key_bits());
            let proofs = ProofTable::new(self.bytes.max(1 << 14));
            let plain = Options { combine: Combine::Sum, epsilon: 0.0, mobility: false };
            let best_first = pns::Options { heuristic: self.seed.is_multiple_of(2), memory: 1 << 28 };
            let mut verdicts = vec![
                ("alphabeta", alphabeta::solve(&ask(0), &table)),
                ("alphabeta on a table in use", alphabeta::solve(&ask(self.worker), &table)),
                ("dfpn", dfpn::solve(&ask(self.worker), &proofs, Options::default())),
                ("plain dfpn on a table in use", dfpn::solve(&ask(0), &proofs, plain)),
                ("pns", pns::solve(&ask(0), best_first)),
                ("aostar", aostar::solve(&ask(0), 1 << 28)),
            ];
            if goal == Goal::Distance {
                verdicts.push(("brute", brute::solve(&ask(0), 1 << 26)));
            }
            for (name, verdict) in verdicts {
                let verdict = verdict.unwrap_or_else(|e| panic!("{name} on {at}: {e:?}"));
                assert_eq!(verdict.status, Status::Solved, "{name} on {at}");
                assert!(goal.met_by(verdict.bounds), "{name} on {at}: {:?}", verdict.bounds);
                let right = match goal {
                    Goal::Wdl => verdict.bounds.outcome() == Some(value.outcome()),
                    _ => verdict.bounds.contains(value),
                };
                assert!(right, "{name} on {at}, worth {value}: {:?}", verdict.bounds);
            }
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn all_searches_agree(spec in specs(), seed in any::<u64>(), off in any::<u32>(), bits in 4..16u32, worker in 0..3usize) {
        let parsed = spec.parse().expect("a spec");
        registry::visit(&parsed, Agree { seed, off, bytes: 1 << bits, worker }).expect("a game");
    }
}
