//! The board as a picture: cards, what has collapsed, pawns, and the way of the last move.

use ludex_core::{
    Game, Scene,
    svg::{ACCENT, INK, PAPER, Svg, short},
};

use super::{
    Collapsi, Position, Walk,
    notation::{RED_AND_BLUE, card_letter},
    position::JOKER,
};

const CARD: f64 = 64.0;
const GAP: f64 = 8.0;
const EDGE: f64 = 26.0;

/// The middle of a cell, in pixels.
fn middle(cell: usize, width: usize) -> (f64, f64) {
    let at = |i: usize| EDGE + GAP + CARD / 2.0 + i as f64 * (CARD + GAP);
    (at(cell % width), at(cell / width))
}

/// Draw a position.
pub(super) fn board(game: &Collapsi, p: &Position, scene: &Scene<Walk>) -> String {
    let w = game.board.width;
    let side = 2.0 * EDGE + GAP + w as f64 * (CARD + GAP);
    let names = ["X", "O"];
    let label = match game.outcome(p) {
        Some(_) => format!("Collapsi, {} is stuck and loses", names[p.side.index()]),
        None => format!("Collapsi, {} to move", names[p.side.index()]),
    };
    let mut svg = Svg::new(side, side, &label);
    svg.shape(
        "rect",
        &[("width", &short(side)), ("height", &short(side)), ("class", &"board"), ("fill", &PAPER)],
    );
    if scene.coordinates {
        for i in 0..w {
            let (x, _) = middle(i, w);
            svg.text(x, EDGE / 2.0, 13.0, "label", INK, &char::from(b'a' + i as u8).to_string());
            svg.text(EDGE / 2.0, x, 13.0, "label", INK, &(i + 1).to_string());
        }
    }
    for cell in 0..game.board.cells {
        card(&mut svg, game, p, cell);
    }
    if let Some(last) = scene.last {
        way(&mut svg, game, p, last);
    }
    for (i, &cell) in p.pawns.iter().enumerate() {
        pawn(&mut svg, middle(cell.into(), w), i, p.side.index() == i);
    }
    for mark in &scene.marks {
        if let Some(cell) = game.board.cell(&mark.cell) {
            let (x, y) = middle(cell, w);
            let class = format!("mark {}", mark.class);
            svg.text(x, y + CARD / 2.0 - 9.0, 12.0, &class, INK, &mark.text);
        }
    }
    svg.finish()
}

fn card(svg: &mut Svg, game: &Collapsi, p: &Position, cell: usize) {
    let (x, y) = middle(cell, game.board.width);
    let (left, top, size) = (short(x - CARD / 2.0), short(y - CARD / 2.0), short(CARD));
    let face = p.card(cell);
    let name = game.board.cell_name(cell);
    let (class, fill, stroke) = match face {
        0 => ("cell collapsed", "none", "#C8C8C4"),
        JOKER => ("cell card joker", "#FFF6D6", INK),
        _ => ("cell card", "#FFFFFF", INK),
    };
    svg.shape(
        "rect",
        &[
            ("x", &left),
            ("y", &top),
            ("width", &size),
            ("height", &size),
            ("rx", &8),
            ("class", &class),
            ("fill", &fill),
            ("stroke", &stroke),
            ("stroke-dasharray", &if face == 0 { "4 5" } else { "none" }),
            ("pointer-events", &"all"),
            ("data-cell", &name),
        ],
    );
    if face != 0 {
        let letter = card_letter(face).to_string();
        svg.text(x - CARD / 2.0 + 12.0, y - CARD / 2.0 + 14.0, 16.0, "face", INK, &letter);
        if !p.pawns.contains(&(cell as u8)) {
            svg.text(x, y + 2.0, 28.0, "face", INK, if face == JOKER { "★" } else { &letter });
        }
    }
}

/// The way a pawn went. A step around the edge is drawn as two stubs that leave and enter the board.
fn way(svg: &mut Svg, game: &Collapsi, p: &Position, last: Walk) {
    let w = game.board.width;
    let cells = game.cells_passed(p, last);
    let mut line = String::new();
    let mut to = |pen: char, (x, y): (f64, f64)| line.push_str(&format!("{pen}{} {} ", short(x), short(y)));
    to('M', middle(cells[0], w));
    for pair in cells.windows(2) {
        let (a, b) = (middle(pair[0], w), middle(pair[1], w));
        let out = |from: f64, to: f64| (from - to).abs() > CARD + GAP + 1.0;
        if out(a.0, b.0) || out(a.1, b.1) {
            let stub = (CARD + GAP) * 0.6;
            let (dx, dy) = (
                (a.0 - b.0).signum() * f64::from(u8::from(a.0 != b.0)),
                (a.1 - b.1).signum() * f64::from(u8::from(a.1 != b.1)),
            );
            to('L', (a.0 + dx * stub, a.1 + dy * stub));
            to('M', (b.0 - dx * stub, b.1 - dy * stub));
        }
        to('L', b);
    }
    let colour = RED_AND_BLUE[p.side.other().index()];
    svg.shape(
        "path",
        &[
            ("d", &line.trim_end()),
            ("class", &"last"),
            ("fill", &"none"),
            ("stroke", &colour),
            ("stroke-width", &5),
            ("stroke-linecap", &"round"),
            ("stroke-linejoin", &"round"),
            ("opacity", &0.6),
            ("pointer-events", &"none"),
        ],
    );
}

fn pawn(svg: &mut Svg, (x, y): (f64, f64), player: usize, to_move: bool) {
    let (class, fill) = (["pawn first", "pawn second"][player], RED_AND_BLUE[player]);
    svg.shape(
        "circle",
        &[
            ("cx", &short(x)),
            ("cy", &short(y + 3.0)),
            ("r", &19),
            ("class", &class),
            ("fill", &fill),
            ("stroke", &if to_move { ACCENT } else { "#FFFFFF" }),
            ("stroke-width", &if to_move { 4 } else { 2 }),
            ("pointer-events", &"none"),
        ],
    );
    svg.text(x, y + 4.0, 18.0, "pawn-name", "#FFFFFF", ["X", "O"][player]);
}
