//! `nex`: openings, evaluation, complexity and thinking.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
    time::Duration,
};

use clap::{Args as ClapArgs, Subcommand};
use ludex_judge::{Budget, Job, Limits, Spec, nex, open};
use serde_json::json;

use crate::{
    exit::{Done, Exit},
    output::{self, json_line, thousands},
    units,
};

/// `nex`.
#[derive(Debug, ClapArgs)]
pub struct Nex {
    #[command(subcommand)]
    pub action: Action,
    /// JSON lines
    #[arg(long, global = true)]
    pub json: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Every opening with its value, grouped by symmetry
    Openings {
        /// The board: RxC, with rules if wanted, such as 3x3 or 3x3,rules=official
        board: String,
        /// A folder with tables [default: LUDEX_TABLES]
        #[arg(long, value_name = "FOLDER")]
        tables: Option<PathBuf>,
        /// Write a map to this file: for every cell of the stone, the value of every cell of the neutral
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
    },
    /// How a position looks, term by term
    Eval {
        /// The board: RxC
        board: String,
        /// The position (default: the empty board)
        position: Option<String>,
    },
    /// How large the game is: exactly where it can be counted, and by random games
    Complexity {
        /// The board: RxC
        board: String,
        /// Random games
        #[arg(long, default_value = "1000", value_parser = units::count)]
        samples: u64,
        /// Their seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Count exactly up to this many positions
        #[arg(long, default_value = "3e6", value_parser = units::count)]
        exact: u64,
    },
    /// Choose a move without solving the game, and tell what it took
    Think {
        /// The board: RxC
        board: String,
        /// The position (default: the empty board)
        position: Option<String>,
        /// Plies
        #[arg(long, default_value_t = 4)]
        depth: u32,
        /// Moves looked at in a position
        #[arg(long, default_value_t = 24)]
        breadth: usize,
        /// Stop after this time
        #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "10s")]
        time: Duration,
    },
}

fn spec(board: &str) -> String {
    if board.starts_with("nex:") { board.to_owned() } else { format!("nex:{board}") }
}

/// Do it.
pub fn nex(nex: &Nex) -> Done {
    let mut out = io::stdout().lock();
    match &nex.action {
        Action::Openings { board, tables, svg } => {
            let spec: Spec = spec(board).parse()?;
            let folder = tables.clone().or_else(|| std::env::var_os("LUDEX_TABLES").map(PathBuf::from));
            let found = nex::openings(&spec, folder.as_deref())?;
            if let (Some(path), Some(map)) = (svg, found.map()) {
                fs::write(path, map)?;
            }
            if nex.json {
                for class in &found.classes {
                    json_line(
                        &mut out,
                        &json!({"type": "opening", "game": found.spec, "moves": class.moves,
                                "outcome": class.value.outcome().word(), "plies": class.value.plies()}),
                    )?;
                }
            } else {
                writeln!(
                    out,
                    "{}: {} ({} classes, from {})",
                    found.spec,
                    nex::summary(&found),
                    found.classes.len(),
                    found.from
                )?;
                for class in &found.classes {
                    writeln!(out, "  {:<24} {}", class.moves.join(" "), class.value)?;
                }
            }
        }
        Action::Eval { board, position } => {
            let (terms, score, side) = nex::eval(&spec(board), position.as_deref())?;
            if nex.json {
                let terms: Vec<_> = terms
                    .iter()
                    .map(|t| json!({"name": t.name, "what": t.what, "black": t.counts[0], "white": t.counts[1], "weight": t.weight, "counted": t.counted}))
                    .collect();
                json_line(
                    &mut out,
                    &json!({"type": "eval", "to_move": side.word(), "score": score, "terms": terms}),
                )?;
            } else {
                writeln!(out, "{:<10} {:>6} {:>6} {:>7}  counts", "term", "Black", "White", "weight")?;
                for t in &terms {
                    let weight = if t.counted { t.weight.to_string() } else { format!("({})", t.weight) };
                    writeln!(
                        out,
                        "{:<10} {:>6} {:>6} {weight:>7}  {}",
                        t.name, t.counts[0], t.counts[1], t.what
                    )?;
                }
                let name = ["Black", "White"][side.index()];
                writeln!(
                    out,
                    "score {score:+} for {name}, who is to move (50 for the move, terms in brackets left out)"
                )?;
            }
        }
        Action::Complexity { board, samples, seed, exact } => {
            let size = nex::complexity(&spec(board).parse()?, *samples, *seed, *exact)?;
            if nex.json {
                json_line(
                    &mut out,
                    &json!({"type": "complexity", "game": size.spec, "tree": size.tree.map(|n| n.to_string()),
                            "positions": size.positions, "samples": size.samples, "tree_log10": size.tree_log10,
                            "tree_relative_error": size.tree_error, "plies": size.plies.0, "plies_error": size.plies.1,
                            "moves": size.moves.0, "moves_error": size.moves.1}),
                )?;
            } else {
                writeln!(out, "{}", size.spec)?;
                if let (Some(tree), Some(positions)) = (size.tree, size.positions) {
                    writeln!(out, "game tree  {tree} nodes, exactly")?;
                    writeln!(out, "positions  {} can be reached, exactly", thousands(positions))?;
                }
                writeln!(
                    out,
                    "game tree  10^{:.2} nodes by {} random games, relative error {:.0} %",
                    size.tree_log10,
                    size.samples,
                    100.0 * size.tree_error
                )?;
                writeln!(out, "length     {:.2} ± {:.2} plies of a random game", size.plies.0, size.plies.1)?;
                writeln!(
                    out,
                    "moves      {:.1} ± {:.1} in a position of a random game",
                    size.moves.0, size.moves.1
                )?;
            }
        }
        Action::Think { board, position, depth, breadth, time } => {
            let game = open(&spec(board))?;
            let budget = Budget { time: Some(*time), ..Budget::default() };
            let job = Job { position: position.clone(), budget, ..Job::default() };
            let thought = game.think(&job, Limits { depth: *depth, breadth: *breadth })?;
            if nex.json {
                let depths: Vec<_> = thought
                    .depths
                    .iter()
                    .map(|d| json!({"depth": d.depth, "score": d.score, "nodes": d.nodes, "leaves": d.leaves, "pruned": d.pruned, "simulated": d.simulated, "seconds": d.seconds}))
                    .collect();
                json_line(
                    &mut out,
                    &json!({"type": "thought", "game": game.spec(), "best": thought.best, "score": thought.score, "pv": thought.pv, "depths": depths}),
                )?;
            } else {
                output::thought(&mut out, &thought)?;
                writeln!(
                    out,
                    "plays {}; expects {}",
                    thought.best.as_deref().unwrap_or("nothing"),
                    thought.pv.join(" ")
                )?;
            }
        }
    }
    Ok(Exit::Answered)
}
