//! The board as a picture: cards, what has collapsed, pawns, and the way of the last move.

use ludex_core::{
    Game, Scene,
    svg::{GRID, INK, PAPER, RIM, Svg, label_size, short},
};

use super::{
    Collapsi, Position, Walk,
    notation::{RED_AND_BLUE, card_letter},
    position::JOKER,
};

const CARD: f64 = 64.0;
const GAP: f64 = 8.0;

/// The room for the names of columns and rows beside a board of so many cards.
fn edge(width: usize) -> f64 {
    2.0 * label_size(width as f64 * (CARD + GAP))
}

/// The middle of a cell, in pixels.
fn middle(cell: usize, width: usize) -> (f64, f64) {
    let at = |i: usize| edge(width) + GAP + CARD / 2.0 + i as f64 * (CARD + GAP);
    (at(cell % width), at(cell / width))
}

/// Draw a position.
pub(super) fn board(game: &Collapsi, p: &Position, scene: &Scene<Walk>) -> String {
    let w = game.board.width;
    let (edge, plate) = (edge(w), GAP + w as f64 * (CARD + GAP));
    let side = 2.0 * edge + plate;
    let names = ["X", "O"];
    let label = match game.outcome(p) {
        Some(_) => format!("Collapsi, {} is stuck and loses", names[p.side.index()]),
        None => format!("Collapsi, {} to move", names[p.side.index()]),
    };
    let mut svg = Svg::new(side, side, &label);
    svg.shape(
        "rect",
        &[
            ("x", &short(edge)),
            ("y", &short(edge)),
            ("width", &short(plate)),
            ("height", &short(plate)),
            ("rx", &10),
            ("class", &"board"),
            ("fill", &PAPER),
        ],
    );
    svg.ghost("first", |svg| pawn(svg, (0.0, 0.0), 0));
    svg.ghost("second", |svg| pawn(svg, (0.0, 0.0), 1));
    if scene.coordinates {
        for i in 0..w {
            let (x, _) = middle(i, w);
            svg.text(x, edge / 2.0, edge / 2.0, "label", INK, &char::from(b'a' + i as u8).to_string());
            svg.text(edge / 2.0, x, edge / 2.0, "label", INK, &(i + 1).to_string());
        }
    }
    for cell in 0..game.board.cells {
        card(&mut svg, game, p, cell);
    }
    if let Some(last) = scene.last {
        way(&mut svg, game, p, last);
    }
    for (i, &cell) in p.pawns.iter().enumerate() {
        pawn(&mut svg, middle(cell.into(), w), i);
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
        0 => ("cell collapsed", "none", GRID),
        JOKER => ("cell card joker", "#FFF6D6", GRID),
        _ => ("cell card", "#FFFFFF", GRID),
    };
    let on_it = p.pawns.iter().position(|&pawn| usize::from(pawn) == cell);
    let what = match face {
        0 => String::new(),
        JOKER => "joker".into(),
        _ => format!("card {}", card_letter(face)),
    };
    let holds = on_it.map_or(what.clone(), |player| format!("{what}, pawn {}", ["X", "O"][player]));
    let dashes = if face == 0 { "4 5" } else { "none" };
    let mut attributes: Vec<(&str, &dyn std::fmt::Display)> = vec![
        ("x", &left),
        ("y", &top),
        ("width", &size),
        ("height", &size),
        ("rx", &8),
        ("class", &class),
        ("fill", &fill),
        ("stroke", &stroke),
        ("stroke-dasharray", &dashes),
        ("pointer-events", &"all"),
        ("data-cell", &name),
    ];
    if face != 0 {
        attributes.push(("data-holds", &holds));
    }
    svg.shape("rect", &attributes);
    if face == 0 {
        return;
    }
    let letter = card_letter(face).to_string();
    svg.text(x - CARD / 2.0 + 11.0, y - CARD / 2.0 + 12.0, 14.0, "face", INK, &letter);
    if on_it.is_none() {
        pips(svg, (x, y + 4.0), face);
    }
}

/// As many pips as the card has steps, arranged as on a card; a star for the joker.
fn pips(svg: &mut Svg, (x, y): (f64, f64), face: u8) {
    let places: &[(f64, f64)] = match face {
        1 => &[(0.0, 0.0)],
        2 => &[(0.0, -1.0), (0.0, 1.0)],
        3 => &[(0.0, -1.2), (0.0, 0.0), (0.0, 1.2)],
        4 => &[(-0.9, -0.7), (0.9, -0.7), (-0.9, 1.1), (0.9, 1.1)],
        _ => return svg.text(x, y, 30.0, "face", "#8A6D00", "★"),
    };
    for (dx, dy) in places {
        svg.shape(
            "circle",
            &[
                ("cx", &short(x + dx * 11.0)),
                ("cy", &short(y + dy * 11.0)),
                ("r", &if face == 1 { 8 } else { 5 }),
                ("class", &"pip"),
                ("fill", &INK),
                ("pointer-events", &"none"),
            ],
        );
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

/// A pawn, seen from the side, with the letter of its player; it leaves the corner with the card's index free.
fn pawn(svg: &mut Svg, (x, y): (f64, f64), player: usize) {
    let (class, fill) = (["pawn first", "pawn second"][player], RED_AND_BLUE[player]);
    let at = |dx: f64, dy: f64| format!("{} {}", short(x + dx), short(y + dy));
    let body = format!(
        "M{} L{} C{}, {}, {} A9 9 0 1 0 {} C{}, {}, {} Z",
        at(-17.0, 25.0),
        at(17.0, 25.0),
        at(17.0, 14.0),
        at(7.0, 12.0),
        at(5.0, -3.0),
        at(-5.0, -3.0),
        at(-7.0, 12.0),
        at(-17.0, 14.0),
        at(-17.0, 25.0),
    );
    svg.shape(
        "path",
        &[
            ("d", &body),
            ("class", &class),
            ("fill", &fill),
            ("stroke", &RIM),
            ("stroke-width", &1.5),
            ("stroke-linejoin", &"round"),
            ("pointer-events", &"none"),
        ],
    );
    svg.text(x, y + 17.0, 14.0, "pawn-name", "#FFFFFF", ["X", "O"][player]);
}
