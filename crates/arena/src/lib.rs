//! Where players meet: built-in ones and other people's programs, one referee, tournaments with ratings.
//!
//! Everything works on texts through [`AnyGame`](ludex_judge::AnyGame), so every game of a
//! [`Registry`](ludex_judge::Registry) has all of it.
//!
//! ```
//! use ludex_arena::{builtin::{Builtin, Kind}, contest::{Conditions, play}, record::Score};
//! use ludex_judge::{Registry, Side};
//! use ludex_standard::Standard as _;
//!
//! let game = Registry::standard().open("nex:2x2").unwrap();
//! let (mut perfect, mut random) = (Builtin::new(Kind::Perfect, 0), Builtin::new(Kind::Random, 1));
//! let conditions = Conditions::default();
//! let record = play(game.as_ref(), [&mut perfect, &mut random], &conditions, &mut |_, _| {}).unwrap();
//! assert_eq!(record.score, Score::Won(Side::First), "Black wins 2x2 in three plies");
//! ```
#![deny(unsafe_code)]

pub mod builtin;
pub mod cells;
mod chunks;
pub mod connect4;
pub mod contest;
pub mod elo;
#[cfg(not(target_family = "wasm"))]
pub mod entrant;
pub mod gtp;
#[cfg(windows)]
mod job;
pub mod levels;
pub mod lines;
mod messages;
pub mod nexc;
pub mod player;
pub mod process;
pub mod program;
pub mod record;
pub mod referee;
pub mod standings;
// Several games at once, each on a thread.
#[cfg(not(target_family = "wasm"))]
pub mod tournament;

pub use player::{End, Fault, Player, Start, Turn};
