//! The chance that Breaker wins, as a logistic function of what can be seen at once, fitted to positions that were solved.

use ludex_core::solve_linear;
use ludex_games::seven::Logit;

/// What is seen of a position, and who wins it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Whether Maker is to move.
    pub maker_to_move: bool,
    /// Empty cells in live lines.
    pub empty: f64,
    /// The potential.
    pub potential: f64,
    /// Whether Breaker wins.
    pub breaker_wins: bool,
}

/// A [`Logit`] against positions whose winner is known.
pub trait Fitted {
    /// The mean of −log of the chance given to what happened, and the share of samples whose winner had the better chance.
    fn quality(&self, samples: &[Sample]) -> (f64, f64);
}

fn chance(logit: &Logit, s: &Sample) -> f64 {
    logit.chance(s.maker_to_move, s.empty, s.potential)
}

impl Fitted for Logit {
    fn quality(&self, samples: &[Sample]) -> (f64, f64) {
        let given = |s: &Sample| if s.breaker_wins { chance(self, s) } else { 1.0 - chance(self, s) };
        let n = samples.len().max(1) as f64;
        let loss: f64 = samples.iter().map(|s| -given(s).max(1e-12).ln()).sum();
        (loss / n, samples.iter().filter(|s| given(s) > 0.5).count() as f64 / n)
    }
}

/// The function of greatest likelihood, by Newton's method. A slight pull towards zero (half of 10⁻³ times the sum of
/// squares) keeps it finite where the samples can be told apart without a fault.
#[must_use]
pub fn fit(samples: &[Sample]) -> Logit {
    const PULL: f64 = 1e-3;
    let mut w = [0.0; 4];
    for _ in 0..100 {
        let logit = Logit { constant: w[0], maker_to_move: w[1], empty: w[2], potential: w[3] };
        let mut slope: [f64; 4] = w.map(|w| -PULL * w);
        let mut curve: [[f64; 4]; 4] =
            std::array::from_fn(|i| std::array::from_fn(|j| if i == j { PULL } else { 0.0 }));
        for s in samples {
            let x = [1.0, f64::from(u8::from(s.maker_to_move)), s.empty, s.potential];
            let p = chance(&logit, s);
            for i in 0..4 {
                slope[i] += (f64::from(u8::from(s.breaker_wins)) - p) * x[i];
                for j in 0..4 {
                    curve[i][j] += p * (1.0 - p) * x[i] * x[j];
                }
            }
        }
        let step = solve_linear(&curve.map(|row| row.to_vec()), &slope);
        w = std::array::from_fn(|i| w[i] + step[i]);
        if step.iter().all(|s| s.abs() < 1e-9) {
            break;
        }
    }
    Logit { constant: w[0], maker_to_move: w[1], empty: w[2], potential: w[3] }
}

#[cfg(test)]
mod tests {
    use ludex_core::Rng;

    use super::*;

    #[test]
    fn a_known_function_is_found_again() {
        let truth = Logit { constant: -3.0, maker_to_move: -1.5, empty: 0.25, potential: -0.5 };
        let mut rng = Rng::new(1);
        let samples: Vec<Sample> = (0..40_000)
            .map(|_| {
                let (maker_to_move, empty) = (rng.below(2) == 0, rng.below(30) as f64);
                let potential = rng.below(400) as f64 / 100.0;
                let chance = truth.chance(maker_to_move, empty, potential);
                let breaker_wins = (rng.below(1_000_000) as f64) < 1e6 * chance;
                Sample { maker_to_move, empty, potential, breaker_wins }
            })
            .collect();
        let found = fit(&samples);
        for (f, t) in found.weights().iter().zip(truth.weights()) {
            assert!((f - t).abs() < 0.15, "{found:?}");
        }
        assert!(found.quality(&samples).0 <= truth.quality(&samples).0 + 1e-9);
        assert!(found.quality(&samples).1 > 0.7);
    }

    #[test]
    fn separable_samples_have_a_finite_fit() {
        let sample =
            |empty: f64| Sample { maker_to_move: false, empty, potential: 1.0, breaker_wins: empty > 5.0 };
        let samples: Vec<Sample> = (0..11).map(|i| sample(f64::from(i))).collect();
        let found = fit(&samples);
        assert!(
            found.weights().iter().all(|w| w.is_finite()) && found.quality(&samples).1 > 0.9,
            "{found:?}"
        );
    }
}
