//! What certificates are for: a program that believes a false theorem writes files that no checker accepts.
//!
//! Three rules that have been believed, or nearly: theorem IV.3 of Czifra et al. as it is printed, the rule of blocks in games with
//! a bound on Maker's moves, and Connect Four's rule of even threats without a look at the parity. Each is given to a strategy that
//! trusts it. Wherever it claims what is not true, the file that is written must be refused.
#![allow(missing_docs)]

mod common;

use std::fmt::Write as _;

use ludex_core::{Error, Rng, Side};
use ludex_games::hypergraph::{Residual, components, naive};
use ludex_proof::{
    ANY, Claim, Header, check, digest,
    rules::{self, Position, Rule, Rules},
    writer::{self, Root, Step, Strategy},
};

/// Whether a rule claims a position for the claimant, with whoever is to move.
type Believes<'a> = &'a dyn Fn(&Position) -> bool;

/// A strategy that plays to where it believes to have won.
struct Believer<'a> {
    claim: Claim,
    believes: Believes<'a>,
    /// The rule that it writes down there, and the hints.
    leaf: (Rule, Vec<u32>),
}

impl Believer<'_> {
    fn holds(&self, game: &dyn Rules, p: &Position) -> bool {
        if let Some(winner) = game.result(p) {
            return self.claim.satisfied(winner);
        }
        if (self.believes)(p) {
            return true;
        }
        let mut after = game.moves(p).into_iter().map(|m| self.holds(game, &game.play(p, m)));
        if p.side == self.claim.side { after.any(|held| held) } else { after.all(|held| held) }
    }
}

impl Strategy for Believer<'_> {
    fn decide(&mut self, game: &dyn Rules, p: &Position, _: u32) -> Result<Step, Error> {
        let (rule, hints) = self.leaf.clone();
        if (self.believes)(p) {
            return Ok(Step { play: None, rule, hints });
        }
        let play = game.moves(p).into_iter().find(|&m| self.holds(game, &game.play(p, m)));
        let q = game.play(p, play.expect("a move that is believed in"));
        let (rule, hints) = if game.result(&q).is_none() && (self.believes)(&q) {
            (rule, hints)
        } else {
            (Rule::Play, Vec::new())
        };
        Ok(Step { play, rule, hints })
    }

    fn settle(&mut self, _: &dyn Rules, p: &Position, _: u32) -> Result<(Rule, Vec<u32>), Error> {
        Ok(if (self.believes)(p) { self.leaf.clone() } else { (Rule::Play, Vec::new()) })
    }
}

/// Write what the believer claims of a position, if it is not true, and see that it is refused. Whether there was something to write.
fn refused(
    (spec, sheet): (&str, Option<&str>),
    (board, side): (&str, Side),
    claim: Claim,
    believes: Believes<'_>,
    leaf: (Rule, Vec<u32>),
) -> bool {
    let game = rules::open(spec, sheet).expect("a game");
    let position = game.read(board, side).expect("a position");
    let mut believer = Believer { claim, believes, leaf };
    let lies = !common::Brute::new(&*game).holds(&claim, &position, ANY) && believer.holds(&*game, &position);
    if lies {
        let header = Header {
            spec: spec.into(),
            sheet: sheet.map(Into::into),
            board: board.into(),
            side,
            claims: vec![claim],
            strategy: true,
            win: true,
            forced: false,
            repeat: true,
            leaf: false,
            only: false,
            here: Vec::new(),
            after: Vec::new(),
            chunks: Vec::new(),
        };
        let root = Root { claim: 0, board: board.into(), position, within: ANY };
        let file = writer::write(header, &*game, &[root], &mut [&mut believer]).expect("a file");
        common::keep(&format!("unsound-{}-refused", digest(&file)), &file);
        let fault = check(&file).expect_err("what is not true is not accepted");
        assert!(!fault.message.is_empty());
    }
    lies
}

/// A game from a file: Black, who begins, wants one of these sets, with so many plies.
fn sheet(cells: usize, sets: &[u64], plies: usize) -> (String, String) {
    let names =
        |letter: char, count: usize| (0..count).map(|i| format!("{letter}{i}")).collect::<Vec<_>>().join(" ");
    let turns: Vec<String> = (0..plies).step_by(2).map(|i| format!("t{i}")).collect();
    let mut text = format!(
        "#times\n{}\n#blackturns\n{}\n#positions\n{}\n#blackwins\n",
        names('t', plies),
        turns.join(" "),
        names('c', cells)
    );
    for set in sets {
        let cells: Vec<String> = (0..cells).filter(|c| set >> c & 1 == 1).map(|c| format!("c{c}")).collect();
        writeln!(text, "{}", cells.join(" ")).expect("a text");
    }
    (format!("positional:sha256={}", digest(text.as_bytes())), text)
}

/// What the sets are to Maker in a position: nothing where Breaker has a stone.
fn edges(sets: &[u64], p: &Position) -> Vec<u64> {
    let of = |stone: u8| (0..p.cells.len()).filter(|&c| p.cells[c] == stone).fold(0u64, |m, c| m | 1 << c);
    sets.iter().filter(|set| *set & of(2) == 0).map(|set| set & !of(1)).collect()
}

fn random_set(rng: &mut Rng, cells: usize) -> u64 {
    (0..1 + rng.below(3)).fold(0, |set, _| set | 1 << rng.below(cells))
}

/// The theorem as printed: E = E1' ∪ E2' ∪ {e}, Ei = Ei' ∪ {e ∩ Vi}; Maker, to move, wins iff he wins E1', or E2', or E1 and E2.
fn theorem_iv_3(edges: &[u64]) -> bool {
    (0..edges.len()).any(|i| {
        let (e, mut others) = (edges[i], edges.to_vec());
        others.remove(i);
        let rest = Residual::new(others.clone());
        components::components(&rest).into_iter().chain(e.checked_ilog2().map(|high| 1 << high)).any(|part| {
            let (one, two): (Vec<u64>, Vec<u64>) = others.iter().copied().partition(|f| f & part != 0);
            let with = |edges: &[u64], cut: u64| [edges, &[cut]].concat();
            e & part != 0
                && e & !part != 0
                && two.iter().all(|f| f & part == 0)
                && one.iter().all(|f| f & !part == 0)
                && naive::maker_wins(&with(&one, e & part), true)
                && naive::maker_wins(&with(&two, e & !part), true)
        })
    })
}

#[test]
fn the_theorem_on_bridging_edges_proves_nothing() {
    let mut rng = Rng::new(1);
    let claim = Claim { side: Side::First, win: true, within: ANY };
    let mut lies = 0;
    for round in 0..300 {
        let cells = 2 + rng.below(5);
        let mut sets: Vec<u64> = (0..1 + rng.below(4)).map(|_| random_set(&mut rng, cells)).collect();
        if round == 0 {
            sets = vec![0b11];
        }
        sets.retain(|set| set.count_ones() > 1);
        if sets.is_empty() {
            continue;
        }
        let (spec, text) = sheet(cells, &sets, cells);
        let believes = |p: &Position| p.side == Side::First && theorem_iv_3(&edges(&sets, p));
        let (start, leaf) = (".".repeat(cells), (Rule::Threats, vec![1, 0]));
        lies += usize::from(refused((&spec, Some(&text)), (&start, Side::First), claim, &believes, leaf));
    }
    assert!(lies > 10, "the theorem was wrong {lies} times only");
}

#[test]
fn blocks_in_bounded_games_prove_nothing() {
    let claim = Claim { side: Side::Second, win: true, within: ANY };
    let mut lies = 0;
    // Maker wins these with so many moves, but no block of them by a move that is no cut vertex. A search among random ones found them.
    for (cells, moves, sets) in [
        (9, 3, vec![40, 137, 81, 145, 26]),
        (9, 4, vec![384, 35, 200, 11, 81, 52]),
        (9, 3, vec![416, 65, 98, 386, 134]),
    ] {
        let (spec, text) = sheet(cells, &sets, 2 * moves - 1);
        // Only the block of a first move that is no cut vertex is looked at, and all of the game after any other.
        let believes = |p: &Position| {
            let left = moves - p.cells.iter().filter(|&&c| c == 1).count();
            if p.side != Side::First || left == 0 {
                return false;
            }
            let rest = Residual::new(edges(&sets, p));
            let blocks = components::blocks(&rest);
            !(0..cells).any(|cell| {
                let mut part = rest.clone();
                let mut around = blocks.iter().filter(|b| *b >> cell & 1 == 1);
                match (around.next(), around.next()) {
                    (None, _) => return false,
                    (Some(&block), None) => part.restrict(block),
                    _ => {}
                }
                part.take(cell);
                naive::maker_wins_within(part.edges(), false, left as u32 - 1)
            })
        };
        let (start, leaf) = (".".repeat(cells), (Rule::Stop, vec![0]));
        lies += usize::from(refused((&spec, Some(&text)), (&start, Side::First), claim, &believes, leaf));
    }
    assert_eq!(lies, 3);
}

#[test]
fn even_threats_on_the_wrong_parity_prove_nothing() {
    let mut rng = Rng::new(3);
    let mut lies = 0;
    for spec in ["connect4:4x4", "connect4:5x4"] {
        let game = rules::open(spec, None).expect("a game");
        for _ in 0..200 {
            let mut p = game.read(&start(spec), Side::First).expect("the start");
            for _ in 0..8 + rng.below(4) {
                if game.result(&p).is_none() {
                    p = game.play(&p, *rng.pick(&game.moves(&p)).expect("a move"));
                }
            }
            if game.result(&p).is_some() {
                continue;
            }
            let claim = Claim { side: p.side.other(), win: true, within: ANY };
            // Somewhere above, in a row of either parity, the follower has a threat: that is said to be enough.
            let believes = |q: &Position| q.side != claim.side && threatens_above(&*game, q, claim.side);
            let board = game.write(&p);
            lies += usize::from(refused(
                (spec, None),
                (&board, p.side),
                claim,
                &believes,
                (Rule::Even, Vec::new()),
            ));
        }
    }
    assert!(lies > 10, "the rule was wrong {lies} times only");
}

fn start(spec: &str) -> String {
    let width = if spec.ends_with("4x4") { 4 } else { 5 };
    vec![".".repeat(width); 4].join("/")
}

/// Whether a side has a threat on an empty cell that cannot be played yet.
fn threatens_above(game: &dyn Rules, p: &Position, side: Side) -> bool {
    let lines = game.lines().expect("lines");
    let stone = rules::lines::stone(side);
    (lines.width..p.cells.len()).any(|cell| {
        let lacks_only = |line: &&Vec<usize>| line.iter().all(|&c| (c == cell) == (p.cells[c] != stone));
        p.cells[cell] == 0
            && p.cells[cell - lines.width] == 0
            && lines.lines[side.index()]
                .iter()
                .filter(|line| line.contains(&cell))
                .any(|line| lacks_only(&line))
    })
}
