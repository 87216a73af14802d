//! Engines, tournaments and records on the command line.

use std::{
    io::{BufRead as _, BufReader, Write},
    process::{Command, Output, Stdio},
};

fn ludex(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn an_engine_speaks_both_protocols() {
    let gtp = text(&ludex(&["engine", "nex:2x2", "--player", "perfect"], "genmove b\nfinal_score\nquit\n"));
    assert!(gtp.starts_with("= Ba1?a2\n\n= unfinished\n\n"), "{gtp}");
    let nexc = ludex(
        &["engine", "nex:2x2", "--protocol", "nexc", "--player", "perfect"],
        "r2-c2#\n?\n>Wb1?b2\n?\n+\n",
    );
    assert_eq!(text(&nexc), "Ba1?a2\nBa2Bb2?a1\n");
    assert_eq!(nexc.status.code(), Some(0));
    let fault = ludex(&["engine", "nex:2x2", "--protocol", "nexc"], "r2-c2#\n!\n");
    assert_eq!(fault.status.code(), Some(1));
    let deployed =
        ["engine", "nex:2x2", "--protocol", "nexc", "--dialect", "deployed", "--player", "perfect"];
    let deployed = ludex(&deployed, "r2-c2-B#;Move?>Wb1?b2Move?+$");
    assert_eq!(text(&deployed), "okokBa1?a2okBa2Bb2?a1");
}

#[test]
fn a_tournament_with_programs_and_its_record() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.txt").display().to_string();
    let plan = folder.path().join("plan.toml");
    let program = env!("CARGO_BIN_EXE_ludex");
    std::fs::write(
        &plan,
        format!(
            "spec = \"nex:2x2\"\ngames = 2\nout = {games:?}\nplayers = [\n  \"random\",\n  {{name = \"gtp\", command = [{program:?}, \"engine\", \"nex:2x2\", \"--player\", \"perfect\"]}},\n  {{name = \"nexc\", protocol = \"nexc\", command = [{program:?}, \"engine\", \"nex:2x2\", \"--protocol\", \"nexc\", \"--player\", \"perfect\"]}},\n]\n"
        ),
    )
    .unwrap();
    let table = ludex(&["tournament", &plan.display().to_string()], "");
    assert!(table.status.success(), "{}", String::from_utf8_lossy(&table.stderr));
    assert!(text(&table).contains("6 of 6 games"), "{}", text(&table));
    let records = std::fs::read_to_string(&games).unwrap();
    assert!(!records.contains("broke its protocol") && !records.contains("illegal"), "{records}");
    let replay = text(&ludex(&["replay", &games, "--game", "2"], ""));
    assert!(replay.contains("Nex 2x2") && replay.contains("1. B"), "{replay}");
    let svg = text(&ludex(&["replay", &games, "--ply", "1", "--svg"], ""));
    assert!(svg.starts_with("<svg "), "{svg}");
    assert_eq!(ludex(&["replay", &games, "--game", "99"], "").status.code(), Some(2));
}

/// Two engines meet on the referee's port; the game is printed, logged, and can be replayed.
#[test]
fn engines_play_on_the_referee() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.txt").display().to_string();
    let mut referee = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(["referee", "nex:2x3", "--listen", "127.0.0.1:0", "--log", &log])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    BufReader::new(referee.stderr.take().unwrap()).read_line(&mut said).unwrap();
    let address = said.trim().rsplit(' ').next().unwrap().to_owned();
    let engines = ["perfect", "random"].map(|player| {
        // The first to come plays first.
        std::thread::sleep(std::time::Duration::from_millis(200));
        Command::new(env!("CARGO_BIN_EXE_ludex"))
            .args(["engine", "nex:2x3", "--connect", &address, "--player", player])
            .spawn()
            .unwrap()
    });
    for mut engine in engines {
        assert_eq!(engine.wait().unwrap().code(), Some(0));
    }
    let printed = text(&referee.wait_with_output().unwrap());
    assert!(printed.contains("result: first wins"), "{printed}");
    assert_eq!(std::fs::read_to_string(&log).unwrap(), printed);
    assert!(text(&ludex(&["replay", &log], "")).contains("Black connects top and bottom"));
}

#[test]
fn nex_has_verbs_of_its_own() {
    let openings = text(&ludex(&["nex", "openings", "2x2"], ""));
    assert!(openings.starts_with("nex:2x2: 2 win in 3, 10 draw"), "{openings}");
    let size = text(&ludex(&["nex", "complexity", "2x2", "--samples", "10"], ""));
    assert!(size.contains("61 nodes, exactly") && size.contains("37 can be reached"), "{size}");
    let eval = text(&ludex(&["nex", "eval", "3x3", "B../.W./..? B"], ""));
    assert!(eval.contains("bridges"), "{eval}");
    let thought = text(&ludex(&["nex", "think", "5x5", "--depth", "2"], ""));
    assert!(thought.contains("plays B"), "{thought}");
}
