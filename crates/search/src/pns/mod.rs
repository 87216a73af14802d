//! Proof-number search (Allis, van der Meulen, van den Herik 1994), best first, on a graph of positions with exact keys.
//!
//! Every step goes down from the root along the cheapest way to a proof, expands the leaf it ends at and corrects the
//! numbers of all its ancestors. Equal positions are one node with several parents, so that the graph is a directed
//! acyclic one. With [`Options::heuristic`] leaves start with the game's own guesses of the work
//! ([`Game::effort`]) and with the number of their moves; without, with 1 and 1 as published.
//!
//! The graph is kept in memory as far as it fits. When it is full, nodes that no unsolved node leads to are recycled. If
//! that does not make enough room, the outermost nodes are folded: expanded nodes with nothing but leaves below them, off
//! the line the search is at, become leaves again and keep their numbers as guesses. What was below is found again if it
//! is needed. The search gives up for lack of memory if the line it is at does not fit, or if it has thrown away a
//! thousand times as much as fits and may be going round in circles.
use ludex_core::{Bounds, Contradiction, Game, Goal, Moves, Probe, Stats, Stop, Value, Verdict, Window};

use crate::{
    ask::Ask,
    driver::{self, Answer, MOVES, Oracle, RULES},
    halt::{Halt, contradicted, together},
    hash::Map,
    meter::Meter,
};

/// What can be tuned. Nothing of it changes the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Start leaves with the game's guesses instead of 1 and 1.
    pub heuristic: bool,
    /// Bytes for the graph.
    pub memory: u64,
}

/// Judge a position.
///
/// ```
/// use ludex_core::{Game, Goal, Outcome, Unlimited};
/// use ludex_games::template::Heap;
/// use ludex_search::{Ask, pns};
///
/// let game = Heap { size: 21 }.for_goal(Goal::Wdl);
/// let position = game.root().expect("a start");
/// let ask = Ask { game: &game, position, goal: Goal::Wdl, probe: &Unlimited, worker: 0 };
/// let verdict = pns::solve(&ask, pns::Options { heuristic: true, memory: 1 << 20 })?;
/// assert_eq!(verdict.bounds.outcome(), Some(Outcome::Win));
/// # Ok::<(), ludex_core::Contradiction>(())
/// ```
///
/// # Errors
/// If the game's rules and the moves contradict each other somewhere.
pub fn solve<G: Game>(ask: &Ask<'_, G>, options: Options) -> Result<Verdict<G::Move>, Contradiction> {
    let mut search = Pns {
        game: ask.game,
        options,
        meter: Meter::new(ask.probe),
        probe: ask.probe,
        stats: Stats::default(),
        moves: Moves::new(),
        classes: ask.goal == Goal::Wdl,
        nodes: Vec::new(),
        free: Vec::new(),
        places: Map::default(),
        links: 0,
        created: 0,
        recycled: 0,
        folded: 0,
    };
    driver::solve(ask, &mut search)
}

/// A position of the graph. `phi` is the work to show that its mover reaches the question's `beta`, `delta` the work to
/// show that he does not.
struct Node<G: Game> {
    position: G::Position,
    key: G::Key,
    question: Window,
    phi: f64,
    delta: f64,
    bounds: Bounds,
    known: Bounds,
    left_out: Value,
    expanded: bool,
    children: Vec<u32>,
    parents: Vec<u32>,
}

struct Pns<'a, G: Game> {
    game: &'a G,
    options: Options,
    meter: Meter<'a>,
    probe: &'a dyn Probe,
    stats: Stats,
    moves: Moves<G::Move>,
    classes: bool,
    nodes: Vec<Node<G>>,
    free: Vec<u32>,
    /// By key and question: bounds of one question need not answer another.
    places: Map<(G::Key, i16), u32>,
    links: u64,
    created: u64,
    recycled: u64,
    folded: u64,
}

impl<G: Game> Pns<'_, G> {
    fn bytes(&self) -> u64 {
        let node = size_of::<Node<G>>() + size_of::<((G::Key, i16), u32)>() + 8;
        (self.nodes.len() - self.free.len()) as u64 * node as u64 + 8 * self.links
    }

    /// Settle a node's numbers by bounds that answer its question.
    fn settle(node: &mut Node<G>) -> bool {
        if !node.question.settled_by(node.bounds) {
            return false;
        }
        let reached = node.question.fails_high(node.bounds.lo);
        (node.phi, node.delta) = if reached { (0.0, f64::INFINITY) } else { (f64::INFINITY, 0.0) };
        true
    }

    /// The node of a position, made and evaluated if it is new.
    fn node(&mut self, position: G::Position, question: Window) -> Result<u32, Halt> {
        self.meter.spend(1)?;
        let key = self.game.key(&position);
        if let Some(&place) = self.places.get(&(key, question.beta.raw())) {
            return Ok(place);
        }
        self.created += 1;
        let mut node = Node {
            position,
            key,
            question,
            phi: 1.0,
            delta: 1.0,
            bounds: Bounds::ALL,
            known: Bounds::ALL,
            left_out: Value::WORST,
            expanded: false,
            children: Vec::new(),
            parents: Vec::new(),
        };
        if let Some(outcome) = self.game.outcome(&position) {
            node.bounds = Bounds::exact(Value::ended(outcome));
        } else {
            node.bounds =
                self.meter.look::<_, Halt>(self.game, self.classes, &position, question, &mut self.moves)?;
            if self.options.heuristic {
                let (phi, delta) = self.game.effort(&position, question);
                (node.phi, node.delta) = (f64::from(phi), f64::from(delta).max(self.moves.len() as f64));
            }
        }
        if Self::settle(&mut node) {
            self.stats.leaves += 1;
        }
        let place = match self.free.pop() {
            Some(place) => {
                self.nodes[place as usize] = node;
                place
            }
            None => {
                self.nodes.push(node);
                (self.nodes.len() - 1) as u32
            }
        };
        self.places.insert((key, question.beta.raw()), place);
        Ok(place)
    }

    fn alternates(&self, parent: u32, child: u32) -> bool {
        let side = |place: u32| self.game.side(&self.nodes[place as usize].position);
        G::ALTERNATES || side(parent) != side(child)
    }

    /// A child's numbers as its parent's mover sees them.
    fn seen(&self, parent: u32, child: u32) -> (f64, f64) {
        let node = &self.nodes[child as usize];
        if self.alternates(parent, child) { (node.delta, node.phi) } else { (node.phi, node.delta) }
    }

    fn expand(&mut self, place: u32) -> Result<(), Halt> {
        let (p, question) = (self.nodes[place as usize].position, self.nodes[place as usize].question);
        let mut moves = std::mem::take(&mut self.moves);
        let known = self.meter.look::<_, Halt>(self.game, self.classes, &p, question, &mut moves)?;
        let list: Vec<G::Move> = moves.iter().collect();
        let left_out = moves.left_out();
        self.moves = moves;
        let mut children: Vec<u32> = Vec::with_capacity(list.len());
        for m in list {
            let child = self.game.step(&p, m);
            let alternates = G::ALTERNATES || self.game.side(&p) != self.game.side(&child);
            let child = self.node(child, question.child(alternates))?;
            // The last parent of a child that has just been listed is this one.
            let parents = &mut self.nodes[child as usize].parents;
            if parents.last() != Some(&place) {
                parents.push(place);
                children.push(child);
            }
        }
        self.links += 2 * children.len() as u64;
        let node = &mut self.nodes[place as usize];
        (node.known, node.left_out, node.expanded, node.children) = (known, left_out, true, children);
        Ok(())
    }

    /// Recompute a node from its children; whether anything changed.
    fn update(&mut self, place: u32) -> Result<bool, Halt> {
        self.meter.spend(self.nodes[place as usize].children.len())?;
        let (mut phi, mut delta) = (f64::INFINITY, 0.0f64);
        let node = &self.nodes[place as usize];
        let (mut lo, mut hi) = (Value::WORST, node.left_out);
        for &child in &node.children {
            let (p, d) = self.seen(place, child);
            phi = phi.min(p);
            delta += d;
            let bounds = self.nodes[child as usize].bounds.back(self.alternates(place, child));
            lo = lo.max(bounds.lo);
            hi = hi.max(bounds.hi);
        }
        let moves = Bounds { lo, hi };
        let both = node.known.meet(moves);
        let bounds = if self.classes { driver::classes(both) } else { both };
        if bounds.is_empty() {
            return Err(contradicted(&node.position, (RULES, node.known), (MOVES, moves)).into());
        }
        let node = &mut self.nodes[place as usize];
        let before = (node.phi, node.delta, node.bounds);
        (node.phi, node.delta, node.bounds) = (phi, delta, bounds);
        Self::settle(node);
        Ok(before != (node.phi, node.delta, node.bounds))
    }

    /// Correct all ancestors of a node, and the node.
    fn correct(&mut self, place: u32) -> Result<(), Halt> {
        let mut open = vec![place];
        while let Some(next) = open.pop() {
            let solved = |n: &Node<G>| n.phi == 0.0 || n.delta == 0.0;
            if self.nodes[next as usize].expanded
                && !solved(&self.nodes[next as usize])
                && (self.update(next)? || next == place)
            {
                open.extend(self.nodes[next as usize].parents.iter().copied());
            }
        }
        Ok(())
    }

    /// The way down from a node to the leaf to expand next, both included.
    fn way_down(&self, root: u32) -> Vec<u32> {
        let mut way = vec![root];
        loop {
            let place = way[way.len() - 1];
            let children = self.nodes[place as usize].children.iter().copied();
            let cheapest = children.min_by(|&a, &b| self.seen(place, a).0.total_cmp(&self.seen(place, b).0));
            match cheapest {
                Some(child) if self.nodes[place as usize].expanded => way.push(child),
                _ => return way,
            }
        }
    }

    /// Make room: free what only solved nodes lead to, then fold from the outside until half of the memory is free.
    fn make_room(&mut self, root: u32) -> Result<(), Stop> {
        self.recycle(root)?;
        let keep = self.way_down(root);
        // What took a search to solve goes last.
        while self.bytes() > self.options.memory / 2 && (self.fold(&keep, false) || self.fold(&keep, true)) {
            self.recycle(root)?;
        }
        let stuck = self.recycled > 1000 * self.nodes.len() as u64;
        if stuck || self.bytes() > self.options.memory / 10 * 9 { Err(Stop::Memory) } else { Ok(()) }
    }

    /// Turn the expanded nodes that have only leaves below them back into leaves, but for those on the way; whether
    /// there were any. Nodes that were expanded and solved count as leaves only if `solved` says so.
    fn fold(&mut self, keep: &[u32], solved: bool) -> bool {
        let leaf = |place: u32| {
            let node = &self.nodes[place as usize];
            node.children.is_empty() && (solved || !node.expanded)
        };
        let outermost = |place: &u32| {
            let children = &self.nodes[*place as usize].children;
            !children.is_empty() && children.iter().all(|&c| leaf(c)) && !keep.contains(place)
        };
        let found: Vec<u32> = (0..self.nodes.len() as u32).filter(outermost).collect();
        for &place in &found {
            let node = &mut self.nodes[place as usize];
            node.expanded = false;
            for child in std::mem::take(&mut node.children) {
                self.nodes[child as usize].parents.retain(|&parent| parent != place);
            }
        }
        self.folded += found.len() as u64;
        !found.is_empty()
    }

    /// Free the nodes that no unsolved node leads to.
    fn recycle(&mut self, root: u32) -> Result<(), Stop> {
        let mut reached = vec![false; self.nodes.len()];
        let mut open = vec![root];
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut reached[place as usize], true) {
                self.meter.spend(1)?;
                let node = &mut self.nodes[place as usize];
                if place != root && (node.phi == 0.0 || node.delta == 0.0) {
                    node.children = Vec::new();
                }
                open.extend(node.children.iter().copied());
            }
        }
        self.links = 0;
        for (place, reached_here) in reached.iter().enumerate() {
            let node = &mut self.nodes[place];
            if *reached_here {
                node.parents.retain(|&parent| reached[parent as usize]);
                self.links += (node.children.len() + node.parents.len()) as u64;
            } else if self.places.remove(&(node.key, node.question.beta.raw())).is_some() {
                (node.children, node.parents) = (Vec::new(), Vec::new());
                self.free.push(place as u32);
                self.recycled += 1;
            }
        }
        Ok(())
    }
}

impl<G: Game> Oracle<G> for Pns<'_, G> {
    fn put(&mut self, root: &G::Position, question: Window) -> Result<Answer<G::Move>, Halt> {
        let root_place = self.node(*root, question)?;
        loop {
            let node = &self.nodes[root_place as usize];
            if node.phi == 0.0 || node.delta == 0.0 {
                break;
            }
            self.probe.numbers(node.phi, node.delta);
            self.meter.tick()?;
            let way = self.way_down(root_place);
            let place = way[way.len() - 1];
            self.stats.depth = self.stats.depth.max(way.len() as u32 - 1);
            self.expand(place)?;
            self.correct(place)?;
            self.stats.memory = self.stats.memory.max(self.bytes());
            if self.bytes() > self.options.memory {
                self.make_room(root_place)?;
            }
        }
        let bounds = self.nodes[root_place as usize].bounds;
        let mut best = None;
        if self.nodes[root_place as usize].expanded {
            self.meter.look::<_, Halt>(self.game, self.classes, root, question, &mut self.moves)?;
            best = self.moves.iter().find(|&m| {
                let child = self.game.step(root, m);
                let alternates = G::ALTERNATES || self.game.side(root) != self.game.side(&child);
                let place = self.places.get(&(self.game.key(&child), question.child(alternates).beta.raw()));
                place.is_some_and(|&c| self.nodes[c as usize].bounds.back(alternates).lo >= bounds.lo)
            });
        }
        Ok(Answer { bounds, best })
    }

    fn recall(&self, p: &G::Position) -> Result<Bounds, Box<Contradiction>> {
        let key = self.game.key(p);
        [Window::WIN, Window::DRAW].iter().filter_map(|q| self.places.get(&(key, q.beta.raw()))).try_fold(
            Bounds::ALL,
            |known, &place| {
                together(p, ("one question", known), ("another question", self.nodes[place as usize].bounds))
            },
        )
    }

    fn nodes(&self) -> u64 {
        self.meter.nodes
    }

    fn finish(&mut self) -> Stats {
        self.meter.finish();
        let mut stats = std::mem::take(&mut self.stats);
        stats.nodes = self.meter.nodes;
        stats.created = Some(self.created);
        stats.count("recycled", self.recycled);
        stats.count("folded", self.folded);
        stats
    }
}
