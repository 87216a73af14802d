//! The value of a position by nothing but the rules.

use std::{collections::HashMap, fmt::Debug, hash::Hash};

use crate::{Game, Value};

/// Minimax over a whole game with nothing but the rules: the obviously right twin of every search.
#[derive(Debug, Default)]
pub struct Minimax<P> {
    /// The value of every position reached so far, for its side to move.
    pub values: HashMap<P, Value>,
}

impl<P: Copy + Eq + Hash + Debug> Minimax<P> {
    /// Nothing known yet.
    #[must_use]
    pub fn new() -> Self {
        Self { values: HashMap::new() }
    }

    /// The exact value of a position for its side to move, all plies included.
    pub fn value<G: Game<Position = P>>(&mut self, game: &G, p: &P) -> Value {
        if let Some(outcome) = game.outcome(p) {
            return Value::ended(outcome);
        }
        if let Some(&value) = self.values.get(p) {
            return value;
        }
        let moves = game.moves(p);
        let side = game.side(p);
        let value = moves
            .iter()
            .map(|&m| {
                let child = game.play(p, m);
                let value = self.value(game, &child);
                if game.side(&child) == side { value.later() } else { value.back() }
            })
            .max()
            .unwrap_or_else(|| panic!("{p:?}: an unfinished game without a move"));
        self.values.insert(*p, value);
        value
    }
}
