//! The API over real HTTP: every game answers, wrong questions are explained, limits hold.

mod common;

use std::{
    io::{BufRead, BufReader, Write},
    time::{Duration, Instant},
};

use common::Served;
use ludex_server::Config;
use serde_json::json;

/// For a query string.
fn escape(text: &str) -> String {
    text.bytes()
        .map(|b| match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(b).to_string(),
            _ => format!("%{b:02X}"),
        })
        .collect()
}

#[test]
fn every_game_can_be_opened_played_and_drawn() {
    let server = Served::start(Config::default());
    let games = server.get("/api/v1/games").ok();
    assert!(games["games"].as_array().unwrap().len() >= 5);
    for family in games["games"].as_array().unwrap() {
        for example in family["examples"].as_array().unwrap() {
            let spec = escape(example["game"].as_str().unwrap());
            let game = server.get(&format!("/api/v1/game?game={spec}")).ok();
            assert_eq!(game["game"], example["game"]);
            assert!(!game["levels"].as_array().unwrap().is_empty());
            let mut at = server.get(&format!("/api/v1/position?game={spec}&seed=3")).ok();
            for _ in 0..4 {
                let Some(first) = at["moves"].as_array().unwrap().first().cloned() else { break };
                let svg = at["svg"].as_str().unwrap();
                assert!(!svg.contains("style=") && !svg.contains("<script"), "{spec}");
                for m in at["moves"].as_array().unwrap() {
                    for cell in m["clicks"].as_array().unwrap() {
                        let cell = format!("data-cell=\"{}\"", cell.as_str().unwrap());
                        assert!(svg.contains(&cell), "{spec}: {m} clicks where nothing can be clicked");
                    }
                }
                at = server
                    .post(
                        "/api/v1/play",
                        &json!({"game": example["game"], "position": at["position"], "move": first["move"]}),
                    )
                    .ok();
                assert_eq!(at["last"], first["move"]);
            }
        }
    }
}

#[test]
fn layouts_fit_the_boards_they_describe() {
    let server = Served::start(Config::default());
    let games = server.get("/api/v1/games").ok();
    for family in games["games"].as_array().unwrap() {
        let spec = escape(family["examples"][0]["game"].as_str().unwrap());
        let layout = server.get(&format!("/api/v1/game?game={spec}")).ok()["layout"].clone();
        if layout.is_null() {
            continue;
        }
        let mut symbols: Vec<_> = layout["symbols"]
            .as_array()
            .unwrap()
            .iter()
            .map(|s| s["symbol"].as_str().unwrap().to_owned())
            .collect();
        symbols.sort_by_key(|s| std::cmp::Reverse(s.len()));
        for seed in 0..5 {
            let at = server.get(&format!("/api/v1/random?game={spec}&seed={seed}")).ok();
            let text = at["position"].as_str().unwrap();
            let board = text.split(' ').next().unwrap();
            let rows = layout["rows"].as_array().unwrap();
            assert_eq!(board.split('/').count(), rows.len(), "{spec} {text}");
            for (mut row, cells) in board.split('/').zip(rows) {
                let mut count = 0;
                while !row.is_empty() {
                    let symbol = symbols.iter().find(|s| row.starts_with(s.as_str()));
                    row = &row[symbol.unwrap_or_else(|| panic!("{spec} {text}: '{row}'")).len()..];
                    count += 1;
                }
                assert_eq!(count, cells.as_array().unwrap().len(), "{spec} {text}");
            }
        }
    }
}

#[test]
fn analysis_is_right_and_remembered() {
    let server = Served::start(Config::default());
    let path = "/api/v1/analyze?game=mnk:3,3,3&position=xx./oo./...%20x";
    let answer = server.get(path).ok();
    assert_eq!(
        (&answer["type"], &answer["status"], &answer["outcome"]),
        (&json!("analysis"), &json!("solved"), &json!("win"))
    );
    assert_eq!((&answer["plies"], &answer["best"]), (&json!(1), &json!(["c3"])));
    assert_eq!(answer["moves"].as_array().unwrap().len(), 5);
    assert_eq!(server.get(path).ok(), answer);
    let metrics = server.get("/metrics").body;
    assert!(metrics.contains("ludex_cache_hits_total 1"), "{metrics}");
    let batch = json!({"game": "mnk:3,3,3", "positions": ["xx./oo./... x", "nonsense", "xxx/oo./... o"]});
    let answers = server.post("/api/v1/analyze", &batch).ok();
    let results = answers["results"].as_array().unwrap();
    assert_eq!((&results[0]["moves"], &results[1]["type"]), (&answer["moves"], &json!("error")));
    assert_eq!((&results[2]["outcome"], &results[2]["moves"]), (&json!("loss"), &json!([])));
}

#[test]
fn an_engine_takes_its_win_and_a_puzzle_has_one_solution() {
    let server = Served::start(Config::default());
    let wish = json!({"game": "mnk:3,3,3", "position": "xx./oo./... x"});
    assert_eq!(server.post("/api/v1/choose", &wish).ok()["move"], "c3");
    let over = json!({"game": "mnk:3,3,3", "position": "xxx/oo./... o"});
    assert_eq!(server.post("/api/v1/choose", &over).refused(400), "game_over");
    let level = json!({"game": "mnk:3,3,3", "level": "divine"});
    assert_eq!(server.post("/api/v1/choose", &level).refused(400), "bad_level");
    let puzzle = server.get("/api/v1/puzzle?game=mnk:3,3,3&seed=5").ok();
    assert_eq!(puzzle["best"].as_array().unwrap().len(), 1);
    assert_eq!(server.get("/api/v1/puzzle?game=mnk:3,3,3&seed=5").ok(), puzzle);
    assert_eq!(server.get("/api/v1/puzzle?game=mnk:2,2,3&seed=5").refused(404), "not_found");
    assert_eq!(server.get("/api/v1/tables").ok()["type"], "tables");
}

#[test]
fn jobs_run_report_and_end() {
    let server = Served::start(Config::default());
    let started = server.post("/api/v1/solve", &json!({"game": "mnk:3,3,3"}));
    assert_eq!(started.status, 202);
    let place = started.header("location").unwrap().to_owned();
    let mut stream = server.connect();
    write!(stream, "GET {place}/events HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
    let events: Vec<String> = BufReader::new(stream)
        .lines()
        .map_while(Result::ok)
        .take_while(|l| l != "event: done")
        .filter(|l| l.starts_with("event: "))
        .collect();
    assert!(events.iter().all(|e| e == "event: progress"), "{events:?}");
    let job = server.get(&place).ok();
    assert_eq!((&job["state"], &job["result"]["outcome"]), (&json!("done"), &json!("draw")));
    assert_eq!(server.get("/api/v1/solve/999").refused(404), "not_found");
    assert_eq!(server.get("/api/v1/solve/x").refused(404), "not_found");
    assert_eq!(
        server.post("/api/v1/solve", &json!({"game": "mnk:3,3,3", "time": 0})).refused(400),
        "bad_time"
    );
    assert_eq!(
        server.post("/api/v1/solve", &json!({"game": "mnk:3,3,3", "kind": "guess"})).refused(400),
        "bad_kind"
    );
    for (wish, code) in [
        (json!({"game": "mnk:3,3,3", "goal": "fun"}), "bad_goal"),
        (json!({"game": "mnk:3,3,3", "solver": "none"}), "unknown_solver"),
        (json!({"game": "mnk:3,3,3", "without": ["gravity"]}), "unknown_rule"),
        (json!({"game": "mnk:3,3,3", "nodes": 0}), "bad_nodes"),
        (json!({"game": "mnk:3,3,3", "threads": 0}), "bad_threads"),
    ] {
        assert_eq!(server.post("/api/v1/solve", &wish).refused(400), code, "{wish}");
    }
}

/// A search that would take hours.
fn endless() -> serde_json::Value {
    json!({"game": "mnk:9,9,5", "goal": "distance"})
}

#[test]
fn a_full_queue_says_when_to_come_back_and_cancelling_makes_room() {
    let config = Config { solves: 1, queue: 2, per_client: 100, ..Config::default() };
    let server = Served::start(config);
    let jobs: Vec<_> = (0..3).map(|_| server.post("/api/v1/solve", &endless()).ok()["id"].clone()).collect();
    let full = server.post("/api/v1/solve", &endless());
    assert_eq!(full.refused(503), "busy");
    assert!(full.header("retry-after").is_some());
    // Everything else still answers while the only worker is busy.
    server.get("/api/v1/analyze?game=mnk:3,3,3").ok();
    for id in &jobs {
        let start = Instant::now();
        let ended = server.send("DELETE", &format!("/api/v1/solve/{}", id.as_str().unwrap()), "", "").ok();
        assert_eq!(ended["state"], "done", "{ended}");
        assert!(start.elapsed() < Duration::from_secs(3));
    }
    server.post("/api/v1/solve", &json!({"game": "mnk:3,3,3"})).ok();
}

#[test]
fn one_client_cannot_take_the_whole_queue() {
    let server = Served::start(Config { solves: 1, queue: 10, per_client: 2, ..Config::default() });
    server.post("/api/v1/solve", &endless()).ok();
    server.post("/api/v1/solve", &endless()).ok();
    let third = server.post("/api/v1/solve", &endless());
    assert_eq!(third.refused(429), "too_many");
    assert!(third.header("retry-after").is_some());
}

#[test]
fn a_job_that_nobody_asks_about_is_given_up() {
    let server = Served::start(Config { patience: Duration::from_millis(300), ..Config::default() });
    let id = server.post("/api/v1/solve", &endless()).ok()["id"].as_str().unwrap().to_owned();
    std::thread::sleep(Duration::from_millis(900));
    assert_eq!(server.get(&format!("/api/v1/solve/{id}")).ok()["state"], "done");
}

#[test]
fn a_job_whose_watcher_vanished_is_given_up() {
    let server = Served::start(Config { patience: Duration::from_secs(3600), ..Config::default() });
    let id = server.post("/api/v1/solve", &endless()).ok()["id"].as_str().unwrap().to_owned();
    let mut stream = server.connect();
    write!(stream, "GET /api/v1/solve/{id}/events HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
    let mut line = String::new();
    BufReader::new(&stream).read_line(&mut line).unwrap();
    drop(stream);
    let start = Instant::now();
    while server.service.jobs.load().0 > 0 {
        assert!(start.elapsed() < Duration::from_secs(15), "still running");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn wrong_questions_are_explained() {
    let server = Served::start(Config::default());
    for (path, status) in [
        ("/api/v1/position", 400),
        ("/api/v1/position?game=chess", 400),
        ("/api/v1/position?game=mnk:0,3,3", 400),
        ("/api/v1/position?game=mnk:3,3,3&position=xxxx", 400),
        ("/api/v1/position?game=mnk:3,3,3&play=a1+a1", 400),
        ("/api/v1/position?game=collapsi", 400),
        ("/api/v1/position?game=mnk:3,3,3&seed=-1", 400),
        ("/api/v1/analyze?game=mnk:3,3,3&goal=fame", 400),
        ("/api/v1/analyze?game=mnk:3,3,3&time=soon", 400),
        ("/api/v1/nothing", 404),
        ("/../../etc/passwd", 404),
        ("/js/../../Cargo.toml", 404),
        ("/js/%2e%2e/Cargo.toml", 404),
    ] {
        server.get(path).refused(status);
    }
    assert_eq!(server.send("PUT", "/api/v1/games", "", "").refused(405), "bad_method");
    assert_eq!(server.send("POST", "/api/v1/play", "", "{}").refused(415), "bad_body");
    assert_eq!(server.post("/api/v1/play", &json!({"game": 7})).refused(400), "bad_body");
    let long = json!({"game": "mnk:3,3,3", "move": "a".repeat(100_000)});
    assert_eq!(server.post("/api/v1/play", &long).refused(413), "too_large");
    let many = json!({"game": "mnk:3,3,3", "positions": vec!["x"; 1000]});
    assert_eq!(server.post("/api/v1/analyze", &many).refused(400), "too_many_positions");
}

#[test]
fn no_request_opens_a_file() {
    let server = Served::start(Config::default());
    for spec in [
        "positional:/etc/passwd",
        "POSITIONAL:/etc/passwd",
        "positional:%20/etc/hosts",
        "positional:../x.pg",
        "positional:Cargo.toml",
    ] {
        let answer = server.get(&format!("/api/v1/position?game={spec}"));
        assert_eq!(answer.refused(400), "bad_spec");
        assert!(answer.body.contains("opens no file"), "{}", answer.body);
        let body = json!({"game": spec.replace("%20", " ")});
        for path in ["solve", "choose"] {
            assert!(server.post(&format!("/api/v1/{path}"), &body).body.contains("opens no file"));
        }
    }
    server.get("/api/v1/position?game=positional:tic-tac-toe").ok();
}

#[test]
fn strangers_are_refused() {
    let server = Served::start(Config::default());
    for host in ["evil.example", "localhost.evil.example:80", "", "127.0.0.1.evil.example"] {
        assert_eq!(server.send("GET", "/", &format!("host: {host}\r\n"), "").refused(421), "unknown_host");
    }
    for host in ["localhost", "LOCALHOST:1", "LocalHost", "127.0.0.1:7117", "[::1]:7117"] {
        let answer = server.send("GET", "/healthz", &format!("host: {host}\r\n"), "");
        assert_eq!(answer.status, 200, "{host}");
    }
    let ours = "origin: http://LOCALHOST:7\r\nhost: localhost:7\r\ncontent-type: application/json\r\n";
    assert_eq!(server.send("POST", "/api/v1/play", ours, "{}").refused(400), "bad_body");
    let foreign = "origin: http://evil.example\r\ncontent-type: application/json\r\n";
    assert_eq!(server.send("POST", "/api/v1/play", foreign, "{}").refused(403), "foreign_origin");
}

#[test]
fn every_answer_carries_the_security_headers() {
    let server = Served::start(Config::default());
    for path in ["/", "/js/main.js", "/api/v1/games", "/api/v1/nothing", "/metrics"] {
        let answer = server.get(path);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
        assert!(!policy.contains("unsafe"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("x-frame-options"), Some("DENY"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    }
}

#[test]
fn the_page_is_served_and_kept() {
    let server = Served::start(Config::default());
    let page = server.get("/");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let tag = page.header("etag").unwrap();
    let again = server.send("GET", "/", &format!("if-none-match: {tag}\r\n"), "");
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    let parts = |t: &&str| [".js", ".css", ".svg", ".json"].iter().any(|end| t.ends_with(end));
    for part in page.body.split('"').filter(parts) {
        assert_eq!(server.get(&format!("/{part}")).status, 200, "{part}");
    }
    assert!(server.get("/api").body.contains("apipage.js"));
    assert_eq!(server.get("/api/v1/openapi.json").ok()["openapi"], "3.1.0");
    assert_eq!(server.get("/healthz").ok()["status"], "ok");
}

#[test]
fn an_empty_position_is_the_start() {
    let server = Served::start(Config::default());
    for spec in ["seven:6", "mnk:3,3,3", "connect4", "nex:3x3", "positional:tic-tac-toe"] {
        let start = server.get(&format!("/api/v1/position?game={spec}")).ok();
        assert_eq!(server.get(&format!("/api/v1/position?game={spec}&position=")).ok(), start);
        let moves = json!({"game": spec, "position": "", "move": start["moves"][0]["move"]});
        assert_eq!(server.post("/api/v1/play", &moves).ok()["start"], start["position"]);
    }
}

#[test]
fn the_same_question_at_the_same_time_is_worked_out_once() {
    let server = Served::start(Config::default());
    let answers: Vec<_> = std::thread::scope(|scope| {
        let ask = || server.get("/api/v1/analyze?game=mnk:4,4,4").ok();
        let all: Vec<_> = (0..6).map(|_| scope.spawn(ask)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
    let metrics = server.get("/metrics").body;
    assert!(metrics.contains("ludex_analyses_total 1\n"), "{metrics}");
    assert!(metrics.contains("ludex_cache_hits_total 5\n"), "{metrics}");
}

#[test]
fn a_silent_client_holds_nobody_up() {
    let server = Served::start(Config { connections: 64, ..Config::default() });
    let silent: Vec<_> = (0..30)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(b"GET /api/v1/analyze?game=mnk:3,3,3 HTTP/1.1\r\nhost: loc").unwrap();
            stream
        })
        .collect();
    let start = Instant::now();
    server.get("/api/v1/analyze?game=mnk:3,3,3").ok();
    assert!(start.elapsed() < Duration::from_secs(2));
    drop(silent);
}

#[test]
fn stopping_ends_running_jobs() {
    let server = Served::start(Config::default());
    server.post("/api/v1/solve", &endless()).ok();
    let start = Instant::now();
    drop(server);
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
}
