//! The rules of a game for people: from the text that its family brings, with every step drawn.
//!
//! The text is the `rules.md` of the game's folder: a title, the goal, and the sections `A move`, `The end` and `Notation`.
//! Each item of `A move` begins with a spec and the moves that lead from its start to what is drawn:
//!
//! ```text
//! - `connect4 4 4 5` Your stone falls to the lowest free cell.
//! ```
//!
//! A family that brings no such text still has the sentence that says what it is.

use ludex_core::{Error, ErrorCode};

use crate::{
    Registry,
    answer::{RuleStep, Rules, RulesKind, VERSION},
};

/// The rules of the game of a spec.
///
/// # Errors
/// If there is no such game, or a step of its rules is no line of play.
pub fn rules(registry: &Registry, spec: &str) -> Result<Rules, Error> {
    let game = registry.open_foreign(spec)?;
    let family = game.family();
    let (goal, sections) = sections(family.rules);
    let section = |name: &str| {
        sections.iter().find(|(title, _)| *title == name).map(|(_, text)| text.trim()).unwrap_or_default()
    };
    let steps = section("A move").lines().filter_map(|line| line.trim().strip_prefix("- `"));
    Ok(Rules {
        kind: RulesKind::Rules,
        version: VERSION,
        game: game.spec(),
        title: title(family.rules).unwrap_or(family.title).to_owned(),
        goal: if goal.is_empty() { family.about.to_owned() } else { goal },
        steps: steps.map(|line| step(registry, line)).collect::<Result<_, _>>()?,
        end: unwrapped(section("The end")),
        notation: unwrapped(section("Notation")),
    })
}

/// The first line, a heading.
fn title(text: &str) -> Option<&str> {
    text.lines().next()?.strip_prefix("# ").map(str::trim)
}

/// The text before the first section, and the sections by their titles.
fn sections(text: &str) -> (String, Vec<(&str, &str)>) {
    let mut parts = text.split("\n## ");
    let goal = parts.next().unwrap_or_default();
    let goal = goal.lines().filter(|line| !line.starts_with("# ")).collect::<Vec<_>>().join("\n");
    (unwrapped(goal.trim()), parts.filter_map(|part| part.split_once('\n')).collect())
}

/// Lines of a paragraph joined; paragraphs stay apart.
fn unwrapped(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|p| p.lines().map(str::trim).collect::<Vec<_>>().join(" "));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

fn step(registry: &Registry, line: &str) -> Result<RuleStep, Error> {
    let (shown, text) = line.split_once('`').ok_or_else(|| {
        let message = format!("'{line}' is no step of rules");
        Error::new(ErrorCode::Internal, message, "- `SPEC MOVES` what happens")
    })?;
    let mut words = shown.split_whitespace();
    let game = registry.open_foreign(words.next().unwrap_or_default())?;
    let mut position = game.start(None)?;
    let mut last = None;
    for word in words {
        let next = game.play(&position, word)?;
        last = Some((std::mem::replace(&mut position, next), word));
    }
    let last = last.as_ref().map(|(before, word)| (before.as_str(), *word));
    Ok(RuleStep {
        text: text.trim().to_owned(),
        svg: game.svg(&position, last, Vec::new())?,
        picture: game.picture(&position)?,
        game: game.spec(),
        position,
    })
}
