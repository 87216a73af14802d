//! Everything the m,n,k-game says without search, against plain minimax: on every position of small boards and on
//! random positions of larger ones, with every rule on, each rule off, and each rule alone.

use std::{collections::HashMap, thread};

use ludex_core::{Game, Goal, Moves, Notation, Outcome, Rng, Switches, Value, Window, conformance};
use ludex_games::mnk::{Cell, Mnk, Rule, Stones};

const RULES: [Rule; 3] = [Rule::Strong, Rule::Weak, Rule::Misere];

fn game(m: usize, n: usize, k: usize, rule: Rule) -> Mnk<u64> {
    Mnk::new(m, n, k, rule)
}

/// All rules on, each off, each alone.
fn settings(game: &Mnk<u64>) -> Vec<Switches> {
    let count = game.switches().len();
    let alone = |i: usize| (0..count).filter(|&j| j != i).fold(Switches::default(), Switches::off);
    let mut list = vec![Switches::default(), (0..count).fold(Switches::default(), Switches::off)];
    (0..count).for_each(|i| list.extend([Switches::default().off(i), alone(i)]));
    list
}

/// Run independent jobs on two threads.
fn side_by_side(jobs: Vec<Box<dyn FnOnce() + Send>>) {
    let (mut even, mut odd) = (Vec::new(), Vec::new());
    for (i, job) in jobs.into_iter().enumerate() {
        if i % 2 == 0 { even.push(job) } else { odd.push(job) }
    }
    thread::scope(|scope| {
        let other = scope.spawn(|| odd.into_iter().for_each(|job| job()));
        even.into_iter().for_each(|job| job());
        other.join().expect("no failure on the other thread");
    });
}

#[test]
fn every_setting_on_every_position_of_small_boards() {
    let mut jobs: Vec<Box<dyn FnOnce() + Send>> = Vec::new();
    for rule in RULES {
        for (m, n, k) in [(3, 3, 3), (4, 2, 2), (2, 4, 3)] {
            for on in settings(&game(m, n, k, rule)) {
                jobs.push(Box::new(move || {
                    let game = game(m, n, k, rule).with_switches(on);
                    conformance::every_position(&game, &game.root().expect("a start"));
                }));
            }
        }
    }
    side_by_side(jobs);
}

/// On boards of 12 cells there are too many positions for every window and setting, so each meets the questions of the
/// outcome with every rule on, and one other question with a setting of its own.
#[test]
fn every_position_of_larger_boards() {
    let boards = [(4, 3, 3), (6, 2, 3), (12, 1, 3)];
    let mut jobs: Vec<Box<dyn FnOnce() + Send>> = Vec::new();
    for (m, n, k) in boards {
        for rule in RULES {
            jobs.push(Box::new(move || {
                let game = game(m, n, k, rule);
                let mut minimax = conformance::Minimax::new();
                minimax.value(&game, &game.root().expect("a start"));
                let positions: Vec<_> = minimax.values.keys().copied().collect();
                let class = game.clone().for_goal(Goal::Wdl);
                let exact = game.clone().for_goal(Goal::Distance);
                let settings = settings(&game);
                let mut rng = Rng::new(11);
                let (mut by_class, mut by_value) = (HashMap::new(), HashMap::new());
                for p in &positions {
                    let value = minimax.values[p];
                    assert_eq!(*by_class.entry(class.key(p)).or_insert(value.outcome()), value.outcome());
                    assert_eq!(*by_value.entry(exact.key(p)).or_insert(value), value);
                    conformance::check_look(&class, Goal::Wdl, p, &mut minimax);
                    let on = settings[rng.below(settings.len())];
                    if rng.below(10) == 0 {
                        conformance::check_look(
                            &exact.clone().with_switches(on),
                            Goal::Distance,
                            p,
                            &mut minimax,
                        );
                    }
                }
            }));
        }
    }
    side_by_side(jobs);
}

/// A position with `empty` cells left, made by random moves that do not end the game; half of the time a move stops
/// a line that would be completed next, so that quiet positions come up too.
fn random_position(game: &Mnk<u64>, empty: u32, rng: &mut Rng) -> Option<Stones<u64>> {
    let mut p = game.root()?;
    while game.max_plies(&p) > empty {
        let (mine, theirs) = p.sides();
        let stop = game.shape().lines().winning_cells(theirs, mine);
        let mut moves = Vec::new();
        game.each_move(&p, |m| {
            if game.outcome(&game.play(&p, m)).is_none() {
                moves.push(m);
            }
        });
        if stop != 0 && rng.below(4) > 0 {
            moves.retain(|m| stop >> m.0 & 1 == 1);
        }
        p = game.play(&p, *rng.pick(&moves)?);
    }
    game.outcome(&p).is_none().then_some(p)
}

/// At least 100,000 random positions: the sampled ones, and as many of those that can follow.
#[test]
fn random_positions_of_many_boards() {
    let boards =
        [(4, 4, 3), (4, 4, 4), (5, 4, 4), (5, 5, 4), (7, 3, 3), (6, 4, 4), (5, 5, 5), (6, 6, 4), (7, 5, 5)];
    let mut jobs: Vec<Box<dyn FnOnce() + Send>> = Vec::new();
    for (i, (m, n, k)) in boards.into_iter().enumerate() {
        for rule in RULES {
            jobs.push(Box::new(move || {
                let game = game(m, n, k, rule);
                let settings = settings(&game);
                let mut rng = Rng::new(100 + i as u64);
                let (mut checked, mut sides) = (0, [0; 2]);
                let wanted = if rule == Rule::Misere { 1_500 } else { 6_000 };
                while checked < wanted {
                    let empty = 7 + rng.below(4) as u32;
                    let Some(p) = random_position(&game, empty, &mut rng) else { continue };
                    let mut minimax = conformance::Minimax::new();
                    minimax.value(&game, &p);
                    let mut around: Vec<_> = minimax.values.keys().copied().collect();
                    around.sort_by_key(|q| (q.first, q.second));
                    rng.shuffle(&mut around);
                    around.truncate(60);
                    around.push(p);
                    for q in around {
                        let on = if rng.below(2) == 0 {
                            Switches::default()
                        } else {
                            settings[rng.below(settings.len())]
                        };
                        let game = game.clone().with_switches(on);
                        conformance::check_look(
                            &game.clone().for_goal(Goal::Wdl),
                            Goal::Wdl,
                            &q,
                            &mut minimax,
                        );
                        if rng.below(8) == 0 {
                            conformance::check_look(
                                &game.for_goal(Goal::Distance),
                                Goal::Distance,
                                &q,
                                &mut minimax,
                            );
                        }
                        checked += 1;
                        sides[q.side().index()] += 1;
                    }
                }
                assert!(sides.iter().all(|&s| s > checked / 4), "both sides come up: {sides:?}");
            }));
        }
    }
    side_by_side(jobs);
}

/// Positions of a whole game: all of them, by outcome for the side to move, and up to symmetry.
fn enumerate(m: usize, n: usize, k: usize) -> (usize, [usize; 3], usize) {
    let game = game(m, n, k, Rule::Strong);
    let mut minimax = conformance::Minimax::new();
    let root = game.root().expect("a start");
    minimax.value(&game, &root);
    let mut keys = std::collections::HashSet::new();
    let mut outcomes = [0; 3];
    let mut ended = std::collections::HashSet::new();
    for p in minimax.values.keys() {
        game.each_move(p, |c| {
            let child = game.play(p, c);
            if game.outcome(&child).is_some() {
                ended.insert(child);
            }
        });
    }
    let all = minimax.values.keys().chain(&ended);
    for p in all {
        let value = game.outcome(p).unwrap_or_else(|| minimax.values[p].outcome());
        outcomes
            [[Outcome::Win, Outcome::Loss, Outcome::Draw].iter().position(|&o| o == value).expect("one")] +=
            1;
        keys.insert(game.key(p));
    }
    (minimax.values.len() + ended.len(), outcomes, keys.len())
}

#[test]
fn enumerations_of_small_boards() {
    assert_eq!(enumerate(3, 3, 3), (5_478, [2_836, 1_574, 1_068], 765));
    assert_eq!(enumerate(4, 3, 3), (111_973, [64_738, 44_175, 3_060], 28_275));
}

#[test]
fn scores_of_all_openings() {
    let game = game(4, 3, 3, Rule::Strong);
    let mut minimax = conformance::Minimax::new();
    let root = game.root().expect("a start");
    assert_eq!(minimax.value(&game, &root), Value::win(7));
    let rows: Vec<Vec<i32>> = (0..3)
        .rev()
        .map(|y| {
            (0..4)
                .map(|x| {
                    let child = game.play(&root, Cell(y * 4 + x));
                    let value = minimax.value(&game, &child).back();
                    game.score(&root, value).expect("a score")
                })
                .collect()
        })
        .collect();
    assert_eq!(rows, [[2, 3, 3, 2], [-2, 3, 3, -2], [2, 3, 3, 2]]);
}

/// The threat sequence in the corner: X to move wins, and the picture of the board says so without search.
#[test]
fn a_win_by_threats_is_seen() {
    let game = game(6, 6, 4, Rule::Strong);
    let p = game.parse_position("....../....../..oo../.x..../.xx..o/......").expect("a position");
    let mut moves = Moves::new();
    let bounds = game.look(&p, Window::WIN, &mut moves);
    assert_eq!(bounds.lo.outcome(), Outcome::Win);
    assert_eq!(moves.len(), 1);
}
