//! What a search did.

use std::time::Duration;

/// One step of a search that asks several questions in turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// What was asked, such as `win?` or `at least win in 9`.
    pub question: String,
    /// Nodes of this step.
    pub nodes: u64,
    /// Its time, if the probe has a clock.
    pub time: Duration,
}

/// Counters of a search. All of them add up over threads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Positions entered by the search.
    pub nodes: u64,
    /// Of those, positions settled without looking at their moves.
    pub leaves: u64,
    /// Moves that were not looked at, because a rule or a cutoff made it unnecessary.
    pub pruned: u64,
    /// Positions settled by a move before the last.
    pub cutoffs: u64,
    /// Positions settled by the table.
    pub table_hits: u64,
    /// How full the table is, 0 to 1.
    pub table_fill: f64,
    /// The deepest line, in plies from the root.
    pub depth: u32,
    /// Bytes used by tables and trees.
    pub memory: u64,
    /// The questions asked, in order.
    pub iterations: Vec<Iteration>,
    /// Counters of one algorithm or game, by name.
    pub extra: Vec<(&'static str, u64)>,
}

impl Stats {
    /// Add what another thread did.
    pub fn absorb(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.leaves += other.leaves;
        self.pruned += other.pruned;
        self.cutoffs += other.cutoffs;
        self.table_hits += other.table_hits;
        self.table_fill = self.table_fill.max(other.table_fill);
        self.depth = self.depth.max(other.depth);
        self.memory = self.memory.max(other.memory);
        for &(name, n) in &other.extra {
            self.count(name, n);
        }
    }

    /// Add to a named counter.
    pub fn count(&mut self, name: &'static str, n: u64) {
        match self.extra.iter_mut().find(|(k, _)| *k == name) {
            Some((_, total)) => *total += n,
            None => self.extra.push((name, n)),
        }
    }
}
