//! Tables of whole games: building, probing and verifying them.

use std::path::PathBuf;

use ludex::judge::table::{Order, Verifying};
use pyo3::{exceptions::PyValueError, prelude::*};
use serde_json::json;

use crate::{failure::json, native::NativeGame, watch::watched};

/// Solve every position of the game and write them to a file.
#[pyfunction]
pub(crate) fn build_table(
    py: Python<'_>,
    native: &NativeGame,
    out: PathBuf,
    goal: &str,
    memory: u64,
    threads: usize,
) -> PyResult<String> {
    let goal = goal.parse().map_err(|error: ludex::core::Error| PyValueError::new_err(error.message))?;
    if let Some(fault) = &native.fault {
        fault.explore(py)?;
    }
    let (terms, cancel) = native.terms();
    let built = watched(py, &cancel, None, |_| {
        let order = Order { out: &out, goal, memory, threads, by_key: false, terms: &terms };
        native.game.tables().build(&order, &|_| ())
    })?;
    let built = native.said(py, built)?;
    json(&json!({
        "file": out, "numbering": built.numbering, "tiers": built.tiers, "positions": built.positions,
        "bytes": built.bytes, "digest": built.digest, "seconds": built.time.as_secs_f64(),
    }))
}

/// What a table file says of a position.
#[pyfunction]
pub(crate) fn probe_table(
    py: Python<'_>,
    native: &NativeGame,
    file: PathBuf,
    position: &str,
) -> PyResult<String> {
    json(&native.at_once(py, |game| game.tables().probe(&file, Some(position)))?)
}

/// Derive the values of a table file again, all of them or those of a sample.
#[pyfunction]
pub(crate) fn verify_table(
    py: Python<'_>,
    native: &NativeGame,
    file: PathBuf,
    memory: u64,
    sample: Option<u64>,
) -> PyResult<String> {
    let (_, cancel) = native.terms();
    let verified = watched(py, &cancel, None, |_| {
        let how = Verifying { sample, ..Verifying::whole(memory, &cancel) };
        native.game.tables().verify(&file, &how)
    })?;
    let verified = native.said(py, verified)?;
    json(&json!({"checked": verified.checked, "positions": verified.positions, "wrong": verified.wrong}))
}
