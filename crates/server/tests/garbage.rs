//! Whatever is sent, the server explains itself: never a 5xx, never silence, and it goes on.

mod common;

use std::sync::LazyLock;

use common::Served;
use ludex_server::Config;
use proptest::prelude::*;
use serde_json::{Value, json};

static SERVER: LazyLock<Served> = LazyLock::new(|| {
    let brief = std::time::Duration::from_millis(20);
    Served::start(Config {
        analyze_time: brief,
        job_time: brief,
        per_client: usize::MAX,
        queue: 10_000,
        ..Config::default()
    })
});

fn escape(text: &str) -> String {
    text.bytes().map(|b| format!("%{b:02X}")).collect()
}

fn fine(status: u16) -> bool {
    (200..500).contains(&status)
}

/// Texts that look like what is expected, more or less.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-z0-9:,x=./?_ -]{0,40}",
        "(mnk|nex|hex|connect4|collapsi|seven|heap)(:[0-9]{1,4}([,x][0-9]{0,3}){0,3})?(,[a-z]{1,6}=[a-z]{0,6})?",
        "[.xoXOBWMA234J?/ 0-9]{0,60}( first| second| x| o)?",
        "moves:[a-z0-9,]{0,30}",
        Just("mnk:3,3,3".to_owned()),
        Just("nex:2x2".to_owned()),
        Just("collapsi:A242/2333/34X2/OAAA".to_owned()),
    ]
}

const PATHS: [&str; 7] = ["game", "position", "analyze", "explain", "random", "puzzle", "tables"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn queries(path in 0..PATHS.len(), game in texts(), position in proptest::option::of(texts()), play in proptest::option::of(texts()), seed in proptest::option::of(texts())) {
        let mut query = format!("game={}", escape(&game));
        for (name, value) in [("position", position), ("play", play), ("seed", seed.clone()), ("time", seed.clone()), ("plies", seed)] {
            if let Some(value) = value {
                query.push_str(&format!("&{name}={}", escape(&value)));
            }
        }
        let answer = SERVER.get(&format!("/api/v1/{}?{query}", PATHS[path]));
        prop_assert!(fine(answer.status), "{} {query} {}", PATHS[path], answer.body);
        prop_assert!(answer.json().is_object());
    }

    #[test]
    fn bodies(path in 0..4usize, game in texts(), position in texts(), word in texts(), number in any::<f64>(), raw in any::<Vec<u8>>()) {
        let path = ["play", "analyze", "solve", "choose"][path];
        let body = json!({"game": game, "position": position, "positions": [position, word], "move": word, "kind": word,
            "goal": "wdl", "time": number, "level": word, "nodes": 10});
        let answer = SERVER.post(&format!("/api/v1/{path}"), &body);
        prop_assert!(fine(answer.status), "{path} {body} {}", answer.body);
        let answer = SERVER.send("POST", &format!("/api/v1/{path}"), "content-type: application/json\r\n", &String::from_utf8_lossy(&raw));
        prop_assert!(fine(answer.status), "{path} {raw:?} {}", answer.body);
    }

    #[test]
    fn bytes(bytes in any::<Vec<u8>>()) {
        let mut request = bytes;
        request.extend(b"\r\n\r\n");
        let answer = SERVER.mumble(&request);
        prop_assert!(answer.status == 0 || fine(answer.status) || answer.status == 505, "{}", answer.status);
    }

    #[test]
    fn sensible_questions_about_random_positions(family in 0..7usize, seed in 0..1000u64, plies in 0..30u32) {
        let specs = ["mnk:4,3,3", "nex:3x3", "hex:3x3", "connect4:5x4", "collapsi", "seven:6", "collapsi:3x3,joker=wild"];
        let answer = SERVER.get(&format!("/api/v1/random?game={}&seed={seed}&plies={plies}", specs[family]));
        prop_assert_eq!(answer.status, 200, "{}", answer.body);
        let at: Value = answer.json();
        let again = SERVER.get(&format!("/api/v1/position?game={}&position={}", specs[family], escape(at["position"].as_str().unwrap())));
        prop_assert_eq!(again.json()["moves"].clone(), at["moves"].clone());
    }
}
