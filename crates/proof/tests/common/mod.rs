//! Certificates of small games, made by brute force on the checker's own rules.
#![allow(dead_code, missing_docs)]

use std::{collections::HashMap, sync::OnceLock};

use ludex_core::{Error, Side, Witness};
use ludex_proof::{
    ANY, Claim, Header,
    any_tree::{AnyTree, Oracle},
    rules::{self, Position, Rules},
    smallest::Smallest,
    witness,
    writer::{self, Root, Strategy},
};

/// What a position is worth to first, in moves: positive for wins, the sooner the greater.
pub struct Brute<'a> {
    pub game: &'a dyn Rules,
    seen: HashMap<Position, i32>,
}

const WIN: i32 = 10_000;

impl<'a> Brute<'a> {
    pub fn new(game: &'a dyn Rules) -> Self {
        Self { game, seen: HashMap::new() }
    }

    fn later(value: i32) -> i32 {
        value - value.signum()
    }

    pub fn value(&mut self, p: &Position) -> i32 {
        match self.game.result(p) {
            Some(Some(Side::First)) => return WIN,
            Some(Some(Side::Second)) => return -WIN,
            Some(None) => return 0,
            None => {}
        }
        if let Some(&value) = self.seen.get(p) {
            return value;
        }
        let values = self.game.moves(p).into_iter().map(|m| Self::later(self.value(&self.game.play(p, m))));
        let values: Vec<i32> = values.collect();
        let best = if p.side == Side::First { values.iter().max() } else { values.iter().min() };
        let value = *best.expect("an unfinished game has a move");
        self.seen.insert(p.clone(), value);
        value
    }

    pub fn holds(&mut self, claim: &Claim, p: &Position, w: u32) -> bool {
        let value = if claim.side == Side::First { self.value(p) } else { -self.value(p) };
        let least = if w == ANY { 1 } else { WIN - w as i32 };
        if claim.win { value >= least } else { value >= 0 }
    }
}

struct Knows<'a> {
    brute: Brute<'a>,
    claim: Claim,
}

impl Oracle for Knows<'_> {
    fn holds(&mut self, p: &Position, w: u32, _: u64) -> Result<Option<bool>, Error> {
        let claim = self.claim;
        Ok(Some(self.brute.holds(&claim, p, w)))
    }

    fn witness(&mut self, p: &Position, w: u32) -> Option<Witness<usize>> {
        witness::search(self.brute.game, &self.claim, p, w)
    }
}

/// A certificate of everything that is true of a position: one claim, or two for a draw; with the distance if it is wanted.
pub fn certificate(spec: &str, sheet: Option<&str>, position: &str, distance: bool, effort: u32) -> Vec<u8> {
    certificate_implying(false, spec, sheet, position, distance, effort)
}

/// The same, perhaps with everything implied that Connect Four allows.
pub fn certificate_implying(
    leaf: bool,
    spec: &str,
    sheet: Option<&str>,
    position: &str,
    distance: bool,
    effort: u32,
) -> Vec<u8> {
    let game = rules::open(spec, sheet).expect("a game");
    let (board, side) = position.split_once(' ').expect("a side");
    let side = if side == "first" { Side::First } else { Side::Second };
    let root = game.read(board, side).expect("a position");
    let value = Brute::new(&*game).value(&root);
    let claims: Vec<Claim> = match value.signum() {
        0 => [Side::First, Side::Second].map(|side| Claim { side, win: false, within: ANY }).to_vec(),
        sign => {
            let side = if sign > 0 { Side::First } else { Side::Second };
            let within = if distance { (WIN - value.abs()) as u32 } else { ANY };
            vec![Claim { side, win: true, within }]
        }
    };
    let header = Header {
        spec: spec.into(),
        sheet: sheet.map(Into::into),
        board: board.into(),
        side,
        claims: claims.clone(),
        strategy: true,
        win: true,
        forced: game.lines().is_some(),
        repeat: true,
        leaf,
        only: leaf,
        here: Vec::new(),
        after: Vec::new(),
        chunks: Vec::new(),
    };
    let root = |(i, claim): (usize, &Claim)| Root {
        claim: i,
        board: board.into(),
        position: root.clone(),
        within: claim.within,
    };
    let roots: Vec<Root> = claims.iter().enumerate().map(root).collect();
    let tree = |claim: &Claim| {
        let oracle = Knows { brute: Brute::new(&*game), claim: *claim };
        Smallest::new(AnyTree::new(&*game, *claim, oracle, effort))
    };
    let mut trees: Vec<_> = claims.iter().map(tree).collect();
    let mut strategies: Vec<&mut dyn Strategy> = trees.iter_mut().map(|t| t as &mut dyn Strategy).collect();
    writer::write(header, &*game, &roots, &mut strategies).expect("a certificate")
}

pub fn weak_ttt() -> (String, String) {
    let text = "#times\nt1 t2 t3 t4 t5 t6 t7 t8 t9\n#blackturns\nt1 t3 t5 t7 t9\n#positions\na1 b1 c1 a2 b2 c2 a3 b3 c3\n\
                #blackwins\na1 b1 c1\na2 b2 c2\na3 b3 c3\na1 a2 a3\nb1 b2 b3\nc1 c2 c3\na1 b2 c3\nc1 b2 a3\n";
    (format!("positional:sha256={}", ludex_proof::digest(text.as_bytes())), text.to_owned())
}

/// Write a certificate into the folder that `LUDEX_CERTIFICATES` names, so that another checker can be asked about it.
pub fn keep(name: &str, file: &[u8]) {
    if let Some(folder) = std::env::var_os("LUDEX_CERTIFICATES") {
        let path = std::path::Path::new(&folder).join(format!("{name}.proof"));
        std::fs::write(path, file).expect("the folder can be written to");
    }
}

/// Small games that use every rule between them.
pub fn small() -> &'static [(String, Vec<u8>)] {
    static FILES: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    FILES.get_or_init(make)
}

fn make() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for (spec, position) in [
        ("heap:9", "9 first"),
        ("mnk:3,3,3", ".../.../... first"),
        ("mnk:3,3,3,rule=weak", ".../.../... first"),
        ("mnk:3,3,3,rule=misere", "x../.../... second"),
        ("mnk:4,3,3", "..../.x../.... second"),
        ("mnk:4,4,4", "x..o/.x../..o./.o.x first"),
        ("mnk:5,2,3,rule=weak", "...../..... first"),
        ("mnk:4,3,3,rule=weak", "..../.x../.... second"),
        ("connect4:4x4", "..../..../.o../.x.. first"),
        ("connect4:5x4", "...../...../oxo../xoxxo second"),
        ("connect4:4x5", "..../..../.o../.x../xoxo first"),
        ("connect4:5x5", "...../..x../..ox./xooxo/oxxox first"),
        ("connect4:5x4", "...../..x../oxxo./xoxxo second"),
        ("hex:3x3", ".../.../... first"),
        ("nex:2x2", "../.. first"),
        ("nex:2x3,rules=official", ".../... first"),
        ("nex:2x2,swap=on", "../.. first"),
        ("collapsi:X2A/A2A/A2O", "X2A/A2A/A2O first"),
        ("collapsi:3x3,joker=wild", "X2A/A2A/A2O first"),
        ("seven:4", "M..M/B.../..M./.B.B first"),
        ("seven:4", "M..M/B.../..M./.B.B second"),
        ("seven:5,edges=harness", "M...M/BB..B/.M.M./BB..M second"),
        ("seven:5", "..B../M..M./B..B./..... first"),
    ] {
        for (distance, effort) in [(false, 2), (true, 0)] {
            files.push((format!("{spec} {position}"), certificate(spec, None, position, distance, effort)));
            if spec.starts_with("connect4") {
                let implying = certificate_implying(true, spec, None, position, distance, effort);
                files.push((format!("{spec} {position}, leaf"), implying));
            }
        }
    }
    let (spec, text) = weak_ttt();
    files.push((spec.clone(), certificate(&spec, Some(&text), "......... first", false, 1)));
    files
}
