//! The opening book of 7x6 that is part of the program.

use std::sync::OnceLock;

use ludex_games::connect4::{Connect4, Sized};
use ludex_judge::{NoStudy, table::Answers};
use ludex_store::tablebase::Tablebase;

/// The book that is part of the program.
#[must_use]
pub fn standard() -> &'static Answers<Connect4<Sized<u64>>> {
    static BOOK: OnceLock<Answers<Connect4<Sized<u64>>>> = OnceLock::new();
    BOOK.get_or_init(|| {
        Tablebase::within("the program's own book", include_bytes!("standard.book"))
            .map_err(ludex_core::Error::from)
            .and_then(|table| Answers::over(&Connect4::new(Sized::STANDARD), &NoStudy, table))
            .expect("the program's own book is whole, as a test shows")
    })
}

#[cfg(test)]
mod tests {
    use ludex_core::{Game, Notation};

    use super::*;

    #[test]
    fn the_programs_book_knows_the_first_move() {
        let game = Connect4::new(Sized::STANDARD);
        let table = standard().table();
        table.check().expect("whole");
        assert!(table.bytes() < 1 << 20);
        let root = game.root().expect("a start");
        let moves = standard().moves(&game, &NoStudy, &root).expect("whole").expect("in the book");
        let mut scores: Vec<_> =
            moves.iter().map(|m| (m.m, game.score(&root, m.value).expect("exact"))).collect();
        scores.sort_unstable();
        assert_eq!(scores.iter().map(|s| s.1).collect::<Vec<_>>(), [-2, -1, 0, 1, 0, -1, -2]);
    }
}
