//! One game between two players, with the rules and the clock enforced.

use std::time::{Duration, Instant};

use ludex_judge::{AnyGame, Error, Outcome, Side};

use crate::{
    player::{End, Fault, Player, Start, Turn},
    record::{Record, Score},
};

/// The conditions of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// The position to begin with, if not the game's own start.
    pub start: Option<String>,
    /// The seed of the deal, for games that begin with one.
    pub seed: Option<u64>,
    /// The time for each move.
    pub time: Option<Duration>,
    /// Games that last longer than this many plies are broken off.
    pub most_plies: Option<usize>,
}

/// Play a game. A player at fault loses it; the record says why. `watch` sees every position and the move made there.
///
/// # Errors
/// If the start is no position of the game, or this program contradicts itself.
pub fn play(
    game: &dyn AnyGame,
    players: [&mut dyn Player; 2],
    conditions: &Conditions,
    watch: &mut dyn FnMut(&str, &str),
) -> Result<Record, Error> {
    let own = game.start(conditions.seed);
    let start = match &conditions.start {
        Some(text) => game.state(text)?.position,
        None => own.clone()?,
    };
    let set_up = own.as_deref() != Ok(start.as_str());
    let mut record = Record {
        spec: game.spec(),
        players: [players[0].name(), players[1].name()],
        start: set_up.then(|| start.clone()),
        moves: Vec::new(),
        score: Score::Unfinished,
        reason: None,
        round: None,
    };
    let text = conditions.start.as_deref().unwrap_or(&start);
    let begin = Start { position: &start, text, set_up };
    let at_fault = play_moves(game, players, begin, conditions, watch, &mut record)?;
    if let Some((side, fault)) = at_fault {
        if let Fault::Internal(error) = fault {
            return Err(error);
        }
        record.score = Score::Won(side.other());
        record.reason = Some(format!("{} {fault}", game.side_names()[side.index()]));
    }
    Ok(record)
}

/// Play until the end, with the moves written to the record; the side at fault, if one was.
fn play_moves(
    game: &dyn AnyGame,
    players: [&mut dyn Player; 2],
    start: Start<'_>,
    conditions: &Conditions,
    watch: &mut dyn FnMut(&str, &str),
    record: &mut Record,
) -> Result<Option<(Side, Fault)>, Error> {
    let mut at_fault = None;
    for side in [Side::First, Side::Second] {
        let begun = players[side.index()].begin(game, side, start);
        at_fault = at_fault.or(begun.err().map(|fault| (side, fault)));
    }
    let mut position = start.position.to_owned();
    while at_fault.is_none() {
        let view = game.state(&position)?;
        if let Some(outcome) = view.over {
            record.score = Score::of(outcome, view.to_move);
            record.reason = view.why;
            break;
        }
        if conditions.most_plies.is_some_and(|most| record.moves.len() >= most) {
            record.reason = Some(format!("broken off after {} plies", record.moves.len()));
            break;
        }
        let side = view.to_move;
        let asked = Instant::now();
        let turn = Turn { game, position: &position, side, time: conditions.time };
        let chosen = players[side.index()].choose(&turn).and_then(|text| {
            let late = conditions
                .time
                .is_some_and(|limit| asked.elapsed() > limit.mul_f64(1.05) + Duration::from_millis(100));
            if late { Err(Fault::TimedOut) } else { Ok(text) }
        });
        let next = chosen.and_then(|text| {
            let shown: String = text.chars().take(60).collect();
            match game.play(&position, text.trim()) {
                Ok(next) => Ok((text.trim().to_owned(), next)),
                Err(e) => {
                    // A move text may hold several moves; here it is one, so its number says nothing.
                    let why = e.message.strip_prefix("move 1: ").unwrap_or(&e.message).to_owned();
                    Err(Fault::Illegal { text: shown, why })
                }
            }
        });
        match next {
            Err(fault) => at_fault = Some((side, fault)),
            Ok((text, next)) => {
                watch(&position, &text);
                for listener in [side.other(), side] {
                    if let Err(fault) = players[listener.index()].made(side, &text) {
                        at_fault = at_fault.or(Some((listener, fault)));
                    }
                }
                record.moves.push(text);
                position = next;
            }
        }
    }
    // A game that is over on the board stays so, whatever happened afterwards.
    let view = game.state(&position)?;
    if let Some(outcome) = view.over {
        record.score = Score::of(outcome, view.to_move);
        record.reason = view.why;
        at_fault = None;
    }
    for side in [Side::First, Side::Second] {
        let end = match (&at_fault, record.score) {
            (Some((guilty, _)), _) if *guilty == side => End::AtFault,
            (Some(_), _) => End::Over(Outcome::Win),
            (None, Score::Won(winner)) if winner == side => End::Over(Outcome::Win),
            (None, Score::Won(_)) => End::Over(Outcome::Loss),
            (None, _) => End::Over(Outcome::Draw),
        };
        players[side.index()].end(end);
    }
    Ok(at_fault)
}
