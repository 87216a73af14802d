//! `bench`: fixed positions, solved one after the other. The sum of the nodes is the signature of the program's
//! behaviour: a change that keeps it has changed no search.

use std::{
    io::{self, Write},
    time::Instant,
};

use ludex_judge::{Budget, Cost, FAMILIES, Goal, InputError, Job, known_values, open};
use serde_json::json;

use crate::{
    args::Bench,
    exit::{Done, Exit},
    output::{json_line, thousands, time},
    questions::stopped_by_ctrl_c,
    verbs::connect4_measure,
};

/// Run the cases of the known values that are marked for it.
pub fn bench(bench: &Bench) -> Done {
    for name in &bench.games {
        if FAMILIES.iter().all(|f| f.name != name) {
            let names: Vec<_> = FAMILIES.iter().map(|f| f.name).collect();
            let hint = format!("the games are {}", names.join(", "));
            return Err(InputError::spec(format!("there is no game '{name}'"), hint).into());
        }
    }
    let cancel = stopped_by_ctrl_c()?;
    let mut out = io::stdout().lock();
    let mut exit = Exit::Answered;
    let mut failed = false;
    let (mut total_nodes, start) = (0, Instant::now());
    if !bench.json {
        let head = ["case", "verdict", "solver", "nodes", "time", "nodes/s", "memory"];
        let [case, verdict, solver, nodes, time, rate, memory] = head;
        writeln!(out, "{case:<34} {verdict:<12} {solver:<10} {nodes:>14} {time:>10} {rate:>12} {memory:>9}")?;
    }
    for family in
        FAMILIES.iter().filter(|f| bench.games.is_empty() || bench.games.iter().any(|g| g == f.name))
    {
        for case in known_values(family) {
            if !case.bench || case.cost == Cost::Slow && !bench.slow || cancel.is_cancelled() {
                continue;
            }
            let game = open(&case.spec)?;
            let job = Job {
                position: case.position.clone(),
                seed: Some(0).filter(|_| case.position.is_none()),
                goal: if case.plies.is_some() { Goal::Distance } else { Goal::Wdl },
                budget: Budget {
                    time: Some(bench.time),
                    nodes: None,
                    memory: bench.memory,
                    threads: bench.threads,
                },
                solver: bench.solver.clone(),
                without: bench.without.clone(),
                tables: false,
                book: false,
                cancel: cancel.clone(),
                ..Job::default()
            };
            let verdict = game.solve(&job)?;
            let number =
                |name: &str| verdict.stats.get(name).and_then(serde_json::Value::as_f64).unwrap_or(0.0);
            let (nodes, seconds) = (number("nodes"), number("seconds"));
            let rate = if seconds > 0.0 { nodes / seconds } else { 0.0 };
            total_nodes += nodes as u64;
            let right =
                verdict.outcome == case.outcome && (case.plies.is_none() || verdict.plies == case.plies);
            let name = format!("{} {}", case.spec, case.position.as_deref().unwrap_or_default());
            if verdict.status != "solved" {
                exit = Exit::Unanswered;
            } else if !right {
                eprintln!(
                    "ludex: {name} is a {} by our search, but a {} is known",
                    verdict.outcome, case.outcome
                );
                failed = true;
            }
            if bench.json {
                json_line(
                    &mut out,
                    &json!({
                        "type": "bench", "game": case.spec, "position": case.position, "status": verdict.status,
                        "outcome": verdict.outcome, "plies": verdict.plies, "solver": verdict.solver,
                        "nodes": nodes as u64, "seconds": seconds, "rate": rate as u64, "memory": number("memory") as u64,
                    }),
                )?;
            } else {
                let plies = verdict.plies.map_or(String::new(), |n| format!(" in {n}"));
                writeln!(
                    out,
                    "{name:<34} {:<12} {:<10} {:>14} {:>10} {:>12} {:>6} MiB",
                    format!("{}{plies}", verdict.outcome),
                    verdict.solver,
                    thousands(nodes as u64),
                    time(seconds),
                    thousands(rate as u64),
                    number("memory") as u64 >> 20,
                )?;
            }
            out.flush()?;
        }
    }
    if bench.games.is_empty() || bench.games.iter().any(|g| g == "connect4") {
        total_nodes += connect4_measure::bench(&mut out, &cancel, &bench.beside, bench.json)?;
    }
    if bench.games.is_empty() || bench.games.iter().any(|g| g == "collapsi") {
        crate::verbs::collapsi::bench(&mut out, &cancel, bench.json)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    if bench.json {
        json_line(&mut out, &json!({"type": "bench_total", "nodes": total_nodes, "seconds": seconds}))?;
    } else {
        writeln!(out, "signature: {total_nodes} nodes, {}", time(seconds))?;
    }
    Ok(if failed { Exit::CheckFailed } else { exit })
}
