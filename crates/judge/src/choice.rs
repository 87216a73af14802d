//! Which search for which game.

use std::any::Any;

use ludex_core::{Game, Goal, InputError, Verdict};
use ludex_search::{
    Ask, alphabeta, aostar, brute,
    dfpn::{self, ProofTable},
    pns,
    support::support,
    table::Table,
};

use crate::{Refusal, collapsi, connect4, job::Job, mnk, parallel, turns, watch::Watch};

/// The searches by name.
pub(crate) const SOLVERS: &[&str] =
    &["alphabeta", "dfpn", "pns", "aostar", "brute", turns::NAME, connect4::NAME, collapsi::NAME];

/// The tables a search works on, kept from one question to the next.
#[derive(Default)]
pub(crate) struct Memory<G: Game> {
    bytes: u64,
    bounds: Option<Table<G::Key>>,
    proofs: Option<ProofTable<G::Key>>,
    /// What the game's own solver keeps.
    own: Option<Box<dyn Any + Send>>,
    /// What the tables were filled for: their entries hold only there.
    filled_for: Option<(bool, String)>,
    /// The solver they were made for, which says how the memory is shared out.
    solver: &'static str,
}

impl<G: Game> Memory<G> {
    pub(crate) fn new() -> Self {
        Self { bytes: 0, bounds: None, proofs: None, own: None, filled_for: None, solver: "" }
    }

    /// Make room for a job; what was learnt for another kind of question is forgotten.
    fn prepare(&mut self, job: &Job, solver: &'static str) {
        let purpose = (job.goal == Goal::Wdl, job.without.join(","));
        if self.filled_for.as_ref() != Some(&purpose) {
            if let Some(table) = &mut self.bounds {
                table.age();
            }
            self.proofs = None;
            self.filled_for = Some(purpose);
        }
        if self.bytes != job.budget.memory || self.solver != solver {
            self.solver = solver;
            (self.bytes, self.bounds, self.proofs, self.own) = (job.budget.memory, None, None, None);
        }
    }
}

/// The name of the search for a job.
pub(crate) fn name<G: Game>(game: &G, job: &Job) -> Result<&'static str, InputError> {
    match job.solver.as_deref() {
        None | Some("auto") => Ok(default(game, job)),
        Some(connect4::NAME) if !connect4::plays(game) => Err(InputError::new(
            "wrong_solver",
            format!("'{}' solves no other game", connect4::NAME),
            "leave the solver out, or take alphabeta",
        )),
        Some(collapsi::NAME) if !collapsi::plays(game, job) => Err(InputError::new(
            "wrong_solver",
            format!("'{}' solves no other game, does without no rule and counts no nodes", collapsi::NAME),
            "leave the solver out, or take alphabeta",
        )),
        Some(wanted) => SOLVERS.iter().find(|name| **name == wanted).copied().ok_or_else(|| {
            InputError::new(
                "unknown_solver",
                format!("there is no solver '{wanted}'"),
                format!("the solvers are auto, {}", SOLVERS.join(", ")),
            )
        }),
    }
}

/// The search that suits a game. A game may have a better idea in a module of its own here.
fn default<G: Game>(game: &G, job: &Job) -> &'static str {
    let nature = game.nature();
    if connect4::plays(game) {
        connect4::NAME
    } else if collapsi::plays(game, job) {
        collapsi::NAME
    } else if mnk::plays(game) {
        turns::NAME
    } else if job.goal == Goal::Wdl && nature.forcing && !nature.draws {
        "dfpn"
    } else {
        "alphabeta"
    }
}

/// Run a search by name, and say which one answered. `about` names the search in its checkpoint.
pub(crate) fn run<G: Game>(
    name: &'static str,
    game: &G,
    position: G::Position,
    job: &Job,
    watch: &Watch,
    memory: &mut Memory<G>,
    about: impl FnOnce() -> String,
) -> Result<(&'static str, Verdict<G::Move>), Refusal> {
    let ask = Ask { game, position, goal: job.goal, probe: watch, worker: 0 };
    let threads = job.budget.threads;
    memory.prepare(job, name);
    if name == connect4::NAME
        && let Some(verdict) = connect4::run(&ask, job, watch, &mut memory.own)
    {
        return Ok((name, verdict));
    }
    if name == collapsi::NAME
        && let Some(verdict) = collapsi::run(&ask)
    {
        return Ok((name, verdict));
    }
    let mut verdict = match name {
        turns::NAME => {
            let (bytes, bits) = (job.budget.memory, game.key_bits());
            let bounds = &*memory.bounds.get_or_insert_with(|| Table::new(bytes / 4 * 3, bits));
            let proofs = &*memory.proofs.get_or_insert_with(|| ProofTable::new(bytes / 4));
            return Ok(turns::run(&ask, threads, watch, bounds, proofs));
        }
        "brute" => brute::solve(&ask, job.budget.memory),
        "pns" => {
            // The first guesses of the work are a rule like any other, by this name where a game has them.
            let heuristic = !job.without.iter().any(|rule| rule == "heuristic");
            pns::solve(&ask, pns::Options { heuristic, memory: job.budget.memory })
        }
        "aostar" => aostar::solve(&ask, job.budget.memory),
        "dfpn" => {
            let table = &*memory.proofs.get_or_insert_with(|| ProofTable::new(job.budget.memory));
            let options = dfpn::Options::default();
            let search = || {
                parallel::run(watch, threads, false, |worker| {
                    dfpn::solve(&Ask { worker, ..ask.clone() }, table, options)
                })
            };
            match &job.checkpoint {
                Some(checkpoint) => checkpoint.run(&about(), table, watch, search)?,
                None => search(),
            }
        }
        _ => {
            let bits = game.key_bits();
            let table = &*memory.bounds.get_or_insert_with(|| Table::new(job.budget.memory, bits));
            parallel::run(watch, threads, true, |worker| {
                alphabeta::solve(&Ask { worker, ..ask.clone() }, table)
            })
        }
    };
    if ["dfpn", "pns"].contains(&name) {
        verdict.stats.count("support", support(game, &ask.position).len() as u64);
    }
    Ok((name, verdict))
}
