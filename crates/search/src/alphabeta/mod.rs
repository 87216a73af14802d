//! Negamax with alpha-beta, fail-soft, on a table of bounds.
//!
//! A question ([`Window`]) is put to a position; the answer is [`Bounds`] that settle it. At every node the game
//! [looks](Game::look) first, then the table is asked, then the children's entries (enhanced transposition cutoffs),
//! and only then are children entered, the table's move first. One narrow question after the other is put until the
//! goal is met: who wins; then, if asked, how soon.
//!
//! Worker 0 tries the moves of the root in the order of `look` and reports the first that reaches the value. Whether a
//! move reaches it does not depend on what other workers have put into the shared table, so neither does the answer.
mod order;

use ludex_core::{Bounds, Contradiction, Game, Goal, Moves, Stats, Stop, Value, Verdict, Window};

use order::Order;

use crate::{
    ask::Ask,
    driver::{self, Answer, KNOWN, MOVES, Oracle, RULES, TABLE},
    halt::{self, contradicted, together},
    meter::Meter,
    table::{Entry, Table},
};

/// Nodes with fewer plies to go than this do not ask the table about their children before entering one: there it
/// costs more than it saves.
const LOOK_AHEAD_PLIES: u32 = 8;

/// Workers share the children of nodes with at least this many plies to go.
const SHARED_PLIES: u32 = 10;

/// Nodes of a search that is long beside the clearing of a large table.
const LONG: u64 = 1 << 17;

/// Judge a position with this worker. Several on one table share the work: none enters a child that another is at
/// while it has another one to enter, and each leaves a node that another has settled.
///
/// ```
/// use ludex_core::{Game, Goal, Unlimited, Value};
/// use ludex_games::template::Heap;
/// use ludex_search::{Ask, alphabeta, table::Table};
///
/// let game = Heap { size: 21 }.for_goal(Goal::Distance);
/// let position = game.root().expect("a start");
/// let ask = Ask { game: &game, position, goal: Goal::Distance, probe: &Unlimited, worker: 0 };
/// let table = Table::new(1 << 20, game.key_bits());
/// let verdict = alphabeta::solve(&ask, &table)?;
/// assert_eq!(verdict.bounds.value(), Some(Value::win(11)));
/// # Ok::<(), ludex_core::Contradiction>(())
/// ```
///
/// # Errors
/// If the game's rules, the table and the moves contradict each other somewhere.
pub fn solve<G: Game>(ask: &Ask<'_, G>, table: &Table<G::Key>) -> Result<Verdict<G::Move>, Contradiction> {
    let _at_work = table.busy.join();
    driver::solve(ask, &mut Search::new(ask, table))
}

/// Settle one question about an unfinished game, and nothing more: no best move, no line. `None` if the search was stopped.
///
/// # Errors
/// If the game's rules, the table and the moves contradict each other somewhere.
pub fn settle<G: Game>(
    ask: &Ask<'_, G>,
    table: &Table<G::Key>,
    question: Window,
) -> Result<Option<Bounds>, Contradiction> {
    let _at_work = table.busy.join();
    driver::settle(&mut Search::new(ask, table), &ask.position, question)
}

struct Search<'a, G: Game> {
    game: &'a G,
    table: &'a Table<G::Key>,
    meter: Meter<'a>,
    stats: Stats,
    order: Order<G::Move>,
    stack: Vec<Moves<G::Move>>,
    worker: usize,
    /// Whether only outcomes are asked, so that plies are not to be trusted.
    classes: bool,
    /// The shared nodes that this worker is at, from the root on: their questions, and what was known of them.
    path: Vec<(G::Key, Window, Bounds)>,
}

/// Why a search ends without an answer.
enum Halt {
    Stopped(Stop),
    /// Another worker has settled this node of the path.
    Settled(usize),
    Contradicted(Box<Contradiction>),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl From<Box<Contradiction>> for Halt {
    fn from(found: Box<Contradiction>) -> Self {
        Self::Contradicted(found)
    }
}

/// Nodes from one look at what other workers have settled to the next.
const LOOK_BACK: u64 = 64;

impl<'a, G: Game> Search<'a, G> {
    fn new(ask: &Ask<'a, G>, table: &'a Table<G::Key>) -> Self {
        Self {
            game: ask.game,
            table,
            meter: Meter::new(ask.probe),
            stats: Stats::default(),
            order: Order::new(),
            stack: Vec::new(),
            worker: ask.worker,
            classes: ask.goal == Goal::Wdl,
            path: Vec::new(),
        }
    }

    /// Whether the sides differ between a position and its child.
    #[inline]
    fn alternates(&self, p: &G::Position, child: &G::Position) -> bool {
        G::ALTERNATES || self.game.side(p) != self.game.side(child)
    }

    /// What the game sees without search.
    #[inline]
    fn look<H: From<Stop> + From<Box<Contradiction>>>(
        &mut self,
        p: &G::Position,
        window: Window,
        moves: &mut Moves<G::Move>,
    ) -> Result<Bounds, H> {
        self.meter.look(self.game, self.classes, p, window, moves)
    }

    /// Bounds that settle the question. `mark` is the key of an unfinished position that is to be marked meanwhile.
    fn search(
        &mut self,
        p: &G::Position,
        mark: Option<G::Key>,
        window: Window,
        ply: usize,
    ) -> Result<Bounds, Halt> {
        if mark.is_none()
            && let Some(outcome) = self.game.outcome(p)
        {
            self.stats.leaves += 1;
            return Ok(Bounds::exact(Value::ended(outcome)));
        }
        self.meter.tick()?;
        if self.meter.nodes.is_multiple_of(LOOK_BACK) {
            if self.meter.nodes >= LONG {
                self.table.settle();
            }
            if let Some(node) = self.path.iter().position(|node| self.settled(node).is_some()) {
                return Err(Halt::Settled(node));
            }
        }
        let key = mark.unwrap_or_else(|| self.game.key(p));
        self.table.prefetch(key);
        if self.stack.len() <= ply {
            self.stack.resize_with(ply + 1, Moves::new);
            self.stats.depth = ply as u32;
        }
        let mut moves = std::mem::take(&mut self.stack[ply]);
        if mark.is_some() {
            self.table.busy.enter(key);
        }
        let result = self.enter(p, key, window, ply, &mut moves);
        if mark.is_some() {
            self.table.busy.leave(key);
        }
        self.stack[ply] = moves;
        result
    }

    fn enter(
        &mut self,
        p: &G::Position,
        key: G::Key,
        asked: Window,
        ply: usize,
        moves: &mut Moves<G::Move>,
    ) -> Result<Bounds, Halt> {
        let mut entry = if G::HEAVY { self.table.get(key) } else { None };
        if let Some(entry) = entry
            && asked.settled_by(entry.bounds)
        {
            self.stats.table_hits += 1;
            return Ok(entry.bounds);
        }
        let mut known = self.look::<Halt>(p, asked, moves)?;
        if asked.settled_by(known) {
            self.stats.leaves += 1;
            return Ok(known);
        }
        if !G::HEAVY {
            entry = self.table.get(key);
        }
        if let Some(entry) = entry {
            known = together(p, (RULES, known), (TABLE, entry.bounds))?;
            if asked.settled_by(known) {
                self.stats.table_hits += 1;
                return Ok(known);
            }
        }
        // What is known narrows the question.
        let window = Window { alpha: asked.alpha.max(known.lo), beta: asked.beta.min(known.hi) };
        if moves.len() > 1 {
            self.order.sort(moves, entry.map_or(0, |e| e.tag), ply);
            if self.game.max_plies(p) >= LOOK_AHEAD_PLIES
                && let Some(bounds) = self.look_ahead(p, window, moves)?
            {
                let bounds =
                    together(p, (KNOWN, Bounds::at_most(known.hi)), (TABLE, Bounds::at_least(bounds.lo)))?;
                self.stats.cutoffs += 1;
                self.table.put(key, Entry { bounds, tag: 0 }, 1);
                return Ok(bounds);
            }
        }
        if moves.len() < 2 || !self.shares(p) {
            return self.enter_children(p, (key, asked, known), window, ply, moves);
        }
        let depth = self.path.len();
        self.path.push((key, asked, known));
        let result = self.enter_children(p, (key, asked, known), window, ply, moves);
        self.path.truncate(depth);
        match result {
            Err(Halt::Settled(node)) if node == depth => {
                self.stats.table_hits += 1;
                // What was settled a moment ago may have made room for something else.
                match self.settled(&(key, asked, known)) {
                    Some(bounds) => self.sound(p, bounds, known),
                    None => self.enter(p, key, asked, ply, moves),
                }
            }
            result => result,
        }
    }

    /// The bounds that settle a node, if another worker has found them meanwhile. They may be empty, which ends the
    /// search as soon as it is back at the node and can say which [position](Search::sound) that is.
    fn settled(&self, &(key, asked, known): &(G::Key, Window, Bounds)) -> Option<Bounds> {
        let bounds = self.table.get(key)?.bounds.meet(known);
        (bounds.is_empty() || asked.settled_by(bounds)).then_some(bounds)
    }

    /// The bounds that another worker settled a position by, unless what was known of it excludes them.
    fn sound(&self, p: &G::Position, bounds: Bounds, known: Bounds) -> Result<Bounds, Halt> {
        if bounds.is_empty() {
            return Err(contradicted(p, (KNOWN, known), ("another worker", bounds)).into());
        }
        Ok(bounds)
    }

    fn enter_children(
        &mut self,
        p: &G::Position,
        (key, asked, known): (G::Key, Window, Bounds),
        window: Window,
        ply: usize,
        moves: &mut Moves<G::Move>,
    ) -> Result<Bounds, Halt> {
        let started = self.meter.nodes;
        let mut best = Value::WORST;
        // A move left out by `look` does not matter to the question, but it may be better than the best listed.
        let mut ceiling = moves.left_out();
        let mut tag = 0;
        let mut turns = Turns::new(moves.len(), self.path.last().is_some_and(|node| node.0 == key));
        while let Some(i) = turns.next() {
            let m = moves.get(i);
            self.meter.spend(1)?;
            let child = self.game.step(p, m);
            let mark = if turns.shared { self.mark(&child) } else { None };
            if turns.may_wait() && mark.is_some_and(|mark| self.table.busy.at(mark) > 0) {
                turns.wait(i);
                continue;
            }
            let alternates = self.alternates(p, &child);
            let question = Window { alpha: window.alpha.max(best), beta: window.beta }.child(alternates);
            let bounds = self.search(&child, mark, question, ply + 1)?.back(alternates);
            turns.entered += 1;
            ceiling = ceiling.max(bounds.hi);
            if bounds.lo > best {
                best = bounds.lo;
                if best > window.alpha {
                    tag = order::tag(m);
                }
            }
            if best >= window.beta {
                self.stats.cutoffs += 1;
                self.stats.pruned += (moves.len() - turns.entered) as u64;
                self.order.good(m, ply, i);
                ceiling = Value::BEST;
                break;
            }
            if turns.shared
                && let Some(bounds) = self.settled(&(key, asked, known))
            {
                self.stats.table_hits += 1;
                return self.sound(p, bounds, known);
            }
        }
        let bounds = self.both(p, known, Bounds { lo: best, hi: ceiling })?;
        self.table.put(key, Entry { bounds, tag }, self.meter.nodes - started);
        Ok(bounds)
    }

    /// What is known of a position and what its moves are worth, together.
    #[inline]
    fn both(&self, p: &G::Position, known: Bounds, moves: Bounds) -> Result<Bounds, Box<Contradiction>> {
        let mut bounds = known.meet(moves);
        if self.classes {
            bounds = driver::classes(bounds);
        }
        if bounds.is_empty() {
            return Err(contradicted(p, (KNOWN, known), (MOVES, moves)));
        }
        Ok(bounds)
    }

    /// Whether other workers may be at the children of a position.
    #[inline]
    fn shares(&self, p: &G::Position) -> bool {
        self.table.busy.is_shared() && self.game.max_plies(p) >= SHARED_PLIES
    }

    /// What an unfinished position is marked by while a worker is at it.
    fn mark(&self, p: &G::Position) -> Option<G::Key> {
        self.game.outcome(p).is_none().then(|| self.game.key(p))
    }

    /// Whether the table already holds a child that settles the question upwards (enhanced transposition cutoff).
    fn look_ahead(
        &mut self,
        p: &G::Position,
        window: Window,
        moves: &Moves<G::Move>,
    ) -> Result<Option<Bounds>, Stop> {
        for m in moves.iter() {
            self.meter.spend(1)?;
            let child = self.game.step(p, m);
            if self.game.outcome(&child).is_some() {
                continue;
            }
            if let Some(entry) = self.table.get(self.game.key(&child)) {
                let bounds = entry.bounds.back(self.alternates(p, &child));
                if window.fails_high(bounds.lo) {
                    self.stats.table_hits += 1;
                    return Ok(Some(bounds));
                }
            }
        }
        Ok(None)
    }
}

/// The children of a node in turn: those that another worker is at wait until the others are done.
struct Turns {
    next: usize,
    count: usize,
    waiting: Vec<usize>,
    shared: bool,
    entered: usize,
}

impl Turns {
    fn new(count: usize, shared: bool) -> Self {
        Self { next: 0, count, waiting: Vec::new(), shared, entered: 0 }
    }

    /// The number of the next child.
    fn next(&mut self) -> Option<usize> {
        if self.next < self.count {
            self.next += 1;
            return Some(self.next - 1);
        }
        let first = self.next - self.count;
        self.next += 1;
        self.waiting.get(first).copied()
    }

    /// Whether the child that was given out last may wait: the first is entered by all, and nobody waits twice.
    fn may_wait(&self) -> bool {
        self.shared && self.entered > 0 && self.next <= self.count
    }

    fn wait(&mut self, i: usize) {
        self.waiting.push(i);
    }
}

impl<G: Game> Oracle<G> for Search<'_, G> {
    /// The table is not asked about the root itself, so that a best move is always found,
    /// and the order of the moves is the game's, so that it is always the same one.
    fn put(&mut self, p: &G::Position, asked: Window) -> Result<Answer<G::Move>, halt::Halt> {
        self.meter.tick()?;
        let mut moves = Moves::new();
        let known = self.look::<halt::Halt>(p, asked, &mut moves)?;
        if asked.settled_by(known) {
            return Ok(Answer { bounds: known, best: None });
        }
        let mut best = Value::WORST;
        let mut ceiling = moves.left_out();
        let mut reached = None;
        let mut turns = Turns::new(moves.len(), self.table.busy.is_shared());
        while let Some(i) = turns.next() {
            let m = moves.get(i);
            let child = self.game.step(p, m);
            let mark = if turns.shared { self.mark(&child) } else { None };
            // Worker 0 keeps the order: its first move that reaches the value is the answer.
            let busy = mark.is_some_and(|mark| self.table.busy.at(mark) > 0);
            if self.worker > 0 && turns.may_wait() && busy {
                turns.wait(i);
                continue;
            }
            let alternates = self.alternates(p, &child);
            let question = Window { alpha: asked.alpha.max(best), beta: asked.beta }.child(alternates);
            let bounds = match self.search(&child, mark, question, 1) {
                Ok(bounds) => bounds.back(alternates),
                Err(Halt::Stopped(stop)) => return Err(stop.into()),
                Err(Halt::Contradicted(found)) => return Err(found.into()),
                // Only `enter` puts a node on the path, and it takes its own `Settled` in again. The root is entered by
                // this function, which never puts it there.
                Err(Halt::Settled(_)) => unreachable!("the root is on no path"),
            };
            turns.entered += 1;
            ceiling = ceiling.max(bounds.hi);
            best = best.max(bounds.lo);
            if best >= asked.beta {
                ceiling = Value::BEST;
                reached = Some(m);
                break;
            }
        }
        let bounds = self.both(p, known, Bounds { lo: best, hi: ceiling })?;
        Ok(Answer { bounds, best: reached })
    }

    fn recall(&self, p: &G::Position) -> Result<Bounds, Box<Contradiction>> {
        Ok(self.table.get(self.game.key(p)).map_or(Bounds::ALL, |entry| entry.bounds))
    }

    fn nodes(&self) -> u64 {
        self.meter.nodes
    }

    fn finish(&mut self) -> Stats {
        self.meter.finish();
        let mut stats = std::mem::take(&mut self.stats);
        stats.nodes = self.meter.nodes;
        stats.table_fill = self.table.fill();
        stats.memory = self.table.bytes();
        stats
    }
}
