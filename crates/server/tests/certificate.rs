//! Certificates over HTTP: made, checked, walked through to the end; refused if they prove nothing, are too large or too slow.

mod common;

use std::{path::Path, time::Duration};

use common::Served;
use ludex_core::Rng;
use ludex_server::Config;
use serde_json::Value;

fn shipped(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs");
    std::fs::read(folder.join(name)).expect("a certificate")
}

fn walk(server: &Served, file: &[u8], claim: usize, play: &[String]) -> Value {
    let play = play.join("+").replace('?', "%3F");
    server.upload(&format!("/api/v1/certificate?claim={claim}&play={play}"), file).ok()
}

/// Play a game against a certificate, by the moves that the page offers; who has won.
fn play_out(server: &Served, file: &[u8], claim: usize, rng: &mut Rng) -> Value {
    let mut played = Vec::new();
    loop {
        let place = walk(server, file, claim, &played);
        let text = |name: &str| place[name].as_str().unwrap().replace(' ', "%20");
        let view =
            server.get(&format!("/api/v1/position?game={}&position={}", text("game"), text("position"))).ok();
        assert_eq!(view["position"], place["position"]);
        if view["over"].is_object() {
            return view["over"]["winner"].clone();
        }
        assert_eq!(view["to_move"], place["to_move"]);
        let svg = view["svg"].as_str().unwrap();
        for cell in place["reason"]["cells"].as_array().unwrap() {
            let drawn =
                ["data-cell", "data-spot"].map(|name| format!("{name}=\"{}\"", cell.as_str().unwrap()));
            assert!(drawn.iter().any(|name| svg.contains(name)), "{cell} is not drawn: {place}");
        }
        let moves: Vec<&str> =
            view["moves"].as_array().unwrap().iter().map(|m| m["move"].as_str().unwrap()).collect();
        let next = if place["to_move"] == place["claimant"] {
            place["reply"].as_str().unwrap_or_else(|| panic!("no move: {place}"))
        } else {
            moves[rng.below(moves.len())]
        };
        assert!(moves.contains(&next), "{next} is none of {moves:?}");
        played.push(next.to_owned());
    }
}

#[test]
fn a_game_against_a_certificate_ends_as_it_claims() {
    let server = Served::start(Config::default());
    let mut rng = Rng::new(3);
    for name in [
        "mnk/3,3,3-misere.ludex",
        "mnk/3,3,3-weak.ludex",
        "mnk/5,5,4-weak.ludex",
        "connect4/4x4.ludex",
        "connect4/5x4.ludex",
        "hex/3x3.ludex",
        "nex/3x3.ludex",
        "nex/3x3-swap.ludex",
        "seven/6.ludex",
        "collapsi/example.ludex",
        "collapsi/wild-seed-1.ludex",
        "positional/tic-tac-toe.ludex",
    ] {
        let file = shipped(name);
        let first = walk(&server, &file, 1, &[]);
        for claim in 1..=first["claims"].as_array().unwrap().len() {
            let claimed = walk(&server, &file, claim, &[]);
            for _ in 0..2 {
                let winner = play_out(&server, &file, claim, &mut rng);
                let draw = claimed["claims"][claim - 1].as_str().unwrap().contains("draw");
                assert!(winner == claimed["claimant"] || draw && winner.is_null(), "{name}: {winner}");
            }
        }
    }
}

#[test]
fn a_position_is_proved_and_the_proof_walked_through() {
    let server = Served::start(Config::default());
    for (query, claim) in [
        ("game=mnk:3,3,3&position=xx./oo./...", "X wins."),
        ("game=connect4:5x4", "Red has at least a draw."),
        ("game=hex:3x3&play=b2", "Black wins."),
    ] {
        let file = server.get(&format!("/api/v1/certificate?{query}"));
        assert_eq!((file.status, file.header("content-type")), (200, Some("application/octet-stream")));
        let place = walk(&server, &file.bytes, 1, &[]);
        assert_eq!(place["claims"][0], claim, "{place}");
    }
    assert_eq!(server.get("/api/v1/certificate?game=mnk:9,9,5&time=50").refused(503), "stopped");
}

#[test]
fn what_proves_nothing_is_refused() {
    let server = Served::start(Config::default());
    let refused = |path: &str, file: &[u8]| server.upload(&format!("/api/v1/certificate{path}"), file);
    let file = shipped("hex/3x3.ludex");
    let mut wrong = file.clone();
    *wrong.last_mut().unwrap() ^= 1;
    for bad in [&b""[..], b"ludex certificate 1\n", &file[..file.len() - 1], &wrong] {
        assert_eq!(refused("", bad).refused(400), "bad_certificate");
    }
    let text = String::from_utf8_lossy(&file).replace("game hex:3x3", "game chess");
    assert_eq!(refused("", text.as_bytes()).refused(400), "bad_certificate");
    assert_eq!(refused("?claim=2", &file).refused(400), "bad_claim");
    assert_eq!(refused("?claim=0", &file).refused(400), "bad_claim");
    assert_eq!(refused("?claim=x", &file).refused(400), "bad_query");
    assert_eq!(refused("?play=z9", &file).refused(400), "bad_move");
    assert_eq!(refused("", &vec![b'x'; 2 << 20]).refused(413), "too_large");
    // Other bodies stay as small as they were.
    assert_eq!(server.upload("/api/v1/play", &vec![b'x'; 100 << 10]).refused(413), "too_large");
}

#[test]
fn a_check_ends_in_its_time() {
    let config = Config { analyze_time: Duration::from_millis(1), ..Config::default() };
    let server = Served::start(config);
    let start = std::time::Instant::now();
    let answer = server.upload("/api/v1/certificate", &shipped("mnk/6,5,4.ludex"));
    assert!(answer.status == 503 || answer.status == 200, "{}", answer.body);
    assert!(start.elapsed() < Duration::from_secs(10));
}
