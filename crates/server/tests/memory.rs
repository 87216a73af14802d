//! What was freed goes back to the system while the server works. A process of its own, so that nothing else is counted.
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

/// What engines and analyses leave behind: stores of the allocator that are free but for a piece at their end, which keeps
/// the store from shrinking by itself.
fn holes(threads: usize, mib: usize) -> Vec<Vec<u8>> {
    std::thread::scope(|scope| {
        let work = || {
            let mut pieces: Vec<Vec<u8>> = (0..mib << 10).map(|_| vec![1; 1000]).collect();
            pieces.pop().unwrap_or_default()
        };
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

#[test]
fn memory_goes_back_while_the_server_works() {
    let server = Served::start(Config::default());
    server.get("/api/v1/position?game=mnk:3,3,3").ok();
    let before = resident();
    let ends = holes(6, 40);
    let start = Instant::now();
    let left = || resident().saturating_sub(before);
    while left() > 60 {
        assert!(start.elapsed() < Duration::from_secs(20), "{before} MiB before, and {} more now", left());
        // The server works, or it would see no reason to look.
        server.get("/api/v1/position?game=mnk:3,3,3").ok();
        std::thread::sleep(Duration::from_millis(100));
    }
    drop(ends);
}
