//! A move to play in any position: exact where the budget allows, otherwise the one that looks best.

use ludex_core::{Goal, Value};
use ludex_search::think::Limits;

use crate::{AnyGame, Job, Refusal, wire};

/// A move to play, and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The move, unless the game is over.
    pub best: Option<String>,
    /// What is certain about it: the position is solved, or the move keeps at least a draw.
    pub verdict: Option<wire::Verdict>,
    /// Otherwise what was thought about it.
    pub thought: Option<wire::Thought>,
}

/// Choose a move. The budget is shared evenly between an exact search for the job's goal, one for the outcome alone
/// where the goal asks for more, and a guess. The rules that the job does without are left out of the guess only: an
/// exact search is exact with or without them.
///
/// # Errors
/// If the job's limits or position make no sense.
pub fn choose(game: &dyn AnyGame, job: &Job, limits: Limits) -> Result<Choice, Refusal> {
    let goals: &[Goal] = if job.goal == Goal::Wdl { &[Goal::Wdl] } else { &[job.goal, Goal::Wdl] };
    let shares = goals.len() as u32 + 1;
    let mut share = job.clone();
    share.budget.time = job.budget.time.map(|t| t / shares);
    share.budget.nodes = job.budget.nodes.map(|n| (n / u64::from(shares)).max(1));
    for &goal in goals {
        let verdict = game.solve(&Job { goal, without: Vec::new(), ..share.clone() })?;
        let certain = verdict.status == "solved" || goal == Goal::Wdl && verdict.bounds.lo >= Value::DRAW;
        if certain && let Some(best) = verdict.best.first() {
            return Ok(Choice { best: Some(best.clone()), verdict: Some(verdict), thought: None });
        }
    }
    let thought = game.think(&share, limits)?;
    Ok(Choice { best: thought.best.clone(), verdict: None, thought: Some(thought) })
}
