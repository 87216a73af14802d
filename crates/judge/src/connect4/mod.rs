//! Connect Four's own solver.
//!
//! The house's alpha-beta answers every question about Connect Four through the game's `look`. This one is here because
//! it pays: it looks at every child (forced replies played out, static bounds, memory) before it enters any, and keeps
//! an entry in one word with generations to spare. `ludex bench connect4` measures it.
pub mod book;
pub mod book_file;
mod build;
mod driver;
mod hosting;
mod measure;
pub mod memory;
mod solver;

pub use build::{Building, build};
pub use driver::{score_of, solve};
pub(crate) use hosting::{NAME, plays, run};
pub use measure::{Measured, measure};
pub use solver::Solver;
