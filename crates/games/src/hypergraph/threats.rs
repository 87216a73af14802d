//! Winning by threats where both sides have lines (strong games): every move of the attacker threatens to complete one,
//! so that every answer is forced. Against a side without lines, see [`forcing`](super::forcing).
//!
//! [`sequence`] looks for such a win. A move that leaves a line with one empty cell forces the defender onto that cell;
//! two such cells at once win. An answer may threaten in turn, and the attacker's next move must then be on that cell;
//! the search follows such lines too.
//!
//! **Theorem** (relevance zone): let the side to move pass, and let the opponent then win by a sequence of threats. The
//! *zone* is all cells of the sequence (moves, answers and the two last cells), together with the empty cells of the
//! mover's lines that have no opponent's stone and lack at most two cells when all the answers are counted as his. A
//! move outside the zone loses, no later than the sequence ends. **Proof**: the opponent plays the sequence. Its cells
//! are empty, so it can only fail if the mover completes a line or threatens to where he would not have after passing.
//! That line contains his first move, and he lacks at most one further cell of it; so without his first move he lacks
//! at most two, one of which is the first move: it lies in the zone.

use super::{Lines, Mask};

/// A win by threats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence<M> {
    /// The attacker's first move.
    pub first: usize,
    /// The number of plies up to the completed line, the attacker's first move included.
    pub plies: u32,
    /// All cells that it uses.
    pub cells: M,
    /// The defender's answers.
    pub answers: M,
}

/// Find a win by threats for the attacker, who is to move. At most `nodes` positions are looked at: `None` means only
/// that none was found.
#[must_use]
pub fn sequence<M: Mask>(lines: &Lines<M>, attacker: M, defender: M, nodes: u32) -> Option<Sequence<M>> {
    let mut search = Search { lines, left: nodes, seen: Vec::new(), row: Vec::new() };
    let must = search.must_answer(attacker, defender)?;
    search.attack(attacker, defender, must)
}

/// The attacker's moves of such a win, in their order, up to the one that threatens twice.
#[must_use]
pub fn row<M: Mask>(lines: &Lines<M>, attacker: M, defender: M, nodes: u32) -> Option<Vec<usize>> {
    let mut search = Search { lines, left: nodes, seen: Vec::new(), row: Vec::new() };
    let must = search.must_answer(attacker, defender)?;
    search.attack(attacker, defender, must)?;
    search.row.reverse();
    Some(search.row)
}

/// Rows of threats by which the attacker would win were he to move, chosen so that few of the defender's moves lie in the zones of
/// all of them. Empty if no row is found.
#[must_use]
pub fn rows_around<M: Mask>(lines: &Lines<M>, attacker: M, defender: M, nodes: u32) -> Vec<Vec<usize>> {
    let find = |stone: M| {
        let win = sequence(lines, attacker, defender | stone, nodes)?;
        let row = row(lines, attacker, defender | stone, nodes)?;
        Some((zone(lines, defender, attacker, &win), row))
    };
    let Some((mut open, first)) = find(M::EMPTY) else { return Vec::new() };
    let mut rows = vec![first];
    let mut tried = M::EMPTY;
    while let Some(cell) = open.minus(tried).lowest() {
        tried = tried | M::bit(cell);
        if let Some((zone, row)) = find(M::bit(cell)) {
            open = open & zone;
            rows.push(row);
        }
    }
    rows
}

/// The zone outside which every move of the mover loses, if the opponent's `win` follows a pass.
#[must_use]
pub fn zone<M: Mask>(lines: &Lines<M>, mover: M, opponent: M, win: &Sequence<M>) -> M {
    lines
        .live(mover | win.answers, opponent)
        .filter(|rest| rest.count() <= 2)
        .fold(win.cells, |zone, rest| zone | rest)
}

struct Search<'a, M> {
    lines: &'a Lines<M>,
    left: u32,
    seen: Vec<(M, M)>,
    /// The attacker's moves of the win that was found, the last one first.
    row: Vec<usize>,
}

impl<M: Mask> Search<'_, M> {
    /// The cells to which the attacker's next move is bound: all, or the one that stops the defender's line. `None` if
    /// the defender threatens twice.
    fn must_answer(&self, attacker: M, defender: M) -> Option<M> {
        let wins = self.lines.winning_cells(defender, attacker);
        match wins.count() {
            0 => Some(!M::EMPTY),
            1 => Some(wins),
            _ => None,
        }
    }

    fn attack(&mut self, attacker: M, defender: M, must: M) -> Option<Sequence<M>> {
        if self.left == 0 || self.seen.contains(&(attacker, defender)) {
            return None;
        }
        self.left -= 1;
        let pairs: Vec<M> = self.lines.live(attacker, defender).filter(|rest| rest.count() == 2).collect();
        let attacks = pairs.iter().fold(M::EMPTY, |cells, &pair| cells | pair) & must;
        let mut single = Vec::new();
        for cell in attacks.cells() {
            let stone = M::bit(cell);
            let wins = pairs
                .iter()
                .filter(|pair| pair.meets(stone))
                .fold(M::EMPTY, |wins, &pair| wins | pair)
                .minus(stone);
            if wins.count() > 1 {
                let second = wins.without_lowest();
                let two = wins.minus(second.without_lowest());
                self.row.push(cell);
                return Some(Sequence { first: cell, plies: 3, cells: stone | two, answers: M::EMPTY });
            }
            single.push((cell, wins));
        }
        for (cell, answer) in single {
            let (attacker, defender) = (attacker | M::bit(cell), defender | answer);
            let Some(must) = self.must_answer(attacker, defender) else { continue };
            if let Some(rest) = self.attack(attacker, defender, must) {
                self.row.push(cell);
                return Some(Sequence {
                    first: cell,
                    plies: rest.plies + 2,
                    cells: rest.cells | M::bit(cell) | answer,
                    answers: rest.answers | answer,
                });
            }
        }
        self.seen.push((attacker, defender));
        None
    }
}
