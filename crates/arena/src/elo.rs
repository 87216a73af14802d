//! Ratings from results, with error bars, and a sequential test between two players.
//!
//! The model is Bradley and Terry's with a draw as half a win: a player 400 points stronger scores ten to one. Ratings
//! are the most likely ones given half a drawn game of each player against the average, which keeps them finite; the
//! errors are 95 % intervals from the curvature there. The test is the sequential probability ratio test of Wald in
//! the normal approximation used for chess engines.

use ludex_core::solve_linear;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Scores between players: `points[i][j]` won by `i` in `games[i][j]` games against `j`.
#[derive(Clone, Debug, PartialEq)]
pub struct Cross {
    /// Points of the row's player against the column's.
    pub points: Vec<Vec<f64>>,
    /// Games between them.
    pub games: Vec<Vec<f64>>,
}

/// A rating and its 95 % error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo points; the average of all players is 0.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

impl Cross {
    /// No games yet between `n` players.
    #[must_use]
    pub fn new(n: usize) -> Self {
        Self { points: vec![vec![0.0; n]; n], games: vec![vec![0.0; n]; n] }
    }

    /// Count a game in which `i` got `points` against `j`.
    pub fn add(&mut self, i: usize, j: usize, points: f64) {
        self.points[i][j] += points;
        self.points[j][i] += 1.0 - points;
        self.games[i][j] += 1.0;
        self.games[j][i] += 1.0;
    }

    /// The ratings of all players.
    #[must_use]
    pub fn ratings(&self) -> Vec<Rating> {
        let n = self.points.len();
        let mut strength = vec![0.0f64; n];
        let mut information = vec![vec![0.0; n]; n];
        for _ in 0..200 {
            let mut slope = vec![0.0; n];
            for (row, info) in information.iter_mut().enumerate() {
                info.fill(0.0);
                // The half game against an average player.
                let p = 1.0 / (1.0 + (-strength[row]).exp());
                slope[row] += 0.25 - 0.5 * p;
                info[row] += 0.5 * p * (1.0 - p);
                for j in (0..n).filter(|&j| j != row) {
                    let p = 1.0 / (1.0 + (strength[j] - strength[row]).exp());
                    slope[row] += self.points[row][j] - self.games[row][j] * p;
                    info[row] += self.games[row][j] * p * (1.0 - p);
                    info[j] -= self.games[row][j] * p * (1.0 - p);
                }
            }
            let step = solve_linear(&information, &slope);
            let longest = step.iter().fold(0.0f64, |m, s| m.max(s.abs()));
            let damp = if longest > 1.0 { 1.0 / longest } else { 1.0 };
            strength.iter_mut().zip(&step).for_each(|(s, d)| *s += damp * d);
            if longest < 1e-9 {
                break;
            }
        }
        let share = 1.0 / n.max(1) as f64;
        let mean = strength.iter().sum::<f64>() * share;
        (0..n)
            .map(|i| {
                // The variance of the difference from the mean, not of the strength itself: only the half games say
                // where the whole field stands.
                let from_mean: Vec<f64> = (0..n).map(|j| f64::from(i == j) - share).collect();
                let spread = solve_linear(&information, &from_mean);
                let variance: f64 = from_mean.iter().zip(&spread).map(|(a, b)| a * b).sum();
                Rating { elo: SCALE * (strength[i] - mean), error: SCALE * 1.96 * variance.max(0.0).sqrt() }
            })
            .collect()
    }
}

/// What a sequential test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Finding {
    /// Not enough games yet.
    #[serde(rename = "open")]
    Open,
    /// The first player is at least as strong as the higher hypothesis says.
    #[serde(rename = "stronger")]
    Stronger,
    /// It is not stronger than the lower hypothesis says.
    #[serde(rename = "not stronger")]
    NotStronger,
}

/// How a sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestResult {
    /// The log-likelihood ratio.
    pub ratio: f64,
    /// What it says of the first player.
    pub finding: Finding,
}

impl TestResult {
    /// Whether the games so far are enough.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.finding != Finding::Open
    }
}

/// A test of "`elo1` points stronger" against "`elo0` points stronger" with error rates of 5 % each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The lower hypothesis.
    pub elo0: f64,
    /// The higher hypothesis.
    pub elo1: f64,
}

impl Sprt {
    /// The log-likelihood ratio after wins, draws and losses.
    fn ratio(&self, wins: u64, draws: u64, losses: u64) -> f64 {
        let counts = [wins, draws, losses];
        // Without two kinds of results there is no spread yet: count half a win and half a loss.
        let more = match counts.iter().filter(|n| **n > 0).count() {
            0 => return 0.0,
            1 => 0.5,
            _ => 0.0,
        };
        self.normal(wins as f64 + more, draws as f64, losses as f64 + more)
    }

    fn normal(&self, wins: f64, draws: f64, losses: f64) -> f64 {
        let n = wins + draws + losses;
        let score = (wins + draws / 2.0) / n;
        let variance =
            (wins * (1.0 - score).powi(2) + draws * (0.5 - score).powi(2) + losses * score.powi(2)) / n;
        let expected = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let (s0, s1) = (expected(self.elo0), expected(self.elo1));
        n * (s1 - s0) * (2.0 * score - s0 - s1) / (2.0 * variance.max(1e-9))
    }

    /// What the games so far say.
    #[must_use]
    pub fn result(&self, wins: u64, draws: u64, losses: u64) -> TestResult {
        // Wald's bound for error rates of 5 %: ln((1 − 0.05) / 0.05).
        let (ratio, bound) = (self.ratio(wins, draws, losses), 19f64.ln());
        let finding = if ratio >= bound {
            Finding::Stronger
        } else if ratio <= -bound {
            Finding::NotStronger
        } else {
            Finding::Open
        };
        TestResult { ratio, finding }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_to_one_is_four_hundred_points() {
        let mut cross = Cross::new(2);
        for i in 0..1100 {
            cross.add(0, 1, if i % 11 == 0 { 0.0 } else { 1.0 });
        }
        let ratings = cross.ratings();
        assert!((ratings[0].elo - ratings[1].elo - 400.0).abs() < 5.0, "{ratings:?}");
        assert!(ratings[0].error > 1.0 && ratings[0].error.is_finite());
    }

    /// Between two players n even games leave the score uncertain by 1/(2√n), and each player has half the difference.
    #[test]
    fn the_error_of_two_equal_players() {
        let mut cross = Cross::new(2);
        for i in 0..400 {
            cross.add(0, 1, f64::from(i % 2));
        }
        let expected = SCALE * 1.96 / 400f64.sqrt();
        for rating in cross.ratings() {
            assert!((rating.error / expected - 1.0).abs() < 0.01, "{rating:?}, not {expected}");
        }
    }

    #[test]
    fn a_clean_sweep_stays_finite_and_order_is_kept() {
        let mut cross = Cross::new(3);
        for _ in 0..10 {
            cross.add(0, 1, 1.0);
            cross.add(1, 2, 1.0);
            cross.add(0, 2, 1.0);
        }
        let ratings = cross.ratings();
        assert!(ratings[0].elo > ratings[1].elo && ratings[1].elo > ratings[2].elo);
        assert!(ratings.iter().all(|r| r.elo.is_finite() && r.error.is_finite()));
    }

    #[test]
    fn a_test_decides_both_ways() {
        let test = Sprt { elo0: 0.0, elo1: 50.0 };
        let finding = |w, d, l| test.result(w, d, l).finding;
        assert_eq!(finding(0, 0, 0), Finding::Open);
        assert_eq!(finding(3, 0, 2), Finding::Open);
        for one_kind in [[5, 0, 0], [0, 5, 0], [0, 0, 5]] {
            assert_eq!(finding(one_kind[0], one_kind[1], one_kind[2]), Finding::Open, "{one_kind:?}");
        }
        assert_eq!(finding(120, 0, 60), Finding::Stronger);
        assert_eq!(finding(100, 0, 130), Finding::NotStronger);
    }
}
