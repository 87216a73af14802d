//! Workers that share a table without locks: whatever they overwrite for each other, each of them is right.
//!
//! The tables are far too small, so that every entry is replaced again and again while others read it. Under
//! ThreadSanitizer this is also the program that shows accesses which are not ordered.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    thread,
};

use ludex_core::{Goal, Playable, Probe, Status, Stop, conformance::Minimax};
use ludex_games::{
    nex::{Nex, Rules},
    template::Heap,
};
use ludex_search::{
    Ask, alphabeta,
    dfpn::{self, ProofTable},
    table::Table,
};

/// A search that takes this long does not end.
#[derive(Default)]
struct Patience(AtomicU64);

impl Probe for Patience {
    fn check(&self, new_nodes: u64) -> Option<Stop> {
        (self.0.fetch_add(new_nodes, Relaxed) > 20_000_000).then_some(Stop::Nodes)
    }
}

fn workers_agree<G: Playable>(game: G) {
    let p = game.deal(1).expect("a start");
    let value = Minimax::new().value(&game, &p);
    for goal in [Goal::Wdl, Goal::Distance] {
        let game = &game.clone().for_goal(goal);
        for bytes in [1 << 13, 1 << 16, 1 << 20] {
            let (table, proofs) = (Table::new(bytes, game.key_bits()), ProofTable::new(bytes));
            let patience = Patience::default();
            let work = |worker: usize| {
                let ask = Ask { game, position: p, goal, probe: &patience, worker };
                if worker.is_multiple_of(2) {
                    alphabeta::solve(&ask, &table).expect("no contradiction")
                } else {
                    dfpn::solve(&ask, &proofs, dfpn::Options::default()).expect("no contradiction")
                }
            };
            thread::scope(|scope| {
                let work = &work;
                let all: Vec<_> = (0..6).map(|worker| scope.spawn(move || work(worker))).collect();
                for (worker, one) in all.into_iter().enumerate() {
                    let verdict = one.join().expect("no panic");
                    let at = format!("{} {goal:?} worker {worker}, {bytes} bytes", game.spec());
                    assert_eq!(verdict.status, Status::Solved, "{at}");
                    assert_eq!(verdict.bounds.outcome(), Some(value.outcome()), "{at}");
                    if goal == Goal::Distance {
                        assert_eq!(verdict.bounds.value(), Some(value), "{at}");
                    }
                }
            });
        }
    }
}

#[test]
fn workers_that_share_small_tables_are_all_right() {
    for size in [20, 21, 60] {
        workers_agree(Heap { size });
    }
    workers_agree(Nex::<1>::new(2, 2, Rules::Nexc, false));
    workers_agree(Nex::<1>::new(2, 3, Rules::Official, false));
}
