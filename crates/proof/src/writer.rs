//! The writer: a strategy in, a certificate out.
//!
//! It walks through the positions of a strategy exactly as the checker will, by the same naive rules, and writes down what the
//! checker will read. So whatever a strategy says, the file is either a proof or refused.

use std::collections::HashMap;

use ludex_core::{Error, ErrorCode};

use crate::{
    checker::least_image,
    header::{ANY, Chunk, Claim, Header},
    pack,
    rules::{LineGame, Move, Position, Rule, Rules},
    stream, theorems,
};

pub use crate::{
    checker::{Step, candidates},
    header::one_less,
};

/// A strategy of the claimant.
pub trait Strategy {
    /// What to do in an unfinished game with the claimant to move, within so many moves.
    ///
    /// # Errors
    /// If the strategy does not know, or was stopped.
    fn decide(&mut self, game: &dyn Rules, p: &Position, w: u32) -> Result<Step, Error>;

    /// The rule for a position with the opponent to move to which no move of the claimant has led.
    ///
    /// # Errors
    /// If the strategy does not know, or was stopped.
    fn settle(&mut self, game: &dyn Rules, p: &Position, w: u32) -> Result<(Rule, Vec<u32>), Error> {
        let _ = (game, p, w);
        Ok((Rule::Play, Vec::new()))
    }
}

/// A position that gets a chunk of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// The number of the claim, from 0.
    pub claim: usize,
    /// The board and the side to move, as texts and as they are read.
    pub board: String,
    /// The position.
    pub position: Position,
    /// The limit, or [`ANY`].
    pub within: u32,
}

/// What is written once per stored step, before rules have numbers.
struct Record {
    /// The number of the move among the candidates; `None` for a rule alone.
    candidate: Option<usize>,
    here: bool,
    rule: Rule,
    hints: Vec<u32>,
}

/// Write a certificate. The header says everything but rules and chunks; the roots are those of the chunks, the first of each
/// claim being the position of the file.
///
/// # Errors
/// If a strategy does not know what to do, or does something that is no move.
pub fn write(
    mut header: Header,
    game: &dyn Rules,
    roots: &[Root],
    strategies: &mut [&mut dyn Strategy],
) -> Result<Vec<u8>, Error> {
    let (mut written, mut used_after) = (Vec::new(), Vec::new());
    for (i, root) in roots.iter().enumerate() {
        let claim = Claim { within: root.within, ..header.claims[root.claim] };
        let mut walk = Walk {
            header: &header,
            game,
            claim,
            strategy: &mut *strategies[root.claim],
            known: HashMap::new(),
            elsewhere: roots_of(game, roots, i, &claim),
            depth: 0,
            records: Vec::new(),
            used: Vec::new(),
            most: usize::MAX,
            cut: Vec::new(),
        };
        walk.prove(&root.position, root.within)?;
        used_after.extend(walk.used);
        written.push((walk.records, walk.known.len() as u64));
    }
    let used = |here: bool| {
        let mut counts: Vec<(Rule, usize)> = if here { Vec::new() } else { vec![(Rule::Play, 0)] };
        let records = written.iter().flat_map(|(records, _)| records).filter(|record| record.here == here);
        let implied = used_after.iter().filter(|_| !here).copied();
        for used in records.map(|record| record.rule).chain(implied) {
            match counts.iter_mut().find(|(rule, _)| *rule == used) {
                Some((_, count)) => *count += 1,
                None => counts.push((used, 1)),
            }
        }
        counts.sort_by_key(|&(_, count)| usize::MAX - count);
        counts.into_iter().map(|(rule, _)| rule).collect::<Vec<_>>()
    };
    (header.here, header.after) = (used(true), used(false));
    header.strategy = !header.here.contains(&Rule::Steal);
    let mut packed = Vec::new();
    for (root, (records, remembered)) in roots.iter().zip(&written) {
        let mut bytes = Vec::new();
        for record in records {
            let list = if record.here { &header.here } else { &header.after };
            let rule = list.iter().position(|rule| *rule == record.rule).unwrap_or_default();
            let token = match record.candidate {
                Some(i) if header.leaf => header.here.len() + i,
                Some(i) => header.here.len() + i * header.after.len() + rule,
                None => rule,
            };
            pack::push(&mut bytes, token as u32);
            record.hints.iter().for_each(|&hint| pack::push(&mut bytes, hint));
        }
        let body = pack::pack(&bytes);
        header.chunks.push(Chunk {
            claim: root.claim,
            within: root.within,
            bytes: body.len(),
            inflated: bytes.len() as u64,
            remembered: *remembered,
            sha256: stream::digest(&bytes),
            board: root.board.clone(),
            side: root.position.side,
        });
        packed.extend(body);
    }
    let mut file = header.write().into_bytes();
    file.extend(packed);
    Ok(file)
}

/// Something a strategy should not have said.
pub(crate) fn unsound(what: &str, hint: &str) -> Error {
    Error::new(ErrorCode::Contradiction, what, hint)
}

struct Walk<'a> {
    header: &'a Header,
    game: &'a dyn Rules,
    claim: Claim,
    strategy: &'a mut dyn Strategy,
    known: HashMap<Vec<u8>, u32>,
    elsewhere: HashMap<Vec<u8>, u32>,
    depth: usize,
    records: Vec<Record>,
    /// The rules that settle positions without a record, as often as they do.
    used: Vec<Rule>,
    /// Positions with more steps than this below them are cut off.
    most: usize,
    cut: Vec<(Position, u32)>,
}

impl Walk<'_> {
    fn prove(&mut self, p: &Position, w: u32) -> Result<(), Error> {
        if let Some(winner) = self.game.result(p) {
            if self.claim.satisfied(winner) {
                return Ok(());
            }
            return Err(unsound("the strategy loses what it should keep", "the value or a rule is wrong"));
        }
        if w == 0 {
            return Err(unsound("the strategy takes longer than is claimed", "the value or a rule is wrong"));
        }
        if p.side == self.claim.side {
            return self.claimant(p, w);
        }
        let (rule, hints) = self.strategy.settle(self.game, p, w)?;
        let zone = hints.clone();
        self.records.push(Record { candidate: None, here: false, rule, hints });
        self.opponent(p, w, rule, &zone)
    }

    fn claimant(&mut self, p: &Position, w: u32) -> Result<(), Error> {
        let claim = self.claim;
        let moves = self.game.moves(p);
        let satisfied = |m: Move| self.game.ends(p, m).is_some_and(|winner| claim.satisfied(winner));
        if self.header.win && moves.iter().any(|&m| satisfied(m)) {
            return Ok(());
        }
        let image = least_image(self.game, p);
        if self.header.repeat {
            let has = |known: &HashMap<Vec<u8>, u32>| known.get(&image).is_some_and(|&limit| limit <= w);
            if has(&self.known) || self.depth > 0 && has(&self.elsewhere) {
                return Ok(());
            }
        }
        let candidates: Vec<Move> = candidates(self.header.forced, self.game, &claim, p).collect();
        if self.header.leaf
            && let Some(lines) = self.game.lines()
            && let Some((_, rule)) =
                theorems::leaf(lines, &leaf_rules(lines, &claim), &claim, p, &candidates, w)
        {
            self.used.push(rule);
            return Ok(());
        }
        let step = match candidates[..] {
            [m] if self.header.only => Step { play: Some(m), rule: Rule::Play, hints: Vec::new() },
            _ => self.strategy.decide(self.game, p, w)?,
        };
        let Step { play, rule, hints } = step;
        if self.header.leaf && play.is_some() && rule != Rule::Play {
            return Err(unsound("a rule settles what it should not", "a rule is wrong"));
        }
        let Some(m) = play else {
            self.records.push(Record { candidate: None, here: true, rule, hints });
            if self.header.repeat {
                self.known.insert(image, w);
            }
            return Ok(());
        };
        let candidate = candidates.iter().position(|&c| c == m);
        let candidate = candidate.ok_or_else(|| {
            let what = format!("the strategy plays {}, which is refuted at once", self.game.text(p, m));
            unsound(&what, "the value or a rule is wrong")
        })?;
        let zone = hints.clone();
        let before = self.records.len();
        if !(self.header.only && candidates.len() == 1) {
            self.records.push(Record { candidate: Some(candidate), here: false, rule, hints });
        }
        self.depth += 1;
        let q = self.game.play(p, m);
        if q.side == claim.side || self.game.result(&q).is_some() {
            self.prove(&q, one_less(w))?;
        } else {
            self.opponent(&q, one_less(w), rule, &zone)?;
        }
        self.depth -= 1;
        if self.header.repeat {
            if self.depth > 0 && self.records.len() - before > self.most {
                // The steps go into a chunk of their own; what they have proved on the way stays there too.
                self.records.truncate(before);
                self.cut.push((p.clone(), w));
                self.elsewhere.insert(image, w);
                self.known.clear();
                return Ok(());
            }
            self.known.insert(image, w);
        }
        Ok(())
    }

    fn opponent(&mut self, p: &Position, w: u32, rule: Rule, hints: &[u32]) -> Result<(), Error> {
        let zone = crate::witness::narrowed(self.game, &self.claim, p, w, &(rule, hints.to_vec()))?;
        for m in self.game.moves(p) {
            if zone.as_ref().is_none_or(|zone| zone.contains(&(m as usize))) {
                self.depth += 1;
                self.prove(&self.game.play(p, m), one_less(w))?;
                self.depth -= 1;
            }
        }
        Ok(())
    }
}

/// The rules of Connect Four that a writer tries on a position with the opponent to move.
fn leaf_rules(game: &LineGame, claim: &Claim) -> Vec<Rule> {
    let draw = [Rule::Follow, Rule::Dead].into_iter().filter(|_| !claim.win);
    let odd = (1..=game.width as u32).map(Rule::Odd);
    // Without a limit the highest row does what every other does.
    let rows = if claim.within == ANY { 1 } else { game.height };
    let promised = (1..=game.height as u32).rev().take(rows).map(Rule::Promised);
    draw.chain([Rule::Even]).chain(odd).chain(promised).collect()
}

/// Write a certificate, and cut off positions with more than `most` steps below them into chunks of their own.
///
/// # Errors
/// If a strategy does not know what to do, or does something that is no move.
pub fn write_in_chunks(
    header: Header,
    game: &dyn Rules,
    mut roots: Vec<Root>,
    strategies: &mut [&mut dyn Strategy],
    most: usize,
) -> Result<Vec<u8>, Error> {
    let mut done = 0;
    while done < roots.len() {
        let root = roots[done].clone();
        let claim = Claim { within: root.within, ..header.claims[root.claim] };
        let mut walk = Walk {
            header: &header,
            game,
            claim,
            strategy: &mut *strategies[root.claim],
            known: HashMap::new(),
            elsewhere: roots_of(game, &roots, done, &claim),
            depth: 0,
            records: Vec::new(),
            used: Vec::new(),
            most,
            cut: Vec::new(),
        };
        walk.prove(&root.position, root.within)?;
        let cut = walk.cut;
        for (position, within) in cut {
            roots.push(Root { claim: root.claim, board: game.write(&position), position, within });
        }
        done += 1;
    }
    write(header, game, &roots, strategies)
}

/// The roots of the other chunks of a claim with the claimant to move.
fn roots_of(game: &dyn Rules, roots: &[Root], but: usize, claim: &Claim) -> HashMap<Vec<u8>, u32> {
    let mut found = HashMap::new();
    for (i, other) in roots.iter().enumerate() {
        if i != but && other.claim == roots[but].claim && other.position.side == claim.side {
            let least = found.entry(least_image(game, &other.position)).or_insert(other.within);
            *least = other.within.min(*least);
        }
    }
    found
}
