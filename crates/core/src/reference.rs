//! The rules once more, naive and obviously right.

use std::fmt::Debug;

use crate::{Notation, Outcome, Side};

/// A second implementation of a game's rules that shares nothing with the fast one but the notation.
///
/// It is written to be read, not to be fast: a checker plays by it, and the conformance kit plays it against the fast
/// rules. It may panic on text that the fast parser refuses.
pub trait Reference {
    /// A position, in the most obvious form.
    type Position: Clone + PartialEq + Debug;

    /// Read a position text, as the game's notation writes it, with the side to move.
    fn read(&self, board: &str, side: Side) -> Self::Position;

    /// Write the board, as the game's notation does.
    fn write(&self, p: &Self::Position) -> String;

    /// Who is to move.
    fn side(&self, p: &Self::Position) -> Side;

    /// How the game has ended for the side to move, or `None` while it goes on.
    fn outcome(&self, p: &Self::Position) -> Option<Outcome>;

    /// The texts of the legal moves, in any order.
    fn moves(&self, p: &Self::Position) -> Vec<String>;

    /// The position after a legal move.
    fn play(&self, p: &Self::Position, m: &str) -> Self::Position;
}

/// A game that brings its naive rules too, which only the [conformance kit](crate::conformance) asks for.
pub trait Playable: Notation {
    /// The type of the naive rules.
    type Naive: Reference;

    /// The same rules, naively.
    fn naive(&self) -> Self::Naive;
}
