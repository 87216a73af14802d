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

use ludex_core::{Bounds, Error, Game as _, Value, Verdict};
use ludex_games::connect4::{Board, Column, Connect4, FAMILY, Shape, Standard, score};
#[cfg(feature = "files")]
use ludex_judge::table::{Answers, Present};
use ludex_judge::{OwnSearch, OwnSolver, Proving, Question, Study, WriteProof, answer::Source};
use ludex_search::{Ask, table::Table, think::Evaluation};

pub use driver::{score_of, solve};
pub use measure::{Meter, ScoresMeasured, samples};
pub use solver::Solver;

use memory::{Packed, Wide};
use opponent::evaluation::Heuristic;

/// Connect Four beyond its rules.
#[derive(Debug)]
pub struct Connect4Study<S: Shape> {
    /// The book of this board that comes with the program.
    #[cfg(feature = "files")]
    book: Option<fn() -> &'static Answers<Connect4<S>>>,
    /// How its opponent sees a position.
    heuristic: Heuristic<S>,
}

impl<S: Shape> Connect4Study<S> {
    /// What there is for every board.
    #[must_use]
    pub fn new(game: Connect4<S>) -> Self {
        Self {
            #[cfg(feature = "files")]
            book: None,
            heuristic: Heuristic::new(game),
        }
    }
}

impl Connect4Study<Standard> {
    /// The same for the standard board, with its book.
    #[must_use]
    pub fn with_book(game: Connect4<Standard>) -> Self {
        Self {
            #[cfg(feature = "files")]
            book: Some(book::standard),
            ..Self::new(game)
        }
    }
}

impl<S: Shape> Study<Connect4<S>> for Connect4Study<S> {
    fn solver(&self) -> Option<&dyn OwnSolver<Connect4<S>>> {
        Some(self)
    }

    fn shipped(
        &self,
        game: &Connect4<S>,
        p: &Board<S::Word>,
        question: &Question,
    ) -> Option<(Bounds, Source)> {
        #[cfg(feature = "files")]
        if let Some(book) = self.book
            && question.book
            && game.outcome(p).is_none()
        {
            // The book is part of the program and was whole when it was built; a part of it that cannot be read knows nothing.
            let value = book().value(game, p).ok().flatten()?;
            return Some((Bounds::exact(value), Source::Book));
        }
        let _ = (game, p, question);
        None
    }

    fn prove(
        &self,
        game: &Connect4<S>,
        proving: &Proving<'_>,
        write: WriteProof<'_>,
    ) -> Option<Result<Vec<u8>, Error>> {
        let bits = game.key_bits();
        Some(match Packed::new(proving.memory, bits) {
            Some(packed) => prove::write(game, &packed, proving, write),
            None => prove::write(game, &Wide(Table::new(proving.memory, bits)), proving, write),
        })
    }

    fn evaluation(&self) -> &dyn Evaluation<Connect4<S>> {
        &self.heuristic
    }

    #[cfg(feature = "files")]
    fn shipped_tables(&self) -> Vec<Present> {
        self.book.map(|book| Present::within(book().table())).into_iter().collect()
    }
}

impl<S: Shape> OwnSolver<Connect4<S>> for Connect4Study<S> {
    fn name(&self) -> &'static str {
        FAMILY.name
    }

    fn prepare(&self, game: &Connect4<S>, memory: u64) -> Result<Box<dyn OwnSearch<Connect4<S>>>, Error> {
        let bits = game.key_bits();
        Ok(match Packed::new(memory, bits) {
            Some(packed) => Box::new(packed),
            None => Box::new(Wide(Table::new(memory, bits))),
        })
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
