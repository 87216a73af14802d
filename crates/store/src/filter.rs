//! Which rows to list or to purge.

use rusqlite::types::Value as Sql;

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

    /// The condition in SQL, with its parameters in order.
    pub(crate) fn condition(&self) -> (String, Vec<Sql>) {
        let (mut terms, mut values) = (vec!["1"], Vec::new());
        let mut term = |sql: &'static str, value: Option<Sql>| {
            if let Some(value) = value {
                terms.push(sql);
                values.push(value);
            }
        };
        let text = |t: &Option<String>| t.clone().map(Sql::Text);
        match &self.game {
            Some(spec) if spec.contains(':') => term("spec = ?", text(&self.game)),
            // ';' is the character after ':', so this is every spec of that name, and the index serves it.
            Some(name) => {
                term("(spec = ?", text(&self.game));
                term("OR (spec >= ?", Some(Sql::Text(format!("{name}:"))));
                term("spec < ?))", Some(Sql::Text(format!("{name};"))));
            }
            None => {}
        }
        term("position = ?", text(&self.position));
        term("version = ?", text(&self.version));
        term("solver = ?", text(&self.solver));
        let listed = |rule: &Option<String>| rule.as_ref().map(|r| Sql::Text(format!(",{r},")));
        term("instr(',' || switches || ',', ?) = 0", listed(&self.with_rule));
        term("instr(',' || switches || ',', ?) > 0", listed(&self.without_rule));
        term("created >= ?", self.since.map(Sql::Integer));
        term("created < ?", self.before.map(Sql::Integer));
        (terms.join(" AND ").replace(" AND OR ", " OR "), values)
    }
}
