//! Tables of whole games and opening books: building, probing, verifying and reading them.

use std::path::PathBuf;

use ludex::judge::table::{BookOrder, Exported, Order, Verifying, count};
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

/// Solve every position of the first plies and write them to a file.
#[pyfunction]
pub(crate) fn build_book(
    py: Python<'_>,
    native: &NativeGame,
    out: PathBuf,
    plies: u32,
    memory: u64,
    threads: usize,
) -> PyResult<String> {
    if let Some(fault) = &native.fault {
        fault.explore(py)?;
    }
    let (terms, cancel) = native.terms();
    let built = watched(py, &cancel, None, |_| {
        let order = BookOrder {
            plies,
            file: &out,
            memory,
            threads,
            terms: &terms,
            progress: &|_, _| (),
            elsewhere: None,
        };
        count(&native.game.tables().build_book(&order)?)
    })?;
    let built = native.said(py, built)?;
    json(&json!({
        "file": out, "plies": plies, "positions": built.positions, "bytes": built.bytes, "digest": built.digest,
    }))
}

/// A position of a file, the side to move, its outcome and plies.
type Row = (String, &'static str, String, Option<u32>);

/// Every position of a table or book with its value, or the first so many.
#[pyfunction]
pub(crate) fn table_rows(
    py: Python<'_>,
    native: &NativeGame,
    file: PathBuf,
    limit: Option<usize>,
) -> PyResult<Vec<Row>> {
    let (_, cancel) = native.terms();
    let read = watched(py, &cancel, None, |_| {
        let mut rows = Vec::new();
        let most = limit.unwrap_or(usize::MAX);
        if most == 0 {
            return Ok(rows);
        }
        native.game.tables().export(&file, &cancel, &mut |Exported { position, to_move, value }| {
            rows.push((position, to_move.word(), value.outcome().to_string(), value.plies()));
            rows.len() < most
        })?;
        Ok(rows)
    })?;
    native.said(py, read)
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
