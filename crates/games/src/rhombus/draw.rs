//! The slanted board, as text and as a picture.

use ludex_core::{
    Mark, Side,
    svg::{ACCENT, BLACK_AND_WHITE, DRAW, INK, PAPER, Svg, WIN, ink_on, mark_colour, short},
};

use super::Rhombus;

/// What is on a board, cell by cell, to be drawn.
#[derive(Debug)]
pub struct Board<'a, const N: usize> {
    /// Its geometry.
    pub rhombus: &'a Rhombus<N>,
    /// The letter of every cell: `.`, `B`, `W` or `?`.
    pub letters: Vec<char>,
    /// The cells of the winning chain, if there is one.
    pub chain: Vec<usize>,
    /// The cells of the last move.
    pub last: Vec<usize>,
    /// A move that is no cell, offered as a button with its name.
    pub button: Option<&'static str>,
}

/// The radius of a hexagon in pixels.
const SIZE: f64 = 24.0;

impl<const N: usize> Board<'_, N> {
    /// The board in a terminal. The stones of the winning chain are in brackets.
    #[must_use]
    pub fn picture(&self) -> String {
        let (rows, cols) = (self.rhombus.rows, self.rhombus.cols);
        let mut text = String::from("   ");
        for c in 1..=cols {
            text += &format!("{c:<4}");
        }
        let mut text = text.trim_end().to_owned() + "\n";
        for r in 0..rows {
            let mut line = " ".repeat(2 * r);
            line += &format!("{} ", char::from(b'a' + r as u8));
            for c in 0..cols {
                let cell = r * cols + c;
                let letter = self.letters[cell];
                line +=
                    &if self.chain.contains(&cell) { format!("[{letter}] ") } else { format!(" {letter}  ") };
            }
            text += &format!("{line}{}\n", char::from(b'a' + r as u8));
        }
        text
    }

    fn centre(&self, cell: usize) -> (f64, f64) {
        let (r, c) = ((cell / self.rhombus.cols) as f64, (cell % self.rhombus.cols) as f64);
        let w = SIZE * 3f64.sqrt();
        (2.2 * SIZE + w * (c + r / 2.0), 2.2 * SIZE + 1.5 * SIZE * r)
    }

    /// The corner `k` of a cell, clockwise from the top.
    fn corner(&self, cell: usize, k: usize) -> (f64, f64) {
        let (x, y) = self.centre(cell);
        let angle = std::f64::consts::FRAC_PI_3 * k as f64;
        (x + SIZE * angle.sin(), y - SIZE * angle.cos())
    }

    /// The board as an SVG document, with its edges in the colours of the sides that connect them.
    #[must_use]
    pub fn svg(&self, label: &str, marks: &[Mark], coordinates: bool) -> String {
        let (rows, cols) = (self.rhombus.rows, self.rhombus.cols);
        let (x, y) = self.centre(rows * cols - 1);
        let button = if self.button.is_some() { 44.0 } else { 0.0 };
        let mut svg = Svg::new(x + 2.2 * SIZE, y + 2.2 * SIZE + button, label);
        for cell in 0..rows * cols {
            self.hexagon(&mut svg, cell);
        }
        self.borders(&mut svg);
        self.chain_line(&mut svg);
        for cell in 0..rows * cols {
            self.stone(&mut svg, cell);
        }
        if coordinates {
            for r in 0..rows {
                let (x, y) = self.centre(r * cols);
                svg.text(x - 1.5 * SIZE, y, 13.0, "label", INK, &char::from(b'a' + r as u8).to_string());
            }
            for c in 0..cols {
                let (x, y) = self.centre(c);
                svg.text(x - 0.6 * SIZE, y - 1.4 * SIZE, 13.0, "label", INK, &(c + 1).to_string());
            }
        }
        for mark in marks {
            let place = match self.rhombus.cell(&mark.cell) {
                Ok(cell) => self.centre(cell),
                Err(_) if self.button == Some(&mark.cell) => (120.0, y + 2.2 * SIZE + 16.0),
                Err(_) => continue,
            };
            let class = format!("mark {}", mark.class);
            svg.text(place.0, place.1, 12.0, &class, mark_colour(&mark.class), &mark.text);
        }
        if let Some(name) = self.button {
            let (top, wide) = (y + 2.2 * SIZE, 90.0);
            svg.open("g", &[("class", &"cell button"), ("data-cell", &name)]);
            svg.shape(
                "rect",
                &[
                    ("x", &10),
                    ("y", &short(top)),
                    ("width", &wide),
                    ("height", &32),
                    ("rx", &6),
                    ("fill", &PAPER),
                    ("stroke", &INK),
                ],
            );
            svg.text(10.0 + wide / 2.0, top + 16.0, 15.0, "label", INK, name);
            svg.close("g");
        }
        svg.finish()
    }

    fn hexagon(&self, svg: &mut Svg, cell: usize) {
        let points: Vec<String> = (0..6)
            .map(|k| {
                let (x, y) = self.corner(cell, k);
                format!("{},{}", short(x), short(y))
            })
            .collect();
        let class = match self.letters[cell] {
            'B' => "cell first",
            'W' => "cell second",
            '?' => "cell neutral",
            _ => "cell",
        };
        svg.shape(
            "polygon",
            &[
                ("points", &points.join(" ")),
                ("class", &class),
                ("fill", &PAPER),
                ("stroke", &"#BBBBBB"),
                ("data-cell", &self.rhombus.name(cell)),
            ],
        );
    }

    fn borders(&self, svg: &mut Svg) {
        let (rows, cols) = (self.rhombus.rows, self.rhombus.cols);
        for cell in 0..rows * cols {
            let (r, c) = (cell / cols, cell % cols);
            // Edges k to k+1 clockwise from the top: NE, E, SE, SW, W, NW.
            let edges = [
                (r == 0, [5, 0], Side::First),
                (r + 1 == rows, [2, 3], Side::First),
                (c == 0, [3, 4], Side::Second),
                (c + 1 == cols, [0, 1], Side::Second),
            ];
            for (_, ks, side) in edges.into_iter().filter(|e| e.0) {
                for k in ks {
                    let (from, to) = (self.corner(cell, k), self.corner(cell, k + 1));
                    // White needs a rim to be seen.
                    line(svg, from, to, "rim", INK, 6);
                    let class = ["edge first", "edge second"][side.index()];
                    line(svg, from, to, class, BLACK_AND_WHITE[side.index()], 4);
                }
            }
        }
    }

    fn chain_line(&self, svg: &mut Svg) {
        for pair in self.chain.windows(2) {
            line(svg, self.centre(pair[0]), self.centre(pair[1]), "line win", WIN, 9);
        }
    }

    fn stone(&self, svg: &mut Svg, cell: usize) {
        let (class, fill) = match self.letters[cell] {
            'B' => ("stone first", BLACK_AND_WHITE[0]),
            'W' => ("stone second", BLACK_AND_WHITE[1]),
            '?' => ("stone neutral", DRAW),
            _ => return,
        };
        let (x, y) = self.centre(cell);
        let (won, last) = (self.chain.contains(&cell), self.last.contains(&cell));
        let class = format!("{class}{}{}", if won { " line" } else { "" }, if last { " last" } else { "" });
        let (stroke, wide) = if won {
            (WIN, 4)
        } else if last {
            (ACCENT, 3)
        } else {
            (INK, 1)
        };
        svg.shape(
            "circle",
            &[
                ("cx", &short(x)),
                ("cy", &short(y)),
                ("r", &short(0.62 * SIZE)),
                ("class", &class),
                ("fill", &fill),
                ("stroke", &stroke),
                ("stroke-width", &wide),
                ("pointer-events", &"none"),
            ],
        );
        let letter = self.letters[cell].to_string();
        svg.text(x, y, 12.0, "letter", ink_on(fill), &letter);
    }
}

fn line(svg: &mut Svg, from: (f64, f64), to: (f64, f64), class: &str, colour: &str, width: u32) {
    svg.shape(
        "line",
        &[
            ("x1", &short(from.0)),
            ("y1", &short(from.1)),
            ("x2", &short(to.0)),
            ("y2", &short(to.1)),
            ("class", &class),
            ("stroke", &colour),
            ("stroke-width", &width),
            ("stroke-linecap", &"round"),
        ],
    );
}
