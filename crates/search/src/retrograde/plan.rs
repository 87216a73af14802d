//! How much memory it takes, and how the work is cut.

use std::ops::Range;

use ludex_core::Tier;

use super::Numbered;

/// What solving all tiers in order takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// For each tier, the last tier that leads to it: afterwards it can be dropped. Its own number if none does.
    pub last_use: Vec<usize>,
    /// All positions together.
    pub positions: u64,
    /// The most bytes of codes that are held at a time.
    pub peak: u64,
}

impl Plan {
    /// The plan for tiers.
    #[must_use]
    pub fn of(tiers: &[Tier]) -> Self {
        let mut last_use: Vec<usize> = (0..tiers.len()).collect();
        for (tier, about) in tiers.iter().enumerate() {
            for &lower in &about.leads_to {
                last_use[lower] = last_use[lower].max(tier);
            }
        }
        let (mut held, mut peak) = (0, 0);
        for tier in 0..tiers.len() {
            held += tiers[tier].len;
            peak = peak.max(held);
            held -= (0..=tier).filter(|&t| last_use[t] == tier).map(|t| tiers[t].len).sum::<u64>();
        }
        Self { last_use, positions: tiers.iter().map(|t| t.len).sum(), peak }
    }
}

/// Cut a tier into stretches of about `size` positions, at multiples of its grain.
#[must_use]
pub fn stretches(numbered: &dyn Numbered, tier: usize, size: u64) -> Vec<Range<u64>> {
    let (len, grain) = (numbered.tiers()[tier].len, numbered.grain(tier).max(1));
    let step = grain * (size / grain).max(1);
    (0..len.div_ceil(step)).map(|i| i * step..((i + 1) * step).min(len)).collect()
}

#[cfg(test)]
mod tests {
    use ludex_core::Game as _;
    use ludex_games::nex::{Nex, Rules};

    use super::*;

    #[test]
    fn four_by_four_fits_into_a_few_hundred_megabytes() {
        let game = Nex::<1>::new(4, 4, Rules::Nexc, false);
        let numbering = game.numbering().unwrap();
        let plan = Plan::of(numbering.tiers());
        assert_eq!(plan.positions, 533_934_999);
        assert!(plan.peak < 500 << 20, "{}", plan.peak);
        for tier in 0..numbering.tiers().len() {
            let cut = stretches(&(&game, numbering.as_ref()), tier, 1 << 16);
            assert_eq!(cut.iter().map(|r| r.end - r.start).sum::<u64>(), numbering.tiers()[tier].len);
            assert!(cut.windows(2).all(|w| w[0].end == w[1].start));
        }
    }
}
