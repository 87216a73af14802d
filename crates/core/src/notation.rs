//! How people and programs write and see a game: [`Notation`].

use crate::{
    Clicks, Error, ErrorCode, Fact, Game, Grid, Layout, Reason, Said, Scene, Side, Symbol, Value, drawing,
    svg,
};

/// The words, texts and pictures of a game.
///
/// Only [`spec`](Notation::spec) and [`title`](Notation::title) have to be written. A game on a board of rows and
/// columns adds [`grid`](Notation::grid), [`read_grid`](Notation::read_grid) and [`touched`](Notation::touched), and has
/// texts, pictures, drawings and clicks; `crates/core/tests/domineering.rs` is such a game in fifty lines. Any other
/// game writes [`board_text`](Notation::board_text), [`parse_board`](Notation::parse_board) and
/// [`move_text`](Notation::move_text). Whatever else is written makes it better.
pub trait Notation: Game {
    /// The canonical spec, which makes this same game again.
    fn spec(&self) -> String;

    /// The text of the file that the game comes from, where it does.
    fn source(&self) -> Option<String> {
        None
    }

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

    /// The colours of the sides in drawings and on terminals, as `#RRGGBB`.
    fn side_colours(&self) -> [&'static str; 2] {
        [svg::FIRST, svg::SECOND]
    }

    /// What stands on each cell, if the board has rows and columns.
    fn grid(&self, p: &Self::Position) -> Option<Grid> {
        let _ = p;
        None
    }

    /// The position of a board that has the right size and no foreign [symbols](Notation::symbols). `side` is the side
    /// to move if it was named; otherwise it follows from the board.
    ///
    /// # Errors
    /// If it is no position of this game, naming what is wrong and what would be right.
    fn read_grid(&self, grid: &Grid, side: Option<Side>) -> Result<Self::Position, Error> {
        let _ = (grid, side);
        Err(Error::position(
            format!("{} cannot read boards", self.spec()),
            "give the moves from its start: moves:m1,m2,…",
        ))
    }

    /// What a cell of the [grid](Notation::grid) may hold: first an empty one, then what is the first and the second
    /// side's.
    fn symbols(&self) -> Vec<Symbol> {
        let [first, second] = self.side_names();
        [(".", "empty"), ("x", first), ("o", second)].map(|(symbol, what)| Symbol::new(symbol, what)).into()
    }

    /// The cells of the [grid](Notation::grid) that a move is made on, each as its row from the top and its column.
    fn touched(&self, m: Self::Move) -> Vec<(usize, usize)> {
        let _ = m;
        Vec::new()
    }

    /// Read a board. `side` is the side to move if the text named one; otherwise it follows from the board.
    ///
    /// # Errors
    /// If the text is no position of this game, naming what is wrong and what would be right.
    fn parse_board(&self, board: &str, side: Option<Side>) -> Result<Self::Position, Error> {
        let Some(like) = self.deal(0).and_then(|start| self.grid(&start)) else {
            return self.read_grid(&Grid::new(0, 0, |_, _| '.'), side);
        };
        let grid = like.read(board, &self.symbols())?;
        let p = self.read_grid(&grid, side)?;
        if self.grid(&p).as_ref() != Some(&grid) {
            return Err(no_position(board, &self.spec(), &self.board_text(&p)));
        }
        match side {
            Some(side) if side != self.side(&p) => Err(wrong_turn(board, self.side_names()[side.index()])),
            _ => Ok(p),
        }
    }

    /// Write a board so that [`parse_board`](Notation::parse_board) reads it, without the side to move.
    fn board_text(&self, p: &Self::Position) -> String {
        self.grid(p).map_or_else(|| format!("{p:?}"), |grid| grid.text())
    }

    /// How many bytes [`pack`](Notation::pack) writes.
    fn packed_len(&self) -> usize {
        64
    }

    /// Write, into [`packed_len`](Notation::packed_len) zeroed bytes, what it takes beside the key to make a position
    /// again; whether it fitted. For the files and the other processes of one program, never for people. A game whose
    /// keys tell everything writes nothing; the default writes the text.
    fn pack(&self, p: &Self::Position, out: &mut [u8]) -> bool {
        let text = self.position_text(p);
        let fits = text.len() <= out.len();
        if fits {
            out[..text.len()].copy_from_slice(text.as_bytes());
        }
        fits
    }

    /// The position that was [packed](Notation::pack), or another with the same key. `key` is its key as
    /// [`write_key`](crate::write_key) writes it.
    fn unpack(&self, key: &[u8], packed: &[u8]) -> Option<Self::Position> {
        let _ = key;
        let text = std::str::from_utf8(packed).ok()?;
        self.parse_position(text.trim_end_matches('\0')).ok()
    }

    /// The side that [`parse_board`](Notation::parse_board) takes to be to move when the text names none; `None` if
    /// the board alone does not tell. The default asks the parser.
    fn implied_side(&self, p: &Self::Position) -> Option<Side> {
        self.parse_board(&self.board_text(p), None).ok().map(|read| self.side(&read))
    }

    /// Write a legal move. The default joins the cells it [touches](Notation::touched), as in `a1-a2`; a move that
    /// touches none has its number among the legal ones.
    fn move_text(&self, p: &Self::Position, m: Self::Move) -> String {
        let cells = self.touched_names(m);
        if !cells.is_empty() {
            return cells.join("-");
        }
        let (mut number, mut found) = (0, 0);
        self.each_move(p, |other| {
            number += 1;
            if other == m {
                found = number;
            }
        });
        found.to_string()
    }

    /// The names of the cells that a move [touches](Notation::touched).
    fn touched_names(&self, m: Self::Move) -> Clicks {
        let cells = self.touched(m);
        match self.deal(0).and_then(|start| self.grid(&start)) {
            Some(grid) => cells.into_iter().map(|(r, c)| grid.name(r, c)).collect(),
            None => Vec::new(),
        }
    }

    /// Read a move. The default takes the text of any legal move, in upper or lower case.
    ///
    /// # Errors
    /// If the text is not a move, or not a legal one here, with the reason.
    fn parse_move(&self, p: &Self::Position, text: &str) -> Result<Self::Move, Error> {
        let mut found = None;
        let mut first = None;
        self.each_move(p, |m| {
            let name = self.move_text(p, m);
            if name.eq_ignore_ascii_case(text.trim()) {
                found = Some(m);
            }
            first.get_or_insert(name);
        });
        found.ok_or_else(|| illegal(text, first.as_deref()))
    }

    /// The board as a person reads it in a terminal, with coordinates, several lines.
    fn picture(&self, p: &Self::Position) -> String {
        self.grid(p).map_or_else(|| self.board_text(p) + "\n", |grid| grid.picture())
    }

    /// The board as an SVG document. Every cell that can be clicked is an element with `data-cell="NAME"`; colours
    /// are presentation attributes and classes (`first`, `second`, `cell`, `line`, `last`, …), never `style`, so
    /// that a page can restyle them.
    fn svg(&self, p: &Self::Position, scene: &Scene<Self::Move>) -> String {
        drawing::plain(self, p, scene)
    }

    /// The clicks that make a move. The default is one on every cell it [touches](Notation::touched), or else one on
    /// what is named like the move.
    fn clicks(&self, p: &Self::Position, m: Self::Move) -> Clicks {
        let cells = self.touched_names(m);
        if cells.is_empty() { vec![self.move_text(p, m)] } else { cells }
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
    fn why(&self, p: &Self::Position) -> Option<Said> {
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
        let grid = self.grid(&self.deal(0)?)?;
        let symbols = self.symbols();
        let words: Vec<_> = symbols.iter().map(|s| (s.symbol.as_str(), s.what.as_str())).collect();
        Some(Layout::grid(grid.rows(), grid.columns(), |r, c| grid.name(r, c), &words))
    }

    /// Whether boards may be set up that no line of play leads to. Otherwise the parser refuses them.
    fn sets_up_freely(&self) -> bool {
        false
    }

    /// A start made from a seed, for games that begin with a deal; the fixed start otherwise.
    fn deal(&self, seed: u64) -> Option<Self::Position> {
        let _ = seed;
        self.root()
    }

    /// The start, or the error that says there is none.
    ///
    /// # Errors
    /// If the game begins with a deal.
    fn fixed_start(&self) -> Result<Self::Position, Error> {
        self.root().ok_or_else(|| no_start(&self.spec()))
    }

    /// Read a whole position text: a board and optionally the side to move, or `moves:m1,m2,…` from the start. An
    /// empty text is the start.
    ///
    /// # Errors
    /// If the text is no position of this game.
    fn parse_position(&self, text: &str) -> Result<Self::Position, Error> {
        let text = text.trim();
        if text.is_empty() {
            return self.fixed_start();
        }
        if let Some(list) = text.strip_prefix("moves:") {
            let moves = list.split(',').map(str::trim).filter(|m| !m.is_empty());
            return self.play_all(self.fixed_start()?, moves);
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
    ) -> Result<Self::Position, Error> {
        let mut p = start;
        for (i, text) in moves.enumerate() {
            if self.outcome(&p).is_some() {
                return Err(after_the_end(i + 1, text));
            }
            let m = self.parse_move(&p, text).map_err(|e| numbered(i + 1, e))?;
            p = self.play(&p, m);
        }
        Ok(p)
    }

    /// Read the name of a side: `first`, `second`, or one of the game's own words.
    ///
    /// # Errors
    /// If it is neither.
    fn parse_side(&self, word: &str) -> Result<Side, Error> {
        side_called(word, self.side_names(), self.side_words())
    }

    /// Write a whole position: the board, and the side to move where the board alone does not tell it.
    fn position_text(&self, p: &Self::Position) -> String {
        let board = self.board_text(p);
        if self.implied_side(p) == Some(self.side(p)) { board } else { format!("{board} {}", self.side(p)) }
    }
}

// What is not of a game's types is not compiled for each of them.

fn side_called(word: &str, names: [&str; 2], words: [&[&str]; 2]) -> Result<Side, Error> {
    let lower = word.to_lowercase();
    [Side::First, Side::Second]
        .into_iter()
        .find(|s| {
            let i = s.index();
            lower == s.word() || lower == names[i].to_lowercase() || words[i].contains(&lower.as_str())
        })
        .ok_or_else(|| {
            Error::new(
                ErrorCode::BadSide,
                format!("'{word}' is not a side"),
                format!("the sides are {} (first) and {} (second)", names[0], names[1]),
            )
        })
}

#[cold]
fn no_position(board: &str, spec: &str, nearest: &str) -> Error {
    Error::position(format!("'{board}' is no position of {spec}"), format!("'{nearest}' is one"))
}

#[cold]
fn wrong_turn(board: &str, name: &str) -> Error {
    let hint = "leave the side out: it follows from the board";
    Error::position(format!("it is not {name}'s turn in '{board}'"), hint)
}

#[cold]
fn illegal(text: &str, legal: Option<&str>) -> Error {
    Error::bad_move(
        format!("'{text}' is not a legal move here"),
        legal.map_or("the game is over".into(), |m| format!("a legal move is '{m}'")),
    )
}

#[cold]
fn no_start(spec: &str) -> Error {
    Error::new(
        ErrorCode::NoStart,
        format!("{spec} begins with a deal, and none is given"),
        "name the deal in the spec, such as NAME:DEAL, or give a position or a seed",
    )
}

#[cold]
fn after_the_end(number: usize, text: &str) -> Error {
    Error::bad_move(format!("move {number} ('{text}') comes after the end of the game"), "leave it out")
}

#[cold]
fn numbered(number: usize, error: Error) -> Error {
    let message = format!("move {number}: {}", error.message);
    Error { message, ..error }
}
