//! Tables built by several processes on the command line: the same file as by one thread, whoever is killed, slow or wrong.
#![cfg(unix)]

use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::atomic::{AtomicU16, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

fn ludex(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ludex")).args(arguments).output().expect("ludex runs")
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(text.lines().last().unwrap_or_default())
        .unwrap_or_else(|e| panic!("{e}: {output:?}"))
}

/// The file that one thread makes.
fn by_one(spec: &str, goal: &str, folder: &Path) -> Vec<u8> {
    let out = folder.join("one.table").display().to_string();
    let built = ludex(&["table", "build", spec, "--goal", goal, "--out", &out, "--threads", "1"]);
    assert!(built.status.success(), "{built:?}");
    fs::read(out).unwrap()
}

/// Several processes that build a file together.
struct Crew {
    spec: &'static str,
    out: PathBuf,
    hosts: PathBuf,
    processes: usize,
    running: Vec<Option<Child>>,
}

impl Crew {
    fn new(spec: &'static str, folder: &Path, processes: usize) -> Self {
        // Not from where the system takes the ports of connections that leave: one of those could have the port of a
        // process that was killed before it is back.
        static NEXT: AtomicU16 = AtomicU16::new(0);
        let first = 25_000 + u16::try_from(std::process::id() % 500).unwrap() * 10;
        let free = || loop {
            let port = first + NEXT.fetch_add(1, Ordering::Relaxed);
            if TcpListener::bind(("127.0.0.1", port)).is_ok() {
                break port;
            }
        };
        let lines: String = (0..processes).map(|_| format!("127.0.0.1:{}\n", free())).collect();
        let hosts = folder.join("hosts.txt");
        fs::write(&hosts, lines).unwrap();
        let running = (0..processes).map(|_| None).collect();
        Self { spec, out: folder.join("many.table"), hosts, processes, running }
    }

    fn start(&mut self, process: usize) {
        let child = Command::new(env!("CARGO_BIN_EXE_ludex"))
            .args(["table", "build", self.spec, "--json", "--wait", "60s", "--out"])
            .arg(&self.out)
            .arg("--hosts")
            .arg(&self.hosts)
            .args(["--processes", &self.processes.to_string(), "--process", &process.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        self.running[process] = Some(child);
    }

    fn signal(&self, process: usize, name: &str) {
        let id = self.running[process].as_ref().unwrap().id().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap().success());
    }

    /// Wait until every process has said how far it is: by then it listens to signals.
    fn begun(&self) {
        (0..self.processes).for_each(|process| self.begun_by(process));
    }

    fn begun_by(&self, process: usize) {
        let start = Instant::now();
        let name = if process == 0 {
            "many.table.part".into()
        } else {
            format!("many.table.process-{process}.part")
        };
        let status = self.out.with_file_name(name).join("status");
        while !status.exists() && !self.out.exists() {
            assert!(start.elapsed() < Duration::from_secs(60), "{} is not there", status.display());
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Whether it went on for so long.
    fn goes_on(&mut self, time: Duration) -> bool {
        let start = Instant::now();
        while start.elapsed() < time {
            if self.running.iter_mut().flatten().any(|child| child.try_wait().unwrap().is_some()) {
                return false;
            }
            thread::sleep(Duration::from_millis(5));
        }
        true
    }

    fn wait(&mut self, process: usize) -> Output {
        self.running[process].take().unwrap().wait_with_output().unwrap()
    }

    /// All end well, with this file.
    fn end(mut self, whole: &[u8]) {
        for process in 0..self.processes {
            let output = self.wait(process);
            assert!(output.status.success(), "process {process}: {output:?}");
            assert_eq!(json(&output)["type"], "table_built");
        }
        assert!(fs::read(&self.out).unwrap() == whole, "another file");
        let left: Vec<_> =
            fs::read_dir(self.out.parent().unwrap()).unwrap().map(|f| f.unwrap().path()).collect();
        assert!(!left.iter().any(|path| path.extension().is_some_and(|e| e == "part")), "{left:?}");
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        for child in self.running.iter_mut().flatten() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn workers_make_the_file_that_one_thread_makes() {
    for (spec, goal) in [
        ("mnk:4,3,3", "distance"),
        ("mnk:4,3,3", "wdl"),
        ("connect4:4x4", "distance"),
        ("nex:3x4", "wdl"),
        ("hex:3x3", "wdl"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let whole = by_one(spec, goal, folder.path());
        for (workers, memory) in [("1", "1GiB"), ("2", "64MiB"), ("3", "64MiB")] {
            let out = folder.path().join("many.table");
            let built = ludex(&[
                "table",
                "build",
                spec,
                "--goal",
                goal,
                "--workers",
                workers,
                "--memory",
                memory,
                "--json",
                "--out",
                &out.display().to_string(),
            ]);
            assert!(built.status.success(), "{built:?}");
            assert!(fs::read(&out).unwrap() == whole, "{spec} for {goal} with {workers} workers");
        }
    }
}

#[test]
fn processes_that_are_killed_come_back_and_the_file_is_the_same() {
    for spec in ["connect4:4x4", "nex:3x4"] {
        let folder = tempfile::tempdir().unwrap();
        let whole = by_one(spec, "distance", folder.path());
        let mut crew = Crew::new(spec, folder.path(), 3);
        (0..3).for_each(|process| crew.start(process));
        let mut over = false;
        for (victim, milliseconds) in [(2, 150), (0, 300), (1, 250), (0, 400)] {
            if !crew.goes_on(Duration::from_millis(milliseconds)) {
                break;
            }
            crew.signal(victim, "KILL");
            let _ = crew.wait(victim);
            if crew.out.exists() {
                // It was over: one that comes now may find nobody, and nobody it, if it was the first.
                over = true;
                break;
            }
            crew.start(victim);
        }
        if over {
            assert!(fs::read(&crew.out).unwrap() == whole, "another file");
        } else {
            crew.end(&whole);
        }
    }
}

#[test]
fn a_slow_process_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let whole = by_one("connect4:4x4", "distance", folder.path());
    let mut crew = Crew::new("connect4:4x4", folder.path(), 3);
    (0..3).for_each(|process| crew.start(process));
    crew.begun();
    if crew.goes_on(Duration::from_millis(20)) {
        crew.signal(1, "STOP");
        assert!(crew.goes_on(Duration::from_secs(2)), "the others wait");
        let said = ludex(&["table", "status", &crew.out.display().to_string()]);
        let said = String::from_utf8_lossy(&said.stdout);
        assert!(said.starts_with("process 0 of 3, 1 workers: "), "{said}");
        crew.signal(1, "CONT");
    }
    crew.end(&whole);
}

#[test]
fn ctrl_c_leaves_what_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let whole = by_one("connect4:4x5", "distance", folder.path());
    let mut crew = Crew::new("connect4:4x5", folder.path(), 2);
    (0..2).for_each(|process| crew.start(process));
    crew.begun();
    (0..2).for_each(|process| crew.signal(process, "INT"));
    for process in 0..2 {
        let output = crew.wait(process);
        assert_eq!(
            (output.status.code(), &json(&output)["code"]),
            (Some(1), &"stopped".into()),
            "{output:?}"
        );
    }
    let status = ludex(&["table", "status", &crew.out.display().to_string(), "--json"]);
    assert_eq!(json(&status)["type"], "table_status");
    (0..2).for_each(|process| crew.start(process));
    crew.end(&whole);
}

#[test]
fn bad_input_is_named_and_nothing_is_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (out, hosts) = (path("a.table"), path("hosts.txt"));
    fs::write(&hosts, "127.0.0.1:25901\n127.0.0.1:25902\n").unwrap();
    let refused = |more: &[&str], code: &str, said: &str| {
        let arguments = [&["table", "build", "mnk:3,3,3", "--json", "--out", &out], more].concat();
        let output = ludex(&arguments);
        let object = json(&output);
        assert_eq!((output.status.code(), &object["code"]), (Some(2), &code.into()), "{output:?}");
        assert!(object["message"].as_str().unwrap().contains(said), "{object}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{more:?}");
    };
    let process =
        |processes, process| vec!["--hosts", &hosts, "--processes", processes, "--process", process];
    refused(&process("3", "0"), "bad_file", "2 of 3 processes are named; process 2 is missing");
    refused(&process("2", "2"), "bad_arguments", "there is no process 2 of 2");
    refused(&["--workers", "0"], "bad_threads", "--workers 0");
    refused(&["--workers", "2", "--threads", "2"], "bad_arguments", "");
    refused(&["--workers", "2", "--memory", "4MiB"], "out_of_memory", "");
    let nothing = ludex(&["table", "status", &out, "--json"]);
    assert_eq!((nothing.status.code(), &json(&nothing)["code"]), (Some(2), &"not_found".into()));
}

#[test]
fn two_builders_of_one_file_do_not_meet() {
    let folder = tempfile::tempdir().unwrap();
    let mut crew = Crew::new("connect4:4x4", folder.path(), 2);
    crew.start(0);
    // Process 0 waits for process 1, and its folder is locked.
    crew.begun_by(0);
    let out = crew.out.display().to_string();
    for spec in ["connect4:4x4", "mnk:3,3,3"] {
        let second = ludex(&["table", "build", spec, "--workers", "2", "--json", "--out", &out]);
        assert_eq!(
            (second.status.code(), &json(&second)["code"]),
            (Some(1), &"table_busy".into()),
            "{second:?}"
        );
    }
    crew.signal(0, "KILL");
    let _ = crew.wait(0);
    let other = ludex(&["table", "build", "mnk:3,3,3", "--workers", "2", "--json", "--out", &out]);
    assert_eq!(
        (other.status.code(), &json(&other)["code"]),
        (Some(2), &"table_in_the_way".into()),
        "{other:?}"
    );
    let whole = by_one("connect4:4x4", "distance", folder.path());
    (0..2).for_each(|process| crew.start(process));
    crew.end(&whole);
}
