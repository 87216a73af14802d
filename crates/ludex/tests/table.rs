//! Tables on the command line: one that is killed again and again ends up the same as one that is not.

use std::{
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

fn ludex(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ludex")).args(arguments).output().expect("ludex runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_build_survives_kill_9() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (whole, killed) = (path("whole.table"), path("killed.table"));
    assert!(ludex(&["table", "build", "nex:3x4", "--out", &whole, "--threads", "1"]).status.success());
    for milliseconds in [30, 60, 90, 120] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ludex"))
            .args(["table", "build", "nex:3x4", "--out", &killed, "--threads", "1"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        let _ = child.kill();
        child.wait().unwrap();
    }
    assert!(ludex(&["table", "build", "nex:3x4", "--out", &killed]).status.success());
    assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&killed).unwrap());
    assert!(!Path::new(&format!("{killed}.part")).exists());

    let probed = text(&ludex(&["table", "probe", &whole, "--json"]));
    assert!(probed.contains("\"outcome\":\"win\",\"plies\":7"), "{probed}");
    let verified = ludex(&["table", "verify", &whole, "--sample", "20000"]);
    assert!(verified.status.success(), "{}", text(&verified));
    let stats = text(&ludex(&["table", "stats", &whole, "--json"]));
    assert!(stats.contains("\"type\":\"table_stats\""), "{stats}");
}

#[test]
fn a_table_in_the_folder_answers() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("nex-3x3.table");
    assert!(ludex(&["table", "build", "nex:3x3", "--out", &out.display().to_string()]).status.success());
    let solved = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(["solve", "nex:3x3", "--goal", "distance", "--json", "--no-db"])
        .env("LUDEX_TABLES", folder.path())
        .output()
        .unwrap();
    let answer = text(&solved);
    assert!(answer.contains("\"from\":\"table\"") && answer.contains("\"plies\":7"), "{answer}");
}

#[test]
fn too_little_memory_is_refused_with_the_amount() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("large.table").display().to_string();
    let refused = ludex(&["table", "build", "nex:4x4", "--out", &out, "--memory", "100MiB", "--json"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused).contains("out_of_memory"), "{}", text(&refused));
}
