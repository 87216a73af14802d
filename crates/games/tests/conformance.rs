//! Every registered game, through the kit of `core`, its golden files and its known values.
//!
//! `UPDATE=1 cargo test -p ludex-games --test conformance` rewrites the golden games.

use std::{fmt::Write as _, fs, panic, path::PathBuf};

use ludex_core::{
    Outcome, Playable, Rng, Spec, Value,
    conformance::{self, Minimax, Passed},
    perft,
};
use ludex_games::registry::{self, FAMILIES, Family, Visitor};

fn spec(text: &str) -> Spec {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn visit<V: Visitor>(text: &str, visitor: V) -> V::Output {
    registry::visit(&spec(text), visitor).unwrap_or_else(|e| panic!("{text}: {e} ({})", e.hint))
}

fn start<G: Playable>(game: &G, seed: u64) -> G::Position {
    game.deal(seed).unwrap_or_else(|| panic!("{} can be dealt", game.spec()))
}

struct Check;
impl Visitor for Check {
    type Output = Passed;
    fn visit<G: Playable>(self, game: G) -> Passed {
        conformance::check(&game)
    }
}

/// The whole kit on every example and every small board, which has to be small enough to be gone through. The output
/// holds what is wrong with each that fails.
#[test]
fn every_game_passes_the_kit() {
    let mut failed = Vec::new();
    for family in FAMILIES {
        assert!(!family.small.is_empty(), "{} names small boards", family.name);
        for &text in family.small.iter().chain(family.examples) {
            let checked = panic::catch_unwind(|| {
                let passed = visit(text, Check);
                assert!(!passed.missing.iter().any(|m| m.contains("`why`")), "{passed}");
                if family.small.contains(&text) && passed.whole.is_none() {
                    assert!(visit(text, Everything) > 0, "{passed}");
                }
            });
            if checked.is_err() {
                failed.push(text);
            }
        }
    }
    assert!(failed.is_empty(), "these do not pass: {failed:?}");
}

struct Everything;
impl Visitor for Everything {
    type Output = usize;
    fn visit<G: Playable>(self, game: G) -> usize {
        conformance::every_position(&game, &start(&game, 0))
    }
}

struct Count<'a>(&'a str, u32);
impl Visitor for Count<'_> {
    type Output = Vec<u64>;
    fn visit<G: Playable>(self, game: G) -> Vec<u64> {
        let p = if self.0.is_empty() { start(&game, 0) } else { game.parse_position(self.0).expect(self.0) };
        perft::sequences(&game, &p, self.1)
    }
}

#[test]
fn perft_numbers() {
    for family in FAMILIES {
        for line in family.perft.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()) {
            let [spec, position, counts] = line
                .split('|')
                .map(str::trim)
                .collect::<Vec<_>>()
                .try_into()
                .expect("SPEC | POSITION | counts");
            let expected: Vec<u64> = counts.split(' ').map(|n| n.parse().expect("a count")).collect();
            assert_eq!(visit(spec, Count(position, expected.len() as u32 - 1)), expected, "{line}");
        }
    }
}

struct Solve<'a>(Option<&'a str>);
impl Visitor for Solve<'_> {
    type Output = Value;
    fn visit<G: Playable>(self, game: G) -> Value {
        let p = self.0.map_or_else(|| start(&game, 0), |text| game.parse_position(text).expect(text));
        Minimax::new().value(&game, &p)
    }
}

/// Known values of the boards that are small enough for plain minimax; the searches are tested on the others.
#[test]
fn known_values_of_small_boards() {
    for family in FAMILIES {
        let known: toml::Table = family.known.parse().expect("known.toml");
        for entry in known.get("value").and_then(|v| v.as_array()).into_iter().flatten() {
            let text = |key: &str| entry.get(key).and_then(|v| v.as_str());
            let spec = text("spec").expect("a spec");
            assert!(text("source").is_some(), "{spec}: a known value has a source");
            let outcome = text("outcome").expect("an outcome");
            assert!(["win", "draw", "loss"].contains(&outcome), "{spec}: {outcome}");
            if !family.small.contains(&spec) && family.name != "heap" {
                continue;
            }
            let value = visit(spec, Solve(text("position")));
            assert_eq!(value.outcome().word(), outcome, "{spec}");
            if let Some(plies) = entry.get("plies").and_then(|v| v.as_integer()) {
                assert_eq!(value.plies(), Some(plies as u32), "{spec}");
            }
        }
    }
}

struct Playthrough;
impl Visitor for Playthrough {
    type Output = String;
    fn visit<G: Playable>(self, game: G) -> String {
        let mut text = format!("{}\n{}\n", game.spec(), game.title());
        let mut rng = Rng::new(7);
        let mut p = start(&game, 7);
        loop {
            let mut moves = Vec::new();
            let _ = writeln!(text, "\n{}{}", game.picture(&p), game.position_text(&p));
            if let Some(outcome) = game.outcome(&p) {
                let names = game.side_names();
                let side = game.side(&p);
                let _ = match outcome {
                    Outcome::Draw => writeln!(text, "draw"),
                    Outcome::Win => writeln!(text, "{} wins", names[side.index()]),
                    Outcome::Loss => writeln!(text, "{} wins", names[side.other().index()]),
                };
                let _ = writeln!(text, "{}", game.why(&p).unwrap_or_default());
                return text;
            }
            game.each_move(&p, |m| moves.push(m));
            let names: Vec<_> = moves.iter().take(12).map(|&m| game.move_text(&p, m)).collect();
            let more = if moves.len() > 12 { " …" } else { "" };
            let &m = rng.pick(&moves).expect("a move");
            let _ = writeln!(
                text,
                "{} to move, {} moves: {}{more}\nplays {}",
                game.side_names()[game.side(&p).index()],
                moves.len(),
                names.join(" "),
                game.move_text(&p, m)
            );
            p = game.play(&p, m);
        }
    }
}

/// The first example of each family, played at random, to the letter.
#[test]
fn golden_games() {
    for family in FAMILIES {
        let text = visit(family.examples[0], Playthrough);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(golden_file(family), &text).expect("written");
        } else {
            assert_eq!(text, family.playthrough, "{}: UPDATE=1 rewrites it", family.name);
        }
    }
}

fn golden_file(family: &Family) -> PathBuf {
    let folder = if family.name == "heap" { "_template" } else { family.name };
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src").join(folder).join("playthrough.txt")
}
