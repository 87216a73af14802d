//! `games`, `rules`, `show` and `perft`: what needs no search.

use std::io::{self, Write};

use ludex_core::{Error, ErrorCode};
use ludex_judge::Count;

use crate::{
    args::{Perft, PositionArgs, Show},
    context::Context,
    exit::{Done, Exit},
    objects::{self, Line},
    output::{count, json_line},
};

/// List the games.
pub fn games(context: &Context) -> Done {
    let mut out = io::stdout().lock();
    for family in context.registry.families() {
        let aliases: Vec<_> = family.aliases.iter().map(|(word, _)| (*word).to_owned()).collect();
        if context.json {
            let object = objects::Family {
                name: family.name.to_owned(),
                title: family.title.to_owned(),
                about: family.about.to_owned(),
                usage: family.usage.to_owned(),
                examples: family.examples.iter().map(|e| (*e).to_owned()).collect(),
                aliases,
            };
            json_line(&mut out, &Line::Game(object))?;
        } else {
            writeln!(out, "{:<12} {}", family.name, family.about)?;
            writeln!(out, "{:<12} {}", "", family.usage)?;
            writeln!(out, "{:<12} try {}", "", family.examples.join(" "))?;
            if !aliases.is_empty() {
                writeln!(out, "{:<12} also {}", "", aliases.join(" "))?;
            }
        }
    }
    Ok(Exit::Answered)
}

/// The rules of a game.
pub fn rules(context: &Context, spec: &str) -> Done {
    let rules = ludex_judge::rules(&context.registry, spec)?;
    let mut out = io::stdout().lock();
    if context.json {
        json_line(&mut out, &rules)?;
        return Ok(Exit::Answered);
    }
    writeln!(out, "{}\n\n{}", rules.title, rules.goal)?;
    for (i, step) in rules.steps.iter().enumerate() {
        writeln!(out, "\n{}. {}\n", i + 1, step.text)?;
        for line in step.picture.lines() {
            writeln!(out, "   {line}")?;
        }
    }
    for (title, text) in [("The end", &rules.end), ("Notation", &rules.notation)] {
        if !text.is_empty() {
            writeln!(out, "\n{title}: {text}")?;
        }
    }
    Ok(Exit::Answered)
}

/// Show a position.
pub fn show(context: &Context, show: &Show) -> Done {
    let (game, text) = context.position_of(&show.at)?;
    let mut out = io::stdout().lock();
    if show.svg && context.json {
        return Err(Error::new(
            ErrorCode::BadArguments,
            "--svg and --json exclude each other",
            "one of them",
        )
        .into());
    }
    if show.svg {
        write!(out, "{}", game.svg(&text, None, Vec::new())?)?;
        return Ok(Exit::Answered);
    }
    let view = game.view(&text)?;
    if context.json {
        let position = objects::Position {
            game: game.spec(),
            position: view.position,
            to_move: view.to_move,
            over: view.over,
            why: view.why,
            moves: view.moves,
        };
        json_line(&mut out, &Line::Position(position))?;
        return Ok(Exit::Answered);
    }
    writeln!(out, "{}", game.title())?;
    write!(out, "{}", game.picture(&text)?)?;
    writeln!(out, "{text}")?;
    let names = game.side_names();
    match (view.over, view.why) {
        (Some(_), why) => writeln!(out, "The game is over. {}", why.unwrap_or_default())?,
        (None, _) => writeln!(out, "{} to move, {} moves", names[view.to_move.index()], view.moves.len())?,
    }
    if show.paths {
        for m in &view.moves {
            writeln!(out, "  {}  {}", m.text, m.path.join(" "))?;
        }
    }
    Ok(Exit::Answered)
}

/// Count what can be reached.
pub fn perft(context: &Context, perft: &Perft) -> Done {
    let at = PositionArgs { spec: perft.spec.clone(), position: perft.position.clone(), seed: perft.seed };
    let (game, text) = context.position_of(&at)?;
    let mut out = io::stdout().lock();
    let distinct = if perft.distinct {
        let positions = game.count(&text, perft.depth, Count::Positions)?;
        Some((positions, game.count(&text, perft.depth, Count::Canonical)?))
    } else {
        None
    };
    let counts = game.count(&text, perft.depth, Count::Sequences)?;
    for (depth, &nodes) in counts.iter().enumerate() {
        let (positions, canonical) = match &distinct {
            Some((positions, canonical)) => (positions.get(depth).copied(), canonical.get(depth).copied()),
            None => (None, None),
        };
        if context.json {
            json_line(&mut out, &Line::Perft(objects::Perft { depth, nodes, positions, canonical }))?;
        } else {
            write!(out, "{depth:>3} {:>16}", count(nodes))?;
            for n in [positions, canonical].into_iter().flatten() {
                write!(out, " {:>16}", count(n))?;
            }
            writeln!(out)?;
        }
    }
    if !context.json {
        writeln!(out, "sum {:>16}", count(counts.iter().sum()))?;
    }
    Ok(Exit::Answered)
}
