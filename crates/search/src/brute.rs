//! Minimax with nothing but the rules: the obviously right twin of the other searches.
//!
//! Every position is visited once and remembered under itself, not under a key: no symmetry, no bounds, no hints, no
//! cutoffs. Time and memory are proportional to the number of positions reachable.

use std::{
    collections::{HashMap, hash_map::Entry},
    mem::size_of,
};

use ludex_core::{Bounds, Game, Stats, Status, Stop, Value, Verdict};

use crate::ask::{Ask, Meter};

/// The exact value of a position and a line of best play.
pub fn solve<G: Game>(ask: &Ask<'_, G>, memory: u64) -> Verdict<G::Move> {
    if let Some(outcome) = ask.game.outcome(&ask.position) {
        return Verdict::ended(outcome);
    }
    let room = memory / (size_of::<(G::Position, Value)>() as u64 * 2 + 2);
    let mut brute = Brute {
        game: ask.game,
        meter: Meter::new(ask.probe),
        room: room as usize,
        values: HashMap::new(),
        stats: Stats::default(),
    };
    let result = brute.value(&ask.position, 0);
    brute.meter.finish();
    let mut stats = std::mem::take(&mut brute.stats);
    stats.nodes = brute.meter.nodes;
    stats.memory = (brute.values.capacity() * (size_of::<(G::Position, Value)>() + 1)) as u64;
    match result {
        Ok(value) => {
            ask.probe.bounds(Bounds::exact(value));
            let pv = brute.line(ask.position);
            Verdict {
                bounds: Bounds::exact(value),
                status: Status::Solved,
                best: pv.first().copied(),
                pv,
                stats,
            }
        }
        Err(stop) => Verdict { bounds: Bounds::ALL, status: stop.into(), best: None, pv: Vec::new(), stats },
    }
}

struct Brute<'a, G: Game> {
    game: &'a G,
    meter: Meter<'a>,
    room: usize,
    values: HashMap<G::Position, Value>,
    stats: Stats,
}

impl<G: Game> Brute<'_, G> {
    fn value(&mut self, p: &G::Position, ply: u32) -> Result<Value, Stop> {
        if let Some(outcome) = self.game.outcome(p) {
            return Ok(Value::ended(outcome));
        }
        if let Some(&value) = self.values.get(p) {
            self.stats.table_hits += 1;
            return Ok(value);
        }
        self.meter.tick()?;
        self.stats.depth = self.stats.depth.max(ply);
        let mut best = Value::WORST;
        for m in self.moves(p) {
            best = best.max(self.after(p, m, ply)?);
        }
        if self.values.len() >= self.room {
            return Err(Stop::Memory);
        }
        self.values.insert(*p, best);
        Ok(best)
    }

    /// What a move is worth to the side that makes it.
    fn after(&mut self, p: &G::Position, m: G::Move, ply: u32) -> Result<Value, Stop> {
        let child = self.game.play(p, m);
        let value = self.value(&child, ply + 1)?;
        Ok(if self.game.side(&child) == self.game.side(p) { value.later() } else { value.back() })
    }

    fn moves(&self, p: &G::Position) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.each_move(p, |m| moves.push(m));
        moves.sort_unstable();
        moves
    }

    /// Best play from here; of equally good moves the smallest.
    fn line(&mut self, mut p: G::Position) -> Vec<G::Move> {
        let mut line = Vec::new();
        while let Entry::Occupied(known) = self.values.entry(p) {
            let value = *known.get();
            let best = self.moves(&p).into_iter().find(|&m| self.after(&p, m, 0) == Ok(value));
            let Some(m) = best else { break };
            line.push(m);
            p = self.game.play(&p, m);
        }
        line
    }
}
