//! Games and positions as the page needs them: the board as SVG, every legal move with the clicks that make it, the words.
//!
//! Nothing here knows a game; everything goes through the judge's façade.

use ludex_core::{Cancel, Rng};
use ludex_judge::{AnyGame, Error, Fact, Registry, answer::VERSION};

use crate::{
    engine,
    objects::{self, End, Example, Game, GameKind, Games, GamesKind, Level, Position, PositionKind, Rule},
    part::Part,
};

/// Which position of which game: a position text (or the start, or a deal), and moves played from it.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// The game's spec.
    pub game: String,
    /// A position text; the game's start if there is none, or an empty one.
    pub position: Option<String>,
    /// Moves played from there.
    pub play: Vec<String>,
    /// A deal, for games that begin with one.
    pub seed: Option<u64>,
}

impl Location {
    /// The position text, unless it is left out or empty.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.position.as_deref().filter(|text| !text.is_empty())
    }
}

/// What a location names.
pub struct Found {
    /// The game.
    pub game: Box<dyn AnyGame>,
    /// The position that the moves started from.
    pub start: String,
    /// The position before the last move and that move.
    pub last: Option<(String, String)>,
    /// The position.
    pub position: String,
}

/// Find a location. A spec that came with a request opens no file.
///
/// # Errors
/// If the spec, the position or a move is wrong.
pub fn find(registry: &Registry, location: &Location) -> Result<Found, Error> {
    let game = registry.open_foreign(&location.game)?;
    let start = match location.text() {
        Some(text) => game.view_part(text, 0..0)?.0.position,
        None => game
            .start(location.seed)
            .map_err(|e| Error { hint: "give a position, or seed=N for a deal".into(), ..e })?,
    };
    let (mut position, mut last) = (start.clone(), None);
    for (i, text) in location.play.iter().enumerate() {
        let next =
            game.play(&position, text).map_err(|e| e.at(format_args!("move {} of the list", i + 1)))?;
        last = Some((std::mem::replace(&mut position, next), text.clone()));
    }
    Ok(Found { game, start, last, position })
}

impl Found {
    /// The position with all that is needed to show it, and a part of its moves.
    ///
    /// # Errors
    /// None, unless the game contradicts itself.
    pub fn show(self, part: Part) -> Result<Position, Error> {
        let Found { game, start, last, position } = self;
        let (seen, total_moves) = game.view_part(&position, part.range())?;
        let mut facts = game.facts(&position)?;
        if seen.over.is_none() {
            facts.extend(heuristics(game.as_ref(), &position)?);
        }
        let led_here = last.as_ref().map(|(before, text)| (before.as_str(), text.as_str()));
        Ok(Position {
            kind: PositionKind::Position,
            version: VERSION,
            game: game.spec(),
            title: game.title(),
            start,
            to_move: seen.to_move,
            sides: game.side_names().map(str::to_owned),
            colours: game.side_colours().map(str::to_owned),
            over: seen.over.map(|outcome| End {
                winner: outcome.winner(seen.to_move),
                why: seen.why,
                said: seen.said,
            }),
            moves: seen.moves,
            total_moves,
            facts,
            svg: game.svg(&position, led_here, Vec::new())?,
            picture: game.picture(&position)?,
            last: last.map(|(_, text)| text),
            position,
        })
    }

    /// Random moves that do not end the game: `plies` of them, or any number; fewer if `cancel` is raised.
    ///
    /// # Errors
    /// None, unless the game contradicts itself.
    pub fn wander(&self, plies: Option<u32>, seed: u64, cancel: &Cancel) -> Result<Vec<String>, Error> {
        let (game, mut position) = (&self.game, self.position.clone());
        let mut rng = Rng::new(seed);
        let (seen, mut total) = game.view_part(&position, 0..0)?;
        let plies = plies.unwrap_or_else(|| rng.below(seen.max_plies as usize + 1) as u32);
        let mut played = Vec::new();
        while (played.len() as u32) < plies && !cancel.is_cancelled() {
            // Stop before the end: a finished game is no position to think about. Begin anywhere in the list.
            let first = if total == 0 { 0 } else { rng.below(total) };
            let mut open = None;
            for i in (first..total).chain(0..first) {
                let Some(m) = game.view_part(&position, i..i + 1)?.0.moves.pop() else { continue };
                let next = game.play(&position, &m.text)?;
                let (after, moves) = game.view_part(&next, 0..0)?;
                if after.over.is_none() {
                    open = Some((m.text, next, moves));
                    break;
                }
            }
            let Some((text, next, moves)) = open else { break };
            played.push(text);
            (position, total) = (next, moves);
        }
        Ok(played)
    }
}

/// What the game's opponent sees in a position, part by part, where it tells of more than one number. An opinion, never a
/// verdict.
fn heuristics(game: &dyn AnyGame, position: &str) -> Result<Vec<Fact>, Error> {
    let seen = game.evaluate(position)?;
    if seen.terms.len() < 2 {
        return Ok(Vec::new());
    }
    let fact = |name: String, value: i32| {
        let value = if value == 0 { "0".into() } else { format!("{value:+}") };
        Fact { name, value, cells: Vec::new(), said: None }
    };
    let whose = game.side_names()[seen.to_move.index()];
    let mut facts = vec![fact(format!("Heuristic score for {whose}"), seen.score)];
    facts.extend(seen.terms.iter().map(|part| fact(format!("… {}", part.name), part.value)));
    Ok(facts)
}

/// What a game is.
///
/// # Errors
/// If there is no such game.
pub fn about(registry: &Registry, spec: &str) -> Result<Game, Error> {
    let game = registry.open_foreign(spec)?;
    let family = game.family();
    let rule = |name: &str, what: &str| Rule { name: name.into(), what: what.into() };
    Ok(Game {
        kind: GameKind::Game,
        version: VERSION,
        game: game.spec(),
        name: family.name.into(),
        title: game.title(),
        about: family.about.into(),
        usage: family.usage.into(),
        sides: game.side_names().map(str::to_owned),
        colours: game.side_colours().map(str::to_owned),
        start: game.start(None).ok(),
        draws: game.draws(),
        switches: game.switches().iter().map(|s| rule(s.name, s.what)).collect(),
        levels: engine::levels()
            .map(|l| Level { name: l.name.into(), title: l.title.into(), what: l.what.into() })
            .collect(),
        layout: game.layout(),
    })
}

/// All games, with the specs to offer.
#[must_use]
pub fn families(registry: &Registry) -> Games {
    let example = |spec: &str| match registry.open(spec) {
        Ok(game) => Example { game: game.spec(), title: game.title(), deal: game.start(None).is_err() },
        Err(_) => Example { game: spec.into(), title: spec.into(), deal: false },
    };
    let family = |f: &ludex_core::Family| objects::Family {
        name: f.name.into(),
        title: f.title.into(),
        about: f.about.into(),
        usage: f.usage.into(),
        for_newcomers: f.for_newcomers,
        examples: f.examples.iter().map(|spec| example(spec)).collect(),
    };
    Games { kind: GamesKind::Games, version: VERSION, games: registry.families().map(family).collect() }
}
