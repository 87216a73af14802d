//! What the games of Ludex have beyond rules and knowledge, one folder per game, and the searches compiled for each of them.
//!
//! A game's study tells the judge about its own solver, the tables and books that come with the program, and how its
//! opponent sees a position ([`Study`](ludex_judge::Study)); what its own verbs ask (records, papers, measurements) is here
//! too. Games without a folder have nothing to add. [`studied`] gives a game of the standard list together with its study;
//! hosting them is left to another crate, because that part of the judge need not be fast.
#![forbid(unsafe_code)]

pub mod collapsi;
pub mod connect4;
pub mod mnk;
pub mod nex;
pub mod seven;
mod studied;

pub use studied::{Studied, Visitor, studied};
