//! The tables and books that are at hand.

use std::path::Path;

use ludex_games::collapsi::{Classes, Collapsi};
use ludex_store::tablebase::Tablebase;
use serde::Serialize;

use crate::connect4::book;

/// A table or book that can answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Present {
    /// The spec of its game.
    pub game: String,
    /// `table` or `book`.
    pub kind: &'static str,
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
pub fn present(folder: Option<&Path>) -> Vec<Present> {
    let mut all = embedded();
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

fn of(table: &Tablebase, file: Option<String>) -> Present {
    let heading = table.heading();
    let (kind, about) = match heading.plies {
        Some(plies) => ("book", format!("the first {plies} plies, up to symmetry")),
        None => ("table", format!("the whole game, {} tiers", table.tiers().len())),
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

fn embedded() -> Vec<Present> {
    let deals = Present {
        game: ludex_core::Notation::spec(&Collapsi::new(4, false)),
        kind: "table",
        goal: "distance".into(),
        positions: Classes::of(4).count() as u64,
        bytes: None,
        file: None,
        digest: None,
        about: "every deal, up to symmetry".into(),
    };
    vec![of(book::standard().table(), None), deals]
}
