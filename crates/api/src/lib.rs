//! What a page asks and what it is answered, without a word on how the question travels.
//!
//! A request is read into one of the [`requests`], one of the [`questions`] turns it into one of the [`objects`] of the machine
//! interface. The server answers HTTP with them, on threads of its own; the browser's build calls them in a worker. Boards
//! come from [`board`], values from the judge through [`judge`], which keeps games [`warm`]; a move of an [`engine`] is the
//! arena's; a [`certificate`] is checked and walked through. Nothing here knows a game, waits for a socket or starts a
//! thread.
#![forbid(unsafe_code)]

pub mod board;
pub mod certificate;
pub mod engine;
pub mod judge;
pub mod objects;
pub mod part;
pub mod questions;
pub mod requests;
pub mod warm;

pub use judge::{Inquiry, Judge, Limits, Subject};
