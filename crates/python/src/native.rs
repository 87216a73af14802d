//! A game for Python: texts in, texts and JSON out.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::Arc,
};

use ludex::{
    core::{Error, Mark},
    judge::{self, AnyGame, Cancel, Count, Limits, Question, Store, Terms},
};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use serde_json::json;

use crate::{
    failure::{internal, json, raised},
    own::{self, Fault},
    registry,
    watch::watched,
};

/// How far a move is thought through where nothing is certain of it.
const GUESS: Limits = Limits { depth: 40, breadth: 48 };

/// What is to be seen of a position at a glance: its text, the side to move, how it has ended for that side, why, and how
/// many plies there can still be.
type Glance = (String, &'static str, Option<&'static str>, Option<String>, u32);

/// A game, of the standard list or written in Python.
#[pyclass(frozen, module = "ludex._ludex")]
pub(crate) struct NativeGame {
    pub(crate) game: Box<dyn AnyGame>,
    /// What a game written in Python has raised.
    pub(crate) fault: Option<Arc<Fault>>,
    terms: Terms,
}

impl NativeGame {
    /// Terms with a flag of their own, and the flag.
    pub(crate) fn terms(&self) -> (Terms, Cancel) {
        let cancel = Cancel::new();
        (self.terms.clone().until(&cancel), cancel)
    }

    /// An answer, or the exception that an error is: the one that a game written in Python has raised, if it has.
    pub(crate) fn said<T>(&self, py: Python<'_>, answer: Result<T, Error>) -> PyResult<T> {
        answer
            .map_err(|error| self.fault.as_ref().and_then(|f| f.take()).unwrap_or_else(|| raised(py, &error)))
    }

    /// Something quick, done at once.
    pub(crate) fn at_once<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&dyn AnyGame) -> Result<T, Error>,
    ) -> PyResult<T> {
        let done = catch_unwind(AssertUnwindSafe(|| work(&*self.game)));
        self.said(py, done.unwrap_or_else(|_| Err(internal("the rules of the game panicked"))))
    }

    /// Something that may take long.
    fn asked<T: Send>(
        &self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        work: impl FnOnce(&dyn AnyGame, &Terms) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let (mut terms, cancel) = self.terms();
        let answer = watched(py, &cancel, progress, |reporter| {
            terms.progress = reporter;
            work(&*self.game, &terms)
        })?;
        self.said(py, answer)
    }
}

/// A question as the Python package writes it.
pub(crate) fn question(text: &str) -> PyResult<Question> {
    serde_json::from_str(text).map_err(|failure| PyValueError::new_err(failure.to_string()))
}

#[pymethods]
impl NativeGame {
    /// The game of a spec. `db` is the file of a database of verdicts, `tables` the folder of tables.
    #[new]
    #[pyo3(signature = (spec, db = None, tables = None))]
    fn new(py: Python<'_>, spec: &str, db: Option<PathBuf>, tables: Option<PathBuf>) -> PyResult<Self> {
        let game = registry().open(spec).map_err(|error| raised(py, &error))?;
        let mut terms = Terms { tables, ..Terms::default() };
        if let Some(path) = db {
            let store = Store::open(&path).map_err(|error| raised(py, &error.into()))?;
            terms.memory = Some(Arc::new(store));
        }
        Ok(Self { game, fault: None, terms })
    }

    /// The game whose rules are the methods of a Python object. The object is not kept alive.
    #[staticmethod]
    #[pyo3(signature = (rules, spec, title, tables = None))]
    fn own(rules: &Bound<'_, PyAny>, spec: String, title: String, tables: Option<PathBuf>) -> PyResult<Self> {
        let (game, fault) = own::host(rules, spec, title)?;
        Ok(Self { game, fault: Some(fault), terms: Terms { tables, ..Terms::default() } })
    }

    fn spec(&self) -> String {
        self.game.spec()
    }

    fn title(&self) -> String {
        self.game.title()
    }

    fn family(&self) -> &'static str {
        self.game.family().name
    }

    fn about(&self) -> &'static str {
        self.game.family().about
    }

    fn side_names(&self) -> [&'static str; 2] {
        self.game.side_names()
    }

    fn solvers(&self) -> Vec<&'static str> {
        self.game.solvers()
    }

    /// The rules that can be switched off, each with what it is.
    fn switches(&self) -> Vec<(&'static str, &'static str)> {
        self.game.switches().iter().map(|switch| (switch.name, switch.what)).collect()
    }

    fn usual_goal(&self) -> &'static str {
        self.game.usual_goal().word()
    }

    /// The rows of cells of the board, by their names, where it has some.
    fn cells(&self) -> Option<Vec<Vec<String>>> {
        self.game.layout().map(|layout| layout.rows)
    }

    #[pyo3(signature = (seed = None))]
    fn start(&self, py: Python<'_>, seed: Option<u64>) -> PyResult<String> {
        self.at_once(py, |game| game.start(seed))
    }

    fn state(&self, py: Python<'_>, position: &str) -> PyResult<Glance> {
        let state = self.at_once(py, |game| game.state(position))?;
        let over = state.over.map(ludex::core::Outcome::word);
        Ok((state.position, state.to_move.word(), over, state.why, state.max_plies))
    }

    fn moves(&self, py: Python<'_>, position: &str) -> PyResult<Vec<String>> {
        let view = self.at_once(py, |game| game.view(position))?;
        Ok(view.moves.into_iter().map(|m| m.text).collect())
    }

    /// The cells to click for each of the legal moves.
    fn clicks(&self, py: Python<'_>, position: &str) -> PyResult<Vec<(String, Vec<String>)>> {
        let view = self.at_once(py, |game| game.view(position))?;
        Ok(view.moves.into_iter().map(|m| (m.text, m.clicks)).collect())
    }

    #[pyo3(name = "play")]
    fn after(&self, py: Python<'_>, position: &str, r#move: &str) -> PyResult<String> {
        self.at_once(py, |game| game.play(position, r#move))
    }

    fn picture(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        self.at_once(py, |game| game.picture(position))
    }

    /// The board as SVG; `last` is the position before and the move from it, `marks` are a cell, a text and a class each.
    #[pyo3(signature = (position, last = None, marks = Vec::new()))]
    fn svg(
        &self,
        py: Python<'_>,
        position: &str,
        last: Option<(String, String)>,
        marks: Vec<(String, String, String)>,
    ) -> PyResult<String> {
        let marks = marks.into_iter().map(|(cell, text, class)| Mark { cell, text, class }).collect();
        let last = last.as_ref().map(|(before, m)| (before.as_str(), m.as_str()));
        self.at_once(py, |game| game.svg(position, last, marks))
    }

    /// What is worth knowing about a position, as JSON.
    fn facts(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        json(&self.at_once(py, |game| game.facts(position))?)
    }

    /// Count what can be reached in 0, 1, … plies: `sequences`, `positions` or `canonical`.
    fn count(&self, py: Python<'_>, position: &str, depth: u32, what: &str) -> PyResult<Vec<u64>> {
        let what = match what {
            "sequences" => Count::Sequences,
            "positions" => Count::Positions,
            "canonical" => Count::Canonical,
            _ => {
                return Err(PyValueError::new_err(
                    "what is counted is 'sequences', 'positions' or 'canonical'",
                ));
            }
        };
        self.asked(py, None, |game, _| game.count(position, depth, what))
    }

    #[pyo3(signature = (question, progress = None))]
    fn solve(&self, py: Python<'_>, question: &str, progress: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let question = self::question(question)?;
        json(&self.asked(py, progress, |game, terms| game.solve(&question, terms))?)
    }

    #[pyo3(signature = (question, progress = None))]
    fn analyze(
        &self,
        py: Python<'_>,
        question: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let question = self::question(question)?;
        json(&self.asked(py, progress, |game, terms| game.analyze(&question, terms))?)
    }

    #[pyo3(signature = (question, progress = None))]
    fn explain(
        &self,
        py: Python<'_>,
        question: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let question = self::question(question)?;
        json(&self.asked(py, progress, |game, terms| game.explain(&question, terms))?)
    }

    /// A move to play: exact where the limits allow, otherwise the one that looks best.
    #[pyo3(signature = (question, progress = None))]
    fn choose(
        &self,
        py: Python<'_>,
        question: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let question = self::question(question)?;
        let chosen = self.asked(py, progress, |game, terms| judge::choose(game, &question, terms, GUESS))?;
        json(&json!({"best": chosen.best, "verdict": chosen.verdict, "thought": chosen.thought}))
    }

    fn puzzle(&self, py: Python<'_>, question: &str, seed: u64, plies: Option<u32>) -> PyResult<String> {
        let question = self::question(question)?;
        json(&self.asked(py, None, |game, terms| game.puzzle(&question, terms, seed, plies))?)
    }

    fn review(&self, py: Python<'_>, start: &str, moves: Vec<String>, question: &str) -> PyResult<String> {
        let question = self::question(question)?;
        json(&self.asked(py, None, |game, terms| judge::review(game, start, &moves, &question, terms))?)
    }

    /// What every opening is worth, and where that comes from, as JSON.
    fn openings(&self, py: Python<'_>) -> PyResult<String> {
        let (openings, from) = self.asked(py, None, |game, terms| game.openings(terms))?;
        json(&json!({"openings": openings, "from": from}))
    }

    /// How large the game is, as JSON.
    fn complexity(&self, py: Python<'_>, samples: u64, seed: u64, exact: u64) -> PyResult<String> {
        json(&self.asked(py, None, |game, _| game.complexity(samples, seed, exact))?)
    }

    /// A certificate of what a position is worth.
    fn prove<'py>(&self, py: Python<'py>, question: &str, effort: u32) -> PyResult<Bound<'py, PyBytes>> {
        let question = self::question(question)?;
        let file = self.asked(py, None, |game, terms| game.prove(&question, &[], effort, terms))?;
        Ok(PyBytes::new(py, &file))
    }
}
