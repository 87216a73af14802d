//! A small writer for SVG pictures of boards.
//!
//! Shapes carry classes and presentation attributes, never a `style`: a picture on its own looks right, and a page
//! can give it other colours by class. The palette is Okabe and Ito's.

use std::fmt::{Display, Write as _};

/// The first player's colour.
pub const FIRST: &str = "#0072B2";
/// The second player's colour.
pub const SECOND: &str = "#E69F00";
/// The sides' colours where they are called Black and White; draw White with a rim.
pub const BLACK_AND_WHITE: [&str; 2] = ["#222222", "#FFFFFF"];
/// Won.
pub const WIN: &str = "#009E73";
/// Drawn.
pub const DRAW: &str = "#767676";
/// Lost.
pub const LOSS: &str = "#D55E00";
/// The second player's colour as a thin stroke on white, where the other is too pale to be seen.
pub const SECOND_STROKE: &str = "#B86E00";
/// What is to be noticed.
pub const ACCENT: &str = "#56B4E9";
/// The edge of a stone.
pub const RIM: &str = "#3A3A3A";
/// The lines between cells.
pub const GRID: &str = "#8A8F96";
/// Lines and words.
pub const INK: &str = "#444444";
/// The board.
pub const PAPER: &str = "#F4F4F2";

/// An SVG document in the making.
#[derive(Clone, Debug)]
pub struct Svg {
    width: f64,
    height: f64,
    label: String,
    body: String,
}

impl Svg {
    /// An empty picture of a size in pixels, with a label for those who cannot see it.
    #[must_use]
    pub fn new(width: f64, height: f64, label: &str) -> Self {
        Self { width, height, label: escape(label), body: String::new() }
    }

    /// Add an element without content: `name`, then attributes.
    pub fn shape(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        self.open(name, attributes);
        self.body.truncate(self.body.len() - 1);
        self.body.push_str("/>\n");
    }

    /// Add a text centred at a point.
    pub fn text(&mut self, x: f64, y: f64, size: f64, class: &str, fill: &str, text: &str) {
        let (x, y, size) = (short(x), short(y), short(size));
        self.open(
            "text",
            &[
                ("x", &x),
                ("y", &y),
                ("font-size", &size),
                ("class", &class),
                ("fill", &fill),
                ("text-anchor", &"middle"),
                ("dominant-baseline", &"central"),
                ("font-family", &"system-ui, sans-serif"),
            ],
        );
        self.content(text);
        self.close("text");
    }

    /// Add a stone: a disc with a rim, and a little light on it. `class` says whose it is.
    pub fn stone(&mut self, (x, y): (f64, f64), r: f64, class: &str, fill: &str) {
        self.shape(
            "circle",
            &[
                ("cx", &short(x)),
                ("cy", &short(y)),
                ("r", &short(r)),
                ("class", &format_args!("stone {class}")),
                ("fill", &fill),
                ("stroke", &RIM),
                ("stroke-width", &short(r * 0.08)),
                ("pointer-events", &"none"),
            ],
        );
        let (inner, turn) = (r * 0.74, std::f64::consts::FRAC_PI_4);
        let at = |angle: f64| (short(x - inner * angle.cos()), short(y - inner * angle.sin()));
        let (from, to, inner) = (at(turn * 0.3), at(turn * 1.9), short(inner));
        self.shape(
            "path",
            &[
                ("d", &format_args!("M{} {} A{inner} {inner} 0 0 1 {} {}", from.0, from.1, to.0, to.1)),
                ("class", &"light"),
                ("fill", &"none"),
                ("stroke", &"#FFFFFF"),
                ("stroke-opacity", &0.45),
                ("stroke-width", &short(r * 0.12)),
                ("stroke-linecap", &"round"),
                ("pointer-events", &"none"),
            ],
        );
    }

    /// Show that a cell was played last: a small mark in the upper right corner of the square of that half size.
    pub fn last(&mut self, (x, y): (f64, f64), half: f64) {
        let (right, top, leg) = (x + half * 0.92, y - half * 0.92, half * 0.32);
        self.shape(
            "path",
            &[
                (
                    "d",
                    &format_args!("M{} {} h{} v{} z", short(right - leg), short(top), short(leg), short(leg)),
                ),
                ("class", &"last"),
                ("fill", &INK),
                // Whatever it lies on, it is seen.
                ("stroke", &"#FFFFFF"),
                ("stroke-width", &short(half * 0.05)),
                ("pointer-events", &"none"),
            ],
        );
    }

    /// Strike the cells through that decided the game: the same strong line in all games.
    pub fn win(&mut self, points: &[(f64, f64)], width: f64) {
        let text: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y))).collect();
        for (class, stroke, width) in [("win rim", "#FFFFFF", width * 1.8), ("win", WIN, width)] {
            self.shape(
                "polyline",
                &[
                    ("points", &text.join(" ")),
                    ("class", &class),
                    ("fill", &"none"),
                    ("stroke", &stroke),
                    ("stroke-width", &short(width)),
                    ("stroke-linecap", &"round"),
                    ("stroke-linejoin", &"round"),
                    ("pointer-events", &"none"),
                ],
            );
        }
    }

    /// Define what a stone of a class (`first`, `second`, `neutral`) looks like at the origin, so that a page can show
    /// where one would go.
    pub fn ghost(&mut self, class: &str, draw: impl FnOnce(&mut Self)) {
        self.open("defs", &[]);
        self.open("g", &[("class", &format_args!("ghost {class}"))]);
        draw(self);
        self.close("g");
        self.close("defs");
    }

    /// Open an element; [`close`](Svg::close) it after its content.
    pub fn open(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        let _ = write!(self.body, "<{name}");
        for (key, value) in attributes {
            let _ = write!(self.body, " {key}=\"{}\"", escape(&value.to_string()));
        }
        self.body.push('>');
    }

    /// Write words into the element that is open.
    pub fn content(&mut self, text: &str) {
        self.body.push_str(&escape(text));
    }

    /// Close an element.
    pub fn close(&mut self, name: &str) {
        let _ = writeln!(self.body, "</{name}>");
    }

    /// The whole document.
    #[must_use]
    pub fn finish(self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" aria-label=\"{label}\">\n{body}</svg>\n",
            w = short(self.width),
            h = short(self.height),
            label = self.label,
            body = self.body
        )
    }
}

/// The size of the letters beside a board of a size, and the margin they need: they grow with the board, within limits.
#[must_use]
pub fn label_size(board: f64) -> f64 {
    (board * 0.03).clamp(3.6, 13.0)
}

/// The colour of a mark of a class: what is won, drawn or lost has its own.
#[must_use]
pub fn mark_colour(class: &str) -> &'static str {
    match class.split(' ').next().unwrap_or_default() {
        "win" => WIN,
        "draw" => DRAW,
        "loss" => LOSS,
        _ => INK,
    }
}

/// Black or white, whichever is easier to read on a colour such as `#0072B2`.
#[must_use]
pub fn ink_on(colour: &str) -> &'static str {
    let part = |i: usize| {
        let digits = colour.get(i..i + 2).unwrap_or("FF");
        f64::from(u8::from_str_radix(digits, 16).unwrap_or(255))
    };
    // How bright the eye finds red, green and blue; the limit is where both inks have about the same contrast.
    if 0.30 * part(1) + 0.59 * part(3) + 0.11 * part(5) > 150.0 { "#000000" } else { "#FFFFFF" }
}

/// A number with at most two decimals and no trailing zeros.
#[must_use]
pub fn short(x: f64) -> String {
    let text = format!("{x:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_can_be_read_on_every_colour() {
        for (colour, ink) in
            [(FIRST, "#FFFFFF"), (SECOND, "#000000"), ("#222222", "#FFFFFF"), ("none", "#000000")]
        {
            assert_eq!(ink_on(colour), ink, "{colour}");
        }
    }

    #[test]
    fn what_is_written_is_escaped() {
        let mut svg = Svg::new(10.0, 10.0, "a < b");
        svg.text(1.5, 2.25, 3.0, "mark \"win\"", mark_colour("win"), "<&>");
        let text = svg.finish();
        assert!(text.contains("aria-label=\"a &lt; b\"") && text.contains(">&lt;&amp;&gt;</text>"), "{text}");
        assert!(
            text.contains("class=\"mark &quot;win&quot;\"") && text.contains("x=\"1.5\" y=\"2.25\""),
            "{text}"
        );
    }
}
