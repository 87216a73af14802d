//! The texts and pictures of a game written in Python.

use ludex::core::{Error, Grid, Notation, Side};
use pyo3::prelude::*;

use super::{Number, OwnGame};

impl OwnGame {
    /// The moves that led to a position, on the way it was first reached.
    fn line(&self, p: Number) -> Vec<String> {
        let (mut line, mut at) = (Vec::new(), self.0.node(p));
        while let Some((parent, m)) = at.parent {
            line.push(self.0.moves(parent)[m as usize].text.clone());
            at = self.0.node(parent);
        }
        line.reverse();
        line
    }
}

impl Notation for OwnGame {
    fn spec(&self) -> String {
        self.0.spec.clone()
    }

    fn title(&self) -> String {
        self.0.title.clone()
    }

    /// The board as rows of signs, if the rules draw one.
    fn grid(&self, &p: &Number) -> Option<Grid> {
        let rows: Vec<Vec<char>> = self.0.optional("grid", p, |said| {
            let rows: PyResult<Vec<String>> = said.try_iter()?.map(|row| row?.extract()).collect();
            Ok(rows?.iter().map(|row| row.chars().collect()).collect())
        })?;
        let columns = rows.iter().map(Vec::len).max()?;
        Some(Grid::new(rows.len(), columns, |r, c| rows[r].get(c).copied().unwrap_or('.')))
    }

    fn board_text(&self, &p: &Number) -> String {
        format!("moves:{}", self.line(p).join(","))
    }

    fn parse_board(&self, board: &str, _: Option<Side>) -> Result<Number, Error> {
        Err(Error::position(
            format!("'{board}' is no position of {}", self.spec()),
            "give the moves from its start: moves:m1,m2,…",
        ))
    }

    fn position_text(&self, p: &Number) -> String {
        self.board_text(p)
    }

    fn move_text(&self, &p: &Number, m: u32) -> String {
        self.0.moves(p)[m as usize].text.clone()
    }

    fn parse_move(&self, &p: &Number, text: &str) -> Result<u32, Error> {
        let moves = self.0.moves(p);
        moves.iter().position(|m| m.text == text.trim()).map(|m| m as u32).ok_or_else(|| {
            let hint =
                moves.first().map_or("the game is over".into(), |m| format!("a legal move is '{}'", m.text));
            Error::bad_move(format!("'{text}' is not a legal move here"), hint)
        })
    }

    fn picture(&self, p: &Number) -> String {
        let own = self.0.optional("picture", *p, |said| said.extract::<String>());
        own.or_else(|| self.grid(p).map(|grid| grid.picture())).unwrap_or_else(|| self.board_text(p) + "\n")
    }
}
