//! Scores: half the cells that a winner leaves free, counted so that every way to end has a number of its own.
//!
//! A side that wins with its k-th stone from now, when `left` cells are free, scores ⌊(left + 1)/2⌋ + 1 − k; a side
//! that loses to the opponent's k-th stone scores −(⌊left/2⌋ + 1 − k); a draw is 0. Sooner is further from 0. The
//! score of the side to move is the negative of the other's, so a search needs no more than a change of sign.

use ludex_core::Value;

/// The score of winning with the next stone.
#[inline]
#[must_use]
pub const fn win_now(left: u32) -> i32 {
    left.div_ceil(2) as i32
}

/// The score of losing to the opponent's next stone.
#[inline]
#[must_use]
pub const fn lose_next(left: u32) -> i32 {
    -((left / 2) as i32)
}

/// The score, for the loser, of a game in which `free` cells are left when it ends.
#[inline]
#[must_use]
pub const fn lost_with(free: u32) -> i32 {
    -(1 + (free / 2) as i32)
}

/// What a score means when `left` cells are free.
#[must_use]
pub const fn value(score: i32, left: u32) -> Value {
    if score > 0 {
        Value::win((2 * (win_now(left) - score) + 1) as u32)
    } else if score < 0 {
        Value::loss((2 * (score - lose_next(left)) + 2) as u32)
    } else {
        Value::DRAW
    }
}

/// The least score that is worth `value` or more when `left` cells are free.
#[must_use]
pub fn at_least(target: Value, left: u32) -> i32 {
    let most = win_now(left) + 1;
    (lose_next(left)..most).find(|&score| value(score, left) >= target).unwrap_or(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_is_a_value_and_back() {
        for left in 1..=64 {
            assert_eq!(value(win_now(left), left), Value::win(1));
            assert_eq!(value(1, left).plies(), Some(if left % 2 == 1 { left } else { left - 1 }));
            if left >= 2 {
                assert_eq!(value(lose_next(left), left), Value::loss(2));
                assert_eq!(value(-1, left).plies(), Some(left - left % 2));
            }
            for score in lose_next(left)..=win_now(left) {
                assert_eq!(at_least(value(score, left), left), score);
            }
            assert_eq!(at_least(Value::SOME_WIN, left), 1);
            assert_eq!(at_least(Value::SOME_LOSS, left), 0);
            assert_eq!(at_least(Value::BEST, left), win_now(left) + 1);
        }
    }
}
