//! The board as a picture: cells, stones, and the short lines that are left to Maker.

use ludex_core::Scene;

use super::{Board, Cell, Tile, TileMask, edges};
use crate::hypergraph::Mask;
use ludex_core::svg::{FIRST, GRID, INK, LOSS, PAPER, SECOND, Svg, short};

const SIZE: f64 = 48.0;
const MARGIN: f64 = 24.0;

fn centre(cell: Cell) -> (f64, f64) {
    let along = |i: u8| MARGIN + SIZE * (f64::from(i) + 0.5);
    (along(cell.column()), along(cell.row()))
}

impl<M: TileMask> Tile<M> {
    pub(super) fn draw(&self, p: &Board<M>, scene: &Scene<Cell>) -> String {
        let (width, height) = (2.0 * MARGIN + SIZE * self.columns() as f64, 2.0 * MARGIN + 4.0 * SIZE);
        let label = format!("4x{} board, {} cells taken", self.columns(), (p.maker | p.breaker).count());
        let mut svg = Svg::new(width, height, &label);
        svg.shape(
            "rect",
            &[
                ("x", &MARGIN),
                ("y", &MARGIN),
                ("width", &(width - 2.0 * MARGIN)),
                ("height", &(height - 2.0 * MARGIN)),
                ("class", &"board"),
                ("fill", &PAPER),
            ],
        );
        svg.ghost("first", |svg| draw_stone(svg, (0.0, 0.0), true));
        svg.ghost("second", |svg| draw_stone(svg, (0.0, 0.0), false));
        if scene.coordinates {
            for c in 0..self.columns() as u8 {
                svg.text(centre(Cell::at(0, c)).0, MARGIN / 2.0, 12.0, "label", INK, &c.to_string());
            }
            for r in 0..4 {
                svg.text(MARGIN / 2.0, centre(Cell::at(r, 0)).1, 12.0, "label", INK, &r.to_string());
            }
        }
        for cell in edges::cells(self.all()) {
            self.draw_cell(&mut svg, p, cell, scene.last == Some(cell));
        }
        self.draw_short_lines(&mut svg, p);
        for cell in edges::cells(p.maker | p.breaker) {
            draw_stone(&mut svg, centre(cell), p.maker.has(cell.index()));
        }
        if let Some(line) = self.lines().iter().find(|line| line.within(p.maker)) {
            svg.win(&ordered(*line).map(centre).collect::<Vec<_>>(), 5.0);
        }
        for mark in &scene.marks {
            if let Ok(cell) = self.parse_cell(&mark.cell) {
                let (x, y) = centre(cell);
                svg.text(x, y, 12.0, &format!("mark {}", mark.class), INK, &mark.text);
            }
        }
        svg.finish()
    }

    fn draw_cell(&self, svg: &mut Svg, p: &Board<M>, cell: Cell, last: bool) {
        let (x, y) = centre(cell);
        let (left, top, name) = (short(x - SIZE / 2.0), short(y - SIZE / 2.0), self.cell_text(cell));
        let mut attributes: Vec<(&str, &dyn std::fmt::Display)> = vec![
            ("x", &left),
            ("y", &top),
            ("width", &SIZE),
            ("height", &SIZE),
            ("class", &"cell"),
            ("fill", &"#FFFFFF"),
            ("stroke", &GRID),
            ("data-cell", &name),
        ];
        if p.maker.has(cell.index()) {
            attributes.push(("data-holds", &"Maker"));
        } else if p.breaker.has(cell.index()) {
            attributes.push(("data-holds", &"Breaker"));
        }
        svg.shape("rect", &attributes);
        if last {
            svg.last((x, y), SIZE / 2.0);
        }
    }

    /// The live lines with at most three cells left to take, as strokes through those cells.
    fn draw_short_lines(&self, svg: &mut Svg, p: &Board<M>) {
        for line in self.lines().iter().filter(|line| !line.meets(p.breaker)) {
            let left = line.minus(p.maker);
            if !(1..=3).contains(&left.count()) {
                continue;
            }
            let points: Vec<String> =
                ordered(*line).map(centre).map(|(x, y)| format!("{},{}", short(x), short(y))).collect();
            let width = 5 - left.count();
            svg.shape(
                "polyline",
                &[
                    ("points", &points.join(" ")),
                    ("class", &format!("line short-{}", left.count())),
                    ("fill", &"none"),
                    ("stroke", &LOSS),
                    ("stroke-width", &width),
                    ("stroke-opacity", &"0.6"),
                    ("stroke-linecap", &"round"),
                    ("pointer-events", &"none"),
                ],
            );
        }
    }
}

fn draw_stone(svg: &mut Svg, (x, y): (f64, f64), maker: bool) {
    let (class, fill, letter, ink) =
        if maker { ("first", FIRST, "M", "#FFFFFF") } else { ("second", SECOND, "B", "#000000") };
    svg.stone((x, y), 18.0, class, fill);
    svg.text(x, y, 16.0, "letter", ink, letter);
}

/// The cells of a line from one end to the other: by columns, or down a single column.
fn ordered<M: Mask>(line: M) -> impl Iterator<Item = Cell> {
    line.cells().map(|bit| Cell::of_bit(bit as u32))
}
