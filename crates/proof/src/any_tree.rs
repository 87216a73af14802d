//! Small strategies of any game, given something that knows who wins.

use std::collections::HashMap;

use ludex_core::{Error, Side, Witness};

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
    /// Whether the claim holds; `None` if that cannot be found out by looking at about `most` positions.
    ///
    /// # Errors
    /// If a search was stopped.
    fn holds(&mut self, p: &Position, w: u32, most: u64) -> Result<Option<bool>, Error>;

    /// Threats or pairs of the claimant, in cells of the naive rules; they are tested before they are used.
    fn witness(&mut self, p: &Position, w: u32) -> Option<Witness<usize>>;

    /// The claimant's most promising moves, best first, where there is an idea of that.
    fn promising(&mut self, p: &Position) -> Vec<Move> {
        let _ = p;
        Vec::new()
    }
}

/// What finding out whether a move keeps the claim may take before another move is looked at.
const A_LOOK: u64 = 8;
const A_SHORT_SEARCH: u64 = 64;

/// Where pairs have to be found after every move, that takes long: so many moves are looked at, and as many more for every effort.
const PAIRED_MOVES: usize = 24;

/// The positions of a proof, for any game. Whoever asks is called through a pointer, so that one tree serves all of them.
pub struct AnyTree<'a> {
    game: &'a dyn Rules,
    claim: Claim,
    oracle: Box<dyn Oracle + 'a>,
    /// How many moves are tried besides the most promising one.
    effort: u32,
    held: HashMap<(Vec<u8>, Side), bool>,
    chosen: HashMap<Vec<u8>, Vec<Choice<Position>>>,
}

/// So many lists of choices are remembered.
const MOST_CHOSEN: usize = 20_000;

impl<'a> AnyTree<'a> {
    /// The tree of a claim. The more effort, the more moves are tried at each position.
    pub fn new(game: &'a dyn Rules, claim: Claim, oracle: impl Oracle + 'a, effort: u32) -> Self {
        Self { game, claim, oracle: Box::new(oracle), effort, held: HashMap::new(), chosen: HashMap::new() }
    }

    fn holds(&mut self, p: &Position, w: u32, most: u64) -> Result<Option<bool>, Error> {
        let key = (least_image(self.game, p), p.side);
        if let Some(&held) = self.held.get(&key) {
            return Ok(Some(held));
        }
        let held = self.oracle.holds(p, w, most)?;
        if let Some(held) = held {
            self.held.insert(key, held);
        }
        Ok(held)
    }

    fn wins_at_once(&self, p: &Position) -> bool {
        let satisfied = |m: Move| self.game.ends(p, m).is_some_and(|winner| self.claim.satisfied(winner));
        self.game.moves(p).into_iter().any(satisfied)
    }

    /// What the replies in a position with the opponent to move leave to prove; `None` if one of them ends the game badly.
    fn replies(&self, q: &Position, w: u32, reason: &Reason) -> Result<Option<Vec<(Position, u32)>>, Error> {
        let zone = witness::narrowed(self.game, &self.claim, q, w, reason)?;
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

    /// The rule after a move, with what it leaves to prove; `None` if a reply ends the game badly.
    fn open(&mut self, m: Move, q: &Position, w: u32) -> Result<Option<Choice<Position>>, Error> {
        let (game, claim) = (self.game, self.claim);
        if q.side == claim.side {
            let left = if self.wins_at_once(q) { Vec::new() } else { vec![(q.clone(), w)] };
            return Ok(Some(Choice { m, rule: Rule::Play, hints: Vec::new(), left }));
        }
        let reason = witness::after(game, &claim, q, w, || self.oracle.witness(q, w));
        let (rule, hints) = reason.unwrap_or((Rule::Play, Vec::new()));
        let left = self.replies(q, w, &(rule, hints.clone()))?;
        Ok(left.map(|left| Choice { m, rule, hints, left }))
    }

    /// The first `wanted` of the moves that keep the claim.
    fn keeping(
        &mut self,
        place: &Position,
        w: u32,
        moves: &[(Move, Position)],
        wanted: usize,
    ) -> Result<Vec<Move>, Error> {
        for most in [A_LOOK, A_SHORT_SEARCH, u64::MAX] {
            if most == A_SHORT_SEARCH {
                // Some move keeps the claim. The search for it leaves behind which.
                self.holds(place, w, u64::MAX)?;
            }
            let mut kept = Vec::new();
            for (m, q) in moves {
                if self.holds(q, one_less(w), most)? == Some(true) {
                    kept.push(*m);
                    if kept.len() == wanted {
                        break;
                    }
                }
            }
            if !kept.is_empty() {
                return Ok(kept);
            }
        }
        Ok(Vec::new())
    }

    /// Moves that keep the claim, the one with the least to prove first.
    fn choose(
        &mut self,
        place: &Position,
        w: u32,
        mut moves: Vec<(Move, Position)>,
    ) -> Result<Vec<Choice<Position>>, Error> {
        let limit = one_less(w);
        let wanted = 1 + self.effort as usize;
        let by_pairs = witness::by_pairs(self.game, &self.claim);
        if by_pairs {
            // To look for pairs takes longer than to find out whether a move keeps the claim.
            let promising = self.oracle.promising(place);
            let order = |m: &Move| promising.iter().position(|other| other == m).unwrap_or(usize::MAX);
            moves.sort_by_key(|(m, _)| order(m));
            let kept = self.keeping(place, w, &moves, PAIRED_MOVES * wanted)?;
            moves.retain(|(m, _)| kept.contains(m));
        }
        let mut open = Vec::new();
        for (m, q) in moves {
            if let Some(choice) = self.open(m, &q, limit)? {
                if choice.left.is_empty() {
                    return Ok(vec![choice]);
                }
                open.push((8 * choice.left.len() + choice.hints.len(), q, choice));
            }
        }
        open.sort_by_key(|(guess, ..)| *guess);
        if !by_pairs {
            let moves: Vec<(Move, Position)> = open.iter().map(|(_, q, c)| (c.m, q.clone())).collect();
            let kept = self.keeping(place, w, &moves, wanted)?;
            open.retain(|(.., choice)| kept.contains(&choice.m));
        }
        Ok(open.into_iter().take(wanted).map(|(.., choice)| choice).collect())
    }
}

impl Tree for AnyTree<'_> {
    type Place = Position;
    type Key = Vec<u8>;

    fn place(&mut self, _: &dyn Rules, p: &Position) -> Result<Position, Error> {
        Ok(p.clone())
    }

    fn key(&self, place: &Position) -> Vec<u8> {
        least_image(self.game, place)
    }

    fn settled(&mut self, place: &Position, w: u32) -> Result<Option<Reason>, Error> {
        Ok(witness::here(self.game, &self.claim, place, w, || self.oracle.witness(place, w)))
    }

    fn choices(&mut self, place: &Position, w: u32) -> Result<Vec<Choice<Position>>, Error> {
        if let Some(choices) = self.chosen.get(&place.cells) {
            return Ok(choices.clone());
        }
        let game = self.game;
        let moves = candidates(game.lines().is_some(), game, &self.claim, place);
        let moves = moves.map(|m| (m, game.play(place, m)));
        let moves = moves.filter(|(_, q)| game.result(q).is_none()).collect();
        let choices = self.choose(place, w, moves)?;
        if self.chosen.len() >= MOST_CHOSEN {
            self.chosen.clear();
        }
        self.chosen.insert(place.cells.clone(), choices.clone());
        Ok(choices)
    }

    fn rule_at_root(&mut self, game: &dyn Rules, p: &Position, w: u32) -> Result<Reason, Error> {
        let reason = witness::after(game, &self.claim, p, w, || self.oracle.witness(p, w));
        Ok(reason.unwrap_or((Rule::Play, Vec::new())))
    }
}
