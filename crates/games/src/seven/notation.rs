//! Texts: rows from the top joined by `/`, `.` for an empty cell, `M`, `B`; a cell is `row,column`, counted from 0.

use std::fmt::Write as _;

use ludex_core::{Error, Fact, Filling, Game, Notation, Playable, Said, Scene, Sentence, Side};

use super::{Board, Cell, EdgeSet, NaiveSeven, Tile, TileMask, edges};
use crate::sentences;

impl<M: TileMask> Tile<M> {
    /// The side that is to move if both have taken turns; `None` if they cannot have.
    fn turn(&self, p: &Board<M>) -> Option<Side> {
        let (maker, breaker) = (p.maker.count(), p.breaker.count());
        let (ahead, behind) = if self.first() == Side::First { (maker, breaker) } else { (breaker, maker) };
        match ahead.checked_sub(behind) {
            Some(0) => Some(self.first()),
            Some(1) => Some(self.first().other()),
            _ => None,
        }
    }

    /// Read a cell, `row,column`.
    ///
    /// # Errors
    /// If it is not a cell of this board.
    pub fn parse_cell(&self, text: &str) -> Result<Cell, Error> {
        let columns = self.columns();
        let bad = || {
            Error::bad_move(
                format!("'{text}' is not a cell of {}", self.spec()),
                format!("a cell is row,column, such as 0,2: rows 0 to 3, columns 0 to {}", columns - 1),
            )
        };
        let (r, c) = text.trim().split_once([',', '.']).ok_or_else(bad)?;
        let number =
            |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<u8>().ok())?;
        match (number(r.trim()), number(c.trim())) {
            (Some(r), Some(c)) if r < 4 && usize::from(c) < columns => Ok(Cell::at(r, c)),
            _ => Err(bad()),
        }
    }

    /// Write a cell.
    #[must_use]
    pub fn cell_text(&self, cell: Cell) -> String {
        format!("{},{}", cell.row(), cell.column())
    }

    /// Write a line as its cells.
    #[must_use]
    pub fn line_text(&self, line: M) -> String {
        edges::cells(line)
            .map(|cell| format!("({},{})", cell.row(), cell.column()))
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn letter(p: &Board<M>, cell: Cell) -> char {
        match (p.maker.has(cell.index()), p.breaker.has(cell.index())) {
            (true, _) => 'M',
            (_, true) => 'B',
            _ => '.',
        }
    }
}

impl<M: TileMask> Notation for Tile<M> {
    fn spec(&self) -> String {
        let mut spec = format!("seven:{}", self.columns());
        if self.edges() != EdgeSet::Paper {
            let _ = write!(spec, ",edges={}", self.edges());
        }
        if self.first() == Side::Second {
            spec.push_str(",first=breaker");
        }
        if self.start() == self.disproof_setup() {
            spec.push_str(",setup=disproof");
        } else if self.start() != self.empty() {
            let _ = write!(spec, ",setup={}", self.board_text(&self.start()));
        }
        spec
    }

    fn title(&self) -> String {
        let lines = if self.edges() == EdgeSet::Paper { "" } else { ", harness lines" };
        format!("Seven in a row on the 4x{} tile{lines}", self.columns())
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["Maker", "Breaker"]
    }

    fn side_words(&self) -> [&'static [&'static str]; 2] {
        [&["m"], &["b"]]
    }

    fn parse_board(&self, board: &str, side: Option<Side>) -> Result<Board<M>, Error> {
        let hint = || {
            format!(
                "4 rows of {} joined by '/', of '.', 'M' and 'B': {}",
                self.columns(),
                self.board_text(&self.empty())
            )
        };
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != 4 {
            return Err(Error::position(format!("'{board}' has {} rows instead of 4", rows.len()), hint()));
        }
        let mut p = self.empty();
        for (r, row) in rows.iter().enumerate() {
            if row.chars().count() != self.columns() {
                return Err(Error::position(
                    format!(
                        "row {r}, '{row}', has {} cells instead of {}",
                        row.chars().count(),
                        self.columns()
                    ),
                    hint(),
                ));
            }
            for (c, letter) in row.chars().enumerate() {
                let mask: M = Cell::at(r as u8, c as u8).mask();
                match letter {
                    'M' | 'm' => p.maker = p.maker | mask,
                    'B' | 'b' => p.breaker = p.breaker | mask,
                    '.' => {}
                    other => {
                        return Err(Error::position(format!("'{other}' in row {r} is no cell"), hint()));
                    }
                }
            }
        }
        p.side = side.or_else(|| self.turn(&p)).ok_or_else(|| {
            Error::position(
                format!("with {} M and {} B the turn is not clear", p.maker.count(), p.breaker.count()),
                format!("name the side to move: '{board} maker' or '{board} breaker'"),
            )
        })?;
        Ok(p)
    }

    fn board_text(&self, p: &Board<M>) -> String {
        let row =
            |r| (0..self.columns() as u8).map(move |c| Self::letter(p, Cell::at(r, c))).collect::<String>();
        (0..4).map(row).collect::<Vec<_>>().join("/")
    }

    fn implied_side(&self, p: &Board<M>) -> Option<Side> {
        self.turn(p)
    }

    fn move_text(&self, _: &Board<M>, m: Cell) -> String {
        self.cell_text(m)
    }

    fn parse_move(&self, p: &Board<M>, text: &str) -> Result<Cell, Error> {
        let cell = self.parse_cell(text)?;
        let free = self.free(p);
        if free.has(cell.index()) {
            return Ok(cell);
        }
        let mut hint = "the game is over".to_owned();
        if let Some(other) = edges::cells(free).next() {
            hint = format!("a free cell is {}", self.cell_text(other));
        }
        Err(Error::bad_move(format!("the cell {} is taken", self.cell_text(cell)), hint))
    }

    /// Moves are separated by spaces or semicolons, or by every second comma: `moves:0,1,2,2` is two moves.
    fn parse_position(&self, text: &str) -> Result<Board<M>, Error> {
        let text = text.trim();
        if text.is_empty() {
            return self.fixed_start();
        }
        let Some(list) = text.strip_prefix("moves:") else {
            let (board, side) = match text.rsplit_once(' ') {
                Some((board, word)) => (board.trim(), Some(self.parse_side(word)?)),
                None => (text, None),
            };
            return self.parse_board(board, side);
        };
        let numbers: Vec<&str> = list.split([',', ' ', ';']).filter(|n| !n.is_empty()).collect();
        if numbers.len() % 2 == 1 {
            return Err(Error::bad_move(
                format!("'{list}' has a row without a column at its end"),
                "a move is row,column: moves:1,0,0,0",
            ));
        }
        let moves: Vec<String> = numbers.chunks(2).map(|rc| rc.join(",")).collect();
        self.play_all(self.start(), moves.iter().map(String::as_str))
    }

    fn facts(&self, p: &Board<M>) -> Vec<Fact> {
        let count = |name: &Sentence, value: String| Fact::plain(name, None, value, Vec::new());
        let histogram = self.histogram(p);
        let alive: u32 = (1..8).map(|l| histogram.count(l)).sum();
        let left = (1..8).filter(|&l| histogram.count(l) > 0).map(|l| {
            let (n, left) = (histogram.count(l) as usize, l);
            Filling::from(sentences::WITH_LEFT.say([("n", n.into()), ("left", left.into())]))
        });
        vec![
            count(&sentences::POTENTIAL, self.potential(p).to_string()),
            count(&sentences::LINES, alive.to_string()),
            Fact::new(sentences::BY_LEFT.say([]), sentences::COMMA.chain(left), Vec::new()),
        ]
    }

    fn sets_up_freely(&self) -> bool {
        true
    }

    fn layout(&self) -> Option<ludex_core::Layout> {
        let name = |r: usize, c: usize| self.cell_text(Cell::at(r as u8, c as u8));
        Some(ludex_core::Layout::grid(
            4,
            self.columns(),
            name,
            &[(".", "empty"), ("M", "Maker"), ("B", "Breaker")],
        ))
    }

    fn picture(&self, p: &Board<M>) -> String {
        let columns = self.columns() as u8;
        let mut text = "  ".to_owned();
        (0..columns).for_each(|c| {
            let _ = write!(text, "{:>3}", c);
        });
        text.push('\n');
        for r in 0..4 {
            let _ = write!(text, "{r} ");
            (0..columns).for_each(|c| {
                let _ = write!(text, "{:>3}", Self::letter(p, Cell::at(r, c)));
            });
            text.push('\n');
        }
        text
    }

    fn svg(&self, p: &Board<M>, scene: &Scene<Cell>) -> String {
        self.draw(p, scene)
    }

    fn why(&self, p: &Board<M>) -> Option<Said> {
        self.outcome(p)?;
        Some(match self.complete_line(p) {
            Some(line) => {
                sentences::LINE.say([("side", "Maker".into()), ("cells", self.line_text(line).into())])
            }
            None => sentences::EVERY_LINE_CELL.say([("side", "Breaker".into())]),
        })
    }
}

impl<M: TileMask> Playable for Tile<M> {
    type Naive = NaiveSeven;

    fn naive(&self) -> NaiveSeven {
        NaiveSeven::new(self.columns(), self.edges() == EdgeSet::Paper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> Result<crate::seven::WideSeven, Error> {
        crate::seven::tile(&text.parse().expect("a spec"))
    }

    #[test]
    fn specs_come_back() {
        for text in ["seven:8", "seven:31,edges=harness", "seven:8,first=breaker", "seven:16,setup=disproof"]
        {
            assert_eq!(game(text).map(|g| g.spec()).as_deref(), Ok(text));
        }
        let board = "seven:4,edges=harness,setup=M..M/B.../..M./.B.B";
        assert_eq!(game(board).map(|g| g.spec()).as_deref(), Ok(board));
    }

    #[test]
    fn bad_specs_say_what_would_be_right() {
        for (text, message) in [
            ("seven:3", "the number of columns cannot be 3"),
            ("seven:32", "the number of columns cannot be 32"),
            ("seven:8,edges=all", "there is no edge set 'all'"),
            ("seven:8,edge=paper", "seven has no parameter 'edge'"),
            ("seven:8,first=white", "'white' is not a side"),
            ("seven:4,setup=M/M", "'M/M' has 2 rows instead of 4"),
        ] {
            let error = game(text).map(|g| g.spec()).expect_err(text);
            assert_eq!(error.message, message);
            assert!(!error.hint.is_empty());
        }
    }

    #[test]
    fn bad_positions_say_what_is_wrong() {
        let seven = game("seven:4").expect("a game");
        for (text, part) in [
            ("..../..../....", "3 rows instead of 4"),
            ("..../...../..../....", "has 5 cells instead of 4"),
            ("..../..x./..../....", "'x' in row 1"),
            ("MM../..../..../....", "the turn is not clear"),
            ("..../..../..../.... white", "'white' is not a side"),
            ("moves:0,0,0,0", "move 2: the cell 0,0 is taken"),
            ("moves:0,0,4,0", "'4,0' is not a cell"),
            ("moves:0,0,1", "a row without a column"),
        ] {
            let error = seven.parse_position(text).expect_err(text);
            assert!(error.message.contains(part), "{text}: {}", error.message);
        }
        assert_eq!(
            seven.parse_position("moves:1,0,0,1").map(|p| seven.board_text(&p)).as_deref(),
            Ok(".B../M.../..../....")
        );
    }
}
