//! Connect Four: a solver of its own, an opening book, measurements.
//!
//! The generic alpha-beta answers every question about Connect Four through the game's `look`. The solver here looks
//! at every child (forced replies played out, static bounds, memory) before it enters any, and keeps an entry in one word
//! with generations to spare: seven times as fast as the generic search, or more (`ludex bench connect4`).
#[cfg(feature = "files")]
pub mod book;
mod driver;
mod measure;
pub mod memory;
pub mod opponent;
mod prove;
mod solver;
mod standard;

use ludex_core::{Error, Game as _, Value, Verdict};
use ludex_games::connect4::{Column, Connect4, FAMILY, Shape, score};
use ludex_judge::{OwnSearch, OwnSolver, Proving, Study, WriteProof};
use ludex_search::{Ask, table::Table, think::Evaluation};

pub use driver::{score_of, solve};
pub use measure::{Meter, ScoresMeasured, samples};
pub use solver::Solver;
pub use standard::StandardStudy;

use memory::{Packed, Wide};
use opponent::evaluation::Heuristic;

/// Connect Four beyond its rules.
#[derive(Debug)]
pub struct Connect4Study<S: Shape> {
    /// How its opponent sees a position.
    heuristic: Heuristic<S>,
}

impl<S: Shape> Connect4Study<S> {
    /// What there is for every board.
    #[must_use]
    pub fn new(game: Connect4<S>) -> Self {
        Self { heuristic: Heuristic::new(game) }
    }
}

impl<S: Shape> Study<Connect4<S>> for Connect4Study<S> {
    fn solver(&self) -> Option<&dyn OwnSolver<Connect4<S>>> {
        Some(self)
    }

    fn prove(
        &self,
        game: &Connect4<S>,
        proving: &Proving<'_>,
        write: WriteProof<'_>,
    ) -> Option<Result<Vec<u8>, Error>> {
        Some(prove_small(game, proving, write))
    }

    fn evaluation(&self) -> &dyn Evaluation<Connect4<S>> {
        &self.heuristic
    }
}

impl<S: Shape> OwnSolver<Connect4<S>> for Connect4Study<S> {
    fn name(&self) -> &'static str {
        FAMILY.name
    }

    fn prepare(&self, game: &Connect4<S>, memory: u64) -> Result<Box<dyn OwnSearch<Connect4<S>>>, Error> {
        Ok(own_search(game, memory))
    }
}

fn prove_small<S: Shape>(
    game: &Connect4<S>,
    proving: &Proving<'_>,
    write: WriteProof<'_>,
) -> Result<Vec<u8>, Error> {
    let bits = game.key_bits();
    match Packed::new(proving.memory, bits) {
        Some(packed) => prove::write(game, &packed, proving, write),
        None => prove::write(game, &Wide(Table::new(proving.memory, bits)), proving, write),
    }
}

fn own_search<S: Shape>(game: &Connect4<S>, memory: u64) -> Box<dyn OwnSearch<Connect4<S>>> {
    let bits = game.key_bits();
    match Packed::new(memory, bits) {
        Some(packed) => Box::new(packed),
        None => Box::new(Wide(Table::new(memory, bits))),
    }
}

/// Entries of one word, where they fit.
impl<S: Shape> OwnSearch<Connect4<S>> for Packed {
    fn solve(&self, ask: &Ask<'_, Connect4<S>>) -> Result<Verdict<Column>, Error> {
        Ok(driver::solve(ask, self))
    }

    fn value(&self, ask: &Ask<'_, Connect4<S>>) -> Result<Option<Value>, Error> {
        Ok(exact(ask, self))
    }

    fn usage(&self) -> (f64, u64) {
        (self.fill(), self.bytes())
    }
}

/// The generic table otherwise.
impl<S: Shape> OwnSearch<Connect4<S>> for Wide<S::Word> {
    fn solve(&self, ask: &Ask<'_, Connect4<S>>) -> Result<Verdict<Column>, Error> {
        Ok(driver::solve(ask, self))
    }

    fn value(&self, ask: &Ask<'_, Connect4<S>>) -> Result<Option<Value>, Error> {
        Ok(exact(ask, self))
    }

    fn usage(&self) -> (f64, u64) {
        (self.0.fill(), self.0.bytes())
    }
}

fn exact<S: Shape>(ask: &Ask<'_, Connect4<S>>, memory: &impl memory::Recall<S::Word>) -> Option<Value> {
    let (found, _) = score_of(ask.game, ask.position, memory, ask.probe)?;
    Some(score::value(found, ask.game.max_plies(&ask.position)))
}
