//! Minimax with nothing but the rules: the obviously right twin of the other searches.
//!
//! Every position is visited once and remembered under itself, not under a key: no symmetry, no bounds, no hints, no
//! cutoffs. Time and memory are proportional to the number of positions reachable.

use std::{collections::hash_map::Entry, mem::size_of};

use ludex_core::{Bounds, Contradiction, Game, Stats, Status, Stop, Value, Verdict, sort_by};

use crate::{
    ask::Ask,
    driver::MOVES,
    halt::{Halt, together},
    hash::Map,
    meter::Meter,
};

/// The exact value of a position and a line of best play.
///
/// ```
/// use ludex_core::{Game, Goal, Unlimited, Value};
/// use ludex_games::template::Heap;
/// use ludex_search::{Ask, brute};
///
/// let game = Heap { size: 21 }.for_goal(Goal::Distance);
/// let position = game.root().expect("a start");
/// let ask = Ask { game: &game, position, goal: Goal::Distance, probe: &Unlimited, worker: 0 };
/// let verdict = brute::solve(&ask, 1 << 20)?;
/// assert_eq!(verdict.bounds.value(), Some(Value::win(11)));
/// # Ok::<(), ludex_core::Contradiction>(())
/// ```
///
/// # Errors
/// If the rules contradict themselves: a game that goes on without a move, or that was over before.
pub fn solve<G: Game>(ask: &Ask<'_, G>, memory: u64) -> Result<Verdict<G::Move>, Contradiction> {
    if let Some(outcome) = ask.game.outcome(&ask.position) {
        return Ok(Verdict::ended(outcome));
    }
    let mut brute = Brute {
        game: ask.game,
        meter: Meter::new(ask.probe),
        room: room::<G>(memory),
        values: Map::default(),
        stats: Stats::default(),
    };
    let result = brute.value(&ask.position, 0);
    brute.meter.finish();
    let mut stats = std::mem::take(&mut brute.stats);
    stats.nodes = brute.meter.nodes;
    stats.memory = (brute.values.capacity() / 7 * 8 * slot::<G>()) as u64;
    let verdict = match result {
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
        Err(Halt::Stopped(stop)) => {
            Verdict { bounds: Bounds::ALL, status: stop.into(), best: None, pv: Vec::new(), stats }
        }
        Err(Halt::Contradicted(found)) => return Err(*found),
    };
    Ok(verdict)
}

/// Bytes of a place in the map, a byte of its own bookkeeping included.
const fn slot<G: Game>() -> usize {
    size_of::<(G::Position, Value)>() + 1
}

/// How many positions fit. The map has a power of two of places, of which it fills seven in eight; while it doubles them,
/// it holds both the old ones and the new.
fn room<G: Game>(memory: u64) -> usize {
    let places = memory / 3 * 2 / slot::<G>() as u64;
    (1 << places.max(8).ilog2()) / 8 * 7
}

struct Brute<'a, G: Game> {
    game: &'a G,
    meter: Meter<'a>,
    room: usize,
    values: Map<G::Position, Value>,
    stats: Stats,
}

impl<G: Game> Brute<'_, G> {
    fn value(&mut self, p: &G::Position, ply: u32) -> Result<Value, Halt> {
        if let Some(outcome) = self.game.outcome(p) {
            return Ok(Value::ended(outcome));
        }
        if let Some(&value) = self.values.get(p) {
            self.stats.table_hits += 1;
            return Ok(value);
        }
        self.meter.tick()?;
        self.stats.depth = self.stats.depth.max(ply);
        let moves = self.moves(p);
        self.meter.spend(moves.len())?;
        let mut best = Value::WORST;
        for m in moves {
            self.meter.spend(1)?;
            best = best.max(self.after(p, m, ply)?);
        }
        together(p, (MOVES, Bounds::exact(best)), ("a game that goes on", G::OPEN))?;
        if self.values.len() >= self.room {
            return Err(Stop::Memory.into());
        }
        self.values.insert(*p, best);
        Ok(best)
    }

    /// What a move is worth to the side that makes it.
    fn after(&mut self, p: &G::Position, m: G::Move, ply: u32) -> Result<Value, Halt> {
        let child = self.game.play(p, m);
        let value = self.value(&child, ply + 1)?;
        Ok(if self.game.side(&child) == self.game.side(p) { value.later() } else { value.back() })
    }

    fn moves(&self, p: &G::Position) -> Vec<G::Move> {
        let mut moves = self.game.moves(p);
        sort_by(&mut moves, Ord::cmp);
        moves
    }

    /// Best play from here; of equally good moves the smallest.
    fn line(&mut self, mut p: G::Position) -> Vec<G::Move> {
        let mut line = Vec::new();
        while let Entry::Occupied(known) = self.values.entry(p) {
            let value = *known.get();
            let best = self.moves(&p).into_iter().find(|&m| self.after(&p, m, 0).is_ok_and(|v| v == value));
            let Some(m) = best else { break };
            line.push(m);
            p = self.game.play(&p, m);
        }
        line
    }
}
