//! Texts.

use ludex_core::{Error, Notation, Playable, Said, Scene, Side, svg};

use super::{Collapsi, NaiveCollapsi, Position, Walk, draw, position::JOKER, reading};
use crate::sentences;

/// The pawns of the printed game, in Okabe and Ito's vermilion and blue.
pub(super) const RED_AND_BLUE: [&str; 2] = ["#D55E00", svg::FIRST];

/// The letter of a card.
pub(super) fn card_letter(card: u8) -> char {
    ['.', 'A', '2', '3', '4', 'J'][usize::from(card)]
}

impl Collapsi {
    /// What stands on a cell, without the board's separators: `A`, `3x`, `.`; in a deal `X` and `O`.
    pub(super) fn cell_text(&self, p: &Position, cell: usize) -> String {
        let card = card_letter(p.card(cell));
        match p.pawns.iter().position(|&c| usize::from(c) == cell) {
            Some(i) if p.is_deal(self.board) => ["X", "O"][i].to_owned(),
            Some(i) => format!("{card}{}", ['x', 'o'][i]),
            None => card.to_string(),
        }
    }

    /// What a card asks for: `1 step`, `3 steps`, `1 to 4 steps`.
    pub(super) fn demand(&self, card: u8) -> Said {
        match card {
            JOKER if self.wild => sentences::STEPS_WILD.say([]),
            JOKER | 1 => sentences::STEP.say([]),
            n => sentences::STEPS.say([("n", usize::from(n).into())]),
        }
    }
}

impl Notation for Collapsi {
    fn spec(&self) -> String {
        let mut words = Vec::new();
        match &self.deal {
            Some(deal) => words.push(self.board_text(deal)),
            None if self.board.width == 3 => words.push("3x3".into()),
            None => {}
        }
        if self.wild {
            words.push("joker=wild".into());
        }
        let colon = if words.is_empty() { "" } else { ":" };
        format!("collapsi{colon}{}", words.join(","))
    }

    fn title(&self) -> String {
        let w = self.board.width;
        format!("Collapsi {w}x{w}{}", if self.wild { ", wild jokers" } else { "" })
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["X", "O"]
    }

    fn side_colours(&self) -> [&'static str; 2] {
        RED_AND_BLUE
    }

    fn side_words(&self) -> [&'static [&'static str]; 2] {
        [&["x", "r", "red"], &["o", "b", "blue"]]
    }

    fn parse_board(&self, board: &str, side: Option<Side>) -> Result<Position, Error> {
        reading::read(board, side, self.board)
    }

    fn board_text(&self, p: &Position) -> String {
        let w = self.board.width;
        let rows: Vec<String> =
            (0..w).map(|row| (0..w).map(|column| self.cell_text(p, row * w + column)).collect()).collect();
        rows.join("/")
    }

    fn implied_side(&self, p: &Position) -> Option<Side> {
        let collapsed = self.board.cells as u32 - p.open.count_ones();
        Some(if collapsed.is_multiple_of(2) { Side::First } else { Side::Second })
    }

    fn move_text(&self, _: &Position, m: Walk) -> String {
        format!("{}-{}", self.board.cell_name(m.from.into()), self.board.cell_name(m.to.into()))
    }

    fn parse_move(&self, p: &Position, text: &str) -> Result<Walk, Error> {
        let bad = |why: String| {
            let targets = self.targets(p);
            let legal: Vec<String> = (0..self.board.cells)
                .filter(|c| targets >> c & 1 == 1)
                .map(|c| self.move_text(p, self.walk(p, c)))
                .collect();
            let hint = if legal.is_empty() { "the game is over".into() } else { legal.join(" ") };
            Err(Error::bad_move(format!("'{text}' {why}"), format!("the legal moves are: {hint}")))
        };
        let [me, other] = p.mine();
        let stops: Vec<&str> = text.trim().split('-').collect();
        let cells: Option<Vec<usize>> = stops.iter().map(|name| self.board.cell(name)).collect();
        let (from, to) = match cells.as_deref() {
            Some(&[to]) => (me, to),
            Some(&[from, to]) => (from, to),
            _ => return bad("is not a move such as c3-c2".into()),
        };
        let here = self.board.cell_name(me);
        if from != me {
            return bad(format!("does not start from {here}, where the pawn to move stands"));
        }
        if self.targets(p) >> to & 1 == 0 {
            return bad(if to == other {
                "ends on the opponent's pawn".into()
            } else {
                format!("is not {} from {here} over cards that lie", self.demand(p.card(me)))
            });
        }
        Ok(self.walk(p, to))
    }

    fn sets_up_freely(&self) -> bool {
        true
    }

    fn layout(&self) -> Option<ludex_core::Layout> {
        let w = self.board.width;
        let symbols = [
            (".", "collapsed"),
            ("A", "ace"),
            ("2", "two"),
            ("3", "three"),
            ("4", "four"),
            ("J", "start card"),
            ("X", "X at its start"),
            ("O", "O at its start"),
            ("Ax", "X on an ace"),
            ("2x", "X on a two"),
            ("3x", "X on a three"),
            ("4x", "X on a four"),
            ("Jx", "X on a start card"),
            ("Ao", "O on an ace"),
            ("2o", "O on a two"),
            ("3o", "O on a three"),
            ("4o", "O on a four"),
            ("Jo", "O on a start card"),
        ];
        Some(ludex_core::Layout::grid(w, w, |r, c| self.board.cell_name(r * w + c), &symbols))
    }

    fn picture(&self, p: &Position) -> String {
        let w = self.board.width;
        let line = |name: String, cells: Vec<String>| {
            let cells: String = cells.iter().map(|cell| format!("  {cell:<2}")).collect();
            format!("{name:>2}{}\n", cells.trim_end())
        };
        let mut text = line(String::new(), (0..w).map(|i| char::from(b'a' + i as u8).to_string()).collect());
        for row in 0..w {
            text += &line((row + 1).to_string(), (0..w).map(|i| self.cell_text(p, row * w + i)).collect());
        }
        text
    }

    fn svg(&self, p: &Position, scene: &Scene<Walk>) -> String {
        draw::board(self, p, scene)
    }

    fn clicks(&self, _: &Position, m: Walk) -> Vec<String> {
        vec![self.board.cell_name(m.to.into())]
    }

    fn path(&self, p: &Position, m: Walk) -> Vec<String> {
        self.cells_passed(p, m).into_iter().map(|c| self.board.cell_name(c)).collect()
    }

    fn why(&self, p: &Position) -> Option<Said> {
        if self.targets(p) != 0 {
            return None;
        }
        let [me, other] = p.mine();
        let names = self.side_names();
        let (loser, winner) = (names[p.side.index()], names[p.side.other().index()]);
        let (here, card) = (self.board.cell_name(me), p.card(me));
        let demand = self.demand(card);
        let (side, cell) = (("side", loser.into()), ("cell", here.into()));
        let demand = ("demand", demand.into());
        Some(match self.board.reach(me, p.open) {
            0 => sentences::COLLAPSED.say([side, cell, demand]),
            _ if self.ends(me, card, p.open) != 0 => {
                let other = ("other", self.board.cell_name(other).into());
                sentences::OCCUPIED.say([side, cell, demand, other, ("winner", winner.into())])
            }
            reach => sentences::TOO_FAR.say([side, cell, demand, ("n", reach.into())]),
        })
    }

    fn deal(&self, seed: u64) -> Option<Position> {
        Some(self.deal.unwrap_or_else(|| self.shuffled(seed)))
    }
}

impl Playable for Collapsi {
    type Naive = NaiveCollapsi;

    fn naive(&self) -> NaiveCollapsi {
        NaiveCollapsi { wild: self.wild }
    }
}
