//! What a call is answered with: an object, and a text that says the same.

use std::fmt::Write as _;

use ludex_core::{Error, Outcome};
use ludex_judge::{
    AnyGame, View,
    answer::{Analysis, ErrorLine, Explanation, Puzzle, Review, Verdict},
    words,
};
use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::Value;

/// Moves that are written out in a text.
const TOLD: usize = 60;

/// An object and its text.
pub(crate) struct Reply {
    object: Value,
    text: String,
}

impl Reply {
    /// An object with a text for it.
    pub(crate) fn new(object: &impl Serialize, text: String) -> Result<Self, Error> {
        let object = serde_json::to_value(object).map_err(|e| {
            Error::new(
                ludex_core::ErrorCode::Internal,
                format!("an answer cannot be written: {e}"),
                "please report it",
            )
        })?;
        Ok(Self { object, text })
    }
}

/// An answer as the protocol has it.
pub(crate) fn of(answer: Result<Reply, Error>) -> CallToolResult {
    match answer {
        Ok(Reply { object, text }) => {
            let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
            result.structured_content = Some(object);
            result
        }
        Err(error) => {
            let hint = if error.hint.is_empty() { String::new() } else { format!(" ({})", error.hint) };
            let mut result = CallToolResult::error(vec![ContentBlock::text(format!("{error}{hint}"))]);
            result.structured_content = serde_json::to_value(ErrorLine::from(error)).ok();
            result
        }
    }
}

/// The board, who is to move and what can be done.
pub(crate) fn board(
    game: &dyn AnyGame,
    view: &View,
    moves: &[String],
    total: usize,
) -> Result<String, Error> {
    let mut text = format!("{}\n{}", game.title(), game.picture(&view.position)?);
    let name = game.side_names()[view.to_move.index()];
    // Writing to a string does not fail.
    let _ = match view.over {
        None => writeln!(text, "position {}\n{name} to move", view.position),
        Some(outcome) => {
            let ended = words::ended(game.side_names(), view.to_move, outcome);
            writeln!(text, "position {}\nthe game is over: {ended}", view.position)
        }
    };
    if !moves.is_empty() {
        let rest = total.saturating_sub(moves.len().min(TOLD));
        let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        let _ = writeln!(text, "legal moves {}{more}", moves[..moves.len().min(TOLD)].join(" "));
    }
    Ok(text)
}

/// A verdict in words.
pub(crate) fn verdict(game: &dyn AnyGame, verdict: &Verdict) -> String {
    let name = game.side_names()[verdict.to_move.index()];
    let mut text = format!("{name} to move: {}", verdict.sentence);
    if !verdict.best.is_empty() {
        let _ = write!(text, "\nbest {}", verdict.best.join(" "));
    }
    if verdict.pv.len() > 1 {
        let _ = write!(text, "\nline {}", verdict.pv.join(" "));
    }
    text
}

/// Every move in words.
pub(crate) fn analysis(game: &dyn AnyGame, analysis: &Analysis, total: usize) -> String {
    let mut text = verdict(game, &analysis.verdict);
    for m in analysis.moves.iter().take(TOLD) {
        let _ = match (m.outcome, m.plies) {
            (Some(outcome), Some(plies)) if outcome != Outcome::Draw => {
                write!(text, "\n{}: {outcome} in {plies} plies", m.text)
            }
            (Some(outcome), _) => write!(text, "\n{}: {outcome}", m.text),
            (None, _) => write!(text, "\n{}: {}", m.text, words::value(m.bounds)),
        };
    }
    if total > TOLD {
        let _ = write!(text, "\nand {} more moves", total - TOLD);
    }
    text
}

/// An explanation in words.
pub(crate) fn explanation(it: &Explanation) -> String {
    let reasons = it.reasons.iter().map(|reason| reason.said.text.as_str());
    let mut text = std::iter::once(it.verdict.as_str()).chain(reasons).collect::<Vec<_>>().join("\n");
    if !it.line.is_empty() {
        let note = |note: &Option<String>| note.as_ref().map_or(String::new(), |note| format!(" ({note})"));
        let line: Vec<String> =
            it.line.iter().map(|ply| format!("{}{}", ply.text, note(&ply.note))).collect();
        let _ = write!(text, "\nline {}", line.join(" "));
    }
    text
}

/// A puzzle in words, with its answer at the end.
pub(crate) fn puzzle(game: &dyn AnyGame, it: &Puzzle) -> Result<String, Error> {
    let name = game.side_names()[it.to_move.index()];
    Ok(format!(
        "{}: {name} to move. One move wins, in {} plies.\n{}position {}\nsolution {}",
        game.title(),
        it.plies,
        game.picture(&it.position)?,
        it.position,
        it.solution.join(" ")
    ))
}

/// A review in words.
pub(crate) fn review(it: &Review) -> String {
    let mut text = it.sentence.clone();
    for (i, m) in it.moves.iter().enumerate() {
        let mark = serde_json::to_value(m.mark).ok();
        let mark = mark.as_ref().and_then(Value::as_str).unwrap_or_default().replace('_', " ");
        let better = m.better.as_ref().map_or(String::new(), |better| format!(", better {better}"));
        let _ = write!(text, "\n{}. {} {}: {mark}{better}", i + 1, it.sides[m.by.index()], m.text);
    }
    text
}
