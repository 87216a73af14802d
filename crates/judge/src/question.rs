//! What is asked of the judge: plain data that can be written down and sent elsewhere.

use std::time::Duration;

use ludex_core::{Budget, Error, ErrorCode, Goal, MIN_MEMORY};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A question about a position of a game, and what answering it may cost.
///
/// ```
/// use ludex_judge::{Goal, Question};
///
/// let question = Question { goal: Goal::Distance, ..Question::at("xx./oo./...") };
/// let sent = serde_json::to_string(&question).unwrap();
/// assert_eq!(serde_json::from_str::<Question>(&sent).unwrap(), question);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Question {
    /// The position's text; the start if there is none.
    pub position: Option<String>,
    /// The seed of the deal, for games that begin with one.
    pub seed: Option<u64>,
    /// What is wanted.
    pub goal: Goal,
    /// Limits.
    pub budget: Budget,
    /// The search by name, or the one that suits the game.
    pub solver: Option<String>,
    /// Rules to leave out.
    pub without: Vec<String>,
    /// Whether tables may answer.
    pub tables: bool,
    /// Whether books may answer.
    pub book: bool,
}

impl Default for Question {
    fn default() -> Self {
        Self {
            position: None,
            seed: None,
            goal: Goal::Wdl,
            budget: Budget::default(),
            solver: None,
            without: Vec::new(),
            tables: true,
            book: true,
        }
    }
}

impl Question {
    /// Who wins in this position?
    #[must_use]
    pub fn at(position: impl Into<String>) -> Self {
        Self { position: Some(position.into()), ..Self::default() }
    }

    /// The same about another position, in what time is left.
    pub(crate) fn moved_on(&self, position: String, goal: Goal, time: Option<Duration>) -> Self {
        let budget = Budget { time, ..self.budget.clone() };
        Self { position: Some(position), goal, budget, ..self.clone() }
    }

    /// Whether any source may answer. A question that names its solver or leaves out a rule wants that search, not what
    /// another one found.
    #[must_use]
    pub fn takes_any_source(&self) -> bool {
        self.solver.is_none() && self.without.is_empty()
    }

    /// Refuse limits that no search can keep.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let budget = &self.budget;
        let bad = |code, message: String, hint: &str| Err(Error::new(code, message, hint));
        if budget.memory < MIN_MEMORY {
            let message = format!("{} bytes of memory are too few", budget.memory);
            return Err(Error::new(
                ErrorCode::BadMemory,
                message,
                format!("at least {} MiB", MIN_MEMORY >> 20),
            ));
        }
        if !can_be_had(budget.memory) {
            let message = format!("{} GiB of memory cannot be had here", budget.memory >> 30);
            return bad(ErrorCode::BadMemory, message, "less than the machine has, such as 1GiB");
        }
        if budget.time.is_some_and(|t| t.is_zero()) {
            return bad(ErrorCode::BadTime, "no time at all".into(), "a time above zero, such as 30s or 5m");
        }
        if budget.nodes == Some(0) {
            return bad(ErrorCode::BadNodes, "no nodes at all".into(), "a number above zero, such as 1e6");
        }
        if !(1..=1024).contains(&budget.threads) {
            let message = format!("{} threads", budget.threads);
            return bad(ErrorCode::BadThreads, message, "a number of threads from 1 to 1024");
        }
        Ok(())
    }
}

/// Whether the system would hand out so much memory. Tables are not touched before they are used, so asking costs nothing;
/// but to ask for them in vain ends the program.
fn can_be_had(bytes: u64) -> bool {
    bytes <= Budget::default().memory
        || usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_cannot_be_had_is_refused() {
        let asked = |memory| {
            let budget = Budget { memory, ..Budget::default() };
            Question { budget, ..Question::default() }.check().map_err(|e| (e.code, e.hint.is_empty()))
        };
        assert_eq!(asked(1 << 30), Ok(()));
        for too_much in [99_999 << 30, u64::MAX, MIN_MEMORY - 1] {
            assert_eq!(asked(too_much), Err((ErrorCode::BadMemory, false)), "{too_much}");
        }
    }
}
