//! What is drawn and said of a position besides its text: marks, facts, reasons, and the layout of the board.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Said, Sentence};

/// The cells a person clicks, in order, to make a move.
pub type Clicks = Vec<String>;

/// A sign to be drawn on a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mark {
    /// The cell, by the name used in [`Clicks`].
    pub cell: String,
    /// What it says, a few letters.
    pub text: String,
    /// How it is styled: `win`, `draw`, `loss`, `best`, …
    pub class: String,
}

/// What a drawing shows besides the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene<M> {
    /// The move that was just made.
    pub last: Option<M>,
    /// Signs on cells.
    pub marks: Vec<Mark>,
    /// Whether the cells' names are drawn along the edges.
    pub coordinates: bool,
}

impl<M> Default for Scene<M> {
    fn default() -> Self {
        Self { last: None, marks: Vec::new(), coordinates: true }
    }
}

/// Something worth knowing about a position, for people: a threat, a potential, a count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fact {
    /// What it is.
    pub name: String,
    /// How much, or where.
    pub value: String,
    /// The cells it is about, by the names used in [`Clicks`], or by those in `data-spot` of the picture.
    pub cells: Vec<String>,
    /// Name and value as sentences with a name, for other languages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<[Said; 2]>,
}

impl Fact {
    /// A fact whose name and value are sentences.
    #[must_use]
    pub fn new(name: Said, value: Said, cells: Vec<String>) -> Self {
        Self { name: name.text.clone(), value: value.text.clone(), cells, said: Some([name, value]) }
    }

    /// A fact whose value is the same in all languages: a number, cells.
    #[must_use]
    pub fn plain(name: &Sentence, side: Option<&str>, value: String, cells: Vec<String>) -> Self {
        let name = side.map_or_else(|| name.say([]), |side| name.say([("side", side.into())]));
        Self::new(name, value.into(), cells)
    }
}

/// What settles a position without search, in words and drawn on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reason {
    /// A sentence.
    #[serde(flatten)]
    pub said: Said,
    /// The cells it is about, by the names used in [`Clicks`].
    pub cells: Vec<String>,
    /// Cells that belong together: who is answered on one of them answers on the other.
    pub pairs: Vec<[String; 2]>,
}

impl From<Said> for Reason {
    fn from(said: Said) -> Self {
        Self { said, ..Self::default() }
    }
}

/// How a board is set up by hand: rows of cells, each holding one of some symbols.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Layout {
    /// The names of the cells, in the order in which the board text writes them.
    pub rows: Vec<Vec<String>>,
    /// What a cell may hold. The first is an empty cell.
    pub symbols: Vec<Symbol>,
}

/// What a cell of a board text may hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Symbol {
    /// How the board text writes it.
    pub symbol: String,
    /// What it is called.
    pub what: String,
}

impl Symbol {
    /// A symbol and what it is called.
    #[must_use]
    pub fn new(symbol: impl Into<String>, what: impl Into<String>) -> Self {
        Self { symbol: symbol.into(), what: what.into() }
    }
}

impl Layout {
    /// A board of so many rows and columns; `name` gives the name of the cell in a row from the top and a column.
    #[must_use]
    pub fn grid(
        rows: usize,
        columns: usize,
        name: impl Fn(usize, usize) -> String,
        symbols: &[(&str, &str)],
    ) -> Self {
        let rows = (0..rows).map(|r| (0..columns).map(|c| name(r, c)).collect()).collect();
        Self { rows, symbols: symbols.iter().map(|&(symbol, what)| Symbol::new(symbol, what)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_travels_as_rows_and_symbols() {
        let layout = Layout::grid(1, 2, |r, c| format!("{r}{c}"), &[(".", "empty"), ("x", "X")]);
        let text = serde_json::to_string(&layout).expect("text");
        assert_eq!(
            text,
            r#"{"rows":[["00","01"]],"symbols":[{"symbol":".","what":"empty"},{"symbol":"x","what":"X"}]}"#
        );
        assert_eq!(serde_json::from_str::<Layout>(&text).expect("a layout"), layout);
    }
}
