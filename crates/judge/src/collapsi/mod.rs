//! Collapsi beyond the general: the census of all deals, puzzles, record files, and its part of the bench.
mod bench;
mod census;
mod export;
mod first_moves;
mod puzzle;

pub use bench::{Measured, measure};
pub use census::{Census, pack_table};
pub use export::{Exported, Wanted, export};
pub use first_moves::{FirstMoves, first_moves};
pub use ludex_games::collapsi::{Collapsi, Position, records};
pub use puzzle::{ON_A_PAGE, Puzzle, puzzle, sheet};

use std::any::Any;

use ludex_core::{Bounds, Game, InputError, Spec, Stats, Status, Verdict};
use ludex_games::collapsi::{FAMILY, Fast, game, value_of_deal};
use ludex_search::Ask;

use crate::job::Job;

/// The name of the search made for the game.
pub(crate) const NAME: &str = "collapsi";

/// Whether a game is Collapsi, and the job one for its own search, which knows neither limits of nodes nor rules to
/// do without: a deal is solved before either would matter.
pub(crate) fn plays<G: Game>(game: &G, job: &Job) -> bool {
    (game as &dyn Any).is::<Collapsi>() && job.without.is_empty() && job.budget.nodes.is_none()
}

/// Answer with the game's own search if the game is Collapsi.
pub(crate) fn run<G: Game>(ask: &Ask<'_, G>) -> Option<Verdict<G::Move>> {
    let game = (ask.game as &dyn Any).downcast_ref::<Collapsi>()?;
    let position: &Position = (&ask.position as &dyn Any).downcast_ref()?;
    let mut fast = Fast::new(game);
    let value = fast.value(position);
    let pv = fast.line(position);
    ask.probe.check(fast.nodes());
    let stats = Stats { nodes: fast.nodes(), ..Stats::default() };
    let verdict = Verdict {
        bounds: Bounds::exact(value),
        status: Status::Solved,
        best: pv.first().copied(),
        pv,
        stats,
    };
    let verdict: Box<dyn Any> = Box::new(verdict);
    verdict.downcast().ok().map(|verdict| *verdict)
}

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

/// The rules that a spec names.
///
/// # Errors
/// If it names another game, or wrong parameters.
pub fn rules(spec: &Spec) -> Result<Collapsi, InputError> {
    if spec.name != NAME {
        return Err(InputError::spec(format!("'{spec}' is not Collapsi"), FAMILY.usage));
    }
    game(spec)
}

/// The text of a position.
#[must_use]
pub fn text_of(game: &Collapsi, p: &Position) -> String {
    ludex_core::Notation::position_text(game, p)
}
