//! The way to the judge: what it may use to answer, and the games that stay warm between questions.

use std::{path::PathBuf, sync::Arc};

use ludex_judge::{
    AnyGame, Cancel, Error, ErrorCode, Memory, Question, Registry, Terms,
    table::{Present, present},
};

use crate::{
    Config,
    warm::{Lent, Warm},
};

/// A question about a game, its limits already cut down to what the server allows.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// The canonical spec.
    pub game: String,
    /// What is asked of it.
    pub question: Question,
    /// Whether the memory of a longer search before it will do as well, if that lies ready.
    pub any_memory: bool,
}

/// What questions are answered with.
#[derive(Debug)]
pub struct Judge {
    /// The games there are.
    pub registry: Registry,
    memory: Option<Arc<dyn Memory>>,
    tables: Option<PathBuf>,
    warm: Warm,
}

impl Judge {
    /// With these games, settings and remembered verdicts.
    #[must_use]
    pub fn new(registry: Registry, config: &Config, memory: Option<Arc<dyn Memory>>) -> Self {
        Self { registry, memory, tables: config.tables.clone(), warm: Warm::new(config.warm) }
    }

    /// The tables and books that are present.
    #[must_use]
    pub fn tables(&self) -> Vec<Present> {
        present(&self.registry, self.tables.as_deref())
    }

    /// The verdicts and the tables, until `cancel` is raised.
    #[must_use]
    pub fn terms(&self, cancel: &Cancel) -> Terms {
        Terms { memory: self.memory.clone(), tables: self.tables.clone(), ..Terms::default().until(cancel) }
    }

    /// Ask a verb of the judge: `ask(&inquiry, terms, |game, question, terms| game.analyze(question, terms))`. Blocks until
    /// there is an answer, the limits are reached, or the terms are cancelled.
    ///
    /// # Errors
    /// If the question is wrong. A database that fails is no reason not to answer.
    pub fn ask<T>(
        &self,
        inquiry: &Inquiry,
        mut terms: Terms,
        verb: impl Fn(&dyn AnyGame, &Question, &Terms) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut question = inquiry.question.clone();
        // Who names a search or leaves out a rule wants to see just that at work, from the beginning.
        let warm = question.takes_any_source();
        let purpose = (inquiry.game.clone(), question.goal);
        let memory = (!inquiry.any_memory).then_some(question.budget.memory);
        let known = if warm { self.warm.take(&purpose, memory) } else { None };
        let lent = match known {
            Some(lent) => lent,
            None => Lent {
                game: self.registry.open_foreign(&inquiry.game)?,
                purpose,
                memory: question.budget.memory,
            },
        };
        question.budget.memory = lent.memory;
        let mut answer = verb(lent.game.as_ref(), &question, &terms);
        if let Err(fault) = &answer
            && fault.code == ErrorCode::BadDatabase
            && terms.memory.take().is_some()
        {
            eprintln!("ludex: {fault} ({})", fault.hint);
            answer = verb(lent.game.as_ref(), &question, &terms);
        }
        if warm {
            self.warm.give(lent);
        }
        answer
    }
}
