//! Positions to ask about: met in games that are played by chance, or all that can be reached.
//!
//! A position that is met belongs to a number: the same game, style, seed and number give the same position on every machine,
//! whatever was asked before. Its class is the same for all positions that the keys of the game do not tell apart: its images
//! under the symmetries of the board, and positions that differ only in what can make no difference any more.

use std::{collections::HashSet, mem::size_of};

use ludex_core::{ByRank, Error, ErrorCode, Notation, Probe as _, Rng};

use crate::{Question, Terms, greedy, host::Host, known::store_key, monitor::Monitor};

/// How the games are played in which positions are met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Every legal move is as likely as any other.
    Random,
    /// A move that wins at once is made, and one after which the opponent wins at once is not, unless all are such.
    Greedy,
}

/// A position that was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// Its text.
    pub position: String,
    /// Its class: the same bytes for positions that differ by no more than a symmetry.
    pub class: Vec<u8>,
}

/// The positions of a rank: which they are, and in which order they were found.
type Layer<P> = (HashSet<P>, Vec<P>);

impl<G: Notation> Host<G> {
    fn met(&self, stored: &G, p: &G::Position) -> Met {
        Met { position: self.game().position_text(p), class: store_key(stored, p) }
    }

    /// The class of a position that was given as a text, and the canonical text.
    pub(crate) fn met_at(&self, text: &str) -> Result<Met, Error> {
        let p = self.game().parse_position(text)?;
        Ok(self.met(&self.game().clone().for_store(), &p))
    }

    /// A position in which the game goes on, any of those of one game by chance.
    pub(crate) fn met_by_chance(
        &self,
        question: &Question,
        terms: &Terms,
        style: Style,
        number: u64,
    ) -> Result<Option<Met>, Error> {
        let game = self.game();
        let monitor = Monitor::new(&question.budget, terms);
        // A seed of its own for every game: the generator steps its state by a constant, so that from neighbouring seeds games
        // would begin alike.
        let seed = Rng::new(question.seed.unwrap_or(0)).next_u64();
        let mut rng = Rng::new(Rng::new(seed ^ number).next_u64());
        let from = Question { seed: Some(rng.next_u64() >> 32), ..question.clone() };
        let mut p = match (&question.position, game.root()) {
            (None, Some(root)) => root,
            _ => self.position_of(&from)?,
        };
        let mut passed = Vec::new();
        while game.outcome(&p).is_none() {
            if monitor.check(0).is_some() {
                return Ok(None);
            }
            passed.push(p);
            let m = match style {
                Style::Random => rng.pick(&self.sorted_moves(&p)).copied(),
                Style::Greedy => greedy::pick(self, &p, &monitor, &mut |n| rng.below(n)),
            };
            let Some(m) = m else { break };
            p = game.play(&p, m);
        }
        Ok(rng.pick(&passed).map(|p| self.met(&game.clone().for_store(), p)))
    }

    /// Every position in which the game goes on, once each, those after fewer moves first, until `visit` says that it is
    /// enough. What is listed at a time takes no more than the question's memory.
    pub(crate) fn met_anywhere(
        &self,
        question: &Question,
        terms: &Terms,
        visit: &mut dyn FnMut(Met) -> bool,
    ) -> Result<(), Error> {
        let game = self.game();
        let monitor = Monitor::new(&question.budget, terms);
        let stored = game.clone().for_store();
        let start = self.position_of(question)?;
        // A move increases the rank, so that all ways to a position are known when its rank has its turn.
        let mut open: ByRank<Layer<G::Position>> = ByRank::default();
        *open.at(game.rank(&start)) = (HashSet::from([start]), vec![start]);
        let most = question.budget.memory / (4 * size_of::<G::Position>() as u64 + 16);
        let mut listed = 1;
        while let Some((_, (_, layer))) = open.pop_first() {
            listed -= layer.len() as u64;
            for p in &layer {
                if game.outcome(p).is_some() {
                    continue;
                }
                if monitor.check(0).is_some() || !visit(self.met(&stored, p)) {
                    return Ok(());
                }
                for m in self.sorted_moves(p) {
                    let child = game.play(p, m);
                    let (seen, list) = open.at(game.rank(&child));
                    if seen.insert(child) {
                        list.push(child);
                        listed += 1;
                    }
                }
                if listed + layer.len() as u64 > most {
                    return Err(Error::new(
                        ErrorCode::OutOfMemory,
                        format!("all positions of {} are more than the memory can list", game.spec()),
                        "allow more --memory, take a smaller board, or sample some of them",
                    ));
                }
            }
        }
        Ok(())
    }
}
