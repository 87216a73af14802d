//! Every position of a table or book with its value, for other programs.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::Path,
};

use ludex_core::{ByRank, Cancel, Error, Notation, Place, Side, Value};
use ludex_search::retrograde::key_bytes;

use super::{Answers, stopped};
use crate::Study;

/// A position of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Its text: of positions that the table does not tell apart, one.
    pub position: String,
    /// Who is to move.
    pub to_move: Side,
    /// What it is worth to the side to move, plies included if the file has them.
    pub value: Value,
}

/// Told of every position; whether to go on.
pub type Receive<'a> = &'a mut dyn FnMut(Exported) -> bool;

/// The positions of a rank by their keys. The map is of no game's types, so that one serves them all.
struct Layer<P> {
    numbers: BTreeMap<Vec<u8>, usize>,
    positions: Vec<P>,
}

impl<P> Default for Layer<P> {
    fn default() -> Self {
        Self { numbers: BTreeMap::new(), positions: Vec::new() }
    }
}

impl<P> Layer<P> {
    /// Put a position in the place of another with its key.
    fn put(&mut self, key: Vec<u8>, p: P) {
        match self.numbers.entry(key) {
            Entry::Occupied(number) => self.positions[*number.get()] = p,
            Entry::Vacant(number) => {
                number.insert(self.positions.len());
                self.positions.push(p);
            }
        }
    }
}

/// Tell every position of a file. Numbered tables tell those that have a number and a value, in the order of their tiers; those
/// with keys, and books, the positions that play from the start leads to, by rank and key.
pub(super) fn export<G: Notation>(
    game: &G,
    study: &dyn Study<G>,
    path: &Path,
    cancel: &Cancel,
    receive: Receive<'_>,
) -> Result<(), Error> {
    let answers = Answers::open(game, study, path)?;
    let told =
        |p: &G::Position, value| Exported { position: game.position_text(p), to_move: game.side(p), value };
    if let Some(numbering) = answers.numbering() {
        for (tier, about) in answers.table().tiers().iter().enumerate() {
            for index in 0..about.entries {
                if cancel.is_cancelled() {
                    return Err(stopped());
                }
                let p = numbering.position(Place { tier, index });
                if let Some(value) = answers.held(game, &p)?
                    && !receive(told(&p, value))
                {
                    return Ok(());
                }
            }
        }
        return Ok(());
    }
    let start = game
        .root()
        .ok_or_else(|| Error::spec(format!("{} has no fixed start", game.spec()), "name the deal"))?;
    let key = |p: &G::Position| key_bytes(game.key(p), game.key_bits());
    let mut open: ByRank<Layer<G::Position>> = ByRank::default();
    open.at(game.rank(&start)).put(key(&start), start);
    while let Some((_, layer)) = open.pop_first() {
        for p in layer.numbers.values().map(|&i| &layer.positions[i]) {
            if cancel.is_cancelled() {
                return Err(stopped());
            }
            let Some(value) = answers.held(game, p)? else { continue };
            if !receive(told(p, value)) {
                return Ok(());
            }
            for m in game.moves(p) {
                let child = game.play(p, m);
                open.at(game.rank(&child)).put(key(&child), child);
            }
        }
    }
    Ok(())
}
