//! What a game has beyond rules and knowledge, as one trait whose every method does nothing unless a game says otherwise.
//!
//! The judge never asks which game it is hosting. Where a game has a solver of its own, a table or a book that comes with
//! the program, an evaluation for its opponent or cases of its own for the bench, its study says so.

use std::fmt::Debug;

use ludex_core::{Bounds, Error, Game, Nature, Notation, Numbering, Value, Verdict};
use ludex_search::{
    Ask,
    searches::{Generic, Searches},
    think::{Estimate, Evaluation},
};

#[cfg(feature = "files")]
use crate::table::Present;
use crate::{Proving, Question, WriteProof, answer::Source};

/// A game's study.
pub trait Study<G: Notation>: Debug + Send + Sync {
    /// The generic searches. They are compiled with the study, which may be another crate than the one that hosts the game.
    fn searches(&self) -> &dyn Searches<G> {
        &Generic
    }

    /// A solver made for this game alone.
    fn solver(&self) -> Option<&dyn OwnSolver<G>> {
        None
    }

    /// The generic search that suits the game best, by its name; `None` leaves the choice to the game's nature.
    fn suits(&self, question: &Question, nature: Nature) -> Option<&'static str> {
        let _ = (question, nature);
        None
    }

    /// What a table or a book that comes with the program knows of an unfinished game.
    fn shipped(&self, game: &G, p: &G::Position, question: &Question) -> Option<(Bounds, Source)> {
        let _ = (game, p, question);
        None
    }

    /// What is known at once of a position on the line after one that a table knew, where tables go no further.
    fn afterwards(&self, game: &G, p: &G::Position) -> Option<Bounds> {
        let _ = (game, p);
        None
    }

    /// A numbering of all positions, or of all starts.
    fn numbering(&self, game: &G) -> Option<Box<dyn Numbering<G>>> {
        game.numbering()
    }

    /// How positions look to an opponent that cannot solve them.
    fn evaluation(&self) -> &dyn Evaluation<G> {
        &Estimate
    }

    /// Hand strategies for claims, one for each, to `write`, if the game has a way of its own to find small ones.
    fn prove(
        &self,
        game: &G,
        proving: &Proving<'_>,
        write: WriteProof<'_>,
    ) -> Option<Result<Vec<u8>, Error>> {
        let _ = (game, proving, write);
        None
    }

    /// The tables and books that come with the program.
    #[cfg(feature = "files")]
    fn shipped_tables(&self) -> Vec<Present> {
        Vec::new()
    }
}

/// Nothing beyond rules and knowledge.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoStudy;

impl<G: Notation> Study<G> for NoStudy {}

/// A solver made for one game.
pub trait OwnSolver<G: Game> {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Why it does not take a question, if it does not.
    fn refuses(&self, question: &Question) -> Option<&'static str> {
        let _ = question;
        None
    }

    /// Get ready to search, with so many bytes of memory.
    ///
    /// # Errors
    /// If that is too little.
    fn prepare(&self, game: &G, memory: u64) -> Result<Box<dyn OwnSearch<G>>, Error>;
}

/// An own solver at work, with what it remembers from one question to the next.
pub trait OwnSearch<G: Game>: Send + Sync {
    /// Answer as one worker of several, all of which share what is remembered.
    ///
    /// # Errors
    /// If two certain things exclude each other.
    fn solve(&self, ask: &Ask<'_, G>) -> Result<Verdict<G::Move>, Error>;

    /// The exact value alone, unless it was stopped: what a book is made of.
    ///
    /// # Errors
    /// If two certain things exclude each other.
    fn value(&self, ask: &Ask<'_, G>) -> Result<Option<Value>, Error> {
        Ok(self.solve(ask)?.bounds.value())
    }

    /// Whether more than one worker is of use.
    fn shares(&self) -> bool {
        true
    }

    /// How full its memory is, 0 to 1, and how many bytes it takes.
    fn usage(&self) -> (f64, u64) {
        (0.0, 0)
    }
}
