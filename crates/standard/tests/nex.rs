//! What is known of small boards of Nex, by the judge's own means.

use ludex_judge::{ErrorCode, Side, Terms, summary};
use ludex_standard::open as any;
use ludex_studies::nex::map;

/// The openings of all boards up to ten cells, as other programs found them.
#[test]
fn openings_of_small_boards() {
    for (board, expected) in [
        ("2x2", "2 win in 3, 10 draw"),
        ("2x3", "30 win in 5"),
        ("3x2", "30 loss in 4"),
        ("3x3", "42 win in 7, 30 draw"),
        ("3x3,rules=official", "42 win in 7, 2 win in 9, 28 loss in 8"),
        ("2x4", "56 win in 5"),
        ("4x2", "2 loss in 6, 54 loss in 4"),
        ("2x5", "90 win in 5"),
        ("5x2", "2 loss in 6, 88 loss in 4"),
    ] {
        let game = any(&format!("nex:{board}")).expect("a board");
        let (found, _) = game.openings(&Terms::default()).expect("it is small");
        assert_eq!(summary(&found), expected, "{board}");
        assert!(map(&found).expect("a map").contains("<circle"));
    }
    let large = any("nex:4x4").expect("a board").openings(&Terms::default());
    assert_eq!(large.expect_err("too large").code, ErrorCode::TooLarge);
}

#[test]
fn the_size_of_small_games() {
    for (board, tree, positions) in
        [("nex:2x2", Some("61"), 37), ("nex:2x3", None, 571), ("nex:3x2", None, 581)]
    {
        let size = any(board).expect("a board").complexity(2000, 1, 1000).expect("a start");
        assert_eq!(size.positions, Some(positions), "{board}");
        assert!(tree.is_none() || size.tree.as_deref() == tree, "{board}: {:?}", size.tree);
        let exact = size.tree.expect("counted").parse::<f64>().expect("a number").log10();
        assert!((size.tree_log10 - exact).abs() < 0.1, "{board}: {} and {exact}", size.tree_log10);
    }
    assert!(any("nex:5x5").expect("a board").complexity(10, 1, 1000).expect("a start").tree.is_none());
}

#[test]
fn an_empty_square_board_looks_even() {
    let game = any("nex:5x5").expect("a board");
    let seen = game.evaluate("moves:").expect("the start");
    assert!(seen.terms.iter().all(|t| t.counts.is_some_and(|[a, b]| a == b)), "{seen:?}");
    assert_eq!((seen.score, seen.to_move), (50, Side::First));
    assert!(game.evaluate("B").is_err());
}
