//! What is known of a value ([`Bounds`]) and what is asked about it ([`Window`]).

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Outcome, Value};

/// `lo ≤ value ≤ hi`, for the side to move. Everything a search knows is said in this form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Bounds {
    /// The side to move gets at least this.
    #[serde(rename = "lower")]
    pub lo: Value,
    /// The side to move gets at most this.
    #[serde(rename = "upper")]
    pub hi: Value,
}

impl Bounds {
    /// Nothing is known.
    pub const ALL: Self = Self { lo: Value::WORST, hi: Value::BEST };

    /// Everything is known.
    #[must_use]
    pub const fn exact(value: Value) -> Self {
        Self { lo: value, hi: value }
    }

    /// What a value says that may be "a win" or "a loss" of unknown length.
    #[must_use]
    pub fn of_value(value: Value) -> Self {
        match value {
            Value::SOME_WIN => Self::at_least(value),
            Value::SOME_LOSS => Self::at_most(value),
            exact => Self::exact(exact),
        }
    }

    /// Only a lower bound.
    #[must_use]
    pub const fn at_least(lo: Value) -> Self {
        Self { lo, hi: Value::BEST }
    }

    /// Only an upper bound.
    #[must_use]
    pub const fn at_most(hi: Value) -> Self {
        Self { lo: Value::WORST, hi }
    }

    /// The value itself, if both bounds agree.
    #[must_use]
    pub fn value(self) -> Option<Value> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Win, draw or loss, if the bounds leave only one of them.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        (self.lo.outcome() == self.hi.outcome()).then(|| self.lo.outcome())
    }

    /// What both say together; `None` if they contradict each other, in which case at least one of them is wrong.
    #[inline]
    #[must_use]
    pub fn and(self, other: Self) -> Option<Self> {
        let both = self.meet(other);
        (!both.is_empty()).then_some(both)
    }

    /// What both say together, [empty](Bounds::is_empty) if they contradict each other. For what a game
    /// [sees](crate::Game::look): every search looks at that and stops at bounds that leave no value.
    #[inline]
    #[must_use]
    pub fn meet(self, other: Self) -> Self {
        Self { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    /// Whether they leave no value, which no sound bounds do.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.lo > self.hi
    }

    /// The bounds of a child as its parent's mover sees them; `alternating` is false when the same side moves again.
    #[must_use]
    pub fn back(self, alternating: bool) -> Self {
        if alternating {
            Self { lo: self.hi.back(), hi: self.lo.back() }
        } else {
            Self { lo: self.lo.later(), hi: self.hi.later() }
        }
    }

    /// The same bounds seen by the other side.
    #[must_use]
    pub fn flipped(self) -> Self {
        Self { lo: self.hi.flipped(), hi: self.lo.flipped() }
    }

    /// Whether a value lies within.
    #[must_use]
    pub fn contains(self, value: Value) -> bool {
        self.lo <= value && value <= self.hi
    }
}

impl fmt::Debug for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:?}, {:?}]", self.lo, self.hi)
    }
}

/// The question put to a position: is it worth `beta` or more, `alpha` or less, or what in between? `alpha < beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Values up to here need not be told apart.
    pub alpha: Value,
    /// Values from here on need not be told apart.
    pub beta: Value,
}

impl Window {
    /// The exact value, whatever it is.
    pub const FULL: Self = Self { alpha: Value::WORST, beta: Value::BEST };
    /// Is it a win?
    pub const WIN: Self = Self { alpha: Value::DRAW, beta: Value::SOME_WIN };
    /// Is it at least a draw?
    pub const DRAW: Self = Self { alpha: Value::SOME_LOSS, beta: Value::DRAW };

    /// Is it at least `value`?
    #[must_use]
    pub const fn at_least(value: Value) -> Self {
        Self { alpha: value.worse(), beta: value }
    }

    /// Whether the answer depends on win, draw or loss only, so that rules that keep those but not the number of
    /// plies may be used.
    #[must_use]
    pub const fn is_class(self) -> bool {
        matches!(self.alpha.raw(), -1001 | -1..=1) && matches!(self.beta.raw(), 1001 | -1..=1)
    }

    /// Whether an upper bound settles the question.
    #[must_use]
    pub fn fails_low(self, hi: Value) -> bool {
        hi <= self.alpha
    }

    /// Whether a lower bound settles the question.
    #[must_use]
    pub fn fails_high(self, lo: Value) -> bool {
        lo >= self.beta
    }

    /// Whether bounds settle the question, one way or the other or exactly.
    #[must_use]
    pub fn settled_by(self, bounds: Bounds) -> bool {
        self.fails_low(bounds.hi) || self.fails_high(bounds.lo) || bounds.lo == bounds.hi
    }

    /// The question to put to a child so that its answer settles this one; `alternating` is false when the same side
    /// moves again.
    ///
    /// With `back` the value seen by the parent: `back(c) ≥ beta` iff `c ≤ child.alpha` and `back(c) ≤ alpha` iff
    /// `c ≥ child.beta` (with the obvious change when the side stays).
    #[must_use]
    pub fn child(self, alternating: bool) -> Self {
        let (a, b) = (self.alpha.raw(), self.beta.raw());
        // The least value whose `later` is at least v, and the greatest whose `later` is at most v.
        let least = |v: i16| match v {
            2.. => v + 1,
            1 | 0 => v,
            -1 => -2,
            _ => v - 1,
        };
        let greatest = |v: i16| match v {
            1.. => v + 1,
            0 | -1 => v,
            _ => v - 1,
        };
        let (alpha, beta) = if alternating { (greatest(-b), least(-a)) } else { (greatest(a), least(b)) };
        let child = Self { alpha: Value::from_raw(alpha), beta: Value::from_raw(beta) };
        debug_assert!(child.alpha < child.beta || self.alpha >= Value::win(1) || self.beta <= Value::loss(1));
        child
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two equivalences of [`Window::child`], for all windows near the ends and the middle and all child values.
    #[test]
    fn a_childs_window_answers_its_parents() {
        let points: Vec<i16> = (-1001..=-990).chain(-6..=6).chain(990..=1001).collect();
        for &a in &points {
            for &b in points.iter().filter(|&&b| b > a) {
                let window = Window { alpha: Value::from_raw(a), beta: Value::from_raw(b) };
                if window.alpha >= Value::win(1) || window.beta <= Value::loss(1) {
                    continue; // settled before any child is looked at
                }
                if a == -1001 || b == 1001 {
                    continue; // open at that end, where the child's window is closed: wider, and still right
                }
                for alternating in [true, false] {
                    let child = window.child(alternating);
                    for c in -1001..=1001 {
                        let value = Value::from_raw(c);
                        let seen = if alternating { value.back() } else { value.later() };
                        let (low, high) = if alternating {
                            (value >= child.beta, value <= child.alpha)
                        } else {
                            (value <= child.alpha, value >= child.beta)
                        };
                        assert_eq!(seen <= window.alpha, low, "{window:?} {value:?} {alternating}");
                        assert_eq!(seen >= window.beta, high, "{window:?} {value:?} {alternating}");
                    }
                }
            }
        }
    }

    #[test]
    fn class_questions_stay_class_questions() {
        for window in [Window::WIN, Window::DRAW] {
            assert!(window.is_class());
            assert!(window.child(true).is_class());
            assert_eq!(window.child(true).child(true), window);
        }
        assert!(!Window::at_least(Value::win(7)).is_class());
        assert_eq!(Window::FULL.child(true).alpha, Value::WORST);
    }
}
