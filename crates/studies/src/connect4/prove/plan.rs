//! One move for every position of a proof, chosen so that many positions are shared.
//!
//! The sizes of a graph count a position as often as it occurs; a certificate stores it once. So the moves are chosen again: a
//! position takes the move that leaves least beside what is in the proof anyway, and then every position tries each
//! of its other moves, and keeps it if the whole proof gets smaller.

use super::graph::{Graph, NONE};
use ludex_core::sort_by;
use ludex_games::connect4::Shape;

/// The positions of a proof and their moves.
pub struct Plan<'a, S: Shape> {
    graph: &'a Graph<S>,
    /// The choice of each position.
    chosen: Vec<u32>,
    /// How many positions of the proof lead to it.
    parents: Vec<u32>,
    /// Whether positions that are added get the choice they had.
    as_before: bool,
    /// Moves to be stored.
    size: u32,
}

impl<'a, S: Shape> Plan<'a, S> {
    /// A plan for positions that are proved.
    pub fn new(graph: &'a Graph<S>, roots: &[u32]) -> Self {
        let nodes = graph.len();
        let (chosen, parents) = (vec![u32::MAX; nodes], vec![0; nodes]);
        let mut plan = Self { graph, chosen, parents, as_before: false, size: 0 };
        roots.iter().for_each(|&root| plan.add(root));
        plan
    }

    /// What a choice takes beside what is in the proof.
    fn takes(&self, choice: u32) -> u32 {
        let new = self.graph.children(choice).iter().filter(|&&child| self.parents[child as usize] == 0);
        new.fold(0, |sum, &child| (sum + self.graph.least(child)).min(NONE))
    }

    /// One more position leads to this one.
    fn add(&mut self, id: u32) {
        self.parents[id as usize] += 1;
        if self.parents[id as usize] > 1 {
            return;
        }
        self.size += self.graph.cost(id);
        if !self.as_before {
            let choices = self.graph.kept(id);
            let least = choices.map(|choice| (self.takes(choice), choice)).min();
            self.chosen[id as usize] = least.map_or(u32::MAX, |(_, choice)| choice);
        }
        self.add_choice(self.chosen[id as usize]);
    }

    fn add_choice(&mut self, choice: u32) {
        let graph = self.graph;
        graph.children(choice).iter().for_each(|&child| self.add(child));
    }

    /// One position less leads to this one.
    fn remove(&mut self, id: u32) {
        self.parents[id as usize] -= 1;
        if self.parents[id as usize] == 0 {
            self.size -= self.graph.cost(id);
            self.remove_choice(self.chosen[id as usize]);
        }
    }

    fn remove_choice(&mut self, choice: u32) {
        let graph = self.graph;
        graph.children(choice).iter().for_each(|&child| self.remove(child));
    }

    /// Try every other move of every position once; whether the proof got smaller.
    pub fn improve(&mut self) -> bool {
        let before = self.size;
        let mut ids: Vec<u32> =
            (0..self.parents.len() as u32).filter(|&id| self.parents[id as usize] > 0).collect();
        sort_by(&mut ids, |&a, &b| self.graph.free(a).cmp(&self.graph.free(b)));
        for id in ids {
            for choice in self.graph.kept(id) {
                let old = self.chosen[id as usize];
                if self.parents[id as usize] == 0 || choice == old || self.takes(choice) >= NONE {
                    continue;
                }
                let size = self.size;
                self.add_choice(choice);
                self.remove_choice(old);
                self.chosen[id as usize] = choice;
                if self.size > size {
                    self.as_before = true;
                    self.add_choice(old);
                    self.as_before = false;
                    self.remove_choice(choice);
                    self.chosen[id as usize] = old;
                }
            }
        }
        self.size < before
    }

    /// The choices.
    pub fn finish(self) -> Vec<u32> {
        self.chosen
    }
}
