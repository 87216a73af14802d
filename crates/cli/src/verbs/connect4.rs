//! `connect4`: the heuristic opponent and its evaluation, the opening book, measurements of the solver.

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use clap::{Args, Subcommand};
use ludex_arena::connect4::contest;
use ludex_core::{Budget, Error};
use ludex_judge::{Question, table};
use ludex_studies::connect4::{
    book::standard,
    opponent::{levels, opponent, savings},
};

use super::{
    GameVerbs,
    connect4_measure::{self, Measure, measure, values},
    read, verb,
};
use crate::{
    book,
    context::Context,
    exit::{Done, Exit},
    objects::{self, Judged, LevelMove, Line, Threats},
    output::{count, json_line},
    units,
};

/// What Connect Four has of its own.
pub const VERBS: GameVerbs = GameVerbs {
    family: "connect4",
    command: || verb::<Connect4>("connect4", "Connect Four: its opponent, its opening book, measurements"),
    run: |context, matches| run(context, &read(matches)?),
    json: |_| false,
    bench: Some(connect4_measure::bench),
    census: None,
};

/// `connect4`.
#[derive(Debug, Args)]
struct Connect4 {
    #[command(subcommand)]
    action: Action,
}

/// Which board and position. In version 1 the position came first, and the board by a flag.
#[derive(Debug, Args)]
struct BoardArgs {
    /// The board, such as connect4:8x7 (may be left out: connect4)
    spec: Option<String>,
    /// The position: the columns played, or a board (default: the start)
    position: Option<String>,
    /// The board, if it is not named before the position
    #[arg(long, value_name = "SPEC", default_value = "connect4", hide = true)]
    game: String,
}

impl BoardArgs {
    /// The spec and the text of the position.
    fn read(&self) -> (&str, &str) {
        match (self.spec.as_deref(), self.position.as_deref()) {
            (Some(spec), Some(position)) => (spec, position),
            (Some(spec), None) if spec.starts_with(VERBS.family) => (spec, ""),
            (Some(position), None) => (&self.game, position),
            (None, position) => (&self.game, position.unwrap_or_default()),
        }
    }
}

#[derive(Debug, Subcommand)]
enum Action {
    /// What the heuristic opponent thinks of a position, part by part
    Eval {
        #[command(flatten)]
        at: BoardArgs,
    },
    /// The opponent's levels, and with --games how they do against each other
    Levels {
        /// Let every level play the next one this often
        #[arg(long, value_name = "N", default_value_t = 0)]
        games: u32,
        /// Random stones at the start of each game
        #[arg(long, value_name = "N", default_value_t = 2)]
        opening: u32,
        /// Leave out the levels from this one on
        #[arg(long, value_name = "LEVEL")]
        below: Option<String>,
        /// For other openings and other lapses
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
    },
    /// A move of the opponent
    Move {
        #[command(flatten)]
        at: BoardArgs,
        /// How strong
        #[arg(long, default_value = "strong")]
        level: String,
        /// For other lapses
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
    },
    /// How many nodes each technique of the opponent's search saves
    Nodes {
        /// The depth
        #[arg(long, value_name = "PLIES", default_value_t = 6)]
        depth: u32,
    },
    /// Opening books
    Book {
        #[command(subcommand)]
        action: BookAction,
    },
    /// Solve files of `POSITION [SCORE]` lines exactly, without a book, each position with a forgotten table
    Measure(Measure),
    /// Solve the empty boards whose values are known, and compare
    Values {
        /// Boards of at most this many cells
        #[arg(long, value_name = "N", default_value_t = 36)]
        cells: u64,
        /// Memory of the table
        #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "1GiB")]
        memory: u64,
        /// Threads that share it
        #[arg(long, value_name = "N", default_value_t = 1)]
        threads: usize,
    },
}

#[derive(Debug, Subcommand)]
enum BookAction {
    /// Build a book, or go on with one: `ludex book build`
    Build {
        /// The file to write
        file: PathBuf,
        /// The board
        #[arg(long, value_name = "SPEC", default_value = "connect4")]
        game: String,
        #[command(flatten)]
        order: book::Order,
    },
    /// What a book holds (default: the program's own)
    Stats {
        /// The file
        file: Option<PathBuf>,
    },
}

fn run(context: &Context, connect4: &Connect4) -> Done {
    match &connect4.action {
        Action::Eval { at } => {
            let (spec, position) = at.read();
            eval(context, spec, position)
        }
        Action::Levels { games, opening, below, seed } => {
            list_levels(context, below.as_deref(), (*games, *opening, *seed))
        }
        Action::Move { at, level, seed } => {
            let (spec, position) = at.read();
            let chosen = opponent(&context.registry, spec, levels::level(level)?, *seed)?.choose(position)?;
            let mut out = io::stdout().lock();
            if context.json {
                json_line(&mut out, &Line::Move(LevelMove { level: level.clone(), m: chosen }))?;
            } else {
                writeln!(out, "{chosen}")?;
            }
            Ok(Exit::Answered)
        }
        Action::Nodes { depth } => nodes(context, *depth),
        Action::Book { action: BookAction::Build { file, game, order } } => {
            book::build(context, board(game)?, file, order)
        }
        Action::Book { action: BookAction::Stats { file } } => {
            let counted = match file {
                Some(file) => table::stats(file)?,
                None => table::count(standard().table())?,
            };
            book::print(context, &counted)
        }
        Action::Measure(options) => measure(context, options, &mut io::stdout().lock()),
        Action::Values { cells, memory, threads } => {
            let budget = Budget { memory: *memory, threads: *threads, ..Budget::default() };
            let question = Question { budget, tables: false, book: false, ..Question::default() };
            values(context, &mut io::stdout().lock(), *cells, &question)
        }
    }
}

/// The spec of a board of Connect Four, and of no other game.
fn board(spec: &str) -> Result<&str, Error> {
    if spec.split(':').next() == Some(VERBS.family) {
        return Ok(spec);
    }
    Err(Error::spec(
        format!("'{spec}' is not Connect Four"),
        "connect4 or connect4:WxH; ludex book for others",
    ))
}

fn eval(context: &Context, game: &str, position: &str) -> Done {
    let (side, judgement) = opponent(&context.registry, game, levels::LEVELS[0], 0)?.judge(position)?;
    let mut out = io::stdout().lock();
    let total = judgement.parts.total();
    let parts = judgement.parts.named();
    if context.json {
        let [first, second] = judgement.threats;
        let object = Judged {
            game: game.to_owned(),
            position: position.to_owned(),
            side,
            parts: parts.into_iter().map(|part| (part.name, part.value)).collect(),
            total,
            threats: Threats { first, second },
        };
        json_line(&mut out, &Line::Evaluation(object))?;
        return Ok(Exit::Answered);
    }
    writeln!(out, "for the {side} player, who is to move")?;
    for part in parts {
        writeln!(out, "{:<16} {:>7}", part.name, part.value)?;
    }
    writeln!(out, "{:<16} {total:>7}", "total")?;
    for (owner, cells) in ["first", "second"].iter().zip(&judgement.threats) {
        if !cells.is_empty() {
            writeln!(out, "the {owner} player's threats (column-row): {}", cells.join(" "))?;
        }
    }
    Ok(Exit::Answered)
}

fn list_levels(context: &Context, below: Option<&str>, (games, opening, seed): (u32, u32, u64)) -> Done {
    let mut out = io::stdout().lock();
    let end = match below {
        Some(name) => {
            levels::level(name)?;
            levels::LEVELS.iter().position(|l| l.name == name).unwrap_or(levels::LEVELS.len())
        }
        None => levels::LEVELS.len(),
    };
    for (i, level) in levels::LEVELS[..end].iter().enumerate() {
        let against = match i.checked_sub(1) {
            Some(weaker) if games > 0 => {
                Some(contest(VERBS.family, [*level, levels::LEVELS[weaker]], games, opening, seed)?)
            }
            _ => None,
        };
        if context.json {
            let (name, about) = (level.name.to_owned(), level.about.to_owned());
            json_line(&mut out, &Line::Level(objects::Level { name, about, against_weaker: against }))?;
            continue;
        }
        let against = against.map_or(String::new(), |[won, drawn, lost]| {
            format!("{won} won, {drawn} drawn, {lost} lost to the one above")
        });
        writeln!(out, "{}", format!("{:<10} {:<50} {against}", level.name, level.about).trim_end())?;
    }
    Ok(Exit::Answered)
}

fn nodes(context: &Context, depth: u32) -> Done {
    let mut out = io::stdout().lock();
    for (name, nodes) in savings::nodes(depth)? {
        if context.json {
            let technique = name.to_owned();
            json_line(&mut out, &Line::Nodes(objects::Nodes { technique, depth, nodes }))?;
        } else {
            writeln!(out, "{name:<40} {:>12}", count(nodes))?;
        }
    }
    Ok(Exit::Answered)
}
