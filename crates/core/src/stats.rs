//! What a search did.

use std::{collections::BTreeMap, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One step of a search that asks several questions in turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Iteration {
    /// What was asked, such as `win?` or `at least win in 9`.
    pub question: String,
    /// Nodes of this step.
    pub nodes: u64,
    /// Its time, if the probe has a clock.
    #[serde(rename = "seconds", with = "seconds")]
    #[schemars(with = "f64")]
    pub time: Duration,
}

/// Counters of a search. All of them add up over threads.
///
/// The counters that only some searches keep are left out where they are not kept; those of one algorithm or game that
/// nobody reads by name are in `extra`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    #[serde(serialize_with = "rounded::<4, _>")]
    pub table_fill: f64,
    /// The deepest line, in plies from the root.
    pub depth: u32,
    /// Bytes used by tables and trees.
    pub memory: u64,
    /// Positions made, entered or not: what a proof-number search counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<u64>,
    /// Different positions two plies on, up to what keys disregard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub support: Option<u64>,
    /// Answers that came from the database.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_hits: Option<u64>,
    /// Nodes before the checkpoint from which the search went on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier_nodes: Option<u64>,
    /// Whole seconds before the checkpoint from which the search went on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier_seconds: Option<u64>,
    /// Other counters of one algorithm or game, by name.
    #[serde(flatten)]
    pub extra: BTreeMap<String, u64>,
    /// The time the answer took.
    #[serde(default, serialize_with = "rounded::<6, _>")]
    pub seconds: f64,
    /// The questions asked, in order.
    #[serde(default)]
    pub iterations: Vec<Iteration>,
}

impl Stats {
    /// Add what another thread, or another question, did.
    pub fn absorb(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.leaves += other.leaves;
        self.pruned += other.pruned;
        self.cutoffs += other.cutoffs;
        self.table_hits += other.table_hits;
        self.table_fill = self.table_fill.max(other.table_fill);
        self.depth = self.depth.max(other.depth);
        self.memory = self.memory.max(other.memory);
        for (own, others) in [
            (&mut self.created, other.created),
            (&mut self.support, other.support),
            (&mut self.cache_hits, other.cache_hits),
            (&mut self.earlier_nodes, other.earlier_nodes),
            (&mut self.earlier_seconds, other.earlier_seconds),
        ] {
            *own = match (*own, others) {
                (Some(a), Some(b)) => Some(a + b),
                (a, b) => a.or(b),
            };
        }
        for (name, n) in &other.extra {
            self.count(name, *n);
        }
    }

    /// Add to a named counter.
    pub fn count(&mut self, name: &str, n: u64) {
        match self.extra.get_mut(name) {
            Some(total) => *total += n,
            None => drop(self.extra.insert(name.to_owned(), n)),
        }
    }

    /// Nodes per second, 0 where no time was taken.
    #[must_use]
    pub fn rate(&self) -> f64 {
        if self.seconds > 0.0 { self.nodes as f64 / self.seconds } else { 0.0 }
    }
}

/// A number with so many decimal places.
fn rounded<const PLACES: i32, S: serde::Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    let scale = 10f64.powi(PLACES);
    serializer.serialize_f64((number * scale).round() / scale)
}

/// A time as a number of seconds, to the microsecond.
mod seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        super::rounded::<6, S>(&time.as_secs_f64(), serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        Duration::try_from_secs_f64(f64::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let mut stats =
            Stats { nodes: 7, created: Some(9), table_fill: 0.25, seconds: 1.5, ..Stats::default() };
        stats.count("folded", 3);
        stats.iterations.push(Iteration {
            question: "win?".into(),
            nodes: 7,
            time: Duration::from_millis(1500),
        });
        let text = serde_json::to_string(&stats).expect("text");
        assert!(text.contains(r#""created":9,"folded":3,"seconds":1.5,"#), "{text}");
        assert!(!text.contains("support"), "{text}");
        assert_eq!(serde_json::from_str::<Stats>(&text).expect("statistics"), stats);
        let mut twice = stats.clone();
        twice.absorb(&stats);
        assert_eq!(
            (twice.nodes, twice.created, twice.support, twice.extra["folded"]),
            (14, Some(18), None, 6)
        );
    }
}
