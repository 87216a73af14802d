//! The Go Text Protocol: a session, and everything that is none.

use ludex_arena::{
    builtin::{Builtin, Kind},
    gtp::{Dialect, Engine},
};
use ludex_core::Rng;
use ludex_judge::Registry;
use ludex_standard::Standard as _;

fn session(spec: &str, dialect: Dialect, input: &[u8]) -> String {
    let registry = Registry::standard();
    let (game, player) = (registry.open(spec).unwrap(), Box::new(Builtin::new(Kind::Perfect, 0)));
    let mut engine = Engine::new(&registry, game, player, dialect, None, Some(0)).unwrap();
    let mut output = Vec::new();
    engine.run(input, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn a_session_of_nex() {
    let out = session(
        "nex:3x3",
        Dialect::Own,
        b"1 protocol_version\n# a comment\n\nboardsize 2 2\nplay black Ba1?a2\nplay black Ba1?a2\n2 genmove w\nundo\nsolve\nfinal_score\nplay w ?b2Wb1\ngenmove b\nfinal_score\nknown_command pv\nquit\nname\n",
    );
    let answers: Vec<&str> = out.split("\n\n").collect();
    assert_eq!(answers[0], "=1 2");
    assert_eq!(answers[1], "= ");
    assert_eq!(answers[3], "? illegal move: it is not Black's turn");
    assert!(answers[4].starts_with("=2 W"), "{}", answers[4]);
    assert_eq!(answers[6], "= black");
    assert_eq!(answers[7], "= unfinished");
    assert_eq!(answers[9], "= Ba2Bb2?a1");
    assert_eq!(answers[10], "= B+");
    assert_eq!(answers[11], "= true");
    assert_eq!(answers.len(), 14, "nothing after quit: {out}");
}

#[test]
fn the_dialect_of_hex_programs() {
    let out = session(
        "hex:2x3",
        Dialect::Htp,
        b"play black c1\nall_legal_moves\nboardsize 3 3\nplay b a3\nshowboard\n",
    );
    assert!(out.starts_with("= \n\n= a1 b1 a2 b2 c2\n\n"), "{out}");
    assert!(out.contains("c  B "), "column a, row 3 is our c1: {out}");
}

/// The other parameters stay, and each family has its own order of width and height.
#[test]
fn another_board_of_the_same_game() {
    for (spec, size, cells) in [
        ("nex:2x2,rules=official", "boardsize 3 2", 6),
        ("connect4:4x4", "boardsize 5 4", 5),
        ("mnk:3,3,3", "boardsize 4 2", 8),
    ] {
        let out = session(spec, Dialect::Own, format!("{size}\nshowboard\nall_legal_moves\n").as_bytes());
        let moves = out.trim_end().rsplit("\n\n").next().unwrap().trim_start_matches("= ");
        let named: std::collections::BTreeSet<_> =
            moves.split([' ', '?', 'B', 'W']).filter(|cell| !cell.is_empty()).collect();
        assert_eq!(named.len(), cells, "{spec}, {size}: {out}");
    }
    let out = session("heap:9", Dialect::Own, b"boardsize 3 3\n");
    assert_eq!(out, "? this game has no board size\n\n");
}

#[test]
fn every_game_answers() {
    for family in Registry::standard().families() {
        let small = family.small[0];
        let out = session(
            small,
            Dialect::Own,
            b"showboard\nall_legal_moves\ngenmove\nundo\nboardsize 900 900\nwinning_moves\npv\nquit\n",
        );
        assert_eq!(out.matches("\n\n").count(), 8, "{small}: {out}");
    }
}

#[test]
fn rubbish_is_answered_by_errors() {
    let mut rng = Rng::new(4);
    let words = [
        "play",
        "genmove",
        "b",
        "w",
        "undo",
        "boardsize",
        "-1",
        "999999999999",
        "time_left",
        "\u{1F3B2}",
        "Ba1?b2",
        "swap",
        "set_position",
        "\0",
        "solve",
    ];
    let mut input = Vec::new();
    for _ in 0..400 {
        for _ in 0..rng.below(4) + 1 {
            input.extend(rng.pick(&words).unwrap().as_bytes());
            input.push(b' ');
        }
        if rng.below(10) == 0 {
            input.extend([0xff, 0xc0]);
        }
        input.push(b'\n');
    }
    input.extend(vec![b'z'; 1 << 20]);
    input.extend(b"\nname\n");
    let out = session("nex:2x2", Dialect::Own, &input);
    assert!(out.ends_with("? line too long\n\n= Ludex\n\n"), "{}", &out[out.len() - 80..]);
}
