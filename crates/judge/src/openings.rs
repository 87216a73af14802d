//! What every opening of a game is worth, by classes under symmetry.

use std::collections::BTreeMap;

use ludex_core::{Bounds, Budget, Error, ErrorCode, Goal, Notation, Value, order_of, sort_by};
use ludex_search::{
    Ask,
    retrograde::{Plan, key_bytes, solve_all, value_of},
    table::Table,
};

use crate::{
    Study, Terms,
    answer::{Opening, OpeningKind, Source},
    monitor::Monitor,
    words,
};

/// Games with more numbered positions than this are not solved on the spot, nor others whose search takes more nodes.
const ON_THE_SPOT: u64 = 20_000_000;

/// The memory of a search on the spot.
const MEMORY: u64 = 64 << 20;

/// Every opening of a game, best first, from its table in a folder, or solved on the spot if it is small. `game` is one
/// made for the distance.
pub(crate) fn of<G: Notation>(
    game: &G,
    study: &dyn Study<G>,
    terms: &Terms,
) -> Result<(Vec<Opening>, Source), Error> {
    let root = game.root().ok_or_else(|| Error::spec("this game has no fixed start", "name a deal"))?;
    let (values, source) = match from_table(game, study, &root, terms)? {
        Some(values) => (values, Source::Table),
        None => (on_the_spot(game, study, &root, terms)?, Source::Search),
    };
    // By the bytes of the key after the move, so that one map serves all games.
    let mut classes: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
    for (i, &(m, _)) in values.iter().enumerate() {
        classes.entry(key_bytes(game.key(&game.play(&root, m)), game.key_bits())).or_default().push(i);
    }
    let mut classes: Vec<Vec<usize>> = classes.into_values().collect();
    for class in &mut classes {
        sort_by(class, |&a, &b| values[a].0.cmp(&values[b].0));
    }
    let best_first = order_of(classes.len(), &|a, b| {
        let (x, y) = (&values[classes[a][0]], &values[classes[b][0]]);
        y.1.cmp(&x.1).then(x.0.cmp(&y.0))
    });
    let opening = |class: &Vec<usize>| Opening {
        kind: OpeningKind::Opening,
        game: game.spec(),
        moves: class.iter().map(|&i| game.move_text(&root, values[i].0)).collect(),
        value: values[class[0]].1,
    };
    Ok((best_first.iter().map(|&i| opening(&classes[i as usize])).collect(), source))
}

type Values<G> = Vec<(<G as ludex_core::Game>::Move, Value)>;

#[cfg(feature = "files")]
fn from_table<G: Notation>(
    game: &G,
    study: &dyn Study<G>,
    root: &G::Position,
    terms: &Terms,
) -> Result<Option<Values<G>>, Error> {
    use crate::table::{Answers, file_name};

    let file = terms.tables.as_ref().map(|folder| folder.join(file_name(&game.spec())));
    let Some(file) = file.filter(|file| file.is_file()) else { return Ok(None) };
    let moves = Answers::open(game, study, &file)?.moves(game, study, root)?;
    Ok(Some(moves.unwrap_or_default().into_iter().map(|m| (m.m, m.value)).collect()))
}

#[cfg(not(feature = "files"))]
fn from_table<G: Notation>(
    _: &G,
    _: &dyn Study<G>,
    _: &G::Position,
    _: &Terms,
) -> Result<Option<Values<G>>, Error> {
    Ok(None)
}

fn on_the_spot<G: Notation>(
    game: &G,
    study: &dyn Study<G>,
    root: &G::Position,
    terms: &Terms,
) -> Result<Values<G>, Error> {
    let large = || {
        let spec = game.spec();
        let message = format!("{spec} is too large to be solved on the spot");
        Error::new(
            ErrorCode::TooLarge,
            message,
            format!("build its table with 'ludex table build {spec}', then name its folder with --tables"),
        )
    };
    let Some(numbering) = study.numbering(game) else {
        return searched(game, study, root, terms)?.ok_or_else(large);
    };
    if Plan::of(numbering.tiers()).positions > ON_THE_SPOT {
        return Err(large());
    }
    let monitor = Monitor::new(&Budget::default(), terms);
    let codes = solve_all(game, numbering.as_ref(), &monitor).map_err(|_| stopped())?;
    let mut list = Vec::new();
    game.each_move(root, |m| {
        let child = game.play(root, m);
        if let Some(value) = value_of(numbering.as_ref(), &codes, &child) {
            list.push((m, if game.side(&child) == game.side(root) { value.later() } else { value.back() }));
        }
    });
    Ok(list)
}

fn stopped() -> Error {
    let hint = "let it run to its end, or build a table of the game once";
    Error::new(ErrorCode::Stopped, "the openings are not solved to the end", hint)
}

/// Every opening by a search of its own, unless they take too many nodes.
fn searched<G: Notation>(
    game: &G,
    study: &dyn Study<G>,
    root: &G::Position,
    terms: &Terms,
) -> Result<Option<Values<G>>, Error> {
    let budget = Budget { nodes: Some(ON_THE_SPOT), ..Budget::default() };
    let monitor = Monitor::new(&budget, terms);
    let table = Table::new(MEMORY, game.key_bits());
    let mut list = Vec::new();
    for m in game.moves(root) {
        let child = game.play(root, m);
        let ask = Ask { game, position: child, goal: Goal::Distance, probe: &monitor, worker: 0 };
        let bounds =
            study.searches().alphabeta(&ask, &table)?.bounds.back(game.side(&child) != game.side(root));
        let Some(value) = bounds.value() else {
            return if terms.cancel.is_cancelled() { Err(stopped()) } else { Ok(None) };
        };
        list.push((m, value));
    }
    Ok(Some(list))
}

/// All openings in a line, such as `42 win in 7, 30 draw`.
#[must_use]
pub fn summary(openings: &[Opening]) -> String {
    let mut counts: BTreeMap<Value, usize> = BTreeMap::new();
    for class in openings {
        *counts.entry(class.value).or_default() += class.moves.len();
    }
    let list: Vec<String> = counts
        .into_iter()
        .rev()
        .map(|(value, n)| format!("{n} {}", words::value(Bounds::of_value(value))))
        .collect();
    list.join(", ")
}
