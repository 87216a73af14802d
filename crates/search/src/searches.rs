//! All searches of one type of game behind one interface.
//!
//! A search is compiled for every type of game, and that is most of what there is to compile. Whoever calls it through
//! [`Searches`] is compiled for the same types without compiling the searches again: they are made where a
//! `&dyn Searches<G>` is made, with the optimisation of that crate.

use ludex_core::{Bounds, Contradiction, Notation, Numbering, Probe, Stop, Verdict, Window};

use crate::{
    Ask, alphabeta, aostar, brute,
    dfpn::{self, Limit, ProofTable, Pursued},
    pns,
    retrograde::{ByKey, Keyed, Numbers, Positions, Rows},
    table::Table,
    think::{self, Evaluation, Thought},
    two_plies_on,
};

/// What a search answers.
pub type Answered<G> = Result<Verdict<<G as ludex_core::Game>::Move>, Contradiction>;

/// The searches, as their modules describe them.
pub trait Searches<G: Notation>: Send + Sync {
    /// [`alphabeta::solve`].
    ///
    /// # Errors
    /// As there.
    fn alphabeta(&self, ask: &Ask<'_, G>, table: &Table<G::Key>) -> Answered<G>;

    /// [`alphabeta::settle`].
    ///
    /// # Errors
    /// As there.
    fn alphabeta_settle(
        &self,
        ask: &Ask<'_, G>,
        table: &Table<G::Key>,
        question: Window,
    ) -> Result<Option<Bounds>, Contradiction>;

    /// [`dfpn::solve`].
    ///
    /// # Errors
    /// As there.
    fn dfpn(&self, ask: &Ask<'_, G>, table: &ProofTable<G::Key>) -> Answered<G>;

    /// [`dfpn::settle`].
    ///
    /// # Errors
    /// As there.
    fn dfpn_settle(
        &self,
        ask: &Ask<'_, G>,
        table: &ProofTable<G::Key>,
        question: Window,
    ) -> Result<Option<Bounds>, Contradiction>;

    /// [`dfpn::pursue`].
    ///
    /// # Errors
    /// As there.
    fn pursue(
        &self,
        ask: &Ask<'_, G>,
        window: Window,
        limit: Limit,
        table: &ProofTable<G::Key>,
    ) -> Result<Pursued<G>, Contradiction>;

    /// [`pns::solve`].
    ///
    /// # Errors
    /// As there.
    fn pns(&self, ask: &Ask<'_, G>, options: pns::Options) -> Answered<G>;

    /// [`aostar::solve`].
    ///
    /// # Errors
    /// As there.
    fn aostar(&self, ask: &Ask<'_, G>, memory: u64) -> Answered<G>;

    /// [`brute::solve`].
    ///
    /// # Errors
    /// As there.
    fn brute(&self, ask: &Ask<'_, G>, memory: u64) -> Answered<G>;

    /// How many [`two_plies_on::positions`] there are.
    ///
    /// # Errors
    /// If the probe says stop.
    fn two_plies_on(&self, game: &G, root: &G::Position, probe: &dyn Probe) -> Result<usize, Stop>;

    /// [`think::think`].
    fn think(
        &self,
        game: &G,
        evaluation: &dyn Evaluation<G>,
        p: &G::Position,
        options: think::Options,
        probe: &dyn Probe,
    ) -> Thought<G::Move>;

    /// [`Keyed::reach`].
    ///
    /// # Errors
    /// As there.
    fn reach(
        &self,
        game: &G,
        start: &G::Position,
        memory: u64,
        probe: &dyn Probe,
    ) -> Result<Box<dyn ByKey<G>>, Stop>;

    /// The positions of a game for whoever solves them elsewhere: by their numbers if there are any, or by their keys. `None` if
    /// a key is too long for a row.
    fn positions(&self, game: &G, numbering: Option<Box<dyn Numbering<G>>>) -> Option<Positions>;
}

/// Whether what is only for tables and for searches that many machines share is there: not in a browser, where the judge does
/// not ask for it, and where it would be code to load for every game.
const COMPLETE: bool = cfg!(not(target_family = "wasm"));

/// The searches of this crate.
#[derive(Clone, Copy, Debug)]
pub struct Generic;

impl<G: Notation> Searches<G> for Generic {
    fn alphabeta(&self, ask: &Ask<'_, G>, table: &Table<G::Key>) -> Answered<G> {
        alphabeta::solve(ask, table)
    }

    fn alphabeta_settle(
        &self,
        ask: &Ask<'_, G>,
        table: &Table<G::Key>,
        question: Window,
    ) -> Result<Option<Bounds>, Contradiction> {
        alphabeta::settle(ask, table, question)
    }

    fn dfpn(&self, ask: &Ask<'_, G>, table: &ProofTable<G::Key>) -> Answered<G> {
        dfpn::solve(ask, table, dfpn::Options::default())
    }

    fn dfpn_settle(
        &self,
        ask: &Ask<'_, G>,
        table: &ProofTable<G::Key>,
        question: Window,
    ) -> Result<Option<Bounds>, Contradiction> {
        dfpn::settle(ask, table, dfpn::Options::default(), question)
    }

    fn pursue(
        &self,
        ask: &Ask<'_, G>,
        window: Window,
        limit: Limit,
        table: &ProofTable<G::Key>,
    ) -> Result<Pursued<G>, Contradiction> {
        if !COMPLETE {
            unreachable!("nobody shares a search in a browser");
        }
        dfpn::pursue(ask, window, limit, table, dfpn::Options::default())
    }

    fn pns(&self, ask: &Ask<'_, G>, options: pns::Options) -> Answered<G> {
        pns::solve(ask, options)
    }

    fn aostar(&self, ask: &Ask<'_, G>, memory: u64) -> Answered<G> {
        aostar::solve(ask, memory)
    }

    fn brute(&self, ask: &Ask<'_, G>, memory: u64) -> Answered<G> {
        brute::solve(ask, memory)
    }

    fn two_plies_on(&self, game: &G, root: &G::Position, probe: &dyn Probe) -> Result<usize, Stop> {
        Ok(two_plies_on::positions(game, root, probe)?.len())
    }

    fn think(
        &self,
        game: &G,
        evaluation: &dyn Evaluation<G>,
        p: &G::Position,
        options: think::Options,
        probe: &dyn Probe,
    ) -> Thought<G::Move> {
        think::think(game, evaluation, p, options, probe)
    }

    fn reach(
        &self,
        game: &G,
        start: &G::Position,
        memory: u64,
        probe: &dyn Probe,
    ) -> Result<Box<dyn ByKey<G>>, Stop> {
        if !COMPLETE {
            return Err(Stop::Memory);
        }
        Ok(Box::new(Keyed::reach(game, start, memory, probe)?))
    }

    fn positions(&self, game: &G, numbering: Option<Box<dyn Numbering<G>>>) -> Option<Positions> {
        if !COMPLETE {
            return None;
        }
        Some(match numbering {
            Some(numbering) => Positions::Numbered(Box::new(Numbers::new(game.clone(), numbering))),
            None => Positions::Listed(Box::new(Rows::new(game.clone())?)),
        })
    }
}
