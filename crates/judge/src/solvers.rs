//! Which search answers a question, and the memory it works with.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ludex_core::{
    Bounds, Contradiction, Error, ErrorCode, Game, Goal, Notation, Probe, Stats, Status, Stop, Verdict,
    Window,
};
use ludex_search::{Ask, dfpn::ProofTable, pns, table::Table};

use crate::{OwnSearch, OwnSolver, Question, Study, Terms, both, monitor::Monitor, parallel};

pub(crate) const ALPHABETA: &str = "alphabeta";
pub(crate) const DFPN: &str = "dfpn";
const PNS: &str = "pns";
const AOSTAR: &str = "aostar";
const BRUTE: &str = "brute";
/// Depth-first and proof-number search in turns.
pub const BOTH: &str = "both";

/// The searches that take every game, by name. A game may have one of its own besides.
pub const SOLVERS: &[&str] = &[ALPHABETA, DFPN, PNS, AOSTAR, BRUTE, BOTH];

/// The word for "whatever suits".
pub const AUTO: &str = "auto";

/// The tables a search works on, kept from one question to the next.
pub(crate) struct Memory<G: Game> {
    bytes: u64,
    bounds: Option<Table<G::Key>>,
    proofs: Option<ProofTable<G::Key>>,
    /// What the game's own solver keeps.
    own: Option<Box<dyn OwnSearch<G>>>,
    /// What the tables were filled for: their entries hold only there.
    filled_for: Option<(bool, String)>,
    /// The solver they were made for, which says how the memory is shared out.
    solver: &'static str,
}

impl<G: Game> Memory<G> {
    pub(crate) fn new() -> Self {
        Self { bytes: 0, bounds: None, proofs: None, own: None, filled_for: None, solver: "" }
    }

    /// The table of a proof search.
    pub(crate) fn proofs(&mut self, question: &Question) -> &ProofTable<G::Key> {
        self.prepare(question, DFPN);
        self.proofs.get_or_insert_with(|| ProofTable::new(question.budget.memory))
    }

    /// Make room for a question; what was learnt for another kind of question is forgotten.
    fn prepare(&mut self, question: &Question, solver: &'static str) {
        let purpose = (question.goal == Goal::Wdl, question.without.join(","));
        if self.filled_for.as_ref() != Some(&purpose) {
            if let Some(table) = &mut self.bounds {
                table.age();
            }
            self.proofs = None;
            self.filled_for = Some(purpose);
        }
        if self.bytes != question.budget.memory || self.solver != solver {
            self.solver = solver;
            (self.bytes, self.bounds, self.proofs, self.own) = (question.budget.memory, None, None, None);
        }
    }
}

/// A probe that stops a search after some positions. Searches report them in fixed portions, whatever the clock says, so that
/// the same search ends at the same place on every machine.
struct Short<'a> {
    monitor: &'a Monitor,
    nodes: AtomicU64,
    most: u64,
}

impl Probe for Short<'_> {
    fn check(&self, new_nodes: u64) -> Option<Stop> {
        let nodes = self.nodes.fetch_add(new_nodes, Relaxed) + new_nodes;
        self.monitor.check(new_nodes).or_else(|| (nodes >= self.most).then_some(Stop::Nodes))
    }

    fn elapsed(&self) -> std::time::Duration {
        self.monitor.elapsed()
    }
}

impl<G: Notation> Memory<G> {
    /// Settle a question about an unfinished game by the tables and a search of about `most` positions. `None` if that is not
    /// enough; `Err(None)` if the solver knows only whole games.
    pub(crate) fn settle(
        &mut self,
        run: &Run<'_, G>,
        position: G::Position,
        window: Window,
        most: u64,
    ) -> Result<Option<Bounds>, Option<Error>> {
        let Run { game, study, solver, question, monitor, .. } = *run;
        let both = solver == BOTH;
        if !(both || [ALPHABETA, DFPN].contains(&solver)) || question.goal != Goal::Wdl {
            return Err(None);
        }
        self.prepare(question, solver);
        let bytes = question.budget.memory;
        let short = |most: u64| Short { monitor, nodes: AtomicU64::new(0), most };
        let contradiction = |found: Contradiction| Some(Error::from(found));
        let mut turn = if both { most.min(FIRST_TURN) } else { most };
        loop {
            if solver != DFPN {
                let room = if both { bytes / 4 * 3 } else { bytes };
                let table = &*self.bounds.get_or_insert_with(|| Table::new(room, game.key_bits()));
                let probe = short(turn);
                let ask = Ask { game, position, goal: Goal::Wdl, probe: &probe, worker: 0 };
                let found = study.searches().alphabeta_settle(&ask, table, window).map_err(contradiction)?;
                if found.is_some() || !both {
                    return Ok(found);
                }
            }
            let room = if both { bytes / 4 } else { bytes };
            let table = &*self.proofs.get_or_insert_with(|| ProofTable::new(room));
            let probe = short(turn);
            let ask = Ask { game, position, goal: Goal::Wdl, probe: &probe, worker: 0 };
            let found = study.searches().dfpn_settle(&ask, table, window).map_err(contradiction)?;
            if found.is_some() || turn >= most || monitor.check(0).is_some() {
                return Ok(found);
            }
            turn = turn.saturating_mul(2).min(most);
        }
    }
}

/// Positions of the first turn of each search where both take turns.
const FIRST_TURN: u64 = 1 << 10;

/// The search for a question: the one it names, or the one that suits the game.
pub(crate) fn choose<G: Notation>(
    game: &G,
    study: &dyn Study<G>,
    question: &Question,
) -> Result<&'static str, Error> {
    let own = study.solver();
    let wanted = match question.solver.as_deref() {
        None | Some(AUTO) => return Ok(suited(game, study, question)),
        Some(wanted) => wanted,
    };
    if let Some(own) = own.filter(|own| own.name() == wanted) {
        return match own.refuses(question) {
            None => Ok(own.name()),
            Some(why) => Err(Error::new(
                ErrorCode::WrongSolver,
                format!("the solver '{wanted}' {why}"),
                "leave the solver out, or take alphabeta",
            )),
        };
    }
    SOLVERS.iter().find(|name| **name == wanted).copied().ok_or_else(|| {
        let names: Vec<_> = [AUTO].iter().chain(SOLVERS).copied().chain(own.map(|own| own.name())).collect();
        Error::new(
            ErrorCode::UnknownSolver,
            format!("there is no solver '{wanted}' for {}", game.spec()),
            format!("its solvers are {}", names.join(", ")),
        )
    })
}

/// The search that suits a game: its own, the one its study names, or the one that suits its nature.
fn suited<G: Notation>(game: &G, study: &dyn Study<G>, question: &Question) -> &'static str {
    let nature = game.nature();
    if let Some(own) = study.solver().filter(|own| own.refuses(question).is_none()) {
        own.name()
    } else if let Some(suited) = study.suits(question, nature) {
        suited
    } else if question.goal == Goal::Wdl && nature.forcing && !nature.draws {
        DFPN
    } else {
        ALPHABETA
    }
}

/// What a search is run with.
pub(crate) struct Run<'a, G: Notation> {
    pub(crate) game: &'a G,
    pub(crate) study: &'a dyn Study<G>,
    pub(crate) solver: &'static str,
    pub(crate) question: &'a Question,
    pub(crate) terms: &'a Terms,
    pub(crate) monitor: &'a Monitor,
    /// Whether a line of best play is wanted.
    pub(crate) lines: bool,
}

impl<G: Notation> Run<'_, G> {
    /// Run the search, and say which one answered. `about` names the search in its checkpoint.
    pub(crate) fn search(
        &self,
        position: G::Position,
        memory: &mut Memory<G>,
        about: impl FnOnce() -> String,
    ) -> Result<(&'static str, Verdict<G::Move>), Error> {
        let Self { game, study, solver, question, monitor, .. } = *self;
        let searches = study.searches();
        let ask = Ask { game, position, goal: question.goal, probe: monitor, worker: 0 };
        let (bytes, bits) = (question.budget.memory, game.key_bits());
        memory.prepare(question, solver);
        if let Some(own) = self.study.solver().filter(|own| own.name() == solver) {
            return Ok((solver, self.own(own, &ask, memory)?));
        }
        let mut verdict = match solver {
            BOTH => {
                let bounds = &*memory.bounds.get_or_insert_with(|| Table::new(bytes / 4 * 3, bits));
                let proofs = &*memory.proofs.get_or_insert_with(|| ProofTable::new(bytes / 4));
                let workers = (&*self.terms.spawner, question.budget.threads);
                return both::run(searches, &ask, workers, monitor, bounds, proofs);
            }
            BRUTE => self.alone(|| searches.brute(&ask, bytes))?,
            PNS => {
                // The first guesses of the work are a rule like any other, by this name where a game has them.
                let heuristic = !question.without.iter().any(|rule| rule == "heuristic");
                self.alone(|| searches.pns(&ask, pns::Options { heuristic, memory: bytes }))?
            }
            AOSTAR => self.alone(|| searches.aostar(&ask, bytes))?,
            DFPN => {
                let table = &*memory.proofs.get_or_insert_with(|| ProofTable::new(bytes));
                let search = || {
                    self.workers(false, |worker| Ok(searches.dfpn(&Ask { worker, ..ask.clone() }, table)?))
                };
                #[cfg(feature = "files")]
                match &self.terms.checkpoint {
                    Some(checkpoint) => checkpoint.run(&about(), table, monitor, search)?,
                    None => search()?,
                }
                #[cfg(not(feature = "files"))]
                {
                    drop(about);
                    search()?
                }
            }
            _ => {
                let table = &*memory.bounds.get_or_insert_with(|| Table::new(bytes, bits));
                self.workers(true, |worker| Ok(searches.alphabeta(&Ask { worker, ..ask.clone() }, table)?))?
            }
        };
        if [DFPN, PNS].contains(&solver) {
            let support = searches.two_plies_on(game, &ask.position, monitor);
            verdict.stats.support = support.ok().map(|positions| positions as u64);
        }
        Ok((solver, verdict))
    }

    /// The game's own solver, with what it remembers from the question before.
    fn own(
        &self,
        solver: &dyn OwnSolver<G>,
        ask: &Ask<'_, G>,
        memory: &mut Memory<G>,
    ) -> Result<Verdict<G::Move>, Error> {
        let kept = match memory.own.take() {
            Some(own) => own,
            None => solver.prepare(self.game, self.question.budget.memory)?,
        };
        let own = &*memory.own.insert(kept);
        let search = |worker| {
            let ask = Ask { worker, ..ask.clone() };
            if !self.lines
                && ask.goal == Goal::Distance
                && let Some(value) = own.value(&ask)?
            {
                let bounds = Bounds::exact(value);
                let status = Status::Solved;
                return Ok(Verdict { bounds, status, best: None, pv: Vec::new(), stats: Stats::default() });
            }
            own.solve(&ask)
        };
        let mut verdict =
            if own.shares() { self.workers(true, search)? } else { self.run_workers(1, true, search)? };
        let (fill, bytes) = own.usage();
        (verdict.stats.table_fill, verdict.stats.memory) = (fill, bytes);
        Ok(verdict)
    }

    /// A search that has no use for more than one worker.
    fn alone(
        &self,
        search: impl Fn() -> Result<Verdict<G::Move>, Contradiction> + Sync,
    ) -> Result<Verdict<G::Move>, Error> {
        self.run_workers(1, true, |_| Ok(search()?))
    }

    fn workers(
        &self,
        lead: bool,
        work: impl Fn(usize) -> Result<Verdict<G::Move>, Error> + Sync,
    ) -> Result<Verdict<G::Move>, Error> {
        self.run_workers(self.question.budget.threads, lead, work)
    }

    fn run_workers(
        &self,
        workers: usize,
        lead: bool,
        work: impl Fn(usize) -> Result<Verdict<G::Move>, Error> + Sync,
    ) -> Result<Verdict<G::Move>, Error> {
        parallel::run(self.monitor, &*self.terms.spawner, workers, lead, &work)
    }
}
