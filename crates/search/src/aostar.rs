//! AO*: best-first search of the AND/OR graph of a game (Martelli and Montanari 1973; Nilsson 1980), for the fewest plies.
//!
//! That one side wins is an AND/OR problem: she needs one good move where she is to move (OR) and an answer to every
//! move of the opponent (AND). The cost of a solution is its longest line, which both want: she the least, he the most.
//! A position's cost is bounded below by what the game [sees](Game::look) of it, the admissible heuristic; so the two
//! costs of a position, of a win of the one side and of the other, are its [`Bounds`]: no win sooner than `hi`, no loss
//! sooner than `lo`. Both problems live in one graph, and the one that looks cheaper at the root is worked on:
//!
//! 1. go down from the root along the marked moves, the best by `hi` where the prover moves, the most stubborn by `lo`
//!    where the opponent does, to a position that is not expanded;
//! 2. expand it;
//! 3. revise the costs from there upwards, which marks other moves where another one looks better now.
//!
//! A position whose bounds meet is solved. The graph holds a position once, by its key, however it is reached.

use std::{
    collections::{BinaryHeap, hash_map::Entry},
    mem::size_of,
};

use ludex_core::{
    Bounds, Contradiction, Game, Goal, Moves, Outcome, Side, Stats, Status, Stop, Value, Verdict, Window,
};

use crate::{
    ask::Ask,
    driver::{MOVES, RULES, classes},
    halt::{Halt, contradicted, together},
    hash::Map,
    line,
    meter::{LOOK, Meter, Patience},
};

/// Judge a position within `memory` bytes for the graph.
///
/// ```
/// use ludex_core::{Game, Goal, Unlimited, Value};
/// use ludex_games::template::Heap;
/// use ludex_search::{Ask, aostar};
///
/// let game = Heap { size: 21 }.for_goal(Goal::Distance);
/// let position = game.root().expect("a start");
/// let ask = Ask { game: &game, position, goal: Goal::Distance, probe: &Unlimited, worker: 0 };
/// let verdict = aostar::solve(&ask, 1 << 20)?;
/// assert_eq!(verdict.bounds.value(), Some(Value::win(11)));
/// # Ok::<(), ludex_core::Contradiction>(())
/// ```
///
/// # Errors
/// If the game's rules and the moves contradict each other somewhere.
pub fn solve<G: Game>(ask: &Ask<'_, G>, memory: u64) -> Result<Verdict<G::Move>, Contradiction> {
    judge(ask, memory).map_err(|found| *found)
}

fn judge<G: Game>(ask: &Ask<'_, G>, memory: u64) -> Result<Verdict<G::Move>, Box<Contradiction>> {
    if let Some(outcome) = ask.game.outcome(&ask.position) {
        return Ok(Verdict::ended(outcome));
    }
    let questions: &[Window] = match ask.goal {
        Goal::Wdl if ask.game.nature().draws => &[Window::WIN, Window::DRAW],
        Goal::Wdl => &[Window::WIN],
        _ => &[Window::FULL],
    };
    let mut bounds = Bounds::ALL;
    let mut stats = Stats::default();
    let mut meter = Meter::new(ask.probe);
    for (i, &question) in questions.iter().enumerate() {
        let mut graph = Graph::new(ask, question, memory);
        let stopped = match graph.run(&mut meter) {
            Ok(()) => None,
            Err(Halt::Stopped(stop)) => Some(stop),
            Err(Halt::Contradicted(found)) => return Err(found),
        };
        let answer = graph.answer();
        bounds = together(&ask.position, ("an earlier question", bounds), ("the search", answer))?;
        ask.probe.bounds(bounds);
        stats.absorb(&graph.stats());
        if stopped.is_some() || ask.goal.met_by(bounds) || i + 1 == questions.len() {
            meter.finish();
            stats.nodes = meter.nodes;
            let best = graph.best();
            let status = match stopped {
                Some(stop) if !ask.goal.met_by(bounds) => stop.into(),
                _ => Status::Solved,
            };
            let mut patience = Patience::new(ask.probe, status);
            let pv = line::follow(ask.game, &ask.position, best, bounds, &mut |p, _, _| {
                let (known, work) = graph.recall(p);
                patience.spend(work)?;
                Ok(known)
            })?;
            return Ok(Verdict { bounds, status, best, pv, stats });
        }
    }
    // No goal has an empty list of questions, and the condition above holds for the last one at the latest.
    unreachable!("the last question returns")
}

/// Bounds that leave a value. Where only the outcome is asked, numbers of plies are estimates and need not agree: there
/// bounds that leave an outcome are brought together.
fn sound(goal: Goal, bounds: Bounds) -> Option<Bounds> {
    if !bounds.is_empty() {
        return Some(bounds);
    }
    (goal == Goal::Wdl && bounds.outcome().is_some()).then(|| Bounds::exact(bounds.lo))
}

/// No node: what is known of a child stands in its edge.
const NONE: u32 = u32::MAX;

/// A move and where it leads.
struct Edge<M> {
    m: M,
    child: u32,
    /// Whether the other side moves next.
    alternates: bool,
    /// For a child without a node: what it is worth to its mover.
    seen: Bounds,
}

struct Node<P> {
    position: P,
    rank: u32,
    /// What the game sees, and what has come up from the children since.
    bounds: Bounds,
    /// The edges, once it is expanded.
    edges: std::ops::Range<u32>,
    /// The first entry in the list of parents.
    parents: u32,
    expanded: bool,
    /// What moves that were left out may be worth.
    left_out: Value,
}

/// Which bound the search works on: the mover's hope or her fear.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// The mover tries to win as soon as `hi` says: one move is enough.
    Hi,
    /// The opponent tries to win as soon as `lo` says: every move needs an answer.
    Lo,
}

struct Graph<'a, G: Game> {
    ask: &'a Ask<'a, G>,
    question: Window,
    root_side: Side,
    nodes: Vec<Node<G::Position>>,
    edges: Vec<Edge<G::Move>>,
    /// Lists of parents: a parent and the next entry.
    parents: Vec<(u32, u32)>,
    index: Map<G::Key, u32>,
    memory: u64,
    moves: Moves<G::Move>,
    leaves: u64,
    shared: u64,
    revisions: u64,
}

impl<'a, G: Game> Graph<'a, G> {
    fn new(ask: &'a Ask<'a, G>, question: Window, memory: u64) -> Self {
        Self {
            ask,
            question,
            root_side: ask.game.side(&ask.position),
            nodes: Vec::new(),
            edges: Vec::new(),
            parents: Vec::new(),
            index: Map::default(),
            memory,
            moves: Moves::new(),
            leaves: 0,
            shared: 0,
            revisions: 0,
        }
    }

    /// The question as the mover of a position understands it.
    fn window(&self, side: Side) -> Window {
        if side == self.root_side { self.question } else { self.question.child(true) }
    }

    /// Whether nothing more needs to be known of a position.
    fn settled(&self, side: Side, bounds: Bounds) -> bool {
        bounds.lo == bounds.hi || self.ask.goal == Goal::Wdl && self.window(side).settled_by(classes(bounds))
    }

    /// Whether the root is answered.
    fn answered(&self) -> bool {
        let bounds = self.nodes[0].bounds;
        self.settled(self.root_side, bounds) || self.ask.goal.met_by(self.answer())
    }

    /// What is known of the root, in the terms of the goal.
    fn answer(&self) -> Bounds {
        let Some(root) = self.nodes.first() else { return G::OPEN };
        if self.ask.goal != Goal::Wdl {
            return root.bounds;
        }
        let mut bounds = classes(root.bounds);
        if !self.ask.game.nature().draws {
            if bounds.hi == Value::DRAW {
                bounds.hi = Value::SOME_LOSS;
            }
            if bounds.lo == Value::DRAW {
                bounds.lo = Value::SOME_WIN;
            }
        }
        bounds
    }

    fn run(&mut self, meter: &mut Meter<'_>) -> Result<(), Halt> {
        self.plant(meter)?;
        while !self.answered() {
            meter.tick()?;
            let leaf = self.descend(meter)?;
            self.expand(leaf, meter)?;
            self.revise(leaf, meter)?;
        }
        Ok(())
    }

    /// The root with all its moves, listed by the game or not, so that a best one is always found.
    fn plant(&mut self, meter: &mut Meter<'_>) -> Result<(), Halt> {
        let (game, p) = (self.ask.game, self.ask.position);
        let moves = game.moves(&p);
        self.nodes.push(Node {
            position: p,
            rank: game.rank(&p),
            bounds: G::OPEN,
            edges: 0..0,
            parents: NONE,
            expanded: true,
            left_out: Value::WORST,
        });
        for m in moves {
            self.add_edge(0, m, game.play(&p, m), meter)?;
            self.nodes[0].edges = 0..self.edges.len() as u32;
        }
        self.revise(0, meter)
    }

    /// The position to expand next.
    fn descend(&self, meter: &mut Meter<'_>) -> Result<u32, Halt> {
        let cost =
            |v: Value, wanted: Outcome| if v.outcome() == wanted { 1001 - v.raw().abs() } else { i16::MAX };
        let bounds = self.nodes[0].bounds;
        let mut aim =
            if cost(bounds.hi, Outcome::Win) <= cost(bounds.lo, Outcome::Loss) { Aim::Hi } else { Aim::Lo };
        let mut n = 0;
        while self.nodes[n as usize].expanded {
            meter.spend(self.edges_of(n).len())?;
            let side = self.ask.game.side(&self.nodes[n as usize].position);
            let mut chosen: Option<(Value, &Edge<G::Move>)> = None;
            for edge in self.edges_of(n) {
                if edge.child == NONE {
                    continue;
                }
                let child = &self.nodes[edge.child as usize];
                let child_side = if edge.alternates { side.other() } else { side };
                if self.settled(child_side, child.bounds) {
                    continue;
                }
                let seen = child.bounds.back(edge.alternates);
                let value = if aim == Aim::Hi { seen.hi } else { seen.lo };
                if chosen.is_none_or(|(best, _)| value > best) {
                    chosen = Some((value, edge));
                }
            }
            // A position is solved when all its children are, unless the game has left out a move that matters.
            let Some((_, edge)) = chosen else {
                let node = &self.nodes[n as usize];
                return Err(contradicted(
                    &node.position,
                    ("the rules and earlier searches", node.bounds),
                    ("moves that are all solved and settle nothing", Bounds::ALL),
                )
                .into());
            };
            if edge.alternates {
                aim = if aim == Aim::Hi { Aim::Lo } else { Aim::Hi };
            }
            n = edge.child;
        }
        Ok(n)
    }

    fn edges_of(&self, n: u32) -> &[Edge<G::Move>] {
        let range = &self.nodes[n as usize].edges;
        &self.edges[range.start as usize..range.end as usize]
    }

    fn expand(&mut self, n: u32, meter: &mut Meter<'_>) -> Result<(), Halt> {
        let (game, p) = (self.ask.game, self.nodes[n as usize].position);
        let mut moves = std::mem::take(&mut self.moves);
        game.look(&p, self.window(game.side(&p)), &mut moves);
        meter.spend(moves.len())?;
        let first = self.edges.len() as u32;
        for m in moves.iter() {
            self.add_edge(n, m, game.step(&p, m), meter)?;
        }
        let node = &mut self.nodes[n as usize];
        node.edges = first..self.edges.len() as u32;
        node.expanded = true;
        node.left_out = moves.left_out();
        self.moves = moves;
        Ok(())
    }

    fn add_edge(
        &mut self,
        parent: u32,
        m: G::Move,
        p: G::Position,
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        if self.bytes() > self.memory {
            return Err(Stop::Memory.into());
        }
        let game = self.ask.game;
        let side = game.side(&p);
        let alternates = side != game.side(&self.nodes[parent as usize].position);
        let mut edge = Edge { m, child: NONE, alternates, seen: Bounds::ALL };
        if let Some(outcome) = game.outcome(&p) {
            edge.seen = Bounds::exact(Value::ended(outcome));
        } else {
            let place = match self.index.entry(game.key(&p)) {
                Entry::Occupied(known) => {
                    self.shared += 1;
                    Ok(*known.get())
                }
                Entry::Vacant(place) => Err(place),
            };
            match place {
                Ok(child) => edge.child = child,
                Err(place) => {
                    let window =
                        if side == self.root_side { self.question } else { self.question.child(true) };
                    let mut moves = Moves::new();
                    let seen = game.look(&p, window, &mut moves);
                    meter.spend(LOOK + moves.len())?;
                    let bounds = if self.ask.goal == Goal::Wdl { seen } else { seen.meet(G::OPEN) };
                    let bounds = sound(self.ask.goal, bounds)
                        .ok_or_else(|| contradicted(&p, (RULES, seen), ("a game that goes on", G::OPEN)))?;
                    edge.seen = bounds;
                    let done = bounds.lo == bounds.hi
                        || self.ask.goal == Goal::Wdl && window.settled_by(classes(bounds));
                    if !done {
                        edge.child = self.nodes.len() as u32;
                        place.insert(edge.child);
                        self.nodes.push(Node {
                            position: p,
                            rank: game.rank(&p),
                            bounds,
                            edges: 0..0,
                            parents: NONE,
                            expanded: false,
                            left_out: Value::WORST,
                        });
                    }
                }
            }
        }
        if edge.child == NONE {
            self.leaves += 1;
        } else {
            let child = &mut self.nodes[edge.child as usize];
            self.parents.push((parent, child.parents));
            child.parents = self.parents.len() as u32 - 1;
        }
        self.edges.push(edge);
        Ok(())
    }

    /// Bring the costs up to date from a position upwards: deeper positions first.
    fn revise(&mut self, from: u32, meter: &mut Meter<'_>) -> Result<(), Halt> {
        let mut open = BinaryHeap::from([(self.nodes[from as usize].rank, from)]);
        while let Some((_, n)) = open.pop() {
            self.revisions += 1;
            meter.spend(self.edges_of(n).len())?;
            let node = &self.nodes[n as usize];
            let (mut lo, mut hi) = (Value::WORST, node.left_out);
            for edge in self.edges_of(n) {
                let below =
                    if edge.child == NONE { edge.seen } else { self.nodes[edge.child as usize].bounds };
                let seen = below.back(edge.alternates);
                lo = lo.max(seen.lo);
                hi = hi.max(seen.hi);
            }
            let moves = Bounds { lo, hi };
            let bounds = sound(self.ask.goal, node.bounds.meet(moves)).ok_or_else(|| {
                contradicted(&node.position, ("the rules and earlier searches", node.bounds), (MOVES, moves))
            })?;
            if bounds != node.bounds {
                let mut entry = node.parents;
                self.nodes[n as usize].bounds = bounds;
                while entry != NONE {
                    let (parent, next) = self.parents[entry as usize];
                    if self.nodes[parent as usize].expanded {
                        open.push((self.nodes[parent as usize].rank, parent));
                    }
                    entry = next;
                }
            }
        }
        Ok(())
    }

    /// The smallest of the moves that keep most.
    fn best(&self) -> Option<G::Move> {
        let mut best: Option<(Value, Value, G::Move)> = None;
        for edge in self.nodes.first().map(|_| self.edges_of(0)).into_iter().flatten() {
            let below = if edge.child == NONE { edge.seen } else { self.nodes[edge.child as usize].bounds };
            let seen = below.back(edge.alternates);
            let better = best.is_none_or(|(lo, hi, m)| {
                (seen.lo, seen.hi) > (lo, hi) || (seen.lo, seen.hi) == (lo, hi) && edge.m < m
            });
            if better {
                best = Some((seen.lo, seen.hi, edge.m));
            }
        }
        best.map(|(_, _, m)| m)
    }

    /// What is known of a position, and the work it took to say so.
    fn recall(&self, p: &G::Position) -> (Bounds, usize) {
        if let Some(&n) = self.index.get(&self.ask.game.key(p)) {
            return (self.nodes[n as usize].bounds, 1);
        }
        let mut moves = Moves::new();
        let seen = self.ask.game.look(p, self.window(self.ask.game.side(p)), &mut moves);
        (seen, LOOK + moves.len())
    }

    fn bytes(&self) -> u64 {
        (self.nodes.len() * (size_of::<Node<G::Position>>() + 2 * size_of::<(G::Key, u32)>())
            + self.edges.len() * size_of::<Edge<G::Move>>()
            + self.parents.len() * size_of::<(u32, u32)>()) as u64
    }

    fn stats(&self) -> Stats {
        let mut stats =
            Stats { leaves: self.leaves, table_hits: self.shared, memory: self.bytes(), ..Stats::default() };
        stats.count("graph", self.nodes.len() as u64);
        stats.count("revisions", self.revisions);
        stats
    }
}
