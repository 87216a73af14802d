//! What is known before any search: tables, books, the database.

use std::any::Any;

use ludex_core::{Bounds, Game, Key, Notation};
use ludex_store::{Row, key_bytes};

use crate::{Refusal, collapsi, connect4, job::Job};

/// An answer that needed no search.
pub(crate) struct Known<M> {
    pub(crate) bounds: Bounds,
    pub(crate) best: Option<M>,
    pub(crate) pv: Vec<M>,
    /// `cache`, `table` or `book`.
    pub(crate) from: &'static str,
    /// Who found it out.
    pub(crate) solver: String,
}

/// The key under which the database keeps a position: the exact one, whatever the goal.
pub(crate) fn store_key<G: Game>(stored: &G, p: &G::Position) -> Vec<u8> {
    key_bytes(stored.key(p).words().as_ref())
}

/// Bounds from a table or a book of the game, if there is one.
pub(crate) fn elsewhere<G: Game>(game: &G, p: &G::Position, job: &Job) -> Option<(Bounds, &'static str)> {
    let (game, position): (&dyn Any, &dyn Any) = (game, p);
    if job.tables
        && let Some(bounds) = collapsi::from_table(game, position)
    {
        return Some((bounds, "table"));
    }
    if !job.book {
        return None;
    }
    connect4::book::from_any(game, position).map(|bounds| (bounds, "book"))
}

/// Bounds of a position on the line that follows an answer from a table or book, where the game tells them at once.
pub(crate) fn afterwards<G: Game>(game: &G, p: &G::Position) -> Option<Bounds> {
    collapsi::after_deal(game, p)
}

/// The database's row for a position, with its moves turned to fit this very position.
pub(crate) fn recall<G: Notation>(
    stored: &G,
    p: &G::Position,
    job: &Job,
) -> Result<Option<Known<G::Move>>, Refusal> {
    let Some(store) = &job.store else { return Ok(None) };
    let Some(row) = store.get(&stored.spec(), &store_key(stored, p))? else { return Ok(None) };
    let pv = turned(stored, p, &row);
    Ok(Some(Known { bounds: row.bounds, best: pv.first().copied(), pv, from: "cache", solver: row.solver }))
}

/// The row's line, move by move the one that leads to the same class of positions.
fn turned<G: Notation>(game: &G, p: &G::Position, row: &Row) -> Vec<G::Move> {
    let Ok(mut theirs) = game.parse_position(&row.position) else { return Vec::new() };
    let line = if row.pv.is_empty() { row.best.as_slice() } else { &row.pv };
    let mut ours = *p;
    let mut pv = Vec::new();
    for text in line {
        if game.outcome(&theirs).is_some() {
            break;
        }
        let Ok(m) = game.parse_move(&theirs, text) else { break };
        theirs = game.play(&theirs, m);
        let wanted = game.key(&theirs);
        let mut found = None;
        game.each_move(&ours, |m| {
            if found.is_none() && game.key(&game.play(&ours, m)) == wanted {
                found = Some(m);
            }
        });
        let Some(m) = found else { break };
        ours = game.play(&ours, m);
        pv.push(m);
    }
    pv
}
