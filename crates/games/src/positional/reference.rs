//! The rules once more, naively: a list of letters and lists of cells.

use ludex_core::{Outcome, Reference, Side};

use super::Sheet;

/// The naive twin of [`Positional`](super::Positional).
#[derive(Clone, Debug)]
pub struct NaivePositional {
    /// The game.
    pub sheet: Sheet,
}

impl NaivePositional {
    fn plies(&self, board: &[char]) -> usize {
        board.iter().filter(|c| **c != '.').count() - self.sheet.black.len() - self.sheet.white.len()
    }

    fn full(&self, board: &[char], sets: &[Vec<usize>], letter: char) -> bool {
        sets.iter().any(|set| set.iter().all(|&c| board[c] == letter))
    }
}

impl Reference for NaivePositional {
    type Position = Vec<char>;

    fn read(&self, board: &str, _: Side) -> Vec<char> {
        board.chars().collect()
    }

    fn write(&self, p: &Vec<char>) -> String {
        p.iter().collect()
    }

    fn side(&self, p: &Vec<char>) -> Side {
        let turns = &self.sheet.black_turn;
        let ply = self.plies(p);
        let black = if ply < turns.len() { turns[ply] } else { !turns[turns.len() - 1] };
        if black { Side::First } else { Side::Second }
    }

    fn outcome(&self, p: &Vec<char>) -> Option<Outcome> {
        let over = self.plies(p) == self.sheet.times.len();
        let prevented = self.sheet.black_wins.iter().all(|set| set.iter().any(|&c| p[c] == 'W'));
        let unmade = self.sheet.white_wins.is_empty() && (over || prevented);
        let winner = if self.full(p, &self.sheet.black_wins, 'B') {
            Side::First
        } else if self.full(p, &self.sheet.white_wins, 'W') || unmade {
            Side::Second
        } else if over {
            return Some(Outcome::Draw);
        } else {
            return None;
        };
        Some(if winner == self.side(p) { Outcome::Win } else { Outcome::Loss })
    }

    fn moves(&self, p: &Vec<char>) -> Vec<String> {
        let allowed = |c: &usize| match &self.sheet.first {
            Some(first) if self.plies(p) == 0 => first.contains(c),
            _ => true,
        };
        (0..p.len()).filter(|&c| p[c] == '.').filter(allowed).map(|c| self.sheet.cells[c].clone()).collect()
    }

    fn play(&self, p: &Vec<char>, m: &str) -> Vec<char> {
        let mut next = p.clone();
        let c = self.sheet.cells.iter().position(|name| name == m).expect("a cell");
        next[c] = if self.side(p) == Side::First { 'B' } else { 'W' };
        next
    }
}
