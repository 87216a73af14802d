//! Every search against minimax, on random positions of every registered game's small boards.

use std::sync::atomic::{AtomicU64, Ordering};

use ludex_core::{Goal, Playable, Probe, Rng, Status, Stop, Value, conformance::Minimax};
use ludex_games::registry::{self, FAMILIES, Visitor};
use ludex_search::{
    Ask, alphabeta, aostar, brute,
    dfpn::{self, Combine, Options, ProofTable},
    pns,
    table::Table,
};

const PATIENCE: u64 = 10_000_000;

/// A search that takes this long on a small board does not end.
#[derive(Default)]
struct Patience(AtomicU64);

impl Probe for Patience {
    fn check(&self, new_nodes: u64) -> Option<Stop> {
        (self.0.fetch_add(new_nodes, Ordering::Relaxed) > PATIENCE).then_some(Stop::Nodes)
    }
}

/// Nodes that proof-number search folded for lack of memory and solved the question all the same.
static FOLDED: AtomicU64 = AtomicU64::new(0);

/// Compare on random positions with at most so many plies to go.
struct Agree {
    positions: u64,
    left: u32,
}

impl Visitor for Agree {
    type Output = usize;

    fn visit<G: Playable>(self, game: G) -> usize {
        let mut minimax = Minimax::new();
        let mut checked = 0;
        for seed in 0..self.positions {
            let mut rng = Rng::new(seed);
            let mut p = game.deal(seed).expect("a start");
            let most = game.max_plies(&p).min(self.left);
            let left = most - rng.below(most as usize + 1) as u32;
            while game.max_plies(&p) > left {
                if game.outcome(&p).is_some() {
                    break;
                }
                p = game.play(&p, *rng.pick(&game.moves(&p)).expect("a move"));
            }
            check(&game, p, seed, &mut minimax);
            checked += 1;
        }
        checked
    }
}

fn check<G: Playable>(game: &G, p: G::Position, seed: u64, minimax: &mut Minimax<G::Position>) {
    let value = minimax.value(game, &p);
    let at = format!("{} {} (worth {value})", game.spec(), game.position_text(&p));
    for goal in [Goal::Wdl, Goal::Distance, Goal::AtLeast(Value::DRAW), Goal::AtLeast(value)] {
        let game = game.clone().for_goal(goal);
        let patience = Patience::default();
        let ask = |worker| Ask { game: &game, position: p, goal, probe: &patience, worker };
        let table = Table::new(1 << 20, game.key_bits());
        let small = ProofTable::new(1 << 16);
        let large = ProofTable::new(1 << 20);
        let options = Options { combine: Combine::Sum, epsilon: 0.0, mobility: false };
        let mut verdicts = vec![
            ("alphabeta", alphabeta::solve(&ask(0), &table).unwrap()),
            ("alphabeta again", alphabeta::solve(&ask(seed as usize % 3), &table).unwrap()),
            ("dfpn", dfpn::solve(&ask(0), &large, Options::default()).unwrap()),
            ("dfpn in little memory", dfpn::solve(&ask(0), &small, options).unwrap()),
        ];
        let options = pns::Options { heuristic: seed.is_multiple_of(2), memory: 1 << 30 };
        verdicts.push(("pns", pns::solve(&ask(0), options).unwrap()));
        if goal == Goal::Wdl {
            let few = Patience(AtomicU64::new(PATIENCE - 5_000));
            let options = pns::Options { memory: 1 << 17, ..options };
            let little = pns::solve(&Ask { probe: &few, ..ask(0) }, options).unwrap();
            // It may give up, or take too long, but what it says is right.
            if little.status == Status::Solved {
                let folded = little.stats.extra.iter().find(|(name, _)| *name == "folded");
                FOLDED.fetch_add(folded.map_or(0, |(_, n)| *n), Ordering::Relaxed);
                verdicts.push(("pns in little memory", little));
            }
        }
        verdicts.push(("aostar", aostar::solve(&ask(0), 1 << 30).unwrap()));
        if goal == Goal::Distance && game.max_plies(&p) <= 9 {
            verdicts.push(("brute", brute::solve(&ask(0), 1 << 26).unwrap()));
        }
        for (name, verdict) in verdicts {
            assert_eq!(verdict.status, Status::Solved, "{name} on {at}, {goal:?}");
            assert!(goal.met_by(verdict.bounds), "{name} on {at}, {goal:?}: {:?}", verdict.bounds);
            let right = match goal {
                Goal::Wdl => verdict.bounds.outcome() == Some(value.outcome()),
                _ => verdict.bounds.contains(value),
            };
            assert!(right, "{name} on {at}, {goal:?}: {:?}", verdict.bounds);
            let over = game.outcome(&p).is_some();
            assert_eq!(verdict.best.is_none(), over, "{name} on {at}, {goal:?}: a best move");
            assert_eq!(verdict.best, verdict.pv.first().copied(), "{name} on {at}, {goal:?}: the line");
            let keeps = matches!(goal, Goal::Wdl | Goal::Distance);
            if let (Some(m), true) = (verdict.best, keeps) {
                let child = game.play(&p, m);
                let after = minimax.value(&game, &child);
                let after = if game.side(&child) == game.side(&p) { after.later() } else { after.back() };
                let good = if goal == Goal::Distance && value.outcome() == ludex_core::Outcome::Win {
                    after == value
                } else {
                    after.outcome() == value.outcome()
                };
                assert!(good, "{name} on {at}, {goal:?}: {m:?} is worth {after}");
            }
        }
    }
}

#[test]
fn all_searches_agree_with_minimax() {
    for family in FAMILIES {
        for text in family.small {
            let spec = text.parse().expect("a spec");
            assert!(registry::visit(&spec, Agree { positions: 60, left: u32::MAX }).expect("a game") > 0);
        }
    }
    assert!(FOLDED.load(Ordering::Relaxed) > 100, "little memory was enough");
}

/// Boards on which the game's own rules settle most questions, so that the best move is often not the one searched.
#[test]
fn larger_boards_agree_late_in_the_game() {
    for text in ["mnk:4,4,4", "mnk:5,4,4", "mnk:5,5,4", "mnk:4,4,3,rule=misere", "mnk:6,4,4,rule=weak"] {
        let spec = text.parse().expect("a spec");
        assert!(registry::visit(&spec, Agree { positions: 300, left: 9 }).expect("a game") > 0);
    }
}
