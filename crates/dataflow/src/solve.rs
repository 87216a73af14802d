//! Solving the listed positions: from the last rank to the first, each worker those it owns.
//!
//! A worker asks the owners of the successors for their codes, by key, many thousands at a time. An owner sorts what it is
//! asked and goes once through its list, which may be on disk. The answers come in the order of the questions, a byte
//! or two bits each, so that no key travels back. The codes of a finished rank are in `codes-R` beside `list-R`.

use std::collections::BTreeMap;

use ludex_core::{Code, Error};
use ludex_search::retrograde::{Fan, Listed};

use crate::{
    codes::{Codes, CodesWriter, pack, unpack},
    exchange::Exchange,
    fault,
    grow::Shelf,
    pile::Pile,
    rows::{order, owner},
    sections::{Sections, each_section},
};

/// A rank in memory.
struct Held {
    keys: Vec<u8>,
    codes: Vec<u8>,
}

/// Solves the positions of one worker.
pub struct Solver<'a> {
    /// The game.
    pub listed: &'a dyn Listed,
    /// The files.
    pub shelf: &'a Shelf,
    /// Whether only the outcome is kept.
    pub outcome_only: bool,
    /// Bytes it may take.
    pub memory: usize,
    held: BTreeMap<u32, Held>,
}

/// A question that is under way: the position it is for, and whether the same side moves again after the move.
#[derive(Clone, Copy)]
struct Asked(u32);

impl Asked {
    fn new(position: usize, again: bool) -> Self {
        Self((position as u32) << 1 | u32::from(again))
    }
}

impl<'a> Solver<'a> {
    /// Ready to solve.
    pub fn new(listed: &'a dyn Listed, shelf: &'a Shelf, outcome_only: bool, memory: usize) -> Self {
        Self { listed, shelf, outcome_only, memory, held: BTreeMap::new() }
    }

    /// Solve a rank, later ranks being solved; says who is to move: 1 first, 2 second, 3 both.
    ///
    /// # Errors
    /// If a file fails, it was called off, or a process is lost.
    pub fn solve(&mut self, rank: u32, exchange: &mut Exchange<'_>) -> Result<u8, Error> {
        let (row_len, key_len) = (self.listed.row_len(), self.listed.key_len());
        let list = self.shelf.list(rank);
        let mut pile = if list.exists() { Some(Pile::open(&list, row_len)?) } else { None };
        let mut writer = match &pile {
            Some(_) => Some(CodesWriter::kept(&self.shelf.codes(rank), self.outcome_only)?),
            None => None,
        };
        let most = (self.memory / 32).clamp(1 << 14, 1 << 24);
        let (mut rows, mut fan, mut sides) = (Vec::new(), Fan::default(), 0);
        loop {
            let mut best: Vec<u8> = Vec::new();
            let mut out: Vec<Sections> = vec![Sections::default(); exchange.peers];
            let mut asked: Vec<Vec<Vec<Asked>>> = vec![Vec::new(); exchange.peers];
            let mut bytes = 0;
            while let Some(pile) = pile.as_mut().filter(|pile| pile.left() > 0 && bytes < most) {
                exchange.check()?;
                pile.next(&mut rows)?;
                self.listed.fan(&rows, true, &mut fan).map_err(|row| crate::no_row(&list, row))?;
                sides |= fan.sides;
                let mut child = 0;
                for (&over, &end) in fan.over.iter().zip(&fan.ends) {
                    let position = best.len();
                    let mut code = Code(over);
                    for i in child..end as usize {
                        if fan.known[i] != 0 {
                            code = code.max(seen(Code(fan.known[i]), fan.again[i]));
                            continue;
                        }
                        let key = &fan.rows[i * row_len..][..key_len];
                        let to = owner(key, exchange.peers);
                        let section = out[to].push(fan.ranks[i], key);
                        if asked[to].len() == section {
                            asked[to].push(Vec::new());
                        }
                        asked[to][section].push(Asked::new(position, fan.again[i]));
                        bytes += key_len + 4;
                    }
                    child = end as usize;
                    best.push(code.0);
                }
                bytes += rows.len() / row_len;
                exchange.watch().count((rows.len() / row_len) as u64);
            }
            let left = pile.as_ref().is_some_and(|pile| pile.left() > 0);
            let round = exchange.swap(out.into_iter().map(Sections::bytes).collect(), left)?;
            let answers = self.answer(&round.messages)?;
            let answers = exchange.swap(answers, false)?.messages;
            for (asked, answer) in asked.into_iter().zip(answers) {
                let asked: Vec<Asked> = asked.concat();
                let mut codes = Vec::with_capacity(asked.len());
                if self.outcome_only {
                    if answer.len() != asked.len().div_ceil(4) {
                        return Err(fault("an answer is cut off"));
                    }
                    unpack(&answer, asked.len(), &mut codes);
                } else {
                    codes = answer;
                }
                if codes.len() != asked.len() {
                    return Err(fault("an answer is cut off"));
                }
                for (asked, code) in asked.iter().zip(codes) {
                    let (position, again) = ((asked.0 >> 1) as usize, asked.0 & 1 == 1);
                    best[position] = best[position].max(seen(Code(code), again).0);
                }
            }
            if let Some(writer) = &mut writer {
                if best.contains(&0) {
                    return Err(fault("a position has no value"));
                }
                writer.push(&best)?;
            }
            if !round.more {
                break;
            }
        }
        if let Some(writer) = writer {
            writer.keep()?;
        }
        Ok(sides)
    }

    /// The codes of the keys in each message, in their order.
    fn answer(&mut self, messages: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, Error> {
        let key_len = self.listed.key_len();
        let mut asked: BTreeMap<u32, Vec<(usize, &[u8])>> = BTreeMap::new();
        let mut order_of: Vec<Vec<u32>> = vec![Vec::new(); messages.len()];
        for (from, message) in messages.iter().enumerate() {
            each_section(message, key_len, |rank, keys| {
                asked.entry(rank).or_default().push((from, keys));
                order_of[from].push(rank);
                Ok(())
            })?;
        }
        let mut found: Vec<BTreeMap<u32, Vec<u8>>> = vec![BTreeMap::new(); messages.len()];
        for (&rank, parts) in &asked {
            let keys: Vec<u8> = parts.iter().flat_map(|(_, keys)| keys.iter().copied()).collect();
            let mut codes = &self.look_up(rank, &keys)?[..];
            for (from, keys) in parts {
                let (these, rest) = codes.split_at(keys.len() / key_len);
                found[*from].insert(rank, these.to_vec());
                codes = rest;
            }
        }
        let join = |(mut found, ranks): (BTreeMap<u32, Vec<u8>>, Vec<u32>)| {
            let codes: Vec<u8> =
                ranks.iter().flat_map(|rank| found.remove(rank).unwrap_or_default()).collect();
            if !self.outcome_only {
                return codes;
            }
            let mut packed = Vec::new();
            pack(&codes, &mut packed);
            packed
        };
        Ok(found.into_iter().zip(order_of).map(join).collect())
    }

    /// The codes of keys of a rank.
    fn look_up(&mut self, rank: u32, keys: &[u8]) -> Result<Vec<u8>, Error> {
        let key_len = self.listed.key_len();
        let sorted = order(keys, key_len);
        let key = |i: u32| &keys[i as usize * key_len..][..key_len];
        let mut codes = vec![0; sorted.len()];
        let mut sorted = sorted.into_iter().peekable();
        let missing = || fault("a successor is in no list");
        if self.hold(rank)? {
            let held = &self.held[&rank];
            let (list, n) = (&held.keys, held.codes.len());
            let at = |i: usize| &list[i * key_len..][..key_len];
            let mut from = 0;
            for i in sorted {
                let wanted = key(i);
                // Steps that double, then halves: the next key is seldom far.
                let mut step = 1;
                while from + step < n && at(from + step) <= wanted {
                    from += step;
                    step *= 2;
                }
                while step > 0 {
                    if from + step < n && at(from + step) <= wanted {
                        from += step;
                    }
                    step /= 2;
                }
                if from >= n || at(from) != wanted {
                    return Err(missing());
                }
                codes[i as usize] = held.codes[from];
            }
            return Ok(codes);
        }
        let row_len = self.listed.row_len();
        let mut pile = Pile::open(&self.shelf.list(rank), row_len)?;
        let mut values = Codes::open(&self.shelf.codes(rank), self.outcome_only)?;
        let (mut rows, mut block) = (Vec::new(), Vec::new());
        while sorted.peek().is_some() {
            pile.next(&mut rows)?;
            values.next(rows.len() / row_len, &mut block)?;
            if rows.is_empty() || block.len() != rows.len() / row_len {
                return Err(missing());
            }
            let mut at = 0;
            while let Some(&i) = sorted.peek() {
                while at < block.len() && rows[at * row_len..][..key_len] < *key(i) {
                    at += 1;
                }
                if at == block.len() {
                    break;
                }
                if rows[at * row_len..][..key_len] != *key(i) {
                    return Err(missing());
                }
                codes[i as usize] = block[at];
                sorted.next();
            }
        }
        Ok(codes)
    }

    /// Have a rank in memory, if it fits; ranks that are asked for no more make room.
    fn hold(&mut self, rank: u32) -> Result<bool, Error> {
        if self.held.contains_key(&rank) {
            return Ok(true);
        }
        let (row_len, key_len) = (self.listed.row_len(), self.listed.key_len());
        let path = self.shelf.list(rank);
        if !path.exists() {
            return Err(fault("a rank that is led to has no list"));
        }
        let mut pile = Pile::open(&path, row_len)?;
        let budget = self.memory as u64 / 2;
        let needed = pile.len() * (key_len as u64 + 1);
        if needed > budget {
            return Ok(false);
        }
        let size = |held: &Held| (held.keys.len() + held.codes.len()) as u64;
        while self.held.values().map(size).sum::<u64>() + needed > budget {
            self.held.pop_last();
        }
        let mut values = Codes::open(&self.shelf.codes(rank), self.outcome_only)?;
        let mut held = Held { keys: Vec::new(), codes: Vec::new() };
        held.keys.reserve_exact(pile.len() as usize * key_len);
        values.next(pile.len() as usize, &mut held.codes)?;
        if held.codes.len() as u64 != pile.len() {
            return Err(fault("a list and its codes differ in length"));
        }
        let mut rows = Vec::new();
        while pile.left() > 0 {
            pile.next(&mut rows)?;
            rows.chunks_exact(row_len).for_each(|row| held.keys.extend_from_slice(&row[..key_len]));
        }
        self.held.insert(rank, held);
        Ok(true)
    }
}

/// What a successor's code is worth before the move.
fn seen(code: Code, again: bool) -> Code {
    if again { code.later() } else { code.back() }
}
