//! The kit finds what is wrong with a game: each fault here is caught, with a word that says which it is.

use std::panic;

use ludex_core::{
    Bounds, Error, Game, Mark, Moves, Notation, Outcome, Playable, Reference, Said, Scene, Side, Value,
    Window, conformance,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    ForeignSignsAreEmptyCells,
    TrailingGarbage,
    AnyNumberOfStones,
    SideForgotten,
    MarksNotDrawn,
    MarksWithoutClass,
    LastNotDrawn,
    CellNotDrawn,
    PictureAlwaysTheSame,
    SameTexts,
    RankStandsStill,
    TooFewPlies,
    KeyTooSmall,
    WrongBound,
    IllegalMove,
    OtherRules,
    WhyTooEarly,
}

/// Five cells in a row; a move takes one; who takes the last one loses.
#[derive(Clone, Debug)]
struct Five(Fault);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Cells {
    first: u8,
    second: u8,
}

const FULL: u8 = 0b11111;

impl Game for Five {
    type Position = Cells;
    type Move = u8;
    type Key = u64;

    fn root(&self) -> Option<Cells> {
        Some(Cells { first: 0, second: 0 })
    }

    fn side(&self, p: &Cells) -> Side {
        if (p.first | p.second).count_ones().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn outcome(&self, p: &Cells) -> Option<Outcome> {
        (p.first | p.second == FULL).then_some(Outcome::Win)
    }

    fn each_move(&self, p: &Cells, f: impl FnMut(u8)) {
        (0..5).filter(|cell| (p.first | p.second) >> cell & 1 == 0).for_each(f);
    }

    fn play(&self, p: &Cells, cell: u8) -> Cells {
        match self.side(p) {
            Side::First => Cells { first: p.first | 1 << cell, ..*p },
            Side::Second => Cells { second: p.second | 1 << cell, ..*p },
        }
    }

    fn rank(&self, p: &Cells) -> u32 {
        let taken = (p.first | p.second).count_ones();
        if self.0 == Fault::RankStandsStill { taken / 2 } else { taken }
    }

    fn max_plies(&self, p: &Cells) -> u32 {
        let left = 5 - (p.first | p.second).count_ones();
        if self.0 == Fault::TooFewPlies { left / 2 } else { left }
    }

    fn key(&self, p: &Cells) -> u64 {
        let key = u64::from(p.first) | u64::from(p.second) << 5;
        if self.0 == Fault::KeyTooSmall { key.count_ones().min(3).into() } else { key }
    }

    fn look(&self, p: &Cells, _: Window, moves: &mut Moves<u8>) -> Bounds {
        moves.clear();
        self.each_move(p, |m| moves.push(m));
        match self.0 {
            Fault::WrongBound if p.first.count_ones() == 2 => Bounds::at_most(Value::SOME_LOSS),
            Fault::IllegalMove if p.first != 0 => {
                moves.push(p.first.trailing_zeros() as u8);
                Self::OPEN
            }
            _ => Self::OPEN,
        }
    }
}

impl Notation for Five {
    fn spec(&self) -> String {
        "five".into()
    }

    fn title(&self) -> String {
        "Five".into()
    }

    fn parse_board(&self, board: &str, side: Option<Side>) -> Result<Cells, Error> {
        let bad = |message: &str| Err(Error::position(message, "five of '.', 'x' and 'o'"));
        let mut p = Cells { first: 0, second: 0 };
        if board.chars().count() != 5 && !(self.0 == Fault::TrailingGarbage && board.len() > 5) {
            return bad("not five cells");
        }
        for (i, letter) in board.chars().take(5).enumerate() {
            match letter {
                'x' => p.first |= 1 << i,
                'o' => p.second |= 1 << i,
                '.' => {}
                _ if self.0 == Fault::ForeignSignsAreEmptyCells => {}
                _ => return bad("a foreign sign"),
            }
        }
        let ahead = p.first.count_ones().wrapping_sub(p.second.count_ones());
        if ahead > 1 && self.0 != Fault::AnyNumberOfStones {
            return bad("not in turn");
        }
        if side.is_some_and(|side| side != self.side(&p)) && self.0 != Fault::SideForgotten {
            return bad("not the side to move");
        }
        Ok(p)
    }

    fn board_text(&self, p: &Cells) -> String {
        let letter = |i: u8| match (p.first >> i & 1, p.second >> i & 1) {
            (1, _) => 'x',
            (_, 1) => 'o',
            _ => '.',
        };
        (0..5).map(letter).collect()
    }

    fn move_text(&self, _: &Cells, m: u8) -> String {
        if self.0 == Fault::SameTexts { "take".into() } else { format!("c{m}") }
    }

    fn picture(&self, p: &Cells) -> String {
        if self.0 == Fault::PictureAlwaysTheSame { "five\n".into() } else { self.board_text(p) + "\n" }
    }

    fn svg(&self, p: &Cells, scene: &Scene<u8>) -> String {
        let mut text = format!("<svg ><text>{}</text>", self.board_text(p));
        for i in 0..if self.0 == Fault::CellNotDrawn { 4 } else { 5 } {
            text += &format!("<rect data-cell=\"c{i}\"/>");
        }
        if let Some(last) = scene.last.filter(|_| self.0 != Fault::LastNotDrawn) {
            text += &format!("<rect class=\"last\" x=\"{last}\"/>");
        }
        for Mark { text: word, class, .. } in scene.marks.iter().filter(|_| self.0 != Fault::MarksNotDrawn) {
            let class = if self.0 == Fault::MarksWithoutClass { "mark" } else { class };
            text += &format!("<text class=\"mark {class}\">{word}</text>");
        }
        text + "</svg>"
    }

    fn why(&self, p: &Cells) -> Option<Said> {
        let over = self.outcome(p).is_some() || self.0 == Fault::WhyTooEarly;
        over.then(|| "all cells are taken".to_owned().into())
    }
}

struct Naive(Fault);

impl Reference for Naive {
    type Position = String;

    fn read(&self, board: &str, _: Side) -> String {
        board.into()
    }

    fn write(&self, p: &String) -> String {
        p.clone()
    }

    fn side(&self, p: &String) -> Side {
        if p.matches('.').count() % 2 == 1 { Side::First } else { Side::Second }
    }

    fn outcome(&self, p: &String) -> Option<Outcome> {
        let outcome = if self.0 == Fault::OtherRules { Outcome::Loss } else { Outcome::Win };
        (!p.contains('.')).then_some(outcome)
    }

    fn moves(&self, p: &String) -> Vec<String> {
        p.match_indices('.').map(|(i, _)| format!("c{i}")).collect()
    }

    fn play(&self, p: &String, m: &str) -> String {
        let cell: usize = m[1..].parse().expect("a cell");
        let mut next = p.clone();
        next.replace_range(cell..=cell, if self.side(p) == Side::First { "x" } else { "o" });
        next
    }
}

impl Playable for Five {
    type Naive = Naive;

    fn naive(&self) -> Naive {
        Naive(self.0)
    }
}

fn complaint(fault: Fault) -> Option<String> {
    let panic = panic::catch_unwind(|| conformance::check(&Five(fault)).to_string()).err()?;
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    Some(text.unwrap_or("a panic without words").to_owned())
}

#[test]
fn a_right_game_passes() {
    assert_eq!(complaint(Fault::None), None);
    let passed = conformance::check(&Five(Fault::None));
    assert_eq!(passed.whole, Some(86), "unfinished positions: Σ 5!/(⌈n/2⌉! ⌊n/2⌋! (5−n)!) for n < 5");
}

#[test]
fn every_fault_is_found() {
    for (fault, part) in [
        (Fault::ForeignSignsAreEmptyCells, "has the foreign sign"),
        (Fault::TrailingGarbage, "has the foreign sign"),
        (Fault::AnyNumberOfStones, "no line of play leads to it"),
        (Fault::SideForgotten, "with the other side to move"),
        (Fault::MarksNotDrawn, "the text of a mark on c0"),
        (Fault::MarksWithoutClass, "the class of a mark on c0"),
        (Fault::LastNotDrawn, "the last move 'c0' is not shown"),
        (Fault::CellNotDrawn, "data-cell=\"c4\""),
        (Fault::PictureAlwaysTheSame, "the picture is the same after 'c0'"),
        (Fault::SameTexts, "two moves have the same text"),
        (Fault::RankStandsStill, "does not increase the rank"),
        (Fault::TooFewPlies, "max_plies"),
        (Fault::KeyTooSmall, "share a key"),
        (Fault::WrongBound, "look says"),
        (Fault::IllegalMove, "look lists the illegal move"),
        (Fault::OtherRules, "the naive rules (left) have another outcome"),
        (Fault::WhyTooEarly, "the game is not over, but `why` says why it is"),
    ] {
        let said = complaint(fault).unwrap_or_else(|| panic!("{fault:?} was not found"));
        assert!(said.contains(part), "{fault:?}: {said}");
    }
}
