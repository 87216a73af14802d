//! `table`: build, probe, count and verify tables of whole games.

use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::Mutex,
    time::{Duration, Instant},
};

use clap::{Args as ClapArgs, Subcommand};
use indicatif::HumanCount;
use ludex_core::Side;
use ludex_judge::{
    AnyGame,
    answer::{VERSION, known_outcome},
    table::{self, Exported, Order, Step, Verified, Verifying},
};

#[cfg(feature = "dataflow")]
use crate::spread::{self, Spread};
use crate::{
    args::{Goal, ProgressStyle},
    context::Context,
    dataset::push_field,
    exit::{Done, Exit},
    objects::{
        CensusObject, Held, Line, TableBuilt, TableCount, TableProgress, TableStats, TableTier,
        TableVerified, WrongValue,
    },
    output::{count, json_line, time},
    progress::Bar,
    units, verbs,
};

/// `table`.
#[derive(Debug, ClapArgs)]
pub struct Table {
    #[command(subcommand)]
    pub action: Action,
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
        #[cfg(feature = "dataflow")]
        #[command(flatten)]
        spread: Spread,
        /// How to show progress
        #[arg(long, value_enum, default_value = "auto")]
        progress: ProgressStyle,
    },
    /// How far a build with --workers or --processes is
    #[cfg(feature = "dataflow")]
    Status {
        /// The file that is being built
        file: PathBuf,
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
    /// Write every position with its value, as comma-separated values or, with --json, as JSON lines
    Export {
        /// The table
        file: PathBuf,
        /// Only the first so many
        #[arg(long, value_name = "N", value_parser = units::count)]
        limit: Option<u64>,
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

/// The game that a file is of.
fn game_of(context: &Context, file: &Path) -> Result<Box<dyn AnyGame>, ludex_core::Error> {
    context.open(&table::heading(file)?.spec)
}

/// Do it.
pub fn table(context: &Context, table: &Table) -> Done {
    let mut out = io::stdout().lock();
    match &table.action {
        #[cfg(feature = "dataflow")]
        Action::Build { spec, out: file, goal, memory, by_key, spread, progress, .. }
            if spread.is_wanted() =>
        {
            let about = spread::About {
                file,
                goal: (*goal).into(),
                memory: *memory,
                by_key: *by_key,
                style: *progress,
            };
            spread::build(&mut out, context, &*context.open(spec)?, spread, &about)
        }
        #[cfg(feature = "dataflow")]
        Action::Status { file } => spread::status(&mut out, context, file),
        Action::Build { spec, out: file, goal, memory, threads, by_key, progress, .. } => {
            let order = Order {
                out: file,
                goal: (*goal).into(),
                memory: *memory,
                threads: all_threads(*threads),
                by_key: *by_key,
                terms: &context.terms()?,
            };
            build(&mut out, context, &*context.open(spec)?, &order, *progress)
        }
        Action::Probe { file, position } => {
            let game = game_of(context, file)?;
            let probed = game.tables().probe(file, position.as_deref())?;
            if context.json {
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
        Action::Export { file, limit } => export(&mut out, context, file, *limit),
        Action::Stats { file, reachable } => stats(&mut out, context, file, *reachable),
        Action::Verify { file, sample, seed, memory, threads } => {
            let terms = context.terms()?;
            let bar = Bar::counting(0, "positions");
            let how = Verifying {
                sample: *sample,
                seed: *seed,
                memory: *memory,
                threads: all_threads(*threads),
                cancel: &terms.cancel,
                spawner: &*terms.spawner,
                progress: &|done, of| bar.count(done, of),
            };
            let start = Instant::now();
            let found = game_of(context, file)?.tables().verify(file, &how)?;
            bar.clear();
            verified(&mut out, context, found, start.elapsed().as_secs_f64())
        }
    }
}

/// Write every position of a table or book.
pub fn export(out: &mut impl Write, context: &Context, file: &Path, limit: Option<u64>) -> Done {
    let game = game_of(context, file)?;
    let mut out = BufWriter::new(out);
    if !context.json {
        writeln!(out, "position,to_move,outcome,plies")?;
    }
    let (mut told, mut failed) = (0, None);
    game.tables().export(file, &context.cancel()?, &mut |held: Exported| {
        let Exported { position, to_move, value } = held;
        let written = if context.json {
            let (outcome, plies) = (value.outcome(), value.plies());
            json_line(&mut out, &Line::Held(Held { game: game.spec(), position, to_move, outcome, plies }))
        } else {
            let mut line = String::new();
            push_field(&mut line, &position);
            let plies = value.plies().map_or(String::new(), |n| n.to_string());
            writeln!(out, "{line},{},{},{plies}", to_move.word(), value.outcome())
        };
        told += 1;
        failed = written.err();
        failed.is_none() && limit.is_none_or(|most| told < most)
    })?;
    failed.map_or(Ok(()), Err)?;
    out.flush()?;
    Ok(Exit::Answered)
}

fn verified(out: &mut impl Write, context: &Context, found: Verified, seconds: f64) -> Done {
    let sound = found.wrong.is_empty();
    if context.json {
        let wrong = found.wrong.into_iter();
        let wrong = wrong.map(|(position, table, rules)| WrongValue { position, table, rules }).collect();
        let (checked, positions) = (found.checked, found.positions);
        json_line(out, &Line::TableVerified(TableVerified { checked, positions, wrong, seconds }))?;
    } else {
        for (p, says, should) in &found.wrong {
            writeln!(out, "{p}: the table says {says}, the rules say {should}")?;
        }
        writeln!(
            out,
            "checksums and digest match; {} of {} values derived again in {}: {}",
            HumanCount(found.checked),
            HumanCount(found.positions),
            time(seconds),
            if sound { "all right" } else { "WRONG" }
        )?;
    }
    Ok(if sound { Exit::Answered } else { Exit::CheckFailed })
}

fn build(
    out: &mut impl Write,
    context: &Context,
    game: &dyn AnyGame,
    order: &Order<'_>,
    style: ProgressStyle,
) -> Done {
    let bar = Bar::new(style);
    let last = Mutex::new(Instant::now());
    let report = |step: &Step| {
        let Ok(mut last) = last.try_lock() else { return };
        if last.elapsed() < Duration::from_millis(200) {
            return;
        }
        *last = Instant::now();
        tell(step, &bar, style);
    };
    let built = game.tables().build(order, &report)?;
    drop(bar);
    let seconds = built.time.as_secs_f64();
    print_built(
        out,
        context,
        TableBuilt {
            game: game.spec(),
            file: order.out.to_owned(),
            goal: order.goal.word().to_owned(),
            numbering: built.numbering,
            tiers: built.tiers,
            resumed: built.resumed,
            positions: built.positions,
            memory: built.memory,
            bytes: built.bytes,
            digest: built.digest,
            seconds,
        },
    )
}

/// Say what was built.
pub fn print_built(out: &mut impl Write, context: &Context, built: TableBuilt) -> Done {
    if context.json {
        json_line(out, &Line::TableBuilt(built))?;
        return Ok(Exit::Answered);
    }
    writeln!(
        out,
        "{}: {} positions in {} tiers ({} from an earlier run), {} bytes, {} MiB of memory planned, {}\nsha256 {}",
        built.file.display(),
        HumanCount(built.positions),
        built.tiers,
        built.resumed,
        HumanCount(built.bytes),
        built.memory >> 20,
        time(built.seconds),
        built.digest
    )?;
    Ok(Exit::Answered)
}

/// Tell how far a build is, in the wanted way.
pub fn tell(step: &Step, bar: &Bar, style: ProgressStyle) {
    let seconds = step.time.as_secs_f64();
    let rate = (step.done as f64 / seconds.max(1e-9)).round();
    if style == ProgressStyle::Json {
        let object = Line::Progress(TableProgress {
            tier: step.tier,
            tiers: step.tiers,
            name: step.name.clone(),
            nodes: step.done,
            positions: step.positions,
            seconds,
            rate,
        });
        // A progress line that nobody can read any more is no reason to stop.
        let _ = json_line(&mut io::stderr().lock(), &object);
    } else if !bar.is_hidden() {
        bar.say(format!(
            "tier {}/{} ({}): {} of {} positions, {}/s",
            step.tier + 1,
            step.tiers,
            step.name,
            HumanCount(step.done),
            HumanCount(step.positions),
            HumanCount(rate as u64)
        ));
    }
}

fn stats(out: &mut impl Write, context: &Context, file: &Path, reachable: bool) -> Done {
    let counted = table::stats(file)?;
    let heading = counted.heading;
    let reached = if reachable { Some(context.open(&heading.spec)?.tables().reachable()?) } else { None };
    let census = verbs::census(context, &heading.spec, file)?;
    let side = |side: Option<Side>| side.map_or("either", Side::word);
    if context.json {
        let count = |(tally, positions): (table::Tally, u64)| TableCount {
            side: side(tally.side).to_owned(),
            outcome: tally.outcome,
            plies: tally.plies,
            positions,
        };
        let object = TableStats {
            version: VERSION,
            game: heading.spec,
            goal: heading.goal,
            numbering: heading.numbering,
            plies: heading.plies,
            program: heading.program,
            digest: counted.digest,
            bytes: counted.bytes,
            positions: counted.positions,
            reachable: reached,
            counts: counted.tallies.into_iter().map(count).collect(),
            tiers: counted.tiers.into_iter().map(|(name, positions)| TableTier { name, positions }).collect(),
            census: census.map(CensusObject::Census),
        };
        json_line(out, &Line::TableStats(object))?;
        return Ok(Exit::Answered);
    }
    let (spec, goal, numbering) = (&heading.spec, &heading.goal, &heading.numbering);
    let plies = heading.plies.map_or(String::new(), |n| format!(", the first {n} plies"));
    writeln!(out, "{spec}{plies} ({goal}, {numbering}), made by {}", heading.program)?;
    writeln!(
        out,
        "{} positions in {} tiers, {} bytes, sha256 {}",
        HumanCount(counted.positions),
        counted.tiers.len(),
        HumanCount(counted.bytes),
        counted.digest
    )?;
    if let Some(reached) = reached {
        writeln!(out, "{} of them can be reached from the start", HumanCount(reached))?;
    }
    writeln!(out, "{:<8} {:<8} {:>5} {:>16}", "to move", "outcome", "plies", "positions")?;
    for (tally, n) in &counted.tallies {
        let plies = tally.plies.map_or("".into(), |p| p.to_string());
        let outcome = known_outcome::word(tally.outcome);
        writeln!(out, "{:<8} {outcome:<8} {plies:>5} {:>16}", side(tally.side), count(*n))?;
    }
    if let Some(census) = census {
        verbs::print_census(out, &census)?;
    }
    Ok(Exit::Answered)
}
