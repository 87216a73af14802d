//! What a table of commands cannot show: pipes, signals, limits, the database, and play.

use std::{
    fs,
    io::{Read as _, Write as _},
    path::Path,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;

fn ludex() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ludex"))
}

fn run(args: &[&str]) -> Output {
    ludex().args(args).output().expect("it runs")
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(text.trim()).unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// A search that would take very long.
const ENDLESS: &[&str] =
    &["solve", "mnk:8,8,6", "--no-db", "--without", "pairing,es", "--solver", "alphabeta", "--json"];

#[test]
fn what_was_found_is_answered_from_the_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("verdicts.db");
    let db = db.to_str().expect("a path");
    let args = ["solve", "mnk:4,3,3", "--goal", "distance", "--json", "--db", db];
    let first = json(&run(&args));
    assert_eq!((first["from"].as_str(), first["plies"].as_u64()), (Some("search"), Some(7)));
    let second = json(&run(&args));
    assert_eq!((second["from"].as_str(), second["plies"].as_u64()), (Some("cache"), Some(7)));
    assert_eq!(second["best"], first["best"]);
    // A mirror image is the same position to the database, and its best move is mirrored.
    let left =
        json(&run(&["solve", "mnk:4,3,3", "..../x..o/....", "--goal", "distance", "--json", "--db", db]));
    let right =
        json(&run(&["solve", "mnk:4,3,3", "..../o..x/....", "--goal", "distance", "--json", "--db", db]));
    assert_eq!((right["from"].as_str(), &right["plies"]), (Some("cache"), &left["plies"]));
    let query = run(&["db", "query", "--db", db, "--game", "mnk:4,3,3"]);
    assert!(String::from_utf8_lossy(&query.stdout).contains("win in 7"));
    let purge = run(&["db", "purge", "--db", db, "--solver", first["solver"].as_str().expect("a solver")]);
    assert!(purge.status.success());
    assert_eq!(json(&run(&args))["from"].as_str(), Some("search"));
}

#[test]
fn a_bad_database_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().join("poem.txt");
    fs::write(&text, "Roses are red, and this is not a database at all.\n".repeat(50)).expect("written");
    let before = fs::read(&text).expect("read");
    let output = run(&["solve", "mnk:3,3,3", "--db", text.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!output.stderr.is_empty());
    assert_eq!(fs::read(&text).expect("read"), before);
    let missing = folder.path().join("no/such/folder/x.db");
    let output = run(&["solve", "mnk:3,3,3", "--db", missing.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!missing.exists());
}

#[test]
fn limits_are_kept() {
    let start = Instant::now();
    let output = ludex().args(ENDLESS).args(["--time", "1s"]).output().expect("it runs");
    let took = start.elapsed();
    assert_eq!(output.status.code(), Some(1));
    let verdict = json(&output);
    assert_eq!(verdict["status"].as_str(), Some("out_of_time"));
    assert_eq!(verdict["outcome"].as_str(), Some("unknown"));
    let seconds = verdict["stats"]["seconds"].as_f64().expect("seconds");
    assert!((0.9..1.3).contains(&seconds), "{seconds} s by its own clock");
    assert!(took < Duration::from_secs(4), "{took:?} in all");
    let output = ludex().args(ENDLESS).args(["--nodes", "5e4"]).output().expect("it runs");
    let nodes = json(&output)["stats"]["nodes"].as_u64().expect("nodes");
    assert!((50_000..52_500).contains(&nodes), "{nodes} nodes");
}

/// Where only who wins was asked, the line goes on to the end all the same.
#[test]
fn a_win_comes_with_its_line() {
    for spec in ["mnk:6,5,4", "mnk:5,5,4,rule=weak", "seven:8"] {
        let verdict = json(&run(&["solve", spec, "--no-db", "--json", "--goal", "wdl"]));
        let line: Vec<_> =
            verdict["pv"].as_array().expect("moves").iter().filter_map(|m| m.as_str()).collect();
        let end = format!("moves:{}", line.join(","));
        let end = json(&run(&["solve", spec, &end, "--no-db", "--json", "--goal", "distance"]));
        assert_eq!(end["plies"].as_u64(), Some(0), "{spec}: {line:?}");
    }
}

/// Where the distance was asked, the line is as long as the verdict says, whichever search it was.
#[test]
fn lines_are_as_long_as_the_distance() {
    for spec in
        ["mnk:4,3,3", "mnk:6,5,4", "mnk:4,4,4,rule=weak", "mnk:4,3,3,rule=misere", "nex:3x3", "seven:5"]
    {
        for solver in ["alphabeta", "dfpn", "pns"] {
            let args = ["solve", spec, "--no-db", "--json", "--goal", "distance", "--solver", solver];
            let verdict = json(&run(&args));
            let moves = verdict["pv"].as_array().expect("moves").len() as u64;
            assert_eq!(verdict["plies"].as_u64(), Some(moves), "{spec} by {solver}: {}", verdict["pv"]);
        }
    }
}

#[test]
fn one_thread_is_deterministic_and_two_agree() {
    let args = ["solve", "mnk:5,5,4", "--no-db", "--json", "--solver", "alphabeta"];
    let (one, again) = (json(&run(&args)), json(&run(&args)));
    assert_eq!(one["stats"]["nodes"], again["stats"]["nodes"]);
    let two = json(&ludex().args(args).args(["--threads", "2"]).output().expect("it runs"));
    for field in ["outcome", "plies"] {
        assert_eq!(one[field], two[field], "{field}");
    }
}

/// The exit code and the output of a command that is interrupted by Ctrl-C. On a busy machine the signal may come before
/// the program listens, which ends it without a code: then it is tried again, later.
#[cfg(unix)]
fn interrupted(args: &[&str]) -> (Option<i32>, String) {
    for patience in [700, 3_000, 15_000] {
        let mut child =
            ludex().args(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it runs");
        std::thread::sleep(Duration::from_millis(patience));
        let start = Instant::now();
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success());
        let status = child.wait().expect("it ends");
        // It would have gone on for many minutes.
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        let mut text = String::new();
        child.stdout.take().expect("its output").read_to_string(&mut text).expect("text");
        if status.code().is_some() {
            return (status.code(), text);
        }
    }
    panic!("{args:?} never listens for Ctrl-C");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_learnt() {
    let (code, text) = interrupted(ENDLESS);
    assert_eq!(code, Some(1));
    assert!(text.contains("\"status\":\"cancelled\""), "{text}");
    let (code, text) = interrupted(&["seven", "soak", "--positions", "1e12", "--json"]);
    assert_eq!(code, Some(1));
    assert!(text.contains("\"type\":\"soak\""), "{text}");
    let (code, text) = interrupted(&["seven", "reproduce", "--only", "5", "--json"]);
    assert_eq!(code, Some(1));
    assert!(text.contains("\"outcome\":\"unknown\""), "{text}");
    let folder = tempfile::tempdir().expect("a folder");
    let book = folder.path().join("deep.book");
    let file = book.to_str().expect("text");
    let build = ["connect4", "book", "build", file, "--game", "connect4:6x5", "--depth", "6"];
    assert_eq!(interrupted(&build), (Some(1), String::new()));
    assert!(!book.exists() && folder.path().join("deep.book.part/values").exists());
}

/// How many nodes a checkpoint is worth, by its heading.
fn checkpoint_nodes(file: &Path) -> u64 {
    let bytes = fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(500)]);
    let nodes = text.lines().find_map(|line| line.strip_prefix("nodes="));
    nodes.and_then(|n| n.parse().ok()).unwrap_or(0)
}

#[test]
fn a_killed_search_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("search");
    let args = ["solve", "seven:11", "--no-db", "--json", "--memory", "16MiB", "--every", "20ms"];
    let start = || {
        let mut command = ludex();
        command.args(args).arg("--checkpoint").arg(&file).stdout(Stdio::piped());
        command
    };
    let mut child = start().spawn().expect("it runs");
    while checkpoint_nodes(&file) < 500 {
        assert!(child.try_wait().expect("a status").is_none(), "it ended before it was killed");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("kill -9");
    child.wait().expect("it ends");
    let kept = checkpoint_nodes(&file);
    // It is the checkpoint of this search and of no other.
    for other in [&["solve", "seven:12"][..], &["solve", "seven:11", "--without", "dead"]] {
        let output = ludex().args(other).arg("--checkpoint").arg(&file).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("another search"), "{output:?}");
    }
    let verdict = json(&start().output().expect("it runs"));
    assert_eq!((verdict["outcome"].as_str(), verdict["status"].as_str()), (Some("win"), Some("solved")));
    assert_eq!(verdict["stats"]["earlier_nodes"].as_u64(), Some(kept));
    // Nothing much is done twice: in one go it takes 3,195 nodes.
    let nodes = verdict["stats"]["nodes"].as_u64().expect("nodes");
    assert!(nodes < 3500 && nodes + kept < 5000, "{kept} nodes before and {nodes} after");
    // What is damaged is refused, not searched anew.
    let mut bytes = fs::read(&file).expect("read");
    bytes.truncate(bytes.len() / 2);
    fs::write(&file, &bytes).expect("written");
    let output = start().output().expect("it runs");
    assert_eq!((output.status.code(), json(&output)["code"].as_str()), (Some(2), Some("bad_checkpoint")));
    assert_eq!(fs::read(&file).expect("read"), bytes);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = ludex()
        .args(["perft", "mnk:3,3,3", "9"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Play over a pipe: moves, a refused move, undo, a hint, the end.
#[test]
fn play_over_a_pipe() {
    let mut child = ludex()
        .args(["play", "mnk:3,3,3", "--human", "both"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let moves = "b2\nb2\nzz\na1\nundo\na1\nc3\nmoves\nhint\na3\nc1\na2\nc2\n";
    child.stdin.take().expect("its input").write_all(moves.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(!text.contains('\x1b'), "no colours in a pipe");
    for expected in ["X to move", "O to move", "Try ", "has won"] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
}

/// What was played can be taken back, played again, and saved for `replay`; a file that is not the game's own is left alone.
#[test]
fn a_game_is_saved_for_replay() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, other) = (folder.path().join("game.txt"), folder.path().join("other.txt"));
    fs::write(&other, "kept").expect("written");
    let mut child = ludex()
        .args(["play", "ttt", "--human", "first", "--level", "greedy"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let lines = format!(
        "B2\nredo\nundo\nredo\nsave {0}\nsave {1}\nundo\nsave {0}\nredo\nsave {0}\n",
        file.display(),
        other.display()
    );
    child.stdin.take().expect("its input").write_all(lines.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    for expected in ["nothing to redo", "0 plies saved", "2 plies saved", "is there already"] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    assert_eq!(fs::read_to_string(&other).expect("read"), "kept");
    let record = fs::read_to_string(&file).expect("read");
    assert!(record.contains("moves: b2 ") && record.contains("first: human\nsecond: greedy"), "{record}");
    let replayed = run(&["replay", file.to_str().expect("a path")]);
    assert_eq!(replayed.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&replayed.stdout).contains("1. b2"));
}

#[test]
fn the_engine_never_loses_a_drawn_game() {
    let mut child = ludex()
        .args(["play", "mnk:3,3,3", "--human", "none", "--time", "2s"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut text = String::new();
    child.stdout.take().expect("its output").read_to_string(&mut text).expect("text");
    assert!(child.wait().expect("it ends").success());
    assert!(text.contains("drawn"), "{text}");
}

/// A board that is too large to solve is played by guessing, and `--info` says what that took.
#[test]
fn the_engine_plays_what_it_cannot_solve() {
    let output = ludex()
        .args(["play", "nex:6x6", "--human", "none", "--level", "level:2", "--info"])
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    for expected in ["pruned", "simulated", "leaves", "Black plays B", "White plays W"] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    assert!(text.contains("has won") || text.contains("drawn"), "{text}");
    let unknown = ludex().args(["play", "nex:6x6", "--level", "clever"]).output().expect("it runs");
    assert_eq!(unknown.status.code(), Some(2));
}

#[test]
fn progress_for_programs() {
    let output =
        ludex().args(ENDLESS).args(["--time", "1s", "--progress", "json"]).output().expect("it runs");
    let lines = String::from_utf8_lossy(&output.stderr);
    let first: Value = serde_json::from_str(lines.lines().next().expect("a line")).expect("JSON");
    assert_eq!(first["type"].as_str(), Some("progress"));
    assert!(first["nodes"].as_u64().is_some_and(|n| n > 0));
    assert_eq!(first["lower"]["outcome"].as_str(), Some("loss"));
}

/// Many positions, one answer each, in order; a bad line does not stop the rest.
#[test]
fn a_file_of_positions() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("heaps.txt");
    fs::write(&file, "5\nten\n# a comment\n\n8 second # lost\n").expect("written");
    let output =
        run(&["solve", "heap:9", "--json", "--no-db", "--positions", file.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert_eq!((lines[0]["position"].as_str(), lines[0]["outcome"].as_str()), (Some("5"), Some("win")));
    assert_eq!((lines[1]["type"].as_str(), lines[1]["code"].as_str()), (Some("error"), Some("bad_position")));
    assert_eq!((lines[2]["to_move"].as_str(), lines[2]["outcome"].as_str()), (Some("second"), Some("loss")));
}

#[test]
fn shells_and_manual() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        assert!(String::from_utf8_lossy(&run(&["completions", shell]).stdout).contains("ludex"));
    }
    assert!(String::from_utf8_lossy(&run(&["man"]).stdout).contains(".TH ludex 1"));
    assert!(
        String::from_utf8_lossy(&run(&["man", "table", "build"]).stdout).contains(".TH ludex-table-build 1")
    );
    assert_eq!(run(&["man", "fly"]).status.code(), Some(2));
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man1");
    assert_eq!(run(&["man", "--out", pages.to_str().expect("a path")]).status.code(), Some(0));
    for page in ["ludex.1", "ludex-solve.1", "ludex-table-build.1", "ludex-seven-edges.1"] {
        assert!(pages.join(page).exists(), "{page}");
    }
}

/// Bash itself completes verbs, games, their short names, solvers and players.
#[cfg(unix)]
#[test]
fn bash_completes_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("ludex.bash");
    fs::write(&script, run(&["completions", "bash"]).stdout).expect("written");
    let complete = |words: &str| {
        let last = words.split_whitespace().count() - usize::from(!words.ends_with(' '));
        let ask = format!(
            "source {}; COMP_WORDS=({words}); COMP_CWORD={last}; cur=${{COMP_WORDS[COMP_CWORD]}}; \
             _ludex ludex \"$cur\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            script.display()
        );
        let output = Command::new("bash").args(["--norc", "-c", &ask]).output().expect("bash runs");
        String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(complete("ludex sol"), ["solve"]);
    assert_eq!(complete("ludex solve coll"), ["collapsi"]);
    assert_eq!(complete("ludex solve gom"), ["gomoku"]);
    assert_eq!(complete("ludex table build conn"), ["connect4"]);
    assert_eq!(complete("ludex solve ttt --solver df"), ["dfpn"]);
    assert_eq!(complete("ludex play ttt --level gr"), ["greedy"]);
    assert_eq!(complete("ludex positional polyomino --shape sn"), ["snaky"]);
}

#[test]
fn the_usual_database_is_in_the_data_directory() {
    let home = tempfile::tempdir().expect("a folder");
    let status = ludex()
        .args(["solve", "mnk:3,3,3"])
        .env("HOME", home.path())
        .env("XDG_DATA_HOME", home.path().join("data"))
        .stdout(Stdio::null())
        .status()
        .expect("it runs");
    assert!(status.success());
    if cfg!(target_os = "linux") {
        assert!(Path::new(&home.path().join("data/ludex/ludex.db")).exists());
    }
}
