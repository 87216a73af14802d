//! Tables of whole games: built, interrupted, resumed, probed, counted and verified.

use std::path::Path;

use ludex_core::{Cancel, ErrorCode, Game, Goal, Notation, Outcome, Value};
use ludex_games::nex::{Nex, Rules};
use ludex_judge::{
    Limits, NoStudy, Question, Registry, Terms,
    answer::Source,
    choose,
    table::{self, Answers, BookOrder, Built, Order, Verified, Verifying},
};
use ludex_standard::{Standard as _, open};
use ludex_store::tablebase::{Builder, Heading, Tablebase};

fn order<'a>(out: &'a Path, terms: &'a Terms) -> Order<'a> {
    Order { out, goal: Goal::Distance, memory: 1 << 28, threads: 2, by_key: false, terms }
}

fn build(spec: &str, out: &Path) -> Built {
    open(spec).unwrap().tables().build(&order(out, &Terms::default()), &|_| {}).unwrap()
}

fn verify(spec: &str, file: &Path, memory: u64, sample: Option<u64>) -> Verified {
    let cancel = Cancel::new();
    let how =
        Verifying { sample, threads: 2, spawner: &ludex_judge::Threads, ..Verifying::whole(memory, &cancel) };
    open(spec).unwrap().tables().verify(file, &how).unwrap()
}

fn book(spec: &str, file: &Path, terms: &Terms) -> Tablebase {
    let order = BookOrder {
        plies: 3,
        file,
        memory: 1 << 22,
        threads: 1,
        terms,
        progress: &|_, _| {},
        elsewhere: None,
    };
    open(spec).unwrap().tables().build_book(&order).unwrap()
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
        let (out, terms) = (folder.path().join("one.table"), Terms::default());
        let order = Order { by_key, goal, ..order(&out, &terms) };
        let built = open(text).unwrap().tables().build(&order, &|_| {}).unwrap();
        let counted = table::stats(&out).unwrap();
        assert_eq!(counted.tallies.values().sum::<u64>(), built.positions, "{text}");
        assert!(counted.tallies.keys().all(|t| t.outcome.is_some() && t.side.is_some()), "{text}");
        let verified = verify(text, &out, 1 << 28, None);
        assert_eq!((verified.checked, verified.wrong.len()), (built.positions, 0), "{text}");
        std::fs::remove_file(&out).unwrap();
    }
}

/// A game whose table is in the folder is answered from it, and no other way than by search.
#[test]
fn solve_analyze_and_choose_ask_the_table() {
    let folder = tempfile::tempdir().unwrap();
    for text in ["nex:3x3", "hex:3x3", "mnk:3,3,3", "connect4:4x4", "collapsi:X2A/A2A/A2O"] {
        build(text, &folder.path().join(table::file_name(&open(text).unwrap().spec())));
        let question = |tables| Question { goal: Goal::Distance, tables, ..Question::default() };
        let terms = Terms { tables: Some(folder.path().to_owned()), ..Terms::default() };
        let game = open(text).unwrap();
        let [with, without] = [true, false].map(|tables| game.solve(&question(tables), &terms).unwrap());
        assert_eq!((with.from, without.from), (Source::Table, Source::Search), "{text}");
        assert_eq!((with.outcome, with.plies), (without.outcome, without.plies), "{text}");
        let [with, without] = [true, false].map(|tables| game.analyze(&question(tables), &terms).unwrap());
        assert_eq!((with.verdict.from, with.moves), (Source::Table, without.moves), "{text}");
        let choice = choose(&*game, &question(true), &terms, Limits { depth: 1, breadth: 1 }).unwrap();
        assert_eq!(choice.verdict.unwrap().from, Source::Table, "{text}");
        assert!(with.verdict.best.contains(&choice.best.unwrap()), "{text}");
    }
}

/// A book in the folder answers its plies, unless no books are wanted; what is beyond them is searched.
#[test]
fn a_book_in_the_folder_answers_its_plies() {
    let folder = tempfile::tempdir().unwrap();
    let game = open("connect4:5x4").unwrap();
    let file = folder.path().join(table::file_name(&game.spec()));
    book("connect4:5x4", &file, &Terms::default());
    let listed = table::present(&Registry::standard(), Some(folder.path()));
    assert!(listed.iter().any(|t| t.kind == Source::Book && t.file.is_some()), "{listed:?}");
    assert_eq!(
        listed.iter().filter(|t| t.file.is_none()).count(),
        2,
        "a book and a table come with the program"
    );
    let terms = Terms { tables: Some(folder.path().to_owned()), ..Terms::default() };
    let question = |position: &str, tables, book| Question {
        goal: Goal::Distance,
        tables,
        book,
        ..Question::at(position)
    };
    for (position, tables, book, from) in [
        ("", true, true, Source::Book),
        ("12", false, true, Source::Book),
        ("12", true, false, Source::Search),
        ("1", false, false, Source::Search),
        ("1234", true, true, Source::Search),
    ] {
        let [known, searched] = [question(position, tables, book), question(position, false, false)]
            .map(|question| game.solve(&question, &terms).unwrap());
        assert_eq!(known.from, from, "{position} {tables} {book}");
        assert_eq!((known.outcome, known.plies), (searched.outcome, searched.plies), "{position}");
    }
    assert_eq!(game.analyze(&question("", true, true), &terms).unwrap().verdict.from, Source::Book);
}

/// A value that is wrong is found: in the last ply by search, before it by the rules.
#[test]
fn a_wrong_value_in_a_book_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("right.book");
    let book = book("connect4:4x4", &file, &Terms::default());
    let verify = |file: &Path, sample| verify("connect4:4x4", file, 1 << 22, sample);
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
    let mut question = Question { goal: Goal::Distance, ..Question::default() };
    question.budget.nodes = Some(3000);
    let choice = choose(&*game, &question, &Terms::default(), Limits { depth: 9, breadth: 20 }).unwrap();
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
        build(&game.spec(), &out);
        let answers = Answers::open(&game, &NoStudy, &out).unwrap();
        let root = game.root().unwrap();
        assert_eq!(answers.value(&game, &root).unwrap(), Some(Value::win(7)));
        let moves = answers.moves(&game, &NoStudy, &root).unwrap().unwrap();
        let count = |o| moves.iter().filter(|m| m.value.outcome() == o).count();
        assert_eq!([Outcome::Win, Outcome::Draw, Outcome::Loss].map(count), expected);
        let line = answers.line(&game, &NoStudy, &root).unwrap();
        assert_eq!(line.len(), 7);
    }
}

#[test]
fn an_interrupted_build_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, cut) = (folder.path().join("whole.table"), folder.path().join("cut.table"));
    let first = build("nex:3x3", &whole);
    for tier in [4, 8] {
        let terms = Terms::default();
        let stopped = open("nex:3x3").unwrap().tables().build(&order(&cut, &terms), &|step| {
            if step.tiers > 0 && step.tier == tier {
                terms.cancel.cancel();
            }
        });
        assert_eq!(stopped.unwrap_err().code, ErrorCode::Stopped);
    }
    let second = build("nex:3x3", &cut);
    assert!(second.resumed > 5, "{second:?}");
    assert_eq!(second.digest, first.digest);
    assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&cut).unwrap());
}

#[test]
fn too_large_a_table_is_refused_before_it_starts() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("large.table");
    let refused = |spec: &str, memory| {
        let terms = Terms::default();
        let order = Order { memory, ..order(&out, &terms) };
        open(spec).unwrap().tables().build(&order, &|_| {}).unwrap_err()
    };
    for text in ["nex:4x5", "nex:4x4"] {
        let error = refused(text, 1 << 28);
        assert_eq!(error.code, ErrorCode::OutOfMemory);
        assert!(error.hint.contains("MiB"), "{}", error.hint);
    }
    assert_eq!(refused("connect4:5x4", 1 << 20).code, ErrorCode::OutOfMemory);
    assert_eq!(refused("nex:13x13", 1 << 28).code, ErrorCode::BadSpec);
    assert!(!folder.path().join("large.table").exists());
}

#[test]
fn a_wrong_value_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (out, forged) = (folder.path().join("right.table"), folder.path().join("forged.table"));
    build("nex:2x3", &out);
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
    assert!(!verify("nex:2x3", &forged, 1 << 28, None).wrong.is_empty());
}

/// A building that was stopped goes on; what cannot be a book is refused, and nothing is left of it.
#[test]
fn books_go_on_and_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("small.book");
    let terms = Terms::default();
    let stop_soon = |done, _| {
        if done >= 5 {
            terms.cancel.cancel();
        }
    };
    let stopped = BookOrder {
        plies: 3,
        file: &file,
        memory: 1 << 22,
        threads: 1,
        terms: &terms,
        progress: &stop_soon,
        elsewhere: None,
    };
    // Whether the flag is seen in time is up to the searches; what was found is kept either way.
    if let Err(error) = open("connect4:5x4").unwrap().tables().build_book(&stopped) {
        assert_eq!(error.code, ErrorCode::Stopped);
        let kept = std::fs::read_to_string(folder.path().join("small.book.part/values")).unwrap();
        assert!(kept.lines().count() >= 5, "{kept}");
    }
    let made = book("connect4:5x4", &file, &Terms::default());
    assert_eq!((made.heading().spec.as_str(), made.heading().plies), ("connect4:5x4", Some(3)));
    assert!(!folder.path().join("small.book.part").exists());
    assert_eq!(verify("connect4:5x4", &file, 1 << 22, None).checked, made.entries());
    std::fs::remove_file(&file).unwrap();
    for (spec, plies, code) in [
        ("collapsi", 3, ErrorCode::NoStart),
        ("connect4:4x4", 16, ErrorCode::BadDepth),
        ("connect4:4x4", 0, ErrorCode::BadDepth),
        ("connect4", 14, ErrorCode::OutOfMemory),
    ] {
        let terms = Terms::default();
        let order = BookOrder {
            plies,
            file: &file,
            memory: 1 << 22,
            threads: 1,
            terms: &terms,
            progress: &|_, _| (),
            elsewhere: None,
        };
        let fault = open(spec).unwrap().tables().build_book(&order).expect_err("refused");
        assert_eq!(fault.code, code, "{spec} {plies}");
    }
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "nothing is left");
}

/// Any game has books, by the generic search too, and turns need not alternate.
#[test]
fn every_game_has_books() {
    let folder = tempfile::tempdir().unwrap();
    for spec in ["mnk:3,3,3", "hex:3x3", "nex:2x3", "heap:20"] {
        let file = folder.path().join(table::file_name(spec));
        let made = book(spec, &file, &Terms::default());
        assert_eq!(
            verify(spec, &file, 1 << 22, None),
            Verified { checked: made.entries(), positions: made.entries(), wrong: Vec::new() },
            "{spec}"
        );
    }
}
