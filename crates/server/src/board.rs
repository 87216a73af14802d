//! A position as the page needs it: the board as SVG, every legal move with the clicks that make it, the words.
//!
//! Nothing here knows a game; everything goes through the judge's façade.

use ludex_arena::opinion::opinion;
use ludex_core::Rng;
use ludex_judge::{AnyGame, FAMILIES, Family, Goal, InputError, Layout, MoveView, Outcome, Spec};
use serde::Serialize;
use serde_json::{Value, json};

use crate::levels::LEVELS;

/// Where on the board: a position text (or the start, or a deal), and moves played from it.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The game's spec.
    pub game: String,
    /// A position text; the game's start if there is none.
    pub position: Option<String>,
    /// Moves played from there.
    pub play: Vec<String>,
    /// A deal, for games that begin with one.
    pub seed: Option<u64>,
}

/// The end of a game.
#[derive(Clone, Debug, Serialize)]
pub struct EndView {
    /// `first`, `second`, or nobody.
    pub winner: Option<&'static str>,
    /// The reason, in a sentence.
    pub why: Option<String>,
}

/// A position with all that is needed to show it and go on from it.
#[derive(Clone, Debug, Serialize)]
pub struct PositionView {
    #[serde(rename = "type")]
    kind: &'static str,
    version: u32,
    /// The canonical spec.
    pub game: String,
    /// The game's name.
    pub title: String,
    /// The position that `play` started from.
    pub start: String,
    /// The position.
    pub position: String,
    /// `first` or `second`.
    pub to_move: &'static str,
    /// What the sides are called.
    pub sides: [&'static str; 2],
    /// The last move played.
    pub last: Option<String>,
    /// The end, if this is one.
    pub over: Option<EndView>,
    /// The legal moves.
    pub moves: Vec<MoveView>,
    /// What else is worth knowing.
    pub facts: Value,
    /// The board as SVG.
    pub svg: String,
    /// The board as text.
    pub picture: String,
    /// What is asked of its moves where nobody says: `wdl` or `distance`.
    #[serde(skip)]
    pub goal: &'static str,
}

/// Make the game of a spec that came with a request. Some families read the file that their spec names; a request may
/// name none: only the examples of such a family, and texts known by their digest.
///
/// # Errors
/// If there is no such game, or the spec names a file.
pub fn open(spec: &str) -> Result<Box<dyn AnyGame>, InputError> {
    let parsed: Spec = spec.parse()?;
    let reads_files = |f: &&&Family| f.name == parsed.name && f.usage.contains("FILE");
    if let Some(family) = FAMILIES.iter().find(reads_files) {
        let harmless = parsed.rest.is_empty()
            || parsed.rest.starts_with("sha256=")
            || family.examples.contains(&parsed.to_string().as_str());
        if !harmless {
            let hint = format!("here there are {}", family.examples.join(", "));
            return Err(InputError::spec(format!("a server opens no file for '{}'", parsed.name), hint));
        }
    }
    ludex_judge::open(spec)
}

/// A place found: the start, the position before the last move, the position.
struct Found {
    game: Box<dyn AnyGame>,
    start: String,
    before: Option<String>,
    position: String,
}

fn find(place: &Place) -> Result<Found, InputError> {
    let game = open(&place.game)?;
    let start = match &place.position {
        Some(text) => game.view(text)?.position,
        None => game
            .start(place.seed)
            .map_err(|e| InputError { hint: "give a position, or seed=N for a deal".into(), ..e })?,
    };
    let (mut position, mut before) = (start.clone(), None);
    for (i, text) in place.play.iter().enumerate() {
        let next = game.play(&position, text).map_err(|mut e| {
            e.message = format!("move {} of the list: {}", i + 1, e.message);
            e
        })?;
        before = Some(std::mem::replace(&mut position, next));
    }
    Ok(Found { game, start, before, position })
}

/// The view of a place.
///
/// # Errors
/// If the spec, the position or a move is wrong.
pub fn view(place: &Place) -> Result<PositionView, InputError> {
    let Found { game, start, before, position } = find(place)?;
    let seen = game.view(&position)?;
    let last = place.play.last().cloned();
    let led_here = before.as_deref().zip(last.as_deref());
    let winner = seen.over.and_then(|outcome| match outcome {
        Outcome::Win => Some(seen.to_move),
        Outcome::Loss => Some(seen.to_move.other()),
        Outcome::Draw => None,
    });
    let mut facts = game.facts(&position)?;
    facts.extend(opinion(game.as_ref(), &position)?);
    Ok(PositionView {
        kind: "position",
        version: 1,
        game: game.spec(),
        title: game.title(),
        start,
        to_move: seen.to_move.word(),
        sides: game.side_names(),
        over: seen.over.map(|_| EndView { winner: winner.map(|s| s.word()), why: seen.why }),
        moves: if seen.over.is_some() { Vec::new() } else { seen.moves },
        facts: facts.iter().map(|f| json!({"name": f.name, "value": f.value, "cells": f.cells})).collect(),
        svg: game.svg(&position, led_here, Vec::new())?,
        picture: game.picture(&position)?,
        goal: if game.usual_goal() == Goal::Wdl { "wdl" } else { "distance" },
        position,
        last,
    })
}

/// What a game is.
///
/// # Errors
/// If there is no such game.
pub fn about(spec: &str) -> Result<Value, InputError> {
    let game = open(spec)?;
    let family = game.family();
    let layout = game.layout().map(|Layout { rows, symbols }| {
        let symbols: Vec<_> = symbols.iter().map(|(s, what)| json!({"symbol": s, "what": what})).collect();
        json!({"rows": rows, "symbols": symbols})
    });
    Ok(json!({
        "type": "game",
        "version": 1,
        "game": game.spec(),
        "name": family.name,
        "title": game.title(),
        "about": family.about,
        "usage": family.usage,
        "sides": game.side_names(),
        "start": game.start(None).ok(),
        "draws": game.draws(),
        "switches": game.switches().iter().map(|s| json!({"name": s.name, "what": s.what})).collect::<Vec<_>>(),
        "levels": LEVELS.iter().map(|l| json!({"name": l.name, "title": l.title, "what": l.what})).collect::<Vec<_>>(),
        "layout": layout,
    }))
}

/// All games, with the specs to offer.
#[must_use]
pub fn families() -> Value {
    let title = |spec: &str| match open(spec) {
        Ok(game) => json!({"game": game.spec(), "title": game.title(), "deal": game.start(None).is_err()}),
        Err(_) => json!({"game": spec, "title": spec, "deal": false}),
    };
    let games: Vec<_> = FAMILIES
        .iter()
        .map(|f| {
            json!({
                "name": f.name,
                "title": f.title,
                "about": f.about,
                "usage": f.usage,
                "examples": f.examples.iter().map(|s| title(s)).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({"type": "games", "version": 1, "games": games})
}

/// Random moves from a place that do not end the game: `plies` of them, or any number.
///
/// # Errors
/// If the spec, the position or a move is wrong.
pub fn wander(place: &Place, plies: Option<u32>, seed: u64) -> Result<Vec<String>, InputError> {
    let Found { game, mut position, .. } = find(place)?;
    let mut rng = Rng::new(seed);
    let mut seen = game.view(&position)?;
    let plies = plies.unwrap_or_else(|| rng.below(seen.max_plies as usize + 1) as u32);
    let mut played = Vec::new();
    while (played.len() as u32) < plies && seen.over.is_none() {
        rng.shuffle(&mut seen.moves);
        // Stop before the end: a finished game is no position to think about.
        let mut open = None;
        for m in &seen.moves {
            let next = game.play(&position, &m.text)?;
            let after = game.view(&next)?;
            if after.over.is_none() {
                open = Some((m.text.clone(), next, after));
                break;
            }
        }
        let Some((text, next, after)) = open else { break };
        played.push(text);
        (position, seen) = (next, after);
    }
    Ok(played)
}
