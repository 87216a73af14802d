//! `table build` with workers: threads, processes and hosts over timely dataflow; and `table status`.

use std::{
    io::Write,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use clap::Args as ClapArgs;
use indicatif::{HumanBytes, HumanCount};
use ludex_core::{Error, ErrorCode, Goal};
use ludex_dataflow::{Layout, Order, Status, age, read_hosts, statuses};
use ludex_judge::{AnyGame, table::Step};

use crate::{
    args::ProgressStyle,
    context::Context,
    exit::{Done, Exit},
    objects::{Line, TableBuilt, TableStatus},
    output::{json_line, time},
    progress::Bar,
    table::{print_built, tell},
    units,
};

/// How the work is spread.
#[derive(Debug, ClapArgs)]
pub struct Spread {
    /// Spread the positions over so many workers in each process; lists that outgrow --memory go to disk
    #[arg(long, value_name = "N", conflicts_with = "threads")]
    pub workers: Option<usize>,
    /// How many processes build together
    #[arg(long, value_name = "P", requires = "process", requires = "hosts", conflicts_with = "threads")]
    pub processes: Option<usize>,
    /// Which of them this is, from 0; process 0 writes the file
    #[arg(long, value_name = "I", requires = "processes")]
    pub process: Option<usize>,
    /// A file with a line HOST:PORT for each process
    #[arg(long, value_name = "FILE", requires = "processes")]
    pub hosts: Option<PathBuf>,
    /// How long to wait for another process, at the start and after it was lost
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "10m")]
    pub wait: Duration,
}

/// What is built.
pub struct About<'a> {
    pub file: &'a Path,
    pub goal: Goal,
    pub memory: u64,
    pub by_key: bool,
    pub style: ProgressStyle,
}

impl Spread {
    /// Whether there are workers at all.
    pub fn is_wanted(&self) -> bool {
        self.workers.is_some() || self.processes.is_some()
    }

    fn layout(&self) -> Result<Layout, Error> {
        let workers = self.workers.unwrap_or(1);
        if !(1..=1024).contains(&workers) {
            let message = format!("--workers {workers}");
            return Err(Error::new(ErrorCode::BadThreads, message, "take 1 to 1024 workers"));
        }
        let (Some(processes), Some(process), Some(hosts)) = (self.processes, self.process, &self.hosts)
        else {
            return Ok(Layout { wait: self.wait, ..Layout::threads(workers) });
        };
        let bad = |message, hint: &str| Err(Error::new(ErrorCode::BadArguments, message, hint));
        if !(1..=1024).contains(&processes) {
            return bad(format!("--processes {processes}"), "take 1 to 1024 processes");
        }
        if process >= processes {
            return bad(
                format!("there is no process {process} of {processes}"),
                &format!("--process is a number from 0 to {}", processes - 1),
            );
        }
        let hosts = read_hosts(hosts, processes)?;
        Ok(Layout {
            workers,
            process,
            hosts: if processes > 1 { hosts } else { Vec::new() },
            wait: self.wait,
        })
    }
}

/// Build a table with workers.
pub fn build(
    out: &mut impl Write,
    context: &Context,
    game: &dyn AnyGame,
    spread: &Spread,
    about: &About<'_>,
) -> Done {
    let order = Order {
        out: about.file.to_owned(),
        spec: game.spec(),
        goal: about.goal,
        memory: about.memory,
        layout: spread.layout()?,
        cancel: context.terms()?.cancel,
    };
    let positions = game.tables().positions(about.by_key)?;
    let bar = Bar::new(about.style);
    let mut last: Option<Instant> = None;
    let built = ludex_dataflow::build(positions, &order, &mut |step| {
        if last.is_some_and(|at| at.elapsed() < Duration::from_millis(200)) {
            return;
        }
        last = Some(Instant::now());
        let name = if step.name.is_empty() { step.phase.to_owned() } else { step.name.clone() };
        let (tier, tiers, done, positions, time) =
            (step.tier, step.tiers, step.done, step.positions, step.time);
        tell(&Step { tier, tiers, name, done, positions, time }, &bar, about.style);
    })?;
    drop(bar);
    print_built(
        out,
        context,
        TableBuilt {
            game: game.spec(),
            file: about.file.to_owned(),
            goal: about.goal.word().to_owned(),
            numbering: built.numbering,
            tiers: built.tiers,
            resumed: built.resumed,
            positions: built.positions,
            memory: about.memory,
            bytes: built.bytes,
            digest: built.digest,
            seconds: built.time.as_secs_f64(),
        },
    )
}

/// Say how far a build is.
pub fn status(out: &mut impl Write, context: &Context, file: &Path) -> Done {
    let mut all = statuses(file);
    if all.is_empty() {
        if !file.is_file() {
            let message = format!("nothing is known of a build of {}", file.display());
            let hint = "name the --out of a build with --workers or --processes, on one of its machines";
            return Err(Error::new(ErrorCode::NotFound, message, hint).into());
        }
        all.push(Status { phase: "finished".into(), ..Status::default() });
    }
    for status in all {
        let silent = if status.at > 0 { age(&status) } else { 0 };
        if context.json {
            let object = TableStatus {
                file: file.to_owned(),
                process: status.process,
                processes: status.processes,
                workers: status.workers,
                phase: status.phase,
                tier: status.tier,
                tiers: status.tiers,
                name: status.name,
                nodes: status.done,
                positions: status.positions,
                sent: status.sent,
                seconds: status.seconds,
                silent,
            };
            json_line(out, &Line::TableStatus(object))?;
        } else if status.at == 0 {
            writeln!(out, "{} is finished", file.display())?;
        } else {
            let tier = match (status.tiers, status.name.as_str()) {
                (0, "") => String::new(),
                (0, name) => format!(" ({name})"),
                (tiers, name) => format!(" tier {} of {tiers} ({name})", status.tier + 1),
            };
            let of = if status.positions > 0 {
                format!(" of {}", HumanCount(status.positions))
            } else {
                String::new()
            };
            let said = if silent > 10 {
                format!("; silent for {silent} s: stopped or killed")
            } else {
                String::new()
            };
            writeln!(
                out,
                "process {} of {}, {} workers: {}{tier}: {}{of} positions, {} sent, {}{said}",
                status.process,
                status.processes,
                status.workers,
                status.phase,
                HumanCount(status.done),
                HumanBytes(status.sent),
                time(status.seconds)
            )?;
        }
    }
    Ok(Exit::Answered)
}
