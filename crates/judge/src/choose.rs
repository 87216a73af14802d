//! A move to play in any position: exact where the budget allows, otherwise the one that looks best.

use ludex_core::{Error, Goal, Value};
use ludex_search::think::Limits;

use crate::{
    AnyGame, Question, Terms,
    answer::{Thought, Verdict},
};

/// A move to play, and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenMove {
    /// The move, unless the game is over.
    pub best: Option<String>,
    /// What is certain about it: the position is solved, or the move keeps at least a draw.
    pub verdict: Option<Verdict>,
    /// Otherwise what was thought about it.
    pub thought: Option<Thought>,
}

/// Choose a move. The budget is shared evenly between an exact search for the question's goal, one for the outcome alone
/// where the goal asks for more, and a guess. The rules that the question leaves out are left out of the guess only: an
/// exact search is exact with or without them.
///
/// # Errors
/// If the question's limits or position make no sense.
pub fn choose(
    game: &dyn AnyGame,
    question: &Question,
    terms: &Terms,
    limits: Limits,
) -> Result<ChosenMove, Error> {
    let goals: &[Goal] = if question.goal == Goal::Wdl { &[Goal::Wdl] } else { &[question.goal, Goal::Wdl] };
    let shares = goals.len() as u32 + 1;
    let mut share = question.clone();
    share.budget.time = question.budget.time.map(|t| t / shares);
    share.budget.nodes = question.budget.nodes.map(|n| (n / u64::from(shares)).max(1));
    for &goal in goals {
        let verdict = game.solve(&Question { goal, without: Vec::new(), ..share.clone() }, terms)?;
        let certain = verdict.is_solved() || goal == Goal::Wdl && verdict.bounds.lo >= Value::DRAW;
        if certain && let Some(best) = verdict.best.first() {
            return Ok(ChosenMove { best: Some(best.clone()), verdict: Some(verdict), thought: None });
        }
    }
    let thought = game.think(&share, terms, limits)?;
    Ok(ChosenMove { best: thought.best.clone(), verdict: None, thought: Some(thought) })
}
