//! Whatever the opponent plays against a shipped certificate, the game ends as it claims.
#![allow(missing_docs)]

use std::path::{Path, PathBuf};

use ludex_core::Rng;
use ludex_proof::{
    Book, Header,
    rules::{self, Rule},
    walk::{Place, Walk},
};

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    let folders: Vec<PathBuf> = found.extract_if(.., |path| path.is_dir()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "ludex"));
    found.extend(folders.iter().flat_map(|folder| files(folder)));
    found
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs")
}

/// Play a game of random replies to its end, if the proof gives a strategy.
fn play_out(walk: &Walk<'_>, start: &Place, rng: &mut Rng) -> Vec<Rule> {
    let (game, mut place, mut met) = (walk.game, start.clone(), Vec::new());
    loop {
        let p = &place.position;
        assert!(!place.reason.said.text.is_empty(), "{}", game.write(p));
        met.extend(place.rule);
        if let Some(winner) = game.result(p) {
            assert!(walk.claim.satisfied(winner), "{} {}", game.write(p), p.side);
            return met;
        }
        let m = if p.side == walk.claim.side {
            place.play.unwrap_or_else(|| panic!("no move at {} {}: {:?}", game.write(p), p.side, place.rule))
        } else {
            let moves = game.moves(p);
            moves[rng.below(moves.len())]
        };
        let text = game.text(p, m);
        place = walk.step(&place, &text).expect("a move");
    }
}

#[test]
fn games_against_certificates_end_as_claimed() {
    let mut rng = Rng::new(7);
    let mut met: Vec<Rule> = Vec::new();
    for path in files(&folder()) {
        let file = std::fs::read(&path).expect("a file");
        // A large one is checked elsewhere; walking needs it whole.
        if file.len() > 100_000 {
            continue;
        }
        let (header, _) = Header::read(&file).expect("a header");
        let game = rules::open(&header.spec, header.sheet.as_deref()).expect("a game");
        let (checked, books) = Book::read(&file, &*game).expect("a proof");
        if !checked.header.strategy {
            continue;
        }
        let start = game.read(&header.board, header.side).expect("a position");
        for (&claim, book) in checked.header.claims.iter().zip(&books) {
            let walk = Walk { game: &*game, book, claim, sides: ["First", "Second"] };
            let place = walk.along(&start, &[]).expect("the start");
            for _ in 0..60 {
                met.extend(play_out(&walk, &place, &mut rng));
            }
        }
    }
    for rule in [Rule::Stop, Rule::Threats, Rule::Dead, Rule::Zone] {
        assert!(met.contains(&rule), "{rule} was never met");
    }
    assert!(met.iter().any(|rule| matches!(rule, Rule::Follow | Rule::Even | Rule::Odd(_))));
}

#[test]
fn a_walk_says_what_is_wrong_with_a_move() {
    let file = std::fs::read(folder().join("mnk/3,3,3-weak.ludex")).expect("a file");
    let (header, _) = Header::read(&file).expect("a header");
    let game = rules::open(&header.spec, None).expect("a game");
    let (checked, books) = Book::read(&file, &*game).expect("a proof");
    let start = game.read(&header.board, header.side).expect("a position");
    let walk = Walk { game: &*game, book: &books[0], claim: checked.header.claims[0], sides: ["X", "O"] };
    let at = |moves: &[&str]| walk.along(&start, &moves.iter().map(|&m| m.to_owned()).collect::<Vec<_>>());
    let first = at(&[]).expect("the start");
    let proved = game.text(&start, first.play.expect("X begins"));
    let other = if proved == "a1" { "c3" } else { "a1" };
    assert!(at(&[other]).expect_err("not the proof's move").hint.contains(&proved));
    assert!(at(&["z9"]).is_err());
    assert!(at(&[&proved, &proved]).expect_err("taken").message.contains("move 2 of the list"));
}
