//! A checker that cannot be fooled: random corruptions are refused, or what the header claims is still true.
#![allow(missing_docs)]

mod common;

use std::{collections::HashMap, io::Write as _};

use ludex_core::{Rng, Side};
use ludex_proof::{
    ANY, Chunk, Claim, Header, check, digest, rewrite,
    rules::{self, Rule},
};

/// How many corruptions of each certificate are tried: `LUDEX_MUTATIONS` says how many altogether.
fn tries(files: usize) -> usize {
    let all = std::env::var("LUDEX_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000);
    usize::max(all / files, 10)
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("a vector");
    encoder.finish().expect("a vector")
}

fn unpack(bytes: &[u8]) -> Vec<u8> {
    let mut decoder = flate2::write::ZlibDecoder::new(Vec::new());
    decoder.write_all(bytes).expect("a stream");
    decoder.finish().expect("a stream")
}

/// Change a list of bytes: flip a bit, drop, double, exchange, overwrite, cut off.
fn corrupt(bytes: &mut Vec<u8>, rng: &mut Rng) {
    if bytes.is_empty() {
        bytes.push(rng.below(256) as u8);
        return;
    }
    let (i, j) = (rng.below(bytes.len()), rng.below(bytes.len()));
    match rng.below(8) {
        0 => bytes[i] ^= 1 << rng.below(8),
        1 => drop(bytes.remove(i)),
        2 => bytes.insert(i, bytes[j]),
        3 => bytes.swap(i, j),
        4 => bytes.truncate(i),
        5 => bytes[i] = rng.below(24) as u8,
        6 => bytes[i] = bytes[i].wrapping_add(1),
        _ => bytes.extend_from_within(i..),
    }
}

/// Change what a header says.
fn edit(header: &mut Header, rng: &mut Rng) {
    let claim = rng.below(header.claims.len());
    match rng.below(16) {
        0 => header.claims[claim].side = header.claims[claim].side.other(),
        1 => header.claims[claim].win = true,
        2 => {
            let within = rng.below(12) as u32;
            header.claims[claim] = Claim { win: true, within, ..header.claims[claim] };
            header.chunks.iter_mut().filter(|c| c.claim == claim).for_each(|c| c.within = within);
        }
        3 => header.side = header.side.other(),
        4 => {
            let mut board = header.board.clone().into_bytes();
            corrupt(&mut board, rng);
            header.board = String::from_utf8_lossy(&board).replace(['\n', ' '], ".");
            header.chunks.iter_mut().for_each(|c| c.board.clone_from(&header.board));
        }
        5 => header.win = !header.win,
        6 => header.forced = !header.forced,
        7 => header.repeat = !header.repeat,
        11 => header.leaf = !header.leaf,
        12 => header.only = !header.only,
        8 => {
            let chunk = rng.below(header.chunks.len());
            header.chunks[chunk].remembered = rng.below(20) as u64;
        }
        9 => {
            let list = if rng.below(2) == 0 { &mut header.here } else { &mut header.after };
            if list.len() > 1 {
                let (a, b) = (rng.below(list.len()), rng.below(list.len()));
                list.swap(a, b);
            }
        }
        10 => header.claims.swap(0, claim),
        // References to the wrong place: another root for a chunk, or two chunks with each other's.
        13 => {
            let chunk = rng.below(header.chunks.len());
            let mut board = header.chunks[chunk].board.clone().into_bytes();
            corrupt(&mut board, rng);
            header.chunks[chunk].board = String::from_utf8_lossy(&board).replace(['\n', ' '], ".");
        }
        14 => {
            let (a, b) = (rng.below(header.chunks.len()), rng.below(header.chunks.len()));
            let board = header.chunks[a].board.clone();
            header.chunks[a].board = std::mem::replace(&mut header.chunks[b].board, board);
        }
        _ => {
            let chunk = rng.below(header.chunks.len());
            header.chunks[chunk].claim = claim;
        }
    }
}

/// Put a piece of another proof into one: moves and hints of other positions.
fn splice(tokens: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    if other.is_empty() {
        return;
    }
    let (from, at) = (rng.below(other.len()), rng.below(tokens.len() + 1));
    let piece = &other[from..other.len().min(from + 1 + rng.below(12))];
    let end = if rng.below(2) == 0 { at } else { tokens.len().min(at + piece.len()) };
    tokens.splice(at..end, piece.iter().copied());
}

/// A corrupted file: of the bytes themselves, of the tokens, or of the header, with digests that are right again.
fn mutant(
    file: &[u8],
    header: &Header,
    tokens: &[Vec<u8>],
    (other_file, other): (&[u8], &[u8]),
    rng: &mut Rng,
) -> Vec<u8> {
    match rng.below(25) {
        0..5 => {
            let mut bytes = file.to_vec();
            (0..1 + rng.below(2)).for_each(|_| corrupt(&mut bytes, rng));
            return bytes;
        }
        5 => return [file, if rng.below(2) == 0 { file } else { other_file }].concat(),
        _ => {}
    }
    let (mut header, mut tokens) = (header.clone(), tokens.to_vec());
    for _ in 0..1 + rng.below(2) {
        let chunk = rng.below(header.chunks.len());
        match rng.below(8) {
            0..3 => edit(&mut header, rng),
            3 => splice(&mut tokens[chunk], other, rng),
            4 => {
                let piece = tokens[rng.below(header.chunks.len())].clone();
                splice(&mut tokens[chunk], &piece, rng);
            }
            _ => corrupt(&mut tokens[chunk], rng),
        }
    }
    let mut body = Vec::new();
    for (chunk, tokens) in header.chunks.iter_mut().zip(&tokens) {
        let packed = pack(tokens);
        (chunk.bytes, chunk.inflated, chunk.sha256) = (packed.len(), tokens.len() as u64, digest(tokens));
        body.extend(packed);
    }
    [header.write().into_bytes(), body].concat()
}

/// A certificate in pieces.
fn pieces(file: &[u8]) -> (Header, Vec<Vec<u8>>) {
    let (header, mut next) = Header::read(file).expect("a header");
    let tokens = header.chunks.iter().map(|chunk| {
        next += chunk.bytes;
        unpack(&file[next - chunk.bytes..next])
    });
    let tokens = tokens.collect();
    (header, tokens)
}

/// The certificates that are corrupted: small ones of all games, whole and in chunks.
fn originals() -> Vec<(String, Vec<u8>)> {
    let open = |header: &Header| rules::open(&header.spec, header.sheet.as_deref());
    let mut files = common::small().to_vec();
    for (name, file) in common::small().iter().step_by(2) {
        let cut = rewrite(std::slice::from_ref(file), &open, 3).expect("chunks");
        files.push((format!("{name}, in chunks"), cut));
    }
    files
}

/// Every mutant goes into the file that `LUDEX_CORPUS` names, for another checker to be asked about it: its length in four bytes,
/// lowest first, whether it is accepted in one, and its bytes. `tools/agree.py` reads it.
struct Corpus(Option<std::io::BufWriter<std::fs::File>>);

impl Corpus {
    fn open() -> Self {
        let path = std::env::var_os("LUDEX_CORPUS");
        Self(path.map(|path| std::io::BufWriter::new(std::fs::File::create(path).expect("a file"))))
    }

    fn add(&mut self, file: &[u8], accepted: bool) {
        if let Some(out) = &mut self.0 {
            let length = u32::try_from(file.len()).expect("a small file").to_le_bytes();
            let parts = [&length[..], &[u8::from(accepted)], file];
            parts.into_iter().for_each(|part| out.write_all(part).expect("room"));
        }
    }
}

#[test]
fn no_corruption_proves_what_is_not_true() {
    let files = originals();
    let tries = tries(files.len());
    let mut corpus = Corpus::open();
    let (mut accepted, mut refused) = (0, 0);
    for (number, (name, file)) in files.iter().enumerate() {
        let (header, tokens) = pieces(file);
        let other_file = &files[(number + 7) % files.len()].1;
        let other = pieces(other_file).1.concat();
        let game = rules::open(&header.spec, header.sheet.as_deref()).expect("a game");
        let mut brute = common::Brute::new(&*game);
        let mut truths: HashMap<(String, Side, String), bool> = HashMap::new();
        for seed in 0..tries {
            let mut rng = Rng::new((number * 1_000_003 + seed) as u64);
            let mutant = mutant(file, &header, &tokens, (other_file, &other), &mut rng);
            let checked = check(&mutant);
            corpus.add(&mutant, checked.is_ok());
            let Ok(checked) = checked else {
                refused += 1;
                continue;
            };
            accepted += 1;
            let proved = checked.header;
            assert_eq!(proved.spec, header.spec, "the game is never changed");
            for claim in &proved.claims {
                let root = game.read(&proved.board, proved.side).expect("a position");
                let about = (proved.board.clone(), proved.side, claim.to_string());
                let truth = *truths.entry(about).or_insert_with(|| brute.holds(claim, &root, claim.within));
                assert!(
                    truth,
                    "{name}, mutant {seed}: {} {} {claim} was accepted",
                    proved.board, proved.side
                );
            }
        }
    }
    println!("{} mutants: {refused} refused, {accepted} accepted and true", refused + accepted);
    assert!(refused > 10 * files.len() / 2 && accepted > 0, "{refused} refused, {accepted} accepted");
}

#[test]
fn no_bytes_make_the_checker_panic() {
    for seed in 0..2_000 {
        let mut rng = Rng::new(seed);
        let mut bytes: Vec<u8> = (0..rng.below(300)).map(|_| rng.below(256) as u8).collect();
        if seed % 2 == 0 {
            bytes.splice(0..0, b"ludex certificate 1\ngame mnk:3,3,3\nposition ".iter().copied());
        }
        assert!(check(&bytes).is_err());
    }
}

/// A certificate written by hand: whose wins are claimed, and the chunks by claim, root and tokens. Moves that win at once are left out.
fn of_heap(claims: &[Side], chunks: &[(usize, u16, Side, &[u8])]) -> Vec<u8> {
    let chunks: Vec<_> =
        chunks.iter().map(|&(claim, left, side, tokens)| (claim, left.to_string(), side, tokens)).collect();
    let claims = claims.iter().map(|&side| Claim { side, win: true, within: ANY }).collect();
    by_hand("heap:9", claims, &[], true, &chunks)
}

fn by_hand(
    spec: &str,
    claims: Vec<Claim>,
    here: &[Rule],
    win: bool,
    chunks: &[(usize, String, Side, &[u8])],
) -> Vec<u8> {
    let chunk = |(claim, board, side, tokens): &(usize, String, Side, &[u8])| Chunk {
        claim: *claim,
        within: ANY,
        bytes: pack(tokens).len(),
        inflated: tokens.len() as u64,
        remembered: 9,
        sha256: digest(tokens),
        board: board.clone(),
        side: *side,
    };
    let header = Header {
        spec: spec.into(),
        sheet: None,
        board: chunks[0].1.clone(),
        side: chunks[0].2,
        claims,
        strategy: true,
        win,
        forced: false,
        repeat: true,
        leaf: false,
        only: false,
        here: here.to_vec(),
        after: vec![Rule::Play],
        chunks: chunks.iter().map(chunk).collect(),
    };
    let body = chunks.iter().flat_map(|(.., tokens)| pack(tokens));
    header.write().into_bytes().into_iter().chain(body).collect()
}

/// A position counts as proved elsewhere only if it is the root of a chunk of the same claim with the claimant to move.
#[test]
fn chunks_prove_nothing_for_other_claims_or_sides() {
    use Side::{First, Second};
    // Whoever is to move at a multiple of 4 loses: a chunk of its own says so of 4, and another refers to it.
    let eight: (usize, u16, Side, &[u8]) = (0, 8, First, &[0, 2, 1, 0]);
    assert!(check(&of_heap(&[Second], &[eight])).is_ok());
    let seven: (usize, u16, Side, &[u8]) = (0, 7, Second, &[2]);
    assert!(check(&of_heap(&[Second], &[(0, 8, First, &[0, 1, 0]), seven])).is_ok());
    let four: (usize, u16, Side, &[u8]) = (0, 4, First, &[0]);
    assert!(check(&of_heap(&[Second], &[four])).is_ok());
    // First takes 3 of 8 and wins at once, but for 4, where the chunk of the other claim says that it has lost.
    let both = of_heap(&[Second, First], &[eight, four, (1, 8, First, &[2])]);
    assert_eq!(check(&both).expect_err("8 is lost").message, "ends in the middle");
    // First takes 1 of 5, and the chunk is about 4 with the other side to move.
    let moved = of_heap(&[Second], &[(0, 5, First, &[0]), four]);
    assert_eq!(check(&moved).expect_err("5 is won").message, "ends in the middle");
}

/// A fault says in which chunk it is.
#[test]
fn faults_name_their_chunk() {
    let chunks: &[(usize, u16, Side, &[u8])] = &[(0, 8, Side::First, &[0, 1, 0]), (0, 7, Side::Second, &[2])];
    let file = of_heap(&[Side::Second], chunks);
    let cut = check(&file[..file.len() - 1]).expect_err("the last chunk is cut off");
    assert_eq!((cut.chunk, cut.message.as_str()), (2, "the file ends before it does"));
    assert_eq!(cut.to_string(), "chunk 2: the file ends before it does (after the start)");
    let illegal = of_heap(&[Side::Second], &[chunks[0], (0, 7, Side::Second, &[9])]);
    assert_eq!(check(&illegal).expect_err("no such move").chunk, 2);
    let later = of_heap(&[Side::Second], &[(0, 8, Side::First, &[0, 9])]);
    let fault = check(&later).expect_err("no such move after First takes one");
    assert_eq!(fault.to_string(), "chunk 1: there is no move of this number (after 1)");
    let header = check(b"ludex\n").expect_err("no header");
    assert_eq!(header.to_string(), "header, line 1: should be 'ludex certificate 1'");
}

/// A move that ends the game may be written down, and then it has to win.
#[test]
fn last_moves_that_are_written_down() {
    let claim = Claim { side: Side::First, win: true, within: ANY };
    let taking =
        |tokens| check(&by_hand("heap:9", vec![claim], &[], false, &[(0, "3".into(), Side::First, tokens)]));
    let checked = taking(&[2]).expect("First takes all three");
    assert_eq!((checked.moves, checked.leaves, checked.positions), (1, 0, 2));
    let lost = taking(&[1]).expect_err("First leaves one");
    assert_eq!(lost.to_string(), "chunk 1: the game does not end as is claimed (after 2 1)");
}

/// A rule may settle a position with the claimant to move: no line of the opponent is left.
#[test]
fn a_dead_position_with_the_claimant_to_move() {
    let claim = Claim { side: Side::First, win: false, within: ANY };
    let dead = |board: &str| {
        check(&by_hand(
            "mnk:3,3,3",
            vec![claim],
            &[Rule::Dead],
            false,
            &[(0, board.into(), Side::First, &[0])],
        ))
    };
    let checked = dead("xox/xoo/ox.").expect("nobody can complete a line");
    assert_eq!((checked.moves, checked.leaves, checked.positions), (0, 1, 1));
    let alive = dead("xo./xo./...").expect_err("Second has the middle column");
    assert_eq!(alive.to_string(), "chunk 1: the rule 'dead' does not apply (after the start)");
}
