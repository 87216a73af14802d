//! The own solver as the judge runs it: for any shape of board, on any number of threads.

use std::any::Any;

use ludex_core::{Game, Verdict};
use ludex_games::connect4::{Column, Connect4, Shape, Sized, Standard};
use ludex_search::{Ask, table::Table};

use super::{driver, memory::Packed};
use crate::{job::Job, parallel, watch::Watch};

/// The solver's name.
pub(crate) const NAME: &str = "connect4";

/// Whether a game is Connect Four.
pub(crate) fn plays<G: Game>(game: &G) -> bool {
    let game: &dyn Any = game;
    game.is::<Connect4<Standard>>() || game.is::<Connect4<Sized<u64>>>() || game.is::<Connect4<Sized<u128>>>()
}

/// Answer with the own solver if the game is Connect Four. `memory` keeps its table.
pub(crate) fn run<G: Game>(
    ask: &Ask<'_, G>,
    job: &Job,
    watch: &Watch,
    memory: &mut Option<Box<dyn Any + Send>>,
) -> Option<Verdict<G::Move>> {
    let verdict = run_on::<G, Standard>(ask, job, watch, memory)
        .or_else(|| run_on::<G, Sized<u64>>(ask, job, watch, memory))
        .or_else(|| run_on::<G, Sized<u128>>(ask, job, watch, memory))?;
    let verdict: Box<dyn Any> = Box::new(verdict);
    verdict.downcast().ok().map(|verdict| *verdict)
}

/// Entries of one word where they fit, the house's table otherwise.
enum Memory<S: Shape> {
    Packed(Packed),
    Wide(Table<S::Word>),
}

fn run_on<G: Game, S: Shape>(
    ask: &Ask<'_, G>,
    job: &Job,
    watch: &Watch,
    memory: &mut Option<Box<dyn Any + Send>>,
) -> Option<Verdict<Column>>
where
    Packed: RecallOr<S>,
{
    let game = (ask.game as &dyn Any).downcast_ref::<Connect4<S>>()?;
    let position = *(&ask.position as &dyn Any).downcast_ref()?;
    let ask = Ask { game, position, goal: ask.goal, probe: ask.probe, worker: 0 };
    if !memory.as_ref().is_some_and(|m| m.is::<Memory<S>>()) {
        let (bytes, bits) = (job.budget.memory, game.key_bits());
        let packed = if bits <= 64 { Packed::new(bytes, bits) } else { None };
        *memory = Some(Box::new(match packed {
            Some(packed) => Memory::<S>::Packed(packed),
            None => Memory::Wide(Table::new(bytes, bits)),
        }));
    }
    let (threads, memory) = (job.budget.threads, memory.as_ref()?.downcast_ref::<Memory<S>>()?);
    let mut verdict = parallel::run(watch, threads, true, |worker| {
        let ask = Ask { worker, ..ask.clone() };
        match memory {
            Memory::Packed(packed) => packed.solve(&ask),
            Memory::Wide(table) => driver::solve(&ask, table),
        }
    });
    (verdict.stats.table_fill, verdict.stats.memory) = match memory {
        Memory::Packed(packed) => (packed.fill(), packed.bytes()),
        Memory::Wide(table) => (table.fill(), table.bytes()),
    };
    Some(verdict)
}

/// Packed entries serve the boards whose keys are one word.
trait RecallOr<S: Shape> {
    fn solve(&self, ask: &Ask<'_, Connect4<S>>) -> Verdict<Column>;
}

impl RecallOr<Standard> for Packed {
    fn solve(&self, ask: &Ask<'_, Connect4<Standard>>) -> Verdict<Column> {
        driver::solve(ask, self)
    }
}

impl RecallOr<Sized<u64>> for Packed {
    fn solve(&self, ask: &Ask<'_, Connect4<Sized<u64>>>) -> Verdict<Column> {
        driver::solve(ask, self)
    }
}

impl RecallOr<Sized<u128>> for Packed {
    fn solve(&self, _: &Ask<'_, Connect4<Sized<u128>>>) -> Verdict<Column> {
        unreachable!("keys of two words never get packed entries")
    }
}
