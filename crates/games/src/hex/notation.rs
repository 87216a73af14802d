//! Texts and pictures.

use ludex_core::{Error, Game, Notation, Playable, Said, Scene, Side, svg::BLACK_AND_WHITE};

use super::{Hex, HexPosition, NaiveHex, Stone};
use crate::{
    CellSet,
    rhombus::Board,
    sentences::{LEFT_RIGHT, TOP_BOTTOM},
};

impl<const N: usize> Hex<N> {
    fn content(&self, p: &HexPosition<N>, cell: usize) -> char {
        if p.stones[0].has(cell) {
            'B'
        } else if p.stones[1].has(cell) {
            'W'
        } else {
            '.'
        }
    }

    fn drawing(&self, p: &HexPosition<N>, last: Option<Stone>) -> Board<'_, N> {
        Board {
            rhombus: &self.board,
            letters: (0..self.board.len()).map(|c| self.content(p, c)).collect(),
            chain: self.winner(p).map(|w| w.1).unwrap_or_default(),
            last: last.iter().map(|m| usize::from(m.0)).collect(),
            neutrals: false,
            button: None,
        }
    }

    fn winner(&self, p: &HexPosition<N>) -> Option<(Side, Vec<usize>)> {
        [Side::First, Side::Second]
            .into_iter()
            .find_map(|side| Some((side, self.board.chain(p.stones[side.index()], side)?)))
    }
}

impl<const N: usize> Notation for Hex<N> {
    fn spec(&self) -> String {
        format!("hex:{}x{}", self.board.rows, self.board.cols)
    }

    fn title(&self) -> String {
        format!("Hex {}x{}", self.board.rows, self.board.cols)
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["Black", "White"]
    }

    fn side_colours(&self) -> [&'static str; 2] {
        BLACK_AND_WHITE
    }

    fn side_words(&self) -> [&'static [&'static str]; 2] {
        [&["b"], &["w"]]
    }

    fn parse_board(&self, board: &str, side: Option<Side>) -> Result<HexPosition<N>, Error> {
        let mut p = HexPosition { stones: [CellSet::EMPTY; 2], side: Side::First };
        self.board.read(board, |cell, letter| {
            match letter {
                'b' => p.stones[0] = p.stones[0] | CellSet::one(cell),
                'w' => p.stones[1] = p.stones[1] | CellSet::one(cell),
                '.' => {}
                _ => return false,
            }
            true
        })?;
        p.side = side.or_else(|| self.implied_side(&p)).ok_or_else(|| {
            let [black, white] = p.stones.map(CellSet::len);
            Error::position(
                format!("{black} black and {white} white stones do not tell whose turn it is"),
                "name the side to move after the board: B or W",
            )
        })?;
        Ok(p)
    }

    fn board_text(&self, p: &HexPosition<N>) -> String {
        self.board.write(|cell| self.content(p, cell))
    }

    fn implied_side(&self, p: &HexPosition<N>) -> Option<Side> {
        let [black, white] = p.stones.map(CellSet::len);
        if black == white { Some(Side::First) } else { (black == white + 1).then_some(Side::Second) }
    }

    fn move_text(&self, _: &HexPosition<N>, m: Stone) -> String {
        self.board.name(usize::from(m.0))
    }

    fn parse_move(&self, p: &HexPosition<N>, text: &str) -> Result<Stone, Error> {
        let text = text.trim();
        if self.outcome(p).is_some() {
            return Err(Error::bad_move("the game is over", "start another one"));
        }
        let cell = self.board.cell(text)?;
        match self.content(p, cell) {
            '.' => Ok(Stone(cell as u16)),
            there => Err(Error::bad_move(
                format!("{text} is occupied by {there}"),
                "a stone goes to an empty cell",
            )),
        }
    }

    fn sets_up_freely(&self) -> bool {
        true
    }

    fn layout(&self) -> Option<ludex_core::Layout> {
        let (rows, cols) = (self.board.rows, self.board.cols);
        let symbols = [(".", "empty"), ("B", "Black"), ("W", "White")];
        Some(ludex_core::Layout::grid(rows, cols, |r, c| self.board.name(r * cols + c), &symbols))
    }

    fn picture(&self, p: &HexPosition<N>) -> String {
        self.drawing(p, None).picture()
    }

    fn svg(&self, p: &HexPosition<N>, scene: &Scene<Stone>) -> String {
        let label = format!("{}: {}", self.title(), self.position_text(p));
        self.drawing(p, scene.last).svg(&label, &scene.marks, scene.coordinates)
    }

    fn why(&self, p: &HexPosition<N>) -> Option<Said> {
        let (side, chain) = self.winner(p)?;
        let connects = if side == Side::First { TOP_BOTTOM } else { LEFT_RIGHT };
        let cells: Vec<_> = chain.into_iter().map(|c| self.board.name(c)).collect();
        let name = self.side_names()[side.index()];
        Some(connects.say([("side", name.into()), ("cells", cells.join(" ").into())]))
    }
}

impl<const N: usize> Playable for Hex<N> {
    type Naive = NaiveHex;

    fn naive(&self) -> NaiveHex {
        NaiveHex
    }
}
