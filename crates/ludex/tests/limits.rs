//! Limits and Ctrl-C hold for every game, size, command and solver.
//!
//! The games come from the registry: the largest specs that each family [promises](ludex::core::Family::largest), so that
//! the next game is tested by itself. What counts is the processor's time, which a busy machine does not stretch; the time
//! on the wall only has to end.
#![cfg(target_os = "linux")]

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, Command, Stdio},
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use ludex::prelude::*;
use serde_json::Value as Json;

/// The limit of every command.
const LIMIT: &str = "300ms";
/// The processor's time that a command may take in all: its limit, its start and its end, and what it may be late.
const MOST: Duration = Duration::from_millis(900);
/// The processor's time it may take after it was told to stop.
const MOST_AFTER: Duration = Duration::from_millis(600);
/// A command that has not ended by now waits for something that does not come.
const NEVER: Duration = Duration::from_secs(60);
/// Commands at a time.
const AT_A_TIME: usize = 3;

/// A file with a Maker–Breaker game of 300 cells and 6,000 sets.
fn large_hypergraph(folder: &tempfile::TempDir) -> String {
    let mut rng = ludex::core::Rng::new(5);
    let names = |letter: char, step: usize| {
        (0..300).step_by(step).map(|i| format!("{letter}{i}")).collect::<Vec<_>>().join(" ")
    };
    let (times, black) = (names('t', 1), names('t', 2));
    let mut text =
        format!("#times\n{times}\n#blackturns\n{black}\n#positions\n{}\n#blackwins\n", names('c', 1));
    for _ in 0..6000 {
        let mut set: Vec<usize> = (0..6).map(|_| rng.below(300)).collect();
        set.sort_unstable();
        set.dedup();
        text += &set.iter().map(|i| format!("c{i} ")).collect::<String>();
        text.push('\n');
    }
    let file = folder.path().join("large.pg");
    fs::write(&file, text).expect("written");
    format!("positional:{}", file.display())
}

/// All specs to try.
fn specs() -> Vec<&'static str> {
    let registry = Registry::standard();
    let families: Vec<_> = registry.families().collect();
    for family in &families {
        assert!(!family.largest.is_empty(), "{} names no largest spec", family.name);
    }
    families.iter().flat_map(|family| family.largest).copied().collect()
}

/// The processor's time that a process has taken, even if it has just ended.
fn cpu_time(child: &Child) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).expect("nobody has waited for it");
    // After the name in brackets: user and system time are the 12th and 13th fields, in hundredths of a second.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: u64 = fields[11..13].iter().map(|n| n.parse::<u64>().expect("a number")).sum();
    Duration::from_millis(10 * ticks)
}

/// Whether a process has ended, though nobody has waited for it.
fn has_ended(child: &Child) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).expect("nobody has waited for it");
    stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'))
}

/// A command that has ended.
struct Ended {
    stdout: String,
    stderr: String,
    code: Option<i32>,
    cpu: Duration,
}

fn start(command: &[String]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(command)
        .env_remove("LUDEX_TABLES")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs")
}

/// Wait for the end. What it writes is read meanwhile.
fn end(mut child: Child) -> Ended {
    let began = Instant::now();
    let (mut out, mut err) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
    let errors = thread::spawn(move || {
        let mut text = String::new();
        err.read_to_string(&mut text).map(|_| text)
    });
    let output = thread::spawn(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).map(|_| text)
    });
    while !has_ended(&child) {
        if began.elapsed() > NEVER {
            child.kill().expect("killed");
            break;
        }
        thread::sleep(Duration::from_millis(5));
    }
    let cpu = cpu_time(&child);
    let code = child.wait().expect("ended").code();
    let text =
        |reader: thread::JoinHandle<std::io::Result<String>>| reader.join().expect("no panic").expect("text");
    Ended { stdout: text(output), stderr: text(errors), code, cpu }
}

/// Try all commands, some at a time, and tell everything that is wrong.
fn all(commands: Vec<Vec<String>>, check: impl Fn(&[String]) -> Result<(), String> + Sync) {
    assert!(!commands.is_empty());
    let faults = Mutex::new(Vec::new());
    let next = Mutex::new(commands.into_iter());
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(command) = { next.lock().expect("no panic").next() } {
                    if let Err(fault) = check(&command) {
                        faults.lock().expect("no panic").push(format!("{}: {fault}", command.join(" ")));
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().expect("no panic");
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// Every way to ask about a spec.
fn questions(spec: &str) -> Vec<Vec<String>> {
    let solvers = Registry::standard().open(spec).expect("a game").solvers();
    let mut list: Vec<Vec<String>> =
        solvers.iter().map(|solver| words(&["solve", spec, "--solver", solver])).collect();
    list.extend(["solve", "analyze", "explain"].map(|verb| words(&[verb, spec])));
    list.push(words(&["solve", spec, "--goal", "distance"]));
    list
}

fn shown(text: &str) -> &str {
    text.get(..400).unwrap_or(text)
}

fn in_time(command: &[String]) -> Result<(), String> {
    let ended = end(start(command));
    if ended.cpu > MOST {
        return Err(format!("took {:?} of the processor's time", ended.cpu));
    }
    let line = ended.stdout.lines().last().or(ended.stderr.lines().last()).unwrap_or_default();
    let answer: Json = serde_json::from_str(line).map_err(|e| format!("{e}: {}", shown(line)))?;
    let said = (answer["status"].as_str(), ended.code);
    let good = match command[0].as_str() {
        "puzzle" => ended.code == Some(0) || answer["code"] == "not_found",
        "think" => ended.code == Some(0) && answer["best"].is_string(),
        _ => matches!(said, (Some("solved"), Some(0)) | (Some("out_of_time"), Some(1))),
    };
    if good { Ok(()) } else { Err(format!("said {said:?}: {}", shown(line))) }
}

#[test]
fn time_is_kept_by_every_game_command_and_solver() {
    let folder = tempfile::tempdir().expect("a folder");
    let large = large_hypergraph(&folder);
    let mut commands = Vec::new();
    for spec in specs().into_iter().chain([large.as_str()]) {
        let limits = ["--time", LIMIT, "--json"];
        for mut command in questions(spec) {
            command.extend(words(&["--no-db", "--progress", "none"]));
            command.extend(words(&limits));
            commands.push(command);
        }
        for verb in ["puzzle", "think"] {
            let mut command = words(&[verb, spec]);
            command.extend(words(&limits));
            commands.push(command);
        }
    }
    all(commands, in_time);
}

/// Stopped in the middle, it says so and what it has.
#[expect(clippy::zombie_processes, reason = "`end` waits for it; a test that fails to read from it is over")]
fn stopped(command: &[String]) -> Result<(), String> {
    let mut child = start(command);
    let mut err = BufReader::new(child.stderr.take().expect("piped"));
    let mut progress = String::new();
    let read = err.read_line(&mut progress).map_err(|e| e.to_string())?;
    if read == 0 {
        // It knew the answer before there was any progress to tell.
        child.stderr = Some(err.into_inner());
        let ended = end(child);
        return if ended.code == Some(0) { Ok(()) } else { Err(format!("ended with {:?}", ended.code)) };
    }
    let before = cpu_time(&child);
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.expect("kill runs").success());
    child.stderr = Some(err.into_inner());
    let ended = end(child);
    let after = ended.cpu.saturating_sub(before);
    if after > MOST_AFTER {
        return Err(format!("took {after:?} of the processor's time after the signal"));
    }
    let line = ended.stdout.lines().last().unwrap_or_default();
    let answer: Json = serde_json::from_str(line).map_err(|e| format!("{e}: {}", shown(line)))?;
    match (answer["status"].as_str(), ended.code) {
        (Some("cancelled"), Some(1)) | (Some("solved"), Some(0)) => Ok(()),
        said => Err(format!("said {said:?}")),
    }
}

#[test]
fn ctrl_c_is_obeyed_by_every_game_command_and_solver() {
    let mut commands = Vec::new();
    for spec in specs() {
        for mut command in questions(spec) {
            // A bound far away, should the signal be lost.
            command.extend(words(&["--no-db", "--json", "--progress", "json", "--time", "50s"]));
            command.extend(words(&["--memory", "256MiB"]));
            commands.push(command);
        }
    }
    all(commands, stopped);
}

/// Programs that play: one move each, within the time for it.
#[test]
#[expect(clippy::zombie_processes, reason = "`end` waits for it; a test that fails to write to it is over")]
fn players_keep_their_time() {
    let mut commands = Vec::new();
    for spec in
        specs().into_iter().filter(|spec| !spec.starts_with("positional") && !spec.contains("first=breaker"))
    {
        for player in ["random", "greedy", "level:3", "perfect"] {
            commands.push(words(&["engine", spec, "--player", player, "--time", LIMIT]));
        }
    }
    all(commands, |command| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ludex"))
            .args(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut stdin = child.stdin.take().expect("piped");
        stdin.write_all(b"genmove b\nquit\n").map_err(|e| e.to_string())?;
        drop(stdin);
        let ended = end(child);
        if ended.cpu > MOST {
            return Err(format!("took {:?} of the processor's time", ended.cpu));
        }
        let moved = ended.stdout.lines().next().is_some_and(|line| line.starts_with("= ") && line.len() > 2);
        if moved { Ok(()) } else { Err(format!("said {}", shown(&ended.stdout))) }
    });
}

#[test]
fn memory_that_cannot_be_had_is_an_error() {
    for memory in ["99999GiB", "9999999GiB"] {
        let ended = end(start(&words(&["solve", "mnk:3,3,3", "--no-db", "--json", "--memory", memory])));
        let line = ended.stdout.lines().chain(ended.stderr.lines()).last().unwrap_or_default();
        let error: Json = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        assert_eq!((error["code"].as_str(), ended.code), (Some("bad_memory"), Some(2)), "{memory}");
        assert!(error["hint"].as_str().is_some_and(|hint| !hint.is_empty()));
    }
}
