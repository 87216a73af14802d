//! The drawing of a game that brings none: its grid with a disc for each side, or its text, and a button for every
//! move that is no cell.

use crate::{
    Grid, Notation, Scene,
    svg::{ACCENT, GRID, INK, PAPER, Svg, ink_on, mark_colour, short},
};

const CELL: f64 = 44.0;
const MARGIN: f64 = 24.0;
const BUTTON: (f64, f64) = (84.0, 32.0);

/// Draw a position with what the game says of it.
pub fn plain<G: Notation>(game: &G, p: &G::Position, scene: &Scene<G::Move>) -> String {
    let grid = game.grid(p);
    let picture = game.picture(p);
    let margin = if scene.coordinates { MARGIN } else { 6.0 };
    let (wide, high) = match &grid {
        Some(grid) => (CELL * grid.columns() as f64, CELL * grid.rows() as f64),
        None => {
            let letters = picture.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            (9.0 * letters as f64, 20.0 * picture.lines().count() as f64)
        }
    };
    let buttons = buttons(game, p, grid.as_ref());
    // Room for three buttons side by side, or as many as fit below the board.
    let least = if buttons.is_empty() { 0.0 } else { 8.0 + 3.0 * (BUTTON.0 + 8.0) };
    let width = (wide + 2.0 * margin).max(least);
    let across = (((width - 8.0) / (BUTTON.0 + 8.0)) as usize).max(1);
    let below = buttons.len().div_ceil(across) as f64 * (BUTTON.1 + 8.0);
    let board = high + 2.0 * margin;
    let mut svg = Svg::new(width, board + below, &format!("{}, {}", game.title(), game.position_text(p)));
    // A last move that is no cell is shown by the frame of the whole board.
    let framed = scene.last.is_some_and(|m| game.touched(m).is_empty());
    svg.shape(
        "rect",
        &[
            ("width", &short(width)),
            ("height", &short(board + below)),
            ("class", &if framed { "board last" } else { "board" }),
            ("fill", &PAPER),
            ("stroke", &if framed { ACCENT } else { "none" }),
            ("stroke-width", &6),
        ],
    );
    match &grid {
        Some(grid) => cells(&mut svg, game, grid, scene, margin),
        None => lines(&mut svg, &picture, margin),
    }
    for (i, name) in buttons.iter().enumerate() {
        let (x, y) =
            (8.0 + (i % across) as f64 * (BUTTON.0 + 8.0), board + (i / across) as f64 * (BUTTON.1 + 8.0));
        button(&mut svg, x, y, name, scene);
    }
    svg.finish()
}

/// The clicks of legal moves that are no cells of the grid, each once.
fn buttons<G: Notation>(game: &G, p: &G::Position, grid: Option<&Grid>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    if game.outcome(p).is_some() {
        return names;
    }
    let cells: Vec<String> =
        grid.map(|grid| grid.cells().map(|(r, c, _)| grid.name(r, c)).collect()).unwrap_or_default();
    game.each_move(p, |m| {
        for name in game.clicks(p, m) {
            if !cells.contains(&name) && !names.contains(&name) {
                names.push(name);
            }
        }
    });
    names
}

fn cells<G: Notation>(svg: &mut Svg, game: &G, grid: &Grid, scene: &Scene<G::Move>, margin: f64) {
    let last = scene.last.map(|m| game.touched(m)).unwrap_or_default();
    let symbols = game.symbols();
    let signs: Vec<char> = symbols.iter().filter_map(|s| s.symbol.chars().next()).collect();
    let colours = game.side_colours();
    for side in 0..2 {
        if let Some(&symbol) = signs.get(side + 1) {
            svg.ghost(["first", "second"][side], |svg| disc(svg, (0.0, 0.0), side, colours[side], symbol));
        }
    }
    let middle = |i: usize| margin + (i as f64 + 0.5) * CELL;
    for (r, c, symbol) in grid.cells() {
        let (x, y, name) = (middle(c), middle(r), grid.name(r, c));
        let (left, top) = (short(x - CELL / 2.0), short(y - CELL / 2.0));
        let mut attributes: Vec<(&str, &dyn std::fmt::Display)> = vec![
            ("x", &left),
            ("y", &top),
            ("width", &CELL),
            ("height", &CELL),
            ("class", &"cell"),
            ("fill", &"#FFFFFF"),
            ("stroke", &GRID),
            ("data-cell", &name),
        ];
        let holds = symbols.iter().skip(1).find(|s| s.symbol.starts_with(symbol));
        if let Some(holds) = holds {
            attributes.push(("data-holds", &holds.what));
        }
        svg.shape("rect", &attributes);
        if last.contains(&(r, c)) {
            svg.last((x, y), CELL / 2.0);
        }
        match signs.iter().position(|sign| *sign == symbol) {
            Some(0) => {}
            Some(side @ (1 | 2)) => disc(svg, (x, y), side - 1, colours[side - 1], symbol),
            _ => svg.text(x, y, 20.0, "stone", INK, &symbol.to_string()),
        }
        for mark in scene.marks.iter().filter(|mark| mark.cell == name) {
            let class = format!("mark {}", mark.class);
            svg.text(x, y + CELL * 0.32, 12.0, &class, mark_colour(&mark.class), &mark.text);
        }
    }
    if scene.coordinates {
        for c in 0..grid.columns() {
            let y = margin * 1.5 + grid.rows() as f64 * CELL;
            svg.text(middle(c), y, 12.0, "label", INK, &crate::column_name(c));
        }
        for r in 0..grid.rows() {
            svg.text(margin / 2.0, middle(r), 12.0, "label", INK, &(grid.rows() - r).to_string());
        }
    }
}

fn disc(svg: &mut Svg, (x, y): (f64, f64), side: usize, colour: &str, symbol: char) {
    svg.stone((x, y), CELL * 0.36, ["first", "second"][side], colour);
    // The letter tells the sides apart for those who do not see the colours.
    svg.text(x, y, 15.0, "letter", ink_on(colour), &symbol.to_string());
}

fn lines(svg: &mut Svg, picture: &str, margin: f64) {
    let attributes: [(&str, &dyn std::fmt::Display); 5] = [
        ("font-size", &15),
        ("class", &"label"),
        ("fill", &INK),
        ("font-family", &"ui-monospace, monospace"),
        ("xml:space", &"preserve"),
    ];
    for (i, line) in picture.lines().enumerate() {
        let (x, y) = (short(margin), short(margin + 20.0 * (i as f64 + 0.75)));
        let mut all: Vec<(&str, &dyn std::fmt::Display)> = vec![("x", &x), ("y", &y)];
        all.extend(attributes);
        svg.open("text", &all);
        svg.content(line);
        svg.close("text");
    }
}

fn button<M>(svg: &mut Svg, x: f64, y: f64, name: &str, scene: &Scene<M>) {
    let (wide, high) = BUTTON;
    svg.open("g", &[("class", &"cell button"), ("data-cell", &name)]);
    svg.shape(
        "rect",
        &[
            ("x", &short(x)),
            ("y", &short(y)),
            ("width", &wide),
            ("height", &high),
            ("rx", &6),
            ("fill", &"#FFFFFF"),
            ("stroke", &INK),
        ],
    );
    svg.text(x + wide / 2.0, y + high * 0.4, 14.0, "label", INK, name);
    for mark in scene.marks.iter().filter(|mark| mark.cell == name) {
        let class = format!("mark {}", mark.class);
        svg.text(x + wide / 2.0, y + high * 0.8, 11.0, &class, mark_colour(&mark.class), &mark.text);
    }
    svg.close("g");
}
