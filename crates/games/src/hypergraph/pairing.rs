//! Pairing strategies: the defender splits cells into pairs and answers each cell by its partner.
//!
//! **Theorem** (Hales and Jewett 1963): if disjoint pairs of empty cells can be chosen so that every live line contains
//! one of the pairs, the defender stops all lines, even with the attacker to move. **Proof**: whenever the attacker
//! takes a cell of a pair the defender takes the other one, so the attacker never owns a whole pair, let alone a line.
//! With the defender to move he may first take one cell, and the lines through it need no pair.
//!
//! [`matched`] finds pairs that belong to one line each, by bipartite matching; it misses no such pairing. [`paired`]
//! lets a pair serve several lines, and leaves what is not paired to the potential. **Theorem**: if the empty cells
//! fall into two parts and the defender, moving second, stops the sets of each part, he stops every line that contains
//! one of these sets. **Proof**: he answers in the part in which the attacker moved; a part without a move for the
//! answer is full, and nothing can happen in it any more.

use super::{Mask, Turn, potential};

/// The sets that do not contain another one: who stops these stops all.
#[must_use]
pub fn minimal<M: Mask>(rests: impl IntoIterator<Item = M>) -> Vec<M> {
    let mut sorted: Vec<(u32, M)> = rests.into_iter().map(|rest| (rest.count(), rest)).collect();
    sorted.sort_unstable();
    let mut kept: Vec<M> = Vec::with_capacity(sorted.len());
    for (_, rest) in sorted {
        if !kept.iter().any(|small| small.within(rest)) {
            kept.push(rest);
        }
    }
    kept
}

const NOBODY: u16 = u16::MAX;

/// Whether every line can be given two cells of its own, with one line's worth of tempo if the defender is to move.
/// `rests` is what the attacker lacks of each live line.
#[must_use]
pub fn matched<M: Mask>(rests: &[M], turn: Turn) -> bool {
    matching(rests, turn).is_some()
}

/// The pairs of such a matching, and the cell that the defender takes first if he needs his move.
#[must_use]
pub fn strategy<M: Mask>(rests: &[M], turn: Turn) -> Option<(Vec<[usize; 2]>, Option<usize>)> {
    let (owner, free_move) = matching(rests, turn)?;
    let own = |line: usize| owner.iter().enumerate().filter(move |(_, o)| **o == line as u16).map(|(c, _)| c);
    let needed = (0..rests.len()).any(|line| own(line).next().is_none());
    let first = free_move.filter(|_| needed).and_then(M::lowest);
    let mut pairs = Vec::new();
    for line in (0..rests.len()).filter(|&line| first.is_none_or(|cell| !rests[line].has(cell))) {
        let mut cells = own(line);
        pairs.extend(cells.next().zip(cells.next()).map(|(a, b)| [a, b]));
    }
    Some((pairs, first))
}

/// Which line owns which cell, and the cells that the defender may take first.
fn matching<M: Mask>(rests: &[M], turn: Turn) -> Option<(Vec<u16>, Option<M>)> {
    let all = rests.iter().fold(M::EMPTY, |all, &rest| all | rest);
    let hit_by_free_move = match turn {
        Turn::Attacker => 0,
        Turn::Defender => {
            all.cells().map(|cell| rests.iter().filter(|rest| rest.has(cell)).count()).max().unwrap_or(0)
        }
    };
    if (all.count() as usize) < 2 * (rests.len() - hit_by_free_move) {
        return None;
    }
    let mut owner = vec![NOBODY; M::BITS];
    let mut free_move = (turn == Turn::Defender).then_some(all);
    for line in 0..rests.len() {
        let given = (0..2).all(|_| {
            let mut seen =
                rests[line].cells().filter(|&c| owner[c] == line as u16).fold(M::EMPTY, |s, c| s | M::bit(c));
            augment(line, rests, &mut owner, &mut seen)
        });
        if given {
            continue;
        }
        // The free move must hit every line that has no pair.
        match free_move {
            Some(cells) if cells.meets(rests[line]) => free_move = Some(cells & rests[line]),
            _ => return None,
        }
        owner.iter_mut().filter(|o| **o == line as u16).for_each(|o| *o = NOBODY);
    }
    Some((owner, free_move))
}

/// Give `line` one more cell, moving other lines' cells about where that frees one.
fn augment<M: Mask>(line: usize, rests: &[M], owner: &mut [u16], seen: &mut M) -> bool {
    let mut tries = rests[line].minus(*seen);
    while let Some(cell) = tries.lowest() {
        *seen = *seen | M::bit(cell);
        if owner[cell] == NOBODY || augment(usize::from(owner[cell]), rests, owner, seen) {
            owner[cell] = line as u16;
            return true;
        }
        tries = rests[line].minus(*seen);
    }
    false
}

/// Whether pairs that may serve several lines, together with the potential of what they leave, stop all lines. Pairs
/// are chosen greedily, with up to `tries` changes of mind: a `false` means only that none was found.
#[must_use]
pub fn paired<M: Mask>(rests: &[M], turn: Turn, tries: u32) -> bool {
    let mut tries = tries;
    choose(rests, turn, &mut tries)
}

/// The pairs that [`paired`] chooses without a change of mind, the first that it needs first, and on until no line is left or one
/// has fewer than two cells. The potential stops what the first few of them leave, or no number of them is enough.
#[must_use]
pub fn chain<M: Mask>(rests: &[M]) -> Vec<[usize; 2]> {
    let mut left = rests.to_vec();
    let mut chain = Vec::new();
    while let Some(&line) = left.iter().min_by_key(|rest| rest.count()).filter(|rest| rest.count() > 1) {
        let Some((_, pair)) = pairs(&left, line).into_iter().min() else { break };
        let (Some(low), Some(high)) = (pair.lowest(), pair.without_lowest().lowest()) else { break };
        chain.push([low, high]);
        let Some(rest) = without(&left, pair) else { break };
        left = rest;
    }
    chain
}

fn choose<M: Mask>(rests: &[M], turn: Turn, tries: &mut u32) -> bool {
    // Far above what a move of the defender can take away, the potential need not be asked.
    if potential::total(rests) < 2 * potential::WHOLE && potential::stops(rests, turn) {
        return true;
    }
    // The most dangerous line must get a pair, or be left to the potential, which it overwhelms already.
    let Some(&line) = rests.iter().min_by_key(|rest| rest.count()) else { return true };
    if line.count() < 2 {
        return false;
    }
    if *tries == 0 {
        // No time for changes of mind: only the best pair is wanted.
        let best = pairs(rests, line).into_iter().min();
        return best
            .and_then(|(_, pair)| without(rests, pair))
            .is_some_and(|left| choose(&left, turn, tries));
    }
    let mut options = pairs(rests, line);
    options.sort_unstable();
    for (_, pair) in options {
        if without(rests, pair).is_some_and(|left| choose(&left, turn, tries)) {
            return true;
        }
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
    }
    false
}

/// All pairs of cells of a line, each after the danger of what it leaves. Lines through one cell of the pair get twice as
/// dangerous, those through both are gone.
fn pairs<M: Mask>(rests: &[M], line: M) -> Vec<(u64, M)> {
    let cells: Vec<usize> = line.cells().collect();
    let n = cells.len();
    // Where a row and a column of different cells cross: the dangers of the lines through both; else through the one.
    let mut through = vec![0u64; n * n];
    let mut total = 0;
    for rest in rests {
        let danger = potential::danger(rest.count());
        total += danger;
        if !rest.meets(line) {
            continue;
        }
        for i in (0..n).filter(|&i| rest.has(cells[i])) {
            for j in (i..n).filter(|&j| rest.has(cells[j])) {
                through[i * n + j] += danger;
            }
        }
    }
    let mut pairs = Vec::with_capacity(n * (n - 1) / 2);
    for i in 0..n {
        for j in i + 1..n {
            let left = total + through[i * n + i] + through[j * n + j] - 3 * through[i * n + j];
            pairs.push((left, M::bit(cells[i]) | M::bit(cells[j])));
        }
    }
    pairs
}

/// What a pair leaves of the lines that do not contain it; `None` if nothing is left of one.
fn without<M: Mask>(rests: &[M], pair: M) -> Option<Vec<M>> {
    let mut left = Vec::with_capacity(rests.len());
    for rest in rests.iter().filter(|rest| !pair.within(**rest)) {
        let rest = rest.minus(pair);
        if rest.is_empty() {
            return None;
        }
        left.push(rest);
    }
    Some(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_for_lines() {
        // A square of four pairs a-b, b-c, c-d, d-a cannot be matched, though two pairs a-b, c-d serve opposite ones.
        let square = [0b0011u64, 0b0110, 0b1100, 0b1001];
        assert!(!matched(&square, Turn::Attacker));
        assert!(matched(&[0b0011u64, 0b1100], Turn::Attacker));
        assert!(matched(&[0b0011u64, 0b0110], Turn::Defender), "the free move takes the middle");
        assert!(!matched(&[0b0011u64, 0b0110], Turn::Attacker));
        // Five windows of a row of nine share the middle: one pair serves all.
        let row: Vec<u64> = (0..5).map(|i| 0b11111 << i).collect();
        assert!(!matched(&row, Turn::Attacker));
        assert!(paired(&row, Turn::Attacker, 0));
        assert_eq!(minimal([0b111u64, 0b011, 0b011]), [0b011]);
    }
}
