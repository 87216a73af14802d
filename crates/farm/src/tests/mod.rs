//! The farm on real databases: SQLite always, PostgreSQL where its package is installed.

mod bad_input;
mod chaos;
mod chores;
mod lies;
#[cfg(feature = "postgres")]
mod server;

use std::{path::Path, thread, time::Duration};

use ludex_core::{Cancel, Error};
use ludex_games::{
    connect4, seven,
    template::{FAMILY, of_spec},
};
use ludex_judge::{Question, Registry, Terms};

use crate::{Farm, Outcome, Plan, StoreUrl, SubmissionStatus, Worked, Worker};

fn registry() -> Registry {
    Registry::new()
        .with(&FAMILY, of_spec)
        .with(&seven::FAMILY, seven::of_spec)
        .with_hosted(&connect4::FAMILY, small_board)
}

/// Connect Four on the smallest boards, for a game with draws.
fn small_board(spec: &ludex_core::Spec) -> Result<Box<dyn ludex_judge::AnyGame>, Error> {
    match connect4::of_spec(spec)? {
        connect4::AnyConnect4::Word(game) => Ok(ludex_judge::host(game, &connect4::FAMILY)),
        _ => Err(Error::spec("too large for a test", "")),
    }
}

fn sqlite(folder: &Path) -> StoreUrl {
    format!("sqlite:{}", folder.join("farm.db").display()).parse().unwrap()
}

/// Run a test on a new farm in every database there is.
pub(crate) fn on_every_database(test: impl Fn(&StoreUrl)) {
    let folder = tempfile::tempdir().unwrap();
    let url = sqlite(folder.path());
    assert!(Farm::init(&url).unwrap());
    assert!(!Farm::init(&url).unwrap(), "it is there already, and left as it is");
    test(&url);
    #[cfg(feature = "postgres")]
    if let Some(server) = server::Server::start() {
        Farm::init(&server.url()).unwrap();
        test(&server.url());
    }
}

fn worker(name: &str) -> Worker {
    Worker { name: name.into(), memory: 4 << 20, until_done: true, ..Worker::default() }
}

/// Let so many workers work until there is nothing left to do.
fn work(url: &StoreUrl, workers: usize) -> Vec<Worked> {
    let registry = registry();
    thread::scope(|scope| {
        let started: Vec<_> = (0..workers)
            .map(|i| {
                let registry = &registry;
                scope.spawn(move || {
                    let mut farm = Farm::open(url).unwrap();
                    worker(&format!("number {i}")).run(&mut farm, registry, &Cancel::new()).unwrap()
                })
            })
            .collect();
        started.into_iter().map(|worker| worker.join().unwrap()).collect()
    })
}

fn status(url: &StoreUrl, id: i64) -> SubmissionStatus {
    Farm::open(url).unwrap().status(Some(id)).unwrap().submissions.remove(0)
}

fn outcomes(url: &StoreUrl, id: i64) -> Vec<(String, Outcome)> {
    let mut found = Vec::new();
    let each = |text: &str, outcome| {
        found.push((text.to_owned(), outcome));
        Ok::<(), Error>(())
    };
    Farm::open(url).unwrap().positions(id, each).unwrap();
    found
}

/// Every answer is what the judge says without a farm.
fn assert_right(url: &StoreUrl, id: i64, lines: &[String]) {
    let game = registry().open("heap:40").unwrap();
    let found = outcomes(url, id);
    assert_eq!(found.len(), lines.len());
    for ((text, outcome), line) in found.iter().zip(lines) {
        assert_eq!(text, line);
        match (game.solve(&Question::at(line), &Terms::default()), outcome) {
            (Ok(own), Outcome::Answered(verdict)) => {
                assert_eq!((own.outcome, &own.position), (verdict.outcome, &verdict.position), "{line}");
            }
            (Err(own), Outcome::Failed(error)) => assert_eq!(own.code, error.code, "{line}"),
            (_, other) => panic!("{line}: {other:?}"),
        }
    }
}

fn heaps(count: usize) -> Vec<String> {
    (0..count).map(|i| format!("{}", 1 + i % 40)).collect()
}

#[test]
fn positions_are_answered_in_order_each_once() {
    on_every_database(|url| {
        let mut lines = heaps(60);
        lines.insert(7, "no heap".into());
        let registry = registry();
        let game = registry.open("heap:40").unwrap();
        let mut farm = Farm::open(url).unwrap();
        let plan = Plan { sample: 0.2, ..Plan::default() };
        let (id, jobs) = farm.submit_positions(&*game, &Question::default(), &plan, &lines).unwrap();
        assert_eq!(jobs, 40, "equal positions are one job");
        assert!(matches!(outcomes(url, id)[0].1, Outcome::Open));
        let worked = work(url, 2);
        assert!(worked.iter().map(|w| w.jobs).sum::<u64>() >= 40);
        let status = status(url, id);
        assert_eq!((status.state.as_str(), status.done, status.waiting), ("done", 40, 0));
        assert!(status.confirmed > 0 && status.to_check == 0, "{status:?}");
        assert_right(url, id, &lines);
    });
}

#[test]
fn a_shared_proof_search_answers_as_the_judge_does() {
    on_every_database(|url| {
        let registry = registry();
        for spec in ["heap:21", "heap:20", "seven:9", "connect4:4x4", "connect4:4x5"] {
            let Ok(game) = registry.open(spec) else { continue };
            let question = Question::default();
            let own = game.solve(&question, &Terms::default()).unwrap();
            for workers in [1, 3] {
                let mut farm = Farm::open(url).unwrap();
                let plan = Plan { nodes: Some(40), sample: 0.1, ..Plan::default() };
                let id = farm.submit_proof(&*game, &question, &plan).unwrap();
                work(url, workers);
                let status = status(url, id);
                let solved = status.solved.clone().unwrap_or_else(|| panic!("{spec}: {status:?}"));
                assert_eq!(Some(solved.outcome), own.outcome, "{spec}");
                assert!(status.tree.is_some() && status.running == 0);
            }
        }
    });
}

#[test]
fn what_is_called_off_stops() {
    on_every_database(|url| {
        let registry = registry();
        let game = registry.open("seven:13").unwrap();
        let mut farm = Farm::open(url).unwrap();
        let id = farm.submit_proof(&*game, &Question::default(), &Plan::default()).unwrap();
        thread::scope(|scope| {
            let workers = scope.spawn(|| work(url, 1));
            while status(url, id).running == 0 {
                thread::sleep(Duration::from_millis(10));
            }
            farm.cancel(id).unwrap();
            assert!(farm.cancel(id).is_err(), "once is enough");
            workers.join().unwrap();
        });
        let status = status(url, id);
        assert_eq!((status.state.as_str(), status.running, status.solved), ("cancelled", 0, None));
    });
}
