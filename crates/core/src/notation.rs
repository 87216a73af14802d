//! How people and programs write and see a game: [`Notation`].

use crate::{Game, InputError, Side, Value};

/// The cells a person clicks, in order, to make a move.
pub type Clicks = Vec<String>;

/// A sign to be drawn on a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is.
    pub name: String,
    /// How much, or where.
    pub value: String,
    /// The cells it is about, by the names used in [`Clicks`], or by those in `data-spot` of the picture.
    pub cells: Vec<String>,
}

/// What settles a position without search, in words and drawn on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reason {
    /// A sentence.
    pub text: String,
    /// The cells it is about, by the names used in [`Clicks`].
    pub cells: Vec<String>,
    /// Cells that belong together: who is answered on one of them answers on the other.
    pub pairs: Vec<[String; 2]>,
}

/// How a board is set up by hand: rows of cells, each holding one of some symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The names of the cells, in the order in which the board text writes them.
    pub rows: Vec<Vec<String>>,
    /// What a cell may hold: the symbol in the board text, and what it is called. The first is an empty cell.
    pub symbols: Vec<(&'static str, &'static str)>,
}

impl Layout {
    /// A board of so many rows and columns; `name` gives the name of the cell in a row from the top and a column.
    #[must_use]
    pub fn grid(
        rows: usize,
        columns: usize,
        name: impl Fn(usize, usize) -> String,
        symbols: &[(&'static str, &'static str)],
    ) -> Self {
        let rows = (0..rows).map(|r| (0..columns).map(|c| name(r, c)).collect()).collect();
        Self { rows, symbols: symbols.to_vec() }
    }
}

/// The words, texts and pictures of a game.
pub trait Notation: Game {
    /// The canonical spec, which makes this same game again.
    fn spec(&self) -> String;

    /// The game's name for people, with its size: `Connect Four 7x6`.
    fn title(&self) -> String;

    /// What the sides are called, first and second, capitalised: `["Red", "Yellow"]`.
    fn side_names(&self) -> [&'static str; 2] {
        ["First", "Second"]
    }

    /// Short words accepted for the sides besides their names, lower case: `[&["x"], &["o"]]`.
    fn side_words(&self) -> [&'static [&'static str]; 2] {
        [&[], &[]]
    }

    /// Read a board. `side` is the side to move if the text named one; otherwise it follows from the board.
    ///
    /// # Errors
    /// If the text is no position of this game, naming what is wrong and what would be right.
    fn parse_board(&self, board: &str, side: Option<Side>) -> Result<Self::Position, InputError>;

    /// Write a board so that [`parse_board`](Notation::parse_board) reads it, without the side to move.
    fn board_text(&self, p: &Self::Position) -> String;

    /// The side that [`parse_board`](Notation::parse_board) takes to be to move when the text names none; `None` if
    /// the board alone does not tell.
    fn implied_side(&self, p: &Self::Position) -> Option<Side> {
        Some(self.side(p))
    }

    /// Write a legal move.
    fn move_text(&self, p: &Self::Position, m: Self::Move) -> String;

    /// Read a move. The default takes the text of any legal move, in upper or lower case.
    ///
    /// # Errors
    /// If the text is not a move, or not a legal one here, with the reason.
    fn parse_move(&self, p: &Self::Position, text: &str) -> Result<Self::Move, InputError> {
        let mut found = None;
        let mut first = None;
        self.each_move(p, |m| {
            let name = self.move_text(p, m);
            if name.eq_ignore_ascii_case(text.trim()) {
                found = Some(m);
            }
            first.get_or_insert(name);
        });
        found.ok_or_else(|| {
            InputError::bad_move(
                format!("'{text}' is not a legal move here"),
                first.map_or("the game is over".into(), |m| format!("a legal move is '{m}'")),
            )
        })
    }

    /// The board as a person reads it in a terminal, with coordinates, several lines.
    fn picture(&self, p: &Self::Position) -> String;

    /// The board as an SVG document. Every cell that can be clicked is an element with `data-cell="NAME"`; colours
    /// are presentation attributes and classes (`first`, `second`, `cell`, `line`, `last`, …), never `style`, so
    /// that a page can restyle them.
    fn svg(&self, p: &Self::Position, scene: &Scene<Self::Move>) -> String;

    /// The clicks that make a move. The default is one click on the cell named like the move.
    fn clicks(&self, p: &Self::Position, m: Self::Move) -> Clicks {
        vec![self.move_text(p, m)]
    }

    /// The cells a move passes, both ends included, where a piece travels; empty in games where none does.
    fn path(&self, p: &Self::Position, m: Self::Move) -> Vec<String> {
        let _ = (p, m);
        Vec::new()
    }

    /// The score by the game's own convention for a value of the side to move, if it has one.
    fn score(&self, p: &Self::Position, value: Value) -> Option<i32> {
        let _ = (p, value);
        None
    }

    /// Why a finished game is over, in a sentence: the line that is complete, the player that is stuck.
    fn why(&self, p: &Self::Position) -> Option<String> {
        let _ = p;
        None
    }

    /// What a person may want to know about a position besides its value.
    fn facts(&self, p: &Self::Position) -> Vec<Fact> {
        let _ = p;
        Vec::new()
    }

    /// What can be seen without search to be out of reach in an unfinished game, and why: a pairing, a potential.
    fn settled(&self, p: &Self::Position) -> Vec<Reason> {
        let _ = p;
        Vec::new()
    }

    /// The layout of the board, if its text is rows of symbols joined by `/`, so that any position can be set up by
    /// clicking.
    fn layout(&self) -> Option<Layout> {
        None
    }

    /// A start made from a seed, for games that begin with a deal; the fixed start otherwise.
    fn deal(&self, seed: u64) -> Option<Self::Position> {
        let _ = seed;
        self.root()
    }

    /// Read a whole position text: a board and optionally the side to move, or `moves:m1,m2,…` from the start.
    ///
    /// # Errors
    /// If the text is no position of this game.
    fn parse_position(&self, text: &str) -> Result<Self::Position, InputError> {
        let text = text.trim();
        if let Some(list) = text.strip_prefix("moves:") {
            let start = self.root().ok_or_else(|| {
                InputError::position(
                    format!("{} has no fixed start to play moves from", self.spec()),
                    "name the deal in the spec, such as NAME:DEAL",
                )
            })?;
            return self.play_all(start, list.split(',').map(str::trim).filter(|m| !m.is_empty()));
        }
        let (board, side) = match text.rsplit_once(' ') {
            Some((board, word)) => (board.trim(), Some(self.parse_side(word)?)),
            None => (text, None),
        };
        self.parse_board(board, side)
    }

    /// Play a list of moves, refusing an illegal one by its number.
    ///
    /// # Errors
    /// If a move is illegal or the game is over before the list is.
    fn play_all<'a>(
        &self,
        start: Self::Position,
        moves: impl Iterator<Item = &'a str>,
    ) -> Result<Self::Position, InputError> {
        let mut p = start;
        for (i, text) in moves.enumerate() {
            if self.outcome(&p).is_some() {
                return Err(InputError::bad_move(
                    format!("move {} ('{text}') comes after the end of the game", i + 1),
                    "leave it out",
                ));
            }
            let m = self.parse_move(&p, text).map_err(|mut e| {
                e.message = format!("move {}: {}", i + 1, e.message);
                e
            })?;
            p = self.play(&p, m);
        }
        Ok(p)
    }

    /// Read the name of a side: `first`, `second`, or one of the game's own words.
    ///
    /// # Errors
    /// If it is neither.
    fn parse_side(&self, word: &str) -> Result<Side, InputError> {
        let lower = word.to_lowercase();
        let (names, words) = (self.side_names(), self.side_words());
        [Side::First, Side::Second]
            .into_iter()
            .find(|s| {
                let i = s.index();
                lower == s.word() || lower == names[i].to_lowercase() || words[i].contains(&lower.as_str())
            })
            .ok_or_else(|| {
                InputError::new(
                    "bad_side",
                    format!("'{word}' is not a side"),
                    format!("the sides are {} (first) and {} (second)", names[0], names[1]),
                )
            })
    }

    /// Write a whole position: the board, and the side to move where the board alone does not tell it.
    fn position_text(&self, p: &Self::Position) -> String {
        let board = self.board_text(p);
        if self.implied_side(p) == Some(self.side(p)) { board } else { format!("{board} {}", self.side(p)) }
    }
}
