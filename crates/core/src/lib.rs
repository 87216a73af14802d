//! The vocabulary of Ludex.
//!
//! A [`Game`] is a finite two-player game of perfect information in which every move makes progress. A search turns a
//! position of it into a [`Verdict`]: [`Bounds`] on its [`Value`], never a guess. Everything here is free of threads,
//! clocks and files, so that it runs wherever Rust does.
//!
//! ```
//! use ludex_core::{Bounds, Value, Window};
//!
//! // A win in 5 plies beats a win in 7; every win beats a draw; a slow loss beats a quick one.
//! assert!(Value::win(5) > Value::win(7) && Value::win(7) > Value::DRAW);
//! assert!(Value::loss(8) > Value::loss(2));
//! // What the opponent loses in 4 plies, I win in 5.
//! assert_eq!(Value::loss(4).back(), Value::win(5));
//! // "Is it a win at all?" is a question too.
//! assert!(Window::WIN.fails_low(Bounds::exact(Value::DRAW).hi));
//! ```
mod bounds;
mod budget;
mod by_rank;
pub mod conformance;
mod contradiction;
mod dense;
mod drawing;
mod error;
mod family;
mod game;
mod grid;
mod hex;
mod key;
mod linear;
mod moves;
mod notation;
mod order;
pub mod perft;
mod probe;
mod reference;
mod rng;
mod scene;
mod sentence;
mod spec;
mod stats;
pub mod svg;
mod switches;
mod value;
mod verdict;
mod witness;

pub use bounds::{Bounds, Window};
pub use budget::{Budget, Cancel, MIN_MEMORY};
pub use by_rank::ByRank;
pub use contradiction::{Claim, Contradiction};
pub use dense::{Code, Known, Numbering, Place, Tier, one_value};
pub use error::{Error, ErrorCode};
pub use family::{Family, Import, SizeForm};
pub use game::{Game, Nature};
pub use grid::{Grid, column_name};
pub use hex::hex;
pub use key::{Key, write_key};
pub use linear::solve_linear;
pub use moves::Moves;
pub use notation::Notation;
pub use order::{order_of, sort_by};
pub use probe::{Probe, Progress, Stop, Unlimited};
pub use reference::{Playable, Reference};
pub use rng::Rng;
pub use scene::{Clicks, Fact, Layout, Mark, Reason, Scene, Symbol};
pub use sentence::{AND, Filling, LIST, OR, Said, Sentence};
pub use spec::{Spec, parse_number};
pub use stats::{Iteration, Stats};
pub use switches::{Switch, Switches};
pub use value::{Outcome, Side, Value};
pub use verdict::{Goal, Status, Verdict};
pub use witness::Witness;
