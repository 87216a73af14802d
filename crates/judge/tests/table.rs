//! Tables of whole games: built, interrupted, resumed, probed, counted and verified.

use std::{
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

use ludex_core::{Cancel, Game, Goal, Notation, Outcome, Spec, Value};
use ludex_games::nex::{Nex, Rules};
use ludex_judge::table::{self, Answers, Order, TableFault};

fn order<'a>(spec: &'a Spec, out: &'a Path) -> Order<'a> {
    Order {
        spec,
        out,
        goal: Goal::Distance,
        memory: 1 << 28,
        threads: 2,
        by_key: false,
        cancel: Cancel::new(),
    }
}

fn spec(text: &str) -> Spec {
    text.parse().unwrap()
}

#[test]
fn a_table_answers_what_it_was_built_from() {
    let folder = tempfile::tempdir().unwrap();
    for (text, by_key, goal) in [
        ("nex:3x3", false, Goal::Distance),
        ("nex:3x3", true, Goal::Distance),
        ("nex:3x3,rules=official", false, Goal::Wdl),
        ("mnk:3,3,3", false, Goal::Distance),
        ("hex:3x3", false, Goal::Wdl),
        ("connect4:4x4", false, Goal::Distance),
    ] {
        let spec = spec(text);
        let out = folder.path().join("one.table");
        let built = table::build(&Order { by_key, goal, ..order(&spec, &out) }, &|_| {}).unwrap();
        let counted = table::stats(&out).unwrap();
        assert_eq!(counted.tallies.values().sum::<u64>(), built.positions, "{text}");
        assert!(counted.tallies.keys().all(|t| t.outcome.is_some() && t.side.is_some()), "{text}");
        let verified = table::verify(&spec, &out, None, 0, 1 << 28, 2, &Cancel::new()).unwrap();
        assert_eq!((verified.checked, verified.wrong.len()), (built.positions, 0), "{text}");
        std::fs::remove_file(&out).unwrap();
    }
}

#[test]
fn openings_of_three_by_three() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("nex.table");
    for (rules, expected) in [(Rules::Nexc, [42, 30, 0]), (Rules::Official, [44, 0, 28])] {
        let game = Nex::<1>::new(3, 3, rules, false);
        let spec = spec(&game.spec());
        table::build(&order(&spec, &out), &|_| {}).unwrap();
        let answers = Answers::open(&game, &out).unwrap();
        let root = game.root().unwrap();
        assert_eq!(answers.value(&game, &root).unwrap(), Some(Value::win(7)));
        let moves = answers.moves(&game, &root).unwrap().unwrap();
        let count = |o| moves.iter().filter(|m| m.value.outcome() == o).count();
        assert_eq!([Outcome::Win, Outcome::Draw, Outcome::Loss].map(count), expected);
        let line = answers.line(&game, &root).unwrap();
        assert_eq!(line.len(), 7);
    }
}

#[test]
fn an_interrupted_build_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, cut) = (folder.path().join("whole.table"), folder.path().join("cut.table"));
    let spec = spec("nex:3x3");
    let first = table::build(&order(&spec, &whole), &|_| {}).unwrap();
    for stop_after in [3, 4] {
        let order = order(&spec, &cut);
        let steps = AtomicUsize::new(0);
        let stopped = table::build(&order, &|_| {
            if steps.fetch_add(1, Ordering::Relaxed) == stop_after {
                order.cancel.cancel();
            }
        });
        assert!(matches!(stopped, Err(TableFault::Stopped(_))));
    }
    let second = table::build(&order(&spec, &cut), &|_| {}).unwrap();
    assert!(second.resumed > 5, "{second:?}");
    assert_eq!(second.digest, first.digest);
    assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&cut).unwrap());
}

#[test]
fn too_large_a_table_is_refused_before_it_starts() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("large.table");
    for text in ["nex:4x5", "nex:4x4"] {
        let refused = table::build(&order(&spec(text), &out), &|_| {});
        let Err(TableFault::Memory { needed, given }) = refused else { panic!("{refused:?}") };
        assert!(needed > given);
    }
    let refused = table::build(&Order { memory: 1 << 20, ..order(&spec("connect4:5x4"), &out) }, &|_| {});
    assert!(matches!(refused, Err(TableFault::Memory { .. })));
    assert!(matches!(table::build(&order(&spec("nex:13x13"), &out), &|_| {}), Err(TableFault::Input(_))));
    assert!(!folder.path().join("large.table").exists());
}

#[test]
fn a_wrong_value_is_found() {
    use ludex_store::tablebase::{Builder, Tablebase};
    let folder = tempfile::tempdir().unwrap();
    let (out, forged) = (folder.path().join("right.table"), folder.path().join("forged.table"));
    let spec = spec("nex:2x3");
    table::build(&order(&spec, &out), &|_| {}).unwrap();
    let table = Tablebase::open(&out).unwrap();
    let builder = Builder::open(&forged, table.heading()).unwrap();
    for (tier, about) in table.tiers().iter().enumerate() {
        let mut values = table.load(tier).unwrap();
        if tier == 5 {
            values[7] ^= 0x80;
        }
        builder.put(tier, &about.name, &values, &[]).unwrap();
    }
    builder.finish(table.tiers().len()).unwrap();
    let verified = table::verify(&spec, &forged, None, 0, 1 << 28, 1, &Cancel::new()).unwrap();
    assert!(!verified.wrong.is_empty());
}
