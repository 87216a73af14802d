//! Small strategies of Connect Four: the solver says which moves keep a claim, the static rules where a proof may end.

use ludex_core::{Error, ErrorCode, Game as _, Probe, Side};
use ludex_games::connect4::{Board, Connect4, Shape, Word, ceiling, lines, score};
use ludex_judge::{Proving, WriteProof};
use ludex_proof::{
    ANY, Claim,
    rules::{Position, Rule, Rules},
    smallest::{Choice, Smallest, Tree},
    witness,
    writer::{Step, Strategy, one_less},
};

use super::{Solver, memory::Recall};

/// Hand a small strategy for each claim to the writer.
pub(super) fn write<S: Shape, M: Recall<S::Word>>(
    game: &Connect4<S>,
    memory: &M,
    proving: &Proving<'_>,
    write: WriteProof<'_>,
) -> Result<Vec<u8>, Error> {
    let beam = Beam::of(proving.effort);
    let tree = |claim: &Claim| Smallest::new(Connect4Tree::new(game, memory, proving.probe, *claim, beam));
    let mut strategies: Vec<_> = proving.claims.iter().map(tree).collect();
    let mut strategies: Vec<&mut dyn Strategy> =
        strategies.iter_mut().map(|s| s as &mut dyn Strategy).collect();
    write(&mut strategies)
}

/// How many moves are tried with so many free cells: the more, the smaller the proof and the longer it takes.
#[derive(Clone, Copy, Debug)]
pub struct Beam {
    /// All moves are tried with at most so many free cells.
    pub all_below: u32,
    /// Otherwise so many.
    pub above: usize,
}

impl Beam {
    fn of(effort: u32) -> Self {
        let (all_below, above) =
            [(0, 1), (14, 1), (18, 2), (22, 2), (24, 3), (28, 4)][effort.min(5) as usize];
        Self { all_below, above }
    }
}

/// The positions of a proof.
pub struct Connect4Tree<'a, S: Shape, M: Recall<S::Word>> {
    game: Connect4<S>,
    solver: Solver<'a, S, M>,
    claim: Claim,
    beam: Beam,
}

/// What a reply leaves to prove, at a guess: nothing, a move into a rule, or more.
const UNCLEAR: u64 = 12;

impl<'a, S: Shape, M: Recall<S::Word>> Connect4Tree<'a, S, M> {
    /// The tree of a claim.
    pub fn new(game: &'a Connect4<S>, memory: &'a M, probe: &'a dyn Probe, claim: Claim, beam: Beam) -> Self {
        Self { game: *game, solver: Solver::new(game, memory, probe), claim, beam }
    }

    /// The best score that the opponent, to move within `w` moves of the end, may have.
    fn most(&self, left: u32, w: u32) -> i32 {
        if !self.claim.win {
            return 0;
        }
        let soon = |s: &i32| score::value(*s, left).plies().is_some_and(|plies| plies <= w);
        if w == ANY { -1 } else { (score::lose_next(left)..0).rev().find(soon).unwrap_or(i32::MIN / 2) }
    }

    /// Whether the claimant keeps the claim in a position with the opponent to move.
    fn holds(&mut self, q: &Board<S::Word>, w: u32) -> Result<bool, Error> {
        let most = self.most(self.game.max_plies(q), w);
        if most < -1000 {
            return Ok(false);
        }
        let stopped =
            || Error::new(ErrorCode::Stopped, "the search for a proof was stopped", "give it more time");
        Ok(self.solver.ask(q, most + 1).ok_or_else(stopped)? <= most)
    }

    /// Whether a rule settles a position with the opponent to move.
    fn ruled(&self, q: &Board<S::Word>, w: u32) -> bool {
        let shape = self.game.shape;
        let threats = lines::completing(shape, q.other()) & (shape.cells() ^ q.all);
        if (threats & q.landings(shape)).any() {
            return false;
        }
        let left = self.game.max_plies(q);
        let most = self.most(left, w);
        most > -1000 && ceiling(shape, self.game.switched(), q, threats, left, most) <= most
    }

    /// Whether the side to move completes a four at once.
    fn wins_at_once(&self, p: &Board<S::Word>) -> bool {
        (lines::completing(self.game.shape, p.own) & p.landings(self.game.shape)).any()
    }

    /// The landing cells that are not refuted at once.
    fn sensible(&self, p: &Board<S::Word>) -> S::Word {
        let shape = self.game.shape;
        let landings = p.landings(shape);
        let threats = lines::completing(shape, p.other()) & (shape.cells() ^ p.all);
        let stops = threats & landings;
        let cells = if stops.any() { stops } else { landings };
        if stops.several() { S::Word::ZERO } else { cells & !(threats >> 1) }
    }

    /// The positions that replies leave to prove.
    fn replies(&self, q: &Board<S::Word>, w: u32) -> Vec<(Board<S::Word>, u32)> {
        let shape = self.game.shape;
        let mut left: Vec<Board<S::Word>> = Vec::new();
        let mut cells = q.landings(shape);
        while cells.any() {
            let r = q.with(cells.first());
            cells = cells.rest();
            let seen = |other: &Board<S::Word>| self.game.key(other) == self.game.key(&r);
            let last = r.all == shape.cells() || (!self.claim.win && self.game.max_plies(&r) == 1);
            if !last && !self.wins_at_once(&r) && !left.iter().any(seen) {
                left.push(r);
            }
        }
        left.into_iter().map(|r| (r, one_less(w))).collect()
    }

    /// A guess at what is left to prove.
    fn guess(&self, left: &[(Board<S::Word>, u32)]) -> u64 {
        left.iter()
            .map(|(r, w)| {
                let mut cells = self.sensible(r);
                while cells.any() {
                    if self.ruled(&r.with(cells.first()), one_less(*w)) {
                        return 1;
                    }
                    cells = cells.rest();
                }
                UNCLEAR
            })
            .sum()
    }
}

impl<S: Shape, M: Recall<S::Word>> Tree for Connect4Tree<'_, S, M> {
    type Place = Board<S::Word>;
    type Key = S::Word;

    fn place(&mut self, _: &dyn Rules, p: &Position) -> Result<Board<S::Word>, Error> {
        let shape = self.game.shape;
        let mut board = Board { own: S::Word::ZERO, all: S::Word::ZERO };
        for (i, &stone) in p.cells.iter().enumerate().filter(|(_, stone)| **stone != 0) {
            let cell = shape.cell(i as u32 % shape.width(), i as u32 / shape.width());
            board.all |= cell;
            if (stone == 1) == (p.side == Side::First) {
                board.own |= cell;
            }
        }
        Ok(board)
    }

    fn key(&self, place: &Board<S::Word>) -> S::Word {
        self.game.key(place)
    }

    fn settled(&mut self, _: &Board<S::Word>, _: u32) -> Result<Option<(Rule, Vec<u32>)>, Error> {
        Ok(None)
    }

    fn choices(&mut self, p: &Board<S::Word>, w: u32) -> Result<Vec<Choice<Board<S::Word>>>, Error> {
        let (shape, left) = (self.game.shape, self.game.max_plies(p));
        let mut cells = self.sensible(p);
        let mut open = Vec::new();
        while cells.any() {
            let (cell, q) = (cells.first(), p.with(cells.first()));
            cells = cells.rest();
            let choice = |rule, left| Choice { m: shape.column_number(cell), rule, hints: Vec::new(), left };
            if q.all == shape.cells() {
                continue;
            }
            if self.ruled(&q, one_less(w)) {
                return Ok(vec![choice(Rule::Follow, Vec::new())]);
            }
            open.push((cell, q));
        }
        // The solver is asked last, and no more often than moves are wanted: the answer may take it long.
        let replies = |(cell, q): (S::Word, Board<S::Word>)| {
            let left = self.replies(&q, one_less(w));
            (self.guess(&left), cell, q, left)
        };
        let mut open: Vec<_> = open.into_iter().map(replies).collect();
        open.sort_by_key(|&(guess, ..)| guess);
        let most = if left > self.beam.all_below { self.beam.above } else { usize::MAX };
        let mut choices = Vec::new();
        for (_, cell, q, left) in open {
            if choices.len() < most && self.holds(&q, one_less(w))? {
                let m = shape.column_number(cell);
                choices.push(Choice { m, rule: Rule::Play, hints: Vec::new(), left });
            }
        }
        Ok(choices)
    }

    fn step(
        &mut self,
        game: &dyn Rules,
        p: &Position,
        chosen: Choice<Board<S::Word>>,
        w: u32,
    ) -> Result<Step, Error> {
        let mut rule = chosen.rule;
        if rule != Rule::Play {
            let q = game.play(p, chosen.m);
            rule = witness::follow(game, &self.claim, &q, one_less(w)).ok_or_else(|| {
                Error::contradiction(format!("a static rule and its theorem disagree on {}", game.write(&q)))
            })?;
        }
        Ok(Step { play: Some(chosen.m), rule, hints: Vec::new() })
    }

    fn rule_at_root(&mut self, game: &dyn Rules, p: &Position, w: u32) -> Result<(Rule, Vec<u32>), Error> {
        Ok((witness::follow(game, &self.claim, p, w).unwrap_or(Rule::Play), Vec::new()))
    }
}
