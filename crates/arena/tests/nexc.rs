//! The nexC protocol byte for byte: scripted players at our referee, our player at scripted servers, messages split and
//! glued at any place.

use std::{
    collections::VecDeque,
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    thread,
    time::Duration,
};

use ludex_arena::{
    Fault, Player, Turn,
    nexc::{Dialect, Session, SessionEnd, start_text},
    record::{Record, Score},
    referee::{self, Settings},
};
use ludex_judge::{Registry, Side};
use ludex_standard::Standard as _;

/// What a player is sent, to the byte, and what it then says.
type Script = &'static [(&'static str, &'static str)];

/// How a player says what it has to say.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// Each message by one write.
    Whole,
    /// Byte by byte.
    Split,
    /// Each message with a line end.
    Lines,
    /// The answer to the start together with the one before it.
    Glued,
}

/// Play by a script; whatever else is sent fails the test.
fn act(mut stream: TcpStream, script: Script, manner: Manner) {
    stream.set_nodelay(true).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut owed = 0;
    for (number, (expected, say)) in script.iter().enumerate() {
        let mut bytes = vec![0; expected.len()];
        stream.read_exact(&mut bytes).unwrap_or_else(|e| panic!("{expected:?}: {e}"));
        assert_eq!(String::from_utf8_lossy(&bytes), *expected);
        match manner {
            Manner::Whole => stream.write_all(say.as_bytes()).unwrap(),
            Manner::Split => say.bytes().for_each(|b| stream.write_all(&[b]).unwrap()),
            Manner::Lines if say.is_empty() => {}
            Manner::Lines => stream.write_all(format!("{say}\n").as_bytes()).unwrap(),
            Manner::Glued if owed > 0 => owed -= 1,
            Manner::Glued => {
                let next = script.get(number + 1).filter(|(_, next)| *say == "ok" && *next == "ok");
                owed = usize::from(next.is_some());
                stream.write_all(format!("{say}{}", next.map_or("", |n| n.1)).as_bytes()).unwrap();
            }
        }
    }
    stream.shutdown(Shutdown::Write).unwrap();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    assert_eq!(String::from_utf8_lossy(&rest), "");
}

/// Let two scripts meet; the first plays Black in the first game.
fn meet(settings: &Settings, scripts: [Script; 2], manner: Manner) -> Vec<Record> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let players = scripts.map(|script| {
        let stream = TcpStream::connect(address).unwrap();
        thread::spawn(move || act(stream, script, manner))
    });
    let game = Registry::standard().open("nex:2x2").unwrap();
    let mut records = Vec::new();
    referee::run(&listener, game.as_ref(), settings, &mut |record| records.push(record.clone())).unwrap();
    for player in players {
        player.join().unwrap();
    }
    records
}

fn settings(dialect: Dialect, games: usize) -> Settings {
    Settings { dialect, games, starts: Vec::new(), time: Some(Duration::from_secs(20)) }
}

const MANNERS: [Manner; 4] = [Manner::Whole, Manner::Split, Manner::Lines, Manner::Glued];

#[test]
fn deployed_players_play_two_games_byte_for_byte() {
    let first: Script = &[
        ("r2-c2-B#", "ok"),
        (";", "ok"),
        ("Move?", "Ba1?a2"),
        (">Wb1?b2", "ok"),
        ("Move?", "Ba2Bb2?a1"),
        ("+", ""),
        ("r2-c2-W#", "ok"),
        (";", "ok"),
        (">Ba1?a2", "ok"),
        ("Move?", "Wb1?b2"),
        (">Ba2Bb2?a1", "ok"),
        ("-", ""),
        ("$", ""),
    ];
    let second: Script = &[
        ("r2-c2-W#", "ok"),
        (";", "ok"),
        (">Ba1?a2", "ok"),
        ("Move?", "Wb1?b2"),
        (">Ba2Bb2?a1", "ok"),
        ("-", ""),
        ("r2-c2-B#", "ok"),
        (";", "ok"),
        ("Move?", "Ba1?a2"),
        (">Wb1?b2", "ok"),
        ("Move?", "Ba2Bb2?a1"),
        ("+", ""),
        ("$", ""),
    ];
    for manner in MANNERS {
        let records = meet(&settings(Dialect::Deployed, 2), [first, second], manner);
        assert_eq!(records.len(), 2, "{manner:?}");
        for record in records {
            assert_eq!(record.score, Score::Won(Side::First), "{manner:?} {record}");
            assert_eq!(record.moves, ["Ba1?a2", "Wb1?b2", "Ba2Bb2?a1"], "{manner:?}");
        }
    }
}

#[test]
fn documented_players_play_with_and_without_line_ends() {
    let first: Script = &[("r2-c2#\n?\n", "Ba1?a2"), (">Wb1?b2\n?\n", "?a1Ba2Bb2"), ("+\n", "")];
    let second: Script = &[("r2-c2#\n>Ba1?a2\n?\n", "Wb1?b2"), (">Ba2Bb2?a1\n-\n", "")];
    for manner in [Manner::Whole, Manner::Split, Manner::Lines] {
        let records = meet(&settings(Dialect::Documented, 1), [first, second], manner);
        assert_eq!(records[0].score, Score::Won(Side::First), "{manner:?} {}", records[0]);
    }
}

#[test]
fn deployed_starts_are_told_as_moves() {
    let first: Script =
        &[("r2-c2-B#", "ok"), ("Ba1?a2;Wb1?b2;", "ok"), ("Move?", "Ba2Bb2?a1"), ("+", ""), ("$", "")];
    let second: Script =
        &[("r2-c2-W#", "ok"), ("Ba1?a2;Wb1?b2;", "ok"), (">Ba2Bb2?a1", "ok"), ("-", ""), ("$", "")];
    for start in ["moves:Ba1?a2,Wb1?b2", "B?/W? B"] {
        let settings = Settings { starts: vec![start.into()], ..settings(Dialect::Deployed, 1) };
        let records = meet(&settings, [first, second], Manner::Whole);
        assert_eq!(records[0].score, Score::Won(Side::First), "{start}");
        assert_eq!(records[0].start.as_deref(), Some("B?/W?"), "{start}");
    }
}

#[test]
fn starts_that_cannot_be_told_are_refused() {
    let registry = Registry::standard();
    let game = registry.open("nex:4x4").unwrap();
    let told = |start: &str| start_text(game.as_ref(), start).map_err(|e| format!("{e}: {}", e.hint));
    assert_eq!(told("..../..../..../.... B").unwrap(), ";");
    assert_eq!(told("moves:").unwrap(), ";");
    assert_eq!(told("moves:?c2Ba1, Wb1?b2").unwrap(), "Ba1?c2;Wb1?b2;");
    assert_eq!(told("B?../..../..../.... W").unwrap(), "Ba1?a2;");
    for board in ["B.../..?./..../.... B", "BB../..../..../.... B", "B?../W?../..?./.... B"] {
        let error = told(board).unwrap_err();
        assert!(error.contains("give the start as moves:"), "{board}: {error}");
    }
    let long = "moves:Ba1?a2,Wa3?a4,Bb1?b2,Wb3?b4,Bc1?c2,Wc3?c4";
    assert!(told(long).unwrap_err().contains("40 bytes"));
    assert_eq!(told(long.rsplit_once(',').unwrap().0).unwrap().len(), 35);
}

/// A player at fault is told so in the same form, without a line end.
#[test]
fn a_deployed_player_at_fault() {
    let first: Script = &[("r2-c2-B#", "ok"), (";", "ok"), ("Move?", "Ba1?a1"), ("!", ""), ("$", "")];
    let second: Script = &[("r2-c2-W#", "ok"), (";", "ok"), ("+", ""), ("$", "")];
    let records = meet(&settings(Dialect::Deployed, 1), [first, second], Manner::Whole);
    assert!(records[0].reason.as_deref().unwrap().contains("used twice"), "{}", records[0]);
}

/// Makes the moves of a list.
struct Scripted(VecDeque<&'static str>);

impl Player for Scripted {
    fn name(&self) -> String {
        "scripted".into()
    }

    fn choose(&mut self, _: &Turn<'_>) -> Result<String, Fault> {
        self.0.pop_front().map(String::from).ok_or(Fault::Left)
    }
}

/// Bytes in given portions.
struct Portions(VecDeque<Vec<u8>>);

impl Read for Portions {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let portion = self.0.pop_front().unwrap_or_default();
        buffer[..portion.len()].copy_from_slice(&portion);
        Ok(portion.len())
    }
}

fn session(
    dialect: Dialect,
    portions: impl IntoIterator<Item = Vec<u8>>,
    moves: &[&'static str],
) -> (SessionEnd, String) {
    let registry = Registry::standard();
    let session = Session { registry: &registry, rules: "", dialect, time: None };
    let mut said = Vec::new();
    let mut player = Scripted(moves.iter().copied().collect());
    let end = session.play(Portions(portions.into_iter().collect()), &mut said, &mut player).unwrap();
    (end, String::from_utf8(said).unwrap())
}

/// However what the server says is split or glued, our player answers the same bytes.
#[test]
fn our_player_at_scripted_servers() {
    let deployed = "r2-c2-B#;Move?>Wb1?b2Move?+r2-c2-W#Ba1?a2;Move?>Ba2Bb2?a1-$";
    let two_games = (SessionEnd::Finished, "okokBa1?a2okBa2Bb2?a1okokWb1?b2ok".to_owned());
    let moves = ["Ba1?a2", "Ba2Bb2?a1", "Wb1?b2"];
    let documented = "r2-c2#?>Wb1?b2?+";
    let one_game = (SessionEnd::Finished, "Ba1?a2\nBa2Bb2?a1\n".to_owned());
    for (dialect, stream, expected) in [
        (Dialect::Deployed, deployed.to_owned(), &two_games),
        // With line ends after every message.
        (
            Dialect::Deployed,
            "r2-c2-B#\n;\nMove?\n>Wb1?b2\nMove?\n+\nr2-c2-W#\nBa1?a2;\nMove?\n>Ba2Bb2?a1\n-\n$\n".to_owned(),
            &two_games,
        ),
        // A server that closes the connection instead of `$`.
        (Dialect::Deployed, deployed.trim_end_matches('$').to_owned(), &two_games),
        (Dialect::Documented, documented.to_owned(), &one_game),
        (Dialect::Documented, "r2-c2#\r\n?\r\n>Wb1?b2\r\n?\r\n+\r\n".to_owned(), &one_game),
    ] {
        let bytes = stream.as_bytes();
        assert_eq!(&session(dialect, [bytes.to_vec()], &moves), expected, "{stream}");
        assert_eq!(&session(dialect, bytes.iter().map(|b| vec![*b]), &moves), expected, "{stream}");
        for cut in 1..bytes.len() {
            let (a, b) = bytes.split_at(cut);
            assert_eq!(
                &session(dialect, [a.to_vec(), b.to_vec()], &moves),
                expected,
                "{stream} cut at {cut}"
            );
        }
    }
}

#[test]
fn our_player_does_not_answer_nonsense() {
    for stream in
        ["", "hello", "Move?", ";", "r2-c2-B#", "r2-c2-X#", "r0-c2-B#;", "r2-c2-B#;>Wb1?b2", "r2-c2-B#;!"]
    {
        assert_eq!(
            session(Dialect::Deployed, [stream.into()], &["Ba1?a2"]).0,
            SessionEnd::AtFault,
            "{stream}"
        );
    }
    let (end, said) = session(Dialect::Deployed, ["r2-c2-B#Ba1?a2;Bb1?b2;Move?".into()], &[]);
    assert_eq!((end, said.as_str()), (SessionEnd::AtFault, "okok"), "an illegal start");
}
