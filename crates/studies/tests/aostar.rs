//! AO* on whole deals of Collapsi, and what it says when it is stopped.

use std::sync::atomic::{AtomicU64, Ordering};

use ludex_core::{Game, Goal, Probe, Status, Stop, Unlimited};
use ludex_games::collapsi::Collapsi;
use ludex_search::{Ask, alphabeta, aostar, table::Table};
use ludex_studies::collapsi::Fast;

#[test]
fn whole_deals() {
    for (wild, deals) in [(false, 12), (true, 3)] {
        let game = Collapsi::new(4, wild).for_goal(Goal::Distance);
        let mut fast = Fast::new(&game);
        for seed in 0..deals {
            let position = game.shuffled(seed);
            let ask = Ask { game: &game, position, goal: Goal::Distance, probe: &Unlimited, worker: 0 };
            let verdict = aostar::solve(&ask, 1 << 30).expect("no contradiction");
            let value = fast.value(&position);
            assert_eq!(verdict.bounds.value(), Some(value));
            assert_eq!(verdict.pv.len() as u32, value.plies().expect("no draws"), "the line goes to the end");
            let table = Table::new(1 << 22, game.key_bits());
            assert_eq!(alphabeta::solve(&ask, &table).expect("no contradiction").bounds.value(), Some(value));
        }
    }
}

struct Few(AtomicU64);

impl Probe for Few {
    fn check(&self, new: u64) -> Option<Stop> {
        (self.0.fetch_add(new, Ordering::Relaxed) + new >= 200).then_some(Stop::Nodes)
    }
}

#[test]
fn what_is_known_when_it_stops_is_true() {
    let game = Collapsi::new(4, false).for_goal(Goal::Distance);
    let mut fast = Fast::new(&game);
    for seed in 0..20 {
        let position = game.shuffled(seed);
        let few = Few(AtomicU64::new(0));
        let ask = Ask { game: &game, position, goal: Goal::Distance, probe: &few, worker: 0 };
        let verdict = aostar::solve(&ask, 1 << 30).expect("no contradiction");
        assert!(matches!(verdict.status, Status::OutOfNodes | Status::Solved));
        assert!(verdict.bounds.contains(fast.value(&position)), "seed {seed}: {:?}", verdict.bounds);
        let ask = Ask { probe: &Unlimited, ..ask };
        let verdict = aostar::solve(&ask, 1 << 14).expect("no contradiction");
        assert_eq!(verdict.status, Status::OutOfMemory);
        assert!(verdict.bounds.contains(fast.value(&position)), "seed {seed}: {:?}", verdict.bounds);
    }
}
