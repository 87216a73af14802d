//! The values a family's `known.toml` lists.

use ludex_core::Outcome;
use serde::Deserialize;

use crate::registry::Family;

/// How long a value takes to find out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cost {
    /// Tested every time.
    #[default]
    Quick,
    /// Found out by a results command.
    Slow,
}

/// A published or measured value, for the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct KnownValue {
    /// The game.
    pub spec: String,
    /// The position; the start if there is none.
    pub position: Option<String>,
    /// How it ends.
    pub outcome: Outcome,
    /// In how many plies, where that is known.
    pub plies: Option<u32>,
    /// Who says so.
    pub source: String,
    /// What it takes.
    #[serde(default)]
    pub cost: Cost,
    /// Whether it is a case of the bench.
    #[serde(default)]
    pub bench: bool,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    value: Vec<KnownValue>,
}

/// The values a family's `known.toml` lists, in order.
///
/// # Panics
/// If the file is not of that form, which a test rules out.
#[must_use]
pub fn known_values(family: &Family) -> Vec<KnownValue> {
    let file: File =
        toml::from_str(family.known).unwrap_or_else(|e| panic!("known.toml of {}: {e}", family.name));
    file.value
}
