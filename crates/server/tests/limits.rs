//! Limits hold for every route that computes and every family's largest example, and small requests are answered meanwhile.
//!
//! A search that overruns its time is given up by the server a second later, so even that is an answer in time; the message
//! says so, and the test counts it apart.

mod common;

use std::{
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::{Duration, Instant},
};

use common::Served;
use ludex_judge::Registry;
use ludex_server::Config;
use ludex_standard::Standard as _;
use serde_json::json;

const LIMIT: Duration = Duration::from_millis(300);

/// The limit, what the server waits for a search that overruns it, and what a busy machine adds.
const MOST: Duration = Duration::from_millis(300 + 1000 + 2500);

/// What every family offers, and the largest boards that it promises, where a single position is dear: the next game is
/// tested by itself.
fn games(offered: bool) -> Vec<&'static str> {
    let registry = Registry::standard();
    let families: Vec<_> = registry.families().collect();
    let offers = families.iter().flat_map(|family| family.examples).filter(|_| offered);
    offers.chain(families.iter().flat_map(|family| family.largest)).copied().collect()
}

#[test]
fn every_route_keeps_its_time_on_every_board() {
    let config =
        Config { analyze_time: LIMIT, move_time: LIMIT, analyses: (8, 64), solves: 8, ..Config::default() };
    let server = Served::start(config);
    let games = games(true);
    let done = AtomicBool::new(false);
    let (mut took, mut overruns) = (Vec::new(), Vec::new());
    let small = std::thread::scope(|scope| {
        let small = scope.spawn(|| {
            let mut all = Vec::new();
            while !done.load(Relaxed) {
                for path in ["/healthz", "/api/v1/position?game=nex:4x4", "/api/v1/game?game=connect4"] {
                    let start = Instant::now();
                    server.get(path).ok();
                    all.push(start.elapsed());
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            all.sort_unstable();
            all
        });
        for game in &games {
            let spec = game.replace(',', "%2C");
            for route in
                ["analyze", "explain", "puzzle", "random", "solve", "analyze job", "choose", "greedy"]
            {
                let start = Instant::now();
                let answer = match route {
                    "solve" | "analyze job" => {
                        let kind = route.split(' ').next();
                        let wish = json!({"game": game, "kind": kind, "time": 0.3, "position": dealt(&server, game)});
                        let id = server.post("/api/v1/solve", &wish).ok()["id"].as_str().unwrap().to_owned();
                        let events = server.get(&format!("/api/v1/solve/{id}/events"));
                        assert!(events.body.contains("event: done"), "{game} {route}");
                        server.get(&format!("/api/v1/solve/{id}"))
                    }
                    "choose" | "greedy" => {
                        let level = (route == "greedy").then_some("greedy");
                        let wish = json!({"game": game, "level": level, "time": 300, "position": dealt(&server, game)});
                        server.post("/api/v1/choose", &wish)
                    }
                    route => server.get(&format!("/api/v1/{route}?game={spec}&seed=1")),
                };
                let elapsed = start.elapsed();
                assert!(elapsed < MOST, "{game} {route} took {elapsed:?}");
                assert!(
                    matches!(answer.status, 200 | 404 | 503),
                    "{game} {route}: {} {}",
                    answer.status,
                    answer.body
                );
                if answer.body.contains("\"overrun\"") {
                    overruns.push(format!("{game} {route}"));
                }
                took.push((elapsed, format!("{game} {route}")));
            }
        }
        done.store(true, Relaxed);
        small.join().unwrap()
    });
    took.sort_unstable();
    println!("the longest of {}: {:?}", took.len(), took.last());
    println!(
        "small requests: {} of them, median {:?}, longest {:?}",
        small.len(),
        small[small.len() / 2],
        small.last()
    );
    println!("given up: {overruns:?}");
    assert!(small.len() > 100, "{}", small.len());
    assert!(
        small[small.len() / 2] < LIMIT,
        "the median of the small requests is {:?}",
        small[small.len() / 2]
    );
    assert!(small[small.len() * 99 / 100] < Duration::from_secs(2), "{:?}", small.last());
}

/// A position, for games that begin with a deal.
fn dealt(server: &Served, game: &str) -> String {
    let spec = game.replace(',', "%2C");
    server.get(&format!("/api/v1/position?game={spec}&seed=1&limit=0")).ok()["position"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn cancelling_takes_less_than_a_second_whatever_is_searched() {
    let server = Served::start(Config { solves: 8, queue: 64, per_client: 64, ..Config::default() });
    for game in games(false) {
        for kind in ["solve", "analyze"] {
            let wish =
                json!({"game": game, "kind": kind, "goal": "distance", "position": dealt(&server, game)});
            let id = server.post("/api/v1/solve", &wish).ok()["id"].as_str().unwrap().to_owned();
            let start = Instant::now();
            while server.get(&format!("/api/v1/solve/{id}")).ok()["state"] == "queued" {
                assert!(start.elapsed() < Duration::from_secs(20));
                std::thread::sleep(Duration::from_millis(10));
            }
            let start = Instant::now();
            let ended = server.send("DELETE", &format!("/api/v1/solve/{id}"), "", "").ok();
            // A second for the server, and one for the machine.
            assert!(start.elapsed() < Duration::from_secs(2), "{game} {kind}: {:?}", start.elapsed());
            assert_eq!(ended["state"], "done", "{game} {kind}");
        }
    }
}
