//! Certificates: files of strangers that must not be believed.

use std::{io::Write as _, sync::LazyLock};

use ludex_core::hex;
use ludex_proof::{ANY, Claim, Header, check, digest, rules::Rule};
use sha2::{Digest as _, Sha256};

use crate::bounded;

/// Enough for what a file of a few kilobytes proves.
const CHECK: usize = 64 << 20;

/// Small certificates of all games. What each claims is true, since the checker and a second program say so.
#[rustfmt::skip]
const FILES: [&[u8]; 13] = [
    include_bytes!("../../proofs/collapsi/example.ludex"),
    include_bytes!("../../proofs/connect4/4x4.ludex"),
    include_bytes!("../../proofs/connect4/positions/3667355522.ludex"),
    include_bytes!("../../proofs/heap/20.ludex"),
    include_bytes!("../../proofs/hex/3x3.ludex"),
    include_bytes!("../../proofs/mnk/3,3,3.ludex"),
    include_bytes!("../../proofs/mnk/3,3,3-weak.ludex"),
    include_bytes!("../../proofs/mnk/3,3,3-misere.ludex"),
    include_bytes!("../../proofs/mnk/4,4,4.ludex"),
    include_bytes!("../../proofs/nex/2x2-official.ludex"),
    include_bytes!("../../proofs/positional/tic-tac-toe.ludex"),
    include_bytes!("../../proofs/seven/6.ludex"),
    include_bytes!("../../proofs/seven/4-breaker-first.ludex"),
];

/// A certificate in pieces: its header, and the moves and hints of its first chunk.
static PIECES: LazyLock<Vec<(Header, Vec<u8>)>> = LazyLock::new(|| {
    let pieces = FILES.iter().map(|file| {
        let (header, at) = Header::read(file).expect("a header");
        let mut decoder = flate2::write::ZlibDecoder::new(Vec::new());
        decoder.write_all(&file[at..at + header.chunks[0].bytes]).expect("a stream");
        let tokens = decoder.finish().expect("a stream");
        (header, tokens)
    });
    pieces.collect()
});

/// The file with a header's digest that is right, so that what stands in the header is looked at.
fn sealed(file: &[u8]) -> Vec<u8> {
    let line = b"\ndigest sha256 ";
    let Some(at) = file.windows(line.len()).position(|part| part == line) else { return file.to_vec() };
    let (head, tail) = (&file[..=at], file.get(at + line.len() + 64..).unwrap_or_default());
    let digest = hex(&Sha256::digest(head));
    [head, &line[1..], digest.as_bytes(), tail].concat()
}

/// A file is refused with a reason or proves what it says, and what proves is written as it was read.
pub(crate) fn certificate(data: &[u8]) {
    for file in [data, &sealed(data)] {
        match bounded(CHECK, || check(file)) {
            Ok(checked) => {
                let (header, at) = Header::read(file).expect("what was checked has a header");
                assert_eq!(header.write().as_bytes(), &file[..at]);
                assert_eq!(header, checked.header);
            }
            Err(fault) => assert!(!fault.to_string().is_empty()),
        }
    }
}

pub(crate) fn certificates() -> Vec<Vec<u8>> {
    FILES.iter().map(|file| file.to_vec()).collect()
}

/// All rules, each of those with a number with some.
fn every_rule() -> impl Iterator<Item = Rule> {
    const PLAIN: [Rule; 9] = [
        Rule::Play,
        Rule::Dead,
        Rule::Stop,
        Rule::Guard,
        Rule::Threats,
        Rule::Zone,
        Rule::Steal,
        Rule::Follow,
        Rule::Even,
    ];
    PLAIN.into_iter().chain((1..4).flat_map(|n| [Rule::Odd(n), Rule::Promised(n)]))
}

/// What cannot be true where this is.
fn opposite(claim: Claim, win: bool) -> Claim {
    Claim { side: claim.side.other(), win: win || !claim.win, within: ANY }
}

/// Nothing proves what is false: six bytes choose a position, a false claim about it, what is implied and the rules; the rest are
/// the moves and hints.
pub(crate) fn false_claim(data: &[u8]) {
    let Some((&[which, kind, here, after, more, order], tokens)) = data.split_first_chunk::<6>() else {
        return;
    };
    let mut header = PIECES[usize::from(which) % PIECES.len()].0.clone();
    let claim = opposite(header.claims[0], kind & 1 == 0);
    header.claims = vec![claim];
    [header.win, header.forced, header.repeat] = [2, 4, 8].map(|bit| kind & bit != 0);
    [header.leaf, header.only, header.strategy] = [16, 32, 64].map(|bit| kind & bit != 0);
    header.only &= header.forced;
    let chosen = |bits: u16| {
        let mut rules: Vec<Rule> =
            every_rule().enumerate().filter(|(i, _)| bits >> i & 1 != 0).map(|(_, rule)| rule).collect();
        let turns = if rules.is_empty() { 0 } else { usize::from(order) % rules.len() };
        rules.rotate_left(turns);
        rules
    };
    header.here = chosen(u16::from(here) | u16::from(more & 127) << 8);
    header.after = chosen(u16::from(after) | 1 | u16::from(more & 127) << 8);
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(tokens).expect("a vector");
    let packed = encoder.finish().expect("a vector");
    header.chunks.truncate(1);
    let chunk = &mut header.chunks[0];
    (chunk.claim, chunk.within, chunk.remembered) = (0, ANY, 1 << 20);
    (chunk.bytes, chunk.inflated, chunk.sha256) = (packed.len(), tokens.len() as u64, digest(tokens));
    let file = [header.write().into_bytes(), packed].concat();
    let checked = bounded(CHECK, || check(&file));
    assert!(checked.is_err(), "{} {}: {claim} is accepted", header.spec, header.board);
}

pub(crate) fn false_claims() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (which, (header, tokens)) in PIECES.iter().enumerate() {
        let bits = |rules: &[Rule]| {
            let all: Vec<Rule> = every_rule().collect();
            rules
                .iter()
                .filter_map(|rule| all.iter().position(|other| other == rule))
                .fold(0u16, |a, i| a | 1 << i)
        };
        let flags =
            [true, header.win, header.forced, header.repeat, header.leaf, header.only, header.strategy];
        let kind = flags.iter().enumerate().fold(0, |a, (i, &flag)| a | u8::from(flag) << i);
        let (here, after) = (bits(&header.here), bits(&header.after));
        let more = ((here | after) >> 8) as u8;
        let head = [which as u8, kind, here as u8, after as u8, more, 0];
        seeds.push([&head[..], tokens].concat());
    }
    seeds
}
