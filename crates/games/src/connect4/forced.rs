//! Forced replies, played out.
//!
//! A side that threatens to complete a four at once forces the other's next stone. [`play_out`] follows such a line
//! to its end: to a double threat or a stone that must be placed under one, which decides the game, or to a position
//! whose mover is free to choose.

use super::{Board, Shape, Word, lines, score};

/// Where a line of forced moves leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forced<W> {
    /// The game is decided: the score for the side that is to move at the start of the line.
    Decided(i32),
    /// Somebody can choose.
    Open {
        /// The position, for its own side to move: no four within a stone for it, none that it must stop, and a move
        /// that does not lose at once.
        board: Board<W>,
        /// How many forced stones were placed.
        stones: u32,
        /// The cells that would complete a four of the side that is not to move; none of them can be played yet.
        threats: W,
    },
}

/// Follow the forced replies from a position whose side to move cannot complete a four at once.
#[inline]
#[must_use]
pub fn play_out<S: Shape>(shape: S, start: Board<S::Word>) -> Forced<S::Word> {
    let threats = lines::completing(shape, start.other()) & (shape.cells() ^ start.all);
    play_out_from(shape, start, threats)
}

/// [`play_out`] for callers that know the free cells that would complete a four of the side not to move.
#[inline]
#[must_use]
pub fn play_out_from<S: Shape>(shape: S, start: Board<S::Word>, threats: S::Word) -> Forced<S::Word> {
    let cells = shape.cells();
    let (mut board, mut threats, mut stones) = (start, threats, 0);
    loop {
        let landings = board.landings(shape);
        let stop = threats & landings;
        if stop.none() {
            if (landings & !(threats >> 1)).any() {
                return Forced::Open { board, stones, threats };
            }
            if landings.none() {
                return Forced::Decided(0);
            }
        }
        if stop.none() || stop.several() || (stop << 1 & threats).any() {
            let loss = score::lose_next((cells ^ board.all).count());
            return Forced::Decided(if stones % 2 == 0 { loss } else { -loss });
        }
        board = board.with(stop);
        stones += 1;
        threats = lines::completing(shape, board.other()) & (cells ^ board.all);
    }
}
