//! A [`Filter`] in SQL.

use rusqlite::types::Value as Sql;

use crate::Filter;

/// Terms that all have to hold, and the values of their parameters in order.
#[derive(Default)]
struct Condition {
    terms: Vec<&'static str>,
    values: Vec<Sql>,
}

impl Condition {
    fn add<const N: usize>(&mut self, term: &'static str, values: [Sql; N]) {
        self.terms.push(term);
        self.values.extend(values);
    }

    fn text(&mut self, term: &'static str, text: Option<&str>) {
        if let Some(text) = text {
            self.add(term, [Sql::Text(text.to_owned())]);
        }
    }

    /// A term about one name in the list of rules that were off.
    fn rule(&mut self, term: &'static str, rule: Option<&str>) {
        self.text(term, rule.map(|rule| format!(",{rule},")).as_deref());
    }

    fn number(&mut self, term: &'static str, number: Option<i64>) {
        if let Some(number) = number {
            self.add(term, [Sql::Integer(number)]);
        }
    }
}

/// What comes after `WHERE`, with its parameters in order. Nothing that a user wrote is part of the text.
pub(super) fn condition(filter: &Filter) -> (String, Vec<Sql>) {
    let mut all = Condition::default();
    match &filter.game {
        Some(spec) if spec.contains(':') => all.text("spec = ?", Some(spec)),
        // ';' is the character after ':', so this is every spec of that name, and the index serves it.
        Some(name) => all.add(
            "(spec = ? OR (spec >= ? AND spec < ?))",
            [name.clone(), format!("{name}:"), format!("{name};")].map(Sql::Text),
        ),
        None => {}
    }
    all.text("position = ?", filter.position.as_deref());
    all.text("version = ?", filter.version.as_deref());
    all.text("solver = ?", filter.solver.as_deref());
    all.rule("instr(',' || switches || ',', ?) = 0", filter.with_rule.as_deref());
    all.rule("instr(',' || switches || ',', ?) > 0", filter.without_rule.as_deref());
    all.number("created >= ?", filter.since);
    all.number("created < ?", filter.before);
    let text = if all.terms.is_empty() { "TRUE".to_owned() } else { all.terms.join(" AND ") };
    (text, all.values)
}
