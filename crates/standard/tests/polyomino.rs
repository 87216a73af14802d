//! Achievement games of polyominoes, by the generator and the search.
//!
//! Harary found eleven winners: shapes that the first player achieves on a large enough board. For each of them a board number
//! b, the side of the smallest square board on which he does it, and a move number m were published (Gardner, "Mathematical
//! Games", Scientific American 240, April 1979; Harary's games are strong: the second player wants the shape too).

use ludex_games::positional::{Achievement, Polyomino, remember};
use ludex_judge::{Outcome, Question, Terms};
use ludex_standard::open;

/// Whether Black wins the weak game on a square board, perhaps within so many moves.
fn wins(shape: &str, side: usize, moves: Option<usize>) -> bool {
    let shape: Polyomino = shape.parse().expect("a shape");
    let sheet = shape.sheet((side, side), Achievement::Weak, moves).expect("a sheet");
    let game = open(&remember(&sheet.write()).expect("a good file")).expect("a game");
    let verdict = game.solve(&Question::default(), &Terms::default()).expect("an answer");
    verdict.outcome.expect("no limit") == Outcome::Win
}

/// The winners: name, the published b and m, and what our search found for the weak game: the smallest board, and the
/// fewest moves there.
const WINNERS: [(&str, usize, usize, usize, usize); 11] = [
    ("elam", 1, 1, 1, 1),
    ("domino", 2, 2, 2, 2),
    ("tic", 4, 3, 4, 3),
    ("el", 3, 3, 3, 3),
    ("skinny", 7, 8, 6, 6),
    ("elly", 4, 4, 4, 4),
    ("tippy", 3, 5, 3, 5),
    ("knobby", 5, 4, 5, 4),
    ("l5", 7, 10, 6, 7),
    ("n5", 6, 6, 5, 6),
    ("y5", 7, 9, 6, 6),
];

/// What White may not do can only help Black, and so can a larger board: so he wins the weak game on the published board in the
/// published number of moves if he does on ours, which is no larger, in no more.
#[test]
fn eleven_winners() {
    for (shape, b, m, board, moves) in WINNERS {
        assert!(board <= b && moves <= m, "{shape}");
        assert!(wins(shape, board, Some(moves)), "{shape} on {board}x{board} in {moves}");
        let squares = shape.parse::<Polyomino>().expect("a shape").squares();
        assert!(
            moves == squares || !wins(shape, board, Some(moves - 1)),
            "{shape} on {board}x{board} in fewer"
        );
        let fits = shape.parse::<Polyomino>().expect("a shape").copies(board - 1, board - 1).len();
        assert!(fits == 0 || !wins(shape, board - 1, None), "{shape} on {0}x{0}", board - 1);
    }
    assert!(!wins("n5", 6, Some(5)) && !wins("y5", 7, Some(5)));
}

/// The other shapes of at most five squares lose: White has pairings on any board (Harary).
#[test]
fn the_others_lose() {
    for shape in ["fatty", "f5", "i5", "p5", "t5", "u5", "v5", "w5", "x5", "z5"] {
        assert!(!wins(shape, 5, None), "{shape}");
    }
    for (shape, side) in [("fatty", 6), ("i5", 6), ("i5", 7), ("snaky", 5), ("snaky", 6)] {
        assert!(!wins(shape, side, None), "{shape} on {side}x{side}");
    }
}

/// The strong games that are small enough end as published.
#[test]
fn strong_games() {
    for (shape, side, expected) in [
        ("tic", 3, Outcome::Draw),
        ("tic", 4, Outcome::Win),
        ("el", 3, Outcome::Win),
        ("tippy", 3, Outcome::Win),
    ] {
        let polyomino: Polyomino = shape.parse().expect("a shape");
        let sheet = polyomino.sheet((side, side), Achievement::Strong, None).expect("a sheet");
        let game = open(&remember(&sheet.write()).expect("a good file")).expect("a game");
        let verdict = game.solve(&Question::default(), &Terms::default()).expect("an answer");
        assert_eq!(verdict.outcome, Some(expected), "{shape} on {side}x{side}");
    }
}
