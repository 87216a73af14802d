//! Deals with exactly one winning first move.

use ludex_core::{Notation, Outcome, Rng, Scene};
use ludex_games::{
    collapsi::{Collapsi, Fast, Position},
    svg::{INK, PAPER, short},
};

/// A puzzle: X to move, one move wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The seed that deals it.
    pub seed: u64,
    /// The deal's text.
    pub deal: String,
    /// The one winning move.
    pub answer: String,
    /// How many plies the win takes.
    pub plies: u32,
}

/// The puzzle of a number: of the deals that the generator started with it gives, the first with exactly one winning
/// first move, and with this number of plies if one is asked for. `None` if there is none among a million.
#[must_use]
pub fn puzzle(game: &Collapsi, number: u64, plies: Option<u32>) -> Option<Puzzle> {
    let mut rng = Rng::new(number);
    let mut fast = Fast::new(game);
    for _ in 0..1_000_000 {
        let seed = rng.next_u64();
        let deal: Position = game.shuffled(seed);
        let value = fast.value(&deal);
        if value.outcome() != Outcome::Win || plies.is_some_and(|wanted| value.plies() != Some(wanted)) {
            continue;
        }
        let winning: Vec<_> =
            fast.moves(&deal).into_iter().filter(|(_, v)| v.outcome() == Outcome::Win).collect();
        if let [(m, _)] = winning[..] {
            return Some(Puzzle {
                seed,
                deal: game.position_text(&deal),
                answer: game.move_text(&deal, m),
                plies: value.plies()?,
            });
        }
    }
    None
}

/// A page of puzzles to print, the answers upside down at its foot.
#[must_use]
pub fn sheet(game: &Collapsi, puzzles: &[Puzzle], title: &str) -> String {
    let (width, cell) = (744.0, 360.0);
    let rows = puzzles.len().div_ceil(2) as f64;
    let height = 60.0 + rows * (cell + 24.0) + 40.0;
    let mut page = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" aria-label=\"Collapsi puzzles\">\n\
         <rect width=\"{w}\" height=\"{h}\" fill=\"{PAPER}\" class=\"board\"/>\n",
        w = short(width),
        h = short(height)
    );
    let text = |x: f64, y: f64, size: u32, words: &str, turned: bool| {
        let turn = if turned {
            format!(" transform=\"rotate(180 {} {})\"", short(x), short(y))
        } else {
            String::new()
        };
        format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{size}\" fill=\"{INK}\" text-anchor=\"middle\" font-family=\"system-ui, sans-serif\"{turn}>{words}</text>\n",
            short(x),
            short(y)
        )
    };
    page += &text(width / 2.0, 34.0, 22, title, false);
    let mut answers = Vec::new();
    for (i, puzzle) in puzzles.iter().enumerate() {
        let (x, y) = (6.0 + (i % 2) as f64 * (cell + 12.0), 60.0 + (i / 2) as f64 * (cell + 24.0));
        if let Ok(deal) = game.parse_position(&puzzle.deal) {
            let board = game.svg(&deal, &Scene::default());
            let place = format!("<svg x=\"{}\" y=\"{}\" ", short(x), short(y));
            page +=
                &board.replacen("<svg ", &place, 1).replacen("xmlns=\"http://www.w3.org/2000/svg\" ", "", 1);
        }
        let words = format!("{}. X to move: one move wins, in {} plies", i + 1, puzzle.plies);
        page += &text(x + cell / 2.0, y + cell + 6.0, 14, &words, false);
        answers.push(format!("{}. {}", i + 1, puzzle.answer));
    }
    page += &text(width / 2.0, height - 18.0, 13, &answers.join("   "), true);
    page + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::{Game, conformance::Minimax};

    #[test]
    fn a_puzzle_has_one_answer() {
        let game = Collapsi::new(4, false);
        let found = puzzle(&game, 20_261_115, Some(9)).expect("a puzzle");
        assert_eq!(found, puzzle(&game, 20_261_115, Some(9)).expect("the same one"));
        let p = game.parse_position(&found.deal).expect("a deal");
        assert_eq!(game.shuffled(found.seed), p);
        let mut minimax = Minimax::new();
        let mut winning = Vec::new();
        game.each_move(&p, |m| {
            if minimax.value(&game, &game.play(&p, m)).outcome() == Outcome::Loss {
                winning.push(game.move_text(&p, m));
            }
        });
        assert_eq!(winning, std::slice::from_ref(&found.answer));
        let page = sheet(&game, &[found.clone(), found], "Collapsi");
        assert_eq!(page.matches("<svg ").count(), 3);
    }
}
