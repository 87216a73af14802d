//! What the server takes goes down again when the work is over. A process of its own, so that nothing else is counted.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod common;

use std::time::{Duration, Instant};

use common::Served;
use ludex_server::Config;

/// MiB of this process.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10
}

/// Large boards from many threads at once leave large holes in the allocator's stores, one for every few threads.
#[test]
fn memory_goes_back_when_the_work_is_over() {
    let server = Served::start(Config { small: (16, 256), ..Config::default() });
    server.get("/api/v1/position?game=nex:13x13").ok();
    let before = resident();
    let most = std::thread::scope(|scope| {
        let ask = |i: u64| {
            for k in 0..6 {
                let answer =
                    server.get(&format!("/api/v1/position?game=nex:13x13&offset={}", 100 * (6 * i + k)));
                assert!(matches!(answer.status, 200 | 503), "{}", answer.status);
            }
            resident()
        };
        let all: Vec<_> = (0..16).map(|i| scope.spawn(move || ask(i))).collect();
        all.into_iter().map(|one| one.join().unwrap()).max().unwrap()
    });
    let start = Instant::now();
    let left = || resident().saturating_sub(before);
    while left() > 64 {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{before} MiB before, {most} at most, {} left",
            left()
        );
        // The server works, or it would see no reason to look.
        server.get("/api/v1/position?game=mnk:3,3,3").ok();
        std::thread::sleep(Duration::from_millis(100));
    }
    println!("{before} MiB before, {most} at most, {} more than before in the end", left());
}
