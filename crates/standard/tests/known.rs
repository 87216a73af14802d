//! Known values through the judge, and what it promises about limits, threads and switches.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use ludex_games::{Cost, known_values, registry::FAMILIES};
use ludex_judge::{
    Budget, Cancel, Goal, Outcome, Progress, Question, Status, Store, Terms,
    answer::{Source, Verdict},
};
use ludex_standard::open;

/// A search that takes minutes.
fn endless(budget: Budget, terms: &Terms) -> Verdict {
    let without = ["pairing", "es"].map(String::from).to_vec();
    let question = Question { without, budget, ..Question::default() };
    open("mnk:8,8,6").expect("a game").solve(&question, terms).expect("a verdict")
}

#[test]
fn quick_known_values() {
    let mut checked = 0;
    for family in FAMILIES {
        for known in known_values(family).into_iter().filter(|k| k.cost == Cost::Quick) {
            let game = open(&known.spec).unwrap_or_else(|e| panic!("{}: {e}", known.spec));
            let question = Question {
                seed: Some(0).filter(|_| known.position.is_none()),
                position: known.position.clone(),
                goal: if known.plies.is_some() { Goal::Distance } else { Goal::Wdl },
                budget: Budget { memory: 64 << 20, ..Budget::default() },
                tables: false,
                book: false,
                ..Question::default()
            };
            let verdict =
                game.solve(&question, &Terms::default()).unwrap_or_else(|e| panic!("{}: {e}", known.spec));
            assert_eq!(
                verdict.outcome,
                Some(known.outcome),
                "{} {:?}: {}",
                known.spec,
                known.position,
                known.source
            );
            assert!(
                known.plies.is_none() || verdict.plies == known.plies,
                "{}: {:?}",
                known.spec,
                verdict.plies
            );
            checked += 1;
        }
    }
    assert!(checked > 20, "only {checked} values");
}

/// Seven in a row on small tiles again, by a search that knows nothing but the rules, the mirror and its table.
#[test]
fn small_tiles_without_any_rule() {
    for columns in 4..=6 {
        let game = open(&format!("seven:{columns}")).expect("a game");
        let without = game.switches().iter().map(|s| s.name.to_owned()).filter(|s| s != "mirror").collect();
        let verdict =
            game.solve(&Question { without, ..Question::default() }, &Terms::default()).expect("a verdict");
        assert_eq!(
            (verdict.outcome, verdict.status),
            (Some(Outcome::Win), Status::Solved),
            "{columns} columns"
        );
    }
}

#[test]
fn a_cancelled_search_stops_at_once() {
    let cancel = Cancel::new();
    let raised = cancel.clone();
    let stopper = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        raised.cancel();
        Instant::now()
    });
    let verdict = endless(Budget { threads: 2, ..Budget::default() }, &Terms::default().until(&cancel));
    let late = stopper.join().expect("joined").elapsed();
    assert_eq!((verdict.status, verdict.outcome), (Status::Cancelled, None));
    assert!(late < Duration::from_millis(500), "{late:?} after the flag was raised");
}

#[test]
fn progress_is_told() {
    let nodes = Arc::new(AtomicU64::new(0));
    let seen = nodes.clone();
    let reporter = Arc::new(move |p: &Progress| {
        assert!(p.nodes >= seen.swap(p.nodes, Ordering::Relaxed));
    });
    let budget = Budget { time: Some(Duration::from_millis(600)), ..Budget::default() };
    let verdict = endless(budget, &Terms { progress: Some(reporter), ..Terms::default() });
    assert_eq!(verdict.status, Status::OutOfTime);
    assert!(nodes.load(Ordering::Relaxed) > 0);
}

/// Threads share a table and still say the same.
#[test]
fn threads_agree() {
    for spec in ["mnk:4,4,3", "mnk:5,5,4", "connect4:5x4", "nex:3x3", "hex:3x3"] {
        let game = open(spec).expect("a game");
        for goal in [Goal::Wdl, Goal::Distance] {
            if spec == "mnk:5,5,4" && goal == Goal::Distance {
                continue;
            }
            let ask = |threads| {
                let budget = Budget { threads, memory: 64 << 20, ..Budget::default() };
                let game = open(spec).expect("a game");
                let question = Question { goal, budget, book: false, ..Question::default() };
                game.solve(&question, &Terms::default()).expect("a verdict")
            };
            let (one, two) = (ask(1), ask(3));
            assert_eq!((one.outcome, one.plies), (two.outcome, two.plies), "{} {goal:?}", game.spec());
            assert!(!two.best.is_empty(), "{} {goal:?}", game.spec());
        }
    }
}

/// Where worker 0 of the depth-first search answers, even the move is the same: for wins, draws and losses.
#[test]
fn threads_agree_on_the_move() {
    for (spec, moves) in [
        ("mnk:4,4,3", ""),
        ("mnk:5,5,4", ""),
        ("mnk:6,4,4", ""),
        ("mnk:4,4,3", "moves:b2"),
        ("nex:3x3", ""),
        ("hex:3x3", ""),
        ("hex:3x3", "moves:b2"),
    ] {
        let position = (!moves.is_empty()).then(|| moves.to_owned());
        let ask = |threads| {
            let budget = Budget { threads, memory: 64 << 20, ..Budget::default() };
            let solver = Some("alphabeta".to_owned());
            let question = Question { budget, solver, position: position.clone(), ..Question::default() };
            open(spec).expect("a game").solve(&question, &Terms::default()).expect("a verdict").best
        };
        let one = ask(1);
        for threads in [2, 3, 4] {
            assert_eq!(ask(threads), one, "{spec} {moves} with {threads} threads");
        }
    }
}

/// What one search learnt, another question is answered from.
#[test]
fn the_database_answers_the_second_time() {
    let store = Arc::new(Store::memory().expect("a database"));
    let terms = Terms { memory: Some(store.clone()), ..Terms::default() };
    let question = Question { goal: Goal::Distance, ..Question::default() };
    let game = open("mnk:3,3,3").expect("a game");
    let first = game.analyze(&question, &terms).expect("an analysis");
    let again = open("mnk:3,3,3").expect("a game").analyze(&question, &terms).expect("an analysis");
    assert_eq!((first.verdict.from, again.verdict.from), (Source::Search, Source::Cache));
    assert_eq!(first.moves, again.moves);
    assert!(store.count().expect("a count") > 0);
    // A question that names its search wants that search.
    let named =
        game.solve(&Question { solver: Some("brute".into()), ..question }, &terms).expect("a verdict");
    assert_eq!((named.from, named.outcome), (Source::Search, Some(Outcome::Draw)));
}

/// What is asked of a game's moves where nobody says.
#[test]
fn who_wins_is_asked_where_how_soon_takes_far_longer() {
    for (spec, goal) in [
        ("seven:8", Goal::Wdl),
        ("mnk:3,3,3", Goal::Distance),
        ("connect4", Goal::Distance),
        ("nex:3x3", Goal::Distance),
    ] {
        assert_eq!(open(spec).expect("a game").usual_goal(), goal, "{spec}");
    }
}
