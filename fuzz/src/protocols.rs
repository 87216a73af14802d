//! Protocols of players.

use std::{io::Cursor, time::Duration};

use ludex_arena::{
    builtin::{Builtin, Kind},
    gtp,
    nexc::{self, Session, SessionEnd},
};
use ludex_judge::{Cancel, Terms};

use crate::{bounded, texts::REGISTRY};

/// Every command is answered, in order, by its own number and with `=` or `?`, and nothing else is said.
pub(crate) fn gtp(data: &[u8]) {
    let Some((&which, input)) = data.split_first() else { return };
    let spec = ["nex:2x2", "mnk:3,3,3", "hex:2x2", "heap:9"][usize::from(which) % 4];
    let dialect = if which & 4 == 0 { gtp::Dialect::Own } else { gtp::Dialect::Htp };
    // A search is stopped before it begins: only the conversation is tested.
    let cancel = Cancel::new();
    cancel.cancel();
    let game = REGISTRY.open(spec).expect("a game");
    let player = Box::new(Builtin::new(Kind::Random, 1));
    let mut engine = gtp::Engine::new(&REGISTRY, game, player, dialect, None, Some(1))
        .expect("an engine")
        .with_terms(Terms::default().until(&cancel));
    let mut output = Vec::new();
    // What a search would have used is set aside, untouched, before it is stopped.
    bounded(4 << 30, || engine.run(input, &mut output)).expect("memory takes what is written");
    let output = String::from_utf8(output).expect("text");
    let answers: Vec<&str> = output.split_terminator("\n\n").filter(|answer| !answer.is_empty()).collect();
    let mut expected = Vec::new();
    for line in input.split(|&b| b == b'\n') {
        let Ok(line) = std::str::from_utf8(line) else {
            expected.push(String::new());
            continue;
        };
        if line.len() >= 4096 {
            expected.push(String::new());
            continue;
        }
        let line: String = line
            .split('#')
            .next()
            .unwrap_or_default()
            .chars()
            .filter(|c| *c == '\t' || !c.is_control())
            .collect();
        let mut words = line.split_whitespace().peekable();
        let id = words.next_if(|word| word.bytes().all(|b| b.is_ascii_digit()));
        let Some(name) = words.next() else { continue };
        expected.push(id.unwrap_or_default().to_owned());
        if name == "quit" {
            break;
        }
    }
    // Boards are shown with blank lines, so an answer may come in several pieces.
    let heads = answers.iter().filter_map(|answer| answer.strip_prefix(['=', '?']));
    let ids: Vec<&str> = heads.map(|head| head.split([' ', '\n']).next().unwrap_or_default()).collect();
    assert_eq!(ids, expected, "{output}");
}

pub(crate) fn commands() -> Vec<Vec<u8>> {
    let texts = [
        "\0name\n1 version\nlist_commands\nboardsize 3\nplay b a1\nplay black Ba1?a2\ngenmove w\nundo\nshowboard\nall_legal_moves\nquit\n",
        "\x01play x b2\nplay o a1\nreg_genmove x\nfinal_score\nsolve\nwinning_moves\npv\nclear_board\nset_position x.o/.../...\n",
        "\x06boardsize 3 2\nplay b a2\ngenmove w\ntime_settings 10 1 1\ntime_left b 5 0\nknown_command play # yes\n\nquit\n",
        "\x03genmove\ngenmove\ngenmove\n7 undo\nboardsize 5\nunknown\n",
    ];
    texts.map(|text| text.as_bytes().to_vec()).into()
}

/// A server says anything at all: the client ends, answers with `ok` and moves only, and never answers more than it
/// was told.
pub(crate) fn nexc(data: &[u8]) {
    for dialect in [nexc::Dialect::Documented, nexc::Dialect::Deployed] {
        let mut player = Builtin::new(Kind::Random, 1);
        let mut output = Vec::new();
        let time = Some(Duration::from_millis(1));
        let session = Session { registry: &REGISTRY, rules: "", dialect, time };
        let input = Cursor::new(data.to_vec());
        let end = bounded(256 << 20, || session.play(input, &mut output, &mut player));
        assert!(matches!(end, Ok(SessionEnd::Finished | SessionEnd::AtFault)));
        let output = String::from_utf8(output).expect("text");
        let asked = data.iter().filter(|&&b| b == b'?').count();
        let moves = output.replace("ok", "");
        assert!(output.len() <= 64 * (data.len() + 1), "{output}");
        assert!(moves.matches('?').count() <= asked, "{output}");
        assert!(moves.chars().all(|c| c.is_ascii_alphanumeric() || "?-;,\n ".contains(c)), "{output}");
    }
}

pub(crate) fn sessions() -> Vec<Vec<u8>> {
    let texts = [
        "r2-c2#\n?\n>Wb2?b1\n?\n+\n",
        "r3-c3-B#\n???/???/???\nMove?\n>Wa1?a2\n+\n$\n",
        "r2-c2-W#\n;\n>Ba1?a2\nMove?\n-\nr2-c3-B#\n;\n!\n",
    ];
    texts.map(|text| text.as_bytes().to_vec()).into()
}
