//! What is known before any search: tables, books, the memory of verdicts.

use ludex_core::{Bounds, Error, Game, Key, Notation, Value};
use ludex_store::{Row, key_bytes};

use crate::{
    Terms,
    answer::{SolverName, Source},
    host::Host,
    judging::Task,
};

#[cfg(feature = "files")]
use crate::{
    Question,
    table::{self, Answers},
};

/// A folder of tables, and the game's table in it.
#[cfg(feature = "files")]
pub(crate) type Opened<G> = (std::path::PathBuf, Option<std::sync::Arc<Answers<G>>>);

/// An answer that needed no search.
pub(crate) struct Recalled<M> {
    pub(crate) bounds: Bounds,
    pub(crate) best: Option<M>,
    pub(crate) pv: Vec<M>,
    pub(crate) from: Source,
    /// Who found it out.
    pub(crate) solver: SolverName,
}

/// The key under which the memory keeps a position: the exact one, whatever the goal.
pub(crate) fn store_key<G: Game>(stored: &G, p: &G::Position) -> Vec<u8> {
    key_bytes(stored.key(p).words().as_ref())
}

impl<G: Notation> Host<G> {
    /// An answer without search that meets the goal, and names a move if one is wanted.
    pub(crate) fn known(
        &self,
        task: &Task<'_, G>,
        p: &G::Position,
    ) -> Result<Option<Recalled<G::Move>>, Error> {
        if !task.question.takes_any_source() {
            return Ok(None);
        }
        let goal = task.question.goal;
        let good = |known: &Recalled<G::Move>| {
            goal.met_by(known.bounds) && (task.value_only || known.best.is_some())
        };
        if let Some((bounds, from)) = self.elsewhere(task, p)?
            && goal.met_by(bounds)
        {
            let pv = if task.lines { self.line(task, *p, bounds)? } else { Vec::new() };
            let solver = from.word().into();
            return Ok(Some(Recalled { bounds, best: pv.first().copied(), pv, from, solver }).filter(good));
        }
        Ok(recall(&task.stored, p, task.terms)?.filter(good))
    }

    /// Bounds from a table, or from a book of the game.
    fn elsewhere(&self, task: &Task<'_, G>, p: &G::Position) -> Result<Option<(Bounds, Source)>, Error> {
        #[cfg(feature = "files")]
        if let Some(table) = self.table(task)
            && let Some(value) = table.value(&task.exact, p)?
        {
            let source = if table.is_book() { Source::Book } else { Source::Table };
            return Ok(Some((Bounds::of_value(value), source)));
        }
        Ok(self.study().shipped(&task.exact, p, task.question))
    }

    /// The table or book of the game, opened when it is first asked for. One that cannot be used is as good as none, and
    /// said so.
    #[cfg(feature = "files")]
    fn table(&self, task: &Task<'_, G>) -> Option<std::sync::Arc<Answers<G>>> {
        let Question { tables, book, .. } = *task.question;
        let folder = task.terms.tables.as_ref().filter(|_| tables || book)?;
        let mut kept = self.table.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if kept.as_ref().is_none_or(|(path, _)| path != folder) {
            let file = folder.join(table::file_name(&task.exact.spec()));
            let open = || Answers::open(&task.exact, self.study(), &file);
            let unused = |error: Error| task.monitor.warn(error.at("a table was not used"));
            let answers = file.is_file().then(open).and_then(|opened| opened.map_err(unused).ok());
            *kept = Some((folder.clone(), answers.map(std::sync::Arc::new)));
        }
        let wanted = |a: &std::sync::Arc<Answers<G>>| if a.is_book() { book } else { tables };
        kept.as_ref().and_then(|(_, answers)| answers.clone()).filter(wanted)
    }

    /// A line of best play through a table or book, as far as it goes.
    fn line(&self, task: &Task<'_, G>, start: G::Position, bounds: Bounds) -> Result<Vec<G::Move>, Error> {
        let game = self.game();
        let (mut p, mut value) = (start, bounds);
        let mut line = Vec::new();
        while game.outcome(&p).is_none() {
            let mut next = None;
            for m in self.sorted_moves(&p) {
                let child = game.play(&p, m);
                let known = match game.outcome(&child) {
                    Some(outcome) => Some(Bounds::exact(Value::ended(outcome))),
                    None => match self.elsewhere(task, &child)? {
                        Some((bounds, _)) => Some(bounds),
                        None => self.study().afterwards(&task.exact, &child),
                    },
                };
                if let Some(known) = known
                    && known.back(game.side(&p) != game.side(&child)).lo >= value.lo
                {
                    next = Some((m, child, known));
                    break;
                }
            }
            let Some((m, child, known)) = next else { break };
            line.push(m);
            (p, value) = (child, known);
        }
        Ok(line)
    }
}

/// What the memory knows of a position, with its moves turned to fit this very position.
pub(crate) fn recall<G: Notation>(
    stored: &G,
    p: &G::Position,
    terms: &Terms,
) -> Result<Option<Recalled<G::Move>>, Error> {
    let Some(memory) = &terms.memory else { return Ok(None) };
    let Some(row) = memory.get(&stored.spec(), &store_key(stored, p))? else { return Ok(None) };
    let pv = turned(stored, p, &row);
    let (best, solver) = (pv.first().copied(), row.solver.into());
    Ok(Some(Recalled { bounds: row.bounds, best, pv, from: Source::Cache, solver }))
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
