//! Errors of the judge as exceptions of the Python package.

use ludex::core::{Error, ErrorCode};
use pyo3::{exceptions::PyRuntimeError, prelude::*};
use serde::Serialize;

/// `ludex.LudexError` with the code, the message and the hint of an error.
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    let made = || {
        let class = py.import("ludex._errors")?.getattr("LudexError")?;
        class.call1((error.code.word(), &error.message, &error.hint))
    };
    made().map_or_else(|failure: PyErr| failure, PyErr::from_value)
}

/// An answer as the JSON of the machine interface.
pub(crate) fn json(answer: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(answer).map_err(|failure| PyRuntimeError::new_err(failure.to_string()))
}

/// An error that no input explains.
pub(crate) fn internal(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::Internal, message, "this is a fault in the program; please report the call")
}
