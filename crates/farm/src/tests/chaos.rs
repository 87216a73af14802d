//! Processes that are killed, a server that crashes: nothing is lost, nothing is answered twice differently.
//!
//! The test starts this same test binary again as workers (the test `victim`, told by its environment what to do) and kills
//! them at random.

use std::{
    env,
    io::Write as _,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use ludex_core::Cancel;
use ludex_judge::{Question, Terms};

use super::{assert_right, heaps, registry, sqlite, status};
use crate::{Farm, Plan, StoreUrl, Worker};

const URL: &str = "LUDEX_TEST_FARM";

/// What a started process does until it is killed.
#[test]
fn victim() {
    let Ok(url) = env::var(URL) else {
        // Not `eprintln`, which the test harness would hide.
        let _ = writeln!(std::io::stderr(), "skipped: the other tests start it, with {URL} set");
        return;
    };
    let worker = Worker {
        name: "victim".into(),
        lease: Duration::from_secs(1),
        memory: 4 << 20,
        batch: 8,
        until_done: true,
        ..Worker::default()
    };
    let mut farm = Farm::open(&url.parse().unwrap()).unwrap();
    worker.run(&mut farm, &registry(), &Cancel::new()).unwrap();
}

fn start(url: &str) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "tests::chaos::victim", "--nocapture", "--test-threads=1"])
        .env(URL, url)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Three processes at a time, one of which is killed every now and then, until everything is answered.
fn survive(address: &str, url: &StoreUrl, mut crash: impl FnMut(u32)) {
    let registry = registry();
    let game = registry.open("heap:40").unwrap();
    let mut farm = Farm::open(url).unwrap();
    let lines = heaps(400);
    let plan = Plan { sample: 0.05, nodes: Some(30), ..Plan::default() };
    let (list, _) = farm.submit_positions(&*game, &Question::default(), &plan, &lines).unwrap();
    let hard = registry.open("seven:10").unwrap();
    let proof = farm.submit_proof(&*hard, &Question::default(), &plan).unwrap();
    let own = hard.solve(&Question::default(), &Terms::default()).unwrap();
    let mut children: Vec<Child> = (0..3).map(|_| start(address)).collect();
    let began = Instant::now();
    let mut kills = 0u32;
    loop {
        thread::sleep(Duration::from_millis(150 + u64::from(kills * 37 % 200)));
        let done = status(url, list).state == "done" && status(url, proof).state == "done";
        if done || began.elapsed() > Duration::from_secs(240) {
            break;
        }
        // The first dozen are killed, whoever leads among them; then they are left alone.
        if kills < 12 {
            let child = &mut children[kills as usize % 3];
            child.kill().unwrap();
            child.wait().unwrap();
            *child = start(address);
            kills += 1;
            crash(kills);
        }
        for child in &mut children {
            if child.try_wait().unwrap().is_some() {
                *child = start(address);
            }
        }
    }
    for child in &mut children {
        let _ = child.kill();
        child.wait().unwrap();
    }
    assert_eq!(status(url, list).state, "done");
    assert_right(url, list, &lines);
    let solved = status(url, proof).solved.expect("solved");
    assert_eq!(Some(solved.outcome), own.outcome);
    let lost = "SELECT count(*) FROM farm_worker WHERE trusted = 0";
    assert_eq!(farm.query(lost, &[]).unwrap()[0][0].int(), 0, "a worker that dies is no liar");
    let twice = "SELECT count(*) FROM farm_aside";
    assert_eq!(farm.query(twice, &[]).unwrap()[0][0].int(), 0);
}

#[test]
fn workers_killed_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let url = sqlite(folder.path());
    Farm::init(&url).unwrap();
    survive(&format!("sqlite:{url}"), &url, |_| {});
}

#[cfg(feature = "postgres")]
#[test]
fn workers_killed_and_the_server_crashes_on_postgresql() {
    use super::server::{PASSWORD, Server};

    let Some(server) = Server::start() else { return };
    Farm::init(&server.url()).unwrap();
    let port = server.url().to_string().rsplit(':').next().unwrap_or_default().to_owned();
    let address = format!("postgres://farm:{PASSWORD}@127.0.0.1:{port}/postgres");
    survive(&address, &server.url(), |kills| {
        if kills % 5 == 3 {
            server.crash();
        }
    });
}

/// Leases, ends and everything else that is compared go by the database's clock: the clocks of the machines do not matter.
#[test]
fn no_clock_of_a_machine_goes_into_the_queue() {
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).unwrap() {
        let path = file.unwrap().path();
        if path.is_file() {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(!text.contains("SystemTime"), "{}", path.display());
        }
    }
}
