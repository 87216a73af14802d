//! Exact values of many Collapsi positions, one after the other, as fast as one core can.
//!
//! This is how a table of all deals is filled. It is the usual narrowing search with everything that one game allows: a
//! node is handed what its parent saw (its own targets, and where the opponent can walk after its move), so it makes
//! one table lookup per target; wins in one ply and losses in two never become nodes; sets of cells are kept ready to
//! be seen from any cell; the key of a position within a deal is 24 bits. See `docs/src/games/collapsi.md` for the
//! rules used, their proofs, and what paid.

use ludex_core::{Game, Value};

use ludex_games::collapsi::{Collapsi, JOKER, Position, Walk};

use super::frames::Frames;

/// Scores: 16 − n for a win in n plies, n − 16 for a loss in n plies.
const WIN_IN_1: i32 = 15;
const WIN_IN_3: i32 = 13;
const LOSS_IN_2: i32 = -14;
const LOSS_IN_4: i32 = -12;
const STUCK: i32 = -16;

/// Places in the table, a power of two. It serves one deal at a time, so it is small enough for the nearest cache.
const TABLE_BITS: u32 = 12;
/// Positions with fewer open cells are cheaper to search than to remember.
const REMEMBERED: u32 = 9;
/// With this many open cells, the table is asked about all children before the first is searched.
const ASKED_AHEAD: u32 = 12;

/// An exact solver of positions of one rule set, with its own small table.
#[derive(Clone, Debug)]
pub struct Fast {
    game: Collapsi,
    /// Where the walks by each cell's card begin in the board's table.
    cards: [usize; 16],
    table: Vec<u64>,
    /// Distinguishes the deals in the table.
    deal: u64,
    nodes: u64,
}

/// A node: the mover on `me`, the opponent on `other`, the open cells.
#[derive(Clone, Copy)]
struct Node<const W: usize> {
    me: usize,
    other: usize,
    open: Frames<W>,
    /// Where the mover can go.
    targets: u16,
    /// Where the opponent can walk after that, the mover's new cell not yet excluded.
    replies: Frames<W>,
}

impl<const W: usize> Node<W> {
    /// 24 bits that tell the positions of a deal apart.
    const fn key(me: usize, other: usize, open: u16) -> u64 {
        (open as u64) << 8 | (me as u64) << 4 | other as u64
    }
}

/// What the table knows: bounds, and the cell that was best to go to.
struct Entry {
    lo: i32,
    hi: i32,
    best: usize,
}

impl Fast {
    /// A solver for the game's board and rules; its deal, if it has one, does not matter.
    #[must_use]
    pub fn new(game: &Collapsi) -> Self {
        Self { game: game.clone(), cards: [0; 16], table: vec![0; 1 << TABLE_BITS], deal: 0, nodes: 0 }
    }

    /// Nodes searched so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The exact value of a position for its side to move.
    pub fn value(&mut self, p: &Position) -> Value {
        self.lay(p);
        value(self.score(p))
    }

    /// Every legal move with its exact value for the side that makes it, in the order of the moves.
    pub fn moves(&mut self, p: &Position) -> Vec<(Walk, Value)> {
        self.lay(p);
        let mut moves = Vec::new();
        self.game.clone().each_move(p, |m| moves.push((m, value(back(self.score(&self.game.play(p, m)))))));
        moves
    }

    /// A line of best play to the end: the first of the best moves each time.
    pub fn line(&mut self, p: &Position) -> Vec<Walk> {
        let (mut p, mut line) = (*p, Vec::new());
        loop {
            let moves = self.moves(&p);
            let best = moves.iter().map(|&(_, value)| value).max();
            let Some(&(m, _)) = moves.iter().find(|&&(_, value)| Some(value) == best) else { return line };
            line.push(m);
            p = self.game.play(&p, m);
        }
    }

    /// How many moves there are, and how many of them win.
    pub fn winning(&mut self, p: &Position) -> (usize, usize) {
        self.lay(p);
        let (mut all, mut won) = (0, 0);
        self.game.clone().each_move(p, |m| {
            let child = self.game.play(p, m);
            all += 1;
            won += usize::from(self.ask(&child, true) < 0);
        });
        (all, won)
    }

    /// Take up the cards of a position, forgetting those before.
    fn lay(&mut self, p: &Position) {
        self.deal += 1;
        if self.deal == 1 << 24 {
            self.deal = 1;
            self.table.fill(0);
        }
        for cell in 0..self.game.board().cells {
            // A start card that is not wild is an ace; nobody walks from a collapsed card.
            let steps = if p.card(cell) == JOKER && !self.game.wild() { 1 } else { p.card(cell).max(1) };
            self.cards[cell] = self.game.board().walks_by(usize::from(steps));
        }
    }

    fn score(&mut self, p: &Position) -> i32 {
        self.ask(p, false)
    }

    /// The score, or, if only the `outcome` matters, some score on the right side of zero.
    fn ask(&mut self, p: &Position, outcome: bool) -> i32 {
        match self.game.board().width {
            3 => self.ask_on::<3>(p, outcome),
            _ => self.ask_on::<4>(p, outcome),
        }
    }

    fn ask_on<const W: usize>(&mut self, p: &Position, outcome: bool) -> i32 {
        let (me, other) = (p.pawn(p.to_move()), p.pawn(p.to_move().other()));
        let open = Frames::<W>::new(p.open());
        let targets = Frames::<W>::back(self.walks(me, open) as u16, me).set() & !(1 << other);
        let replies = Frames::back(self.walks(other, open.without(me)) as u16, other);
        if targets == 0 {
            return STUCK;
        }
        if replies.set() == 0 || replies.set().is_power_of_two() && replies.set() & targets != 0 {
            return WIN_IN_1;
        }
        let node = Node { me, other, open, targets, replies };
        let cells = p.open().count_ones();
        let mut ask = |alpha| match cells {
            REMEMBERED.. => self.search::<W, true>(&node, cells, alpha, alpha + 1),
            _ => self.search::<W, false>(&node, cells, alpha, alpha + 1),
        };
        // First who wins, which bounds how soon; then whether it is sooner, until it is not.
        let mut score = ask(0);
        if outcome {
            return score;
        }
        loop {
            let sooner = if score > 0 { ask(score) } else { ask(score - 1) };
            if score > 0 && sooner <= score || score <= 0 && sooner >= score {
                return score;
            }
            score = sooner;
        }
    }

    /// The walks from a cell by its card, as the board's table has them.
    #[inline(always)]
    fn walks<const W: usize>(&self, cell: usize, open: Frames<W>) -> u32 {
        self.game.board().walk_table()[self.cards[cell & 15] | usize::from(open.seen(cell) >> 1)]
    }

    /// The score if it is between alpha and beta, or a bound on the side where it is not. Nobody wins in one ply
    /// here, and `cells` are open: enough to be remembered if `DEEP`.
    fn search<const W: usize, const DEEP: bool>(
        &mut self,
        node: &Node<W>,
        cells: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        self.nodes += 1;
        if WIN_IN_3 <= alpha {
            return WIN_IN_3;
        }
        let key = Node::<W>::key(node.me, node.other, node.open.set());
        let mut known = Entry { lo: STUCK, hi: WIN_IN_3, best: 16 };
        if DEEP && let Some(entry) = self.recall(key) {
            known = entry;
            if known.lo >= beta || known.lo == known.hi {
                return known.lo;
            }
            if known.hi <= alpha {
                return known.hi;
            }
        }
        let without_me = node.open.without(node.me);
        let without_both = without_me.without(node.other);
        // Score above, cell below; 0 is a move that loses in two plies.
        let mut moves = [0u32; 16];
        let mut nexts = [0u16; 16];
        let (mut count, mut top) = (0, 0);
        let mut targets = node.targets;
        while targets != 0 {
            let cell = targets.trailing_zeros() as usize;
            targets &= targets - 1;
            let walks = self.walks(cell, without_both);
            let next = walks & 0xFFFF;
            // Both as seen from the cell, which is bit 0 and never among the next: they need no turning back.
            let replies = u32::from(node.replies.seen(cell));
            // It loses if nothing is next, or a single cell that a reply can take.
            let keeps = next & next.wrapping_sub(1) | next & !replies;
            let first = u32::from(DEEP && cell == known.best) << 6;
            let score = (walks >> 16) + 3 * (replies & 1) + first;
            // Without a branch, which could not be foreseen.
            let entry = (score << 8 | cell as u32) & u32::from(keeps == 0).wrapping_sub(1);
            top = top.max(entry);
            moves[count & 15] = entry;
            nexts[cell] = next as u16;
            count += 1;
        }
        if top == 0 {
            return LOSS_IN_2;
        }
        if LOSS_IN_4 >= beta {
            return LOSS_IN_4;
        }
        if DEEP && cells >= ASKED_AHEAD {
            for cell in moves[..count].iter().filter(|&&m| m != 0).map(|m| (m & 15) as usize) {
                if let Some(entry) = self.recall(Node::<W>::key(node.other, cell, without_me.set()))
                    && back(entry.hi) >= beta
                {
                    return back(entry.hi);
                }
            }
        }
        let (mut best, mut best_cell, mut floor) = (STUCK, 0, alpha);
        while top != 0 {
            let cell = (top & 15) as usize;
            let child = Node {
                me: node.other,
                other: cell,
                open: without_me,
                targets: node.replies.set() & !(1 << cell),
                replies: Frames::back(nexts[cell], cell),
            };
            let score = back(if DEEP && cells > REMEMBERED {
                self.search::<W, true>(&child, cells - 1, forth(beta), forth(floor))
            } else {
                self.search::<W, false>(&child, cells - 1, forth(beta), forth(floor))
            });
            if score > best {
                (best, best_cell) = (score, cell);
            }
            if best >= beta || best >= known.hi {
                break;
            }
            floor = floor.max(best);
            // The next one: no two entries are the same.
            let searched = top;
            top = 0;
            for &entry in &moves[..count] {
                top = if entry < searched { top.max(entry) } else { top };
            }
        }
        if DEEP {
            let (lo, hi) = match best {
                _ if best <= alpha => (known.lo, best.min(known.hi)),
                _ if best >= beta => (best.max(known.lo), known.hi),
                _ => (best, best),
            };
            self.remember(key, &Entry { lo, hi, best: best_cell });
        }
        best
    }

    #[inline]
    fn place(key: u64) -> usize {
        ((key as u32).wrapping_mul(0x9e37_79b1) >> (32 - TABLE_BITS)) as usize
    }

    /// An entry: deal 24 bits, key 24, best cell 4, upper bound 6, lower bound 6.
    #[inline]
    fn recall(&self, key: u64) -> Option<Entry> {
        let word = self.table[Self::place(key)];
        (word >> 16 == self.deal << 24 | key).then(|| Entry {
            lo: (word & 63) as i32 - 32,
            hi: (word >> 6 & 63) as i32 - 32,
            best: (word >> 12 & 15) as usize,
        })
    }

    #[inline]
    fn remember(&mut self, key: u64, entry: &Entry) {
        self.table[Self::place(key)] = (self.deal << 24 | key) << 16
            | (entry.best as u64) << 12
            | ((entry.hi + 32) as u64) << 6
            | (entry.lo + 32) as u64;
    }
}

/// A child's score as its parent's mover sees it, one ply later.
#[inline]
const fn back(score: i32) -> i32 {
    if score > 0 { 1 - score } else { -1 - score }
}

/// A parent's bound as the child's mover sees it: the other way round.
#[inline]
const fn forth(bound: i32) -> i32 {
    match bound {
        1.. => -bound - 1,
        0 => 0,
        _ => 1 - bound,
    }
}

fn value(score: i32) -> Value {
    if score > 0 { Value::win((16 - score) as u32) } else { Value::loss((16 + score) as u32) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::{Notation, Rng, Side, conformance::Minimax};

    #[test]
    fn agrees_with_minimax() {
        for (width, wild, deals) in [(3, false, 100), (3, true, 100), (4, false, 25), (4, true, 3)] {
            let game = Collapsi::new(width, wild);
            let mut fast = Fast::new(&game);
            for seed in 0..deals {
                let mut rng = Rng::new(seed);
                let mut minimax = Minimax::new();
                let mut p = game.shuffled(seed);
                while game.outcome(&p).is_none() {
                    assert_eq!(fast.value(&p), minimax.value(&game, &p), "{}", game.position_text(&p));
                    for (m, value) in fast.moves(&p) {
                        assert_eq!(value, minimax.value(&game, &game.play(&p, m)).back());
                    }
                    let moves = fast.moves(&p);
                    let won = moves.iter().filter(|(_, value)| *value > Value::DRAW).count();
                    assert_eq!(fast.winning(&p), (moves.len(), won));
                    assert_eq!(fast.line(&p).len() as u32, fast.value(&p).plies().expect("no draws"));
                    p = game.play(&p, rng.pick(&moves).expect("a move").0);
                }
                assert_eq!(fast.value(&p), Value::loss(0));
            }
        }
    }

    /// Decks laid out by hand, with any number of each card.
    #[test]
    fn agrees_on_odd_decks() {
        let mut rng = Rng::new(8);
        for _ in 0..60 {
            let width = 3 + rng.below(2);
            let game = Collapsi::new(width, rng.below(2) == 0);
            let cards: Vec<u8> = (0..width * width).map(|_| [1, 1, 2, 3, 4, 5, 0][rng.below(7)]).collect();
            let open: Vec<usize> = (0..cards.len()).filter(|&c| cards[c] != 0).collect();
            let x = *rng.pick(&open).expect("some are open");
            let o = *rng.pick(&open).expect("some are open");
            if x == o {
                continue;
            }
            let p = Position::new(&cards, [x, o], [Side::First, Side::Second][rng.below(2)]);
            assert_eq!(
                Fast::new(&game).value(&p),
                Minimax::new().value(&game, &p),
                "{}",
                game.position_text(&p)
            );
        }
    }
}
