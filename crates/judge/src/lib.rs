//! The one path from a question to an answer.
//!
//! [`open`] makes a game from its spec; a [`Job`] says what is asked of it and at what cost; the answer is a
//! [`wire::Verdict`] or [`wire::Analysis`], the same objects whether they are printed, served or stored. On the way
//! the judge asks what is already known (tables, books, the database), chooses the search, runs it on as many
//! threads as it may, and remembers.
//!
//! ```
//! use ludex_judge::{Job, open};
//!
//! let game = open("heap:21").unwrap();
//! let verdict = game.solve(&Job::default()).unwrap();
//! assert_eq!(verdict.outcome, "win");
//! assert_eq!(verdict.best, ["1"]);
//! ```
mod checkpoint;
mod choice;
pub mod collapsi;
pub mod connect4;
mod error;
mod facade;
mod hosted;
mod job;
mod known;
mod mnk;
pub mod nex;
mod opponent;
mod parallel;
mod reason;
pub mod seven;
pub mod table;
mod turns;
mod watch;
pub mod wire;
pub mod words;

pub use checkpoint::Checkpoint;
pub use error::Refusal;
pub use facade::{AnyGame, Count, MoveView, View};
pub use job::{Job, Reporter};
pub use ludex_core::{
    Budget, Cancel, Fact, Goal, InputError, Layout, MIN_MEMORY, Mark, Outcome, Progress, Side, Spec, Switch,
};
pub use ludex_games::positional::sha256;
pub use ludex_games::{
    Cost, KnownValue, known_values,
    registry::{FAMILIES, Family},
};
pub use ludex_search::think::{Depth, Limits};
pub use ludex_store::{Filter, Row, Store, StoreError};
pub use opponent::{Choice, choose};

use ludex_games::registry::{self, Playable, Visitor};

/// Make the game of a spec.
///
/// # Errors
/// If there is no such game, or its parameters are wrong.
pub fn open(spec: &str) -> Result<Box<dyn AnyGame>, InputError> {
    struct Open;
    impl Visitor for Open {
        type Output = Box<dyn AnyGame>;
        fn visit<G: Playable>(self, game: G) -> Box<dyn AnyGame> {
            Box::new(hosted::Hosted::new(game))
        }
    }
    registry::visit(&spec.parse()?, Open)
}
