//! Opening books: exact scores of every position of the first plies.
//!
//! ```text
//! ludex book 1        a line each: the format and its version,
//! connect4            the spec,
//! 5                   the plies that are covered,
//! 2861                the number of positions;
//! …                   for each, by increasing key: the key's increase in 7-bit groups, least first, the high bit set on
//!                     all but the last; then the score plus 64 in one byte;
//! …                   SHA-256 of all that.
//! ```
//! Keys are the game's own: exact, and the same for mirror images. A book of 7x6 is part of the program.

use std::{any::Any, sync::OnceLock};

use ludex_core::{Bounds, Game};
use ludex_games::connect4::{Board, Connect4, Standard, score};
use ludex_store::Sha256;

/// What is wrong with a book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a whole book of Ludex: {0}")]
pub struct BookError(&'static str);

/// Scores by key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    spec: String,
    plies: u32,
    entries: Vec<(u64, i8)>,
}

const TITLE: &str = "ludex book 1";

impl Book {
    /// A book of a game's positions with at most `plies` stones.
    #[must_use]
    pub fn new(spec: String, plies: u32, mut entries: Vec<(u64, i8)>) -> Self {
        entries.sort_unstable();
        entries.dedup();
        Self { spec, plies, entries }
    }

    /// The spec of its game.
    #[must_use]
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// Positions with up to this many stones are in it.
    #[must_use]
    pub const fn plies(&self) -> u32 {
        self.plies
    }

    /// Keys and scores, by key.
    #[must_use]
    pub fn entries(&self) -> &[(u64, i8)] {
        &self.entries
    }

    /// The score for the side to move.
    #[must_use]
    pub fn score(&self, key: u64) -> Option<i32> {
        self.entries.binary_search_by_key(&key, |e| e.0).ok().map(|i| self.entries[i].1.into())
    }

    /// The book as a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes =
            format!("{TITLE}\n{}\n{}\n{}\n", self.spec, self.plies, self.entries.len()).into_bytes();
        let mut last = 0;
        for &(key, score) in &self.entries {
            let mut step = key - last;
            last = key;
            while step >= 0x80 {
                bytes.push(step as u8 | 0x80);
                step >>= 7;
            }
            bytes.push(step as u8);
            bytes.push((score + 64) as u8);
        }
        let mut digest = Sha256::default();
        digest.update(&bytes);
        bytes.extend(digest.finish());
        bytes
    }

    /// Read a file.
    ///
    /// # Errors
    /// If it is not a book, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let (body, digest) = bytes.split_last_chunk::<32>().ok_or(BookError("it is too short"))?;
        let mut ours = Sha256::default();
        ours.update(body);
        if ours.finish() != *digest {
            return Err(BookError("its checksum is wrong"));
        }
        let mut rest = body;
        let mut line = || {
            let end = rest.iter().position(|&b| b == b'\n')?;
            let text = std::str::from_utf8(&rest[..end]).ok()?;
            rest = &rest[end + 1..];
            Some(text)
        };
        let head = (line(), line(), line(), line());
        let (Some(TITLE), Some(spec), Some(plies), Some(count)) = head else {
            return Err(BookError("its first lines are not those of a book"));
        };
        let (Ok(plies), Ok(count)) = (plies.parse(), count.parse::<usize>()) else {
            return Err(BookError("its plies or its count is no number"));
        };
        let (mut entries, mut key) = (Vec::with_capacity(count.min(1 << 24)), 0u64);
        let mut bytes = rest.iter().copied();
        let mut next = || bytes.next().ok_or(BookError("it ends too soon"));
        for _ in 0..count {
            let (mut step, mut shift) = (0u64, 0);
            loop {
                let byte = next()?;
                step |= u64::from(byte & 0x7f).checked_shl(shift).ok_or(BookError("a key is too long"))?;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            key = key.checked_add(step).ok_or(BookError("a key is too long"))?;
            entries.push((key, next()? as i8 - 64));
        }
        Ok(Self { spec: spec.into(), plies, entries })
    }
}

/// The book that is part of the program.
#[must_use]
pub fn standard() -> &'static Book {
    static BOOK: OnceLock<Book> = OnceLock::new();
    BOOK.get_or_init(|| {
        Book::from_bytes(include_bytes!("standard.book")).expect("the program's own book is whole")
    })
}

/// Bounds from the program's book, if the game and the position are of it.
pub(crate) fn from_any(game: &dyn Any, position: &dyn Any) -> Option<Bounds> {
    let game = game.downcast_ref::<Connect4<Standard>>()?;
    let position = position.downcast_ref::<Board<u64>>()?;
    let book = standard();
    if position.stones() > book.plies() {
        return None;
    }
    let score = book.score(game.key(position))?;
    Some(Bounds::exact(score::value(score, game.max_plies(position))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_reads_back_and_notices_damage() {
        let book = Book::new("connect4".into(), 2, vec![(1 << 40, -21), (7, 3), (300, 0)]);
        let bytes = book.to_bytes();
        assert_eq!(Book::from_bytes(&bytes), Ok(book.clone()));
        assert_eq!((book.score(300), book.score(8)), (Some(0), None));
        for i in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[i] ^= 4;
            assert!(Book::from_bytes(&damaged).is_err(), "byte {i}");
        }
        assert!(Book::from_bytes(&bytes[..20]).is_err());
    }

    #[test]
    fn the_programs_book_knows_the_first_move() {
        let game = Connect4::default();
        let root = game.root().expect("a start");
        let mut scores = Vec::new();
        game.each_move(&root, |m| {
            scores.push(-standard().score(game.key(&game.play(&root, m))).expect("in the book"))
        });
        assert_eq!(scores, [-2, -1, 0, 1, 0, -1, -2]);
        assert!(include_bytes!("standard.book").len() < 1 << 20);
    }
}
