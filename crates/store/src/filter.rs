//! Which rows to list or to purge.

/// Conditions that all have to hold; the default is every row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// A spec (`mnk:4,4,4`), or a game's name for all its specs (`mnk`).
    pub game: Option<String>,
    /// A position text.
    pub position: Option<String>,
    /// The version of the program.
    pub version: Option<String>,
    /// The search.
    pub solver: Option<String>,
    /// A rule that was in use (it is not among those switched off): what to purge when it is found wrong.
    pub with_rule: Option<String>,
    /// A rule that was switched off.
    pub without_rule: Option<String>,
    /// Made at this time or later, in seconds since 1970.
    pub since: Option<i64>,
    /// Made before this time.
    pub before: Option<i64>,
    /// List no more than this many. A purge takes no heed of it.
    pub limit: Option<u64>,
}

impl Filter {
    /// The rows of a game or a spec.
    #[must_use]
    pub fn game(game: &str) -> Self {
        Self { game: Some(game.to_owned()), ..Self::default() }
    }
}
