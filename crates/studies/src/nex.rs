//! Nex: what its evaluation is made of, and a map of its openings.

use std::collections::HashMap;

use ludex_core::{Side, Value};
use ludex_games::{
    nex::{Nex, NexPosition, TERMS},
    rhombus::WIDEST,
    svg::{DRAW, INK, LOSS, PAPER, Svg, WIN},
};
use ludex_judge::{Outcome, Study, answer::Opening};
use ludex_search::think::{Evaluation, Part};

/// Nex beyond its rules.
#[derive(Clone, Copy, Debug)]
pub struct NexStudy;

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
