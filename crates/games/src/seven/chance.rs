//! The chance that Breaker wins, as a logistic function of what can be seen at once.

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
    /// The four numbers, in that order.
    #[must_use]
    pub fn weights(&self) -> [f64; 4] {
        [self.constant, self.maker_to_move, self.empty, self.potential]
    }

    /// The chance that Breaker wins.
    #[must_use]
    pub fn chance(&self, maker_to_move: bool, empty: f64, potential: f64) -> f64 {
        let seen = [1.0, f64::from(u8::from(maker_to_move)), empty, potential];
        let log_odds: f64 = self.weights().iter().zip(seen).map(|(w, x)| w * x).sum();
        1.0 / (1.0 + (-log_odds).exp())
    }
}
