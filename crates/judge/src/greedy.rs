//! A move for a player that looks no further than the opponent's next one.

use ludex_core::{Error, Notation, Probe as _};

use crate::{Question, Terms, host::Host, monitor::Monitor};

/// Every reply of the opponent is looked at only where there are at most this many moves.
const FEW_MOVES: usize = 60;

/// The text of the move that [`pick`] picks in the question's position.
pub(crate) fn choose<G: Notation>(
    host: &Host<G>,
    question: &Question,
    terms: &Terms,
    choose: &mut dyn FnMut(usize) -> usize,
) -> Result<Option<String>, Error> {
    let monitor = Monitor::new(&question.budget, terms);
    let p = host.position_of(question)?;
    Ok(pick(host, &p, &monitor, choose).map(|m| host.game().move_text(&p, m)))
}

/// A move that wins at once; otherwise any, as `choose` says, of those after which the opponent does not, or of all moves
/// if there is no such. Moves that there was no time to look at are not among them.
pub(crate) fn pick<G: Notation>(
    host: &Host<G>,
    p: &G::Position,
    monitor: &Monitor,
    choose: &mut dyn FnMut(usize) -> usize,
) -> Option<G::Move> {
    let game = host.game();
    let (moves, mover) = (host.sorted_moves(p), game.side(p));
    let winner = |p: &G::Position| game.outcome(p).map(|outcome| outcome.winner(game.side(p)));
    let mut quiet = Vec::new();
    for &m in &moves {
        if monitor.check(0).is_some() {
            break;
        }
        let after = game.play(p, m);
        let hangs = match winner(&after) {
            Some(Some(side)) if side == mover => return Some(m),
            Some(winner) => winner.is_some(),
            None if moves.len() <= FEW_MOVES => {
                let replies = game.moves(&after);
                replies.iter().any(|&reply| winner(&game.play(&after, reply)) == Some(Some(mover.other())))
            }
            None => false,
        };
        if !hangs {
            quiet.push(m);
        }
    }
    let among = if quiet.is_empty() { &moves } else { &quiet };
    if among.is_empty() { None } else { Some(among[choose(among.len())]) }
}
