//! A game that is wrong about itself gets no verdict, and nothing of it is remembered.

use std::sync::Arc;

use ludex_core::{Bounds, Error, ErrorCode, Family, Game, Moves, Notation, Outcome, Side, Value, Window};
use ludex_judge::{Budget, Memory, Question, Terms, host};
use ludex_store::Remembered;

/// Take one or two of a heap; who takes the last one wins. Of the heaps of five it says something impossible, or nothing at
/// all.
#[derive(Clone, Debug)]
struct Liar {
    panics: bool,
}

const FAMILY: Family = Family { name: "liar", title: "Liar", ..Family::NEW };

impl Game for Liar {
    type Position = (u32, Side);
    type Move = u32;
    type Key = u64;

    fn root(&self) -> Option<(u32, Side)> {
        Some((11, Side::First))
    }

    fn side(&self, p: &(u32, Side)) -> Side {
        p.1
    }

    fn outcome(&self, p: &(u32, Side)) -> Option<Outcome> {
        (p.0 == 0).then_some(Outcome::Loss)
    }

    fn each_move(&self, p: &(u32, Side), f: impl FnMut(u32)) {
        (1..=p.0.min(2)).for_each(f);
    }

    fn play(&self, p: &(u32, Side), m: u32) -> (u32, Side) {
        (p.0 - m, p.1.other())
    }

    fn rank(&self, p: &(u32, Side)) -> u32 {
        11 - p.0
    }

    fn max_plies(&self, p: &(u32, Side)) -> u32 {
        p.0
    }

    fn key(&self, p: &(u32, Side)) -> u64 {
        u64::from(p.0) << 1 | p.1.index() as u64
    }

    fn look(&self, p: &(u32, Side), _: Window, moves: &mut Moves<u32>) -> Bounds {
        assert!(!self.panics || p.0 != 5, "the heap of five frightens me");
        moves.clear();
        self.each_move(p, |m| moves.push(m));
        if p.0 == 5 { Bounds { lo: Value::SOME_WIN, hi: Value::SOME_LOSS } } else { Self::OPEN }
    }
}

impl Notation for Liar {
    fn spec(&self) -> String {
        "liar".into()
    }

    fn title(&self) -> String {
        "Liar".into()
    }

    fn parse_board(&self, board: &str, side: Option<Side>) -> Result<(u32, Side), Error> {
        let left = board.parse().map_err(|_| Error::position("no number", "a number"))?;
        Ok((left, side.unwrap_or(Side::First)))
    }

    fn board_text(&self, p: &(u32, Side)) -> String {
        p.0.to_string()
    }

    fn implied_side(&self, _: &(u32, Side)) -> Option<Side> {
        Some(Side::First)
    }

    fn move_text(&self, _: &(u32, Side), m: u32) -> String {
        m.to_string()
    }
}

#[test]
fn what_cannot_be_is_an_error_and_is_not_remembered() {
    for (panics, code) in [(false, ErrorCode::Contradiction), (true, ErrorCode::Internal)] {
        for solver in ["alphabeta", "dfpn", "pns", "aostar", "both"] {
            for threads in [1, 2] {
                let memory = Arc::new(Remembered::default());
                let terms = Terms { memory: Some(memory.clone()), ..Terms::default() };
                let question = Question {
                    solver: Some(solver.into()),
                    budget: Budget { threads, memory: 16 << 20, ..Budget::default() },
                    ..Question::default()
                };
                let game = host(Liar { panics }, &FAMILY);
                let fault = game.solve(&question, &terms).expect_err(solver);
                assert_eq!((fault.code, fault.code.exit()), (code, 3), "{solver}: {fault}");
                assert!(fault.message.starts_with("liar 11"), "{solver} names the position: {fault}");
                for left in 0..=11 {
                    for side in 0..2 {
                        let key = ludex_store::key_bytes(&[left << 1 | side]);
                        assert!(memory.get("liar", &key).expect("a memory").is_none(), "{solver} {left}");
                    }
                }
            }
        }
    }
}

/// Without the faulty hints, by the rules alone, the game has a value.
#[test]
fn the_rules_alone_are_believed() {
    let question = Question { solver: Some("brute".into()), ..Question::default() };
    let verdict =
        host(Liar { panics: true }, &FAMILY).solve(&question, &Terms::default()).expect("a verdict");
    assert_eq!(verdict.outcome, Some(Outcome::Win), "eleven is no multiple of three");
}
