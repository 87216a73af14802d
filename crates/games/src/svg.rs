//! A small writer for SVG pictures of boards.
//!
//! Shapes carry classes and presentation attributes, never a `style`: a picture on its own looks right, and a page
//! can give it other colours by class. The palette is Okabe and Ito's.

use std::fmt::{Display, Write as _};

/// The first player's colour.
pub const FIRST: &str = "#0072B2";
/// The second player's colour.
pub const SECOND: &str = "#E69F00";
/// Won.
pub const WIN: &str = "#009E73";
/// Drawn.
pub const DRAW: &str = "#767676";
/// Lost.
pub const LOSS: &str = "#D55E00";
/// What is to be noticed.
pub const ACCENT: &str = "#56B4E9";
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
        let _ = writeln!(self.body, "{}</text>", escape(text));
    }

    /// Open an element; [`close`](Svg::close) it after its content.
    pub fn open(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        let _ = write!(self.body, "<{name}");
        for (key, value) in attributes {
            let _ = write!(self.body, " {key}=\"{}\"", escape(&value.to_string()));
        }
        self.body.push('>');
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

/// A number with at most two decimals and no trailing zeros.
#[must_use]
pub fn short(x: f64) -> String {
    let text = format!("{x:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
