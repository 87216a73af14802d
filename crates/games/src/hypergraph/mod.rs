//! Positional games on hypergraphs: cells, and lines that a player wants to own.
//!
//! Nothing here knows of boards. A game hands over its cells as bits of a [`Mask`] and its winning sets as [`Lines`];
//! what can be said of a position without search is said here once, for every game of this kind. Throughout, the
//! *attacker* wants to own a whole line and the *defender* wants a stone in each; in a strong game each side plays
//! both parts. What is left of a line that the defender has not touched are its empty cells, and most theorems only
//! need those: see [`Lines::live`].
pub mod components;
pub mod domination;
pub mod forcing;
pub(crate) mod incidence;
mod lines;
mod mask;
pub mod naive;
pub mod pairing;
pub mod potential;
mod reduce;
pub mod residual;
mod rows;
mod simplify;
mod stopped;
pub mod threats;
pub mod weak;

pub use lines::Lines;
pub use mask::{Cells, Mask, Wide};
pub use reduce::{Given, Near, Reduction, Rules};
pub use residual::Residual;
pub use stopped::stopped;

/// Whose move it is where an attacker tries to complete a line and a defender to stop him.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The attacker moves next.
    Attacker,
    /// The defender moves next.
    Defender,
}
