//! Texts, pictures, clicks, and why a move is refused.

use ludex_core::{Clicks, Error, Game, Notation, Outcome, Playable, Said, Scene, Side, svg::BLACK_AND_WHITE};

use super::{NaiveNex, Nex, NexMove, NexPosition, Rules};
use crate::{
    CellSet,
    rhombus::Board,
    sentences::{LEFT_RIGHT, NO_MOVE, TOP_BOTTOM},
};

/// A stone of a move's text: `B`, `W` or `?`, and where it goes.
type Stone = (char, usize);

impl<const N: usize> Nex<N> {
    fn letter(side: Side) -> char {
        if side == Side::First { 'B' } else { 'W' }
    }

    fn content(&self, p: &NexPosition<N>, cell: usize) -> char {
        if p.stones[0].has(cell) {
            'B'
        } else if p.stones[1].has(cell) {
            'W'
        } else if p.neutral.has(cell) {
            '?'
        } else {
            '.'
        }
    }

    fn drawing(&self, p: &NexPosition<N>, last: Option<NexMove>) -> Board<'_, N> {
        let chain = [Side::First, Side::Second]
            .into_iter()
            .find_map(|side| self.board.chain(p.stones[side.index()], side))
            .unwrap_or_default();
        let last: Vec<u16> = match last {
            Some(NexMove::Generate { own, neutral }) => vec![own, neutral],
            Some(NexMove::Transform { first, second, back }) => vec![first, second, back],
            Some(NexMove::Single { cell }) => vec![cell],
            // All stones change sides and cells.
            Some(NexMove::Swap) => (p.stones[0] | p.stones[1] | p.neutral).iter().map(|c| c as u16).collect(),
            None => vec![],
        };
        Board {
            rhombus: &self.board,
            letters: (0..self.board.len()).map(|c| self.content(p, c)).collect(),
            chain,
            last: last.into_iter().map(usize::from).collect(),
            neutrals: true,
            button: self.may_swap(p).then_some("swap"),
        }
    }

    /// Cut the text of a move into its stones.
    fn stones(&self, text: &str) -> Result<Vec<Stone>, Error> {
        let shape = || {
            Error::bad_move(
                format!("'{text}' is not a Nex move"),
                "write an own and a neutral stone (Ba1?c2), or two own and a neutral one (Ba2Bc2?a1)",
            )
        };
        let mut stones = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let letter = match first {
                'B' | 'b' => 'B',
                'W' | 'w' => 'W',
                '?' => '?',
                _ => return Err(shape()),
            };
            rest = &rest[1..];
            let row = rest.chars().next().filter(char::is_ascii_alphabetic).ok_or_else(shape)?;
            let digits = rest[1..].chars().take_while(char::is_ascii_digit).count();
            if digits == 0 || digits > 3 {
                return Err(shape());
            }
            let name = format!("{}{}", row.to_ascii_lowercase(), &rest[1..=digits]);
            stones.push((letter, self.board.cell(&name)?));
            rest = &rest[1 + digits..];
        }
        if stones.is_empty() || stones.len() > 3 {
            return Err(shape());
        }
        Ok(stones)
    }

    /// The move that stones make, or exactly what is wrong with it.
    fn judge(&self, p: &NexPosition<N>, stones: &[Stone]) -> Result<NexMove, Error> {
        let [own_name, other_name] = [p.side, p.side.other()].map(|s| self.side_names()[s.index()]);
        let own_letter = Self::letter(p.side);
        let bad = |message: String, hint: String| Err(Error::bad_move(message, hint));
        if let Some(&(letter, cell)) = stones.iter().find(|s| s.0 == Self::letter(p.side.other())) {
            let turn = stones.iter().all(|s| s.0 != own_letter);
            let place = self.board.name(cell);
            return if turn {
                bad(format!("it is not {other_name}'s turn"), format!("{own_name} is to move: {own_letter}…"))
            } else {
                bad(
                    format!("{letter}{place} has the wrong colour: {own_name} places no {other_name} stones"),
                    format!("{own_letter}{place}"),
                )
            };
        }
        for (i, &(_, cell)) in stones.iter().enumerate() {
            if stones[..i].iter().any(|s| s.1 == cell) {
                return bad(
                    format!("{} is used twice", self.board.name(cell)),
                    "the cells of a move differ".into(),
                );
            }
        }
        let mut own: Vec<usize> = stones.iter().filter(|s| s.0 == own_letter).map(|s| s.1).collect();
        let neutral: Vec<usize> = stones.iter().filter(|s| s.0 == '?').map(|s| s.1).collect();
        own.sort_unstable();
        match (own.as_slice(), neutral.as_slice()) {
            (&[a], &[b]) => {
                for cell in [a, b] {
                    let there = self.content(p, cell);
                    if there != '.' {
                        return bad(
                            format!("{} is occupied by {there}", self.board.name(cell)),
                            "an own and a neutral stone go to two empty cells".into(),
                        );
                    }
                }
                Ok(NexMove::Generate { own: a as u16, neutral: b as u16 })
            }
            (&[a, b], &[c]) => {
                for cell in [a, b] {
                    let there = self.content(p, cell);
                    if there != '?' {
                        let what = if there == '.' { "empty".to_owned() } else { format!("{there}") };
                        return bad(
                            format!("{} is not neutral but {what}", self.board.name(cell)),
                            "a transform turns two neutral stones into own ones".into(),
                        );
                    }
                }
                if self.content(p, c) != own_letter {
                    return bad(
                        format!("{} is not {own_name}'s stone", self.board.name(c)),
                        "a transform gives back one of the mover's own stones".into(),
                    );
                }
                let [first, second, back] = [a, b, c].map(|x| x as u16);
                Ok(NexMove::Transform { first, second, back })
            }
            (&[a], &[]) => {
                let m = NexMove::Single { cell: a as u16 };
                let mut legal = false;
                self.each_move(p, |x| legal |= x == m);
                if legal {
                    Ok(m)
                } else {
                    bad(
                        format!("a single stone on {} is not possible here", self.board.name(a)),
                        "only official rules allow it, for the last cells, when nothing else is possible"
                            .into(),
                    )
                }
            }
            _ => bad(
                format!("{} own and {} neutral stones make no move", own.len(), neutral.len()),
                "one own and one neutral, or two own and one neutral".into(),
            ),
        }
    }
}

impl<const N: usize> Notation for Nex<N> {
    fn spec(&self) -> String {
        let rules = if self.rules == Rules::Official { ",rules=official" } else { "" };
        let swap = if self.swap { ",swap=on" } else { "" };
        format!("nex:{}x{}{rules}{swap}", self.board.rows, self.board.cols)
    }

    fn title(&self) -> String {
        let rules = if self.rules == Rules::Official { ", official rules" } else { "" };
        let swap = if self.swap { ", with swap" } else { "" };
        format!("Nex {}x{}{rules}{swap}", self.board.rows, self.board.cols)
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

    /// Any stones may stand on the board: positions are also set up by hand.
    fn parse_board(&self, board: &str, side: Option<Side>) -> Result<NexPosition<N>, Error> {
        let mut p = NexPosition { stones: [CellSet::EMPTY; 2], neutral: CellSet::EMPTY, side: Side::First };
        self.board.read(board, |cell, letter| {
            let one = CellSet::one(cell);
            match letter {
                'b' => p.stones[0] = p.stones[0] | one,
                'w' => p.stones[1] = p.stones[1] | one,
                '?' => p.neutral = p.neutral | one,
                '.' => {}
                _ => return false,
            }
            true
        })?;
        match side.or_else(|| self.implied_side(&p)) {
            Some(side) => p.side = side,
            None => {
                let [black, white] = p.stones.map(CellSet::len);
                return Err(Error::position(
                    format!("{black} black and {white} white stones do not tell whose turn it is"),
                    "name the side to move after the board: B or W",
                ));
            }
        }
        Ok(p)
    }

    fn board_text(&self, p: &NexPosition<N>) -> String {
        self.board.write(|cell| self.content(p, cell))
    }

    /// Black has as many stones as White, or one more after its move; after a swap, White may have one more.
    fn implied_side(&self, p: &NexPosition<N>) -> Option<Side> {
        let [black, white] = p.stones.map(CellSet::len);
        if black == white || self.swap && white == black + 1 {
            Some(Side::First)
        } else {
            (black == white + 1).then_some(Side::Second)
        }
    }

    fn move_text(&self, p: &NexPosition<N>, m: NexMove) -> String {
        let x = Self::letter(p.side);
        let name = |cell: u16| self.board.name(usize::from(cell));
        match m {
            NexMove::Generate { own, neutral } => format!("{x}{}?{}", name(own), name(neutral)),
            NexMove::Transform { first, second, back } => {
                format!("{x}{}{x}{}?{}", name(first), name(second), name(back))
            }
            NexMove::Single { cell } => format!("{x}{}", name(cell)),
            NexMove::Swap => "swap".into(),
        }
    }

    fn parse_move(&self, p: &NexPosition<N>, text: &str) -> Result<NexMove, Error> {
        let text = text.trim();
        if self.outcome(p).is_some() {
            return Err(Error::bad_move("the game is over", "start another one"));
        }
        if text.eq_ignore_ascii_case("swap") {
            return if self.may_swap(p) {
                Ok(NexMove::Swap)
            } else if self.swap {
                Err(Error::bad_move("only White's first move may be a swap", "place stones"))
            } else {
                Err(Error::bad_move("this game has no swap", "ask for swap=on in the spec"))
            };
        }
        self.judge(p, &self.stones(text)?)
    }

    fn sets_up_freely(&self) -> bool {
        true
    }

    fn layout(&self) -> Option<ludex_core::Layout> {
        let (rows, cols) = (self.board.rows, self.board.cols);
        let symbols = [(".", "empty"), ("B", "Black"), ("W", "White"), ("?", "neutral")];
        Some(ludex_core::Layout::grid(rows, cols, |r, c| self.board.name(r * cols + c), &symbols))
    }

    fn picture(&self, p: &NexPosition<N>) -> String {
        self.drawing(p, None).picture()
    }

    fn svg(&self, p: &NexPosition<N>, scene: &Scene<NexMove>) -> String {
        let label = format!("{}: {}", self.title(), self.position_text(p));
        self.drawing(p, scene.last).svg(&label, &scene.marks, scene.coordinates)
    }

    fn clicks(&self, _: &NexPosition<N>, m: NexMove) -> Clicks {
        let cells = match m {
            NexMove::Generate { own, neutral } => vec![own, neutral],
            NexMove::Transform { first, second, back } => vec![first, second, back],
            NexMove::Single { cell } => vec![cell],
            NexMove::Swap => return vec!["swap".into()],
        };
        cells.into_iter().map(|c| self.board.name(usize::from(c))).collect()
    }

    fn why(&self, p: &NexPosition<N>) -> Option<Said> {
        for (side, connects) in [(Side::First, TOP_BOTTOM), (Side::Second, LEFT_RIGHT)] {
            if let Some(chain) = self.board.chain(p.stones[side.index()], side) {
                let cells: Vec<_> = chain.into_iter().map(|c| self.board.name(c)).collect();
                let name = self.side_names()[side.index()];
                return Some(connects.say([("side", name.into()), ("cells", cells.join(" ").into())]));
            }
        }
        (self.outcome(p) == Some(Outcome::Draw))
            .then(|| NO_MOVE.say([("side", self.side_names()[p.side.index()].into())]))
    }
}

impl<const N: usize> Playable for Nex<N> {
    type Naive = NaiveNex;

    fn naive(&self) -> NaiveNex {
        NaiveNex { rules: self.rules, swap: self.swap }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(position: &str, m: &str) -> String {
        let game = Nex::<1>::new(3, 3, Rules::Nexc, false);
        let p = game.parse_position(position).unwrap();
        game.parse_move(&p, m).unwrap_err().message
    }

    #[test]
    fn both_orders_of_a_move_are_read() {
        let game = Nex::<1>::new(3, 3, Rules::Nexc, false);
        let p = game.root().unwrap();
        assert_eq!(game.parse_move(&p, "Ba1?c2"), game.parse_move(&p, "?c2Ba1"));
        let p = game.parse_position("moves:Ba1?a2,Wb1?c2").unwrap();
        let m = game.parse_move(&p, "Ba2Bc2?a1").unwrap();
        assert_eq!(game.parse_move(&p, "?a1bc2ba2"), Ok(m));
        assert_eq!(game.move_text(&p, m), "Ba2Bc2?a1");
    }

    #[test]
    fn an_illegal_move_is_refused_with_the_reason() {
        let p = "moves:Ba1?a2,Wb1?c2";
        assert_eq!(refusal(p, "Ba1?c3"), "a1 is occupied by B");
        assert_eq!(refusal(p, "Ba3?c2"), "c2 is occupied by ?");
        assert_eq!(refusal(p, "Ba3?a3"), "a3 is used twice");
        assert_eq!(refusal(p, "Ba2Ba3?a1"), "a3 is not neutral but empty");
        assert_eq!(refusal(p, "Ba2Bb1?a1"), "b1 is not neutral but W");
        assert_eq!(refusal(p, "Ba2Bc2?b1"), "b1 is not Black's stone");
        assert_eq!(refusal(p, "Ba2Wc2?a1"), "Wc2 has the wrong colour: Black places no White stones");
        assert_eq!(refusal(p, "Wa3?c3"), "it is not White's turn");
        assert_eq!(refusal(p, "Bd1?c3"), "d1 is off the board");
        assert_eq!(refusal(p, "Ba4?c3"), "a4 is off the board");
        assert_eq!(refusal(p, "Bc3"), "a single stone on c3 is not possible here");
        assert_eq!(refusal(p, "swap"), "this game has no swap");
        assert_eq!(refusal(p, "e4"), "'e4' is not a Nex move");
        assert_eq!(refusal(p, "B\u{e9}1?c3"), "'B\u{e9}1?c3' is not a Nex move");
        assert_eq!(refusal("B?./BWW/B?. W", "Wa3?c3"), "the game is over");
    }

    #[test]
    fn a_won_game_shows_its_chain() {
        let game = Nex::<1>::new(3, 3, Rules::Nexc, false);
        let p = game.parse_position("B?./BWW/B?. W").unwrap();
        assert_eq!(game.why(&p).unwrap(), "Black connects top and bottom: a1 b1 c1");
        assert!(game.picture(&p).contains("[B]"));
        assert!(game.svg(&p, &Scene::default()).contains("class=\"win\""));
    }

    /// Every width of the representation, played against the naive rules.
    #[test]
    fn wide_boards_play_by_the_same_rules() {
        fn play<const N: usize>(rows: usize, cols: usize) {
            let game = Nex::<N>::new(rows, cols, Rules::Official, false);
            ludex_core::conformance::random_play(&game, |_| late(&game), 2);
        }
        play::<2>(2, 19);
        play::<2>(8, 8);
        play::<3>(13, 13);
        play::<6>(19, 19);
    }

    /// Near the end of a game, where the moves are few enough to be spelled out.
    fn late<const N: usize>(game: &Nex<N>) -> NexPosition<N> {
        let mut rng = ludex_core::Rng::new(game.board.len() as u64);
        let mut cells: Vec<usize> = (0..game.board.len()).collect();
        rng.shuffle(&mut cells);
        let mut p = game.root().unwrap();
        for (i, &cell) in cells.iter().enumerate().skip(9) {
            let one = CellSet::one(cell);
            if i % 16 == 0 {
                p.neutral = p.neutral | one;
            } else {
                p.stones[i % 2] = p.stones[i % 2] | one;
            }
        }
        p
    }
}
