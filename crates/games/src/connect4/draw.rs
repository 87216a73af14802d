//! The board as a picture: stones in holes, the last one marked, the four that won struck through.

use ludex_core::{
    Game, Notation, Scene, Side,
    svg::{GRID, INK, PAPER, Svg, label_size},
};

use super::{Board, Column, Connect4, Shape, Word, lines, notation::column_name};

const CELL: f64 = 48.0;

/// The picture. Every cell of a column that has room is a click on that column.
pub(super) fn svg<S: Shape>(game: &Connect4<S>, p: &Board<S::Word>, scene: &Scene<Column>) -> String {
    let shape = game.shape;
    let (width, height) = (shape.width(), shape.height());
    let (w, h) = (f64::from(width) * CELL, f64::from(height) * CELL);
    let names = game.side_names();
    let label_size = label_size(w);
    let label = match game.why(p) {
        Some(why) => why.text,
        None => {
            format!("{}, {} stones, {} to move", game.title(), p.stones(), names[game.side(p).index()])
        }
    };
    let mut svg = Svg::new(w, if scene.coordinates { h + 2.0 * label_size } else { h }, &label);
    let colours = game.side_colours();
    for (class, fill) in ["first", "second"].into_iter().zip(colours) {
        svg.ghost(class, |svg| svg.stone((0.0, 0.0), 20.0, class, fill));
    }
    svg.shape(
        "rect",
        &[("width", &w), ("height", &h), ("rx", &8), ("class", &"board"), ("fill", &"#D9DEE6")],
    );
    let landings = p.landings(shape);
    let won = lines::four_cells(shape, p.other());
    let owners = match game.side(p) {
        Side::First => [0, 1],
        Side::Second => [1, 0],
    };
    let mut line = Vec::new();
    for c in 0..width {
        let x = (f64::from(c) + 0.5) * CELL;
        let name = column_name(c);
        for r in 0..height {
            let cell = shape.cell(c, r);
            let y = h - (f64::from(r) + 0.5) * CELL;
            let owner =
                (p.all & cell).any().then(|| if (p.own & cell).any() { owners[0] } else { owners[1] });
            // A click is for a whole column; a fact is about one cell of it.
            let spot = format!("{name}-{}", r + 1);
            let lands = (landings & cell).any();
            let class = if lands { "cell lands" } else { "cell" };
            let mut attributes: Vec<(&str, &dyn std::fmt::Display)> = vec![
                ("cx", &x),
                ("cy", &y),
                ("r", &20),
                ("class", &class),
                ("fill", &PAPER),
                ("stroke", &GRID),
                ("data-spot", &spot),
            ];
            if (landings & shape.column(c)).any() && owner.is_none() {
                attributes.push(("data-cell", &name));
            }
            if let Some(owner) = owner {
                attributes.push(("data-holds", &names[owner]));
            }
            svg.shape("circle", &attributes);
            if let Some(owner) = owner {
                svg.stone((x, y), 20.0, ["first", "second"][owner], colours[owner]);
                let top = (p.all & (cell << 1)).none();
                if top && scene.last.is_some_and(|m| u32::from(m.0) == c) {
                    svg.last((x, y), CELL / 2.0);
                }
            }
            if (won & cell).any() {
                line.push((x, y));
            }
            if lands {
                for mark in scene.marks.iter().filter(|m| m.cell == name.to_string()) {
                    svg.text(x, y, 15.0, &format!("mark {}", mark.class), INK, &mark.text);
                }
            }
        }
        if scene.coordinates {
            svg.text(x, h + label_size, label_size, "label", INK, &name.to_string());
        }
    }
    for (from, to) in ends(&line) {
        svg.win(&[from, to], 6.0);
    }
    svg.finish()
}

type Point = (f64, f64);

/// The ends of every straight run of four or more among the cells that won.
fn ends(cells: &[Point]) -> Vec<(Point, Point)> {
    let has = |x: f64, y: f64| cells.iter().any(|c| (c.0 - x).abs() < 1.0 && (c.1 - y).abs() < 1.0);
    let mut runs = Vec::new();
    for (dx, dy) in [(CELL, 0.0), (0.0, CELL), (CELL, CELL), (CELL, -CELL)] {
        for &(x, y) in cells.iter().filter(|(x, y)| !has(x - dx, y - dy)) {
            let (mut to, mut length) = ((x, y), 1);
            while has(to.0 + dx, to.1 + dy) {
                to = (to.0 + dx, to.1 + dy);
                length += 1;
            }
            if length >= 4 {
                runs.push(((x, y), to));
            }
        }
    }
    runs
}
