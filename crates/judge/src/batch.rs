//! Many positions at once: what every move of each is worth, as numbers, without lines of play and without words.
//!
//! Where tables and books answer, a line of best play takes longer than everything else, and whoever asks about a thousand
//! positions reads none of them. Each position has the limits of the question to itself; the workers share the positions,
//! and each of them searches alone. Where the number of nodes is limited, every position begins with an empty table, so that
//! what is found of it does not depend on who searched it, nor after what.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
};

use ludex_core::{
    Bounds, Error, ErrorCode, Goal, MIN_MEMORY, Notation, Outcome, Side, Status, Value, sort_by,
};

use crate::{
    Question, Terms,
    host::{Held, Host},
    monitor::Monitor,
    solvers::Memory,
};

/// A value in numbers: how it ends, how soon, and the score, as far as they are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rating {
    /// What is certain.
    pub bounds: Bounds,
    /// Plies to the end, if they were asked for and are known.
    pub plies: Option<u32>,
    /// The score by the game's convention, where it has one.
    pub score: Option<i32>,
}

/// A position and its moves in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ratings {
    /// Who is to move.
    pub to_move: Side,
    /// Whether the question is answered, or why not.
    pub status: Status,
    /// What the position is worth to the side to move.
    pub position: Rating,
    /// Every legal move and what it is worth to the side that makes it, smallest first.
    pub moves: Vec<(String, Rating)>,
}

/// Told what was found about a position, by its place in the list.
pub type Told<'a> = &'a (dyn Fn(usize, Result<Ratings, Error>) + Sync);

impl<G: Notation> Host<G> {
    /// Judge every move of every position. A position that is none is told as its error, and the others go on.
    pub(crate) fn batch(
        &self,
        positions: &[&str],
        question: &Question,
        terms: &Terms,
        told: Told<'_>,
    ) -> Result<(), Error> {
        let workers = question.budget.threads.clamp(1, positions.len().max(1));
        let mut each = question.clone();
        (each.position, each.budget.threads) = (None, 1);
        if workers > 1 {
            each.budget.memory = (question.budget.memory / workers as u64).max(MIN_MEMORY);
        }
        self.task(question, terms, &Monitor::new(&question.budget, terms))?;
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let fault: Mutex<Option<Error>> = Mutex::new(None);
        let work = |worker: usize| {
            let mut memory = if worker == 0 { self.memory() } else { Held::Own(Box::new(Memory::new())) };
            while !failed.load(Relaxed) && !terms.cancel.is_cancelled() {
                let i = next.fetch_add(1, Relaxed);
                let Some(text) = positions.get(i) else { break };
                match self.ratings(text, &each, terms, &mut memory) {
                    // Two certain things exclude each other: nothing that any worker says may be believed.
                    Err(error) if matches!(error.code, ErrorCode::Contradiction | ErrorCode::Internal) => {
                        *fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                        failed.store(true, Relaxed);
                    }
                    found => told(i, found),
                }
            }
        };
        terms.spawner.run(workers, &work).map_err(|said| {
            Error::new(ErrorCode::Internal, format!("a worker panicked: {said}"), "please report the call")
        })?;
        fault.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    fn ratings(
        &self,
        text: &str,
        question: &Question,
        terms: &Terms,
        memory: &mut Memory<G>,
    ) -> Result<Ratings, Error> {
        let game = self.game();
        let p = game.parse_position(text)?;
        let monitor = Monitor::new(&question.budget, terms);
        let task = self.task(question, terms, &monitor)?.for_numbers();
        let mut empty = Memory::new();
        let memory = if question.budget.nodes.is_some() { &mut empty } else { memory };
        let rated = self.rate_with(&task, &p, Some(memory))?;
        let bounds = match game.outcome(&p) {
            Some(outcome) => Bounds::exact(Value::ended(outcome)),
            None => rated.bounds,
        };
        let asked = question.goal != Goal::Wdl;
        let rating = |bounds: Bounds| {
            let exact =
                bounds.value().or_else(|| (bounds.outcome() == Some(Outcome::Draw)).then_some(Value::DRAW));
            Rating {
                bounds,
                plies: bounds.value().and_then(Value::plies).filter(|_| asked),
                score: exact.filter(|v| asked || *v == Value::DRAW).and_then(|v| game.score(&p, v)),
            }
        };
        let unknown = rated.unknown.iter().map(|&m| (m, Bounds::ALL));
        let mut moves: Vec<_> =
            rated.moves.iter().map(|&(bounds, m, _)| (m, bounds)).chain(unknown).collect();
        sort_by(&mut moves, |(m, _), (n, _)| m.cmp(n));
        Ok(Ratings {
            to_move: game.side(&p),
            status: rated.status,
            position: rating(bounds),
            moves: moves.into_iter().map(|(m, bounds)| (game.move_text(&p, m), rating(bounds))).collect(),
        })
    }
}
