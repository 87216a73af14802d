//! Ludex as a library: every crate under one name, the names most programs need in a [`prelude`], and [`solve`] for the
//! first answer.
//!
//! ```
//! use ludex::prelude::*;
//!
//! fn main() -> Result<(), Error> {
//!     let game = Registry::standard().open("connect4")?;
//!     let question = Question { goal: Goal::Distance, ..Question::at("4453") };
//!     let verdict = game.solve(&question, &Terms::default())?;
//!     assert_eq!(verdict.sentence, "Yellow wins in 36 with perfect play.");
//!     Ok(())
//! }
//! ```
//!
//! A game from anywhere gets everything the program has:
//!
//! ```no_run
//! use ludex::prelude::*;
//! # use ludex::games::template::{FAMILY, of_spec};
//!
//! fn main() -> std::process::ExitCode {
//!     ludex::cli::run(Registry::standard().with(&FAMILY, of_spec))
//! }
//! ```
#![forbid(unsafe_code)]

pub use ludex_arena as arena;
pub use ludex_cli as cli;
pub use ludex_core as core;
pub use ludex_games as games;
pub use ludex_judge as judge;
pub use ludex_search as search;
pub use ludex_server as server;
pub use ludex_standard as standard;
pub use ludex_store as store;
pub use ludex_studies as studies;

pub use ludex_judge::Registry;

/// The names that most programs need: to write a game, and to ask about it.
pub mod prelude {
    pub use ludex_core::{
        Bounds, Budget, Cancel, Clicks, Error, ErrorCode, Fact, Family, Game, Goal, Grid, Moves, Notation,
        Outcome, Playable, Reason, Reference, Scene, Side, Spec, Status, Switch, Switches, Value, Verdict,
        Window,
    };
    pub use ludex_judge::{AnyGame, Question, Registry, Terms, answer, host, host_with};
    pub use ludex_standard::Standard;

    pub use crate::solve;
}

use ludex_core::{Error, Game, Goal, Unlimited, Verdict};
use ludex_search::{Ask, alphabeta, table::Table};

/// The memory that [`solve`] remembers positions in.
const MEMORY: u64 = 64 << 20;

/// Solve a position of a game, however long that takes: who wins, how soon if `goal` asks for it, and a line of best play.
///
/// ```
/// use ludex::games::template::Heap;
/// use ludex::prelude::*;
///
/// let game = Heap { size: 21 };
/// let verdict = solve(&game, &game.root().unwrap(), Goal::Distance)?;
/// assert_eq!(verdict.bounds.value(), Some(Value::win(11)));
/// # Ok::<(), Error>(())
/// ```
///
/// With limits, threads, tables and a memory of verdicts: host the game ([`judge::host`]) and put a
/// [`Question`](judge::Question).
///
/// # Errors
/// If the rules of the game contradict each other; no verdict is made of that.
pub fn solve<G: Game>(game: &G, position: &G::Position, goal: Goal) -> Result<Verdict<G::Move>, Error> {
    let game = game.clone().for_goal(goal);
    let table = Table::new(MEMORY, game.key_bits());
    let ask = Ask { game: &game, position: *position, goal, probe: &Unlimited, worker: 0 };
    Ok(alphabeta::solve(&ask, &table)?)
}
