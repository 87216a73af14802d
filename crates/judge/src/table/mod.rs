//! Tables of whole games and opening books: building, probing, counting and verifying them.
//!
//! A table answers every position of a game at once; a book answers those of its first plies. Both are files of one
//! format. [`AnyTable`] is what any game can do with them; [`Answers`] reads a finished file for the game it was made for.
mod answers;
pub(crate) mod book;
mod build;
mod count;
mod export;
mod present;
mod verify;

use std::path::Path;

pub use answers::{Answers, MoveValue, ProbeKind, Probed, ProbedMove};
pub use book::{BookOrder, Elsewhere};
pub use build::{Built, Order, Step, estimate};
pub use count::{Counted, Tally, count, heading, reachable, stats};
pub use export::{Exported, Receive};
pub use present::{Present, present};
pub use verify::{Verified, Verifying};

use ludex_core::{Cancel, Error, ErrorCode, Goal, Notation};
use ludex_search::retrograde::Positions;
use ludex_store::tablebase::Tablebase;

use crate::{
    Spawner,
    complete::{COMPLETE, left_out},
    host::Host,
};

/// What can be done with tables and books of a game.
pub trait AnyTable {
    /// Solve every position of the game and write them to a file, calling `report` now and then.
    ///
    /// # Errors
    /// If the game cannot be numbered within the memory, the file cannot be written, or it was called off.
    fn build(&self, order: &Order<'_>, report: &(dyn Fn(&Step) + Sync)) -> Result<Built, Error>;

    /// The positions of the game without its types, for whoever spreads their solving over threads and machines.
    ///
    /// # Errors
    /// If there can be no table of the game.
    fn positions(&self, by_key: bool) -> Result<Positions, Error>;

    /// Look a position up in a file; the start if none is named.
    ///
    /// # Errors
    /// If the file is damaged or of another game, or the table does not hold the position.
    fn probe(&self, file: &Path, position: Option<&str>) -> Result<Probed, Error>;

    /// Derive the values of a file again.
    ///
    /// # Errors
    /// If the file is damaged or of another game, it does not fit into the memory, or it was called off.
    fn verify(&self, file: &Path, how: &Verifying<'_>) -> Result<Verified, Error>;

    /// Tell every position of a table or book with its value, until `receive` says that it is enough.
    ///
    /// # Errors
    /// If the file is damaged or of another game, or it was called off.
    fn export(&self, file: &Path, cancel: &Cancel, receive: Receive<'_>) -> Result<(), Error>;

    /// How many of the numbered positions can be reached from the start.
    ///
    /// # Errors
    /// If the game has no numbering or no start.
    fn reachable(&self) -> Result<u64, Error>;

    /// Build an opening book, or go on with one.
    ///
    /// # Errors
    /// If there can be no such book, a file fails, or it was called off.
    fn build_book(&self, order: &BookOrder<'_>) -> Result<Tablebase, Error>;

    /// The tables and books of the game that come with the program.
    fn shipped(&self) -> Vec<Present>;
}

impl<G: Notation> AnyTable for Host<G> {
    fn build(&self, order: &Order<'_>, report: &(dyn Fn(&Step) + Sync)) -> Result<Built, Error> {
        if !COMPLETE {
            return Err(left_out());
        }
        build::build(&self.exact(), self.study(), order, report)
    }

    fn positions(&self, by_key: bool) -> Result<Positions, Error> {
        if !COMPLETE {
            return Err(left_out());
        }
        build::positions(&self.exact(), self.study(), by_key)
    }

    fn probe(&self, file: &Path, position: Option<&str>) -> Result<Probed, Error> {
        if !COMPLETE {
            return Err(left_out());
        }
        answers::probe(&self.exact(), self.study(), file, position)
    }

    fn verify(&self, file: &Path, how: &Verifying<'_>) -> Result<Verified, Error> {
        if !COMPLETE {
            return Err(left_out());
        }
        verify::verify(&self.exact(), self.study(), file, how)
    }

    fn export(&self, file: &Path, cancel: &Cancel, receive: Receive<'_>) -> Result<(), Error> {
        if !COMPLETE {
            return Err(left_out());
        }
        export::export(&self.exact(), self.study(), file, cancel, receive)
    }

    fn reachable(&self) -> Result<u64, Error> {
        if !COMPLETE {
            return Err(left_out());
        }
        count::reachable_of(&self.exact(), self.study())
    }

    fn build_book(&self, order: &BookOrder<'_>) -> Result<Tablebase, Error> {
        if !COMPLETE {
            return Err(left_out());
        }
        book::build(&self.exact(), self.study(), order)
    }

    fn shipped(&self) -> Vec<Present> {
        self.study().shipped_tables()
    }
}

impl<G: Notation> Host<G> {
    /// The game with keys that are exact to the ply, which tables are made of.
    fn exact(&self) -> G {
        self.game().clone().for_goal(Goal::Distance)
    }
}

/// The name of the file in which the table of a game is looked for: `nex:3x3,rules=official` is in
/// `nex-3x3-rules-official.table`.
#[must_use]
pub fn file_name(spec: &str) -> String {
    let plain: String = spec.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("{plain}.table")
}

/// It would take more memory than it may.
fn memory_error(needed: u64, given: u64) -> Error {
    Error::new(
        ErrorCode::OutOfMemory,
        format!("this takes {needed} bytes of memory, and {given} are allowed"),
        format!("allow --memory {}MiB, or take a smaller board", needed.div_ceil(1 << 20)),
    )
}

/// The list of positions takes more memory than it may; how much is known only at its end.
fn listing_error(given: u64) -> Error {
    Error::new(
        ErrorCode::OutOfMemory,
        format!("there are more positions than {given} bytes of memory can list"),
        "allow more --memory, or take a smaller board",
    )
}

/// It was called off. What was done is kept.
fn stopped() -> Error {
    Error::new(
        ErrorCode::Stopped,
        "stopped before the end; the same command goes on from here",
        "run it again",
    )
}

/// Run a worker on so many threads; a panic of one of them is an error.
fn on_all(spawner: &dyn Spawner, threads: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), Error> {
    spawner.run(threads.max(1), worker).map_err(|said| {
        Error::new(ErrorCode::Internal, format!("a worker panicked: {said}"), "please report the command")
    })
}
