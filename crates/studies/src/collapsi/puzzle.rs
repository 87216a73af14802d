//! Deals with exactly one winning first move.

use ludex_core::{Notation, Outcome, Rng, Scene};
use ludex_games::{
    collapsi::{Collapsi, Position},
    svg::{INK, short},
};

use super::{Fast, value_of_deal};

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
        let value = value_of_deal(game, &deal).unwrap_or_else(|| fast.value(&deal));
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

/// The most puzzles on a page.
pub const ON_A_PAGE: u64 = 12;

/// A page of paper (A4) with puzzles to print, the answers upside down at its foot.
#[must_use]
pub fn sheet(game: &Collapsi, puzzles: &[(u64, Puzzle)], title: &str) -> String {
    // Four units to a millimetre.
    let (width, height, edge, top, foot) = (840.0, 1188.0, 48.0, 150.0, 92.0);
    let columns = match puzzles.len() {
        0 | 1 => 1,
        2..=6 => 2,
        _ => 3,
    };
    let rows = puzzles.len().div_ceil(columns).max(1);
    let (wide, tall) = ((width - 2.0 * edge) / columns as f64, (height - top - foot) / rows as f64);
    let board = (wide - 20.0).min(tall - 64.0).min(460.0);
    let mut page = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"210mm\" height=\"297mm\" \
         role=\"img\" aria-label=\"Collapsi puzzles\" font-family=\"system-ui, sans-serif\" text-anchor=\"middle\" fill=\"{INK}\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#FFFFFF\"/>\n"
    );
    let text = |page: &mut String, x: f64, y: f64, attributes: &str, words: &str| {
        *page += &format!("<text x=\"{}\" y=\"{}\" {attributes}>{words}</text>\n", short(x), short(y));
    };
    let middle = width / 2.0;
    text(&mut page, middle, 66.0, "font-size=\"34\" font-weight=\"700\" letter-spacing=\"1\"", title);
    let rules = [
        "X moves. Walk exactly as many steps as your card says, turning and going around the edges as you like, never over",
        "a cell twice nor over a hole, and end on a free card. The card you leave is gone. Who cannot move loses.",
    ];
    for (i, line) in rules.iter().enumerate() {
        text(&mut page, middle, 96.0 + 18.0 * i as f64, "font-size=\"13\"", line);
    }
    let mut answers = Vec::new();
    for (i, (number, puzzle)) in puzzles.iter().enumerate() {
        let (column, row) = (i % columns, i / columns);
        // A last row that is not full stands in the middle.
        let in_row = (puzzles.len() - row * columns).min(columns);
        let left = edge + (columns - in_row) as f64 * wide / 2.0 + column as f64 * wide;
        let (x, y) = (left + wide / 2.0, top + row as f64 * tall);
        if let Ok(deal) = game.parse_position(&puzzle.deal) {
            page += &placed(&game.svg(&deal, &Scene::default()), x - board / 2.0, y, board);
        }
        let goal = format!(
            "<tspan font-weight=\"700\">{}</tspan> · One move wins, in {} plies",
            i + 1,
            puzzle.plies
        );
        text(&mut page, x, y + board + 18.0, "font-size=\"14.5\"", &goal);
        let about = format!("No. {number} · {}", puzzle.deal);
        text(&mut page, x, y + board + 36.0, "font-size=\"10\" fill=\"#767676\"", &about);
        answers.push(format!("{}: {}", i + 1, puzzle.answer));
    }
    page += &format!(
        "<path d=\"M{edge} {y}H{}\" stroke=\"#C8C8C4\" stroke-dasharray=\"2 5\"/>\n",
        short(width - edge),
        y = short(height - 64.0)
    );
    let y = height - 42.0;
    let turned = format!("font-size=\"12\" transform=\"rotate(180 {} {})\"", short(middle), short(y));
    text(&mut page, middle, y, &turned, &answers.join(" · "));
    page + "</svg>\n"
}

/// A picture within a page, as a square of a size.
fn placed(picture: &str, x: f64, y: f64, size: f64) -> String {
    let (head, body) = picture.split_once('>').unwrap_or_default();
    let view = head.split("viewBox=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
    format!(
        "<svg x=\"{}\" y=\"{}\" width=\"{size}\" height=\"{size}\" viewBox=\"{view}\">{body}",
        short(x),
        short(y),
        size = short(size)
    )
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
        for count in 1..=ON_A_PAGE {
            let puzzles: Vec<_> = (0..count).map(|number| (number, found.clone())).collect();
            let page = sheet(&game, &puzzles, "Collapsi");
            assert_eq!(page.matches("<svg ").count() as u64, 1 + count);
            assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
        }
    }
}
