//! What a family of games is called, how it is offered, and what it is tested against.

use crate::{Error, Spec};

/// A family of games: everything that is known before a spec is read. Plain data, so that a game from another crate
/// fills in what it has and leaves the rest as in [`Family::NEW`].
///
/// ```
/// use ludex_core::Family;
///
/// const NIM: Family = Family { name: "nim", title: "Nim", about: "Take stones from heaps.", usage: "nim:N", ..Family::NEW };
/// assert!(NIM.examples.is_empty() && !NIM.reads_files);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The name in specs, lower case.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// The form of its specs.
    pub usage: &'static str,
    /// Other words for it, each with the spec it stands for: `("ttt", "mnk:3,3,3")`. Where that is a bare name,
    /// parameters may follow the word as they follow the name.
    pub aliases: &'static [(&'static str, &'static str)],
    /// Specs to offer; the first is the default.
    pub examples: &'static [&'static str],
    /// Whether a spec may name a file to read. A server then takes the examples and texts known by their digest only.
    pub reads_files: bool,
    /// Whether the end of a game is not seen at a glance, so that a line of play is followed by why it is over.
    pub subtle_end: bool,
    /// How its specs give the size of the board, where a program may ask for another one.
    pub size: Option<SizeForm>,
    /// Whether cells are written as the letter of their row and the number of their column. Programs that speak the
    /// protocol of Hex name the column first, so for them such cells are turned round.
    pub row_first: bool,
    /// Reads a game as other programs write it, such as a link or SGF; nothing if it is none of this family.
    pub import: fn(&str) -> Option<Result<Import, Error>>,
    /// Specs small enough that the conformance kit goes through every position.
    pub small: &'static [&'static str],
    /// The largest specs it promises to hold, one for each kind of size and rule that makes a difference: there every
    /// command has to keep its limits.
    pub largest: &'static [&'static str],
    /// Whether somebody who has never seen it can play at once: a page offers it first.
    pub for_newcomers: bool,
    /// The rules for people, the text of `rules.md`; [`about`](Family::about) has to do where there are none.
    pub rules: &'static str,
    /// Published and measured values, the text of `known.toml`.
    pub known: &'static str,
    /// Counts of move sequences, the text of `perft.txt`.
    pub perft: &'static str,
    /// A golden game, the text of `playthrough.txt`.
    pub playthrough: &'static str,
}

impl Family {
    /// A family of which nothing is known yet.
    pub const NEW: Self = Self {
        name: "",
        title: "",
        about: "",
        usage: "",
        aliases: &[],
        examples: &[],
        reads_files: false,
        subtle_end: false,
        size: None,
        row_first: false,
        import: |_| None,
        small: &[],
        largest: &[],
        for_newcomers: false,
        rules: "",
        known: "",
        perft: "",
        playthrough: "",
    };
}

/// A game that another program wrote: its spec and its moves from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The spec.
    pub spec: String,
    /// The moves.
    pub moves: Vec<String>,
}

/// How the specs of a family give the size of the board.
///
/// ```
/// use ludex_core::{SizeForm, Spec};
///
/// let spec: Spec = "nex:4x5,swap=on".parse().unwrap();
/// assert_eq!(SizeForm::RowsByColumns.read(&spec), Some((5, 4)));
/// assert_eq!(SizeForm::RowsByColumns.resized(&spec, 7, 6), "nex:6x7,swap=on");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeForm {
    /// `4x5`: four rows, five columns.
    RowsByColumns,
    /// `7x6`: seven columns, six rows.
    ColumnsByRows,
    /// `5,4`: five columns, four rows, as two parameters.
    ColumnsThenRows,
}

impl SizeForm {
    /// The columns and rows of a spec, if it names them.
    #[must_use]
    pub fn read(self, spec: &Spec) -> Option<(usize, usize)> {
        let number = |text: &str| text.parse().ok();
        let (first, second) = match (self, spec.positional()) {
            (Self::ColumnsThenRows, [columns, rows, ..]) => (columns.as_str(), rows.as_str()),
            (Self::RowsByColumns | Self::ColumnsByRows, [size, ..]) => size.split_once(['x', 'X'])?,
            _ => return None,
        };
        let (first, second) = (number(first)?, number(second)?);
        Some(if self == Self::RowsByColumns { (second, first) } else { (first, second) })
    }

    /// The text of a spec with another size; its other parameters stay.
    #[must_use]
    pub fn resized(self, spec: &Spec, columns: usize, rows: usize) -> String {
        let (size, replaced) = match self {
            Self::RowsByColumns => (format!("{rows}x{columns}"), 1),
            Self::ColumnsByRows => (format!("{columns}x{rows}"), 1),
            Self::ColumnsThenRows => (format!("{columns},{rows}"), 2),
        };
        let others: String = spec.rest.split(',').skip(replaced).map(|other| format!(",{other}")).collect();
        format!("{}:{size}{others}", spec.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_replaced() {
        let cases = [
            (SizeForm::RowsByColumns, "hex:2x3", Some((3, 2)), "hex:8x9"),
            (SizeForm::ColumnsByRows, "connect4:5x4", Some((5, 4)), "connect4:9x8"),
            (SizeForm::ColumnsByRows, "connect4", None, "connect4:9x8"),
            (SizeForm::ColumnsThenRows, "mnk:5,4,3,rule=weak", Some((5, 4)), "mnk:9,8,3,rule=weak"),
        ];
        for (form, text, size, wanted) in cases {
            let spec: Spec = text.parse().expect("a spec");
            assert_eq!(form.read(&spec), size, "{text}");
            let resized = form.resized(&spec, 9, 8);
            assert_eq!(resized, wanted);
            assert_eq!(form.read(&resized.parse().expect("a spec")), Some((9, 8)), "{resized}");
        }
    }
}
