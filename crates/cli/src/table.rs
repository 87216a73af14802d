//! `table`: build, probe, count and verify tables of whole games.

use std::{
    io::{self, Write},
    path::PathBuf,
    sync::Mutex,
    time::{Duration, Instant},
};

use clap::{Args as ClapArgs, Subcommand};
use ludex_judge::{
    Outcome, Side, Spec, open,
    table::{self, Order, Step, Verifying},
};
use serde_json::{Value as Json, json};

use crate::{
    args::{Goal, ProgressStyle},
    exit::{Done, Exit},
    output::{count_up, count_up_to_here, json_line, thousands, time},
    progress,
    questions::stopped_by_ctrl_c,
    units, verbs,
};

/// `table`.
#[derive(Debug, ClapArgs)]
pub struct Table {
    #[command(subcommand)]
    pub action: Action,
    /// JSON lines
    #[arg(long, global = true)]
    pub json: bool,
}

/// What to do with a table.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Solve every position of a game and write them to a file; goes on where an earlier run was interrupted
    Build {
        /// The game
        spec: String,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// What to keep of each position: who wins, or also in how many plies
        #[arg(long, value_enum, default_value = "distance")]
        goal: Goal,
        /// Refuse if it would take more memory than this
        #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "1536MiB")]
        memory: u64,
        /// Threads [default: all]
        #[arg(long, value_name = "N")]
        threads: Option<usize>,
        /// List positions by key even if the game can number them
        #[arg(long)]
        by_key: bool,
        /// How to show progress
        #[arg(long, value_enum, default_value = "auto")]
        progress: ProgressStyle,
    },
    /// Look a position up, with all its moves
    Probe {
        /// The table
        file: PathBuf,
        /// The position (default: the start)
        position: Option<String>,
    },
    /// Count positions by side, outcome and plies
    Stats {
        /// The table
        file: PathBuf,
        /// Also count how many of the numbered positions can be reached from the start
        #[arg(long)]
        reachable: bool,
    },
    /// Derive every value again from its successors by the rules
    Verify {
        /// The table
        file: PathBuf,
        /// Only this many random positions
        #[arg(long, value_name = "N", value_parser = units::count)]
        sample: Option<u64>,
        /// The seed of the sample
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Memory it may take
        #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "4GiB")]
        memory: u64,
        /// Threads [default: all]
        #[arg(long, value_name = "N")]
        threads: Option<usize>,
    },
}

fn all_threads(threads: Option<usize>) -> usize {
    threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).clamp(1, 1024)
}

/// Do it.
pub fn table(table: &Table) -> Done {
    let mut out = io::stdout().lock();
    match &table.action {
        Action::Build { spec, out: file, goal, memory, threads, by_key, progress } => {
            let order = Order {
                spec: &spec.parse()?,
                out: file,
                goal: match goal {
                    Goal::Wdl => ludex_judge::Goal::Wdl,
                    Goal::Distance => ludex_judge::Goal::Distance,
                },
                memory: *memory,
                threads: all_threads(*threads),
                by_key: *by_key,
                cancel: stopped_by_ctrl_c()?,
            };
            build(&mut out, &order, *progress, table.json)
        }
        Action::Probe { file, position } => {
            let probed = table::probe(file, position.as_deref())?;
            let game = open(&probed.spec)?;
            if table.json {
                json_line(&mut out, &probed)?;
                return Ok(Exit::Answered);
            }
            writeln!(out, "{}\n{}{}", game.title(), game.picture(&probed.position)?, probed.sentence)?;
            for m in &probed.moves {
                let plies = m.plies.map_or(String::new(), |n| format!(" in {n}"));
                let best = if probed.best.contains(&m.text) { "  best" } else { "" };
                writeln!(out, "  {:<12} {}{plies}{best}", m.text, m.outcome)?;
            }
            if !probed.pv.is_empty() {
                writeln!(out, "line  {}", probed.pv.join(" "))?;
            }
            Ok(Exit::Answered)
        }
        Action::Stats { file, reachable } => stats(&mut out, file, *reachable, table.json),
        Action::Verify { file, sample, seed, memory, threads } => {
            let spec: Spec = table::stats_heading(file)?.spec.parse()?;
            let start = Instant::now();
            let cancel = stopped_by_ctrl_c()?;
            let how = Verifying {
                sample: *sample,
                seed: *seed,
                memory: *memory,
                threads: all_threads(*threads),
                cancel: &cancel,
                progress: &|done, of| count_up(done, of, "positions"),
            };
            let found = table::verify(&spec, file, &how);
            count_up_to_here();
            let found = match found {
                Err(table::TableFault::Stopped(_)) => {
                    eprintln!("ludex: stopped before the end");
                    return Ok(Exit::Unanswered);
                }
                found => found?,
            };
            let seconds = start.elapsed().as_secs_f64();
            if table.json {
                let wrong: Vec<Json> = found
                    .wrong
                    .iter()
                    .map(|(p, says, should)| json!({"position": p, "table": says, "rules": should}))
                    .collect();
                json_line(
                    &mut out,
                    &json!({"type": "table_verified", "checked": found.checked, "positions": found.positions,
                            "wrong": wrong, "seconds": seconds}),
                )?;
            } else {
                for (p, says, should) in &found.wrong {
                    writeln!(out, "{p}: the table says {says}, the rules say {should}")?;
                }
                let (checked, positions) = (thousands(found.checked), thousands(found.positions));
                writeln!(
                    out,
                    "checksums and digest match; {checked} of {positions} values derived again in {}: {}",
                    time(seconds),
                    if found.wrong.is_empty() { "all right" } else { "WRONG" }
                )?;
            }
            Ok(if found.wrong.is_empty() { Exit::Answered } else { Exit::CheckFailed })
        }
    }
}

fn build(out: &mut impl Write, order: &Order<'_>, style: ProgressStyle, json: bool) -> Done {
    let bar = progress::bar(style);
    let last = Mutex::new(Instant::now());
    let report = |step: &Step| {
        let Ok(mut last) = last.try_lock() else { return };
        if last.elapsed() < Duration::from_millis(200) {
            return;
        }
        *last = Instant::now();
        let rate = step.done as f64 / step.time.as_secs_f64().max(1e-9);
        if style == ProgressStyle::Json {
            eprintln!(
                "{}",
                json!({"type": "progress", "tier": step.tier, "tiers": step.tiers, "name": step.name, "nodes": step.done,
                       "positions": step.positions, "seconds": step.time.as_secs_f64(), "rate": rate.round()})
            );
        } else if let Some(bar) = &bar {
            bar.set_message(format!(
                "tier {}/{} ({}): {} of {} positions, {}/s",
                step.tier + 1,
                step.tiers,
                step.name,
                thousands(step.done),
                thousands(step.positions),
                thousands(rate as u64)
            ));
        }
    };
    let built = table::build(order, &report);
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let built = match built {
        Ok(built) => built,
        Err(table::TableFault::Stopped(_)) => {
            eprintln!("ludex: stopped; the same command goes on from here");
            return Ok(Exit::Unanswered);
        }
        Err(e) => return Err(e.into()),
    };
    let seconds = built.time.as_secs_f64();
    if json {
        json_line(
            out,
            &json!({"type": "table_built", "game": order.spec.to_string(), "file": order.out, "goal": order.goal.word(),
                    "numbering": built.numbering, "tiers": built.tiers, "resumed": built.resumed,
                    "positions": built.positions, "memory": built.memory, "bytes": built.bytes, "digest": built.digest,
                    "seconds": seconds}),
        )?;
    } else {
        writeln!(
            out,
            "{}: {} positions in {} tiers ({} from an earlier run), {} bytes, {} of memory planned, {}\nsha256 {}",
            order.out.display(),
            thousands(built.positions),
            built.tiers,
            built.resumed,
            thousands(built.bytes),
            format_args!("{} MiB", built.memory >> 20),
            time(seconds),
            built.digest
        )?;
    }
    Ok(Exit::Answered)
}

fn stats(out: &mut impl Write, file: &std::path::Path, reachable: bool, json: bool) -> Done {
    let counted = table::stats(file)?;
    let reached = if reachable { Some(table::reachable_of(&counted.heading.spec.parse()?)?) } else { None };
    let side = |side: Option<Side>| side.map_or("either", Side::word);
    if json {
        let counts: Vec<Json> = counted
            .tallies
            .iter()
            .map(|(t, n)| {
                let outcome = t.outcome.map_or("unknown", Outcome::word);
                json!({"side": side(t.side), "outcome": outcome, "plies": t.plies, "positions": n})
            })
            .collect();
        let tiers: Vec<Json> =
            counted.tiers.iter().map(|(name, n)| json!({"name": name, "positions": n})).collect();
        let census = ludex_judge::collapsi::Census::of_table(file)?.map(|c| verbs::collapsi::census_json(&c));
        json_line(
            out,
            &json!({"type": "table_stats", "version": 1, "game": counted.heading.spec, "goal": counted.heading.goal,
                    "numbering": counted.heading.numbering, "plies": counted.heading.plies, "program": counted.heading.program, "digest": counted.digest,
                    "bytes": counted.bytes, "positions": counted.positions, "reachable": reached, "counts": counts,
                    "tiers": tiers, "census": census}),
        )?;
        return Ok(Exit::Answered);
    }
    let heading = &counted.heading;
    let (spec, goal, numbering) = (&heading.spec, &heading.goal, &heading.numbering);
    let plies = heading.plies.map_or(String::new(), |n| format!(", the first {n} plies"));
    writeln!(out, "{spec}{plies} ({goal}, {numbering}), made by {}", heading.program)?;
    writeln!(
        out,
        "{} positions in {} tiers, {} bytes, sha256 {}",
        thousands(counted.positions),
        counted.tiers.len(),
        thousands(counted.bytes),
        counted.digest
    )?;
    if let Some(reached) = reached {
        writeln!(out, "{} of them can be reached from the start", thousands(reached))?;
    }
    writeln!(out, "{:<8} {:<8} {:>5} {:>16}", "to move", "outcome", "plies", "positions")?;
    for (tally, n) in &counted.tallies {
        let plies = tally.plies.map_or("".into(), |p| p.to_string());
        let outcome = tally.outcome.map_or("unknown", Outcome::word);
        writeln!(out, "{:<8} {outcome:<8} {plies:>5} {:>16}", side(tally.side), thousands(*n))?;
    }
    if let Some(census) = ludex_judge::collapsi::Census::of_table(file)? {
        verbs::collapsi::print_census(out, &census)?;
    }
    Ok(Exit::Answered)
}
