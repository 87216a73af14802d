//! Connect Four's own solver and its proofs, beside the judge's.

use ludex_judge::{Budget, Question, Registry, Terms};
use ludex_proof::check;
use ludex_standard::{Standard as _, open};
use ludex_studies::connect4::{Meter, samples};

/// A position of a board of two words.
const LATE: &str = "moves:5,6,9,1,8,4,1,3,2,6,8,4,7,9,2,4,1,1,7,5,3,7,3,\
                    2,3,8,1,3,1,1,5,5,4,4,6,7,2,5,4,5,8,6,2,7,8,4";

fn proof(spec: &str, position: Option<&str>, effort: u32, memory: u64) -> Vec<u8> {
    let game = open(spec).expect("a game");
    let budget = Budget { memory, ..Budget::default() };
    let question = Question { position: position.map(Into::into), budget, ..Question::default() };
    game.prove(&question, &[], effort, &Terms::default()).expect("a proof")
}

#[test]
fn small_boards_are_proved_and_accepted() {
    for (spec, position, moves) in [
        ("connect4:4x4", None, 150),
        ("connect4:5x4", None, 600),
        ("connect4:6x4", None, 300),
        ("connect4:9x7", Some(LATE), 10),
    ] {
        let file = proof(spec, position, 1, 1 << 24);
        let checked = check(&file).unwrap_or_else(|fault| panic!("{spec}: {fault}"));
        assert!(checked.moves <= moves, "{spec}: {} moves", checked.moves);
        assert_eq!(file, proof(spec, position, 1, 1 << 22), "{spec}: memory does not matter");
    }
}

#[test]
fn lists_are_measured_and_mistakes_in_them_named() {
    let games = Registry::standard();
    // Red has three in a row open at both ends: to move it wins at once, else it wins with its next stone.
    let text = "# one right, one wrong\n445566 18\n\n44556 0\n";
    for (threads, solver) in [(1, None), (2, None), (1, Some("alphabeta"))] {
        let mut meter =
            Meter::new(1 << 26, threads, solver.map(|solver| (solver, &games))).expect("enough memory");
        let measured = meter.measure(text.lines(), 0).expect("a good list");
        assert_eq!((measured.positions, measured.wrong), (2, 1), "the second score is -18");
        assert!(meter.measure(["4444444"], 2).unwrap_err().to_string().contains("line 3"));
    }
    assert!(Meter::new(1, 1, None).is_err());
}

/// Both searches find the same scores.
#[test]
fn the_own_solver_agrees_with_the_generic_search() {
    let games = Registry::standard();
    let mut own = Meter::new(1 << 26, 1, None).expect("enough memory");
    let mut generic = Meter::new(1 << 26, 1, Some(("alphabeta", &games))).expect("enough memory");
    for (name, positions) in samples().iter().skip(1) {
        assert!(positions.len() >= 50, "{name}");
        for position in &positions[..20] {
            let scores = [&mut own, &mut generic].map(|m| m.solve(position).expect("a score").0);
            assert_eq!(scores[0], scores[1], "{position}");
        }
    }
}
