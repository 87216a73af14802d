//! The board as a picture: stones in holes, the last one ringed, the four that won marked.

use ludex_core::{
    Game, Notation, Scene, Side,
    svg::{ACCENT, INK, PAPER, Svg, ink_on},
};

use super::{Board, Column, Connect4, Shape, Word, lines, notation::column_name};

const CELL: f64 = 48.0;
const EDGE: f64 = 24.0;

/// The picture. Every cell of a column that has room is a click on that column.
pub(super) fn svg<S: Shape>(game: &Connect4<S>, p: &Board<S::Word>, scene: &Scene<Column>) -> String {
    let shape = game.shape;
    let (width, height) = (shape.width(), shape.height());
    let (w, h) = (f64::from(width) * CELL, f64::from(height) * CELL);
    let turn = game.side_names()[game.side(p).index()];
    let label = match game.why(p) {
        Some(why) => why,
        None => format!("{}, {} stones, {turn} to move", game.title(), p.stones()),
    };
    let mut svg = Svg::new(w, h + EDGE, &label);
    svg.shape(
        "rect",
        &[("width", &w), ("height", &h), ("rx", &8), ("class", &"board"), ("fill", &"#D9DEE6")],
    );
    let landings = p.landings(shape);
    let won = lines::four_cells(shape, p.other());
    let [red, yellow] = game.side_colours();
    let fills = match game.side(p) {
        Side::First => [(red, "first"), (yellow, "second")],
        Side::Second => [(yellow, "second"), (red, "first")],
    };
    for c in 0..width {
        let x = (f64::from(c) + 0.5) * CELL;
        for r in 0..height {
            let cell = shape.cell(c, r);
            let y = h - (f64::from(r) + 0.5) * CELL;
            let (fill, class) = match () {
                () if (p.all & cell).none() => (PAPER, "cell"),
                () if (p.own & cell).any() => fills[0],
                () => fills[1],
            };
            let name = column_name(c);
            // A click is for a whole column; a fact is about one cell of it.
            let spot = format!("{name}-{}", r + 1);
            let mut attributes: Vec<(&str, &dyn std::fmt::Display)> = vec![
                ("cx", &x),
                ("cy", &y),
                ("r", &20),
                ("class", &class),
                ("fill", &fill),
                ("data-spot", &spot),
            ];
            if (landings & shape.column(c)).any() && (p.all & cell).none() {
                attributes.push(("data-cell", &name));
            }
            svg.shape("circle", &attributes);
            let top = (p.all & cell).any() && (p.all & (cell << 1)).none();
            if top && scene.last.is_some_and(|m| u32::from(m.0) == c) {
                ring(&mut svg, x, y, 9.0, "last", ink_on(fill));
            }
            if (won & cell).any() {
                ring(&mut svg, x, y, 21.0, "line", ACCENT);
            }
            if (landings & cell).any() {
                for mark in scene.marks.iter().filter(|m| m.cell == name.to_string()) {
                    svg.text(x, y, 15.0, &format!("mark {}", mark.class), INK, &mark.text);
                }
            }
        }
        if scene.coordinates {
            svg.text(x, h + EDGE / 2.0, 14.0, "label", INK, &column_name(c).to_string());
        }
    }
    svg.finish()
}

fn ring(svg: &mut Svg, x: f64, y: f64, r: f64, class: &str, stroke: &str) {
    svg.shape(
        "circle",
        &[
            ("cx", &x),
            ("cy", &y),
            ("r", &r),
            ("class", &class),
            ("fill", &"none"),
            ("stroke", &stroke),
            ("stroke-width", &4),
            ("pointer-events", &"none"),
        ],
    );
}
