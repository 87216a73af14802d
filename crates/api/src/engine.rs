//! The move of an engine: the arena's players, and the judge's own best move.

use ludex_arena::{
    Player, Turn,
    builtin::Builtin,
    levels::{Kind, LEVELS, Level},
};
use ludex_judge::{Cancel, Error, ErrorCode, Goal, Limits, Question, Side};

use crate::judge::{Inquiry, Judge};

/// How far a guess looks ahead, if its time lasts.
const GUESS: Limits = Limits { depth: 40, breadth: 48 };

/// The levels that answer soon enough for a page, best first.
pub fn levels() -> impl Iterator<Item = &'static Level> {
    LEVELS.iter().filter(|level| level.is_quick())
}

/// The level of a name; the best one if there is none.
///
/// # Errors
/// If there is no such level.
pub fn level(name: Option<&str>) -> Result<&'static Level, Error> {
    levels().find(|level| name.is_none_or(|name| level.name == name)).ok_or_else(|| {
        let names: Vec<_> = levels().map(|level| level.name).collect();
        let message = format!("there is no level '{}'", name.unwrap_or_default());
        Error::new(ErrorCode::BadLevel, message, format!("levels: {}", names.join(", ")))
    })
}

/// A move in an unfinished game, within the time of the inquiry, and whether it is known to be a best one.
///
/// # Errors
/// If the question is wrong, or the engine makes no move.
pub fn choose(
    judge: &Judge,
    level: &Level,
    inquiry: &Inquiry,
    side: Side,
    seed: u64,
    cancel: &Cancel,
) -> Result<(String, bool), Error> {
    if level.kind == Kind::Perfect {
        return perfect(judge, inquiry, cancel);
    }
    let game = judge.registry.open_foreign(&inquiry.game)?;
    let position = inquiry.question.position.as_deref().unwrap_or_default();
    let turn = Turn { game: game.as_ref(), position, side, time: inquiry.question.budget.time };
    let mut player = Builtin::new(level.kind, seed).with_terms(judge.terms(cancel));
    let text = player.choose(&turn).map_err(|fault| {
        Error::new(ErrorCode::EngineFailed, format!("the engine {fault}"), "choose another level")
    })?;
    Ok((text, false))
}

/// The soonest win or the latest loss; if that takes too long, a move that keeps the outcome; if even that takes too
/// long, a guess. Each goal is asked of the games that are warm for it: one game asked for both in turn would forget
/// what it had learnt for the other.
fn perfect(judge: &Judge, inquiry: &Inquiry, cancel: &Cancel) -> Result<(String, bool), Error> {
    let part = |goal: Goal, part: u32| {
        let mut question = Question { goal, ..inquiry.question.clone() };
        question.budget.time = question.budget.time.map(|t| t / part);
        Inquiry { question, ..inquiry.clone() }
    };
    let exact = match inquiry.question.goal {
        Goal::Wdl => vec![part(Goal::Wdl, 2)],
        goal => vec![part(goal, 2), part(Goal::Wdl, 4)],
    };
    for asked in &exact {
        let verdict =
            judge.ask(asked, judge.terms(cancel), |game, question, terms| game.solve(question, terms))?;
        if verdict.is_solved()
            && let Some(best) = verdict.best.first()
        {
            return Ok((best.clone(), true));
        }
    }
    let guess = part(Goal::Wdl, 4);
    let thought = judge.ask(&guess, judge.terms(cancel), |game, q, terms| game.think(q, terms, GUESS))?;
    let none = || Error::new(ErrorCode::EngineFailed, "the engine found no move", "choose another level");
    Ok((thought.best.ok_or_else(none)?, false))
}
