//! Erdős and Selfridge's potential, in integers.
//!
//! A line of which the attacker lacks `e` cells has danger 2⁻ᵉ. **Theorem** (Erdős and Selfridge 1973): if the dangers
//! of all live lines add up to less than 1 and the defender is to move, he can stop every line. **Proof**: he takes the
//! cell whose lines are the most dangerous together; they die. The attacker's answer doubles the dangers of the lines
//! through his cell, which adds at most what just went. So the sum never grows over a pair of moves, and stays below
//! 1, while a complete line alone has danger 1. If the attacker is to move and no cell of his lifts the sum to 1, the
//! defender is to move with a sum below 1.

use super::{Mask, Turn};

/// The danger of a complete line.
pub const WHOLE: u64 = 1 << 48;

/// The danger of a line that lacks `cells` cells, rounded up where it would be less than one unit.
#[inline]
#[must_use]
pub fn danger(cells: u32) -> u64 {
    if cells < 48 { WHOLE >> cells } else { 1 }
}

/// The sum of dangers.
#[must_use]
pub fn total<M: Mask>(rests: &[M]) -> u64 {
    rests.iter().fold(0, |sum: u64, rest| sum.saturating_add(danger(rest.count())))
}

/// Whether the potential alone shows that the defender stops all lines, given what the attacker lacks of each.
#[must_use]
pub fn stops<M: Mask>(rests: &[M], turn: Turn) -> bool {
    let sum = total(rests);
    match turn {
        Turn::Attacker => {
            sum < WHOLE / 2 || sum < WHOLE && sum + shares(rests).into_iter().max().unwrap_or(0) < WHOLE
        }
        Turn::Defender => sum < WHOLE || stops_after_best(rests, sum),
    }
}

/// The defender takes the most dangerous cell; then the test with the attacker to move.
fn stops_after_best<M: Mask>(rests: &[M], sum: u64) -> bool {
    let shares = shares(rests);
    let Some((best, &share)) =
        shares.iter().enumerate().max_by_key(|&(cell, share)| (share, usize::MAX - cell))
    else {
        return false;
    };
    if sum - share >= WHOLE {
        return false;
    }
    let mut left = Vec::with_capacity(rests.len());
    left.extend(rests.iter().copied().filter(|rest| !rest.has(best)));
    stops(&left, Turn::Attacker)
}

/// For every cell, the dangers of the lines through it.
#[must_use]
pub fn shares<M: Mask>(rests: &[M]) -> Vec<u64> {
    let mut shares = vec![0u64; M::BITS];
    for rest in rests {
        let danger = danger(rest.count());
        rest.cells().for_each(|cell| shares[cell] = shares[cell].saturating_add(danger));
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_sums() {
        // Two crossing pairs: the attacker to move wins, the defender to move does not lose.
        let crossing = [0b011u64, 0b110];
        assert!(!stops(&crossing, Turn::Attacker));
        assert!(stops(&crossing, Turn::Defender));
        assert!(stops(&[0b11u64], Turn::Attacker));
        assert!(!stops(&[0b1u64], Turn::Attacker));
        assert!(stops(&[0b1u64], Turn::Defender));
        assert!(!stops(&[0b01u64, 0b10], Turn::Defender));
    }
}
