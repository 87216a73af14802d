//! The referee against players of every kind: good ones, and those that hang, flood, leave or send rubbish.

use std::{
    io::{BufRead, BufReader, Read as _, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    thread,
    time::{Duration, Instant},
};

use ludex_arena::{
    builtin::{Builtin, Kind},
    nexc::{Dialect, Session, SessionEnd},
    record::{Record, Score},
    referee::{self, Settings},
};
use ludex_judge::{Registry, Side};
use ludex_standard::Standard as _;

/// What a player does with its connection.
type Act = Box<dyn FnOnce(TcpStream) + Send>;

fn settings(dialect: Dialect, games: usize) -> Settings {
    Settings { dialect, games, starts: Vec::new(), time: Some(Duration::from_millis(700)) }
}

/// Referee between two players, each a function of its socket. The first connects first.
fn meet(settings: Settings, players: [Act; 2]) -> Vec<Record> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    let mut threads = Vec::new();
    for player in players {
        let stream = TcpStream::connect(address).unwrap();
        threads.push(thread::spawn(move || player(stream)));
    }
    let game = Registry::standard().open("nex:3x3").unwrap();
    let mut records = Vec::new();
    referee::run(&listener, game.as_ref(), &settings, &mut |r| records.push(r.clone())).unwrap();
    for thread in threads {
        thread.join().unwrap();
    }
    records
}

fn good(dialect: Dialect, seed: u64) -> Act {
    Box::new(move |stream| {
        let mut player = Builtin::new(Kind::Random, seed);
        let registry = Registry::standard();
        let session = Session { registry: &registry, rules: "", dialect, time: None };
        let end = session.play(stream.try_clone().unwrap(), stream, &mut player);
        assert_eq!(end.unwrap(), SessionEnd::Finished);
    })
}

#[test]
fn both_dialects_play_whole_games() {
    let records =
        meet(settings(Dialect::Documented, 1), [good(Dialect::Documented, 1), good(Dialect::Documented, 2)]);
    assert_eq!(records.len(), 1);
    assert_ne!(records[0].score, Score::Unfinished);
    let records =
        meet(settings(Dialect::Deployed, 4), [good(Dialect::Deployed, 3), good(Dialect::Deployed, 4)]);
    assert_eq!(records.len(), 4);
    assert_eq!(records[0].players[0], records[1].players[1], "the colours change");
}

#[test]
fn a_set_up_position_is_played() {
    let starts = vec!["B?./..?/W.. B".to_owned()];
    let records = meet(
        Settings { starts, ..settings(Dialect::Deployed, 2) },
        [good(Dialect::Deployed, 5), good(Dialect::Deployed, 6)],
    );
    assert_eq!(records[1].start.as_deref(), Some("B?./..?/W.."));
}

/// What a hostile player does after connecting.
fn hostile(act: impl FnOnce(TcpStream) + Send + 'static) -> Vec<Record> {
    meet(settings(Dialect::Documented, 1), [Box::new(act), good(Dialect::Documented, 9)])
}

#[test]
fn a_player_at_fault_loses_its_game_and_nothing_else() {
    let wait = |mut s: TcpStream| {
        let mut rest = Vec::new();
        let _ = s.read_to_end(&mut rest);
    };
    let cases: Vec<(&str, Act)> = vec![
        ("out of time", Box::new(wait)),
        ("has left", Box::new(drop)),
        (
            "more than 4096 bytes",
            Box::new(move |mut s: TcpStream| {
                let _ = s.write_all(&vec![b'x'; 10 << 20]);
                wait(s);
            }),
        ),
        (
            "not UTF-8",
            Box::new(move |mut s: TcpStream| {
                let _ = s.write_all(b"\xff\xfe\xfd\n");
                wait(s);
            }),
        ),
        (
            "is not a Nex move",
            Box::new(move |mut s: TcpStream| {
                for _ in 0..100_000 {
                    if s.write_all(b"flood\n").is_err() {
                        break;
                    }
                }
                wait(s);
            }),
        ),
        (
            "is off the board",
            Box::new(move |mut s: TcpStream| {
                let _ = s.write_all(b"Ba9?a1\n");
                wait(s);
            }),
        ),
    ];
    for (reason, act) in cases {
        let start = Instant::now();
        let records = hostile(act);
        assert_eq!(records[0].score, Score::Won(Side::Second), "{reason}");
        assert!(records[0].reason.as_deref().unwrap().contains(reason), "{:?}", records[0]);
        assert!(start.elapsed() < Duration::from_secs(8), "{reason}");
    }
}

#[test]
fn a_player_at_fault_is_told_so() {
    let records = hostile(|s: TcpStream| {
        let mut lines = BufReader::new(s.try_clone().unwrap()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "r3-c3#");
        assert_eq!(lines.next().unwrap().unwrap(), "?");
        writeln!(&s, "Ba1?a1").unwrap();
        assert_eq!(lines.next().unwrap().unwrap(), "!");
    });
    assert!(records[0].reason.as_deref().unwrap().contains("used twice"));
}
