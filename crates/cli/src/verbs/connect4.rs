//! `connect4`: the heuristic opponent and its evaluation, the opening book, measurements of the solver.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::{Args, Subcommand};
use ludex_arena::connect4::{self as opponents, engine::Options, levels, savings};
use ludex_judge::{
    Budget, InputError, Job, Outcome,
    connect4::{
        book::standard,
        book_file::{BookJob, build_file},
    },
    table::{self, TableFault},
};
use serde_json::json;

use crate::{
    exit::{Done, Exit},
    output::{count_up, count_up_to_here, json_line, thousands},
    questions::stopped_by_ctrl_c,
    units,
    verbs::connect4_measure::{Measure, measure, values},
};

/// `connect4`.
#[derive(Debug, Args)]
pub struct Connect4 {
    #[command(subcommand)]
    action: Action,
    /// JSON lines
    #[arg(long, global = true)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// What the heuristic opponent thinks of a position, part by part
    Eval {
        /// The position (default: the start)
        #[arg(default_value = "")]
        position: String,
        /// The board
        #[arg(long, value_name = "SPEC", default_value = "connect4")]
        game: String,
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
        /// The position
        position: String,
        /// How strong
        #[arg(long, default_value = "strong")]
        level: String,
        /// The board
        #[arg(long, value_name = "SPEC", default_value = "connect4")]
        game: String,
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
    /// Build a book, or go on with one
    Build {
        /// Plies to cover
        #[arg(long, value_name = "PLIES")]
        depth: u32,
        /// The file to write
        file: PathBuf,
        /// The board
        #[arg(long, value_name = "SPEC", default_value = "connect4")]
        game: String,
        /// Memory of the table
        #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "1GiB")]
        memory: u64,
        /// Threads, each on a position of its own
        #[arg(long, value_name = "N", default_value_t = 1)]
        threads: usize,
    },
    /// What a book holds (default: the program's own)
    Stats {
        /// The file
        file: Option<PathBuf>,
    },
}

/// Do it.
pub fn run(connect4: &Connect4) -> Done {
    let json = connect4.json;
    match &connect4.action {
        Action::Eval { position, game } => eval(game, position, json),
        Action::Levels { games, opening, below, seed } => {
            list_levels(*games, *opening, below.as_deref(), *seed, json)
        }
        Action::Move { position, level, game, seed } => {
            let mut player = levels::Rated::new(game, levels::level(level)?, *seed)?;
            let chosen = player.choose(position)?;
            let mut out = io::stdout().lock();
            if json {
                json_line(&mut out, &json!({ "type": "move", "level": level, "move": chosen }))?;
            } else {
                writeln!(out, "{chosen}")?;
            }
            Ok(Exit::Answered)
        }
        Action::Nodes { depth } => nodes(*depth, json),
        Action::Book { action } => book(action, json),
        Action::Measure(options) => measure(options, &mut io::stdout().lock(), json),
        Action::Values { cells, memory, threads } => {
            let budget = Budget { memory: *memory, threads: *threads, ..Budget::default() };
            let cancel = stopped_by_ctrl_c()?;
            let job = Job { budget, cancel, tables: false, book: false, ..Job::default() };
            values(&mut io::stdout().lock(), *cells, &job, json)
        }
    }
}

fn eval(game: &str, position: &str, json: bool) -> Done {
    let opponent = opponents::opponent(game, Options::default())?;
    let side = opponent.side(position)?;
    let judgement = opponent.evaluate(position, side)?;
    let mut out = io::stdout().lock();
    let total = judgement.parts.total();
    if json {
        let parts: serde_json::Map<_, _> =
            judgement.parts.named().iter().map(|(name, worth)| ((*name).into(), (*worth).into())).collect();
        json_line(
            &mut out,
            &json!({ "type": "evaluation", "game": game, "position": position, "side": side.word(), "parts": parts,
                "total": total, "threats": { "first": judgement.threats[0], "second": judgement.threats[1] } }),
        )?;
        return Ok(Exit::Answered);
    }
    writeln!(out, "for the {side} player, who is to move")?;
    for (name, worth) in judgement.parts.named() {
        writeln!(out, "{name:<16} {worth:>7}")?;
    }
    writeln!(out, "{:<16} {total:>7}", "total")?;
    for (owner, cells) in ["first", "second"].iter().zip(&judgement.threats) {
        if !cells.is_empty() {
            writeln!(out, "the {owner} player's threats (column-row): {}", cells.join(" "))?;
        }
    }
    Ok(Exit::Answered)
}

fn list_levels(games: u32, opening: u32, below: Option<&str>, seed: u64, json: bool) -> Done {
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
                Some(levels::contest("connect4", [*level, levels::LEVELS[weaker]], games, opening, seed)?)
            }
            _ => None,
        };
        if json {
            json_line(
                &mut out,
                &json!({ "type": "level", "name": level.name, "about": level.about, "against_weaker": against }),
            )?;
            continue;
        }
        let against = against.map_or(String::new(), |[won, drawn, lost]| {
            format!("{won} won, {drawn} drawn, {lost} lost to the one above")
        });
        writeln!(out, "{}", format!("{:<10} {:<50} {against}", level.name, level.about).trim_end())?;
    }
    Ok(Exit::Answered)
}

fn nodes(depth: u32, json: bool) -> Done {
    let mut out = io::stdout().lock();
    let steps = savings::nodes(depth)?;
    for (name, nodes) in &steps {
        if json {
            json_line(
                &mut out,
                &json!({ "type": "nodes", "technique": name, "depth": depth, "nodes": nodes }),
            )?;
        } else {
            writeln!(out, "{name:<40} {:>12}", thousands(*nodes))?;
        }
    }
    Ok(Exit::Answered)
}

fn book(action: &BookAction, json: bool) -> Done {
    let book = match action {
        BookAction::Build { depth, file, game, memory, threads } => {
            let cancel = stopped_by_ctrl_c()?;
            let progress = |done: usize, of: usize| count_up(done as u64, of as u64, "positions");
            let book = build_file(&BookJob {
                spec: game,
                plies: *depth,
                file,
                memory: *memory,
                threads: *threads,
                cancel: &cancel,
                progress: &progress,
            });
            count_up_to_here();
            match book {
                Err(TableFault::Stopped(_)) => {
                    eprintln!("ludex: stopped; the same command goes on from here");
                    return Ok(Exit::Unanswered);
                }
                book => table::count(&book?)?,
            }
        }
        BookAction::Stats { file: Some(file) } => table::stats(file)?,
        BookAction::Stats { file: None } => table::count(standard().table())?,
    };
    let Some(plies) = book.heading.plies else {
        let what = format!("this is a table of all of {}, and no opening book", book.heading.spec);
        return Err(InputError::new("no_book", what, "'ludex table stats FILE' counts it").into());
    };
    let mut out = io::stdout().lock();
    let count = |outcome| -> u64 {
        book.tallies.iter().filter(|(t, _)| t.outcome == Some(outcome)).map(|(_, n)| n).sum()
    };
    let [won, drawn, lost] = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(count);
    if json {
        json_line(
            &mut out,
            &json!({ "type": "book", "game": book.heading.spec, "plies": plies, "positions": book.positions,
                "won": won, "drawn": drawn, "lost": lost, "bytes": book.bytes, "digest": book.digest }),
        )?;
    } else {
        writeln!(
            out,
            "{}: {} positions of the first {plies} plies in {} bytes; for the side to move {} won, {} drawn, {} lost",
            book.heading.spec,
            thousands(book.positions),
            thousands(book.bytes),
            thousands(won),
            thousands(drawn),
            thousands(lost)
        )?;
    }
    Ok(Exit::Answered)
}
