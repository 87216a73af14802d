//! Lines by the number of cells left to take, and the potential: exact, in 64ths.

use std::fmt;

use crate::hypergraph::Mask;

/// How many live lines have how many cells left to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Histogram([u32; 8]);

impl Histogram {
    /// Count what is left of lines.
    #[must_use]
    pub fn of<M: Mask>(lines: impl Iterator<Item = M>) -> Self {
        let mut counts = [0; 8];
        lines.for_each(|line| counts[line.count() as usize] += 1);
        Self(counts)
    }

    /// The number of lines with `l` cells left, `l` from 0 (complete) to 7.
    #[must_use]
    pub fn count(&self, l: usize) -> u32 {
        self.0[l]
    }

    /// The sum of 2^−(l−1).
    #[must_use]
    pub fn potential(&self) -> Potential {
        Potential(self.0.iter().enumerate().map(|(l, &count)| count << (7 - l)).sum())
    }
}

/// A potential, exactly: a number of 64ths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Potential(pub u32);

impl Potential {
    /// The potential 1, below which Breaker to move wins (Theorem II.1), and Maker to move loses.
    pub const ONE: Self = Self(64);
    /// The potential 2, below which Breaker to move wins (Erdős and Selfridge).
    pub const TWO: Self = Self(128);

    /// As a floating-point number, exactly.
    #[must_use]
    pub fn value(self) -> f64 {
        f64::from(self.0) / 64.0
    }
}

impl fmt::Display for Potential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}", self.0 / 64, self.0 % 64 * (1_000_000 / 64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seven::{EdgeSet, Seven};

    #[test]
    fn potentials_at_the_start() {
        let pot = |n, edges| {
            let game = Seven::new(n, edges).expect("a size");
            game.potential(&game.start()).to_string()
        };
        assert_eq!(pot(8, EdgeSet::Harness), "3.250000");
        assert_eq!(pot(8, EdgeSet::Paper), "5.250000");
        assert_eq!(pot(12, EdgeSet::Paper), "7.000000");
        assert_eq!(pot(14, EdgeSet::Paper), "7.875000");
        assert_eq!(Potential(1).to_string(), "0.015625");
    }
}
