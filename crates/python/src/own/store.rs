//! The positions of a game written in Python, each with what the rules said of it.
//!
//! No lock is held while Python runs: whoever waits for a lock may hold the interpreter that the other one waits for.
//! Two threads may therefore ask the rules the same thing at once; the first answer stays.

use std::{
    fmt,
    sync::{
        Arc, OnceLock, PoisonError, RwLock,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};

use ludex::core::{Outcome, Side};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyDict, PyInt, PyWeakrefReference},
};

use super::{Fault, LONGEST, Number};

/// The bit that tells keys that were numbered here from keys that are numbers of the rules' own.
const NUMBERED: u128 = 1 << 127;
/// Keys below this are taken as they are.
const OWN_KEYS: u32 = 126;

/// A position.
pub(crate) struct Node {
    pub(crate) object: Py<PyAny>,
    /// Moves made since the start.
    pub(crate) ply: u32,
    pub(crate) side: Side,
    pub(crate) outcome: Option<Outcome>,
    /// The position before it and the move from there, on the way it was first reached.
    pub(crate) parent: Option<(Number, u32)>,
    key: OnceLock<u128>,
    moves: OnceLock<Arc<[Choice]>>,
}

/// A legal move.
pub(crate) struct Choice {
    object: Py<PyAny>,
    pub(crate) text: String,
    child: OnceLock<Number>,
}

/// All positions seen so far.
pub(crate) struct Store {
    /// The object whose methods are the rules. It owns the game, so that the game must not own it.
    rules: Py<PyWeakrefReference>,
    pub(crate) spec: String,
    pub(crate) title: String,
    fault: Arc<Fault>,
    nodes: RwLock<Vec<Arc<Node>>>,
    /// From an object and its ply to its number, where objects can be hashed.
    numbers: Py<PyDict>,
    /// From keys that are no numbers to the numbers that stand for them.
    keys: Py<PyDict>,
    next_key: AtomicU32,
    /// The longest line of play from the start, once the whole game has been seen.
    longest: OnceLock<u32>,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Store({})", self.spec)
    }
}

impl Store {
    pub(super) fn new(
        rules: &Bound<'_, PyAny>,
        spec: String,
        title: String,
        fault: Arc<Fault>,
    ) -> PyResult<Self> {
        let py = rules.py();
        let store = Self {
            rules: PyWeakrefReference::new(rules)?.unbind(),
            spec,
            title,
            fault,
            nodes: RwLock::default(),
            numbers: PyDict::new(py).unbind(),
            keys: PyDict::new(py).unbind(),
            next_key: AtomicU32::new(0),
            longest: OnceLock::new(),
        };
        let start = rules.call_method0("start")?;
        store.add(rules, start, 0, None)?;
        Ok(store)
    }

    /// Ask the rules something. What they raise ends the search.
    fn asked<T>(&self, question: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> T {
        Python::attach(|py| {
            let rules = self.rules.bind(py).upgrade();
            let gone = || PyValueError::new_err("the object with the rules of this game is gone");
            rules.ok_or_else(gone).and_then(|rules| question(&rules))
        })
        .unwrap_or_else(|error| self.fault.leave(error))
    }

    /// Ask a method of the rules that may have nothing to say.
    pub(crate) fn optional<T>(
        &self,
        method: &str,
        p: Number,
        read: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> Option<T> {
        let node = self.node(p);
        self.asked(|rules| {
            let said = rules.call_method1(method, (node.object.bind(rules.py()),))?;
            if said.is_none() { Ok(None) } else { read(&said).map(Some) }
        })
    }

    pub(crate) fn node(&self, p: Number) -> Arc<Node> {
        let nodes = self.nodes.read().unwrap_or_else(PoisonError::into_inner);
        nodes[p as usize].clone()
    }

    /// Take in a position, unless it is known.
    fn add(
        &self,
        rules: &Bound<'_, PyAny>,
        object: Bound<'_, PyAny>,
        ply: u32,
        parent: Option<(Number, u32)>,
    ) -> PyResult<Number> {
        let py = rules.py();
        let numbers = self.numbers.bind(py);
        // Objects that cannot be hashed are never the same: slower, and as right.
        let known = numbers.get_item((&object, ply));
        if let Ok(Some(number)) = &known {
            return number.extract();
        }
        if ply > LONGEST {
            let message = format!(
                "a line of play of {} is longer than {LONGEST} plies: every move has to bring the end nearer",
                self.spec
            );
            return Err(PyValueError::new_err(message));
        }
        let outcome = outcome(&rules.call_method1("outcome", (&object,))?)?;
        let told = side(&rules.call_method1("side", (&object,))?)?;
        let side = told.unwrap_or([Side::First, Side::Second][ply as usize % 2]);
        let node = Node {
            object: object.clone().unbind(),
            ply,
            side,
            outcome,
            parent,
            key: OnceLock::new(),
            moves: OnceLock::new(),
        };
        let number = {
            let mut nodes = self.nodes.write().unwrap_or_else(PoisonError::into_inner);
            let number =
                u32::try_from(nodes.len()).map_err(|_| PyValueError::new_err("too many positions"))?;
            nodes.push(Arc::new(node));
            number
        };
        if known.is_ok() {
            numbers.set_item((&object, ply), number)?;
        }
        Ok(number)
    }

    /// The legal moves of a position.
    pub(crate) fn moves(&self, p: Number) -> Arc<[Choice]> {
        let node = self.node(p);
        if let Some(moves) = node.moves.get() {
            return moves.clone();
        }
        let moves = if node.outcome.is_some() {
            Arc::from([])
        } else {
            self.asked(|rules| self.ask_moves(rules, &node))
        };
        node.moves.get_or_init(|| moves).clone()
    }

    fn ask_moves(&self, rules: &Bound<'_, PyAny>, node: &Node) -> PyResult<Arc<[Choice]>> {
        let py = rules.py();
        let position = node.object.bind(py);
        let mut choices: Vec<Choice> = Vec::new();
        for m in rules.call_method1("moves", (position,))?.try_iter()? {
            let m = m?;
            let text: String = rules.call_method1("move_text", (position, &m))?.extract()?;
            if text.trim() != text || text.is_empty() || text.contains(',') {
                let message = format!(
                    "move_text gives {text:?} for {m}: a move's text has no comma, no space around it, and is not empty"
                );
                return Err(PyValueError::new_err(message));
            }
            if choices.iter().any(|other| other.text == text) {
                let message =
                    format!("two moves of {position} have the same text {text:?}; is one in the list twice?");
                return Err(PyValueError::new_err(message));
            }
            choices.push(Choice { object: m.unbind(), text, child: OnceLock::new() });
        }
        if choices.is_empty() {
            let message = format!("moves({position}) is empty, though outcome says that the game goes on");
            return Err(PyValueError::new_err(message));
        }
        Ok(choices.into())
    }

    /// The position after a move.
    pub(crate) fn child(&self, p: Number, m: u32) -> Number {
        let moves = self.moves(p);
        let choice = &moves[m as usize];
        if let Some(&child) = choice.child.get() {
            return child;
        }
        let node = self.node(p);
        let child = self.asked(|rules| {
            let py = rules.py();
            let after = rules.call_method1("play", (node.object.bind(py), choice.object.bind(py)))?;
            if after.is_none() {
                return Err(PyTypeError::new_err(
                    "play returns None: it must return the position after the move",
                ));
            }
            self.add(rules, after, node.ply + 1, Some((p, m)))
        });
        *choice.child.get_or_init(|| child)
    }

    /// The key of a position and its side to move.
    pub(crate) fn key(&self, p: Number) -> u128 {
        let node = self.node(p);
        if let Some(&key) = node.key.get() {
            return key;
        }
        let key = self.asked(|rules| {
            let py = rules.py();
            let said = rules.call_method1("key", (node.object.bind(py),))?;
            if let Ok(number) = said.cast::<PyInt>()
                && let Ok(number) = number.extract::<u128>()
                && number >> OWN_KEYS == 0
            {
                return Ok(number);
            }
            let keys = self.keys.bind(py);
            if let Some(number) = keys.get_item(&said)? {
                return number.extract();
            }
            let number = NUMBERED | u128::from(self.next_key.fetch_add(1, Relaxed));
            // Another thread may have been quicker while this one asked.
            keys.call_method1("setdefault", (said, number))?.extract()
        });
        let sided = (key & NUMBERED) | (key & !NUMBERED) << 1 | node.side.index() as u128;
        *node.key.get_or_init(|| sided)
    }

    /// Plies that can still be played, at most.
    pub(crate) fn plies_left(&self, p: Number) -> u32 {
        let ply = self.node(p).ply;
        self.longest.get().map_or(LONGEST, |&longest| longest).saturating_sub(ply).max(1)
    }

    /// Whether keys are the rules' own numbers, the same in every run, as far as they have been seen.
    fn lasting_keys(&self) -> bool {
        self.next_key.load(Relaxed) == 0
    }

    /// See every position of the game, its moves and its key; how many there are.
    pub(super) fn explore(&self, py: Python<'_>) -> PyResult<u64> {
        let explored = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let (mut next, mut longest) = (0, 0);
            loop {
                let seen = self.nodes.read().unwrap_or_else(PoisonError::into_inner).len();
                while (next as usize) < seen {
                    let moves = self.moves(next).len() as u32;
                    self.key(next);
                    longest = longest.max(self.node(next).ply);
                    for m in 0..moves {
                        self.child(next, m);
                    }
                    next += 1;
                    if next % 1024 == 0 {
                        py.check_signals()?;
                    }
                }
                if self.nodes.read().unwrap_or_else(PoisonError::into_inner).len() == seen {
                    return Ok::<_, PyErr>((u64::from(next), longest));
                }
            }
        }));
        let (positions, longest) = match explored {
            Ok(explored) => explored?,
            Err(_) => {
                return Err(self.fault.take().unwrap_or_else(|| PyValueError::new_err("the rules failed")));
            }
        };
        if !self.lasting_keys() {
            return Err(PyValueError::new_err(
                "a table needs keys that are the same in every run: key has to return whole numbers below 2**126",
            ));
        }
        self.longest.get_or_init(|| longest);
        Ok(positions)
    }
}

/// How the rules say that a game has ended.
fn outcome(said: &Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
    if said.is_none() {
        return Ok(None);
    }
    match said.extract::<String>().as_deref() {
        Ok("win") => Ok(Some(Outcome::Win)),
        Ok("draw") => Ok(Some(Outcome::Draw)),
        Ok("loss") => Ok(Some(Outcome::Loss)),
        _ => Err(PyValueError::new_err(format!(
            "outcome returns {}: it must return None while the game goes on, and at its end \"win\", \"draw\" or \"loss\" \
             for the side to move",
            said.repr()?
        ))),
    }
}

/// How the rules say whose turn it is; nothing where the sides simply take turns.
fn side(said: &Bound<'_, PyAny>) -> PyResult<Option<Side>> {
    if said.is_none() {
        return Ok(None);
    }
    match said.extract::<String>().as_deref() {
        Ok("first") => Ok(Some(Side::First)),
        Ok("second") => Ok(Some(Side::Second)),
        _ => Err(PyValueError::new_err(format!(
            "side returns {}: it must return \"first\" or \"second\"",
            said.repr()?
        ))),
    }
}
