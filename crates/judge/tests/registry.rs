//! The list of games as a value: names, other words for them, and specs that name files.

use ludex_core::{Error, ErrorCode, Family};
use ludex_games::template::{FAMILY, Heap, of_spec};
use ludex_judge::{Question, Registry, Terms, answer::Verdict};

const FILED: Family = Family {
    name: "filed",
    aliases: &[("f", "filed"), ("nine", "filed:9")],
    examples: &["filed:shipped"],
    reads_files: true,
    ..FAMILY
};

fn registry() -> Registry {
    Registry::new().with(&FAMILY, of_spec).with(&FILED, |_| Ok::<_, Error>(Heap { size: 9 }))
}

#[test]
fn other_words_stand_for_specs() {
    let registry = registry();
    for (word, meant) in [("nine", "filed:9"), ("f:12", "filed:12"), ("F", "filed"), ("heap:3", "heap:3")] {
        assert_eq!(registry.resolve(word).expect("a spec").to_string(), meant, "{word}");
    }
    assert_eq!(registry.resolve("nine:4").expect_err("a whole spec").code, ErrorCode::BadSpec);
    assert_eq!(registry.family("f").expect("a family").name, "filed");
    let unknown = registry.open("chess").err().expect("no such game");
    assert!(unknown.hint.contains("heap, filed"), "{}", unknown.hint);
}

#[test]
fn a_foreign_spec_opens_no_file() {
    let registry = registry();
    for harmless in ["filed", "filed:shipped", "filed:sha256=00", "heap:5"] {
        assert!(registry.open_foreign(harmless).is_ok(), "{harmless}");
    }
    for harmful in ["filed:/etc/passwd", "filed:notes.pg", "nine"] {
        let refused = registry.open_foreign(harmful).err().expect("it names a file");
        assert_eq!(refused.code, ErrorCode::BadSpec, "{harmful}");
        assert!(registry.open(harmful).is_ok(), "{harmful}: whoever sits at the machine may");
    }
}

#[test]
fn a_later_family_of_the_same_name_takes_over() {
    let registry = registry().with(&FAMILY, |_| Ok::<_, Error>(Heap { size: 4 }));
    assert_eq!(registry.families().map(|f| f.name).collect::<Vec<_>>(), ["filed", "heap"]);
    assert_eq!(registry.open("heap:21").expect("a game").spec(), "heap:4");
}

/// What leaves the judge can be read back, on another machine too.
#[test]
fn a_verdict_is_read_back() {
    let game = registry().open("heap:21").expect("a game");
    for solver in game.solvers() {
        let question = Question { solver: Some(solver.into()), ..Question::default() };
        let verdict = game.solve(&question, &Terms::default()).expect("a verdict");
        let line = serde_json::to_string(&verdict).expect("text");
        let read: Verdict = serde_json::from_str(&line).expect("a verdict");
        assert_eq!(serde_json::to_string(&read).expect("text"), line, "{solver}");
        assert_eq!((read.bounds, read.best), (verdict.bounds, verdict.best), "{solver}");
    }
}
