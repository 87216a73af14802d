//! Nex: what its evaluation is made of, and a map of its openings.

use std::collections::HashMap;

use ludex_core::{Error, Side, Spec, Value};
use ludex_games::{
    nex::{AnyNex, FAMILY, Nex, NexPosition, TERMS, of_spec},
    rhombus::WIDEST,
    svg::{DRAW, INK, LOSS, PAPER, Svg, WIN},
};
use ludex_judge::{AnyGame, Outcome, Study, answer::Opening, host_with};
use ludex_search::think::{Evaluation, Part};

/// Nex beyond its rules.
#[derive(Clone, Copy, Debug)]
pub struct NexStudy;

/// Host the game of a spec.
///
/// # Errors
/// If the parameters are wrong.
pub fn open(spec: &Spec) -> Result<Box<dyn AnyGame>, Error> {
    Ok(match of_spec(spec)? {
        AnyNex::Small(game) => host_with(game, &FAMILY, NexStudy),
        AnyNex::Middle(game) => host_with(game, &FAMILY, NexStudy),
        AnyNex::Large(game) => host_with(game, &FAMILY, NexStudy),
    })
}

impl<const N: usize> Study<Nex<N>> for NexStudy {
    fn evaluation(&self) -> &dyn Evaluation<Nex<N>> {
        self
    }
}

/// The game's own estimate, term by term.
impl<const N: usize> Evaluation<Nex<N>> for NexStudy {
    fn parts(&self, game: &Nex<N>, p: &NexPosition<N>, side: Side) -> Vec<Part> {
        let part = |i: usize, (name, what, weight): (&str, &str, i32), counts: [i32; 2]| Part {
            counts: Some(counts),
            weight: Some(weight),
            counted: game.counts(i),
            ..Part::new(name, what, weight * (counts[side.index()] - counts[side.other().index()]))
        };
        TERMS
            .iter()
            .zip(game.terms(p).counts)
            .enumerate()
            .map(|(i, (&term, counts))| part(i, term, counts))
            .collect()
    }
}

/// A map of the openings of a board: one small board for every cell the stone can be put on, with the value of putting the
/// neutral stone on each of the others. `None` for other games and for boards that are too large.
#[must_use]
pub fn map(openings: &[Opening]) -> Option<String> {
    let game = &openings.first()?.game;
    let size = game.strip_prefix("nex:")?.split(',').next()?;
    let (rows, cols) = size.split_once('x')?;
    let (rows, cols): (usize, usize) = (rows.parse().ok()?, cols.parse().ok()?);
    if rows > WIDEST || cols > WIDEST {
        return None;
    }
    let step = 16.0;
    let (wide, high) = (step * (cols as f64 + rows as f64 / 2.0 + 1.0), step * (rows as f64 * 0.87 + 1.6));
    let mut svg =
        Svg::new(wide * cols as f64 + 10.0, high * rows as f64 + 10.0, &format!("openings of {game}"));
    let values: HashMap<&str, Value> =
        openings.iter().flat_map(|c| c.moves.iter().map(|m| (m.as_str(), c.value))).collect();
    let name = |cell: usize| format!("{}{}", char::from(b'a' + (cell / cols) as u8), cell % cols + 1);
    for own in 0..rows * cols {
        let (left, top) = (10.0 + wide * (own % cols) as f64, 10.0 + high * (own / cols) as f64);
        svg.text(left + 10.0, top, 10.0, "label", INK, &name(own));
        for neutral in 0..rows * cols {
            let (r, c) = ((neutral / cols) as f64, (neutral % cols) as f64);
            let (x, y) = (left + step * (c + r / 2.0 + 0.5), top + step * (0.87 * r + 0.9));
            let value = values.get(format!("B{}?{}", name(own), name(neutral)).as_str());
            let (fill, word) = match value.map(|v| v.outcome()) {
                Some(Outcome::Win) => (WIN, "win"),
                Some(Outcome::Loss) => (LOSS, "loss"),
                Some(Outcome::Draw) => (DRAW, "draw"),
                None if own == neutral => (INK, "stone first"),
                None => (PAPER, "cell"),
            };
            svg.shape("circle", &[("cx", &x), ("cy", &y), ("r", &6.5), ("fill", &fill), ("class", &word)]);
            if let Some(plies) = value.and_then(|v| v.plies()) {
                svg.text(x, y, 8.0, "label", "#FFFFFF", &plies.to_string());
            }
        }
    }
    Some(svg.finish())
}

#[cfg(test)]
mod tests {
    use ludex_core::ErrorCode;
    use ludex_judge::{Terms, summary};

    use super::*;
    use crate::open as any;

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
}
