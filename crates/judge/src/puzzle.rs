//! Positions in which exactly one move wins, found by playing at random and asking.

use std::time::Duration;

use ludex_core::{Error, ErrorCode, Goal, Notation, Outcome, Probe as _, Rng, Status, Value};

use crate::{
    Question, Terms,
    answer::{Puzzle, PuzzleKind, VERSION, Verdict},
    host::Host,
    monitor::Monitor,
};

/// Where there are fewer moves, finding the right one is no puzzle.
const FEWEST_MOVES: usize = 3;
/// Searches in a row that may fail when no time is set.
const MOST_TRIES: usize = 10_000;

/// A puzzle from the question's position, or from a deal or the start.
pub(crate) fn find<G: Notation>(
    host: &Host<G>,
    question: &Question,
    terms: &Terms,
    seed: u64,
    plies: Option<u32>,
) -> Result<Puzzle, Error> {
    let (game, monitor) = (host.game(), Monitor::new(&question.budget, terms));
    let mut rng = Rng::new(seed);
    for _ in 0..MOST_TRIES {
        let left = question.budget.time.map(|time| time.saturating_sub(monitor.elapsed()));
        if left == Some(Duration::ZERO) || monitor.check(0).is_some() {
            break;
        }
        let sub = rng.next_u64() >> 32;
        let from = Question { seed: question.seed.or(Some(sub)), ..question.clone() };
        let Some(p) = wander(host, host.position_of(&from)?, sub, &monitor) else { break };
        // An empty board is no puzzle; a deal may be one.
        let at_start = game.root().is_some_and(|root| game.position_text(&root) == game.position_text(&p));
        if at_start || game.moves(&p).len() < FEWEST_MOVES {
            continue;
        }
        let time = left.map(|left| (left / 4).max(Duration::from_millis(1)));
        let ask = question.moved_on(game.position_text(&p), Goal::Distance, time);
        let own = Monitor::new(&ask.budget, terms);
        let task = host.task(&ask, terms, &own)?.for_values();
        let rated = host.rate(&task, &p)?;
        let wins = rated.moves.iter().filter(|(bounds, ..)| bounds.outcome() == Some(Outcome::Win)).count();
        let length = rated.bounds.value().and_then(Value::plies);
        let Some(length) = length.filter(|&length| length > 1 && plies.is_none_or(|wanted| wanted == length))
        else {
            continue;
        };
        if rated.status == Status::Solved && wins == 1 {
            return Ok(found(host.analysis(&task, &p, rated).verdict, seed, length));
        }
    }
    Err(none_found(&game.spec()))
}

fn found(verdict: Verdict, seed: u64, plies: u32) -> Puzzle {
    Puzzle {
        kind: PuzzleKind::Puzzle,
        version: VERSION,
        game: verdict.game,
        position: verdict.position,
        to_move: verdict.to_move,
        seed,
        plies,
        solution: verdict.pv,
        best: verdict.best,
    }
}

fn none_found(spec: &str) -> Error {
    Error::new(
        ErrorCode::NotFound,
        format!("no puzzle of {spec} was found within the limits"),
        "try another seed, more time, or a smaller board",
    )
}

/// The position after any number of random moves that do not end the game, unless time is up before.
fn wander<G: Notation>(
    host: &Host<G>,
    mut p: G::Position,
    seed: u64,
    monitor: &Monitor,
) -> Option<G::Position> {
    let game = host.game();
    let mut rng = Rng::new(seed);
    for _ in 0..rng.below(game.max_plies(&p) as usize + 1) {
        if monitor.check(0).is_some() {
            return None;
        }
        let mut moves = host.sorted_moves(&p);
        rng.shuffle(&mut moves);
        let next = moves.into_iter().map(|m| game.play(&p, m)).find(|next| game.outcome(next).is_none());
        let Some(next) = next else { break };
        p = next;
    }
    Some(p)
}

#[cfg(test)]
mod tests {
    use ludex_games::template::{FAMILY, of_spec};

    use crate::{Question, Registry, Terms};

    /// From 21 counters only taking one wins, so that the start itself would be a puzzle.
    #[test]
    fn the_start_of_a_game_is_no_puzzle() {
        let game = Registry::new().with(&FAMILY, of_spec).open("heap:21").expect("a game");
        let start = game.start(None).expect("a start");
        for seed in 0..100 {
            let puzzle = game.puzzle(&Question::default(), &Terms::default(), seed, None).expect("a puzzle");
            assert_ne!(puzzle.position, start, "seed {seed}");
        }
    }
}
