//! Games written in Python.
//!
//! The searches want positions that are copied freely, and Python's are objects: a position is a number here, and
//! `Store` keeps the object behind it together with everything that was asked of it. Each question to the rules is put
//! once; after that the position costs no more than one of any other game.
//!
//! A game cannot report an error in the middle of a search. What its methods raise is kept, and the search is left by
//! unwinding, which the judge takes for a panic of a worker: nothing is concluded from it, and the caller raises what was
//! kept.
mod notation;
mod store;

use std::sync::{Arc, Mutex, PoisonError};

use ludex::{
    core::{Family, Game, Key, Nature, Outcome, Side},
    judge::{AnyGame, host as hosted},
};
use pyo3::prelude::*;

pub(crate) use store::Store;

/// What is known of games written in Python in general.
static FAMILY: Family = Family {
    name: "python",
    title: "A game written in Python",
    about: "The rules are the methods of a Python class.",
    usage: "a subclass of ludex.OwnGame",
    ..Family::NEW
};

/// The longest line of play that a value can tell.
pub(crate) const LONGEST: u32 = ludex::core::Value::MAX_PLIES;

/// What the rules have raised, until it is raised again where Python called.
#[derive(Debug)]
pub(crate) struct Fault {
    raised: Mutex<Option<PyErr>>,
    store: std::sync::OnceLock<std::sync::Weak<Store>>,
}

impl Fault {
    /// What was raised, once.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Keep what was raised, and leave the search.
    fn leave(&self, error: PyErr) -> ! {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        std::panic::resume_unwind(Box::new("the rules of the game raised an exception"))
    }

    /// Go through the whole game, so that nothing is left to ask the rules; how many positions it has.
    pub(crate) fn explore(&self, py: Python<'_>) -> PyResult<u64> {
        match self.store.get().and_then(std::sync::Weak::upgrade) {
            Some(store) => store.explore(py),
            None => Ok(0),
        }
    }
}

/// A game written in Python.
#[derive(Clone, Debug)]
pub(crate) struct OwnGame(Arc<Store>);

/// A position by its number in the store.
pub(crate) type Number = u32;

/// Host the game whose rules are the methods of an object.
pub(crate) fn host(
    rules: &Bound<'_, PyAny>,
    spec: String,
    title: String,
) -> PyResult<(Box<dyn AnyGame>, Arc<Fault>)> {
    let fault = Arc::new(Fault { raised: Mutex::new(None), store: std::sync::OnceLock::new() });
    let store = Arc::new(Store::new(rules, spec, title, fault.clone())?);
    drop(fault.store.set(Arc::downgrade(&store)));
    Ok((hosted(OwnGame(store), &FAMILY), fault))
}

/// The exact key: what the rules say it is, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct OwnKey(pub(crate) u128);

impl Key for OwnKey {
    type Words = [u64; 2];
    const WORDS: usize = 2;

    fn words(self) -> [u64; 2] {
        self.0.words()
    }
}

impl Game for OwnGame {
    type Position = Number;
    type Move = u32;
    type Key = OwnKey;

    const ALTERNATES: bool = false;

    fn root(&self) -> Option<Number> {
        Some(0)
    }

    fn side(&self, &p: &Number) -> Side {
        self.0.node(p).side
    }

    fn outcome(&self, &p: &Number) -> Option<Outcome> {
        self.0.node(p).outcome
    }

    fn each_move(&self, &p: &Number, f: impl FnMut(u32)) {
        (0..self.0.moves(p).len() as u32).for_each(f);
    }

    fn play(&self, &p: &Number, m: u32) -> Number {
        self.0.child(p, m)
    }

    fn rank(&self, &p: &Number) -> u32 {
        self.0.node(p).ply
    }

    fn max_plies(&self, &p: &Number) -> u32 {
        self.0.plies_left(p)
    }

    fn key(&self, &p: &Number) -> OwnKey {
        OwnKey(self.0.key(p))
    }

    fn nature(&self) -> Nature {
        Nature::default()
    }
}
