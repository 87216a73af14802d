//! A rule is a theorem about some games and none about others: a header that lists it elsewhere is refused.
#![allow(missing_docs)]

mod common;

use std::io::Write as _;

use ludex_core::Side;
use ludex_proof::{ANY, Chunk, Claim, Header, check, digest, rules::Rule};

const WORDS: [&str; 14] = [
    "play",
    "dead",
    "stop",
    "guard",
    "threats",
    "zone",
    "steal",
    "follow",
    "even",
    "odd=1",
    "odd=4",
    "odd=5",
    "promised=4",
    "promised=5",
];

/// A certificate of a finished game, which needs no rule, with one in its lists.
fn listing(spec: &str, sheet: Option<&str>, board: &str, rule: Rule, here: bool) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.flush().expect("a vector");
    let body = encoder.finish().expect("a vector");
    let header = Header {
        spec: spec.into(),
        sheet: sheet.map(Into::into),
        board: board.into(),
        side: Side::Second,
        claims: vec![Claim { side: Side::First, win: true, within: ANY }],
        strategy: !here || rule != Rule::Steal,
        win: true,
        forced: false,
        repeat: true,
        leaf: false,
        only: false,
        here: if here { vec![rule] } else { Vec::new() },
        after: if here || rule == Rule::Play { vec![Rule::Play] } else { vec![Rule::Play, rule] },
        chunks: vec![Chunk {
            claim: 0,
            within: ANY,
            bytes: body.len(),
            inflated: 0,
            remembered: 0,
            sha256: digest(b""),
            board: board.into(),
            side: Side::Second,
        }],
    };
    [header.write().into_bytes(), body].concat()
}

#[test]
fn rules_of_each_game() {
    let (weak, text) = common::weak_ttt();
    for (spec, sheet, board, here, after) in [
        ("heap:9", None, "0", "", "play"),
        ("hex:2x2", None, "BW/B.", "", "play"),
        ("mnk:3,3,3", None, "xxx/oo./...", "dead stop threats steal", "play dead stop guard zone"),
        ("mnk:3,3,3,rule=weak", None, "xxx/oo./...", "stop threats", "play stop guard zone"),
        ("mnk:3,3,3,rule=misere", None, "ooo/xx./x..", "", "play"),
        ("connect4:4x4", None, "x.../xo../xo../xo..", "dead", "play dead follow even odd=1 odd=4 promised=4"),
        ("seven:4", None, "M.../M.../M.../M...", "stop threats", "play stop guard zone"),
        (weak.as_str(), Some(text.as_str()), "BBBWW....", "stop threats", "play stop guard zone"),
    ] {
        for word in WORDS {
            let rule: Rule = word.parse().expect("a rule");
            for (place, belonging) in [(true, here), (false, after)] {
                let checked = check(&listing(spec, sheet, board, rule, place));
                let belongs = belonging.split(' ').any(|wanted| wanted == word);
                match checked {
                    Ok(_) => assert!(belongs, "{spec}: {word} is believed, here: {place}"),
                    Err(fault) if belongs => panic!("{spec}: {word} is refused, here: {place}: {fault}"),
                    Err(fault) => {
                        let wanted = format!("header: the rule '{word}' does not belong there");
                        assert_eq!(fault.message, wanted, "{spec}");
                    }
                }
            }
        }
    }
}
