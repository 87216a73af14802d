//! Opening books: the exact values of every position of the first plies.
//!
//! A book is a file of the house's tables whose heading says how many plies it covers; its keys are the game's own, exact
//! and the same for mirror images. A book of 7x6 is part of the program.

use std::{any::Any, sync::OnceLock};

use ludex_core::{Bounds, Game};
use ludex_games::connect4::{Board, Connect4, Standard};
use ludex_store::tablebase::Tablebase;

use crate::table::{Answers, TableFault};

/// The book that is part of the program.
#[must_use]
pub fn standard() -> &'static Answers<Connect4<Standard>> {
    static BOOK: OnceLock<Answers<Connect4<Standard>>> = OnceLock::new();
    BOOK.get_or_init(|| {
        let table = Tablebase::within("the program's own book", include_bytes!("standard.book"));
        table
            .map_err(TableFault::from)
            .and_then(|table| Answers::over(&Connect4::default(), table))
            .expect("the program's own book is whole")
    })
}

/// Bounds from the program's book, if the game and the position are of it.
pub(crate) fn from_any(game: &dyn Any, position: &dyn Any) -> Option<Bounds> {
    let game = game.downcast_ref::<Connect4<Standard>>()?;
    let position = position.downcast_ref::<Board<u64>>()?;
    if game.outcome(position).is_some() {
        return None;
    }
    Some(Bounds::exact(standard().value(game, position).ok()??))
}

#[cfg(test)]
mod tests {
    use ludex_core::{Cancel, Notation};

    use super::*;
    use crate::{connect4::book_file::verify, table::Verifying};

    #[test]
    fn the_programs_book_knows_the_first_move() {
        let game = Connect4::default();
        let table = standard().table();
        table.check().expect("whole");
        assert!(table.bytes() < 1 << 20);
        let root = game.root().expect("a start");
        let moves = standard().moves(&game, &root).expect("whole").expect("in the book");
        let mut scores: Vec<_> =
            moves.iter().map(|m| (m.m, game.score(&root, m.value).expect("exact"))).collect();
        scores.sort_unstable();
        assert_eq!(scores.iter().map(|s| s.1).collect::<Vec<_>>(), [-2, -1, 0, 1, 0, -1, -2]);
    }

    /// Of all positions of its plies, and of no others, the book says what the positions after them say.
    #[test]
    fn the_programs_book_follows_from_its_last_ply() {
        let cancel = Cancel::new();
        let how = Verifying { sample: Some(0), ..Verifying::whole(1 << 26, &cancel) };
        let verified = verify(standard().table(), &how).expect("whole");
        assert_eq!(verified.wrong, []);
        assert!(verified.checked > 1000);
    }
}
