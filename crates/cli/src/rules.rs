//! `games`, `show` and `perft`: what needs no search.

use std::io::{self, Write};

use ludex_judge::{AnyGame, Count, FAMILIES, open};
use serde_json::json;

use crate::{
    args::{Perft, Place, Show},
    exit::{Done, Exit},
    output::{json_line, thousands},
};

/// List the games.
pub fn games(json: bool) -> Done {
    let mut out = io::stdout().lock();
    for family in FAMILIES {
        if json {
            json_line(
                &mut out,
                &json!({
                    "type": "game", "name": family.name, "title": family.title, "about": family.about,
                    "usage": family.usage, "examples": family.examples,
                }),
            )?;
        } else {
            writeln!(out, "{:<12} {}", family.name, family.about)?;
            writeln!(out, "{:<12} {}", "", family.usage)?;
            writeln!(out, "{:<12} try {}", "", family.examples.join(" "))?;
        }
    }
    Ok(Exit::Answered)
}

/// The text of the position that was asked for.
pub fn position(game: &dyn AnyGame, place: &Place) -> anyhow::Result<String> {
    Ok(match &place.position {
        Some(text) => game.view(text)?.position,
        None => game.start(place.seed)?,
    })
}

/// Show a position.
pub fn show(show: &Show) -> Done {
    let game = open(&show.place.spec)?;
    let text = position(&*game, &show.place)?;
    let mut out = io::stdout().lock();
    if show.svg {
        write!(out, "{}", game.svg(&text, None, Vec::new())?)?;
        return Ok(Exit::Answered);
    }
    let view = game.view(&text)?;
    if show.json {
        json_line(
            &mut out,
            &json!({
                "type": "position", "game": game.spec(), "position": view.position, "to_move": view.to_move.word(),
                "over": view.over.map(|o| o.word()), "why": view.why, "moves": view.moves,
            }),
        )?;
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
pub fn perft(perft: &Perft) -> Done {
    let game = open(&perft.spec)?;
    let place = Place { spec: perft.spec.clone(), position: perft.position.clone(), seed: perft.seed };
    let text = position(&*game, &place)?;
    let mut out = io::stdout().lock();
    let distinct = if perft.distinct {
        let positions = game.count(&text, perft.depth, Count::Positions)?;
        Some((positions, game.count(&text, perft.depth, Count::Canonical)?))
    } else {
        None
    };
    let counts = game.count(&text, perft.depth, Count::Sequences)?;
    for (depth, nodes) in counts.iter().enumerate() {
        if perft.json {
            let mut line = json!({"type": "perft", "depth": depth, "nodes": nodes});
            if let Some((positions, canonical)) = &distinct {
                line["positions"] = json!(positions[depth]);
                line["canonical"] = json!(canonical[depth]);
            }
            json_line(&mut out, &line)?;
        } else {
            write!(out, "{depth:>3} {:>16}", thousands(*nodes))?;
            if let Some((positions, canonical)) = &distinct {
                write!(out, " {:>16} {:>16}", thousands(positions[depth]), thousands(canonical[depth]))?;
            }
            writeln!(out)?;
        }
    }
    if !perft.json {
        writeln!(out, "sum {:>16}", thousands(counts.iter().sum()))?;
    }
    Ok(Exit::Answered)
}
