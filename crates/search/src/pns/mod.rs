//! Proof-number search (Allis, van der Meulen, van den Herik 1994), best first, on a graph of positions with exact keys.
//!
//! Every step goes down from the root along the cheapest way to a proof, expands the leaf it ends at and corrects the
//! numbers of all its ancestors. Equal positions are one node with several parents, so that the graph is a directed
//! acyclic one. With [`Options::heuristic`] leaves start with the game's own guesses of the work
//! ([`Game::effort`]) and with the number of their moves; without, with 1 and 1 as published.
//!
//! The whole graph is kept in memory. When it is full, nodes that no unsolved node leads to are recycled; if that does
//! not make enough room the search stops and says so.
use std::collections::HashMap;

use ludex_core::{Bounds, Game, Goal, Moves, Stats, Stop, Value, Verdict, Window};

use crate::{
    ask::{Ask, Meter},
    driver::{self, Answer, Oracle},
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
pub fn solve<G: Game>(ask: &Ask<'_, G>, options: Options) -> Verdict<G::Move> {
    let mut search = Pns {
        game: ask.game,
        options,
        meter: Meter::new(ask.probe),
        stats: Stats::default(),
        moves: Moves::new(),
        classes: ask.goal == Goal::Wdl,
        nodes: Vec::new(),
        free: Vec::new(),
        places: HashMap::new(),
        links: 0,
        created: 0,
        recycled: 0,
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
    stats: Stats,
    moves: Moves<G::Move>,
    classes: bool,
    nodes: Vec<Node<G>>,
    free: Vec<u32>,
    /// By key and question: bounds of one question need not answer another.
    places: HashMap<(G::Key, i16), u32>,
    links: u64,
    created: u64,
    recycled: u64,
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
    fn node(&mut self, position: G::Position, question: Window) -> u32 {
        let key = self.game.key(&position);
        if let Some(&place) = self.places.get(&(key, question.beta.raw())) {
            return place;
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
            node.bounds = driver::look(self.game, self.classes, &position, question, &mut self.moves);
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
        place
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

    fn expand(&mut self, place: u32) {
        let (p, question) = (self.nodes[place as usize].position, self.nodes[place as usize].question);
        let mut moves = std::mem::take(&mut self.moves);
        let known = driver::look(self.game, self.classes, &p, question, &mut moves);
        let list: Vec<G::Move> = moves.iter().collect();
        let left_out = if moves.is_partial() { question.alpha } else { Value::WORST };
        self.moves = moves;
        let mut children: Vec<u32> = Vec::with_capacity(list.len());
        for m in list {
            let child = self.game.step(&p, m);
            let alternates = G::ALTERNATES || self.game.side(&p) != self.game.side(&child);
            let child = self.node(child, question.child(alternates));
            if !children.contains(&child) {
                children.push(child);
                self.nodes[child as usize].parents.push(place);
            }
        }
        self.links += 2 * children.len() as u64;
        let node = &mut self.nodes[place as usize];
        (node.known, node.left_out, node.expanded, node.children) = (known, left_out, true, children);
    }

    /// Recompute a node from its children; whether anything changed.
    fn update(&mut self, place: u32) -> bool {
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
        let bounds = Bounds { lo: lo.max(node.known.lo), hi: hi.min(node.known.hi) };
        let bounds = if self.classes { driver::classes(bounds) } else { bounds };
        let node = &mut self.nodes[place as usize];
        let before = (node.phi, node.delta, node.bounds);
        (node.phi, node.delta, node.bounds) = (phi, delta, bounds);
        Self::settle(node);
        before != (node.phi, node.delta, node.bounds)
    }

    /// Correct all ancestors of a node, and the node.
    fn correct(&mut self, place: u32) {
        let mut open = vec![place];
        while let Some(next) = open.pop() {
            let solved = |n: &Node<G>| n.phi == 0.0 || n.delta == 0.0;
            if self.nodes[next as usize].expanded
                && !solved(&self.nodes[next as usize])
                && (self.update(next) || next == place)
            {
                open.extend(self.nodes[next as usize].parents.iter().copied());
            }
        }
    }

    /// Free the nodes that no unsolved node leads to.
    fn recycle(&mut self, root: u32) {
        let mut reached = vec![false; self.nodes.len()];
        let mut open = vec![root];
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut reached[place as usize], true) {
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
    }
}

impl<G: Game> Oracle<G> for Pns<'_, G> {
    fn put(&mut self, root: &G::Position, question: Window) -> Result<Answer<G::Move>, Stop> {
        let root_place = self.node(*root, question);
        loop {
            let node = &self.nodes[root_place as usize];
            if node.phi == 0.0 || node.delta == 0.0 {
                break;
            }
            self.meter.tick()?;
            let mut place = root_place;
            let mut depth = 0;
            while self.nodes[place as usize].expanded {
                let children = &self.nodes[place as usize].children;
                let cheapest = children
                    .iter()
                    .copied()
                    .min_by(|&a, &b| self.seen(place, a).0.total_cmp(&self.seen(place, b).0));
                let Some(child) = cheapest else { break };
                place = child;
                depth += 1;
            }
            self.stats.depth = self.stats.depth.max(depth);
            self.expand(place);
            self.correct(place);
            self.stats.memory = self.stats.memory.max(self.bytes());
            if self.bytes() > self.options.memory {
                self.recycle(root_place);
                if self.bytes() > self.options.memory / 10 * 9 {
                    return Err(Stop::Memory);
                }
            }
        }
        let bounds = self.nodes[root_place as usize].bounds;
        let mut best = None;
        if self.nodes[root_place as usize].expanded {
            driver::look(self.game, self.classes, root, question, &mut self.moves);
            best = self.moves.iter().find(|&m| {
                let child = self.game.step(root, m);
                let alternates = G::ALTERNATES || self.game.side(root) != self.game.side(&child);
                let place = self.places.get(&(self.game.key(&child), question.child(alternates).beta.raw()));
                place.is_some_and(|&c| self.nodes[c as usize].bounds.back(alternates).lo >= bounds.lo)
            });
        }
        Ok(Answer { bounds, best })
    }

    fn recall(&self, p: &G::Position) -> Bounds {
        let key = self.game.key(p);
        [Window::WIN, Window::DRAW]
            .iter()
            .filter_map(|q| self.places.get(&(key, q.beta.raw())))
            .fold(Bounds::ALL, |bounds, &place| bounds.and(self.nodes[place as usize].bounds))
    }

    fn nodes(&self) -> u64 {
        self.meter.nodes
    }

    fn finish(&mut self) -> Stats {
        self.meter.finish();
        let mut stats = std::mem::take(&mut self.stats);
        stats.nodes = self.meter.nodes;
        stats.count("created", self.created);
        stats.count("recycled", self.recycled);
        stats
    }
}
