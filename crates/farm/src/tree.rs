//! The top of a shared proof search: which leaf to search next, and what its answer means for the root.
//!
//! A node has the two numbers of df-pn, from the view of its mover: `phi`, the work left to show that he gets what is asked,
//! and `delta`, the work to show that he does not. They are put together as the workers put them together (weak proof
//! numbers), so that numbers from a worker fit where they are hung in. Equal positions are one node.
//!
//! Leaves that are handed out make the way to them look dearer (virtual loss): a node with `n` of them below it counts
//! `1 + n loss` times. So workers spread over what is nearly as good instead of waiting for the best.

use std::collections::{HashMap, HashSet};

use ludex_core::Error;
use ludex_judge::{Branch, Pursuit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A node of the tree.
#[derive(Clone, Debug)]
struct Node {
    key: String,
    /// Where it was met first, and by which move.
    from: Option<(u32, String)>,
    phi: f64,
    delta: f64,
    /// Children, and whether the other side is to move there.
    children: Vec<(u32, bool)>,
    parents: Vec<u32>,
    /// Leaves below, or this one, that are handed out.
    out: u32,
    /// Whether this leaf is handed out.
    taken: bool,
    /// How often it was handed out.
    visits: u32,
    /// Positions searched here and below.
    work: u64,
}

/// A leaf to be searched.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// Its number in the tree.
    pub place: u32,
    /// Its exact key.
    pub key: String,
    /// The moves that lead there.
    pub way: Vec<String>,
    /// How far its `phi` may go.
    pub phi: f64,
    /// How far its `delta` may go.
    pub delta: f64,
    /// Which visit this is, from 0.
    pub visit: u32,
}

/// A node for people: the top of the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Twig {
    /// The move that leads here; none for the root.
    #[serde(rename = "move")]
    pub text: Option<String>,
    /// Work left to show that the root's mover gets what is asked; null if he cannot.
    pub proof: Option<f64>,
    /// Work left to show that he does not; null if he does.
    pub disproof: Option<f64>,
    /// Leaves below that are being searched.
    pub running: u32,
    /// Positions searched below.
    pub nodes: u64,
    /// The moves from here, the cheapest first.
    pub moves: Vec<Twig>,
}

/// The tree.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    places: HashMap<String, u32>,
    epsilon: f64,
    loss: f64,
    open_leaves: usize,
    /// Whether something was settled since the idle leaves were last asked for.
    settled_one: bool,
    /// The ways down to the leaves that are handed out.
    lines: HashMap<u32, Vec<u32>>,
}

impl Tree {
    /// The name of the root, which is not known by its key.
    pub const ROOT: &str = "root";

    /// A tree of one leaf, the root.
    #[must_use]
    pub fn new(epsilon: f64, loss: f64) -> Self {
        let (nodes, places, lines) = (Vec::new(), HashMap::new(), HashMap::new());
        let mut tree = Self { nodes, places, epsilon, loss, open_leaves: 0, settled_one: false, lines };
        tree.add(Self::ROOT.to_owned(), None, 1.0, 1.0);
        tree
    }

    fn add(&mut self, key: String, from: Option<(u32, String)>, phi: f64, delta: f64) -> u32 {
        let place = self.nodes.len() as u32;
        if !key.is_empty() {
            self.places.insert(key.clone(), place);
        }
        if phi > 0.0 && delta > 0.0 {
            self.open_leaves += 1;
        }
        self.nodes.push(Node {
            key,
            from,
            phi,
            delta,
            children: Vec::new(),
            parents: Vec::new(),
            out: 0,
            taken: false,
            visits: 0,
            work: 0,
        });
        place
    }

    /// Whether the question about the root is answered, and how.
    #[must_use]
    pub fn answer(&self) -> Option<bool> {
        let root = &self.nodes[0];
        if root.phi == 0.0 {
            Some(true)
        } else if root.delta == 0.0 {
            Some(false)
        } else {
            None
        }
    }

    /// The numbers of the root.
    #[must_use]
    pub fn numbers(&self) -> (f64, f64) {
        (self.nodes[0].phi, self.nodes[0].delta)
    }

    /// Nodes of the tree.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but the root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// Leaves that are not settled.
    #[must_use]
    pub fn open_leaves(&self) -> usize {
        self.open_leaves
    }

    /// Positions searched below the root.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.nodes[0].work
    }

    fn settled(&self, place: u32) -> bool {
        let node = &self.nodes[place as usize];
        node.phi == 0.0 || node.delta == 0.0
    }

    /// A child's numbers as its parent's mover sees them.
    fn seen(&self, child: u32, alternates: bool) -> (f64, f64) {
        let node = &self.nodes[child as usize];
        if alternates { (node.delta, node.phi) } else { (node.phi, node.delta) }
    }

    /// The moves from the root to a node.
    fn way(&self, mut place: u32) -> Vec<String> {
        let mut way = Vec::new();
        while let Some((parent, m)) = &self.nodes[place as usize].from {
            way.push(m.clone());
            place = *parent;
        }
        way.reverse();
        way
    }

    /// The leaf to search next, which is handed out by this; none if all that matter are.
    pub fn pick(&mut self) -> Option<Pick> {
        if self.settled(0) {
            return None;
        }
        let mut barren = HashSet::new();
        let mut line = vec![0];
        let open = (f64::INFINITY, f64::INFINITY);
        let (phi, delta) = self.descend(0, open, &mut line, &mut barren)?;
        let place = line[line.len() - 1];
        let node = &mut self.nodes[place as usize];
        node.taken = true;
        let visit = node.visits;
        node.visits += 1;
        let key = node.key.clone();
        for &above in &line {
            self.nodes[above as usize].out += 1;
        }
        self.lines.insert(place, line);
        Some(Pick { place, key, way: self.way(place), phi, delta, visit })
    }

    /// Down to a leaf that is not handed out, along the cheapest moves; the leaf's limits.
    fn descend(
        &self,
        place: u32,
        limit: (f64, f64),
        line: &mut Vec<u32>,
        barren: &mut HashSet<u32>,
    ) -> Option<(f64, f64)> {
        let node = &self.nodes[place as usize];
        if node.children.is_empty() {
            if node.taken {
                barren.insert(place);
                return None;
            }
            return Some(limit);
        }
        let mut order: Vec<(f64, f64, u32, bool)> = Vec::new();
        let mut open = 0.0;
        for &(child, alternates) in &node.children {
            let (phi, delta) = self.seen(child, alternates);
            open += f64::from(u8::from(delta > 0.0));
            if phi.is_finite() && delta > 0.0 && !self.settled(child) {
                let out = f64::from(self.nodes[child as usize].out);
                order.push((phi * (1.0 + self.loss * out), phi, child, alternates));
            }
        }
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
        for i in 0..order.len() {
            let (_, phi, child, alternates) = order[i];
            if barren.contains(&child) {
                continue;
            }
            let others = order.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, other)| other.0);
            let second = others.fold(f64::INFINITY, f64::min);
            let further = (second * (1.0 + self.epsilon)).max(second + 1.0);
            // A move that was not the cheapest is worked on all the same, until it is dearer by the same share.
            let own = phi * (1.0 + self.epsilon) + 1.0;
            let reach = (limit.0.min(further).max(own), ((limit.1 - (open - 1.0)) * (1.0 + 1e-9)).max(1.0));
            let reach = if alternates { (reach.1, reach.0) } else { reach };
            line.push(child);
            if let Some(found) = self.descend(child, reach, line, barren) {
                return Some(found);
            }
            line.pop();
        }
        barren.insert(place);
        None
    }
}

impl Tree {
    /// Hand out a leaf that was handed out before the tree was made again; false if there is no such open leaf.
    pub fn take(&mut self, key: &str, visit: u32) -> bool {
        let Some(&place) = self.places.get(key) else { return false };
        let node = &self.nodes[place as usize];
        if node.taken || !node.children.is_empty() || self.settled(place) || node.visits > visit {
            return false;
        }
        let mut line = vec![place];
        while let Some((parent, _)) = &self.nodes[line[line.len() - 1] as usize].from {
            line.push(*parent);
        }
        line.reverse();
        for &above in &line {
            self.nodes[above as usize].out += 1;
        }
        let node = &mut self.nodes[place as usize];
        (node.taken, node.visits) = (true, visit + 1);
        self.lines.insert(place, line);
        true
    }

    /// A leaf is no longer handed out.
    pub fn put_back(&mut self, place: u32) {
        for above in self.lines.remove(&place).unwrap_or_default() {
            self.nodes[above as usize].out -= 1;
        }
        self.nodes[place as usize].taken = false;
    }

    /// The number of a node by its key.
    #[must_use]
    pub fn place(&self, key: &str) -> Option<u32> {
        self.places.get(key).copied()
    }

    /// Hang in what a visit to a node came to; false if there is no such node.
    ///
    /// # Errors
    /// If it contradicts what is known.
    pub fn apply(&mut self, key: &str, visit: u32, found: &Pursuit) -> Result<bool, Error> {
        let Some(place) = self.place(key) else { return Ok(false) };
        self.put_back(place);
        let mut above = Some(place);
        while let Some(at) = above {
            let node = &mut self.nodes[at as usize];
            node.work += found.nodes;
            above = node.from.as_ref().map(|(parent, _)| *parent);
        }
        let node = &mut self.nodes[place as usize];
        node.visits = node.visits.max(visit + 1);
        let before = (node.phi == 0.0, node.delta == 0.0);
        if before.0 || before.1 {
            return match found.answer() {
                Some(answer) if answer != before.0 => Err(Error::contradiction(format!(
                    "two searches of {:?} exclude each other",
                    self.way(place)
                ))),
                _ => Ok(true),
            };
        }
        let leaf = node.children.is_empty();
        if found.answer().is_some() {
            (node.phi, node.delta) = (found.phi, found.delta);
            node.children = Vec::new();
            self.open_leaves -= usize::from(leaf);
        } else if leaf {
            (node.phi, node.delta) = (found.phi, found.delta);
            if found.used_up && !found.branches.is_empty() {
                self.open_leaves -= 1;
                self.hang_in(place, &found.branches);
            }
        }
        self.correct(place)?;
        Ok(true)
    }

    fn hang_in(&mut self, place: u32, branches: &[Branch]) {
        for branch in branches {
            let from = || Some((place, branch.text.clone()));
            let child = match self.places.get(&branch.key) {
                Some(&known) if !branch.key.is_empty() => known,
                _ => self.add(branch.key.clone(), from(), branch.phi, branch.delta),
            };
            self.nodes[child as usize].parents.push(place);
            self.nodes[place as usize].children.push((child, branch.alternates));
        }
    }

    /// Recompute a node from its children; whether anything changed.
    fn update(&mut self, place: u32) -> Result<bool, Error> {
        let node = &self.nodes[place as usize];
        let (mut phi, mut largest, mut open) = (f64::INFINITY, 0.0f64, 0.0f64);
        for &(child, alternates) in &node.children {
            let (p, d) = self.seen(child, alternates);
            phi = phi.min(p);
            largest = largest.max(d);
            open += f64::from(u8::from(d > 0.0));
        }
        let delta = match () {
            () if phi == 0.0 => f64::INFINITY,
            () if open == 0.0 => 0.0,
            () => largest + (open - 1.0),
        };
        let before = (node.phi, node.delta);
        if (before.0 == 0.0 && delta == 0.0) || (before.1 == 0.0 && phi == 0.0) {
            let way = self.way(place);
            return Err(Error::contradiction(format!("{way:?} and the moves there exclude each other")));
        }
        let node = &mut self.nodes[place as usize];
        (node.phi, node.delta) = (phi, delta);
        self.settled_one |= phi == 0.0 || delta == 0.0;
        Ok(before != (phi, delta))
    }

    /// Correct a node and everything above it.
    fn correct(&mut self, place: u32) -> Result<(), Error> {
        let mut open = vec![place];
        while let Some(next) = open.pop() {
            let inner = !self.nodes[next as usize].children.is_empty();
            let changed = if inner { !self.settled(next) && self.update(next)? } else { false };
            if changed || next == place {
                open.extend(&self.nodes[next as usize].parents);
            }
        }
        Ok(())
    }

    /// The leaves that are handed out although nothing depends on them any more.
    #[must_use]
    pub fn idle(&mut self) -> Vec<u32> {
        if !std::mem::replace(&mut self.settled_one, false) {
            return Vec::new();
        }
        let mut alive = HashMap::from([(0, !self.settled(0))]);
        let mut idle: Vec<u32> =
            self.lines.keys().copied().filter(|leaf| !self.is_alive(*leaf, &mut alive)).collect();
        idle.sort_unstable();
        idle
    }

    /// Whether an unsettled way leads up from a node to the root.
    fn is_alive(&self, place: u32, alive: &mut HashMap<u32, bool>) -> bool {
        if let Some(known) = alive.get(&place) {
            return *known;
        }
        let lives = !self.settled(place)
            && self.nodes[place as usize].parents.iter().any(|parent| self.is_alive(*parent, alive));
        alive.insert(place, lives);
        lives
    }

    /// The key and the visit of a leaf that is handed out.
    #[must_use]
    pub fn handed_out(&self, place: u32) -> (&str, u32) {
        let node = &self.nodes[place as usize];
        (&node.key, node.visits.saturating_sub(1))
    }

    /// The top of the tree for people: so many plies, so many moves at each.
    #[must_use]
    pub fn top(&self, plies: u32, moves: usize) -> Twig {
        self.twig(0, None, true, plies, moves)
    }

    fn twig(&self, place: u32, text: Option<String>, ours: bool, plies: u32, most: usize) -> Twig {
        let node = &self.nodes[place as usize];
        let finite = |x: f64| x.is_finite().then(|| (x * 100.0).round() / 100.0);
        let (phi, delta) = (finite(node.phi), finite(node.delta));
        let mut moves = Vec::new();
        if plies > 0 {
            let mut order: Vec<(f64, u32, bool)> =
                node.children.iter().map(|&(child, alt)| (self.seen(child, alt).0, child, alt)).collect();
            order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for &(_, child, alternates) in order.iter().take(most) {
                let from = &self.nodes[child as usize].from;
                let text = from.as_ref().map(|(_, m)| m.clone());
                moves.push(self.twig(child, text, ours != alternates, plies - 1, most));
            }
        }
        Twig {
            text,
            proof: if ours { phi } else { delta },
            disproof: if ours { delta } else { phi },
            running: node.out,
            nodes: node.work,
            moves,
        }
    }
}

#[cfg(test)]
mod tests {
    use ludex_core::Bounds;

    use super::*;

    fn branch(text: &str, phi: f64, delta: f64) -> Branch {
        Branch { text: text.into(), key: text.into(), alternates: true, phi, delta }
    }

    fn found(phi: f64, delta: f64, branches: Vec<Branch>) -> Pursuit {
        let bounds = Bounds::ALL;
        let (key, nodes, seconds, facts) = (String::new(), 10, 0.0, Vec::new());
        Pursuit { phi, delta, bounds, key, nodes, seconds, used_up: true, branches, facts }
    }

    /// The root's mover needs one move after which the other side fails.
    #[test]
    fn a_win_is_one_good_move_and_a_loss_all_bad_ones() {
        let mut tree = Tree::new(0.25, 1.0);
        let root = tree.pick().unwrap();
        assert_eq!((root.way.len(), tree.pick()), (0, None));
        let branches = vec![branch("a", 5.0, 2.0), branch("b", 4.0, 3.0)];
        assert!(tree.apply(Tree::ROOT, 0, &found(9.0, 9.0, branches)).unwrap());
        // The cheapest move for the root is the one with the least delta for its opponent.
        assert_eq!(tree.numbers(), (2.0, 6.0));
        let (first, second) = (tree.pick().unwrap(), tree.pick().unwrap());
        assert_eq!((first.way, second.way, tree.pick()), (vec!["a".to_owned()], vec!["b".to_owned()], None));
        tree.apply("a", 0, &found(0.0, f64::INFINITY, vec![])).unwrap();
        assert_eq!(tree.answer(), None);
        let mut lost = tree.clone();
        lost.apply("b", 0, &found(0.0, f64::INFINITY, vec![])).unwrap();
        assert_eq!(lost.answer(), Some(false));
        tree.apply("b", 0, &found(f64::INFINITY, 0.0, vec![])).unwrap();
        assert_eq!(tree.answer(), Some(true));
        assert!(tree.apply("b", 1, &found(0.0, f64::INFINITY, vec![])).is_err(), "a contradiction");
    }

    /// Leaves that are handed out make their surroundings dearer, and an answer above them makes them idle.
    #[test]
    fn workers_spread_and_are_called_back() {
        let mut tree = Tree::new(0.25, 1.0);
        tree.pick().unwrap();
        let branches = vec![branch("a", 9.0, 2.0), branch("b", 9.0, 3.0)];
        tree.apply(Tree::ROOT, 0, &found(9.0, 9.0, branches)).unwrap();
        assert_eq!(tree.pick().unwrap().way, ["a"]);
        let below = ["a1", "a2", "a3"].map(|m| branch(m, 1.0, 1.0)).to_vec();
        tree.apply("a", 0, &found(9.0, 2.0, below)).unwrap();
        let ways: Vec<_> = std::iter::from_fn(|| tree.pick()).map(|pick| pick.way.join(" ")).collect();
        assert_eq!(ways.len(), 4, "{ways:?}");
        assert!(ways[..3].contains(&"b".to_owned()), "{ways:?}");
        assert!(tree.idle().is_empty());
        tree.apply("a1", 0, &found(f64::INFINITY, 0.0, vec![])).unwrap();
        // `a` is refuted now, so nobody needs to know more about it.
        assert_eq!(tree.idle().len(), 2);
    }
}
