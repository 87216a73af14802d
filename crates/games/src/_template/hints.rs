//! What the game knows without search.

use ludex_core::{Bounds, Game, Moves, Value, Window};

use super::{Heap, Pile, Take};

impl Heap {
    /// Theorem: a heap that is a multiple of four is lost for the side to move, any other is won. Proof: the opponent
    /// of the side to move answers n by 4 − n, so that a multiple of four stays one, down to 0. The same answer shows
    /// that it lasts at least two plies for every four counters while the loser takes one each time.
    pub(super) fn hints(&self, p: &Pile, _: Window, moves: &mut Moves<Take>) -> Bounds {
        moves.clear();
        match p.left % 4 {
            0 => {
                self.each_move(p, |m| moves.push(m));
                Bounds::at_most(Value::SOME_LOSS)
            }
            n => {
                // Leaving a multiple of four is the only way to win.
                moves.push(Take(n as u8));
                Bounds::at_least(Value::SOME_WIN)
            }
        }
    }
}
