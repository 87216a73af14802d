//! `seven`: lines, potential, random games, the paper's tables and the soak of the rules.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context as _;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use ludex_judge::seven::{self, EdgeSet, Limits, Measured, Stop};
use ludex_judge::sha256;
use serde_json::json;

use crate::{
    exit::{Done, Exit},
    output::{count_up, count_up_to_here, json_line, thousands, time},
    questions::stopped_by_ctrl_c,
    units,
};

/// `seven`.
#[derive(Debug, ClapArgs)]
pub struct Seven {
    #[command(subcommand)]
    pub action: Action,
    /// JSON lines
    #[arg(long, global = true)]
    pub json: bool,
}

/// Which board.
#[derive(Debug, ClapArgs)]
pub struct Tile {
    /// Columns, 4 to 15
    #[arg(short = 'n', long = "cols", value_name = "N", default_value_t = 10)]
    pub columns: usize,
    /// Which lines: paper or harness
    #[arg(long, value_name = "SET", default_value = "paper")]
    pub edges: String,
}

/// Which sum tells that Breaker wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StopRule {
    /// Breaker to move, potential below 1
    Paper,
    /// Erdős and Selfridge: below 2 for Breaker to move, below 1 for Maker
    Es,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// The lines, one per line, sorted
    Edges(Tile),
    /// How many lines of each length there are, and the potential
    Potential(Tile),
    /// A random game, with the potential after each move
    Simulate {
        #[command(flatten)]
        tile: Tile,
        /// The seed
        #[arg(short, long, default_value_t = 42)]
        seed: u64,
        /// At most this many moves
        #[arg(short, long, default_value_t = 100)]
        max_moves: usize,
        /// Which sum tells that Breaker wins
        #[arg(long, value_enum, default_value = "paper")]
        stop: StopRule,
    },
    /// Positions that no rule decides at once, solved: what the chance of Breaker is fitted to
    Data {
        /// The least number of columns
        #[arg(long, value_name = "N", default_value_t = 7)]
        from: usize,
        /// The greatest number of columns
        #[arg(long, value_name = "N", default_value_t = 10)]
        to: usize,
        /// How many positions
        #[arg(long, default_value = "400", value_parser = units::count)]
        positions: u64,
        /// Leave out what takes more nodes than this
        #[arg(long, default_value = "300", value_parser = units::count)]
        nodes: u64,
        /// The seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Fit the chance that Breaker wins to solved positions
    Fit {
        /// What `seven data` printed
        file: PathBuf,
    },
    /// Rerun the paper's tables and figure, beside its numbers
    Reproduce {
        /// Only these: I, II, III, 5 for the figure; joined by commas
        #[arg(long, value_name = "TABLES", value_delimiter = ',')]
        only: Vec<String>,
        /// Give up on a line after this time
        #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "60s")]
        time: Duration,
        /// Give up on a line after this many nodes
        #[arg(long, value_name = "N", value_parser = units::count)]
        nodes: Option<u64>,
        /// Memory for the table
        #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "1GiB")]
        memory: u64,
        /// The search [default: the one that suits the game]
        #[arg(long, value_name = "NAME")]
        solver: Option<String>,
        /// Draw figure 5, nodes against columns, to this file
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
    },
    /// Check every rule against minimax on random positions
    Soak {
        /// How many positions
        #[arg(long, default_value = "1e6", value_parser = units::count)]
        positions: u64,
        /// At most this many empty cells, 4 to 20
        #[arg(long, default_value_t = 13, value_parser = clap::value_parser!(u8).range(4..=20))]
        cells: u8,
        /// The seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

/// Do it.
pub fn seven(args: &Seven) -> Done {
    let out = &mut io::stdout().lock();
    match &args.action {
        Action::Edges(tile) => edges(out, tile, args.json),
        Action::Potential(tile) => potential(out, tile, args.json),
        Action::Simulate { tile, seed, max_moves, stop } => {
            simulate(out, tile, *seed, *max_moves, *stop, args.json)
        }
        Action::Data { from, to, positions, nodes, seed } => {
            let left_out = seven::data(*from..=*to, *positions, *nodes, *seed, |solved| {
                let _ = writeln!(out, "{solved}");
            })?;
            eprintln!("{} positions left out, because they take more nodes", thousands(left_out));
            Ok(Exit::Answered)
        }
        Action::Fit { file } => fit(out, file, args.json),
        Action::Reproduce { only, time, nodes, memory, solver, svg } => {
            let cancel = stopped_by_ctrl_c()?;
            let limits = Limits { time: Some(*time), nodes: *nodes, memory: *memory, cancel };
            let done = seven::reproduce(only, &limits, solver.as_deref(), |line| {
                let _ = measured(out, line, args.json);
            })?;
            if let Some(file) = svg {
                fs::write(file, seven::figure(&done))?;
            }
            let open = done.iter().any(|line| line.outcome == "unknown");
            Ok(if open { Exit::Unanswered } else { Exit::Answered })
        }
        Action::Soak { positions, cells, seed } => soak(out, *positions, *cells, *seed, args.json),
    }
}

fn board(tile: &Tile) -> anyhow::Result<seven::Game> {
    let edges: EdgeSet = tile.edges.parse()?;
    Ok(seven::game(tile.columns, edges)?)
}

fn edges(out: &mut impl Write, tile: &Tile, json: bool) -> Done {
    for line in seven::edges(&board(tile)?) {
        if json {
            json_line(out, &json!({"type": "edge", "cells": line}))?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(Exit::Answered)
}

fn potential(out: &mut impl Write, tile: &Tile, json: bool) -> Done {
    let (histogram, potential) = seven::potential(&board(tile)?);
    if json {
        json_line(out, &json!({"type": "potential", "lines": histogram, "potential": potential.value()}))?;
        return Ok(Exit::Answered);
    }
    writeln!(out, "L-line histogram:")?;
    for (i, count) in histogram.iter().enumerate() {
        writeln!(out, "  x_{} = {count}", i + 1)?;
    }
    writeln!(out, "Potential: {potential}")?;
    Ok(Exit::Answered)
}

fn simulate(out: &mut impl Write, tile: &Tile, seed: u64, most: usize, stop: StopRule, json: bool) -> Done {
    let stop = match stop {
        StopRule::Paper => Stop::Paper,
        StopRule::Es => Stop::Selfridge,
    };
    for ply in seven::simulate(&board(tile)?, seed, most, stop) {
        if json {
            json_line(
                out,
                &json!({
                    "type": "ply", "number": ply.number, "player": ply.player, "cell": ply.cell,
                    "potential": ply.potential.value(), "maker_won": ply.made, "certificate": ply.certificate,
                }),
            )?;
            continue;
        }
        let yes = |b: bool| if b { "yes" } else { "no" };
        writeln!(
            out,
            "{}. {} {}  pot(b) = {}  Maker won: {}  Breaker certificate: {}",
            ply.number,
            ply.player,
            ply.cell,
            ply.potential,
            yes(ply.made),
            yes(ply.certificate)
        )?;
    }
    Ok(Exit::Answered)
}

fn measured(out: &mut impl Write, line: &Measured, json: bool) -> anyhow::Result<()> {
    if json {
        return json_line(
            out,
            &json!({
                "type": "measured", "table": line.table, "game": line.spec, "about": line.about,
                "without": line.without, "ratio": line.ratio.map(|(seconds, nodes)| [seconds, nodes]),
                "outcome": line.outcome, "nodes": line.nodes, "created": line.created,
                "seconds": line.seconds, "paper": line.paper,
            }),
        );
    }
    let spec = &line.spec;
    write!(out, "{}  {spec}, {}: {}", line.table, line.about, line.outcome)?;
    if line.nodes > 0 {
        write!(out, ", {} nodes, {} created", thousands(line.nodes), thousands(line.created))?;
    }
    write!(out, ", {}", time(line.seconds))?;
    if let Some((seconds, nodes)) = line.ratio {
        write!(out, ", ratio {seconds:.2}/{nodes:.2}")?;
    }
    let paper = if line.paper.is_empty() { "-" } else { line.paper };
    writeln!(out, "; the paper: {paper}")?;
    out.flush()?;
    Ok(())
}

fn fit(out: &mut impl Write, file: &Path, json: bool) -> Done {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let samples: Vec<_> = seven::read(&text)?.iter().map(|solved| solved.sample).collect();
    let found = seven::fit(&samples);
    let (loss, share) = found.quality(&samples);
    let breaker = samples.iter().filter(|s| s.breaker_wins).count();
    let digest = sha256(text.as_bytes());
    if json {
        json_line(
            out,
            &json!({
                "type": "fit", "positions": samples.len(), "breaker": breaker, "constant": found.constant,
                "maker_to_move": found.maker_to_move, "empty": found.empty, "potential": found.potential,
                "loss": loss, "share": share, "sha256": digest,
            }),
        )?;
        return Ok(Exit::Answered);
    }
    writeln!(
        out,
        "{} positions, Breaker wins {}",
        thousands(samples.len() as u64),
        thousands(breaker as u64)
    )?;
    writeln!(
        out,
        "log odds of Breaker = {:.4} {:+.4} (Maker to move) {:+.4} empty {:+.4} potential",
        found.constant, found.maker_to_move, found.empty, found.potential
    )?;
    writeln!(out, "mean loss {loss:.4}, right {:.1} % of the time", 100.0 * share)?;
    writeln!(out, "sha256 of the data {digest}")?;
    Ok(Exit::Answered)
}

fn soak(out: &mut impl Write, positions: u64, cells: u8, seed: u64, json: bool) -> Done {
    let cancel = stopped_by_ctrl_c()?;
    let go_on = |done| {
        count_up(done, positions, "positions");
        !cancel.is_cancelled()
    };
    let soaked = seven::soak(positions, cells.into(), seed, go_on);
    count_up_to_here();
    match soaked {
        Ok(done) if json => json_line(
            out,
            &json!({
                "type": "soak", "positions": done.positions, "seen": done.seen, "made": done.made,
                "listed": done.listed, "empties": done.empties,
            }),
        )?,
        Ok(done) => writeln!(
            out,
            "{} positions, no rule wrong; {} decided without search ({} for Maker), elsewhere {} of {} moves listed",
            thousands(done.positions),
            thousands(done.seen),
            thousands(done.made),
            thousands(done.listed),
            thousands(done.empties)
        )?,
        Err(fault) => {
            writeln!(out, "a rule is wrong: {fault}")?;
            return Ok(Exit::CheckFailed);
        }
    }
    Ok(if cancel.is_cancelled() { Exit::Unanswered } else { Exit::Answered })
}
