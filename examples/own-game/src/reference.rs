//! The rules once more, naively: what the conformance kit plays the fast ones against.

use ludex::prelude::*;

use crate::Domineering;

/// A board as rows of letters, and whose turn it is.
#[derive(Clone, Debug, PartialEq)]
pub struct NaiveBoard {
    rows: Vec<Vec<char>>,
    side: Side,
}

/// Domineering on rows of letters.
#[derive(Clone, Copy, Debug)]
pub struct NaiveDomineering;

impl NaiveDomineering {
    /// Every way to place a domino: its text, and its two squares.
    fn dominoes(p: &NaiveBoard) -> Vec<(String, [(usize, usize); 2])> {
        let (height, mut all) = (p.rows.len(), Vec::new());
        let name = |(r, c): (usize, usize)| format!("{}{}", (b'a' + c as u8) as char, height - r);
        for r in 0..height {
            for c in 0..p.rows[r].len() {
                let other = if p.side == Side::First { (r + 1, c) } else { (r, c + 1) };
                let free = |(r, c): (usize, usize)| p.rows.get(r).and_then(|row| row.get(c)) == Some(&'.');
                if free((r, c)) && free(other) {
                    all.push((format!("{}-{}", name((r, c)), name(other)), [(r, c), other]));
                }
            }
        }
        all
    }
}

impl Reference for NaiveDomineering {
    type Position = NaiveBoard;

    fn read(&self, board: &str, side: Side) -> NaiveBoard {
        NaiveBoard { rows: board.split('/').map(|row| row.chars().collect()).collect(), side }
    }

    fn write(&self, p: &NaiveBoard) -> String {
        p.rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/")
    }

    fn side(&self, p: &NaiveBoard) -> Side {
        p.side
    }

    fn outcome(&self, p: &NaiveBoard) -> Option<Outcome> {
        Self::dominoes(p).is_empty().then_some(Outcome::Loss)
    }

    fn moves(&self, p: &NaiveBoard) -> Vec<String> {
        Self::dominoes(p).into_iter().map(|(text, _)| text).collect()
    }

    fn play(&self, p: &NaiveBoard, m: &str) -> NaiveBoard {
        let mut next = p.clone();
        if let Some((_, squares)) = Self::dominoes(p).into_iter().find(|(text, _)| text == m) {
            for (r, c) in squares {
                next.rows[r][c] = if p.side == Side::First { 'x' } else { 'o' };
            }
        }
        next.side = p.side.other();
        next
    }
}

impl Playable for Domineering {
    type Naive = NaiveDomineering;

    fn naive(&self) -> NaiveDomineering {
        NaiveDomineering
    }
}
