//! Collapsi beyond the general: the census of all deals, puzzles, record files, and its part of the bench.
mod bench;
mod census;
mod export;
mod puzzle;

pub use bench::{Measured, measure};
pub use census::{Census, pack_table};
pub use export::{Exported, Wanted, export};
pub use ludex_games::collapsi::{Collapsi, Position, records};
pub use puzzle::{Puzzle, puzzle, sheet};

use std::any::Any;

use ludex_core::Bounds;
use ludex_games::collapsi::{Fast, value_of_deal};

/// The value of a deal by the table that comes with the program: 4x4, start cards that are not wild.
pub(crate) fn from_table(game: &dyn Any, position: &dyn Any) -> Option<Bounds> {
    let game = game.downcast_ref::<Collapsi>()?;
    value_of_deal(game, position.downcast_ref()?).map(Bounds::exact)
}

/// The value of a position on the line that follows a deal, for which the table has no entry.
pub(crate) fn after_deal(game: &dyn Any, position: &dyn Any) -> Option<Bounds> {
    let game = game.downcast_ref::<Collapsi>()?;
    Some(Bounds::exact(Fast::new(game).value(position.downcast_ref()?)))
}

/// The text of a position.
#[must_use]
pub fn text_of(game: &Collapsi, p: &Position) -> String {
    ludex_core::Notation::position_text(game, p)
}
