//! The scheduler on more workers than there are: the real tree, an invented game, and a clock that is only counted.
//!
//! A hidden position is worth something to its mover and takes so many seconds of search to prove. Where the mover wins, one
//! move does it, and the others look as good and are not; where he loses, every move has to be refuted, and the work is
//! shared out among them at random. A slice ends with the answer or with estimates of the work behind every move, which are
//! wrong by a random factor, as proof numbers are. Jobs take as long as was measured, the queue and the master take their
//! time, and the master does one thing at a time.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
};

use ludex_core::{Bounds, Error};
use ludex_judge::{Branch, Pursuit};

use crate::tree::{Pick, Tree};

/// What is simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Seconds of search that a proof of the root takes if every choice is right.
    pub size: f64,
    /// Seconds of a slice.
    pub slice: f64,
    /// Lengths of jobs that were measured, as shares of their slice.
    pub lengths: Vec<f64>,
    /// Moves at a position.
    pub width: usize,
    /// How wrong estimates are: the standard deviation of their logarithm.
    pub noise: f64,
    /// The part of a slice that was needed.
    pub useful: f64,
    /// Seconds from the end of a job to the beginning of the next on an idle queue.
    pub latency: f64,
    /// Seconds of the master for each job.
    pub service: f64,
    /// Leaves handed out beyond one for each worker, as a share of the workers.
    pub ahead: f64,
    /// How much dearer a leaf that is handed out makes the way to it, as a share.
    pub loss: f64,
    /// Short slices while there are few leaves.
    pub ramp: bool,
    /// How far beyond the second cheapest move a leaf may go.
    pub epsilon: f64,
    /// Which game.
    pub seed: u64,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            size: 20_000.0,
            slice: 1.0,
            lengths: vec![1.0],
            width: 24,
            noise: 1.0,
            useful: 0.7,
            latency: 0.005,
            service: 0.0003,
            ahead: 0.125,
            loss: 0.25,
            ramp: true,
            epsilon: 0.25,
            seed: 1,
        }
    }
}

/// What a simulated search took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulated {
    /// Workers.
    pub workers: usize,
    /// Seconds to the answer.
    pub seconds: f64,
    /// Jobs.
    pub jobs: u64,
    /// Seconds of all workers in jobs.
    pub busy: f64,
}

impl Simulated {
    /// The speed of this run as a share of so many times the speed of one worker.
    #[must_use]
    pub fn efficiency(&self, one: &Self) -> f64 {
        one.seconds / (self.workers as f64 * self.seconds)
    }
}

/// Random numbers that are the same everywhere.
#[derive(Clone, Copy)]
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Between 0 and 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// About normal, by twelve throws.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }
}

/// A hidden position.
#[derive(Clone, Copy)]
struct Hidden {
    wins: bool,
    size: f64,
    seed: u64,
}

struct World<'a> {
    model: &'a Model,
    positions: HashMap<String, Hidden>,
    dice: Dice,
}

impl World<'_> {
    /// What a slice at a position comes to, and how long it takes.
    fn search(&mut self, key: &str, share: f64) -> (Pursuit, f64) {
        let model = self.model;
        let length = model.lengths[self.dice.next() as usize % model.lengths.len()].max(1e-3);
        let slice = model.slice * share * length;
        let hidden = self.positions[key];
        let mut found = Pursuit {
            phi: 0.0,
            delta: f64::INFINITY,
            bounds: Bounds::ALL,
            key: String::new(),
            nodes: 1,
            seconds: slice,
            used_up: true,
            branches: Vec::new(),
            facts: Vec::new(),
        };
        if hidden.size <= slice {
            if !hidden.wins {
                (found.phi, found.delta) = (f64::INFINITY, 0.0);
            }
            return (found, hidden.size);
        }
        let left = Hidden { size: (hidden.size - slice * model.useful).max(slice * 0.1), ..hidden };
        let branches: Vec<Branch> =
            self.children(left).into_iter().map(|(key, child)| self.estimate(key, child)).collect();
        (found.phi, found.delta) = (left.size, left.size);
        found.branches = branches;
        (found, slice)
    }

    fn children(&mut self, parent: Hidden) -> Vec<(String, Hidden)> {
        let mut dice = Dice(parent.seed);
        let model = self.model;
        let width = 2 + (dice.next() as usize % (2 * model.width - 2));
        let winning = dice.next() as usize % width;
        let weights: Vec<f64> = (0..width).map(|_| dice.normal().exp()).collect();
        let total: f64 = weights.iter().sum();
        let mut children = Vec::new();
        for (i, weight) in weights.iter().enumerate() {
            let seed = dice.next();
            let child = if parent.wins {
                // One move does it; others may too, with more work; the rest is refuted by the opponent.
                let other = dice.unit() < 0.1;
                let size = if i == winning { parent.size } else { parent.size * (dice.normal() * 1.5).exp() };
                Hidden { wins: i != winning && !other, size, seed }
            } else {
                Hidden { wins: true, size: parent.size * weight / total, seed }
            };
            let key = format!("{seed:016x}");
            self.positions.insert(key.clone(), child);
            children.push((key, child));
        }
        children
    }

    /// What a worker thinks of a position: the right number is about the work, the wrong one about some times the work.
    fn estimate(&mut self, key: String, hidden: Hidden) -> Branch {
        let noise = self.model.noise;
        let mut guess = |size: f64| (size * (self.dice.normal() * noise).exp()).max(1e-3);
        let (right, wrong) = (guess(hidden.size), guess(hidden.size * 4.0));
        let (phi, delta) = if hidden.wins { (right, wrong) } else { (wrong, right) };
        Branch { text: key.clone(), key, alternates: true, phi: 1.0 + phi, delta: 1.0 + delta }
    }
}

/// A moment, ordered.
#[derive(Clone, Copy, PartialEq)]
struct Moment(f64);

impl Eq for Moment {}

impl PartialOrd for Moment {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Moment {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Simulate a search with so many workers.
///
/// ```
/// use ludex_farm::simulate::{Model, simulate};
///
/// let model = Model { size: 200.0, ..Model::default() };
/// let (one, four) = (simulate(&model, 1)?, simulate(&model, 4)?);
/// assert!(four.seconds < one.seconds);
/// # Ok::<(), ludex_judge::Error>(())
/// ```
///
/// # Errors
/// If the tree contradicts itself, which would be a fault of the program.
pub fn simulate(model: &Model, workers: usize) -> Result<Simulated, Error> {
    let mut world = World { model, positions: HashMap::new(), dice: Dice(model.seed ^ 0x5eed) };
    world.positions.insert(Tree::ROOT.to_owned(), Hidden { wins: true, size: model.size, seed: model.seed });
    let mut tree = Tree::new(model.epsilon, model.loss);
    let mut done = Simulated { workers, seconds: 0.0, jobs: 0, busy: 0.0 };
    let (mut clock, mut master_free, mut idle_workers) = (0.0f64, 0.0f64, workers);
    let wanted = workers + (workers as f64 * model.ahead) as usize;
    let mut waiting: std::collections::VecDeque<Pick> = std::collections::VecDeque::new();
    let mut running: HashMap<u32, (Pick, f64)> = HashMap::new();
    let mut ends: BinaryHeap<Reverse<(Moment, u32, u64)>> = BinaryHeap::new();
    let mut answers: HashMap<u64, Pursuit> = HashMap::new();
    while tree.answer().is_none() {
        // Hand out, then let idle workers take.
        while running.len() + waiting.len() < wanted {
            let Some(pick) = tree.pick() else { break };
            master_free = master_free.max(clock) + model.service;
            waiting.push_back(pick);
        }
        while idle_workers > 0 {
            let Some(pick) = waiting.pop_front() else { break };
            idle_workers -= 1;
            let share = if model.ramp && tree.open_leaves() < 2 * workers { 0.125 } else { 1.0 };
            let (found, took) = world.search(&pick.key, share);
            let begins = master_free.max(clock) + model.latency;
            done.jobs += 1;
            answers.insert(done.jobs, found);
            ends.push(Reverse((Moment(begins + took), pick.place, done.jobs)));
            running.insert(pick.place, (pick, begins));
        }
        let Some(Reverse((Moment(at), place, job))) = ends.pop() else {
            return Err(Error::contradiction("nothing is left to do, and nothing is answered"));
        };
        // One that was called off has left.
        let Some(found) = answers.remove(&job) else { continue };
        clock = clock.max(at);
        idle_workers += 1;
        let Some((pick, begins)) = running.remove(&place) else { continue };
        done.busy += at - begins;
        master_free = master_free.max(clock) + model.service;
        tree.apply(&pick.key, pick.visit, &found)?;
        for place in tree.idle() {
            tree.put_back(place);
            waiting.retain(|pick| pick.place != place);
            if let Some((_, begins)) = running.remove(&place) {
                done.busy += (clock - begins).max(0.0);
                idle_workers += 1;
                let gone: Vec<u64> = ends
                    .iter()
                    .filter(|Reverse((_, at, _))| *at == place)
                    .map(|Reverse((_, _, job))| *job)
                    .collect();
                for job in gone {
                    answers.remove(&job);
                }
            }
        }
    }
    done.seconds = master_free.max(clock);
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_workers_are_faster_and_the_same_seed_is_the_same_run() {
        let model = Model { size: 500.0, ..Model::default() };
        let one = simulate(&model, 1).unwrap();
        assert_eq!(one, simulate(&model, 1).unwrap());
        let eight = simulate(&model, 8).unwrap();
        assert!(eight.seconds < one.seconds / 2.0, "{one:?} {eight:?}");
        assert!(one.busy <= one.seconds + 1e-6, "{one:?}");
    }
}
