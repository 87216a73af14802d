//! Boards of rows and columns: text, names of cells, a picture for the terminal.
//!
//! A game that can say what stands on each of its cells ([`Notation::grid`](crate::Notation::grid)) and read that back
//! ([`Notation::read_grid`](crate::Notation::read_grid)) needs to write no parser, no picture and no drawing.

use std::fmt::Write as _;

use crate::{Error, Symbol};

/// What stands on each cell of a board, a symbol each, rows from the top.
///
/// Columns are lettered from the left, rows numbered from the bottom:
///
/// ```
/// use ludex_core::Grid;
///
/// let grid = Grid::of_masks(2, 3, &[('x', 0b000_001), ('o', 0b110_000)]);
/// assert_eq!(grid.text(), "x../.oo");
/// assert_eq!(grid.name(0, 0), "a2");
/// assert_eq!(grid.picture(), "2 x . .\n1 . o o\n  a b c\n");
/// assert_eq!(grid.mask('o'), 0b110_000);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    rows: Vec<Vec<char>>,
}

impl Grid {
    /// A board of so many rows and columns; `symbol` says what is in a row, counted from the top, and a column.
    #[must_use]
    pub fn new(rows: usize, columns: usize, symbol: impl Fn(usize, usize) -> char) -> Self {
        Self { rows: (0..rows).map(|r| (0..columns).map(|c| symbol(r, c)).collect()).collect() }
    }

    /// A board of at most 64 cells from sets of cells, each with its symbol; the others are `.`. Bit
    /// `row · columns + column` of a set stands for a cell, with rows counted from the top.
    #[must_use]
    pub fn of_masks(rows: usize, columns: usize, sets: &[(char, u64)]) -> Self {
        Self::new(rows, columns, |r, c| {
            sets.iter().find(|(_, set)| set >> (r * columns + c) & 1 == 1).map_or('.', |(symbol, _)| *symbol)
        })
    }

    /// The cells that hold a symbol, as [`of_masks`](Grid::of_masks) takes them.
    #[must_use]
    pub fn mask(&self, symbol: char) -> u64 {
        let columns = self.columns();
        self.cells().filter(|cell| cell.2 == symbol).fold(0, |set, (r, c, _)| set | 1 << (r * columns + c))
    }

    /// How many cells hold a symbol.
    #[must_use]
    pub fn count(&self, symbol: char) -> usize {
        self.cells().filter(|cell| cell.2 == symbol).count()
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// How many columns there are.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.rows.first().map_or(0, Vec::len)
    }

    /// Every cell: its row from the top, its column, and what it holds.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize, char)> {
        let row = |(r, row): (usize, &'_ Vec<char>)| {
            row.iter().enumerate().map(move |(c, symbol)| (r, c, *symbol)).collect::<Vec<_>>()
        };
        self.rows.iter().enumerate().flat_map(row)
    }

    /// The name of a cell: the letter of its column, the number of its row from the bottom.
    #[must_use]
    pub fn name(&self, row: usize, column: usize) -> String {
        format!("{}{}", column_name(column), self.rows().saturating_sub(row))
    }

    /// The rows joined by `/`.
    #[must_use]
    pub fn text(&self) -> String {
        self.rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/")
    }

    /// Read a text of rows joined by `/`, with as many rows and columns as this board has and no other than these
    /// symbols. Upper and lower case are the same where no two symbols differ in nothing else.
    ///
    /// # Errors
    /// If the text has another size or a foreign symbol.
    pub fn read(&self, text: &str, symbols: &[Symbol]) -> Result<Self, Error> {
        let (rows, columns) = (self.rows(), self.columns());
        let known: Vec<char> = symbols.iter().filter_map(|s| s.symbol.chars().next()).collect();
        let list: Vec<String> = symbols.iter().map(|s| format!("'{}' ({})", s.symbol, s.what)).collect();
        let hint = format!("{rows} rows of {columns} cells from the top, joined by '/': {}", list.join(", "));
        let lines: Vec<&str> = text.split('/').collect();
        if lines.len() != rows {
            return Err(Error::position(format!("'{text}' has {} rows, not {rows}", lines.len()), hint));
        }
        let mut read = Vec::new();
        for (r, line) in lines.iter().enumerate() {
            let wide = line.chars().count();
            if wide != columns {
                let message = format!("row {} ('{line}') has {wide} cells, not {columns}", rows - r);
                return Err(Error::position(message, hint));
            }
            let mut row = Vec::new();
            for (c, letter) in line.chars().enumerate() {
                let same = |symbol: &&char| symbol.eq_ignore_ascii_case(&letter);
                let mut alike = known.iter().filter(same);
                let symbol = match (known.contains(&letter), alike.next(), alike.next()) {
                    (true, ..) => letter,
                    (false, Some(&only), None) => only,
                    _ => {
                        let message = format!("there is no '{letter}' (on {})", self.name(r, c));
                        return Err(Error::position(message, hint));
                    }
                };
                row.push(symbol);
            }
            read.push(row);
        }
        Ok(Self { rows: read })
    }

    /// The board as a person reads it in a terminal, with the names of columns and rows.
    #[must_use]
    pub fn picture(&self) -> String {
        let margin = self.rows().to_string().len();
        let wide = column_name(self.columns().saturating_sub(1)).len();
        let mut text = String::new();
        for (r, row) in self.rows.iter().enumerate() {
            let _ = write!(text, "{:margin$}", self.rows() - r);
            row.iter().for_each(|symbol| {
                let _ = write!(text, " {symbol:>wide$}");
            });
            text.push('\n');
        }
        let _ = write!(text, "{:margin$}", "");
        for c in 0..self.columns() {
            let _ = write!(text, " {:>wide$}", column_name(c));
        }
        text.push('\n');
        text
    }
}

/// The name of a column: `a` to `z`, then `aa`, `ab`, …
#[must_use]
pub fn column_name(column: usize) -> String {
    let letter = char::from(b'a' + (column % 26) as u8);
    if column < 26 { letter.to_string() } else { format!("{}{letter}", column_name(column / 26 - 1)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols() -> Vec<Symbol> {
        [(".", "empty"), ("x", "X"), ("o", "O")].map(|(s, what)| Symbol::new(s, what)).to_vec()
    }

    #[test]
    fn texts_come_back_in_either_case() {
        let empty = Grid::new(2, 2, |_, _| '.');
        assert_eq!(empty.read("xO/..", &symbols()).map(|g| g.text()), Ok("xo/..".into()));
        let mut two_cases = symbols();
        two_cases.push(Symbol::new("X", "a king"));
        assert_eq!(empty.read("xX/O.", &two_cases).map(|g| g.text()), Ok("xX/o.".into()));
    }

    #[test]
    fn foreign_texts_are_refused_with_what_is_wrong() {
        let empty = Grid::new(2, 2, |_, _| '.');
        for (text, part) in [
            ("", "has 1 rows, not 2"),
            ("../../..", "has 3 rows, not 2"),
            ("../...", "row 1 ('...') has 3 cells, not 2"),
            ("./..", "row 2 ('.') has 1 cells, not 2"),
            ("../.#", "there is no '#' (on b1)"),
            ("é./..", "there is no 'é' (on a2)"),
        ] {
            let error = empty.read(text, &symbols()).expect_err(text);
            assert!(error.message.contains(part), "{text}: {}", error.message);
            assert!(
                error.hint.contains("2 rows of 2 cells") && error.hint.contains("'x' (X)"),
                "{}",
                error.hint
            );
        }
    }

    #[test]
    fn names_of_columns() {
        assert_eq!([0, 25, 26, 51, 52, 127].map(column_name), ["a", "z", "aa", "az", "ba", "dx"]);
    }
}
