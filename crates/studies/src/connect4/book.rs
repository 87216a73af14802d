//! The opening book of 7x6 that is part of the program.

use std::sync::OnceLock;

use ludex_games::connect4::{Connect4, Standard};
use ludex_judge::{NoStudy, table::Answers};
use ludex_store::tablebase::Tablebase;

/// The book that is part of the program.
#[must_use]
pub fn standard() -> &'static Answers<Connect4<Standard>> {
    static BOOK: OnceLock<Answers<Connect4<Standard>>> = OnceLock::new();
    BOOK.get_or_init(|| {
        Tablebase::within("the program's own book", include_bytes!("standard.book"))
            .map_err(ludex_core::Error::from)
            .and_then(|table| Answers::over(&Connect4::default(), &NoStudy, table))
            .expect("the program's own book is whole, as a test shows")
    })
}

#[cfg(test)]
mod tests {
    use ludex_core::{Cancel, Game, Notation};
    use ludex_judge::table::Verifying;

    use super::*;

    #[test]
    fn the_programs_book_knows_the_first_move() {
        let game = Connect4::default();
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

    /// Of all positions of its plies, and of no others, the book says what the positions after them say.
    #[test]
    fn the_programs_book_follows_from_its_last_ply() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("standard.book");
        std::fs::write(&file, include_bytes!("standard.book")).expect("written");
        let cancel = Cancel::new();
        let how = Verifying { sample: Some(0), ..Verifying::whole(1 << 27, &cancel) };
        let verified = crate::open("connect4").expect("a game").tables().verify(&file, &how).expect("whole");
        assert_eq!(verified.wrong, []);
        assert!(verified.checked > 1000);
    }
}
