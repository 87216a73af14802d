//! One slice of a larger proof search: work on one position until its numbers pass limits or the slice is over, and hand
//! back what others can use.
//!
//! A search that is shared out keeps the top of the tree in one place and has its leaves searched elsewhere. What comes
//! back of a leaf is a value, or sharper numbers together with those of its moves; and the positions that took the most
//! work below it ([`Fact`]), which another table takes in by [`ProofTable::restore`].
use std::time::Duration;

use ludex_core::{Bounds, Contradiction, Game, Key as _, Moves, Probe, Stop, Value, Window, order_of};

use super::{Dfpn, Numbers, Options, ProofTable, State};
use crate::{ask::Ask, halt::Halt, hash::Map};

/// How far a slice goes. It ends when it has done `least` nodes and a number has reached its limit, or after `nodes` or
/// `time`, whatever comes first, or when the question is settled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// For the work left to show that the mover reaches the question's `beta`.
    pub phi: f64,
    /// For the work left to show that he does not.
    pub delta: f64,
    /// Nodes before a number's limit counts.
    pub least: u64,
    /// Nodes.
    pub nodes: u64,
    /// Time.
    pub time: Option<Duration>,
    /// Facts that took fewer nodes are not handed back.
    pub worth: u64,
    /// At most so many facts are, those that took the most.
    pub facts: usize,
}

/// A move of the position and what is known behind it, from the view of who is to move there.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch<G: Game> {
    /// The move.
    pub m: G::Move,
    /// The exact key of the position it steps to; none if the game is over there.
    pub key: Option<G::Key>,
    /// Whether the other side is to move there.
    pub alternates: bool,
    /// Work left to show that its mover reaches his question's `beta`.
    pub phi: f64,
    /// Work left to show that he does not.
    pub delta: f64,
}

/// What is known of a position somewhere below.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact<M> {
    /// The table's entry.
    pub entry: Vec<u64>,
    /// The moves that lead there.
    pub way: Vec<M>,
    /// Nodes it took.
    pub work: u64,
}

/// What a slice came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Pursued<G: Game> {
    /// Work left to show that the mover reaches the question's `beta`: 0 if he does.
    pub phi: f64,
    /// Work left to show that he does not: 0 if he does not.
    pub delta: f64,
    /// What is certain of the position.
    pub bounds: Bounds,
    /// Positions searched.
    pub nodes: u64,
    /// Why it was called off, if it was. Numbers and moves are missing then, facts may not be.
    pub stopped: Option<Stop>,
    /// Whether the slice was over before the numbers reached their limits.
    pub used_up: bool,
    /// The moves worth searching, if the question is open.
    pub branches: Vec<Branch<G>>,
    /// What was learnt below.
    pub facts: Vec<Fact<G::Move>>,
}

/// The state of a slice.
pub(super) struct Slice<G: Game> {
    limit: Limit,
    over: bool,
    asked: u64,
    pub(super) way: Vec<G::Move>,
    facts: Map<G::Key, Fact<G::Move>>,
}

impl<G: Game> Slice<G> {
    /// Nodes from one look at the clock to the next.
    const EVERY: u64 = 16;

    pub(super) fn is_over(&mut self, nodes: u64, probe: &dyn Probe) -> bool {
        if !self.over && nodes >= self.limit.nodes {
            self.over = true;
        }
        if !self.over && nodes - self.asked >= Self::EVERY {
            self.asked = nodes;
            self.over = self.limit.time.is_some_and(|time| probe.elapsed() >= time);
        }
        self.over
    }

    pub(super) fn note(&mut self, key: G::Key, question: Window, (numbers, bounds): State, work: u64) {
        if work < self.limit.worth {
            return;
        }
        let entry = ProofTable::<G::Key>::entry(key, question, numbers, bounds, work);
        let way = self.way.clone();
        self.facts
            .entry(key)
            .and_modify(|fact| {
                fact.work += work;
                fact.entry.clone_from(&entry);
            })
            .or_insert(Fact { entry, way, work });
    }
}

/// Search a position for one slice.
///
/// ```
/// use ludex_core::{Game, Goal, Unlimited, Window};
/// use ludex_games::template::Heap;
/// use ludex_search::{Ask, dfpn::{self, Limit, ProofTable}};
///
/// let game = Heap { size: 21 }.for_goal(Goal::Wdl);
/// let position = game.root().expect("a start");
/// let ask = Ask { game: &game, position, goal: Goal::Wdl, probe: &Unlimited, worker: 0 };
/// let table = ProofTable::new(1 << 20);
/// let open = f64::INFINITY;
/// let mut limit = Limit { phi: open, delta: open, least: 0, nodes: 1, time: None, worth: 1, facts: 100 };
/// let begun = dfpn::pursue(&ask, Window::WIN, limit, &table, dfpn::Options::default())?;
/// assert_eq!(begun.nodes, 1);
/// limit.nodes = u64::MAX;
/// let done = dfpn::pursue(&ask, Window::WIN, limit, &table, dfpn::Options::default())?;
/// assert_eq!((done.phi, done.delta), (0.0, f64::INFINITY));
/// # Ok::<(), ludex_core::Contradiction>(())
/// ```
///
/// # Errors
/// If the game's rules, the table and the moves contradict each other somewhere.
pub fn pursue<G: Game>(
    ask: &Ask<'_, G>,
    window: Window,
    limit: Limit,
    table: &ProofTable<G::Key>,
    options: Options,
) -> Result<Pursued<G>, Contradiction> {
    let p = &ask.position;
    let mut result = Pursued {
        phi: 1.0,
        delta: 1.0,
        bounds: Bounds::ALL,
        nodes: 0,
        stopped: None,
        used_up: false,
        branches: Vec::new(),
        facts: Vec::new(),
    };
    if let Some(outcome) = ask.game.outcome(p) {
        result.bounds = Bounds::exact(Value::ended(outcome));
        let Numbers { phi, delta } = Numbers::settled(window, result.bounds);
        return Ok(Pursued { phi, delta, ..result });
    }
    let slice = Slice { limit, over: false, asked: 0, way: Vec::new(), facts: Map::default() };
    let mut search = Dfpn::new(ask, table, options);
    search.slice = Some(slice);
    match search.slice_of(p, window, limit) {
        Ok((numbers, bounds)) => {
            (result.phi, result.delta, result.bounds) = (numbers.phi, numbers.delta, bounds);
            result.used_up = search.slice.as_ref().is_some_and(|slice| slice.over);
            if !numbers.is_settled() {
                match search.branches(p, window) {
                    Ok(branches) => result.branches = branches,
                    Err(Halt::Stopped(stop)) => result.stopped = Some(stop),
                    Err(Halt::Contradicted(found)) => return Err(*found),
                }
            }
        }
        Err(Halt::Stopped(stop)) => result.stopped = Some(stop),
        Err(Halt::Contradicted(found)) => return Err(*found),
    }
    search.meter.finish();
    result.nodes = search.meter.nodes;
    let found = search.slice.take().map(|slice| slice.facts).unwrap_or_default();
    let mut facts: Vec<_> = found.into_iter().map(|(key, fact)| (key, Some(fact))).collect();
    let work = |i: usize| facts[i].1.as_ref().map_or(0, |fact| fact.work);
    let most_work_first = order_of(facts.len(), &|a, b| {
        work(b).cmp(&work(a)).then_with(|| facts[a].0.words().as_ref().cmp(facts[b].0.words().as_ref()))
    });
    result.facts =
        most_work_first.iter().take(limit.facts).filter_map(|&i| facts[i as usize].1.take()).collect();
    Ok(result)
}

impl<G: Game> Dfpn<'_, G> {
    /// Work at the root of a slice; a limit that is reached early is put further out until the slice is worth its while.
    fn slice_of(&mut self, p: &G::Position, window: Window, limit: Limit) -> Result<State, Halt> {
        let key = Some(self.game.key(p));
        let mut reach = Numbers { phi: limit.phi, delta: limit.delta };
        loop {
            let state = self.work(p, key, window, reach, 0)?;
            let over = self.slice.as_ref().is_none_or(|slice| slice.over);
            if state.0.is_settled() || over || self.meter.nodes >= limit.least {
                return Ok(state);
            }
            let further = |limit: f64, number: f64| if number >= limit { number * 1.25 + 1.0 } else { limit };
            reach =
                Numbers { phi: further(reach.phi, state.0.phi), delta: further(reach.delta, state.0.delta) };
        }
    }

    /// The moves of a position that is still open, with what the table knows behind them.
    fn branches(&mut self, p: &G::Position, window: Window) -> Result<Vec<Branch<G>>, Halt> {
        let mut moves = Moves::new();
        self.meter.look::<_, Halt>(self.game, self.classes, p, window, &mut moves)?;
        let mut branches: Vec<Branch<G>> = Vec::new();
        for m in moves.iter() {
            let child = self.meet(p, m, window)?;
            if child.key.is_some() && branches.iter().any(|other| other.key == child.key) {
                continue;
            }
            let Numbers { phi, delta } = child.numbers;
            branches.push(Branch { m, key: child.key, alternates: child.alternates, phi, delta });
        }
        Ok(branches)
    }
}
