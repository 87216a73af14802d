//! Collapsi: a solver of its own, the table of all deals, their census, puzzles, record files, and its part of the bench.
mod bench;
mod census;
mod deals;
mod export;
mod fast;
mod first_moves;
mod frames;
mod numbering;
mod puzzle;
pub mod records;

use ludex_core::{Bounds, Error, Notation, Numbering, Spec, Stats, Status, Verdict};
use ludex_games::collapsi::{Classes, FAMILY, Walk, game};
pub use ludex_games::collapsi::{Collapsi, Position};
#[cfg(feature = "files")]
use ludex_judge::table::Present;
use ludex_judge::{OwnSearch, OwnSolver, Question, Study, answer::Source};
use ludex_search::Ask;

pub use bench::{DealsMeasured, measure};
pub use census::Census;
#[cfg(feature = "files")]
pub use census::pack_table;
pub use deals::{pack, value_of_deal, values_of_classes};
pub use export::{Exported, Wanted, export};
pub use fast::Fast;
pub use first_moves::{FirstMoves, classes, first_moves};
pub use numbering::ClassTable;
pub use puzzle::{ON_A_PAGE, Puzzle, puzzle, sheet};

/// The name of the solver made for the game.
const NAME: &str = "collapsi";

/// Collapsi beyond its rules.
#[derive(Clone, Copy, Debug)]
pub struct CollapsiStudy;

impl Study<Collapsi> for CollapsiStudy {
    fn solver(&self) -> Option<&dyn OwnSolver<Collapsi>> {
        Some(self)
    }

    /// The value of a deal by the table that comes with the program: 4x4, start cards that are not wild.
    fn shipped(&self, game: &Collapsi, p: &Position, question: &Question) -> Option<(Bounds, Source)> {
        let value = value_of_deal(game, p).filter(|_| question.tables)?;
        Some((Bounds::exact(value), Source::Table))
    }

    /// The value of a position on the line that follows a deal, for which the table has no entry.
    fn afterwards(&self, game: &Collapsi, p: &Position) -> Option<Bounds> {
        Some(Bounds::exact(Fast::new(game).value(p)))
    }

    /// All deals, unless the game is about one of them.
    fn numbering(&self, game: &Collapsi) -> Option<Box<dyn Numbering<Collapsi>>> {
        game.deal().is_none().then(|| Box::new(ClassTable::new(game)) as Box<dyn Numbering<Collapsi>>)
    }

    #[cfg(feature = "files")]
    fn shipped_tables(&self) -> Vec<Present> {
        vec![Present {
            game: Collapsi::new(4, false).spec(),
            kind: Source::Table,
            goal: "distance".into(),
            positions: Classes::of(4).count() as u64,
            bytes: None,
            file: None,
            digest: None,
            about: "every deal, up to symmetry".into(),
        }]
    }
}

impl OwnSolver<Collapsi> for CollapsiStudy {
    fn name(&self) -> &'static str {
        NAME
    }

    /// A deal is solved before a limit of nodes or a rule to leave out would matter.
    fn refuses(&self, question: &Question) -> Option<&'static str> {
        let plain = question.without.is_empty() && question.budget.nodes.is_none();
        (!plain).then_some("leaves out no rule and counts no nodes")
    }

    fn prepare(&self, _: &Collapsi, _: u64) -> Result<Box<dyn OwnSearch<Collapsi>>, Error> {
        Ok(Box::new(FastSearch))
    }
}

/// The solver at work; it remembers nothing from one deal to the next.
struct FastSearch;

impl OwnSearch<Collapsi> for FastSearch {
    fn solve(&self, ask: &Ask<'_, Collapsi>) -> Result<Verdict<Walk>, Error> {
        let mut fast = Fast::new(ask.game);
        let value = fast.value(&ask.position);
        let pv = fast.line(&ask.position);
        ask.probe.check(fast.nodes());
        let stats = Stats { nodes: fast.nodes(), ..Stats::default() };
        let (bounds, best) = (Bounds::exact(value), pv.first().copied());
        Ok(Verdict { bounds, status: Status::Solved, best, pv, stats })
    }

    fn shares(&self) -> bool {
        false
    }
}

/// The rules that a spec names.
///
/// # Errors
/// If it names another game, or wrong parameters.
pub fn rules(spec: &Spec) -> Result<Collapsi, Error> {
    if spec.name != FAMILY.name {
        return Err(Error::spec(format!("'{spec}' is not Collapsi"), FAMILY.usage));
    }
    game(spec)
}
