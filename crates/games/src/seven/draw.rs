//! The board as a picture: cells, stones, and the short lines that are left to Maker.

use ludex_core::Scene;

use super::{Board, Cell, Seven, edges};
use ludex_core::svg::{ACCENT, FIRST, INK, LOSS, PAPER, SECOND, Svg, short};

const SIZE: f64 = 48.0;
const MARGIN: f64 = 24.0;

fn centre(cell: Cell) -> (f64, f64) {
    let along = |i: u8| MARGIN + SIZE * (f64::from(i) + 0.5);
    (along(cell.column()), along(cell.row()))
}

impl Seven {
    pub(super) fn draw(&self, p: &Board, scene: &Scene<Cell>) -> String {
        let (width, height) = (2.0 * MARGIN + SIZE * self.columns() as f64, 2.0 * MARGIN + 4.0 * SIZE);
        let label = format!("4x{} board, {} cells taken", self.columns(), (p.maker | p.breaker).count_ones());
        let mut svg = Svg::new(width, height, &label);
        svg.shape("rect", &[("width", &width), ("height", &height), ("class", &"board"), ("fill", &PAPER)]);
        if scene.coordinates {
            for c in 0..self.columns() as u8 {
                svg.text(centre(Cell::at(0, c)).0, MARGIN / 2.0, 12.0, "label", INK, &c.to_string());
            }
            for r in 0..4 {
                svg.text(MARGIN / 2.0, centre(Cell::at(r, 0)).1, 12.0, "label", INK, &r.to_string());
            }
        }
        for cell in edges::cells(self.all()) {
            self.draw_cell(&mut svg, cell, scene.last == Some(cell));
        }
        self.draw_short_lines(&mut svg, p);
        for cell in edges::cells(p.maker | p.breaker) {
            draw_stone(&mut svg, p, cell);
        }
        for mark in &scene.marks {
            if let Ok(cell) = self.parse_cell(&mark.cell) {
                let (x, y) = centre(cell);
                svg.text(x, y, 12.0, &format!("mark {}", mark.class), INK, &mark.text);
            }
        }
        svg.finish()
    }

    fn draw_cell(&self, svg: &mut Svg, cell: Cell, last: bool) {
        let (x, y) = centre(cell);
        let (left, top) = (short(x - SIZE / 2.0), short(y - SIZE / 2.0));
        let class = if last { "cell last" } else { "cell" };
        let fill = if last { ACCENT } else { "#FFFFFF" };
        svg.shape(
            "rect",
            &[
                ("x", &left),
                ("y", &top),
                ("width", &SIZE),
                ("height", &SIZE),
                ("class", &class),
                ("fill", &fill),
                ("stroke", &INK),
                ("data-cell", &self.cell_text(cell)),
            ],
        );
    }

    /// The live lines with at most three cells left to take, as strokes through those cells.
    fn draw_short_lines(&self, svg: &mut Svg, p: &Board) {
        for line in self.lines().iter().filter(|&line| line & p.breaker == 0) {
            let left = line & !p.maker;
            if !(1..=3).contains(&left.count_ones()) {
                continue;
            }
            let points: Vec<String> =
                ordered(*line).map(centre).map(|(x, y)| format!("{},{}", short(x), short(y))).collect();
            let width = 5 - left.count_ones();
            svg.shape(
                "polyline",
                &[
                    ("points", &points.join(" ")),
                    ("class", &format!("line short-{}", left.count_ones())),
                    ("fill", &"none"),
                    ("stroke", &LOSS),
                    ("stroke-width", &width),
                    ("stroke-opacity", &"0.6"),
                    ("stroke-linecap", &"round"),
                ],
            );
        }
    }
}

fn draw_stone(svg: &mut Svg, p: &Board, cell: Cell) {
    let (x, y) = centre(cell);
    let (class, fill, letter) =
        if p.maker & cell.mask() != 0 { ("first", FIRST, "M") } else { ("second", SECOND, "B") };
    let (cx, cy) = (short(x), short(y));
    svg.shape("circle", &[("cx", &cx), ("cy", &cy), ("r", &18), ("class", &class), ("fill", &fill)]);
    svg.text(x, y, 16.0, "label", "#FFFFFF", letter);
}

/// The cells of a line from one end to the other: by columns, or down a single column.
fn ordered(line: u64) -> impl Iterator<Item = Cell> {
    (0..64).filter(move |bit| line >> bit & 1 == 1).map(Cell::of_bit)
}
