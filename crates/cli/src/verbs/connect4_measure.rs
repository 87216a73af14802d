//! Connect Four's solver on lists of positions, beside the house's search and other programs.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, bail};
use clap::Args;
use ludex_judge::{
    Cancel, FAMILIES, Goal, InputError, Job,
    connect4::{Measured, Meter, samples},
    known_values, open,
};
use serde_json::json;

use crate::{
    exit::{Done, Exit},
    output::{json_line, thousands, time},
    units,
};

/// Positions that are given to one program after the other, so that all of them meet the same moods of the machine.
const CHUNK: usize = 10;

/// `connect4 measure`.
#[derive(Debug, Args)]
pub struct Measure {
    /// The files; '-' as a position is the empty board
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Only the first positions of each file
    #[arg(long, value_name = "N")]
    pub positions: Option<usize>,
    /// Memory of the table
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "64MiB")]
    pub memory: u64,
    /// Threads that share it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
    /// A search of the house instead of the game's own, such as alphabeta
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,
    /// Another program on the same positions: PROGRAM FILE prints mean seconds, mean nodes and the number of wrong scores
    #[arg(long, value_name = "NAME=PROGRAM")]
    pub beside: Vec<Beside>,
}

/// Another solver: its name and the words of its command.
#[derive(Clone, Debug)]
pub struct Beside {
    name: String,
    command: Vec<String>,
}

impl std::str::FromStr for Beside {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let bad = || InputError::new("bad_program", format!("'{text}' is no program"), "NAME=PROGRAM");
        let (name, command) = text.split_once('=').ok_or_else(bad)?;
        let command: Vec<_> = command.split_whitespace().map(String::from).collect();
        if command.is_empty() { Err(bad()) } else { Ok(Self { name: name.into(), command }) }
    }
}

/// How a solver did: mean processor seconds and nodes per position.
#[derive(Clone, Copy, Default)]
struct Mean {
    positions: u64,
    wrong: u64,
    nodes: f64,
    seconds: f64,
}

impl Mean {
    fn add(&mut self, other: Self) {
        let all = (self.positions + other.positions).max(1) as f64;
        let mean = |a: f64, b: f64| (a * self.positions as f64 + b * other.positions as f64) / all;
        (self.nodes, self.seconds) = (mean(self.nodes, other.nodes), mean(self.seconds, other.seconds));
        self.positions += other.positions;
        self.wrong += other.wrong;
    }
}

impl From<Measured> for Mean {
    fn from(m: Measured) -> Self {
        let n = m.positions.max(1) as f64;
        let time = if m.cpu.is_zero() { m.time } else { m.cpu };
        Self {
            positions: m.positions,
            wrong: m.wrong,
            nodes: m.nodes as f64 / n,
            seconds: time.as_secs_f64() / n,
        }
    }
}

impl Beside {
    fn run(&self, file: &Path, positions: u64) -> anyhow::Result<Mean> {
        let (program, arguments) = self.command.split_first().context("no program")?;
        let output = Command::new(program).args(arguments).arg(file).output();
        let output = output.with_context(|| format!("cannot run {program}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let mut words = text.split_whitespace();
        let mut number = || words.next()?.parse::<f64>().ok();
        match (number(), number(), number()) {
            (Some(seconds), Some(nodes), Some(wrong)) if output.status.success() => {
                Ok(Mean { positions, wrong: wrong as u64, nodes, seconds })
            }
            _ => bail!(
                "{} did not print seconds, nodes and wrong scores but '{}': {}",
                self.name,
                text.trim(),
                String::from_utf8_lossy(&output.stderr).trim()
            ),
        }
    }
}

/// Do it.
pub fn measure(options: &Measure, out: &mut impl Write, json: bool) -> Done {
    let mut meter = Meter::new(options.memory, options.threads, options.solver.as_deref())?;
    if !json {
        head(out)?;
    }
    let mut wrong = 0;
    for file in &options.files {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let lines: Vec<&str> = text.lines().take(options.positions.unwrap_or(usize::MAX)).collect();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let solver = options.solver.as_deref().unwrap_or("ludex");
        if options.beside.is_empty() {
            let measured = meter.measure(lines, 0)?;
            wrong += measured.wrong;
            row(out, &name, solver, measured.into(), None, json)?;
            if options.threads > 1 && !json {
                let mean = measured.time.as_secs_f64() / measured.positions.max(1) as f64;
                writeln!(out, "{:<20} {} threads: {} by the clock", "", options.threads, time(mean))?;
            }
            continue;
        }
        let mut ours = Mean::default();
        let mut others = vec![Mean::default(); options.beside.len()];
        let chunk_file = std::env::temp_dir().join(format!("ludex-positions-{}.txt", std::process::id()));
        for (i, chunk) in lines.chunks(CHUNK).enumerate() {
            let measured = meter.measure(chunk.iter().copied(), i * CHUNK)?;
            ours.add(measured.into());
            fs::write(&chunk_file, chunk.join("\n") + "\n")?;
            for (mean, beside) in others.iter_mut().zip(&options.beside) {
                mean.add(beside.run(&chunk_file, measured.positions)?);
            }
        }
        let _ = fs::remove_file(&chunk_file);
        wrong += ours.wrong;
        row(out, &name, solver, ours, None, json)?;
        for (mean, beside) in others.iter().zip(&options.beside) {
            row(out, "", &beside.name, *mean, Some(ours), json)?;
        }
    }
    Ok(if wrong == 0 { Exit::Answered } else { Exit::CheckFailed })
}

fn head(out: &mut impl Write) -> std::io::Result<()> {
    let [set, solver, positions, wrong, nodes, cpu, ratio] =
        ["positions", "solver", "number", "wrong", "nodes", "CPU time", "ratio"];
    writeln!(out, "{set:<20} {solver:<16} {positions:>6} {wrong:>5} {nodes:>12} {cpu:>10} {ratio:>6}")
}

/// A line of the table; the ratio is to the CPU time of `ours`.
fn row(
    out: &mut impl Write,
    set: &str,
    solver: &str,
    mean: Mean,
    ours: Option<Mean>,
    json: bool,
) -> anyhow::Result<()> {
    let ratio = ours.map(|ours| mean.seconds / ours.seconds.max(1e-12));
    if json {
        return json_line(
            out,
            &json!({ "type": "measured", "positions": set, "solver": solver, "number": mean.positions, "wrong": mean.wrong,
                "nodes": mean.nodes, "seconds": mean.seconds, "ratio": ratio }),
        );
    }
    let ratio = ratio.map(|r| format!("{r:.2}")).unwrap_or_default();
    writeln!(
        out,
        "{set:<20} {solver:<16} {:>6} {:>5} {:>12} {:>10} {ratio:>6}",
        mean.positions,
        mean.wrong,
        thousands(mean.nodes as u64),
        time(mean.seconds)
    )?;
    Ok(out.flush()?)
}

/// Connect Four's part of `bench`: fixed positions of random games, the own solver beside the house's search and other
/// programs. Returns the nodes of the own solver.
pub fn bench(out: &mut impl Write, cancel: &Cancel, beside: &[Beside], json: bool) -> anyhow::Result<u64> {
    let mut own = Meter::new(64 << 20, 1, None)?;
    let mut house = Meter::new(64 << 20, 1, Some("alphabeta"))?;
    let mut nodes = 0;
    if !json {
        head(out)?;
    }
    let file = std::env::temp_dir().join(format!("ludex-bench-{}.txt", std::process::id()));
    for (name, positions) in samples() {
        let (mut ours, mut theirs, mut lines) = (Measured::default(), Measured::default(), String::new());
        for position in positions {
            if cancel.is_cancelled() {
                return Ok(nodes);
            }
            let (score, measured) = own.solve(&position)?;
            let line = format!("{position} {score}");
            ours += measured;
            theirs += house.measure([line.as_str()], 0)?;
            lines += &format!("{line}\n");
        }
        nodes += ours.nodes;
        row(out, name, "ludex", ours.into(), None, json)?;
        row(out, "", "alphabeta", theirs.into(), Some(ours.into()), json)?;
        fs::write(&file, &lines)?;
        for beside in beside {
            row(out, "", &beside.name, beside.run(&file, ours.positions)?, Some(ours.into()), json)?;
        }
    }
    let _ = fs::remove_file(&file);
    Ok(nodes)
}

/// Solve the empty boards of known value with at most `cells` cells.
pub fn values(out: &mut impl Write, cells: u64, job: &Job, json: bool) -> Done {
    let family = FAMILIES.iter().find(|f| f.name == "connect4").context("no Connect Four")?;
    let mut wrong = false;
    let mut exit = Exit::Answered;
    let size = |spec: &str| {
        let (width, height) = spec.split_once(':').map_or("7x6", |s| s.1).split_once('x')?;
        Some(width.parse::<u64>().ok()? * height.parse::<u64>().ok()?)
    };
    let mut known: Vec<_> = known_values(family)
        .into_iter()
        .filter(|k| k.position.is_none() && size(&k.spec).is_some_and(|s| s <= cells))
        .collect();
    known.sort_by_key(|k| size(&k.spec));
    for known in known {
        let verdict = open(&known.spec)?.solve(&Job { goal: Goal::Distance, ..job.clone() })?;
        let right = verdict.outcome == known.outcome && verdict.plies == known.plies;
        match verdict.status {
            "solved" => wrong |= !right,
            _ => exit = Exit::Unanswered,
        }
        let number = |name: &str| verdict.stats.get(name).and_then(serde_json::Value::as_f64).unwrap_or(0.0);
        if json {
            json_line(
                out,
                &json!({ "type": "value", "game": known.spec, "status": verdict.status, "outcome": verdict.outcome,
                    "plies": verdict.plies, "known": known.outcome, "known_plies": known.plies,
                    "nodes": number("nodes") as u64, "seconds": number("seconds") }),
            )?;
            continue;
        }
        let said = |outcome: &str, plies: Option<u32>| match plies {
            Some(plies) => format!("{outcome} in {plies}"),
            None => outcome.into(),
        };
        let agrees = match verdict.status {
            "solved" if right => "as known".into(),
            "solved" => format!("but known as {}", said(&known.outcome, known.plies)),
            status => status.replace('_', " "),
        };
        writeln!(
            out,
            "{:<16} {:<12} {agrees:<16} {:>16} nodes {:>10}",
            known.spec,
            said(verdict.outcome, verdict.plies),
            thousands(number("nodes") as u64),
            time(number("seconds"))
        )?;
        out.flush()?;
    }
    Ok(if wrong { Exit::CheckFailed } else { exit })
}
