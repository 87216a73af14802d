//! Certificates: files that prove what a position of a game is worth, and a checker that trusts nobody.
//!
//! The format is defined in the book, `docs/src/certificate.md`. The checker ([`check`]) plays by the rules in
//! [`rules`], which share no code with the fast rules of the games, and never searches: it follows the moves and hints of the
//! file. The [`writer`] turns a strategy into such a file.
#![forbid(unsafe_code)]

pub mod any_tree;
mod book;
mod checker;
mod foreign;
mod header;
mod pack;
pub mod rules;
pub mod sentences;
pub mod smallest;
mod stream;
mod theorems;
pub mod walk;
pub mod witness;
pub mod writer;

pub use book::{Book, rewrite};
pub use checker::{Checked, Fault, Seen, check, check_by, follow, least_image};
pub use foreign::Foreign;
pub use header::{ANY, Chunk, Claim, Header};
pub use stream::digest;
