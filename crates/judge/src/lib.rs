//! The one path from a question to an answer.
//!
//! A [`Registry`] makes games from their specs; a [`Question`] says what is asked of one and at what cost; [`Terms`] say
//! what may be used to answer it. The answers are typed objects ([`answer`]), the same whether they are printed, served or
//! stored. On the way the judge asks what is already known (tables, books, a memory of verdicts), chooses the search, runs
//! it on as many workers as it may, and remembers. It names no game: what a game has beyond rules and knowledge is told by
//! its [`Study`].
//!
//! ```
//! # use ludex_games::template::{FAMILY, Heap};
//! use ludex_judge::{Question, Terms, host};
//!
//! let game = host(Heap { size: 21 }, &FAMILY);
//! let verdict = game.solve(&Question::default(), &Terms::default()).unwrap();
//! assert_eq!(verdict.outcome, Some(ludex_core::Outcome::Win));
//! assert_eq!(verdict.best, ["1"]);
//! ```
#![forbid(unsafe_code)]

pub mod answer;
mod any_game;
mod batch;
mod both;
#[cfg(feature = "files")]
mod checkpoint;
mod choose;
mod clock;
mod complete;
mod complexity;
mod explain;
mod greedy;
mod host;
mod judging;
mod known;
mod monitor;
mod openings;
mod parallel;
mod prove;
mod pursue;
mod puzzle;
mod question;
mod registry;
mod review;
mod rules;
mod sample;
pub mod sentences;
mod solvers;
mod spawner;
mod study;
#[cfg(feature = "files")]
pub mod table;
mod terms;
pub mod words;

pub use any_game::{AnyGame, Count, MoveView, State, View};
pub use batch::{Rating, Ratings, Told};
#[cfg(feature = "files")]
pub use checkpoint::Checkpoint;
pub use choose::{ChosenMove, choose};
#[cfg(not(target_family = "wasm"))]
pub use clock::SystemClock;
pub use clock::{Clock, NoClock};
pub use host::{host, host_studied, host_with};
pub use ludex_core::{
    Budget, Cancel, Error, ErrorCode, Fact, Family, Goal, Layout, MIN_MEMORY, Mark, Outcome, Progress, Side,
    Spec, Status, Switch,
};
pub use ludex_search::think::{Depth, Limits};
#[cfg(feature = "sqlite")]
pub use ludex_store::Store;
pub use ludex_store::{DamagedRow, Filter, Memory, Row, StoreError};
pub use monitor::Monitor;
pub use openings::summary;
pub use prove::{Proving, WriteProof};
pub use pursue::{Asked, Branch, Fact as SharedFact, Leaf, Pursuit};
pub use question::Question;
pub use registry::Registry;
pub use review::review;
pub use rules::rules;
pub use sample::{Met, Style};
pub use solvers::{AUTO, BOTH, SOLVERS};
#[cfg(not(target_family = "wasm"))]
pub use spawner::Threads;
pub use spawner::{Alone, Spawner};
pub use study::{NoStudy, OwnSearch, OwnSolver, Study};
pub use terms::{Reporter, Terms};
