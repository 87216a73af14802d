//! Static bounds: what the side to move cannot exceed, because the other side has a plan that needs no search.
//!
//! The plan is to *follow*: cut every column into pairs of cells from the top; a stone on a lower cell of a pair is
//! answered on the upper one, and a stone on a single upper cell (a column with an odd number of free cells begins
//! with one) by a stone on another such cell. The follower always has an answer if the number of cells in play is even
//! when the other side, the leader, is to move; so the leader runs out of moves, and never gets a *promised* cell: an
//! upper cell that cannot be played at once. Where the follower has a threat, the column is cut below the cell under
//! it: the leader has to play there at last, and the follower completes a four. The book's page on Connect Four states
//! this as theorems with proofs, for every width and height.

use ludex_core::Switches;

use super::{
    Board, Shape, Word,
    hints::{DEAD, FOLLOW, PAIR, PROMISED, ZUGZWANG},
    lines, score,
};

/// An upper bound for the score of the side to move, or a large number if none of the rules says anything that
/// `alpha` needs: a bound above `alpha` is not looked for.
///
/// `threats` are the free cells that would complete a four of the side that is not to move. The caller has made sure
/// that none of them can be played and that the side to move cannot complete a four at once.
#[inline]
#[must_use]
pub fn ceiling<S: Shape>(
    shape: S,
    on: Switches,
    board: &Board<S::Word>,
    threats: S::Word,
    left: u32,
    alpha: i32,
) -> i32 {
    let leader = board.own;
    let free = shape.cells() ^ board.all;
    let landings = board.landings(shape);
    let deep = free & !landings;
    let upper = shape.upper_rows();
    let promised = deep & upper;
    let upper_threats = threats & upper;
    let cut =
        if upper_threats.any() && on.on(ZUGZWANG) { shape.and_above(upper_threats) } else { S::Word::ZERO };
    let cut_columns = cut & shape.row(shape.height() - 1);
    if left.is_multiple_of(2) {
        let bound = if cut.any() { score::lost_with(cut.count() + cut_columns.count() - 2) } else { 0 };
        let reach = leader | free & !promised & !cut;
        if bound <= alpha && on.on(FOLLOW) {
            if kept_from_four(shape, on, reach, landings & upper) {
                return bound;
            }
        } else if alpha < 0 && on.on(PROMISED) && on.on(FOLLOW) {
            let bound = promised_four(shape, board.other(), promised & !cut);
            if bound <= alpha && !lines::has_four(shape, reach) {
                return bound;
            }
        }
    } else if on.on(ZUGZWANG) {
        let mut left_to_try = threats & !upper & !cut;
        while left_to_try.any() {
            let threat = left_to_try.first();
            left_to_try = left_to_try.rest();
            let column = shape.column_of(threat);
            let above = shape.upward(threat);
            let cut = cut & !column;
            let bound = score::lost_with(above.count() - 1 + cut.count() + (cut_columns & !column).count());
            if bound > alpha {
                continue;
            }
            let promised = promised & !column | deep & column & !upper;
            let single = landings & (upper ^ column);
            let reach = leader | free & !promised & !cut & !above;
            if kept_from_four(shape, on, reach, single) {
                return bound;
            }
        }
    }
    if alpha >= 0 && on.on(DEAD) && late(shape, left) && !lines::has_four(shape, leader | free) {
        return 0;
    }
    i32::MAX
}

/// Whether it is worth asking if a side has a line left: hardly ever while half of the board is free.
#[inline]
#[must_use]
pub fn late<S: Shape>(shape: S, left: u32) -> bool {
    2 * left <= shape.width() * shape.height()
}

/// Whether a leader who can reach these cells completes no four. Of two single cells he gets only one.
#[inline]
fn kept_from_four<S: Shape>(shape: S, on: Switches, reach: S::Word, single: S::Word) -> bool {
    if !lines::has_four(shape, reach) {
        return true;
    }
    if !on.on(PAIR) || !single.several() || single.rest().several() {
        return false;
    }
    !lines::has_four(shape, reach & !single.first()) && !lines::has_four(shape, reach & !single.rest())
}

/// The leader's bound when the follower's stones and the promised cells hold a four, 0 if they do not. When a four is
/// complete, at least the cells above its highest free cell's row in one column are free.
#[inline]
fn promised_four<S: Shape>(shape: S, stones: S::Word, promised: S::Word) -> i32 {
    let (mut bound, mut promised) = (0, promised);
    for above in 0..shape.height() {
        if !lines::has_four(shape, stones | promised) {
            break;
        }
        bound = score::lost_with(above);
        promised &= !shape.row(shape.height() - 1 - above);
    }
    bound
}
