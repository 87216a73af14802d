//! What can be said of a position of a proof without search, on bit boards.

use ludex_core::Switches;
use ludex_games::connect4::{Board, Shape, Word, ceiling, lines, score};
use ludex_proof::{ANY, Claim};

/// A claim about a position, as it looks from the positions that follow.
#[derive(Clone, Debug)]
pub struct Claimed<S> {
    /// The board.
    pub shape: S,
    on: Switches,
    /// Whether a win is claimed, and not only a draw.
    win: bool,
    /// The best score that the opponent may have when he is to move, by the number of free cells; a number below all scores
    /// where the claim cannot hold any more.
    most: Vec<i32>,
}

/// Below every score.
const NEVER: i32 = i32::MIN / 2;

impl<S: Shape> Claimed<S> {
    /// A claim about a position with so many free cells.
    pub fn new(shape: S, on: Switches, claim: &Claim, free: u32) -> Self {
        let most = |left: u32| {
            if !claim.win {
                return 0;
            }
            if claim.within == ANY {
                return -1;
            }
            let played = free.saturating_sub(left);
            let soon =
                |s: &i32| score::value(*s, left).plies().is_some_and(|plies| plies + played <= claim.within);
            (score::lose_next(left)..0).rev().find(soon).unwrap_or(NEVER)
        };
        Self { shape, on, win: claim.win, most: (0..=free).map(most).collect() }
    }

    /// Free cells.
    pub fn free(&self, p: &Board<S::Word>) -> u32 {
        (self.shape.cells() ^ p.all).count()
    }

    /// The best score that the opponent, to move, may have; `None` if no score will do.
    pub fn most(&self, q: &Board<S::Word>) -> Option<i32> {
        Some(self.most[self.free(q) as usize]).filter(|&most| most > NEVER)
    }

    /// The lesser of a position and its mirror image.
    pub fn key(&self, p: &Board<S::Word>) -> S::Word {
        let key = p.own.plus(p.all);
        key.min(self.shape.mirrored(key))
    }

    /// Whether a rule settles a position with the opponent to move who cannot complete a four at once.
    fn ruled(&self, q: &Board<S::Word>) -> bool {
        let Some(most) = self.most(q) else { return false };
        let free = self.shape.cells() ^ q.all;
        let threats = lines::completing(self.shape, q.other()) & free & !q.landings(self.shape);
        ceiling(self.shape, self.on, q, threats, free.count(), most) <= most
    }

    /// The landing cells of the claimant that are not refuted at once.
    pub fn sensible(&self, p: &Board<S::Word>) -> S::Word {
        let shape = self.shape;
        let landings = p.landings(shape);
        let threats = lines::completing(shape, p.other()) & (shape.cells() ^ p.all);
        let stops = threats & landings;
        let cells = if stops.any() { stops } else { landings };
        if stops.several() { S::Word::ZERO } else { cells & !(threats >> 1) }
    }

    /// Whether a position with the claimant to move needs no move to be written down: a move ends the game as claimed, or one
    /// leads to a position that a rule settles.
    pub fn settled(&self, p: &Board<S::Word>) -> bool {
        let shape = self.shape;
        if (lines::completing(shape, p.own) & p.landings(shape)).any() || !self.win && self.free(p) == 1 {
            return true;
        }
        let mut cells = self.sensible(p);
        while cells.any() {
            let q = p.with(cells.first());
            cells = cells.rest();
            if q.all != shape.cells() && self.ruled(&q) {
                return true;
            }
        }
        false
    }

    /// The positions that the replies leave to prove, up to symmetry.
    pub fn replies(&self, q: &Board<S::Word>, left: &mut Vec<(S::Word, Board<S::Word>)>) {
        left.clear();
        let mut cells = q.landings(self.shape);
        while cells.any() {
            let r = q.with(cells.first());
            cells = cells.rest();
            if r.all != self.shape.cells() && !self.settled(&r) {
                let key = self.key(&r);
                if !left.iter().any(|(other, _)| *other == key) {
                    left.push((key, r));
                }
            }
        }
    }
}
