//! The chance that Breaker wins, as a logistic function of what can be seen at once, fitted to positions that were solved.

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

/// log(P / (1 − P)) as a linear function.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Logit {
    /// The constant.
    pub constant: f64,
    /// Added if Maker is to move.
    pub maker_to_move: f64,
    /// Times the number of empty cells.
    pub empty: f64,
    /// Times the potential.
    pub potential: f64,
}

impl Logit {
    fn weights(&self) -> [f64; 4] {
        [self.constant, self.maker_to_move, self.empty, self.potential]
    }

    /// The chance that Breaker wins.
    #[must_use]
    pub fn chance(&self, maker_to_move: bool, empty: f64, potential: f64) -> f64 {
        let seen = [1.0, f64::from(u8::from(maker_to_move)), empty, potential];
        let log_odds: f64 = self.weights().iter().zip(seen).map(|(w, x)| w * x).sum();
        1.0 / (1.0 + (-log_odds).exp())
    }

    fn of(&self, s: &Sample) -> f64 {
        self.chance(s.maker_to_move, s.empty, s.potential)
    }

    /// The mean of −log of the chance given to what happened, and the share of samples whose winner had the better chance.
    #[must_use]
    pub fn quality(&self, samples: &[Sample]) -> (f64, f64) {
        let given = |s: &Sample| if s.breaker_wins { self.of(s) } else { 1.0 - self.of(s) };
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
            let p = logit.of(s);
            for i in 0..4 {
                slope[i] += (f64::from(u8::from(s.breaker_wins)) - p) * x[i];
                for j in 0..4 {
                    curve[i][j] += p * (1.0 - p) * x[i] * x[j];
                }
            }
        }
        let step = solve(curve, slope);
        w = std::array::from_fn(|i| w[i] + step[i]);
        if step.iter().all(|s| s.abs() < 1e-9) {
            break;
        }
    }
    Logit { constant: w[0], maker_to_move: w[1], empty: w[2], potential: w[3] }
}

/// Solve a small system of equations with a positive definite matrix, by elimination.
fn solve(mut a: [[f64; 4]; 4], mut b: [f64; 4]) -> [f64; 4] {
    for i in 0..4 {
        for j in i + 1..4 {
            let factor = a[j][i] / a[i][i];
            let row = a[i];
            a[j].iter_mut().zip(row).for_each(|(x, y)| *x -= factor * y);
            b[j] -= factor * b[i];
        }
    }
    let mut x = [0.0; 4];
    for i in (0..4).rev() {
        let known: f64 = (i + 1..4).map(|j| a[i][j] * x[j]).sum();
        x[i] = (b[i] - known) / a[i][i];
    }
    x
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
