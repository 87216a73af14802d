//! `bench`: fixed positions, solved one after the other. The sum of the nodes is the signature of the program's
//! behaviour: a change that keeps it has changed no search.

use std::{
    io::{self, Write},
    str::FromStr,
    time::Instant,
};

use ludex_core::{Budget, Error, ErrorCode, Family, Goal};
use ludex_games::{Cost, KnownValue, known_values};
use ludex_judge::{
    Question,
    answer::{Verdict, known_outcome},
};

use crate::{
    args::Bench,
    context::Context,
    exit::{Done, Exit, Failure},
    objects::{self, BenchTotal, Line},
    output::{count, json_line, time},
    verbs,
};

/// Another solver: its name and the words of its command.
#[derive(Clone, Debug)]
pub struct Beside {
    /// Its name.
    pub name: String,
    /// The words of its command.
    pub command: Vec<String>,
}

impl FromStr for Beside {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let bad = || Error::new(ErrorCode::BadProgram, format!("'{text}' is no program"), "NAME=PROGRAM");
        let (name, command) = text.split_once('=').ok_or_else(bad)?;
        let command: Vec<_> = command.split_whitespace().map(String::from).collect();
        if command.is_empty() { Err(bad()) } else { Ok(Self { name: name.into(), command }) }
    }
}

/// Run the cases of the known values that are marked for it, and what games have besides.
pub fn bench(context: &Context, bench: &Bench) -> Done {
    let families: Vec<&Family> = if bench.games.is_empty() {
        context.registry.families().collect()
    } else {
        let named: Result<Vec<_>, _> = bench.games.iter().map(|name| context.registry.family(name)).collect();
        let named = named?;
        context.registry.families().filter(|f| named.iter().any(|n| n.name == f.name)).collect()
    };
    let cancel = context.cancel()?;
    let mut out = io::stdout().lock();
    let mut exit = Exit::Answered;
    let (mut nodes, start) = (0, Instant::now());
    if !context.json {
        let head = ["case", "verdict", "solver", "nodes", "time", "nodes/s", "memory"];
        let [case, verdict, solver, nodes, time, rate, memory] = head;
        writeln!(out, "{case:<34} {verdict:<12} {solver:<10} {nodes:>14} {time:>10} {rate:>12} {memory:>9}")?;
    }
    for case in families.iter().flat_map(|family| known_values(family)) {
        if !case.bench || case.cost == Cost::Slow && !bench.slow || cancel.is_cancelled() {
            continue;
        }
        let verdict = solve(context, bench, &case)?;
        nodes += verdict.stats.nodes;
        print(&mut out, context, &case, &verdict)?;
        exit = worse(exit, judge(&case, &verdict));
    }
    for verbs in verbs::ALL.iter().filter(|verbs| families.iter().any(|f| f.name == verbs.family)) {
        if let Some(more) = verbs.bench {
            nodes += more(context, &mut out, &bench.beside)?;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    if context.json {
        json_line(&mut out, &Line::BenchTotal(BenchTotal { nodes, seconds }))?;
    } else {
        writeln!(out, "signature: {nodes} nodes, {}", time(seconds))?;
    }
    Ok(exit)
}

fn solve(context: &Context, bench: &Bench, case: &KnownValue) -> Result<Verdict, Error> {
    let question = Question {
        position: case.position.clone(),
        seed: Some(0).filter(|_| case.position.is_none()),
        goal: if case.plies.is_some() { Goal::Distance } else { Goal::Wdl },
        budget: Budget { time: Some(bench.time), nodes: None, memory: bench.memory, threads: bench.threads },
        solver: bench.solver.clone(),
        without: bench.without.clone(),
        tables: false,
        book: false,
    };
    context.open(&case.spec)?.solve(&question, &context.terms()?)
}

/// Hold what was found against what is known.
fn judge(case: &KnownValue, verdict: &Verdict) -> Exit {
    let outcome = known_outcome::word(verdict.outcome);
    if !verdict.is_solved() {
        return Exit::Unanswered;
    }
    if verdict.outcome == Some(case.outcome) && (case.plies.is_none() || verdict.plies == case.plies) {
        return Exit::Answered;
    }
    eprintln!("ludex: {} is a {outcome} by our search, but a {} is known", name(case), case.outcome);
    Exit::CheckFailed
}

fn worse(a: Exit, b: Exit) -> Exit {
    if a as u8 > b as u8 { a } else { b }
}

fn name(case: &KnownValue) -> String {
    format!("{} {}", case.spec, case.position.as_deref().unwrap_or_default())
}

fn print(
    out: &mut impl Write,
    context: &Context,
    case: &KnownValue,
    verdict: &Verdict,
) -> Result<(), Failure> {
    let stats = &verdict.stats;
    if context.json {
        let object = objects::Bench {
            game: case.spec.clone(),
            position: case.position.clone(),
            status: verdict.status,
            outcome: verdict.outcome,
            plies: verdict.plies,
            solver: verdict.solver.clone(),
            nodes: stats.nodes,
            seconds: stats.seconds,
            rate: stats.rate() as u64,
            memory: stats.memory,
        };
        return Ok(json_line(out, &Line::Bench(object))?);
    }
    let plies = verdict.plies.map_or(String::new(), |n| format!(" in {n}"));
    writeln!(
        out,
        "{:<34} {:<12} {:<10} {:>14} {:>10} {:>12} {:>6} MiB",
        name(case),
        format!("{}{plies}", known_outcome::word(verdict.outcome)),
        verdict.solver,
        count(stats.nodes),
        time(stats.seconds),
        count(stats.rate() as u64),
        stats.memory >> 20,
    )?;
    Ok(out.flush()?)
}
