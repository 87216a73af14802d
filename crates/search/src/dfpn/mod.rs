//! Depth-first proof-number search (Nagai 2002) with 1 + ε thresholds (Pawlewicz and Lew 2007).
//!
//! At every node two numbers estimate the work left: `phi` to show that the side to move reaches the question's
//! `beta`, `delta` to show that it does not. A node's `phi` is the least `delta` of its children, its `delta` combines
//! their `phi`. The search follows the cheapest child until its numbers pass thresholds set by the second cheapest,
//! and keeps all numbers in a table of exact keys.
//!
//! Positions are reached by many paths here (the games are acyclic graphs, not trees), so a sum over children counts
//! shared work twice and more. [`Combine::Weak`] takes instead the largest child plus one for each other unsolved
//! child (Ueda, Hashimoto, Hashimoto and Iida 2008), which cannot count anything twice.
mod numbers;
mod pursue;

use std::{collections::HashSet, hash::BuildHasherDefault};

use ludex_core::{Bounds, Contradiction, Game, Goal, Key, Moves, Probe, Stats, Value, Verdict, Window};

pub use numbers::ProofTable;
use numbers::{Numbers, Remembered};
use pursue::Slice;
pub use pursue::{Branch, Fact, Limit, Pursued, pursue};

use crate::{
    ask::Ask,
    driver::{self, Answer, KNOWN, MOVES, Oracle, RULES, TABLE},
    halt::{Halt, contradicted, together},
    hash::Mix,
    meter::Meter,
};

/// Nodes of a search that is long beside the clearing of a large table.
const LONG: u64 = 1 << 14;
/// Nodes from one step of getting ready for a long search to the next.
const SETTLE: u64 = 16;

/// How the numbers of alternatives of the other side are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// Their sum, as published.
    Sum,
    /// The largest, plus one for each other that is not settled.
    Weak,
}

/// What can be tuned. Nothing of it changes the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How a node's `delta` is made of its children's `phi`.
    pub combine: Combine,
    /// How far beyond the second cheapest child a child may go before the search comes back: a share of its number.
    pub epsilon: f64,
    /// Whether a position met for the first time has at least as much to disprove as it has moves.
    pub mobility: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { combine: Combine::Weak, epsilon: 0.25, mobility: true }
    }
}

/// Judge a position with this worker.
///
/// ```
/// use ludex_core::{Game, Goal, Outcome, Unlimited};
/// use ludex_games::template::Heap;
/// use ludex_search::{Ask, dfpn::{self, ProofTable}};
///
/// let game = Heap { size: 21 }.for_goal(Goal::Wdl);
/// let position = game.root().expect("a start");
/// let ask = Ask { game: &game, position, goal: Goal::Wdl, probe: &Unlimited, worker: 0 };
/// let table = ProofTable::new(1 << 20);
/// let verdict = dfpn::solve(&ask, &table, dfpn::Options::default())?;
/// assert_eq!(verdict.bounds.outcome(), Some(Outcome::Win));
/// # Ok::<(), ludex_core::Contradiction>(())
/// ```
///
/// # Errors
/// If the game's rules, the table and the moves contradict each other somewhere.
pub fn solve<G: Game>(
    ask: &Ask<'_, G>,
    table: &ProofTable<G::Key>,
    options: Options,
) -> Result<Verdict<G::Move>, Contradiction> {
    driver::solve(ask, &mut Dfpn::new(ask, table, options))
}

/// Settle one question about an unfinished game, and nothing more: no best move, no line. `None` if the search was stopped.
///
/// # Errors
/// If the game's rules, the table and the moves contradict each other somewhere.
pub fn settle<G: Game>(
    ask: &Ask<'_, G>,
    table: &ProofTable<G::Key>,
    options: Options,
    question: Window,
) -> Result<Option<Bounds>, Contradiction> {
    driver::settle(&mut Dfpn::new(ask, table, options), &ask.position, question)
}

/// A child of the node at work, and what is known of it from its own mover's side.
struct Child<G: Game> {
    m: G::Move,
    position: G::Position,
    key: Option<G::Key>,
    question: Window,
    alternates: bool,
    numbers: Numbers,
    bounds: Bounds,
}

impl<G: Game> Child<G> {
    /// Work to show that the move reaches the parent's question, and work to show that it does not.
    fn seen_by_parent(&self) -> Numbers {
        if self.alternates { self.numbers.flipped() } else { self.numbers }
    }
}

/// Which children a node has already: few are compared one by one, many by a set of their keys.
struct Met<K>(Option<HashSet<K, BuildHasherDefault<Mix>>>);

impl<K: Key> Met<K> {
    const FEW: usize = 256;

    fn new(moves: usize) -> Self {
        Self((moves > Self::FEW).then(HashSet::default))
    }

    /// Whether a child of this key was met before.
    fn again<G: Game<Key = K>>(&mut self, key: K, children: &[Child<G>]) -> bool {
        match &mut self.0 {
            Some(met) => !met.insert(key),
            None => children.iter().any(|c| c.key == Some(key)),
        }
    }
}

struct Dfpn<'a, G: Game> {
    game: &'a G,
    table: &'a ProofTable<G::Key>,
    options: Options,
    meter: Meter<'a>,
    probe: &'a dyn Probe,
    stats: Stats,
    created: u64,
    moves: Moves<G::Move>,
    worker: usize,
    classes: bool,
    spare: Vec<Vec<Child<G>>>,
    /// Where the search is one slice of a larger one.
    slice: Option<Slice<G>>,
}

/// The state of a node: its numbers and bounds.
type State = (Numbers, Bounds);

impl<'a, G: Game> Dfpn<'a, G> {
    fn new(ask: &Ask<'a, G>, table: &'a ProofTable<G::Key>, options: Options) -> Self {
        Self {
            game: ask.game,
            table,
            options,
            meter: Meter::new(ask.probe),
            probe: ask.probe,
            stats: Stats::default(),
            created: 0,
            moves: Moves::new(),
            worker: ask.worker,
            classes: ask.goal == Goal::Wdl,
            spare: Vec::new(),
            slice: None,
        }
    }
}

impl<G: Game> Dfpn<'_, G> {
    fn sound(&self, bounds: Bounds) -> Bounds {
        if self.classes { driver::classes(bounds) } else { bounds }
    }

    /// The numbers of a position met for the first time, or remembered.
    fn meet(&mut self, parent: &G::Position, m: G::Move, window: Window) -> Result<Child<G>, Halt> {
        self.meter.spend(1)?;
        let position = self.game.step(parent, m);
        let alternates = G::ALTERNATES || self.game.side(parent) != self.game.side(&position);
        let question = window.child(alternates);
        if let Some(outcome) = self.game.outcome(&position) {
            self.stats.leaves += 1;
            let bounds = Bounds::exact(Value::ended(outcome));
            let numbers = Numbers::settled(question, bounds);
            return Ok(Child { m, position, key: None, question, alternates, numbers, bounds });
        }
        let key = self.game.key(&position);
        let (numbers, bounds) = match self.table.get(key, question) {
            // Nothing empty is put in here, but a table can come from a checkpoint.
            Some(Remembered { bounds, .. }) if bounds.is_empty() => {
                return Err(contradicted(&position, (TABLE, bounds), ("a game that goes on", G::OPEN)).into());
            }
            Some(Remembered { numbers, bounds }) => (numbers, bounds),
            None => {
                self.created += 1;
                let mut moves = std::mem::take(&mut self.moves);
                let seen =
                    self.meter.look::<_, Halt>(self.game, self.classes, &position, question, &mut moves);
                let width = moves.len() as f64;
                self.moves = moves;
                let bounds = seen?;
                let numbers = if question.settled_by(bounds) {
                    self.stats.leaves += 1;
                    Numbers::settled(question, bounds)
                } else {
                    let (phi, delta) = self.game.effort(&position, question);
                    let (phi, delta) = (f64::from(phi), f64::from(delta));
                    // Every move has to be refuted.
                    Numbers { phi, delta: if self.options.mobility { delta.max(width) } else { delta } }
                };
                self.table.put(key, question, numbers, bounds, 0);
                (numbers, bounds)
            }
        };
        Ok(Child { m, position, key: Some(key), question, alternates, numbers, bounds })
    }

    /// The numbers and bounds of a node from those of its children. Moves that are not among them are worth at most
    /// `left_out`.
    fn combine(
        &self,
        p: &G::Position,
        children: &[Child<G>],
        window: Window,
        known: Bounds,
        left_out: Value,
    ) -> Result<State, Box<Contradiction>> {
        let mut phi = f64::INFINITY;
        let (mut sum, mut largest, mut open) = (0.0f64, 0.0f64, 0.0f64);
        let (mut lo, mut hi) = (Value::WORST, left_out);
        for child in children {
            let seen = child.seen_by_parent();
            phi = phi.min(seen.phi);
            sum += seen.delta;
            largest = largest.max(seen.delta);
            open += f64::from(u8::from(seen.delta > 0.0));
            let bounds = child.bounds.back(child.alternates);
            lo = lo.max(bounds.lo);
            hi = hi.max(bounds.hi);
        }
        let moves = Bounds { lo, hi };
        let bounds = self.sound(known.meet(moves));
        if bounds.is_empty() {
            return Err(contradicted(p, (RULES, known), (MOVES, moves)));
        }
        let delta = match self.options.combine {
            Combine::Sum => sum,
            Combine::Weak if open == 0.0 => 0.0,
            Combine::Weak => largest + (open - 1.0),
        };
        if window.settled_by(bounds) {
            return Ok((Numbers::settled(window, bounds), bounds));
        }
        Ok((Numbers { phi, delta }, bounds))
    }

    /// Work at a node until one of its numbers reaches its limit.
    fn work(
        &mut self,
        p: &G::Position,
        key: Option<G::Key>,
        window: Window,
        limit: Numbers,
        ply: u32,
    ) -> Result<State, Halt> {
        self.meter.tick()?;
        if self.meter.nodes >= LONG && self.meter.nodes.is_multiple_of(SETTLE) {
            self.table.settle();
        }
        self.stats.depth = self.stats.depth.max(ply);
        let started = self.meter.nodes;
        let mut moves = std::mem::take(&mut self.moves);
        let seen = self.meter.look::<_, Halt>(self.game, self.classes, p, window, &mut moves);
        let list: Vec<G::Move> = moves.iter().collect();
        let mut left_out = moves.left_out();
        self.moves = moves;
        let known = seen?;
        if window.settled_by(known) {
            return Ok((Numbers::settled(window, known), known));
        }
        let mut children = self.spare.pop().unwrap_or_default();
        let mut met = Met::new(list.len());
        for m in list {
            let child = self.meet(p, m, window)?;
            if child.key.is_some_and(|key| met.again(key, &children)) {
                continue;
            }
            let proven = child.seen_by_parent().phi == 0.0;
            children.push(child);
            if proven {
                self.stats.cutoffs += 1;
                left_out = Value::BEST;
                break;
            }
        }
        let state = loop {
            self.meter.spend(children.len())?;
            let (numbers, bounds) = self.combine(p, &children, window, known, left_out)?;
            if ply == 0 {
                self.probe.numbers(numbers.phi, numbers.delta);
            }
            if numbers.phi >= limit.phi || numbers.delta >= limit.delta || numbers.is_settled() {
                break (numbers, bounds);
            }
            if self.slice.as_mut().is_some_and(|slice| slice.is_over(self.meter.nodes, self.probe)) {
                break (numbers, bounds);
            }
            let (pick, second) = self.select(&children, limit.phi);
            let child = &children[pick];
            let seen = child.seen_by_parent();
            // The child may go on until another one is cheaper, or until this node's own delta is reached.
            let others = match self.options.combine {
                Combine::Sum => numbers.delta - seen.delta,
                Combine::Weak => {
                    children.iter().filter(|c| c.seen_by_parent().delta > 0.0).count() as f64 - 1.0
                }
            };
            let reach = Numbers {
                phi: limit
                    .phi
                    .min((second * (1.0 + self.options.epsilon)).max(second + 1.0).max(second.next_up())),
                // A little more than what is missing, or rounding could leave it missing for ever.
                delta: (limit.delta - others) * (1.0 + 1e-9),
            };
            let child_limit = if child.alternates { reach.flipped() } else { reach };
            let (m, position, child_key, question) = (child.m, child.position, child.key, child.question);
            if let Some(slice) = &mut self.slice {
                slice.way.push(m);
            }
            if let Some(k) = child_key {
                self.table.busy.enter(k);
            }
            let result = self.work(&position, child_key, question, child_limit, ply + 1);
            if let Some(k) = child_key {
                self.table.busy.leave(k);
            }
            if let Some(slice) = &mut self.slice {
                slice.way.pop();
            }
            let (numbers, bounds) = result?;
            children[pick].numbers = numbers;
            let before = children[pick].bounds;
            children[pick].bounds = together(&position, (KNOWN, before), ("the search", bounds))?;
        };
        if let Some(key) = key {
            let work = self.meter.nodes - started + 1;
            self.table.put(key, window, state.0, state.1, work);
            if let Some(slice) = &mut self.slice {
                slice.note(key, window, state, work);
            }
        }
        children.clear();
        self.spare.push(children);
        Ok(state)
    }

    /// The cheapest child, and the number of the second cheapest. Children that other workers are at seem dearer, but
    /// only among those below the limit: at any other the search could do nothing.
    fn select(&self, children: &[Child<G>], limit: f64) -> (usize, f64) {
        let (mut pick, mut best, mut second) = (0, f64::INFINITY, f64::INFINITY);
        for (i, child) in children.iter().enumerate() {
            let mut phi = child.seen_by_parent().phi;
            if phi >= limit {
                second = second.min(phi);
                continue;
            }
            if let Some(key) = child.key {
                phi *= 1.0 + f64::from(self.table.busy.at(key));
                if self.worker > 0 {
                    phi *= 1.0 + 0.01 * ((i + self.worker) % 3) as f64;
                }
            }
            if phi < best {
                (second, best, pick) = (best, phi, i);
            } else if phi < second {
                second = phi;
            }
        }
        (pick, second)
    }
}

impl<G: Game> Oracle<G> for Dfpn<'_, G> {
    fn put(&mut self, root: &G::Position, question: Window) -> Result<Answer<G::Move>, Halt> {
        let none = Numbers { phi: f64::INFINITY, delta: f64::INFINITY };
        let (_, bounds) = self.work(root, Some(self.game.key(root)), question, none, 0)?;
        // The first move, in the game's order, that is known to keep the lower bound.
        let mut moves = Moves::new();
        let known = self.meter.look::<_, Halt>(self.game, self.classes, root, question, &mut moves)?;
        let mut best = None;
        if !question.settled_by(known) {
            for m in moves.iter() {
                let child = self.meet(root, m, question)?;
                if self.sound(child.bounds.back(child.alternates)).lo >= bounds.lo {
                    best = Some(m);
                    break;
                }
            }
        }
        Ok(Answer { bounds, best })
    }

    fn recall(&self, p: &G::Position) -> Result<Bounds, Box<Contradiction>> {
        Ok(self.table.get(self.game.key(p), Window::WIN).map_or(Bounds::ALL, |known| known.bounds))
    }

    fn nodes(&self) -> u64 {
        self.meter.nodes
    }

    fn finish(&mut self) -> Stats {
        self.meter.finish();
        let mut stats = std::mem::take(&mut self.stats);
        stats.nodes = self.meter.nodes;
        stats.created = Some(self.created);
        stats.table_fill = self.table.fill();
        stats.memory = self.table.bytes();
        stats
    }
}
