//! Small strategies of any game, given something that knows who wins.

use std::collections::HashMap;

use ludex_core::{Error, Side};

use crate::{
    checker::least_image,
    header::Claim,
    rules::{Move, Position, Rule, Rules},
    smallest::{Choice, Tree},
    witness::{self, Reason},
    writer::{candidates, one_less},
};

/// Says whether a claimant keeps the claim, within so many moves, in an unfinished game with either side to move.
pub trait Oracle {
    /// Whether the claim holds.
    ///
    /// # Errors
    /// If a search was stopped.
    fn holds(&mut self, p: &Position, w: u32) -> Result<bool, Error>;
}

/// The positions of a proof, for any game.
pub struct AnyTree<'a, O> {
    game: &'a dyn Rules,
    claim: Claim,
    oracle: O,
    /// How many moves are tried besides the most promising one.
    effort: u32,
    held: HashMap<(Vec<u8>, Side), bool>,
}

impl<'a, O: Oracle> AnyTree<'a, O> {
    /// The tree of a claim. The more effort, the more moves are tried at each position.
    pub fn new(game: &'a dyn Rules, claim: Claim, oracle: O, effort: u32) -> Self {
        Self { game, claim, oracle, effort, held: HashMap::new() }
    }

    fn holds(&mut self, p: &Position, w: u32) -> Result<bool, Error> {
        let key = (least_image(self.game, p), p.side);
        if let Some(&held) = self.held.get(&key) {
            return Ok(held);
        }
        let held = self.oracle.holds(p, w)?;
        self.held.insert(key, held);
        Ok(held)
    }

    fn wins_at_once(&self, p: &Position) -> bool {
        let satisfied = |m: Move| self.game.ends(p, m).is_some_and(|winner| self.claim.satisfied(winner));
        self.game.moves(p).into_iter().any(satisfied)
    }

    /// What the replies in a position with the opponent to move leave to prove; `None` if one of them ends the game badly.
    fn replies(&self, q: &Position, w: u32, reason: &Reason) -> Result<Option<Vec<(Position, u32)>>, Error> {
        let zone = witness::narrowed(self.game, &self.claim, q, reason)?;
        let mut left: Vec<(Position, u32)> = Vec::new();
        let mut images = Vec::new();
        for m in self.game.moves(q) {
            if zone.as_ref().is_some_and(|zone| !zone.contains(&(m as usize))) {
                continue;
            }
            let r = self.game.play(q, m);
            if let Some(winner) = self.game.result(&r) {
                if !self.claim.satisfied(winner) {
                    return Ok(None);
                }
            } else if r.side != self.claim.side {
                // The opponent moves again.
                match self.replies(&r, one_less(w), &(Rule::Play, Vec::new()))? {
                    Some(more) => left.extend(more),
                    None => return Ok(None),
                }
            } else if !self.wins_at_once(&r) {
                let image = least_image(self.game, &r);
                if !images.contains(&image) {
                    images.push(image);
                    left.push((r, one_less(w)));
                }
            }
        }
        Ok(Some(left))
    }
}

impl<O: Oracle> Tree for AnyTree<'_, O> {
    type Place = Position;
    type Key = Vec<u8>;

    fn place(&mut self, _: &dyn Rules, p: &Position) -> Result<Position, Error> {
        Ok(p.clone())
    }

    fn key(&self, place: &Position) -> Vec<u8> {
        least_image(self.game, place)
    }

    fn settled(&mut self, place: &Position, w: u32) -> Result<Option<Reason>, Error> {
        Ok(witness::here(self.game, &self.claim, place, w))
    }

    fn choices(&mut self, place: &Position, w: u32) -> Result<Vec<Choice<Position>>, Error> {
        let (game, limit) = (self.game, one_less(w));
        let mut open = Vec::new();
        for m in candidates(game.lines().is_some(), game, &self.claim, place, game.moves(place)) {
            let q = game.play(place, m);
            if game.result(&q).is_some() {
                continue;
            }
            let twice = q.side == self.claim.side;
            let reason = if twice { None } else { witness::after(game, &self.claim, &q, limit) };
            let (rule, hints) = reason.unwrap_or((Rule::Play, Vec::new()));
            let left = if twice {
                Some(if self.wins_at_once(&q) { Vec::new() } else { vec![(q.clone(), limit)] })
            } else {
                self.replies(&q, limit, &(rule, hints.clone()))?
            };
            if let Some(left) = left {
                open.push((left.len() + hints.len() / 8, q, Choice { m, rule, hints, left }));
            }
        }
        open.sort_by_key(|(guess, ..)| *guess);
        let mut choices = Vec::new();
        for (_, q, choice) in open {
            let done = choice.left.is_empty();
            if done || self.holds(&q, limit)? {
                choices.push(choice);
                if done || choices.len() > self.effort as usize {
                    break;
                }
            }
        }
        Ok(choices)
    }

    fn rule_at_root(&mut self, game: &dyn Rules, p: &Position, w: u32) -> Result<Reason, Error> {
        Ok(witness::after(game, &self.claim, p, w).unwrap_or((Rule::Play, Vec::new())))
    }
}
