//! Connect Four's solver on lists of positions, beside the generic search and other programs.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

use clap::Args;
use ludex_core::{Error, ErrorCode, Goal};
use ludex_games::known_values;
use ludex_judge::{Question, answer::known_outcome};
use ludex_studies::connect4::{Meter, ScoresMeasured, samples};

use crate::{
    bench::Beside,
    context::Context,
    exit::{Done, Exit, Failure, failed},
    objects::{Line, Measured, ScoreLine, ValueFound},
    output::{count, json_line, time},
    units,
};

/// Positions that are given to one program after the other, so that all of them run while the machine is equally busy.
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
    /// A generic search instead of the game's own, such as alphabeta
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,
    /// Another program on the same positions: PROGRAM FILE prints mean seconds, mean nodes and the number of wrong scores
    #[arg(long, value_name = "NAME=PROGRAM")]
    pub beside: Vec<Beside>,
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

impl From<ScoresMeasured> for Mean {
    fn from(m: ScoresMeasured) -> Self {
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

/// Run another program on a file of positions.
fn run(beside: &Beside, file: &Path, positions: u64) -> Result<Mean, Failure> {
    let name = &beside.name;
    let bad = |what: String| Error::new(ErrorCode::BadProgram, what, "a program that prints three numbers");
    let Some((program, arguments)) = beside.command.split_first() else {
        return Err(bad(format!("{name} has no program")).into());
    };
    let output = Command::new(program).args(arguments).arg(file).output();
    let output = output.map_err(failed(format!("cannot run {program}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut words = text.split_whitespace();
    let mut number = || words.next()?.parse::<f64>().ok();
    match (number(), number(), number()) {
        (Some(seconds), Some(nodes), Some(wrong)) if output.status.success() => {
            Ok(Mean { positions, wrong: wrong as u64, nodes, seconds })
        }
        _ => {
            let (said, fault) = (text.trim(), String::from_utf8_lossy(&output.stderr));
            let fault = fault.trim();
            let what = format!("{name} did not print seconds, nodes and wrong scores but '{said}': {fault}");
            Err(bad(what).into())
        }
    }
}

/// Solve lists of positions.
pub fn measure(context: &Context, options: &Measure, out: &mut impl Write) -> Done {
    let other = options.solver.as_deref().map(|solver| (solver, &context.registry));
    let mut meter = Meter::new(options.memory, options.threads, other)?;
    if !context.json {
        head(out)?;
    }
    let mut wrong = 0;
    for file in &options.files {
        let text = fs::read_to_string(file).map_err(failed(format!("cannot read {}", file.display())))?;
        let lines: Vec<&str> = text.lines().take(options.positions.unwrap_or(usize::MAX)).collect();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let solver = options.solver.as_deref().unwrap_or("ludex");
        if options.beside.is_empty() {
            let measured = meter.measure(lines, 0)?;
            wrong += measured.wrong;
            row(context, out, (&name, solver), measured.into(), None)?;
            if options.threads > 1 && !context.json {
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
                mean.add(run(beside, &chunk_file, measured.positions)?);
            }
        }
        let _ = fs::remove_file(&chunk_file);
        wrong += ours.wrong;
        row(context, out, (&name, solver), ours, None)?;
        for (mean, beside) in others.iter().zip(&options.beside) {
            row(context, out, ("", &beside.name), *mean, Some(ours))?;
        }
    }
    Ok(if wrong == 0 { Exit::Answered } else { Exit::CheckFailed })
}

fn head(out: &mut (impl Write + ?Sized)) -> std::io::Result<()> {
    let [set, solver, positions, wrong, nodes, cpu, ratio] =
        ["positions", "solver", "number", "wrong", "nodes", "CPU time", "ratio"];
    writeln!(out, "{set:<20} {solver:<16} {positions:>6} {wrong:>5} {nodes:>12} {cpu:>10} {ratio:>6}")
}

/// A line of the table; the ratio is to the CPU time of `ours`.
fn row(
    context: &Context,
    out: &mut (impl Write + ?Sized),
    (set, solver): (&str, &str),
    mean: Mean,
    ours: Option<Mean>,
) -> Result<(), Failure> {
    let ratio = ours.map(|ours| mean.seconds / ours.seconds.max(1e-12));
    if context.json {
        let object = ScoreLine {
            positions: set.to_owned(),
            solver: solver.to_owned(),
            number: mean.positions,
            wrong: mean.wrong,
            nodes: mean.nodes,
            seconds: mean.seconds,
            ratio,
        };
        return Ok(json_line(out, &Line::Measured(Measured::Scores(object)))?);
    }
    let ratio = ratio.map(|r| format!("{r:.2}")).unwrap_or_default();
    writeln!(
        out,
        "{set:<20} {solver:<16} {:>6} {:>5} {:>12} {:>10} {ratio:>6}",
        mean.positions,
        mean.wrong,
        count(mean.nodes as u64),
        time(mean.seconds)
    )?;
    Ok(out.flush()?)
}

/// Connect Four's part of `bench`: fixed positions of random games, the own solver beside the generic search and other
/// programs. Returns the nodes of the own solver.
pub fn bench(context: &Context, out: &mut dyn Write, beside: &[Beside]) -> Result<u64, Failure> {
    const GENERIC: &str = "alphabeta";
    let cancel = context.cancel()?;
    let mut own = Meter::new(64 << 20, 1, None)?;
    let mut generic = Meter::new(64 << 20, 1, Some((GENERIC, &context.registry)))?;
    let mut nodes = 0;
    if !context.json {
        head(out)?;
    }
    let file = std::env::temp_dir().join(format!("ludex-bench-{}.txt", std::process::id()));
    for (name, positions) in samples() {
        let (mut ours, mut theirs, mut lines) =
            (ScoresMeasured::default(), ScoresMeasured::default(), String::new());
        for position in positions {
            if cancel.is_cancelled() {
                return Ok(nodes);
            }
            let (score, measured) = own.solve(&position)?;
            let line = format!("{position} {score}");
            ours += measured;
            theirs += generic.measure([line.as_str()], 0)?;
            lines += &format!("{line}\n");
        }
        nodes += ours.nodes;
        row(context, out, (name, "ludex"), ours.into(), None)?;
        row(context, out, ("", GENERIC), theirs.into(), Some(ours.into()))?;
        fs::write(&file, &lines)?;
        for beside in beside {
            row(context, out, ("", &beside.name), run(beside, &file, ours.positions)?, Some(ours.into()))?;
        }
    }
    let _ = fs::remove_file(&file);
    Ok(nodes)
}

/// Solve the empty boards of known value with at most `cells` cells.
pub fn values(context: &Context, out: &mut impl Write, cells: u64, question: &Question) -> Done {
    let mut wrong = false;
    let mut exit = Exit::Answered;
    let size = |spec: &str| {
        let (width, height) = spec.split_once(':').map_or("7x6", |s| s.1).split_once('x')?;
        Some(width.parse::<u64>().ok()? * height.parse::<u64>().ok()?)
    };
    let mut known: Vec<_> = known_values(context.registry.family(super::connect4::VERBS.family)?)
        .into_iter()
        .filter(|k| k.position.is_none() && size(&k.spec).is_some_and(|s| s <= cells))
        .collect();
    known.sort_by_key(|k| size(&k.spec));
    let question = Question { goal: Goal::Distance, ..question.clone() };
    for known in known {
        let verdict = context.open(&known.spec)?.solve(&question, &context.terms()?)?;
        let outcome = known_outcome::word(verdict.outcome);
        let right = verdict.outcome == Some(known.outcome) && verdict.plies == known.plies;
        if verdict.is_solved() {
            wrong |= !right;
        } else {
            exit = Exit::Unanswered;
        }
        if context.json {
            let object = ValueFound {
                game: known.spec,
                status: verdict.status,
                outcome: verdict.outcome,
                plies: verdict.plies,
                known: known.outcome,
                known_plies: known.plies,
                nodes: verdict.stats.nodes,
                seconds: verdict.stats.seconds,
            };
            json_line(out, &Line::Value(object))?;
            continue;
        }
        let said = |outcome: &str, plies: Option<u32>| match plies {
            Some(plies) => format!("{outcome} in {plies}"),
            None => outcome.into(),
        };
        let agrees = match (verdict.is_solved(), right) {
            (true, true) => "as known".into(),
            (true, false) => format!("but known as {}", said(known.outcome.word(), known.plies)),
            (false, _) => verdict.status.word().replace('_', " "),
        };
        writeln!(
            out,
            "{:<16} {:<12} {agrees:<16} {:>16} nodes {:>10}",
            known.spec,
            said(outcome, verdict.plies),
            count(verdict.stats.nodes),
            time(verdict.stats.seconds)
        )?;
        out.flush()?;
    }
    Ok(if wrong { Exit::CheckFailed } else { exit })
}
