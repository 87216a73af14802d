//! The search for a small proof: best first on a graph of positions with the claimant to move.
//!
//! The size of a proof is the number of moves it stores. A position's estimate is one more than the least sum, over the moves
//! that keep the claim, of the estimates of what the replies leave; a position that was not entered yet is estimated by
//! its free cells. The search enters what the least estimate consists of, depth first with thresholds, until it consists
//! of proofs only. Then the guesses are lowered, so that other moves look better than what was found, and it begins again.
//!
//! A large proof does not fit into memory with all its alternatives. When the graph has as many positions as it may, the search goes on
//! without them: a new position gets the one move that keeps the claim with the least estimate, and nothing is left for another move.

use std::collections::HashMap;

use ludex_core::{Error, order_of, sort_by};
use ludex_games::connect4::{Board, Shape, Word};

use super::claimed::Claimed;

/// Says whether the claimant keeps the claim in a position with the opponent to move.
pub trait Holds<W> {
    /// Ask.
    ///
    /// # Errors
    /// If a search was stopped.
    fn holds(&mut self, q: &Board<W>) -> Result<bool, Error>;
}

/// A number of moves that no proof has.
pub const NONE: u32 = u32::MAX / 16;

/// A position with the claimant to move in which a move has to be written down.
#[derive(Clone, Debug)]
struct Node<W> {
    board: Board<W>,
    /// The least estimate of its choices.
    estimate: u32,
    /// The least proof found.
    proved: u32,
    /// The choice of that proof.
    best: u32,
    /// Its choices.
    first: u32,
    count: u8,
    /// What its own move costs: nothing if there is only one that is not refuted at once.
    cost: u8,
    entered: bool,
    free: u8,
}

/// A move, and what it leaves to prove.
#[derive(Clone, Copy, Debug)]
struct Choice {
    first: u32,
    count: u8,
    column: u8,
    held: Held,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    Unasked,
    Yes,
    No,
}

/// The graph of a claim.
pub struct Graph<S: Shape> {
    /// What it is about.
    pub claimed: Claimed<S>,
    ids: HashMap<S::Word, u32>,
    nodes: Vec<Node<S::Word>>,
    choices: Vec<Choice>,
    children: Vec<u32>,
    replies: Vec<(S::Word, Board<S::Word>)>,
    /// What a position is guessed to take, by its free cells.
    guesses: Vec<u32>,
    /// With so many positions, no alternatives are kept any more.
    room: usize,
}

/// Positions with at most so many free cells are guessed to take one move …
const SMALL: f64 = 15.0;
/// … and twice as many with so many more.
const DOUBLES: f64 = 2.3;
/// A move is left when its estimate exceeds that of the next best by one part in so many: less, and the search goes to and fro.
const SLACK: u32 = 4;
/// All larger sizes count as this one: a position counts as often as it occurs, so that a large proof seems far larger.
const MOST: u32 = NONE - 1;

impl<S: Shape> Graph<S> {
    /// The graph of a claim, with alternatives as long as it has fewer positions than `room`.
    pub fn new(claimed: Claimed<S>, room: usize) -> Self {
        Self {
            claimed,
            ids: HashMap::new(),
            nodes: Vec::new(),
            choices: Vec::new(),
            children: Vec::new(),
            replies: Vec::new(),
            guesses: vec![1; 130],
            room,
        }
    }

    /// Guess anew: what a position with so many free cells takes, times a weight.
    pub fn guess(&mut self, weight: f64) {
        for (free, size) in self.guesses.iter_mut().enumerate() {
            let octaves = (free as f64 - SMALL) / DOUBLES;
            *size = (octaves.exp2() * weight).clamp(1.0, 1e6) as u32;
        }
        self.update();
    }

    /// The number of a position.
    pub fn id(&mut self, key: S::Word, board: Board<S::Word>) -> u32 {
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let id = self.nodes.len() as u32;
        let free = self.claimed.free(&board) as u8;
        self.nodes.push(Node {
            board,
            estimate: self.guesses[usize::from(free)],
            proved: NONE,
            best: 0,
            first: 0,
            count: 0,
            cost: 1,
            entered: false,
            free,
        });
        self.ids.insert(key, id);
        id
    }

    fn value(&self, id: u32) -> u32 {
        let node = &self.nodes[id as usize];
        node.estimate.min(node.proved)
    }

    fn solved(&self, id: u32) -> bool {
        let node = &self.nodes[id as usize];
        node.proved <= node.estimate
    }

    /// Find the choices of a position.
    fn enter(&mut self, id: u32) {
        let board = self.nodes[id as usize].board;
        let mut cells = self.claimed.sensible(&board);
        let cost = u8::from(cells.several());
        let first = self.choices.len();
        let mut replies = std::mem::take(&mut self.replies);
        while cells.any() {
            let (cell, q) = (cells.first(), board.with(cells.first()));
            cells = cells.rest();
            if q.all == self.claimed.shape.cells() {
                continue;
            }
            self.claimed.replies(&q, &mut replies);
            let column = self.claimed.shape.column_number(cell) as u8;
            let from = self.children.len() as u32;
            if replies.is_empty() {
                self.choices.truncate(first);
                self.choices.push(Choice { first: from, count: 0, column, held: Held::Yes });
                break;
            }
            for &(key, r) in &replies {
                let child = self.id(key, r);
                self.children.push(child);
            }
            self.choices.push(Choice {
                first: from,
                count: replies.len() as u8,
                column,
                held: Held::Unasked,
            });
        }
        self.replies = replies;
        let count = (self.choices.len() - first) as u8;
        let node = &mut self.nodes[id as usize];
        (node.first, node.count, node.cost, node.entered) = (first as u32, count, cost, true);
    }

    /// Find one choice of a position: the one with the least estimate that keeps the claim.
    fn enter_at_once(&mut self, id: u32, oracle: &mut impl Holds<S::Word>) -> Result<(), Error> {
        let board = self.nodes[id as usize].board;
        let mut cells = self.claimed.sensible(&board);
        let cost = u8::from(cells.several());
        let mut replies = std::mem::take(&mut self.replies);
        let mut open = Vec::with_capacity(self.claimed.shape.width() as usize);
        while cells.any() {
            let q = board.with(cells.first());
            if q.all != self.claimed.shape.cells() {
                self.claimed.replies(&q, &mut replies);
                let known = |key| self.ids.get(key).map(|&id| self.value(id));
                let guess = |r| self.guesses[self.claimed.free(r) as usize];
                let values = replies.iter().map(|(key, r)| known(key).unwrap_or_else(|| guess(r)));
                let sum = values.fold(0, |sum: u32, value| (sum + value).min(MOST));
                open.push((sum, q, self.claimed.shape.column_number(cells.first()) as u8));
            }
            cells = cells.rest();
        }
        sort_by(&mut open, |(sum, _, column), (other, _, beside)| sum.cmp(other).then(column.cmp(beside)));
        let first = self.choices.len() as u32;
        let mut count = 0;
        for (sum, q, column) in open {
            if sum > 0 && !oracle.holds(&q)? {
                continue;
            }
            self.claimed.replies(&q, &mut replies);
            let from = self.children.len() as u32;
            for &(key, r) in &replies {
                let child = self.id(key, r);
                self.children.push(child);
            }
            let choice = Choice { first: from, count: replies.len() as u8, column, held: Held::Yes };
            self.choices.push(choice);
            count = 1;
            break;
        }
        self.replies = replies;
        let node = &mut self.nodes[id as usize];
        (node.first, node.count, node.cost, node.entered) = (first, count, cost, true);
        Ok(())
    }

    /// Whether there is no room for alternatives any more.
    fn full(&self) -> bool {
        self.nodes.len() >= self.room
    }

    /// The positions that a choice leaves to prove.
    pub fn children(&self, choice: u32) -> &[u32] {
        let choice = &self.choices[choice as usize];
        &self.children[choice.first as usize..][..usize::from(choice.count)]
    }

    /// Look at the choices of an entered position: the best and its estimate, and the estimate of the next best.
    fn weigh(&mut self, id: u32) -> (u32, u32, u32) {
        let node = &self.nodes[id as usize];
        let (mut best, mut least, mut next) = (u32::MAX, NONE, NONE);
        let (mut proved, mut proof) = (node.proved, node.best);
        for choice in node.first..node.first + u32::from(node.count) {
            if self.choices[choice as usize].held == Held::No {
                continue;
            }
            let (mut sum, mut sure) = (u32::from(node.cost), u32::from(node.cost));
            for &child in self.children(choice) {
                let child = &self.nodes[child as usize];
                sum = (sum + child.estimate.min(child.proved)).min(MOST);
                let open = sure == NONE || child.proved == NONE;
                sure = if open { NONE } else { (sure + child.proved).min(MOST) };
            }
            if sum < least {
                (next, least, best) = (least, sum, choice);
            } else if sum < next {
                next = sum;
            }
            if sure < proved || sure == proved && proof == choice {
                (proved, proof) = (sure, choice);
            }
        }
        let node = &mut self.nodes[id as usize];
        (node.estimate, node.proved, node.best) = (least, proved, proof);
        (best, least, next)
    }

    /// Search until a position is proved. If the oracle is stopped, what was found before is still there.
    ///
    /// # Errors
    /// If the oracle was stopped, or no move keeps the claim.
    pub fn search(&mut self, id: u32, oracle: &mut impl Holds<S::Word>) -> Result<(), Error> {
        let searched = self.search_below(id, NONE, oracle);
        self.update();
        searched
    }

    /// Search until a position is proved, or its estimate is at least `threshold`.
    fn search_below(
        &mut self,
        id: u32,
        threshold: u32,
        oracle: &mut impl Holds<S::Word>,
    ) -> Result<(), Error> {
        if !self.nodes[id as usize].entered {
            if self.full() {
                self.enter_at_once(id, oracle)?;
            } else {
                self.enter(id);
            }
        }
        loop {
            let (best, least, next) = self.weigh(id);
            if best == u32::MAX {
                return Err(Error::contradiction("no move keeps what is claimed"));
            }
            if self.solved(id) || least >= threshold {
                return Ok(());
            }
            if self.choices[best as usize].held == Held::Unasked {
                let choice = self.choices[best as usize];
                let board = self.nodes[id as usize].board;
                let cell =
                    board.landings(self.claimed.shape) & self.claimed.shape.column(u32::from(choice.column));
                let held = oracle.holds(&board.with(cell))?;
                self.choices[best as usize].held = if held { Held::Yes } else { Held::No };
                continue;
            }
            let open = self.children(best).iter().copied().filter(|&child| !self.solved(child));
            let Some(child) = open.min_by_key(|&child| self.value(child)) else {
                return Err(Error::contradiction("a proof is larger than its parts"));
            };
            let limit = threshold.min(next + next / SLACK + 1);
            let rest = least - self.value(child);
            let limit = if self.full() { NONE } else { limit - rest };
            self.search_below(child, limit, oracle)?;
        }
    }

    /// Find all estimates anew, from the fullest boards on.
    pub fn update(&mut self) {
        let fullest_first = order_of(self.nodes.len(), &|a, b| self.nodes[a].free.cmp(&self.nodes[b].free));
        for id in fullest_first {
            let node = &self.nodes[id as usize];
            if node.entered {
                self.weigh(id);
            } else {
                self.nodes[id as usize].estimate = self.guesses[usize::from(node.free)];
            }
        }
    }

    /// Whether a proof of a position was found.
    pub fn is_proved(&self, id: u32) -> bool {
        self.least(id) < NONE
    }

    /// How many positions are in all.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// What the move of a position costs by itself.
    pub fn cost(&self, id: u32) -> u32 {
        u32::from(self.nodes[id as usize].cost)
    }

    /// Its free cells.
    pub fn free(&self, id: u32) -> u8 {
        self.nodes[id as usize].free
    }

    /// The size of its least proof, or [`NONE`].
    pub fn least(&self, id: u32) -> u32 {
        self.nodes[id as usize].proved
    }

    /// Its choices that keep the claim and lead to positions that are all proved.
    pub fn kept(&self, id: u32) -> impl Iterator<Item = u32> + use<'_, S> {
        let node = &self.nodes[id as usize];
        let proved = |&choice: &u32| self.children(choice).iter().all(|&child| self.least(child) < NONE);
        (node.first..node.first + u32::from(node.count)).filter(proved)
    }

    /// From now on the moves are those of a plan.
    pub fn follow(&mut self, chosen: &[u32]) {
        for (node, &choice) in self.nodes.iter_mut().zip(chosen) {
            if choice != u32::MAX {
                node.best = choice;
            }
        }
    }

    /// The column of the proof found for a position.
    pub fn chosen(&self, p: &Board<S::Word>) -> Option<u32> {
        let node = &self.nodes[*self.ids.get(&self.claimed.key(p))? as usize];
        if node.proved == NONE {
            return None;
        }
        let column = u32::from(self.choices[node.best as usize].column);
        Some(if node.board == *p { column } else { self.claimed.shape.width() - 1 - column })
    }
}
