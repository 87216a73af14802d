//! Everything that the games of Ludex have, this one has too: driven from outside, as a person would.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, Command, Output, Stdio},
};

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_own-game"));
    command.env("XDG_DATA_HOME", std::env::temp_dir().join("own-game-tests"));
    command
}

fn run(words: &[&str], input: &str) -> Output {
    let mut child = program()
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn said(words: &[&str], input: &str) -> String {
    let output = run(words, input);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{words:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// Published by Breuker, Uiterwijk and van den Herik (2000): the first player (upright) wins 4x4, the second 5x5.
#[test]
fn it_is_solved_and_analysed() {
    for (board, outcome) in [("2x2", "win"), ("4x4", "win"), ("5x5", "loss"), ("1x4", "loss")] {
        let line = said(&["solve", &format!("domineering:{board}"), "--json", "--no-db"], "");
        assert!(line.contains(&format!("\"outcome\":\"{outcome}\"")), "{board}: {line}");
    }
    let moves = said(&["analyze", "domineering:3x4", "--no-db"], "");
    assert!(moves.contains("a3-a2"), "{moves}");
    assert!(said(&["games"], "").contains("domineering"));
    assert!(said(&["games"], "").contains("connect4"), "beside the games of the project");
    assert_eq!(run(&["solve", "domineering:99x99"], "").status.code(), Some(2));
}

#[test]
fn it_is_shown_and_played() {
    assert!(said(&["show", "domineering:3x4", "--svg"], "").contains("data-cell=\"a3\""));
    let game = said(
        &["play", "domineering:2x3", "--human", "both", "--color", "never"],
        "a2-a1\nb2-c2\nmoves\nquit\n",
    );
    assert!(game.contains("2 x o o"), "{game}");
}

#[test]
fn it_has_tables() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("domineering-4x4.table");
    let file = file.to_str().unwrap();
    said(&["table", "build", "domineering:4x4", "--out", file], "");
    assert!(said(&["table", "verify", file], "").contains("all right"));
    assert!(said(&["table", "probe", file], "").contains("First wins"));
}

/// Both checkers accept what is written: the program's own, and the second one, which knows the game from the book.
#[test]
fn its_values_have_certificates() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("4x4.ludex");
    let file = file.to_str().unwrap();
    said(&["prove", "domineering:4x4", "--no-db", "--out", file], "");
    let checked = said(&["check", file], "");
    assert!(checked.contains("valid: domineering:4x4") && checked.contains("first win"), "{checked}");
    let second = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/check.py");
    let output = Command::new("python3").args([second, file]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn it_has_engines_and_tournaments() {
    let answers =
        said(&["engine", "domineering:4x4", "--player", "level:2"], "genmove first\nshowboard\nquit\n");
    assert!(answers.starts_with("= "), "{answers}");
    let table = said(
        &["tournament", "domineering:4x4", "--players", "random", "level:2", "--games", "2", "--json"],
        "",
    );
    assert!(table.contains("\"type\":\"tournament\""), "{table}");
}

/// A server that is ended with the test.
struct Server(Child, String);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    fn start() -> Self {
        let mut child = program()
            .args(["serve", "--listen", "127.0.0.1:0", "--no-db"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self(child, line.trim().trim_start_matches("http://").to_owned())
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.1).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.1).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

#[test]
fn it_is_served() {
    let server = Server::start();
    assert!(server.get("/api/v1/games").contains("\"domineering\""));
    let analysis = server.get("/api/v1/analyze?game=domineering:3x3");
    assert!(analysis.starts_with("HTTP/1.1 200") && analysis.contains("\"type\":\"analysis\""), "{analysis}");
    assert!(server.get("/api/v1/position?game=domineering:3x3").contains("<svg"));
}
