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
mod choice;
mod error;
mod facade;
mod hosted;
mod job;
mod known;
mod parallel;
