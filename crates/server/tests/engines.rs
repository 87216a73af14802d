//! Engines, reasons, tables and warm games over real HTTP.

mod common;

use std::{
    io::Write,
    time::{Duration, Instant},
};

use common::Served;
use ludex_judge::{
    Goal, Terms,
    table::{self, Order},
};
use ludex_server::Config;
use serde_json::{Value, json};

#[test]
fn tables_are_listed_and_answer() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join(table::file_name("mnk:3,3,3"));
    let terms = Terms::default();
    let order =
        Order { out: &out, goal: Goal::Distance, memory: 1 << 28, threads: 1, by_key: false, terms: &terms };
    let built = ludex_standard::open("mnk:3,3,3").unwrap().tables().build(&order, &|_| {}).unwrap();
    std::fs::write(folder.path().join("broken.table"), "no table").unwrap();
    let server = Served::start(Config { tables: Some(folder.path().into()), ..Config::default() });
    let listed = server.get("/api/v1/tables").ok();
    let tables = listed["tables"].as_array().unwrap();
    let ours: Vec<_> = tables.iter().filter(|t| t["game"] == "mnk:3,3,3").collect();
    assert_eq!(ours.len(), 1, "{listed}");
    assert_eq!((&ours[0]["positions"], &ours[0]["goal"]), (&json!(built.positions), &json!("distance")));
    assert_eq!(ours[0]["file"], "mnk-3-3-3.table");
    assert!(!listed.to_string().contains(folder.path().to_str().unwrap()), "no path is told");
    assert!(tables.iter().any(|t| t["kind"] == "book" && t["file"].is_null()), "the program's own");
    assert_eq!(server.get("/api/v1/analyze?game=mnk:3,3,3").ok()["from"], "table");
    let without = Served::start(Config::default());
    assert!(without.get("/api/v1/tables").ok()["tables"].as_array().unwrap().len() < tables.len());
    assert_eq!(without.get("/api/v1/analyze?game=mnk:3,3,3").ok()["from"], "search");
}

#[test]
fn positions_are_explained() {
    let server = Served::start(Config::default());
    let answer = server.get("/api/v1/explain?game=mnk:3,3,3&position=xx./oo./...%20x").ok();
    assert_eq!(answer["verdict"], "X wins in 1 with perfect play.");
    let reason = json!({
        "code": "win.only_now", "text": "The only winning move is c3, and it wins at once.", "with": {"move": "c3"}, "cells": ["c3"], "pairs": []
    });
    assert_eq!(answer["reasons"][0], reason);
    let step = &answer["line"][0];
    assert_eq!((&step["move"], &step["by"], &step["note"]), (&"c3".into(), &"first".into(), &"wins".into()));
    let weak = server.get("/api/v1/explain?game=mnk:4,4,4,rule=weak&play=b2+c2").ok();
    let pairing = weak["reasons"].as_array().unwrap().iter().find(|r| r["pairs"][0].is_array());
    assert!(pairing.is_some_and(|r| r["text"].as_str().unwrap().contains("Breaker")), "{weak}");
    assert_eq!(server.get("/api/v1/explain?game=mnk:3,3,3&position=nonsense").refused(400), "bad_position");
    let parts = server.get("/api/v1/position?game=connect4&position=17273").ok();
    let named = |name: &str| parts["facts"].as_array().unwrap().iter().find(|f| f["name"] == name);
    assert!(named("Heuristic score for Yellow").is_some() && named("… zugzwang").is_some());
    let threats = named("Threats of Red").unwrap_or_else(|| panic!("{}", parts["facts"]));
    assert_eq!((&threats["value"], &threats["cells"]), (&json!("column 4 row 1 (odd)"), &json!(["4-1"])));
    assert!(parts["svg"].as_str().unwrap().contains("data-spot=\"4-1\""));
    // Nine stones, so that the book says nothing of the answers.
    let pressed = server.get("/api/v1/explain?game=connect4&position=666617273&time=50").ok();
    let reason = "Yellow has to answer 4: anything else loses at once.";
    assert_eq!(pressed["reasons"][0]["text"], reason);
}

#[test]
fn engines_keep_to_their_time() {
    let server = Served::start(Config { move_time: Duration::from_millis(600), ..Config::default() });
    for level in ["perfect", "level:5", "greedy"] {
        let wish = json!({"game": "mnk:9,9,5", "level": level, "time": 60_000});
        let start = Instant::now();
        let choice = server.post("/api/v1/choose", &wish).ok();
        assert!(start.elapsed() < Duration::from_secs(3), "{level}: {:?}", start.elapsed());
        assert_eq!(choice["certain"], false, "{choice}");
    }
    let wish = json!({"game": "mnk:3,3,3", "position": "xx./oo./... x", "time": 100});
    assert_eq!(server.post("/api/v1/choose", &wish).ok()["certain"], true);
}

#[test]
fn an_engine_whose_client_vanished_stops_thinking() {
    let config = Config { analyses: (1, 0), move_time: Duration::from_secs(3600), ..Config::default() };
    let server = Served::start(config);
    for level in ["perfect", "level:5"] {
        let wish = json!({"game": "mnk:9,9,5", "level": level, "time": 3_600_000}).to_string();
        let mut stream = server.connect();
        let length = wish.len();
        write!(stream, "POST /api/v1/choose HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{wish}").unwrap();
        std::thread::sleep(Duration::from_millis(200));
        drop(stream);
        let start = Instant::now();
        let brief = json!({"game": "mnk:3,3,3", "level": "greedy"});
        while server.post("/api/v1/choose", &brief).status != 200 {
            assert!(start.elapsed() < Duration::from_secs(5), "{level} still thinks");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// The result of a job, when it is done.
fn solved(server: &Served, wish: &Value) -> Value {
    let id = server.post("/api/v1/solve", wish).ok()["id"].as_str().unwrap().to_owned();
    loop {
        let job = server.get(&format!("/api/v1/solve/{id}")).ok();
        if job["state"] == "done" {
            return job["result"].clone();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_game_stays_warm_between_requests() {
    let wish = json!({"game": "connect4:5x4", "kind": "solve", "goal": "distance", "memory": 16 << 20});
    let nodes = |answer: &Value| answer["stats"]["nodes"].as_u64().unwrap();
    let server = Served::start(Config::default());
    let (first, second) = (solved(&server, &wish), solved(&server, &wish));
    assert_eq!((&first["outcome"], &second["outcome"]), (&json!("draw"), &json!("draw")));
    assert!(nodes(&second) * 4 < nodes(&first), "{} then {}", nodes(&first), nodes(&second));
    let cold = Served::start(Config { warm: 0, ..Config::default() });
    let (first, second) = (solved(&cold, &wish), solved(&cold, &wish));
    assert_eq!(nodes(&first), nodes(&second), "nothing is kept");
    // Who names a search gets it from the beginning.
    let mut named = wish.clone();
    named["solver"] = json!("alphabeta");
    assert_eq!(nodes(&solved(&server, &named)), nodes(&solved(&server, &named)));
}

#[test]
fn an_analysis_tells_how_far_it_is_and_what_is_certain() {
    let server = Served::start(Config::default());
    let wish = json!({"game": "mnk:7,7,5", "kind": "analyze"});
    let id = server.post("/api/v1/solve", &wish).ok()["id"].as_str().unwrap().to_owned();
    let start = Instant::now();
    loop {
        let job = server.get(&format!("/api/v1/solve/{id}")).ok();
        let progress = &job["progress"];
        if !progress.is_null() {
            assert_eq!(progress["moves"]["of"], 49, "{progress}");
            assert!(progress["lower"]["outcome"].is_string() && progress["upper"]["outcome"].is_string());
            break;
        }
        assert!(job["state"] != "done" && start.elapsed() < Duration::from_secs(10), "{job}");
        std::thread::sleep(Duration::from_millis(20));
    }
    server.send("DELETE", &format!("/api/v1/solve/{id}"), "", "").ok();
}

#[test]
fn an_engine_that_thinks_holds_up_no_analysis() {
    let server =
        Served::start(Config { analyses: (1, 4), move_time: Duration::from_secs(3600), ..Config::default() });
    let wish = json!({"game": "mnk:9,9,5", "time": 3_600_000}).to_string();
    let mut stream = server.connect();
    let length = wish.len();
    write!(stream, "POST /api/v1/choose HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{wish}").unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let start = Instant::now();
    server.get("/api/v1/analyze?game=mnk:3,3,3").ok();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn a_book_that_names_no_move_answers_an_analysis() {
    let server = Served::start(Config::default());
    let answer = server.get("/api/v1/analyze?game=connect4").ok();
    assert_eq!((&answer["status"], &answer["from"]), (&json!("solved"), &json!("book")), "{answer}");
    assert_eq!((&answer["plies"], &answer["best"]), (&json!(41), &json!(["4"])));
}
