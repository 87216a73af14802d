//! The games as a checker plays them: naive, from their specs on, sharing nothing with the fast rules.
//!
//! A position is a list of small numbers, one per cell, and the side to move; what the numbers mean is the game's own
//! business. The book's page on certificates says for every game what is a cell, a move, and the order of moves.

mod collapsi;
mod connections;
mod heap;
pub mod lines;
mod sheet;

use std::{fmt, str::FromStr};

use ludex_core::Side;

pub use lines::LineGame;

use crate::header::number;

/// A position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// What lies on each cell.
    pub cells: Vec<u8>,
    /// Who is to move.
    pub side: Side,
}

/// A move, as its game numbers them.
pub type Move = u32;

/// The rules of a game.
pub trait Rules: Send + Sync {
    /// Read a board; `None` if the text is none.
    fn read(&self, board: &str, side: Side) -> Option<Position>;

    /// Write a board.
    fn write(&self, p: &Position) -> String;

    /// Who has won a finished game (`Some(None)`: nobody), or `None` while it goes on.
    fn result(&self, p: &Position) -> Option<Option<Side>>;

    /// The legal moves of an unfinished game, in their order.
    fn moves(&self, p: &Position) -> Vec<Move>;

    /// The position after a legal move.
    fn play(&self, p: &Position, m: Move) -> Position;

    /// The text of a legal move.
    fn text(&self, p: &Position, m: Move) -> String;

    /// How the game ends with a legal move, if it does.
    fn ends(&self, p: &Position, m: Move) -> Option<Option<Side>> {
        self.result(&self.play(p, m))
    }

    /// The symmetries beside the identity: for each, which cell comes to lie on cell 0, 1, ….
    fn symmetries(&self) -> &[Vec<usize>] {
        &[]
    }

    /// The game as one about filling lines, for the rules that know about them.
    fn lines(&self) -> Option<&LineGame> {
        None
    }
}

/// The families that the checker knows by itself.
pub const FAMILIES: [&str; 8] = ["connect4", "mnk", "seven", "positional", "hex", "nex", "collapsi", "heap"];

/// The game of a spec; `None` if there is none.
#[must_use]
pub fn open(spec: &str, sheet: Option<&str>) -> Option<Box<dyn Rules>> {
    let (name, rest) = spec.split_once(':').unwrap_or((spec, ""));
    if sheet.is_some() != (name == "positional") || spec.ends_with(':') {
        return None;
    }
    Some(match name {
        "connect4" => Box::new(LineGame::connect4(rest)?),
        "mnk" => Box::new(LineGame::mnk(rest)?),
        "seven" => Box::new(LineGame::seven(rest)?),
        "positional" => Box::new(sheet::positional(rest, sheet?)?),
        "hex" => Box::new(connections::Connections::hex(rest)?),
        "nex" => Box::new(connections::Connections::nex(rest)?),
        "collapsi" => Box::new(collapsi::Collapsi::new(rest)?),
        "heap" => Box::new(heap::Heap::new(rest)?),
        _ => return None,
    })
}

/// A size `AxB`.
fn size(text: &str) -> Option<(usize, usize)> {
    let (a, b) = text.split_once('x')?;
    Some((number(a)? as usize, number(b)? as usize))
}

/// The cells of a board of rows joined by `/`, each letter as its place in `letters`.
fn grid(board: &str, rows: usize, columns: usize, letters: &str) -> Option<Vec<u8>> {
    let mut cells = Vec::with_capacity(rows * columns);
    for row in board.split('/') {
        let before = cells.len();
        for letter in row.chars() {
            cells.push(letters.chars().position(|l| l == letter)? as u8);
        }
        (cells.len() == before + columns).then_some(())?;
    }
    (cells.len() == rows * columns).then_some(cells)
}

/// The text of a board of rows and columns.
fn rows(cells: &[u8], columns: usize, letters: &str) -> Vec<String> {
    let letter = |&cell: &u8| letters.chars().nth(usize::from(cell)).unwrap_or('.');
    cells.chunks(columns).map(|row| row.iter().map(letter).collect()).collect()
}

/// The name of a cell in a game whose rows have letters.
fn letter_first(cell: usize, columns: usize) -> String {
    format!("{}{}", ludex_core::column_name(cell / columns), cell % columns + 1)
}

/// What settles a position, or that it is played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Every reply is answered.
    Play,
    /// The opponent has no open line.
    Dead,
    /// Pairs, and a sum over what they leave.
    Stop,
    /// Lists of pairs, each with a sum, that answer most replies.
    Guard,
    /// A sequence of threats.
    Threats,
    /// Sequences of threats that answer every reply outside them.
    Zone,
    /// The argument of strategy stealing.
    Steal,
    /// Connect Four: the follower is never beaten.
    Follow,
    /// Connect Four: the follower's threats on upper rows.
    Even,
    /// Connect Four: the follower's threat on a lower row of a column, from 1.
    Odd(u32),
    /// Connect Four: promised cells up to a row hold a four.
    Promised(u32),
}

const PLAIN: [(&str, Rule); 9] = [
    ("play", Rule::Play),
    ("dead", Rule::Dead),
    ("stop", Rule::Stop),
    ("guard", Rule::Guard),
    ("threats", Rule::Threats),
    ("zone", Rule::Zone),
    ("steal", Rule::Steal),
    ("follow", Rule::Follow),
    ("even", Rule::Even),
];

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Odd(column) => write!(f, "odd={column}"),
            Rule::Promised(row) => write!(f, "promised={row}"),
            plain => f.write_str(PLAIN.iter().find(|(_, rule)| rule == plain).map_or("", |(word, _)| word)),
        }
    }
}

impl FromStr for Rule {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        let parameter = |text: &str| number(text).and_then(|n| u32::try_from(n).ok()).ok_or(());
        match word.split_once('=') {
            Some(("odd", column)) => Ok(Rule::Odd(parameter(column)?)),
            Some(("promised", row)) => Ok(Rule::Promised(parameter(row)?)),
            _ => PLAIN.iter().find(|(name, _)| *name == word).map(|(_, rule)| *rule).ok_or(()),
        }
    }
}
