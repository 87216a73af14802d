//! However many workers build a table, wherever they are and however often they are stopped, the file is the same.

use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use ludex_core::{Cancel, Error, ErrorCode, Game, Goal, Notation};
use ludex_dataflow::{Built, Layout, Order, Positions, build};
use ludex_games::{
    connect4::{Connect4, Sized},
    hex::Hex,
    mnk::{Mnk, Rule},
    nex::{Nex, Rules},
    template::Heap,
};
use ludex_search::retrograde::{Numbers, Rows};

fn listed(game: impl Notation) -> Positions {
    Positions::Listed(Box::new(Rows::new(game.for_goal(Goal::Distance)).unwrap()))
}

fn nex() -> Positions {
    let game = Nex::<1>::new(3, 3, Rules::Nexc, false);
    let numbering = game.numbering().unwrap();
    Positions::Numbered(Box::new(Numbers::new(game, numbering)))
}

/// A game by name, as each process makes it for itself.
fn game(spec: &str) -> Positions {
    match spec {
        "heap:20" => listed(Heap { size: 20 }),
        "mnk:3,3,3" => listed(Mnk::<u64>::new(3, 3, 3, Rule::Strong)),
        "connect4:4x4" => listed(Connect4::new(Sized::<u64>::new(4, 4).unwrap())),
        "hex:3x3" => listed(Hex::<1>::new(3, 3)),
        "nex:3x3" => nex(),
        _ => unreachable!("{spec}"),
    }
}

const GAMES: [&str; 5] = ["heap:20", "mnk:3,3,3", "connect4:4x4", "hex:3x3", "nex:3x3"];

fn order(spec: &str, out: &Path, goal: Goal, layout: Layout) -> Order {
    Order { out: out.to_owned(), spec: spec.into(), goal, memory: 256 << 20, layout, cancel: Cancel::new() }
}

fn built(order: &Order) -> Result<Built, Error> {
    build(game(&order.spec), order, &mut |_| {})
}

/// Addresses on this machine that nobody listens at.
fn hosts(n: usize) -> Vec<String> {
    let listeners: Vec<_> = (0..n).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    listeners.iter().map(|listener| listener.local_addr().unwrap().to_string()).collect()
}

fn layout(workers: usize, process: usize, hosts: &[String]) -> Layout {
    Layout { workers, process, hosts: hosts.to_vec(), wait: Duration::from_secs(60) }
}

#[test]
fn threads_processes_and_little_memory_make_no_difference() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| -> PathBuf { folder.path().join(name) };
    for spec in GAMES {
        for goal in [Goal::Distance, Goal::Wdl] {
            let one = built(&order(spec, &path("one"), goal, Layout::threads(1))).unwrap();
            let whole = fs::read(path("one")).unwrap();
            for workers in [2, 3] {
                let many = built(&order(spec, &path("many"), goal, Layout::threads(workers))).unwrap();
                assert_eq!((many.digest, many.positions), (one.digest.clone(), one.positions));
                assert!(fs::read(path("many")).unwrap() == whole, "{spec}, {workers} workers");
            }
            // Three processes of two workers each, with as little memory as they may have.
            let hosts = hosts(3);
            let runs: Vec<_> = (0..3)
                .map(|process| {
                    let mut order = order(spec, &path("apart"), goal, layout(2, process, &hosts));
                    order.memory = 9 << 20;
                    thread::spawn(move || built(&order))
                })
                .collect();
            for run in runs {
                assert_eq!(run.join().unwrap().unwrap().digest, one.digest, "{spec}");
            }
            assert!(fs::read(path("apart")).unwrap() == whole, "{spec}, three processes");
        }
    }
    let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|f| f.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["apart", "many", "one"], "nothing else is left");
}

#[test]
fn a_build_that_is_stopped_again_and_again_ends_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, stopped) = (folder.path().join("whole"), folder.path().join("stopped"));
    for spec in ["connect4:4x4", "nex:3x3", "mnk:3,3,3"] {
        built(&order(spec, &whole, Goal::Distance, Layout::threads(1))).unwrap();
        let (mut runs, mut resumed) = (0, 0);
        loop {
            let order = order(spec, &stopped, Goal::Distance, Layout::threads(2));
            let mut steps = 0;
            let result = build(game(spec), &order, &mut |step| {
                steps += 1;
                if step.phase != "waiting" && steps > 1 && runs < 12 {
                    order.cancel.cancel();
                }
            });
            runs += 1;
            match result {
                Ok(built) => {
                    resumed += built.resumed;
                    break;
                }
                Err(error) => assert_eq!(error.code, ErrorCode::Stopped, "{error:?}"),
            }
            assert!(stopped.with_added_extension("part").exists(), "what was done is kept");
        }
        assert!(
            fs::read(&whole).unwrap() == fs::read(&stopped).unwrap(),
            "{spec} in {runs} runs, {resumed} resumed"
        );
    }
}

#[test]
fn what_is_in_the_way_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("table");
    let stop = |spec: &str, workers| {
        let order = order(spec, &out, Goal::Distance, Layout::threads(workers));
        order.cancel.cancel();
        built(&order).unwrap_err()
    };
    assert_eq!(stop("connect4:4x4", 2).code, ErrorCode::Stopped);
    let other = stop("mnk:3,3,3", 2);
    assert_eq!((other.code, other.code.exit()), (ErrorCode::TableInTheWay, 2));
    let other = stop("connect4:4x4", 3);
    assert_eq!(other.code, ErrorCode::TableInTheWay);
    assert!(
        other.message.contains("2 workers each") && other.message.contains("3 workers each"),
        "{other:?}"
    );
    fs::remove_dir_all(folder.path().join("table.part")).unwrap();
    fs::create_dir(&out).unwrap();
    assert_eq!(stop("connect4:4x4", 2).code, ErrorCode::BadFile);
    let mut small = order("nex:3x3", &folder.path().join("small"), Goal::Distance, Layout::threads(1));
    small.memory = 1 << 20;
    let refused = built(&small).unwrap_err();
    assert_eq!(refused.code, ErrorCode::OutOfMemory);
    assert!(!folder.path().join("small.part").exists());
}

#[test]
fn a_process_that_builds_something_else_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let start = |name: &str, spec: &'static str, goal, layout: Layout| {
        let order = order(spec, &folder.path().join(name), goal, layout);
        thread::spawn(move || built(&order))
    };
    for (spec, goal, workers, said) in [
        ("mnk:3,3,3", Goal::Distance, 1, "has game mnk:3,3,3, and this one, process 0, has game heap:20"),
        ("heap:20", Goal::Wdl, 1, "has goal wdl"),
        ("heap:20", Goal::Distance, 2, "has workers 2"),
    ] {
        let hosts = hosts(2);
        let first = start("first", "heap:20", Goal::Distance, layout(1, 0, &hosts));
        let second = start("second", spec, goal, layout(workers, 1, &hosts));
        let [first, second] = [first, second].map(|run| run.join().unwrap().unwrap_err());
        assert_eq!((first.code, second.code), (ErrorCode::BadPeer, ErrorCode::BadPeer));
        assert!(
            first.message.starts_with("process 1 at 127.0.0.1:") && first.message.contains(said),
            "{first:?}"
        );
        assert!(second.message.starts_with("process 0 at 127.0.0.1:"), "{second:?}");
        fs::remove_dir_all(folder.path().join("second.process-1.part")).unwrap();
    }
    // Another version of the program; and before it somebody who is none of us, and is not heeded.
    let hosts = hosts(2);
    let first = start("first", "heap:20", Goal::Distance, layout(1, 0, &hosts));
    let call = || loop {
        if let Ok(stream) = TcpStream::connect(&hosts[0]) {
            return stream;
        }
        thread::sleep(Duration::from_millis(10));
    };
    let _ = call().write_all(b"GET / HTTP/1.1\r\n\r\n");
    let mut stream = call();
    let text = "ludex table 1\nprocess=1\nprogram=ludex 99.0.0\ngame=heap:20\n";
    stream.write_all(&(text.len() as u32).to_le_bytes()).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    let mut heard = Vec::new();
    let _ = stream.read_to_end(&mut heard);
    let refused = first.join().unwrap().unwrap_err();
    assert!(refused.message.contains("has program ludex 99.0.0"), "{refused:?}");
    assert!(String::from_utf8_lossy(&heard).contains("game=heap:20"), "it said what it builds");
}

#[test]
fn a_process_that_does_not_come_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let hosts = hosts(2);
    let mut layout = layout(1, 1, &hosts);
    layout.wait = Duration::from_millis(300);
    let alone = built(&order("heap:20", &folder.path().join("table"), Goal::Distance, layout)).unwrap_err();
    assert_eq!(alone.code, ErrorCode::PeerLost);
    assert!(alone.message.contains(&hosts[0]), "{alone:?}");
}

#[test]
fn a_damaged_file_is_an_error_and_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("table");
    let order = order("connect4:4x4", &out, Goal::Distance, Layout::threads(1));
    let _ = build(game(&order.spec), &order, &mut |step| {
        if step.phase == "solving" {
            order.cancel.cancel();
        }
    });
    let worker = folder.path().join("table.part").join("worker-0");
    if !worker.exists() {
        return; // it was faster than the call to stop
    }
    let list = worker.join("list-3");
    let mut bytes = fs::read(&list).unwrap();
    bytes[0] ^= 1;
    fs::write(&list, bytes).unwrap();
    let again = Order { cancel: Cancel::new(), ..order };
    let refused = built(&again).unwrap_err();
    assert_eq!((refused.code, refused.code.exit()), (ErrorCode::TableDamaged, 2), "{refused:?}");
    assert!(!out.exists());
}
