//! The extension module `ludex._ludex`: the judge for Python.
//!
//! It is thin. Texts come in, typed answers go out as the JSON of the machine interface, and the Python package makes
//! its classes of them. What cannot be written in Python is here: a search that leaves the interpreter free and can be
//! interrupted (`watch`), many positions at once (`batch`), and games written in Python (`own`).
#![forbid(unsafe_code)]

mod batch;
mod failure;
mod native;
mod own;
mod table;
mod watch;

use std::sync::OnceLock;

use ludex::prelude::{Registry, Standard as _};
use pyo3::{prelude::*, types::PyDict};

use crate::{failure::raised, native::NativeGame};

/// All games of the project, listed once.
pub(crate) fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(Registry::standard)
}

/// The families of games, each with its name, title, a sentence about it, the form of its specs, and examples.
#[pyfunction]
fn families(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let about = |family: &ludex::core::Family| {
        let entry = PyDict::new(py);
        entry.set_item("name", family.name)?;
        entry.set_item("title", family.title)?;
        entry.set_item("about", family.about)?;
        entry.set_item("usage", family.usage)?;
        entry.set_item("examples", family.examples)?;
        Ok(entry)
    };
    registry().families().map(about).collect()
}

/// The rules of a game for people, as JSON.
#[pyfunction]
fn rules(py: Python<'_>, spec: &str) -> PyResult<String> {
    let rules = ludex::judge::rules(registry(), spec).map_err(|error| raised(py, &error))?;
    failure::json(&rules)
}

/// The tables and books at hand, as JSON: those in the program, and those in a folder.
#[pyfunction]
#[pyo3(signature = (folder = None))]
fn tables(folder: Option<std::path::PathBuf>) -> PyResult<String> {
    failure::json(&ludex::judge::table::present(registry(), folder.as_deref()))
}

/// The judge of games, for Python.
#[pymodule(gil_used = true)]
fn _ludex(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<NativeGame>()?;
    module.add_function(wrap_pyfunction!(families, module)?)?;
    module.add_function(wrap_pyfunction!(rules, module)?)?;
    module.add_function(wrap_pyfunction!(tables, module)?)?;
    module.add_function(wrap_pyfunction!(batch::analyze_batch, module)?)?;
    module.add_function(wrap_pyfunction!(table::build_table, module)?)?;
    module.add_function(wrap_pyfunction!(table::build_book, module)?)?;
    module.add_function(wrap_pyfunction!(table::table_rows, module)?)?;
    module.add_function(wrap_pyfunction!(table::probe_table, module)?)?;
    module.add_function(wrap_pyfunction!(table::verify_table, module)?)
}
