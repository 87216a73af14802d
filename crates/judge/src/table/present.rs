//! The tables and books that are at hand.

use std::path::Path;

use ludex_store::tablebase::Tablebase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Registry, answer::Source};

/// A table or book that can answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Present {
    /// The spec of its game.
    pub game: String,
    /// A table of a whole game, or a book of its openings.
    pub kind: Source,
    /// What its values say: `distance` or `wdl`.
    pub goal: String,
    /// How many positions it holds.
    pub positions: u64,
    /// Its size, if it has one of its own.
    pub bytes: Option<u64>,
    /// The name of the file; none for what is part of the program.
    pub file: Option<String>,
    /// Its digest.
    pub digest: Option<String>,
    /// What it holds, for people.
    pub about: String,
}

/// What is part of the program, and the sound tables in a folder, by name. A file that cannot be read, or that lies
/// under another name than the one it is looked for by, answers nothing and is not listed.
#[must_use]
pub fn present(registry: &Registry, folder: Option<&Path>) -> Vec<Present> {
    let mut all = registry.shipped_tables();
    let mut files: Vec<_> = folder
        .and_then(|folder| folder.read_dir().ok())
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "table"))
        .collect();
    files.sort_unstable();
    all.extend(files.iter().filter_map(|path| in_file(path)));
    all
}

fn in_file(path: &Path) -> Option<Present> {
    let table = Tablebase::open(path).ok()?;
    let heading = table.heading();
    let file = path.file_name()?.to_str()?.to_owned();
    (file == super::file_name(&heading.spec)).then(|| of(&table, Some(file)))
}

impl Present {
    /// A table that is part of the program.
    #[must_use]
    pub fn within(table: &Tablebase) -> Self {
        of(table, None)
    }
}

fn of(table: &Tablebase, file: Option<String>) -> Present {
    let heading = table.heading();
    let (kind, about) = match heading.plies {
        Some(plies) => (Source::Book, format!("the first {plies} plies, up to symmetry")),
        None => (Source::Table, format!("the whole game, {} tiers", table.tiers().len())),
    };
    Present {
        game: heading.spec.clone(),
        kind,
        goal: heading.goal.clone(),
        positions: table.entries(),
        bytes: Some(table.bytes()),
        digest: Some(table.digest().to_owned()),
        about,
        file,
    }
}
