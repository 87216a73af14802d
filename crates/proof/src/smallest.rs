//! Small strategies: of the moves that keep the claim, the one with the smallest proof below it.
//!
//! A depth-first branch and bound on the number of stored tokens. Positions that occur twice count twice here, though the file
//! stores them once. How many moves are tried at each position is up to the [`Tree`].

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hash,
};

use ludex_core::Error;

use crate::{
    rules::{Move, Position, Rule, Rules},
    writer::{Step, Strategy, unsound},
};

/// A move that keeps the claim.
#[derive(Clone, Debug)]
pub struct Choice<P> {
    /// The move.
    pub m: Move,
    /// The rule after it.
    pub rule: Rule,
    /// What the rule reads.
    pub hints: Vec<u32>,
    /// The positions with the claimant to move that are still to be proved, each with its limit.
    pub left: Vec<(P, u32)>,
}

/// The positions of a proof, and what is known of them.
pub trait Tree {
    /// A position with the claimant to move that no single move ends as claimed.
    type Place: Clone;
    /// What tells places apart, up to symmetry.
    type Key: Hash + Eq;

    /// The place of a position of the naive rules.
    ///
    /// # Errors
    /// If it cannot be read.
    fn place(&mut self, game: &dyn Rules, p: &Position) -> Result<Self::Place, Error>;

    /// Its key.
    fn key(&self, place: &Self::Place) -> Self::Key;

    /// A rule that settles it as it is.
    ///
    /// # Errors
    /// If a search was stopped.
    fn settled(&mut self, place: &Self::Place, w: u32) -> Result<Option<(Rule, Vec<u32>)>, Error>;

    /// The moves to try, most promising first. All of them keep the claim.
    ///
    /// # Errors
    /// If a search was stopped.
    fn choices(&mut self, place: &Self::Place, w: u32) -> Result<Vec<Choice<Self::Place>>, Error>;

    /// The step to write down for a chosen move.
    ///
    /// # Errors
    /// If the rule does not apply after all.
    fn step(
        &mut self,
        game: &dyn Rules,
        p: &Position,
        chosen: Choice<Self::Place>,
        w: u32,
    ) -> Result<Step, Error> {
        let _ = (game, p, w);
        Ok(Step { play: Some(chosen.m), rule: chosen.rule, hints: chosen.hints })
    }

    /// The rule for a position with the opponent to move to which no move of the claimant has led.
    ///
    /// # Errors
    /// If a search was stopped.
    fn rule_at_root(&mut self, game: &dyn Rules, p: &Position, w: u32) -> Result<(Rule, Vec<u32>), Error> {
        let _ = (game, p, w);
        Ok((Rule::Play, Vec::new()))
    }
}

/// The least number of tokens found for a place; a lower bound if it is not exact.
#[derive(Clone, Copy)]
struct Size {
    tokens: u64,
    exact: bool,
}

/// The limit that a place is first tried with, and how it grows.
const FIRST_LIMIT: u64 = 8;
const WIDER: u64 = 4;

/// A strategy of smallest proofs.
pub struct Smallest<T: Tree> {
    tree: T,
    sizes: HashMap<T::Key, Size>,
    /// Places looked at.
    pub looked_at: u64,
}

impl<T: Tree> Smallest<T> {
    /// The strategy for a tree.
    pub fn new(tree: T) -> Self {
        Self { tree, sizes: HashMap::new(), looked_at: 0 }
    }

    /// The size of the smallest proof of a place if it is below `limit`, otherwise some number from `limit` on.
    fn size(&mut self, place: &T::Place, w: u32, limit: u64) -> Result<u64, Error> {
        let key = self.tree.key(place);
        if let Some(&known) = self.sizes.get(&key)
            && (known.exact || known.tokens >= limit)
        {
            return Ok(known.tokens);
        }
        self.looked_at += 1;
        if let Some((_, hints)) = self.tree.settled(place, w)? {
            let tokens = 1 + hints.len() as u64;
            self.sizes.insert(key, Size { tokens, exact: true });
            return Ok(tokens);
        }
        let choices = self.tree.choices(place, w)?;
        if choices.is_empty() {
            let hint = "the search and the rules do not agree; please report the command";
            return Err(unsound("no move keeps what is claimed", hint));
        }
        // Small limits first, so that a choice with a large proof is left before it is searched to its end.
        let mut allowed =
            self.sizes.get(&key).map_or(FIRST_LIMIT, |known| known.tokens.saturating_mul(WIDER)).min(limit);
        let best = loop {
            let mut best = allowed;
            for choice in &choices {
                best = best.min(self.below(choice, best)?);
            }
            if best < allowed || allowed == limit {
                break best;
            }
            allowed = allowed.saturating_mul(WIDER).min(limit);
        };
        let size = Size { tokens: best, exact: best < limit };
        match self.sizes.entry(key) {
            Entry::Occupied(mut old) => {
                if size.exact || old.get().tokens < best {
                    old.insert(size);
                }
            }
            Entry::Vacant(new) => {
                new.insert(size);
            }
        }
        Ok(best)
    }

    /// The size of the proof that begins with a choice, if it is below `limit`.
    fn below(&mut self, choice: &Choice<T::Place>, limit: u64) -> Result<u64, Error> {
        let mut total = 1 + choice.hints.len() as u64;
        for (place, limited) in &choice.left {
            if total >= limit {
                break;
            }
            total += self.size(place, *limited, limit - total)?;
        }
        Ok(total)
    }
}

impl<T: Tree> Strategy for Smallest<T> {
    fn decide(&mut self, game: &dyn Rules, p: &Position, w: u32) -> Result<Step, Error> {
        let place = self.tree.place(game, p)?;
        if let Some((rule, hints)) = self.tree.settled(&place, w)? {
            return Ok(Step { play: None, rule, hints });
        }
        let size = self.size(&place, w, u64::MAX)?;
        let choices = self.tree.choices(&place, w)?;
        // An image of the place may have been tried with other moves, so that none here is as small as its size.
        let mut best: Option<(u64, Choice<T::Place>)> = None;
        for least in [size.saturating_add(1), u64::MAX] {
            for choice in &choices {
                let limit = best.as_ref().map_or(least, |(tokens, _)| *tokens);
                let tokens = self.below(choice, limit)?;
                if tokens < limit {
                    best = Some((tokens, choice.clone()));
                }
            }
            if best.is_some() {
                break;
            }
        }
        let (_, choice) = best.ok_or_else(|| unsound("no move keeps what is claimed", ""))?;
        self.tree.step(game, p, choice, w)
    }

    fn settle(&mut self, game: &dyn Rules, p: &Position, w: u32) -> Result<(Rule, Vec<u32>), Error> {
        self.tree.rule_at_root(game, p, w)
    }
}
