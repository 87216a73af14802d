//! Texts and pictures. A board is one letter per cell in the order of `#positions`: `.`, `B` or `W`.

use ludex_core::{Error, Fact, Notation, Playable, Said, Scene, Side};

use super::{Cell, NaivePositional, Positional, Stones};
use crate::{
    hypergraph::Mask,
    sentences,
    svg::{self, ACCENT, INK, PAPER, Svg, short},
};

const SIZE: f64 = 44.0;

/// A letter and a number are a column and a row.
fn grid_place(name: &str) -> Option<(usize, usize)> {
    let mut letters = name.chars();
    let column = letters.next().filter(char::is_ascii_lowercase)? as usize - 'a' as usize;
    let row: usize = letters.as_str().parse().ok()?;
    (1..=64).contains(&row).then_some((column, row - 1))
}

impl<M: Mask, const W: usize> Positional<M, W> {
    /// The column and row of every cell: from names such as `c2`, or else row by row in a square.
    fn places(&self) -> Vec<(usize, usize)> {
        let cells = &self.sheet.cells;
        if let Some(places) = cells.iter().map(|name| grid_place(name)).collect() {
            return places;
        }
        let side = (1..).find(|s| s * s >= cells.len()).unwrap_or(1);
        (0..cells.len()).map(|c| (c % side, c / side)).collect()
    }

    fn letter(p: &Stones<M>, cell: usize) -> char {
        match (p.black.has(cell), p.white.has(cell)) {
            (true, _) => 'B',
            (_, true) => 'W',
            _ => '.',
        }
    }
}

impl<M: Mask, const W: usize> Notation for Positional<M, W> {
    fn source(&self) -> Option<String> {
        super::source(&self.name)
    }

    fn spec(&self) -> String {
        format!("positional:{}", self.name)
    }

    fn title(&self) -> String {
        let kind = if self.is_maker_breaker() { "Maker–Breaker" } else { "strong" };
        let cells = self.sheet.cells.len();
        match self.name.strip_prefix("sha256=") {
            Some(digest) => format!("Positional game {}, {kind}, {cells} cells", &digest[..12]),
            None => format!("Positional game {}, {kind}, {cells} cells", self.name),
        }
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["Black", "White"]
    }

    fn side_colours(&self) -> [&'static str; 2] {
        svg::BLACK_AND_WHITE
    }

    fn side_words(&self) -> [&'static [&'static str]; 2] {
        [&["b", "maker", "m"], &["w", "breaker"]]
    }

    fn parse_board(&self, board: &str, side: Option<Side>) -> Result<Stones<M>, Error> {
        let cells = self.sheet.cells.len();
        let hint = || {
            format!("{cells} letters, '.', 'B' or 'W', one per position: {}", self.board_text(&self.start))
        };
        if board.chars().count() != cells {
            return Err(Error::position(
                format!("'{board}' has {} letters instead of {cells}", board.chars().count()),
                hint(),
            ));
        }
        let (mut black, mut white) = (M::EMPTY, M::EMPTY);
        for (c, letter) in board.chars().enumerate() {
            match letter {
                'B' | 'b' => black = black | M::bit(c),
                'W' | 'w' => white = white | M::bit(c),
                '.' => {}
                other => return Err(Error::position(format!("'{other}' is no cell"), hint())),
            }
        }
        let count = |now: M, start: M| (now.count() as usize).checked_sub(start.count() as usize);
        let plies = match (count(black, self.start.black), count(white, self.start.white)) {
            (Some(b), Some(w)) if self.start.black.within(black) && self.start.white.within(white) => (b, w),
            _ => return Err(Error::position("a stone of the start is missing", hint())),
        };
        let turns = &self.sheet.black_turn;
        let total = plies.0 + plies.1;
        let due = turns.iter().take(total).filter(|b| **b).count();
        if total > turns.len() || due != plies.0 {
            return Err(Error::position(
                format!(
                    "{} moves of Black and {} of White do not add up to turns of this game",
                    plies.0, plies.1
                ),
                format!("after {total} plies Black has made {due} moves"),
            ));
        }
        let p = Stones { black, white, ply: total as u16 };
        if total > 0 && !self.can_follow(&p) {
            return Err(Error::position(
                "no line of play leads to these stones",
                "the game ends with the first complete set, and the first move may be bound to some cells",
            ));
        }
        match side {
            Some(side) if side != self.turn(p.ply) => Err(Error::position(
                format!("it is not {}'s turn after {total} plies", self.side_names()[side.index()]),
                "leave the side out: the turns say it",
            )),
            _ => Ok(p),
        }
    }

    fn board_text(&self, p: &Stones<M>) -> String {
        (0..self.sheet.cells.len()).map(|c| Self::letter(p, c)).collect()
    }

    fn implied_side(&self, p: &Stones<M>) -> Option<Side> {
        Some(self.turn(p.ply))
    }

    fn move_text(&self, _: &Stones<M>, m: Cell) -> String {
        self.sheet.cells[usize::from(m.0)].clone()
    }

    fn parse_move(&self, p: &Stones<M>, text: &str) -> Result<Cell, Error> {
        let Some(cell) = self.sheet.cells.iter().position(|name| name == text.trim()) else {
            return Err(Error::bad_move(
                format!("there is no position '{text}'"),
                format!("the first one is '{}'", self.sheet.cells[0]),
            ));
        };
        if self.free(p).has(cell) {
            return Ok(Cell(cell as u16));
        }
        let free = self.free(p).lowest().map(|c| format!("a free one is '{}'", self.sheet.cells[c]));
        Err(Error::bad_move(format!("'{text}' cannot be taken"), free.unwrap_or("the game is over".into())))
    }

    fn picture(&self, p: &Stones<M>) -> String {
        let places = self.places();
        let rows = places.iter().map(|(_, r)| r + 1).max().unwrap_or(0);
        let columns = places.iter().map(|(c, _)| c + 1).max().unwrap_or(0);
        let mut board = vec![vec![' '; columns]; rows];
        for (cell, &(c, r)) in places.iter().enumerate() {
            board[r][c] = Self::letter(p, cell);
        }
        board.iter().map(|row| row.iter().map(|ch| format!(" {ch}")).collect::<String>() + "\n").collect()
    }

    fn svg(&self, p: &Stones<M>, scene: &Scene<Cell>) -> String {
        let places = self.places();
        let extent =
            |f: fn(&(usize, usize)) -> usize| (1 + places.iter().map(f).max().unwrap_or(0)) as f64 * SIZE;
        let (width, height) = (extent(|p| p.0), extent(|p| p.1));
        let mut svg = Svg::new(width, height, &format!("{}, ply {}", self.title(), p.ply));
        svg.shape("rect", &[("width", &width), ("height", &height), ("class", &"board"), ("fill", &PAPER)]);
        for (cell, &(c, r)) in places.iter().enumerate() {
            let (x, y) = (c as f64 * SIZE, r as f64 * SIZE);
            let last = scene.last == Some(Cell(cell as u16));
            let (left, top) = (short(x), short(y));
            let mut attributes: Vec<(&str, &dyn std::fmt::Display)> = vec![
                ("x", &left),
                ("y", &top),
                ("width", &SIZE),
                ("height", &SIZE),
                ("class", if last { &"cell last" } else { &"cell" }),
                ("fill", if last { &ACCENT } else { &"#FFFFFF" }),
                ("stroke", &INK),
                ("data-cell", &self.sheet.cells[cell]),
            ];
            if p.black.has(cell) {
                attributes.push(("data-holds", &"Black"));
            } else if p.white.has(cell) {
                attributes.push(("data-holds", &"White"));
            }
            svg.shape("rect", &attributes);
            let (cx, cy) = (x + SIZE / 2.0, y + SIZE / 2.0);
            for (set, class, fill) in
                [(p.black, "first", svg::BLACK_AND_WHITE[0]), (p.white, "second", svg::BLACK_AND_WHITE[1])]
            {
                if set.has(cell) {
                    let (cx, cy) = (short(cx), short(cy));
                    svg.shape(
                        "circle",
                        &[("cx", &cx), ("cy", &cy), ("r", &17), ("class", &class), ("fill", &fill)],
                    );
                }
            }
            if scene.coordinates && !(p.black | p.white).has(cell) {
                svg.text(cx, cy, 10.0, "label", INK, &self.sheet.cells[cell]);
            }
            for mark in scene.marks.iter().filter(|m| m.cell == self.sheet.cells[cell]) {
                svg.text(cx, cy + 14.0, 10.0, &mark.class, INK, &mark.text);
            }
        }
        svg.finish()
    }

    fn facts(&self, p: &Stones<M>) -> Vec<Fact> {
        let mut facts = Vec::new();
        let sides = [("Black", &self.black, p.black, p.white), ("White", &self.white, p.white, p.black)];
        for (side, lines, own, other) in sides.into_iter().take(if self.is_maker_breaker() { 1 } else { 2 }) {
            let rests: Vec<M> = lines.live(own, other).collect();
            let alive = rests.len().to_string();
            facts.push(Fact::plain(&sentences::SETS_FOR, Some(side), alive, Vec::new()));
            if self.is_maker_breaker() {
                let potential: f64 = rests.iter().map(|rest| 0.5f64.powi(rest.count() as i32 - 1)).sum();
                let value = format!("{potential:.4}");
                facts.push(Fact::plain(&sentences::POTENTIAL, None, value, Vec::new()));
            }
        }
        facts
    }

    fn why(&self, p: &Stones<M>) -> Option<Said> {
        let names = |set: M| set.cells().map(|c| self.sheet.cells[c].as_str()).collect::<Vec<_>>().join(" ");
        let owned = [("Black", self.black.owned_by(p.black)), ("White", self.white.owned_by(p.white))];
        if let Some((side, set)) = owned.into_iter().find_map(|(side, set)| Some((side, set?))) {
            return Some(sentences::SET.say([("side", side.into()), ("cells", names(set).into())]));
        }
        if self.black.all().iter().all(|set| set.meets(p.white)) && self.is_maker_breaker() {
            return Some(sentences::EVERY_SET.say([("side", "White".into())]));
        }
        (self.plies_left(p) == 0).then(|| sentences::PLIES_UP.say([]))
    }
}

impl<M: Mask, const W: usize> Playable for Positional<M, W> {
    type Naive = NaivePositional;

    fn naive(&self) -> NaivePositional {
        NaivePositional { sheet: (*self.sheet).clone() }
    }
}
