//! A game from another crate, by its own rules and texts.

use ludex_core::{Notation, Outcome, Side};

use crate::rules::{Move, Position, Rules};

/// Any game. Its cells are the bytes of its board's text, its moves are numbered in the order of their texts.
#[derive(Clone, Debug)]
pub struct Foreign<G>(pub G);

impl<G: Notation> Foreign<G> {
    /// The position, if the cells are the text of one.
    fn position(&self, p: &Position) -> Option<G::Position> {
        let text = std::str::from_utf8(&p.cells).ok()?;
        self.0.parse_board(text, Some(p.side)).ok().filter(|read| self.0.side(read) == p.side)
    }

    fn named(&self, position: &G::Position) -> Vec<(String, G::Move)> {
        let mut moves: Vec<_> =
            self.0.moves(position).into_iter().map(|m| (self.0.move_text(position, m), m)).collect();
        moves.sort();
        moves
    }

    fn of(&self, position: &G::Position) -> Position {
        Position { cells: self.0.board_text(position).into_bytes(), side: self.0.side(position) }
    }
}

impl<G: Notation> Rules for Foreign<G> {
    fn read(&self, board: &str, side: Side) -> Option<Position> {
        let p = Position { cells: board.as_bytes().to_vec(), side };
        // Only the canonical text is a position: one position, one text.
        self.position(&p).filter(|position| self.of(position) == p).map(|_| p)
    }

    fn write(&self, p: &Position) -> String {
        String::from_utf8_lossy(&p.cells).into_owned()
    }

    fn result(&self, p: &Position) -> Option<Option<Side>> {
        let outcome = self.0.outcome(&self.position(p)?)?;
        Some(match outcome {
            Outcome::Draw => None,
            outcome => outcome.winner(p.side),
        })
    }

    fn moves(&self, p: &Position) -> Vec<Move> {
        self.position(p).map_or_else(Vec::new, |q| (0..self.0.moves(&q).len() as Move).collect())
    }

    fn play(&self, p: &Position, m: Move) -> Position {
        let position = self.position(p);
        let chosen = position.and_then(|q| Some((q, self.named(&q).get(m as usize)?.1)));
        chosen.map_or_else(|| p.clone(), |(q, m)| self.of(&self.0.play(&q, m)))
    }

    fn text(&self, p: &Position, m: Move) -> String {
        let named = self.position(p).map_or_else(Vec::new, |q| self.named(&q));
        named.get(m as usize).map_or_else(String::new, |(text, _)| text.clone())
    }
}
