//! The checker's rules are those of the games: the same moves and the same ends, in random play.
#![allow(missing_docs)]

use std::collections::HashMap;

use ludex_core::{Goal, Outcome, Playable, Rng, Side, Witness};
use ludex_games::registry::{self, Visitor};
use ludex_proof::{
    ANY, Claim, Foreign,
    rules::{self, Rules},
    witness,
};

const SPECS: &[&str] = &[
    "connect4",
    "connect4:5x4",
    "connect4:9x9",
    "mnk:3,3,3",
    "mnk:4,3,3,rule=misere",
    "mnk:5,4,4,rule=weak",
    "mnk:2,2,3",
    "mnk:1,1,1",
    "mnk:12,12,5",
    "seven:4",
    "seven:6,edges=harness",
    "seven:8,edges=harness,first=breaker",
    "seven:11",
    "seven:16",
    "seven:31,edges=harness",
    "seven:7,setup=disproof",
    "hex:2x2",
    "hex:4x5",
    "nex:3x3",
    "nex:3x4,rules=official",
    "nex:3x3,swap=on",
    "nex:2x2,rules=official,swap=on",
    "collapsi",
    "collapsi:joker=wild",
    "collapsi:3x3",
    "collapsi:3x3,joker=wild",
    "heap:21",
    "positional:tic-tac-toe",
    "positional:weak-tic-tac-toe",
    "positional:double-step",
];

/// Plays random games by the fast rules and by the checker's.
struct Same<'a>(&'a str);

impl Visitor for Same<'_> {
    type Output = usize;

    fn visit<G: Playable>(self, game: G) -> usize {
        let source = game.source();
        let spec = match &source {
            Some(text) => format!("positional:sha256={}", ludex_proof::digest(text.as_bytes())),
            None => game.spec(),
        };
        let naive =
            rules::open(&spec, source.as_deref()).unwrap_or_else(|| panic!("{} has no rules", self.0));
        let own = (1..=60).map(|seed| plays(&game, &*naive, seed)).sum();
        // A sheet that is not plain has no rules on threats.
        if self.0 != "positional:double-step" {
            (1..=60).for_each(|seed| threats_are_threats(&game, &*naive, seed));
        }
        plays(&game, &Foreign(game.clone()), 1);
        own
    }
}

/// The rows of threats that a game knows of are what the checker's theorem takes them for.
fn threats_are_threats<G: Playable>(game: &G, naive: &dyn Rules, seed: u64) {
    let game = game.clone().for_goal(Goal::Wdl);
    let mut rng = Rng::new(seed);
    let mut fast = game.deal(seed).or_else(|| game.root()).expect("a start");
    while game.outcome(&fast).is_none() {
        let p = naive.read(&game.board_text(&fast), game.side(&fast)).expect("a position");
        let texts: HashMap<String, usize> =
            naive.moves(&p).into_iter().map(|m| (naive.text(&p, m), m as usize)).collect();
        for side in [Side::First, Side::Second] {
            let Some(witness @ Witness::Threats(_)) = game.witness(&fast, side, true) else { continue };
            let witness = witness.map(|m| texts[&game.move_text(&fast, m)]);
            let claim = Claim { side, win: true, within: ANY };
            if p.side == side {
                let reason = witness::here(naive, &claim, &p, ANY, || Some(witness));
                assert!(reason.is_some(), "{} {}", game.spec(), game.position_text(&fast));
            } else if let Some(reason) = witness::after(naive, &claim, &p, ANY, || Some(witness)) {
                let left = witness::narrowed(naive, &claim, &p, ANY, &reason).expect("sound hints");
                assert!(left.is_some(), "{} {}", game.spec(), game.position_text(&fast));
            } else {
                // Nothing is said where the side completes a line next anyway.
                let mut passed = p.clone();
                passed.side = side;
                assert!(naive.moves(&passed).iter().any(|m| naive.ends(&passed, *m).is_some()));
            }
        }
        let m = *rng.pick(&game.moves(&fast)).expect("a move");
        fast = game.play(&fast, m);
    }
}

fn plays<G: Playable>(game: &G, naive: &dyn Rules, seed: u64) -> usize {
    let mut rng = Rng::new(seed);
    let mut fast = game.deal(seed).or_else(|| game.root()).expect("a start");
    let mut plies = 0;
    let mut p = naive.read(&game.board_text(&fast), game.side(&fast)).expect("the start is read");
    loop {
        let at = format!("{} {}", game.spec(), game.position_text(&fast));
        assert_eq!(naive.read(&game.board_text(&fast), game.side(&fast)).as_ref(), Some(&p), "{at}");
        assert_eq!(naive.read(&naive.write(&p), p.side).as_ref(), Some(&p), "{at}");
        let ended = game.outcome(&fast).map(|outcome| match outcome {
            Outcome::Draw => None,
            outcome => outcome.winner(game.side(&fast)),
        });
        assert_eq!(naive.result(&p), ended, "{at}");
        if ended.is_some() {
            return plies;
        }
        let moves = naive.moves(&p);
        let mut texts: Vec<String> = moves.iter().map(|&m| naive.text(&p, m)).collect();
        let mut wanted: Vec<String> =
            game.moves(&fast).into_iter().map(|m| game.move_text(&fast, m)).collect();
        texts.sort();
        wanted.sort();
        assert_eq!(texts, wanted, "{at}");
        for &m in &moves {
            assert_eq!(naive.ends(&p, m), naive.result(&naive.play(&p, m)), "{at}");
        }
        let m = *rng.pick(&moves).expect("a move");
        fast = game.play(&fast, game.parse_move(&fast, &naive.text(&p, m)).expect("a legal move"));
        p = naive.play(&p, m);
        plies += 1;
    }
}

#[test]
fn the_rules_are_those_of_the_games() {
    for spec in SPECS {
        let plies = registry::visit(&spec.parse().expect("a spec"), Same(spec)).expect("a game");
        assert!(plies >= 60, "{spec}: only {plies} plies");
    }
}

/// What has to be trusted is small enough to be read: without the rules of the games, blank lines and comments.
#[test]
fn the_checker_has_at_most_a_thousand_lines() {
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let lines = |name: &str| {
        let text = std::fs::read_to_string(source.join(name)).expect("a source file");
        let code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
        text.lines().filter(code).count()
    };
    let all: usize = ["checker.rs", "header.rs", "stream.rs", "theorems.rs"].into_iter().map(lines).sum();
    assert!(all <= 1000, "{all} lines");
}
