//! Clients that mean harm: slow, silent, greedy, gone. Whatever they do, others are answered.

mod common;

use std::{
    io::{Read, Write},
    net::{IpAddr, SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use common::{Answer, Served};
use ludex_server::Config;
use serde_json::json;

/// A little more than anything takes on a busy machine.
const SOON: Duration = Duration::from_secs(5);

/// A connection from an address of one's own, where the system has more than one.
fn connect_from(last: u8, server: SocketAddr) -> TcpStream {
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    if cfg!(target_os = "linux") {
        socket.bind(&SocketAddr::from((IpAddr::from([127, 0, 0, last]), 0)).into()).unwrap();
    }
    socket.connect(&server.into()).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    socket.into()
}

/// Ask until it is so, or time is up.
fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn prompt(server: &Served, path: &str) -> Answer {
    let start = Instant::now();
    let answer = server.get(path);
    assert!(start.elapsed() < SOON, "{path} took {:?}", start.elapsed());
    answer
}

#[test]
fn six_hundred_slow_headers_lock_nobody_out() {
    let server = Served::start(Config::default());
    let mut slow: Vec<TcpStream> = Vec::new();
    for i in 0..600_u16 {
        // Half of them from the address that honest people come from too.
        let mut stream = connect_from(1 + (i % 2) as u8, server.address);
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: loc").unwrap();
        slow.push(stream);
        if i % 50 == 49 {
            prompt(&server, "/healthz").ok();
            prompt(&server, "/api/v1/position?game=mnk:3,3,3").ok();
        }
    }
    for stream in &mut slow {
        let _ = stream.write_all(b"a");
    }
    for path in ["/healthz", "/", "/api/v1/games", "/api/v1/analyze?game=mnk:3,3,3"] {
        assert_eq!(prompt(&server, path).status, 200);
    }
}

#[test]
fn a_header_and_a_body_have_their_time() {
    let brief = Duration::from_millis(300);
    let server = Served::start(Config { header_time: brief, body_time: brief, ..Config::default() });
    let mut header = server.connect();
    header.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n").unwrap();
    let mut silent = server.connect();
    let mut said = Vec::new();
    let _ = header.read_to_end(&mut said);
    let _ = silent.read_to_end(&mut said);
    assert!(said.is_empty(), "{}", String::from_utf8_lossy(&said));
    let mut body = server.connect();
    write!(body, "POST /api/v1/play HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 40\r\n\r\n{{")
        .unwrap();
    assert_eq!(Answer::read(body).refused(408), "too_slow");
    // Who sends a byte now and then is no quicker.
    let mut drip = server.connect();
    write!(drip, "POST /api/v1/play HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 4000\r\n\r\n")
        .unwrap();
    let dripping = drip.try_clone().unwrap();
    let drops = std::thread::spawn(move || {
        let mut dripping = dripping;
        while dripping.write_all(b" ").is_ok() {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    assert_eq!(Answer::read(drip).refused(408), "too_slow");
    drops.join().unwrap();
}

#[test]
fn an_address_has_its_share_of_connections() {
    let server = Served::start(Config { per_address: 3, connections: 5, ..Config::default() });
    let id =
        server.post("/api/v1/solve", &json!({"game": "mnk:9,9,5", "goal": "distance"})).ok()["id"].clone();
    // Event streams are questions that are being answered: nobody ends them to make room.
    let watch = |last: u8| {
        let mut stream = connect_from(last, server.address);
        write!(
            stream,
            "GET /api/v1/solve/{}/events HTTP/1.1\r\nhost: localhost\r\n\r\n",
            id.as_str().unwrap()
        )
        .unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 200");
        stream
    };
    let mut watching = vec![watch(2), watch(2), watch(2)];
    let refused = Answer::read(connect_from(2, server.address));
    assert_eq!(refused.refused(429), "too_many");
    assert!(refused.header("retry-after").is_some());
    if cfg!(target_os = "linux") {
        prompt(&server, "/healthz").ok();
        watching.push(watch(3));
        watching.push(watch(3));
        assert_eq!(Answer::read(connect_from(4, server.address)).refused(503), "busy");
    }
    drop(watching);
    eventually("places are given back", || server.get("/healthz").status == 200);
}

#[test]
fn what_is_too_large_is_refused_before_it_is_sent() {
    let server = Served::start(Config::default());
    for path in ["/api/v1/play", "/api/v1/solve", "/healthz", "/nothing"] {
        let mut stream = server.connect();
        write!(stream, "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99999999999\r\n\r\n").unwrap();
        assert_eq!(Answer::read(stream).refused(413), "too_large", "{path}");
    }
    // Without a declared length it is noticed on the way.
    let mut stream = server.connect();
    let head = "POST /api/v1/play HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let chunk = format!("4000\r\n{}\r\n", " ".repeat(0x4000));
    for _ in 0..8 {
        let _ = stream.write_all(chunk.as_bytes());
    }
    assert_eq!(Answer::read(stream).refused(413), "too_large");
}

#[test]
fn every_error_is_json() {
    let server = Served::start(Config::default());
    let long = "a".repeat(30_000);
    let longer = "a".repeat(90_000);
    // More than twice what is allowed: one read may take more than that if it is all there.
    let header = format!("GET / HTTP/1.1\r\nhost: localhost\r\nx: {}\r\n\r\n", "a".repeat(400_000));
    for (request, status, code) in [
        (
            format!(
                "GET /api/v1/position?game={long} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
            ),
            400,
            "bad_spec",
        ),
        (
            format!(
                "GET /api/v1/position?game=a{long}{long} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
            ),
            414,
            "url_too_long",
        ),
        (format!("GET /{longer} HTTP/1.1\r\nhost: localhost\r\n\r\n"), 414, "url_too_long"),
        (header, 431, "too_large"),
        ("nonsense\r\n\r\n".into(), 400, "bad_query"),
        ("GET / HTTP/7.3\r\nhost: localhost\r\n\r\n".into(), 400, "bad_query"),
        ("GET /\0 HTTP/1.1\r\nhost: localhost\r\n\r\n".into(), 400, "bad_query"),
        ("GET / HTTP/1.1\r\nhost localhost\r\n\r\n".into(), 400, "bad_query"),
        (
            "POST /api/v1/play HTTP/1.1\r\nhost: localhost\r\ncontent-length: x\r\n\r\n".into(),
            400,
            "bad_query",
        ),
    ] {
        let answer = server.raw(request.as_bytes());
        assert_eq!(
            (answer.refused(status), answer.header("content-type")),
            (code.to_owned(), Some("application/json"))
        );
    }
    for path in [
        "/api/v1/solve/%ff",
        "/%ff",
        "/api/v1/position?game=%ff",
        "/api/v1/position?game=mnk:3,3,3&play=%zz",
        "/healthz?%",
    ] {
        assert_eq!(server.get(path).refused(400), "bad_query", "{path}");
    }
    let json = "content-type: application/json\r\n";
    for body in ["", "{", "[]", "7", "{\"game\":\"mnk:3,3,3\"}", "{\"game\":\"\\ud800\",\"move\":\"a1\"}"] {
        assert_eq!(server.send("POST", "/api/v1/play", json, body).refused(400), "bad_body", "{body}");
    }
    for (method, path) in [
        ("PUT", "/"),
        ("DELETE", "/healthz"),
        ("POST", "/api/v1/games"),
        ("OPTIONS", "/api/v1/play"),
        ("BREW", "/metrics"),
    ] {
        let answer = server.send(method, path, "", "");
        assert_eq!(answer.refused(405), "bad_method");
        assert!(answer.header("allow").is_some_and(|allowed| !allowed.is_empty()), "{method} {path}");
    }
}

#[test]
fn who_leaves_leaves_no_work_behind() {
    let config = Config { analyses: (1, 0), analyze_time: Duration::from_secs(3600), ..Config::default() };
    let server = Served::start(config);
    for path in ["analyze", "explain"] {
        let ask = || {
            let mut stream = server.connect();
            let wish = format!("/api/v1/{path}?game=mnk:9,9,5&goal=distance");
            write!(stream, "GET {wish} HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
            stream
        };
        let mut stream = ask();
        eventually("it is being analysed", || {
            let busy = server.get("/api/v1/random?game=mnk:3,3,3").status == 503;
            if !busy {
                // The only worker was still at the request before, and there is no queue.
                stream = ask();
            }
            busy
        });
        drop(stream);
        eventually("the analysis ended", || server.get("/api/v1/random?game=mnk:3,3,3").status == 200);
    }
}

#[test]
fn small_requests_wait_for_no_analysis() {
    let config = Config {
        analyses: (1, 1),
        analyze_time: Duration::from_secs(3600),
        move_time: Duration::from_secs(3600),
        ..Config::default()
    };
    let server = Served::start(config);
    let mut held = Vec::new();
    for (method, path, body) in [
        ("GET", "/api/v1/analyze?game=mnk:9,9,5&goal=distance", String::new()),
        ("GET", "/api/v1/explain?game=mnk:8,8,5&goal=distance", String::new()),
        ("POST", "/api/v1/choose", json!({"game": "mnk:9,9,5", "time": 3_600_000}).to_string()),
        ("POST", "/api/v1/choose", json!({"game": "mnk:8,8,5", "time": 3_600_000}).to_string()),
        ("POST", "/api/v1/solve", json!({"game": "mnk:9,9,5", "goal": "distance"}).to_string()),
    ] {
        let mut stream = server.connect();
        write!(stream, "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
        held.push(stream);
    }
    eventually("all places are taken", || {
        let full = server.get("/api/v1/analyze?game=mnk:7,7,5");
        full.status == 503 && full.header("retry-after").is_some()
    });
    for path in [
        "/healthz",
        "/",
        "/metrics",
        "/api/v1/games",
        "/api/v1/game?game=hex:4x4",
        "/api/v1/position?game=nex:5x5",
        "/api/v1/tables",
    ] {
        prompt(&server, path);
    }
    let body = json!({"game": "connect4", "move": "4"});
    let start = Instant::now();
    server.post("/api/v1/play", &body).ok();
    assert!(start.elapsed() < SOON);
}

#[test]
fn long_lists_of_moves_come_in_parts() {
    let server = Served::start(Config::default());
    let whole = server.get("/api/v1/position?game=nex:10x10").ok();
    assert_eq!(whole["total_moves"], whole["moves"].as_array().unwrap().len(), "ordinary boards come whole");
    let first = server.get("/api/v1/position?game=nex:13x13").ok();
    let total = first["total_moves"].as_u64().unwrap() as usize;
    assert_eq!((first["moves"].as_array().unwrap().len(), total > 20_000), (10_000, true));
    let mut seen = first["moves"].as_array().unwrap().clone();
    while seen.len() < total {
        let more = server.get(&format!("/api/v1/position?game=nex:13x13&offset={}", seen.len())).ok();
        assert_eq!(more["total_moves"], total);
        seen.extend(more["moves"].as_array().unwrap().iter().cloned());
    }
    assert_eq!(seen.len(), total);
    let mut texts: Vec<_> = seen.iter().map(|m| m["move"].as_str().unwrap()).collect();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), total, "no move twice");
    let two = server.get("/api/v1/analyze?game=mnk:3,3,3&offset=1&limit=2").ok();
    let all = server.get("/api/v1/analyze?game=mnk:3,3,3").ok();
    assert_eq!((&two["total_moves"], &all["total_moves"]), (&json!(9), &json!(9)));
    assert_eq!(two["moves"].as_array().unwrap()[..], all["moves"].as_array().unwrap()[1..3]);
    for query in ["limit=10001", "limit=-1", "limit=x", "offset=-1"] {
        assert_eq!(server.get(&format!("/api/v1/analyze?game=mnk:3,3,3&{query}")).refused(400), "bad_query");
    }
    let batch = json!({"game": "mnk:3,3,3", "positions": ["", "x../.../..."], "limit": 3});
    let answers = server.post("/api/v1/analyze", &batch).ok();
    assert!(answers["results"].as_array().unwrap().iter().all(|r| r["moves"].as_array().unwrap().len() == 3));
}

#[test]
fn the_same_question_in_other_words_has_the_same_answer() {
    let server = Served::start(Config::default());
    let there = server.get("/api/v1/position?game=mnk:3,3,3&play=a1+b2").ok();
    let there = there["position"].as_str().unwrap().replace(' ', "%20");
    for words in [
        "game=mnk:3,3,3&play=a1+b2",
        "game=mnk:3,3,3&play=a1+b2&seed=1",
        "game=mnk:3,3,3&play=a1++b2&seed=2&time=1999",
        "game=MNK:3,3,3&position=moves:a1,b2&goal=distance",
        &format!("game=mnk:3,3,3&position={there}&offset=0&limit=10000"),
    ] {
        server.get(&format!("/api/v1/analyze?{words}")).ok();
    }
    let metrics = server.get("/metrics").body;
    assert!(metrics.contains("ludex_analyses_total 1\n"), "{metrics}");
}

#[test]
fn who_does_not_read_fills_no_memory() {
    let server = Served::start(Config { unread: 4 << 20, connections: 512, ..Config::default() });
    let ask = b"GET /api/v1/position?game=nex:10x10 HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let greedy: Vec<_> = (0..40)
        .map(|_| {
            let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
            socket.set_recv_buffer_size(4096).unwrap();
            socket.connect(&server.address.into()).unwrap();
            let mut stream = TcpStream::from(socket);
            // Asking again and again on one connection, and reading nothing.
            for _ in 0..20 {
                stream.write_all(ask).unwrap();
            }
            stream
        })
        .collect();
    for _ in 0..5 {
        prompt(&server, "/healthz").ok();
        prompt(&server, "/api/v1/position?game=mnk:3,3,3").ok();
    }
    drop(greedy);
    eventually("the memory is given back", || server.get("/api/v1/position?game=nex:10x10").status == 200);
}
