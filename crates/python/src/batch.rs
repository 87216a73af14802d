//! Many positions at once, as columns of numbers.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use ludex::{
    core::{Error, Outcome, Status},
    judge::{Rating, Ratings},
};
use pyo3::{
    prelude::*,
    types::{PyByteArray, PyDict},
};

use crate::{native::NativeGame, watch::watched};

/// What stands for a number that is not known, in every column.
const NONE: i16 = i16::MIN;
/// What stands for an outcome that is not known.
const UNKNOWN: i8 = i8::MIN;

/// Columns of a table, one entry for each position or for each move.
#[derive(Default)]
struct Columns {
    outcome: Vec<u8>,
    plies: Vec<u8>,
    score: Vec<u8>,
}

impl Columns {
    fn push(&mut self, rating: &Rating) {
        let outcome = rating.bounds.outcome().map_or(UNKNOWN, |outcome| match outcome {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => -1,
        });
        let short = |n: Option<i64>| n.and_then(|n| i16::try_from(n).ok()).unwrap_or(NONE).to_le_bytes();
        self.outcome.extend(outcome.to_le_bytes());
        self.plies.extend(short(rating.plies.map(i64::from)));
        self.score.extend(short(rating.score.map(i64::from)));
    }

    fn unknown(&mut self) {
        self.outcome.extend(UNKNOWN.to_le_bytes());
        self.plies.extend(NONE.to_le_bytes());
        self.score.extend(NONE.to_le_bytes());
    }

    fn into_dict<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        columns.set_item("outcome", PyByteArray::new(py, &self.outcome))?;
        columns.set_item("plies", PyByteArray::new(py, &self.plies))?;
        columns.set_item("score", PyByteArray::new(py, &self.score))?;
        Ok(columns)
    }
}

/// Judge every move of every position. The answer is a dictionary of columns: of positions, of moves, where the moves of
/// each position begin, which move each is as a number in a list of words, and what is wrong with which position.
#[pyfunction]
pub(crate) fn analyze_batch<'py>(
    py: Python<'py>,
    native: &NativeGame,
    positions: Vec<String>,
    question: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let question = crate::native::question(question)?;
    let texts: Vec<&str> = positions.iter().map(String::as_str).collect();
    let found: Mutex<Vec<Option<Result<Ratings, Error>>>> = Mutex::new(vec![None; texts.len()]);
    let (terms, cancel) = native.terms();
    let answer = watched(py, &cancel, None, |_| {
        native.game.analyze_all(&texts, &question, &terms, &|i, ratings| {
            found.lock().unwrap_or_else(PoisonError::into_inner)[i] = Some(ratings);
        })
    })?;
    native.said(py, answer)?;
    let (mut of_positions, mut of_moves) = (Columns::default(), Columns::default());
    let (mut starts, mut status, mut codes, mut to_move) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut words, mut numbers): (Vec<String>, HashMap<String, u32>) = Default::default();
    let (mut wrong, mut count) = (Vec::new(), 0_u32);
    starts.extend(count.to_le_bytes());
    for (i, ratings) in found.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().enumerate() {
        match ratings {
            Some(Ok(ratings)) => {
                of_positions.push(&ratings.position);
                status.push(u8::from(ratings.status != Status::Solved));
                to_move.push(ratings.to_move.index() as u8);
                count += ratings.moves.len() as u32;
                for (text, rating) in ratings.moves {
                    of_moves.push(&rating);
                    let number = match numbers.get(&text) {
                        Some(&number) => number,
                        None => {
                            let number = words.len() as u32;
                            words.push(text.clone());
                            numbers.insert(text, number);
                            number
                        }
                    };
                    codes.extend(number.to_le_bytes());
                }
            }
            other => {
                of_positions.unknown();
                status.push(2);
                to_move.push(0);
                if let Some(Err(error)) = other {
                    wrong.push((i, error.code.word(), error.message, error.hint));
                }
            }
        }
        starts.extend(count.to_le_bytes());
    }
    let columns = of_positions.into_dict(py)?;
    columns.set_item("unsolved", PyByteArray::new(py, &status))?;
    columns.set_item("to_move", PyByteArray::new(py, &to_move))?;
    columns.set_item("starts", PyByteArray::new(py, &starts))?;
    columns.set_item("moves", of_moves.into_dict(py)?)?;
    columns.set_item("codes", PyByteArray::new(py, &codes))?;
    columns.set_item("words", words)?;
    columns.set_item("wrong", wrong)?;
    Ok(columns)
}
