//! A game looked back on: what every move kept or gave away, exactly, as far as it can be known in time.
//!
//! The positions are solved from the last one back to the first. The later one is the easier one, and what its search has
//! learnt serves the one before it.

use std::time::Duration;

use ludex_core::{Error, Goal, Outcome, Probe as _};

use crate::{
    AnyGame, Monitor, Question, Terms,
    answer::{MoveMark, Review, ReviewKind, Reviewed, VERSION, Worth},
};

/// Positions in a row that may stay unsolved before those before them, which are harder, are left alone.
const PATIENCE: u32 = 2;

/// Look back on the moves of a game from a start. The question gives goal, limits for all of it together, and switches.
///
/// # Errors
/// If the start or a move is none of this game, the question is wrong, or two certain things exclude each other.
///
/// ```
/// # use ludex_games::template::{FAMILY, of_spec};
/// use ludex_judge::{Question, Registry, Terms, answer::MoveMark, review};
///
/// let game = Registry::new().with(&FAMILY, of_spec).open("heap:5").unwrap();
/// let moves = ["2", "3"].map(String::from);
/// let review = review(&*game, "5", &moves, &Question::default(), &Terms::default()).unwrap();
/// assert_eq!(review.moves[0].mark, MoveMark::LostWin);
/// assert_eq!(review.moves[1].mark, MoveMark::Best);
/// ```
pub fn review(
    game: &dyn AnyGame,
    start: &str,
    moves: &[String],
    question: &Question,
    terms: &Terms,
) -> Result<Review, Error> {
    let mut positions = vec![game.view(start)?];
    for (i, text) in moves.iter().enumerate() {
        let next = game
            .play(&positions[i].position, text)
            .map_err(|e| e.at(format_args!("move {} of the game", i + 1)))?;
        positions.push(game.view(&next)?);
    }
    let monitor = Monitor::new(&question.budget, terms);
    let (mut worths, mut best) = (vec![Worth::UNKNOWN; positions.len()], vec![None; positions.len()]);
    let mut unsolved = 0;
    for (i, seen) in positions.iter().enumerate().rev() {
        if let Some(outcome) = seen.over {
            worths[i] = Worth { outcome: Some(outcome), plies: Some(0) };
            continue;
        }
        let left = question.budget.time.map(|time| time.saturating_sub(monitor.elapsed()));
        if unsolved >= PATIENCE || left == Some(Duration::ZERO) || terms.cancel.is_cancelled() {
            break;
        }
        let time = left.map(|left| (left / 3).max(Duration::from_millis(1)));
        let mut ask = Question { position: Some(seen.position.clone()), ..question.clone() };
        ask.budget.time = time;
        let verdict = game.solve(&ask, terms)?;
        if verdict.outcome.is_none() {
            unsolved += 1;
            continue;
        }
        unsolved = 0;
        let plies = verdict.plies.filter(|_| question.goal != Goal::Wdl && verdict.is_solved());
        worths[i] = Worth { outcome: verdict.outcome, plies };
        best[i] = verdict.best.into_iter().next();
    }
    let reviewed = moves.iter().enumerate().map(|(i, text)| {
        let (before, after) =
            (worths[i], worths[i + 1].for_mover(positions[i].to_move == positions[i + 1].to_move));
        let mark = mark(before, after)
            .ok_or_else(|| Error::contradiction(format!("move {} ('{text}') is better than best", i + 1)))?;
        let better = best[i].clone().filter(|_| matches!(mark, MoveMark::LostWin | MoveMark::LostDraw));
        Ok(Reviewed { text: text.clone(), by: positions[i].to_move, mark, before, after, better })
    });
    let reviewed = reviewed.collect::<Result<Vec<_>, Error>>()?;
    let end = &positions[positions.len() - 1];
    Ok(Review {
        kind: ReviewKind::Review,
        version: VERSION,
        game: game.spec(),
        start: positions[0].position.clone(),
        position: end.position.clone(),
        sides: game.side_names().map(str::to_owned),
        over: end.over.is_some(),
        winner: end.over.and_then(|outcome| outcome.winner(end.to_move)),
        sentence: sentence(game.side_names(), &reviewed),
        moves: reviewed,
    })
}

impl Worth {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { outcome: None, plies: None };

    /// The worth of a move, from that of the position it leads to, where the same side or the other one is to move.
    fn for_mover(self, same: bool) -> Self {
        let turned = |outcome| match outcome {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        };
        let outcome = if same { self.outcome } else { self.outcome.map(turned) };
        Self { outcome, plies: self.plies.filter(|_| outcome != Some(Outcome::Draw)).map(|plies| plies + 1) }
    }
}

/// What a move did, from the worth of the position before it and its own; nothing if they exclude each other.
fn mark(before: Worth, after: Worth) -> Option<MoveMark> {
    let (Some(had), Some(got)) = (before.outcome, after.outcome) else { return Some(MoveMark::Unknown) };
    Some(match (had, got) {
        (Outcome::Win, Outcome::Draw | Outcome::Loss) => MoveMark::LostWin,
        (Outcome::Draw, Outcome::Loss) => MoveMark::LostDraw,
        (Outcome::Draw, Outcome::Draw) => MoveMark::Best,
        (Outcome::Win, Outcome::Win) | (Outcome::Loss, Outcome::Loss) => match (before.plies, after.plies) {
            (Some(quick), Some(slow)) if quick != slow => {
                if (quick < slow) == (had == Outcome::Loss) {
                    return None;
                }
                MoveMark::Good
            }
            _ => MoveMark::Best,
        },
        (Outcome::Draw | Outcome::Loss, Outcome::Win) | (Outcome::Loss, Outcome::Draw) => return None,
    })
}

/// Where the game turned, in a sentence.
fn sentence(names: [&str; 2], moves: &[Reviewed]) -> String {
    let lost = |(i, m): (usize, &Reviewed)| {
        let what = match m.mark {
            MoveMark::LostWin => "the win",
            MoveMark::LostDraw => "the draw",
            _ => return None,
        };
        let better = m.better.as_ref().map(|text| format!(", {text} would have kept it")).unwrap_or_default();
        Some(format!("{} lost {what} at move {} ({}){better}.", names[m.by.index()], i + 1, m.text))
    };
    let turns: Vec<String> = moves.iter().enumerate().filter_map(lost).collect();
    match (turns.is_empty(), moves.iter().any(|m| m.mark == MoveMark::Unknown)) {
        (false, _) => turns.join(" "),
        (true, true) => "No mistake is certain; not every move could be judged in time.".into(),
        (true, false) => "Nobody gave anything away.".into(),
    }
}
