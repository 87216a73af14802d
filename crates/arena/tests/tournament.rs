//! Tournaments: the better player wins, an interrupted one goes on, and everything is on record.

use std::sync::atomic::{AtomicUsize, Ordering};

use ludex_arena::{
    builtin::{Builtin, Kind},
    nexc, record,
    standings::{GameLine, Table},
    tournament::Plan,
};
use ludex_judge::{Cancel, ErrorCode, Registry};
use ludex_standard::Standard as _;

fn plan(text: &str) -> Plan {
    Plan::read(text).unwrap_or_else(|e| panic!("{e}"))
}

fn run(plan: &Plan) -> Table {
    plan.run(&Registry::standard(), &Cancel::new(), &|_, _| {}).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn perfect_beats_random_and_every_game_can_be_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("games.txt");
    let mut plan = plan(
        "spec = \"nex:2x3\"\nplayers = [\"perfect\", \"greedy\", \"random\"]\ngames = 4\nparallel = 2\n",
    );
    plan.out = Some(out.clone());
    let table = run(&plan);
    assert_eq!((table.played, table.total), (12, 12));
    assert!(table.ratings[0].elo > table.ratings[2].elo, "{}", table.text());
    let games = record::read(&std::fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!(games.len(), 12);
    let game = Registry::standard().open("nex:2x3").unwrap();
    for record in &games {
        let end = record.moves.iter().fold(game.start(None).unwrap(), |p, m| game.play(&p, m).unwrap());
        let view = game.view(&end).unwrap();
        assert_eq!(record::Score::of(view.over.unwrap(), view.to_move), record.score);
    }
}

#[test]
fn an_interrupted_tournament_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("games.txt");
    let mut plan = plan("spec = \"mnk:3,3,3\"\nplayers = [\"random\", \"greedy\"]\ngames = 10\nseed = 3\n");
    let whole = run(&plan);
    plan.out = Some(out.clone());
    let (cancel, played) = (Cancel::new(), AtomicUsize::new(0));
    let part = plan
        .run(&Registry::standard(), &cancel, &|_, _| {
            if played.fetch_add(1, Ordering::Relaxed) == 3 {
                cancel.cancel();
            }
        })
        .unwrap();
    assert_eq!(part.played, 4);
    // The last game was cut off while it was being written.
    let text = std::fs::read_to_string(&out).unwrap();
    std::fs::write(&out, &text[..text.len() - 20]).unwrap();
    let again = AtomicUsize::new(0);
    let rest = plan
        .run(&Registry::standard(), &Cancel::new(), &|_, _| {
            again.fetch_add(1, Ordering::Relaxed);
        })
        .unwrap();
    assert_eq!(again.into_inner(), 7);
    assert_eq!((rest.played, rest.results), (10, whole.results), "the same seeds play the same games");
}

#[test]
fn openings_are_played_with_both_colours() {
    let plan = plan(
        "spec = \"connect4:4x4\"\nplayers = [\"random\", \"level:1\"]\ngames = 4\nopenings = [\"moves:1\", \"moves:1,2\"]\n",
    );
    let starts = std::sync::Mutex::new(Vec::new());
    plan.run(&Registry::standard(), &Cancel::new(), &|_, record| {
        starts.lock().unwrap().push((record.start.clone(), record.players[0].clone()))
    })
    .unwrap();
    let starts = starts.into_inner().unwrap();
    assert_eq!(starts[0].0, starts[1].0);
    assert_ne!(starts[0].1, starts[1].1);
    assert_ne!(starts[0].0, starts[2].0);
}

#[test]
fn a_program_that_is_not_there_loses() {
    let plan = plan(
        "spec = \"nex:2x2\"\nplayers = [\"random\", {name = \"ghost\", command = [\"/nonexistent/player\"]}]\ngames = 2\n",
    );
    let table = run(&plan);
    assert_eq!(table.results[1], [0, 0, 2]);
}

/// Programs that flood, hang, say nothing that is text or leave lose their games; the tournament goes on.
#[test]
fn programs_at_fault_lose() {
    for protocol in ["gtp", "nexc"] {
        let shell = |name: &str, line: &str| {
            format!(
                "{{name = \"{name}\", protocol = \"{protocol}\", command = [\"sh\", \"-c\", \"{line}\"]}}"
            )
        };
        let text = format!(
            "spec = \"nex:3x3\"\nseconds = 0.5\nplayers = [\"random\", {}, {}, {}, {}]\ngames = 2\nparallel = 4\n",
            shell("flood", "yes flood"),
            shell("endless", "exec cat /dev/zero"),
            shell("bytes", "printf '\\\\377\\\\376\\\\n'; cat > /dev/null"),
            shell("gone", "exit 3"),
        );
        let table = run(&plan(&text));
        assert_eq!(table.played, 20);
        assert_eq!(table.results[0], [8, 0, 0], "{protocol}: {}", table.text());
    }
}

/// A player that is a script and starts an engine takes it along when it is ended.
#[cfg(unix)]
#[test]
fn a_programs_children_are_ended_with_it() {
    use std::{io::Read as _, process::Command, sync::mpsc, time::Duration};
    let folder = tempfile::tempdir().unwrap();
    for protocol in ["gtp", "nexc", "nexc-deployed"] {
        // The pipe is at its end when the last process that could write to it has ended.
        let pipe = folder.path().join(protocol);
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let (send, ended) = mpsc::channel();
        let reader = pipe.clone();
        std::thread::spawn(move || {
            let mut text = String::new();
            std::fs::File::open(reader).unwrap().read_to_string(&mut text).unwrap();
            send.send(text).unwrap();
        });
        // The engine ignores what is asked of it kindly, and the script ends before it.
        let script = format!(
            "exec 3<> {}; echo here >&3; (trap '' HUP TERM INT; exec sleep 600) & echo rubbish",
            pipe.display()
        );
        let text = format!(
            "spec = \"nex:2x2\"\nseconds = 0.5\nplayers = [\"random\", {{name = \"script\", protocol = \"{protocol}\", \
             command = [\"sh\", \"-c\", \"{script}\"]}}]\ngames = 1\n"
        );
        let plan = plan(&text);
        let table = std::thread::spawn(move || run(&plan));
        let text = ended.recv_timeout(Duration::from_secs(120)).expect("the engine lives on");
        assert!(text.starts_with("here"), "{protocol}: {text}");
        assert_eq!(table.join().unwrap().played, 2, "{protocol}");
    }
}

/// A player that is reached by TCP.
#[test]
fn a_player_behind_an_address() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        for seed in 0..2 {
            let (stream, _) = listener.accept().unwrap();
            let mut player = Builtin::new(Kind::Perfect, seed);
            let registry = Registry::standard();
            let session = nexc::Session {
                registry: &registry,
                rules: "",
                dialect: nexc::Dialect::Documented,
                time: None,
            };
            let left = session.play(stream.try_clone().unwrap(), stream, &mut player).unwrap();
            assert_eq!(left, nexc::SessionEnd::Finished);
        }
    });
    let text = format!(
        "spec = \"nex:2x3\"\nplayers = [\"random\", {{name = \"far\", protocol = \"nexc\", connect = \"{address}\"}}]\ngames = 2\n"
    );
    let table = run(&plan(&text));
    server.join().unwrap();
    assert_eq!(table.played, 2);
    assert!(table.results[1][0] >= 1, "the first player wins 2x3: {}", table.text());
}

#[test]
fn games_of_another_tournament_are_not_counted() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("games.txt");
    for (spec, fits) in [("nex:2x2", true), ("nex:2x2", true), ("nex:2x3", false)] {
        let mut plan = plan(&format!("spec = \"{spec}\"\nplayers = [\"random\", \"greedy\"]\n"));
        plan.out = Some(out.clone());
        assert_eq!(plan.run(&Registry::standard(), &Cancel::new(), &|_, _| {}).is_ok(), fits, "{spec}");
    }
}

#[test]
fn bad_plans_are_refused() {
    for (text, code) in [
        ("spec = \"nex:2x2\"\nplayers = [\"random\"]\n", "bad_tournament"),
        ("spec = \"nex:2x2\"\nplayers = [\"random\", \"random\"]\n", "bad_tournament"),
        ("spec = \"nex:2x2\"\nplayers = [\"random\", \"clever\"]\n", "unknown_player"),
        ("spec = \"chess\"\nplayers = [\"random\", \"greedy\"]\n", "bad_spec"),
        ("spec = \"nex:2x2\"\nplayers = [\"random\", \"greedy\"]\ngames = 0\n", "bad_tournament"),
        ("spec = \"nex:2x2\"\nplayers = [\"random\", \"greedy\"]\nopenings = [\"x\"]\n", "bad_position"),
        ("spec = nex\n", "bad_tournament"),
    ] {
        let error = Plan::read(text).and_then(|plan| plan.check(&Registry::standard())).unwrap_err();
        assert_eq!(error.code.word(), code, "{text}");
    }
}

/// A panic among the games is an error that says so, and ends the tournament.
#[test]
fn a_panic_is_told() {
    let plan = plan("spec = \"heap:9\"\nplayers = [\"random\", \"greedy\"]\ngames = 100\nparallel = 2\n");
    let played = AtomicUsize::new(0);
    let error = plan
        .run(&Registry::standard(), &Cancel::new(), &|_, _| {
            assert!(played.fetch_add(1, Ordering::Relaxed) < 3, "no room for a fourth game");
        })
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::Internal);
    assert!(error.message.contains("no room for a fourth game"), "{error}");
    assert!(played.into_inner() < 100);
}

/// What programs are told: the names of fields and the words are those of the machine interface.
#[test]
fn objects_for_programs() {
    let plan =
        plan("spec = \"heap:9\"\nplayers = [\"perfect\", \"random\"]\ngames = 2\nsprt = [0.0, 50.0]\n");
    let line = std::sync::Mutex::new(String::new());
    let table = plan
        .run(&Registry::standard(), &Cancel::new(), &|_, record| {
            *line.lock().unwrap() = serde_json::to_string(&GameLine::from(record)).unwrap();
        })
        .unwrap();
    let line = line.into_inner().unwrap();
    assert!(
        line.starts_with("{\"type\":\"game\",\"round\":\"1.2 random - perfect\",\"first\":\"random\""),
        "{line}"
    );
    assert!(line.contains(" wins\",\"plies\":"), "{line}");
    let read: GameLine = serde_json::from_str(&line).unwrap();
    assert_eq!(read.second, "perfect");
    let whole = serde_json::to_value(table.line(&plan.spec)).unwrap();
    assert_eq!(whole["type"], "tournament");
    assert_eq!(whole["players"][0]["name"], "perfect");
    assert_eq!(whole["test"]["finding"], "open");
}
