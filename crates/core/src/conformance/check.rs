//! The whole kit in one call.

use std::{collections::HashSet, fmt};

use super::{
    Minimax, check_look, drawings, every_position,
    play::{Played, walk},
    random_play, spoilt_texts,
};
use crate::{Game, Goal, Notation, Playable, Rng, Spec};

/// Random games that are played.
const GAMES: u64 = 40;

/// Games with no more positions are gone through to the last.
const SMALL: usize = 20_000;

/// Late positions are those from which no more can be reached.
const LATE: usize = 2_000;

/// What a game was found to be, and what it still lacks. Print it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "it says what is missing"]
pub struct Passed {
    /// The game.
    pub spec: String,
    /// What was played.
    pub played: Played,
    /// How many positions the whole game has, where it is small enough to go through all.
    pub whole: Option<usize>,
    /// What would make it better, a sentence each.
    pub missing: Vec<String>,
}

impl fmt::Display for Passed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Played { positions, decided, drawn } = self.played;
        write!(f, "{}: {positions} positions of {} games checked", self.spec, decided + drawn)?;
        if let Some(whole) = self.whole {
            write!(f, ", and all {whole} positions of the whole game")?;
        }
        for missing in &self.missing {
            write!(f, "\nmissing: {missing}")?;
        }
        Ok(())
    }
}

/// Everything the kit can check of a game: its fast rules against its naive ones, its notation, keys and drawings, and
/// on every position of a small game, or on late positions of a large one, that what it says without search is true.
///
/// # Panics
/// At the first fault, naming the position and what is wrong with it.
pub fn check<G: Playable>(game: &G) -> Passed {
    let (mut passed, odd) = without(game);
    passed.played = random_play(game, |seed| start(game, seed), GAMES);
    if !odd.is_empty() {
        // What can be set up must play by both rules too.
        random_play(game, |seed| odd[seed as usize], odd.len().min(GAMES as usize) as u64);
    }
    passed
}

/// What can be checked of a game without a naive twin.
///
/// # Panics
/// At the first fault, naming the position and what is wrong with it.
pub fn check_without_reference<G: Notation>(game: &G) -> Passed {
    let (mut passed, _) = without(game);
    passed.missing.insert(
        0,
        "a naive `Reference` (then `impl Playable`, and call `check`): nothing here can tell whether the rules are right"
            .into(),
    );
    passed
}

/// The part that needs no naive rules, and the positions that spoilt texts were read as.
fn without<G: Notation>(game: &G) -> (Passed, Vec<G::Position>) {
    let spec = game.spec();
    match spec.parse::<Spec>() {
        Ok(read) => assert_eq!(read.to_string(), spec, "the spec (right) is not written as it is read"),
        Err(e) => panic!("the spec '{spec}' cannot be read: {e} ({})", e.hint),
    }
    assert!(!game.title().trim().is_empty(), "{spec} has no title");
    for (side, name) in game.side_names().into_iter().enumerate() {
        assert_eq!(
            game.parse_side(name).map(|s| s.index()),
            Ok(side),
            "the name '{name}' means the other side"
        );
    }
    let (mut odd, mut reasons, mut seen) = (Vec::new(), true, 0u64);
    let played = walk(
        game,
        |seed| start(game, seed),
        GAMES,
        |p, _| {
            let over = game.outcome(p).is_some();
            reasons &= !over || game.why(p).is_some();
            // Drawings take long: the start, now and then a position, and the end of some games.
            seen += 1;
            if seen == 1 || seen.is_multiple_of(37) || over && seen.is_multiple_of(5) {
                drawings(game, p);
                odd.extend(spoilt_texts(game, p, seen));
            }
        },
    );
    if !game.nature().draws {
        assert_eq!(played.drawn, 0, "{spec}: `nature` says that there are no draws, but there was one");
    }
    let first = start(game, 0);
    let all = reachable(game, &first, SMALL);
    if let Some(all) = &all
        && game.root().is_some()
        && !game.sets_up_freely()
    {
        for p in &odd {
            assert!(
                all.contains(p),
                "'{}' can be read, but no line of play leads to it: refuse it, or say that boards are set up freely \
                 (`sets_up_freely`)",
                game.position_text(p)
            );
        }
    }
    let whole = match &all {
        Some(_) => Some(every_position(game, &first)),
        None => {
            late_look(game);
            None
        }
    };
    let mut missing = Vec::new();
    let mut lacks = |lacks: bool, what: &str| {
        if lacks {
            missing.push(what.to_owned());
        }
    };
    lacks(!reasons, "`why`: a sentence that says why the game is over");
    lacks(game.layout().is_none(), "`grid` or `layout`: boards cannot be set up by clicking");
    lacks(game.side_names() == ["First", "Second"], "`side_names`: what the sides are called");
    let plain = game.images(&first).len() == 1;
    lacks(plain, "`key` and `images` that disregard symmetries: a search would meet fewer positions");
    (Passed { spec, played, whole, missing }, odd)
}

/// Check what is said without search on late positions of random games, as early as minimax can go through the rest.
fn late_look<G: Notation>(game: &G) {
    for seed in 0..10 {
        let mut rng = Rng::new(seed);
        let mut p = start(game, seed);
        while game.outcome(&p).is_none() {
            if reachable(game, &p, LATE).is_some() {
                let mut minimax = Minimax::new();
                for goal in [Goal::Wdl, Goal::Distance] {
                    check_look(&game.clone().for_goal(goal), goal, &p, &mut minimax);
                }
                break;
            }
            let Some(&m) = rng.pick(&game.moves(&p)) else { break };
            p = game.play(&p, m);
        }
    }
}

fn start<G: Notation>(game: &G, seed: u64) -> G::Position {
    let Some(p) = game.deal(seed) else {
        panic!("{} has no fixed start: `deal` has to make one from a seed", game.spec())
    };
    p
}

/// All positions that can be reached, unless there are more than `most`.
fn reachable<G: Game>(game: &G, start: &G::Position, most: usize) -> Option<HashSet<G::Position>> {
    let mut seen: HashSet<G::Position> = [*start].into();
    let mut open = vec![*start];
    while let Some(p) = open.pop() {
        for m in game.moves(&p) {
            let next = game.play(&p, m);
            if seen.insert(next) {
                open.push(next);
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(seen)
}
