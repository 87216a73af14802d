//! Tables of whole games: built, interrupted, resumed, probed, counted and verified.

use std::path::Path;

use ludex_core::{Cancel, Game, Goal, Notation, Outcome, Spec, Value};
use ludex_games::nex::{Nex, Rules};
use ludex_judge::{
    Job, Limits, choose,
    connect4::book_file::{BookJob, build_file},
    open,
    table::{self, Answers, Order, TableFault, Verifying},
};
use ludex_store::tablebase::{Builder, Heading};

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
        ("collapsi:X2A/A2A/A2O", false, Goal::Distance),
    ] {
        let spec = spec(text);
        let out = folder.path().join("one.table");
        let built = table::build(&Order { by_key, goal, ..order(&spec, &out) }, &|_| {}).unwrap();
        let counted = table::stats(&out).unwrap();
        assert_eq!(counted.tallies.values().sum::<u64>(), built.positions, "{text}");
        assert!(counted.tallies.keys().all(|t| t.outcome.is_some() && t.side.is_some()), "{text}");
        let verified = table::verify(
            &spec,
            &out,
            &Verifying { threads: 2, ..Verifying::whole(1 << 28, &Cancel::new()) },
        )
        .unwrap();
        assert_eq!((verified.checked, verified.wrong.len()), (built.positions, 0), "{text}");
        std::fs::remove_file(&out).unwrap();
    }
}

/// A game whose table is in the folder is answered from it, and no other way than by search.
#[test]
fn solve_analyze_and_choose_ask_the_table() {
    let folder = tempfile::tempdir().unwrap();
    for text in ["nex:3x3", "hex:3x3", "mnk:3,3,3", "connect4:4x4", "collapsi:X2A/A2A/A2O"] {
        let spec = spec(text);
        let out = folder.path().join(table::file_name(&open(text).unwrap().spec()));
        table::build(&order(&spec, &out), &|_| {}).unwrap();
        let job = |tables| Job {
            goal: Goal::Distance,
            table_folder: Some(folder.path().to_owned()),
            tables,
            ..Job::default()
        };
        let game = open(text).unwrap();
        let [with, without] = [true, false].map(|tables| game.solve(&job(tables)).unwrap());
        assert_eq!((with.from, without.from), ("table", "search"), "{text}");
        assert_eq!((with.outcome, with.plies), (without.outcome, without.plies), "{text}");
        let [with, without] = [true, false].map(|tables| game.analyze(&job(tables)).unwrap());
        assert_eq!((with.verdict.from, with.moves), ("table", without.moves), "{text}");
        let choice = choose(&*game, &job(true), Limits { depth: 1, breadth: 1 }).unwrap();
        assert_eq!(choice.verdict.unwrap().from, "table", "{text}");
        assert!(with.verdict.best.contains(&choice.best.unwrap()), "{text}");
    }
}

/// A book in the folder answers its plies, unless no books are wanted; what is beyond them is searched.
#[test]
fn a_book_in_the_folder_answers_its_plies() {
    let folder = tempfile::tempdir().unwrap();
    let game = open("connect4:5x4").unwrap();
    let file = folder.path().join(table::file_name(&game.spec()));
    let book = |file: &Path| BookJob {
        spec: "connect4:5x4",
        plies: 3,
        file: Box::leak(file.into()),
        memory: 1 << 22,
        threads: 1,
        cancel: Box::leak(Box::default()),
        progress: &|_, _| {},
    };
    build_file(&book(&file)).unwrap();
    let listed = table::present(Some(folder.path()));
    assert!(listed.iter().any(|t| t.kind == "book" && t.file.is_some()), "{listed:?}");
    let job = |position: &str, tables, book| Job {
        goal: Goal::Distance,
        table_folder: Some(folder.path().to_owned()),
        position: Some(position.into()),
        tables,
        book,
        ..Job::default()
    };
    for (position, tables, book, from) in [
        ("", true, true, "book"),
        ("12", false, true, "book"),
        ("12", true, false, "search"),
        ("1", false, false, "search"),
        ("1234", true, true, "search"),
    ] {
        let [known, searched] =
            [job(position, tables, book), job(position, false, false)].map(|job| game.solve(&job).unwrap());
        assert_eq!(known.from, from, "{position} {tables} {book}");
        assert_eq!((known.outcome, known.plies), (searched.outcome, searched.plies), "{position}");
    }
    assert_eq!(game.analyze(&job("", true, true)).unwrap().verdict.from, "book");
}

/// A value that is wrong is found: in the last ply by search, before it by the rules.
#[test]
fn a_wrong_value_in_a_book_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("right.book");
    let job = BookJob {
        spec: "connect4:4x4",
        plies: 3,
        file: &file,
        memory: 1 << 22,
        threads: 1,
        cancel: &Cancel::new(),
        progress: &|_, _| {},
    };
    let book = build_file(&job).unwrap();
    let verify = |file: &Path, sample| {
        let cancel = Cancel::new();
        let how = Verifying { sample, ..Verifying::whole(1 << 22, &cancel) };
        table::verify(&spec("connect4:4x4"), file, &how).unwrap()
    };
    assert_eq!(verify(&file, None).wrong, []);
    let heading = Heading { plies: Some(u32::MAX), ..book.heading().clone() };
    let endless = folder.path().join("endless.book");
    Builder::open(&endless, &heading).unwrap().finish(0).unwrap();
    assert_eq!(verify(&endless, None).wrong.len(), 1);
    for tier in 0..4 {
        let forged = folder.path().join("forged.book");
        let builder = Builder::open(&forged, book.heading()).unwrap();
        for (t, about) in book.tiers().iter().enumerate() {
            let (mut keys, mut values) = (Vec::new(), Vec::new());
            book.each(t, |_, key, value| {
                keys.extend_from_slice(key);
                values.push(value as u8);
            })
            .unwrap();
            if t == tier {
                // Drawn or not, it is now won in one.
                values[0] = 254;
            }
            builder.put(t, &about.name, &values, &keys).unwrap();
        }
        builder.finish(4).unwrap();
        let wrong = verify(&forged, None).wrong;
        assert_eq!((wrong.len(), wrong[0].1.as_str()), (1, "win in 1"), "tier {tier}: {wrong:?}");
        // What does not follow from the last ply is noticed without any search.
        assert!(tier == 0 || verify(&forged, Some(0)).wrong == wrong, "tier {tier}");
    }
}

/// What cannot be solved is guessed at, with the budget kept.
#[test]
fn a_large_board_is_guessed_at() {
    let game = open("nex:9x9").unwrap();
    let mut job = Job { goal: Goal::Distance, ..Job::default() };
    job.budget.nodes = Some(3000);
    let choice = choose(&*game, &job, Limits { depth: 9, breadth: 20 }).unwrap();
    let thought = choice.thought.unwrap();
    assert!(choice.verdict.is_none() && choice.best.is_some() && choice.best == thought.best);
    assert!(thought.depths.iter().map(|d| d.nodes).sum::<u64>() <= 1100, "a third of the nodes");
    let view = game.view(&game.start(None).unwrap()).unwrap();
    assert!(view.moves.iter().any(|m| Some(&m.text) == choice.best.as_ref()));
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
    for tier in [4, 8] {
        let order = order(&spec, &cut);
        let stopped = table::build(&order, &|step| {
            if step.tiers > 0 && step.tier == tier {
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
    assert!(matches!(refused, Err(TableFault::Listing { .. })));
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
    let verified = table::verify(&spec, &forged, &Verifying::whole(1 << 28, &Cancel::new())).unwrap();
    assert!(!verified.wrong.is_empty());
}
