//! The slanted board, as text and as a picture.

use ludex_core::{
    Mark, Side,
    svg::{BLACK_AND_WHITE, DRAW, GRID, INK, PAPER, RIM, Svg, label_size, mark_colour, short},
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
    /// Whether there are stones of neither side.
    pub neutrals: bool,
    /// A move that is no cell, offered as a button with its name.
    pub button: Option<&'static str>,
}

/// The radius of a hexagon in pixels.
const SIZE: f64 = 24.0;
/// The radius of a stone.
const STONE: f64 = 0.66 * SIZE;
/// The room beside the outermost centres, for the letters of rows and the numbers of columns.
const MARGIN: f64 = 1.95 * SIZE;
/// The stones by the letters of the board, with class and colour.
const STONES: [(char, &str, &str); 3] =
    [('B', "first", BLACK_AND_WHITE[0]), ('W', "second", BLACK_AND_WHITE[1]), ('?', "neutral", DRAW)];

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
        (MARGIN + w * (c + r / 2.0), MARGIN + 1.5 * SIZE * r)
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
        let mut svg = Svg::new(x + MARGIN, y + MARGIN + button, label);
        for (letter, class, fill) in STONES {
            if letter != '?' || self.neutrals {
                svg.ghost(class, |svg| svg.stone((0.0, 0.0), STONE, class, fill));
            }
        }
        for cell in 0..rows * cols {
            self.hexagon(&mut svg, cell);
        }
        self.borders(&mut svg);
        for cell in 0..rows * cols {
            if let Some((_, class, fill)) = STONES.iter().find(|stone| stone.0 == self.letters[cell]) {
                svg.stone(self.centre(cell), STONE, class, fill);
            }
            if self.last.contains(&cell) {
                // Between the stone and the right upper corner of the hexagon.
                let (x, y) = self.centre(cell);
                svg.last((x + 0.24 * SIZE, y + 0.13 * SIZE), 0.55 * SIZE);
            }
        }
        if !self.chain.is_empty() {
            svg.win(&self.chain.iter().map(|&cell| self.centre(cell)).collect::<Vec<_>>(), 5.0);
        }
        if coordinates {
            let size = label_size(x + MARGIN);
            for r in 0..rows {
                let (x, y) = self.centre(r * cols);
                svg.text(x - 1.5 * SIZE, y, size, "label", INK, &char::from(b'a' + r as u8).to_string());
            }
            for c in 0..cols {
                let (x, y) = self.centre(c);
                svg.text(x - 0.6 * SIZE, y - 1.4 * SIZE, size, "label", INK, &(c + 1).to_string());
            }
        }
        for mark in marks {
            let place = match self.rhombus.cell(&mark.cell) {
                Ok(cell) => self.centre(cell),
                Err(_) if self.button == Some(&mark.cell) => (120.0, y + MARGIN + 16.0),
                Err(_) => continue,
            };
            let class = format!("mark {}", mark.class);
            svg.text(place.0, place.1, 12.0, &class, mark_colour(&mark.class), &mark.text);
        }
        if let Some(name) = self.button {
            let (top, wide) = (y + MARGIN, 90.0);
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
        let (points, name) = (points.join(" "), self.rhombus.name(cell));
        let mut attributes: Vec<(&str, &dyn std::fmt::Display)> = vec![
            ("points", &points),
            ("class", &class),
            ("fill", &PAPER),
            ("stroke", &GRID),
            ("data-cell", &name),
        ];
        let holds = match self.letters[cell] {
            'B' => "Black",
            'W' => "White",
            _ => "neutral",
        };
        if self.letters[cell] != '.' {
            attributes.push(("data-holds", &holds));
        }
        svg.shape("polygon", &attributes);
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
                    line(svg, from, to, "rim", RIM, 7);
                    let class = ["edge first", "edge second"][side.index()];
                    line(svg, from, to, class, BLACK_AND_WHITE[side.index()], 5);
                }
            }
        }
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
