//! Texts: boards and strings of columns in, boards out.

use std::fmt::Write as _;

use ludex_core::{Error, Fact, Game, LIST, Notation, Playable, Said, Scene, Side, Value};

use super::{Board, Column, Connect4, NaiveConnect4, Shape, Word, draw, lines};
use crate::sentences;

/// Names of columns: 1 to 9, then letters.
const NAMES: &[u8] = b"123456789abcdefghijklmnopqrstuvwxyz";

/// The name of a column.
#[must_use]
pub fn column_name(c: u32) -> char {
    char::from(NAMES[c as usize])
}

impl<S: Shape> Connect4<S> {
    fn column_named(&self, name: char) -> Option<u32> {
        let name = name.to_ascii_lowercase();
        (0..self.shape.width()).find(|&c| column_name(c) == name)
    }

    fn column_range(&self) -> String {
        format!("1 to {}", column_name(self.shape.width() - 1))
    }

    /// Read the columns that were played, such as `4453`.
    fn parse_columns(&self, text: &str) -> Result<Board<S::Word>, Error> {
        let mut p = Board { own: S::Word::ZERO, all: S::Word::ZERO };
        for (i, name) in text.char_indices() {
            let number = i + 1;
            let c = self.column_named(name).ok_or_else(|| {
                Error::position(
                    format!("'{name}' (number {number} of '{text}') is no column of {}", self.spec()),
                    format!(
                        "columns {}, such as 4453, or a board, rows from the top joined by '/'",
                        self.column_range()
                    ),
                )
            })?;
            if self.outcome(&p).is_some() {
                return Err(Error::position(
                    format!("move {number} of '{text}' comes after the end of the game"),
                    format!("end the text after '{}'", &text[..i]),
                ));
            }
            if (p.landings(self.shape) & self.shape.column(c)).none() {
                return Err(Error::position(
                    format!("move {number} of '{text}': column {name} is full"),
                    format!("a column holds {} stones", self.shape.height()),
                ));
            }
            p = self.play(&p, Column(c as u8));
        }
        Ok(p)
    }

    /// Read rows from the top, joined by `/`.
    fn parse_rows(&self, text: &str) -> Result<Board<S::Word>, Error> {
        let (width, height) = (self.shape.width(), self.shape.height());
        let hint = || format!("{height} rows of {width} cells from the top, joined by '/': '.', 'x' or 'o'");
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != height as usize {
            return Err(Error::position(format!("the board has {} rows", rows.len()), hint()));
        }
        let mut stones = [S::Word::ZERO; 2];
        for (i, row) in rows.iter().enumerate() {
            if row.chars().count() != width as usize {
                let message = format!("row {} ('{row}') has {} cells", i + 1, row.chars().count());
                return Err(Error::position(message, hint()));
            }
            for (c, cell) in row.chars().enumerate() {
                let bit = self.shape.cell(c as u32, height - 1 - i as u32);
                match cell {
                    '.' => {}
                    'x' | 'X' => stones[0] |= bit,
                    'o' | 'O' => stones[1] |= bit,
                    _ => {
                        return Err(Error::position(format!("'{cell}' in row {} is no cell", i + 1), hint()));
                    }
                }
            }
        }
        let [first, second] = stones;
        self.check_stones(first, second)?;
        let all = first | second;
        Ok(Board { own: if first.count() == second.count() { first } else { second }, all })
    }

    /// Whether stones could lie like this: none in the air, in turn, and at most one winner, who moved last.
    fn check_stones(&self, first: S::Word, second: S::Word) -> Result<(), Error> {
        let all = first | second;
        for c in 0..self.shape.width() {
            let column = all & self.shape.column(c);
            if (column.plus(self.shape.cell(c, 0)) & column).any() {
                return Err(Error::position(
                    format!("a stone in column {} lies on nothing", column_name(c)),
                    "stones fall to the lowest free cell of their column",
                ));
            }
        }
        let (x, o) = (first.count(), second.count());
        if x != o && x != o + 1 {
            return Err(Error::position(
                format!("{x} stones x and {o} stones o"),
                "the sides take turns and x starts: as many x as o, or one more",
            ));
        }
        let last = if x == o { second } else { first };
        if lines::has_four(self.shape, last ^ all) {
            return Err(Error::position(
                "the side to move has four in a line already",
                "the game ends with the first four, so only the side that moved last can have it",
            ));
        }
        if lines::has_four(self.shape, last) {
            let tops = all & !(all >> 1);
            let ended = (0..self.shape.width()).any(|c| {
                let top = tops & self.shape.column(c) & last;
                top.any() && !lines::has_four(self.shape, last ^ top)
            });
            if !ended {
                return Err(Error::position(
                    "there are fours that no single last stone completed",
                    "the game ends with the first four",
                ));
            }
        }
        Ok(())
    }
}

impl<S: Shape> Notation for Connect4<S> {
    fn spec(&self) -> String {
        match (self.shape.width(), self.shape.height()) {
            (7, 6) => "connect4".into(),
            (w, h) => format!("connect4:{w}x{h}"),
        }
    }

    fn packed_len(&self) -> usize {
        0
    }

    fn pack(&self, _: &Self::Position, _: &mut [u8]) -> bool {
        true
    }

    /// A column of h stones is 2^h − 1 in `all`, and between 0 and that in `own`, so that their sum tells both.
    fn unpack(&self, key: &[u8], _: &[u8]) -> Option<Self::Position> {
        let (shape, stride) = (self.shape, self.shape.stride());
        let key = key.iter().fold(0u128, |key, &byte| key << 8 | u128::from(byte));
        let mut all = S::Word::ZERO;
        if key.checked_shr(shape.width() * stride).unwrap_or(0) != 0 {
            return None;
        }
        for column in 0..shape.width() {
            let sum = key >> (column * stride) & u128::MAX >> (128 - stride);
            let height = sum.wrapping_add(1).checked_ilog2()?;
            if height > shape.height() {
                return None;
            }
            all |= shape.cell(column, height).minus(shape.cell(column, 0));
        }
        Some(Board { own: S::Word::of(key).minus(all), all })
    }

    fn title(&self) -> String {
        format!("Connect Four {}x{}", self.shape.width(), self.shape.height())
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["Red", "Yellow"]
    }

    fn side_colours(&self) -> [&'static str; 2] {
        ["#D81B1B", "#F2C200"]
    }

    fn side_words(&self) -> [&'static [&'static str]; 2] {
        [&["x", "r"], &["o", "y"]]
    }

    fn parse_board(&self, board: &str, side: Option<Side>) -> Result<Self::Position, Error> {
        let p = if board.contains('/') { self.parse_rows(board)? } else { self.parse_columns(board)? };
        match side {
            Some(side) if side != self.side(&p) => Err(Error::position(
                format!("it is not {}'s turn after {} stones", self.side_names()[side.index()], p.stones()),
                "x (Red) starts and the sides take turns: leave the side out",
            )),
            _ => Ok(p),
        }
    }

    fn board_text(&self, p: &Self::Position) -> String {
        let rows: Vec<String> =
            (0..self.shape.height()).rev().map(|r| self.row_text(p, r).collect()).collect();
        rows.join("/")
    }

    fn implied_side(&self, p: &Self::Position) -> Option<Side> {
        Some(self.side(p))
    }

    fn move_text(&self, _: &Self::Position, m: Column) -> String {
        column_name(u32::from(m.0)).to_string()
    }

    fn parse_move(&self, p: &Self::Position, text: &str) -> Result<Column, Error> {
        let mut names = text.trim().chars();
        let column = match (names.next(), names.next()) {
            (Some(name), None) => self.column_named(name),
            _ => None,
        };
        let c = column.ok_or_else(|| {
            Error::bad_move(format!("'{text}' is no column"), format!("columns are {}", self.column_range()))
        })?;
        if (p.landings(self.shape) & self.shape.column(c)).none() {
            return Err(Error::bad_move(format!("column {} is full", column_name(c)), "choose another"));
        }
        Ok(Column(c as u8))
    }

    /// The threats: free cells that complete a four, and the parity of their row, which is what decides endgames.
    fn facts(&self, p: &Self::Position) -> Vec<Fact> {
        let stones = match self.side(p) {
            Side::First => [p.own, p.other()],
            Side::Second => [p.other(), p.own],
        };
        let mut facts = Vec::new();
        for (side, stones) in self.side_names().into_iter().zip(stones) {
            let threats = lines::completing(self.shape, stones) & !p.all & self.shape.cells();
            let (mut texts, mut cells) = (Vec::new(), Vec::new());
            for c in 0..self.shape.width() {
                for r in (0..self.shape.height()).filter(|&r| (threats & self.shape.cell(c, r)).any()) {
                    let threat = if r % 2 == 0 { sentences::ODD } else { sentences::EVEN };
                    let (column, row) = (column_name(c).to_string(), r as usize + 1);
                    texts.push(threat.say([("column", column.into()), ("row", row.into())]).into());
                    cells.push(format!("{}-{}", column_name(c), r + 1));
                }
            }
            if !texts.is_empty() {
                let name = sentences::THREATS.say([("side", side.into())]);
                facts.push(Fact::new(name, LIST.chain(texts), cells));
            }
        }
        facts
    }

    fn sets_up_freely(&self) -> bool {
        true
    }

    fn layout(&self) -> Option<ludex_core::Layout> {
        let (width, height) = (self.shape.width() as usize, self.shape.height() as usize);
        let name = |r: usize, c: usize| format!("{}, row {}", column_name(c as u32), height - r);
        Some(ludex_core::Layout::grid(height, width, name, &[(".", "empty"), ("x", "Red"), ("o", "Yellow")]))
    }

    fn picture(&self, p: &Self::Position) -> String {
        let mut text = String::new();
        for r in (0..self.shape.height()).rev() {
            let row: Vec<String> = self.row_text(p, r).map(String::from).collect();
            let _ = writeln!(text, "{}", row.join(" "));
        }
        let names: Vec<String> = (0..self.shape.width()).map(|c| column_name(c).to_string()).collect();
        let _ = writeln!(text, "{}", names.join(" "));
        text
    }

    fn svg(&self, p: &Self::Position, scene: &Scene<Column>) -> String {
        draw::svg(self, p, scene)
    }

    fn score(&self, p: &Self::Position, value: Value) -> Option<i32> {
        let size = |plies: u32| {
            let last = p.stones() + plies;
            1 + (self.shape.cells().count().saturating_sub(last) / 2) as i32
        };
        match value.raw().signum() {
            0 => Some(0),
            sign => value.plies().map(|plies| i32::from(sign) * size(plies)),
        }
    }

    fn why(&self, p: &Self::Position) -> Option<Said> {
        self.outcome(p)?;
        let four = lines::four_cells(self.shape, p.other());
        if four.none() {
            return Some(sentences::FULL.say([]));
        }
        let winner = self.side_names()[self.side(p).other().index()];
        let mut cells = Vec::new();
        for c in 0..self.shape.width() {
            for r in 0..self.shape.height() {
                if (four & self.shape.cell(c, r)).any() {
                    cells.push(format!("{}-{}", column_name(c), r + 1));
                }
            }
        }
        Some(sentences::FOUR.say([("side", winner.into()), ("cells", cells.join(" ").into())]))
    }
}

impl<S: Shape> Connect4<S> {
    /// The letters of a row, counted from 0 at the bottom.
    fn row_text(&self, p: &Board<S::Word>, r: u32) -> impl Iterator<Item = char> {
        let (shape, p) = (self.shape, *p);
        let own = if self.side(&p) == Side::First { 'x' } else { 'o' };
        let other = if own == 'x' { 'o' } else { 'x' };
        (0..shape.width()).map(move |c| {
            let cell = shape.cell(c, r);
            match () {
                () if (p.all & cell).none() => '.',
                () if (p.own & cell).any() => own,
                () => other,
            }
        })
    }
}

impl<S: Shape> Playable for Connect4<S> {
    type Naive = NaiveConnect4;

    fn naive(&self) -> NaiveConnect4 {
        NaiveConnect4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Connect4<super::super::Standard> {
        Connect4::default()
    }

    #[test]
    fn columns_and_rows_say_the_same() {
        let game = game();
        let p = game.parse_position("4453").unwrap();
        assert_eq!(game.board_text(&p), "......./......./......./......./...o.../..oxx..");
        assert_eq!(game.parse_position("......./......./......./......./...o.../..oxx.. red"), Ok(p));
        assert_eq!(game.parse_position("moves:4,4,5,3"), Ok(p));
        assert_eq!(game.parse_position(""), Ok(game.root().unwrap()));
    }

    #[test]
    fn what_cannot_be_is_refused_with_a_reason() {
        let game = game();
        for (text, part) in [
            ("48", "'8' (number 2"),
            ("4444444", "column 4 is full"),
            ("44556677", "after the end"),
            ("4453 yellow", "not Yellow's turn"),
            ("......./......", "has 2 rows"),
            ("......./......./......./......./......./......", "has 6 cells"),
            ("......./......./......./......./......./..q....", "'q'"),
            ("......./......./......./......./..x..../.......", "lies on nothing"),
            ("......./......./......./......./......./..xx...", "2 stones x and 0 stones o"),
            ("......./......./......./......./xxx..../xoooox.", "the side to move"),
            ("......./......./......./......./oooo.../xxxxx..", "the side to move"),
        ] {
            let error = game.parse_position(text).unwrap_err();
            assert!(error.message.contains(part), "{text}: {}", error.message);
            assert!(!error.hint.is_empty());
        }
    }

    #[test]
    fn scores_follow_the_convention() {
        let game = game();
        let p = game.root().unwrap();
        assert_eq!(game.score(&p, Value::win(41)), Some(1));
        assert_eq!(game.score(&p, Value::loss(42)), Some(-1));
        assert_eq!(game.score(&p, Value::DRAW), Some(0));
        assert_eq!(game.score(&p, Value::SOME_WIN), None);
        let p = game.parse_position("6146").unwrap();
        assert_eq!(game.score(&p, Value::win(3)), Some(18), "the earliest there is");
    }
}
