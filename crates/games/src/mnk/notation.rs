//! Texts.

use std::fmt::Write as _;

use ludex_core::{Error, Fact, Game, Notation, Outcome, Playable, Said, Scene, Side, Value, column_name};

use super::{Board, Cell, Mnk, NaiveMnk, Rule, Stones};
use crate::{
    hypergraph::{Mask, Turn, stopped},
    sentences,
};

impl<M: Board> Mnk<M> {
    /// Read rows from the top to the bottom.
    fn parse_rows(&self, board: &str) -> Result<Stones<M>, Error> {
        let (m, n) = (self.shape.m, self.shape.n);
        let like = format!("{n} rows of {m} cells '.', 'x' or 'o' from the top to the bottom, joined by '/'");
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != n {
            return Err(Error::position(format!("'{board}' has {} rows, not {n}", rows.len()), like));
        }
        let mut p = Stones { first: M::EMPTY, second: M::EMPTY };
        for (y, row) in rows.iter().rev().enumerate() {
            let width = row.chars().count();
            if width != m {
                return Err(Error::position(format!("row {} has {width} cells, not {m}", y + 1), like));
            }
            for (x, c) in row.chars().enumerate() {
                let stone = M::bit(y * m + x);
                match c {
                    '.' => {}
                    'x' | 'X' => p.first = p.first | stone,
                    'o' | 'O' => p.second = p.second | stone,
                    _ => {
                        let at = self.shape.name(y * m + x);
                        return Err(Error::position(format!("there is no stone '{c}' (at {at})"), like));
                    }
                }
            }
        }
        Ok(p)
    }

    /// Refuse stones that no game leads to, except that a Maker–Breaker game may have been played on when no line was left.
    fn check(&self, p: &Stones<M>) -> Result<(), Error> {
        let (x, o) = (p.first.count(), p.second.count());
        if x != o && x != o + 1 {
            return Err(Error::position(
                format!("the board has {x} x and {o} o"),
                "x starts, so there are as many x as o, or one more",
            ));
        }
        let last = p.side().other();
        let lines = [p.first, p.second].map(|side| self.shape.has_line(side));
        if self.rule != Rule::Weak && lines == [true, true] {
            return Err(Error::position("both sides have a line", "the game ends with the first line"));
        }
        // Fewer stones never end a game that more do not end: if one of the last side's stones can have been the one
        // that ended it, all the others can have been placed before.
        if lines[last.other().index()] && !(self.rule == Rule::Weak && last == Side::First) {
            return Err(Error::position(
                format!("{} has a line, and {last} has moved since: the game was over before", last.other()),
                "leave out the moves after the end of the game",
            ));
        }
        let stones = if last == Side::First { p.first } else { p.second };
        let completes = |cell| !self.shape.has_line(stones.minus(M::bit(cell)));
        if lines[last.index()]
            && !(self.rule == Rule::Weak && last == Side::Second)
            && !stones.cells().any(completes)
        {
            return Err(Error::position(
                format!("{last} has lines that no single stone completed together: the game was over before"),
                "the game ends with the first line",
            ));
        }
        Ok(())
    }

    /// The line that decided the game, if one did.
    pub(super) fn decided_by(&self, p: &Stones<M>) -> Option<(Side, M)> {
        let second = if self.rule == Rule::Weak { None } else { self.shape.lines().owned_by(p.second) };
        let first = self.shape.lines().owned_by(p.first).map(|line| (Side::First, line));
        first.or(second.map(|line| (Side::Second, line)))
    }
}

/// The first bytes of a set, the lowest first.
fn write_set<M: Mask>(set: M, out: &mut [u8]) {
    for (i, byte) in out.iter_mut().enumerate() {
        *byte = (set.word(i / 8) >> (8 * (i % 8))) as u8;
    }
}

/// The set that was written.
fn read_set<M: Mask>(bytes: &[u8]) -> M {
    let mut set = M::EMPTY;
    for (i, &byte) in bytes.iter().enumerate() {
        for bit in (0..8).filter(|bit| byte >> bit & 1 == 1) {
            set = set | M::bit(8 * i + bit);
        }
    }
    set
}

impl<M: Board> Notation for Mnk<M> {
    fn packed_len(&self) -> usize {
        2 * self.shape.cells().div_ceil(8)
    }

    /// The stones of both sides: the key does not tell whose a stone is that can be in no line any more.
    fn pack(&self, p: &Stones<M>, out: &mut [u8]) -> bool {
        let (first, second) = out.split_at_mut(self.shape.cells().div_ceil(8));
        write_set(p.first, first);
        write_set(p.second, second);
        true
    }

    fn unpack(&self, _: &[u8], packed: &[u8]) -> Option<Stones<M>> {
        let (first, second) = packed.split_at_checked(self.shape.cells().div_ceil(8))?;
        let last = packed.len() / 2 * 8 - self.shape.cells();
        let fits = [first, second]
            .iter()
            .all(|set| set.last().is_none_or(|byte| byte.leading_zeros() as usize >= last));
        fits.then(|| Stones { first: read_set(first), second: read_set(second) })
    }

    /// A Maker–Breaker game may be set up as if it had been played on after its last line was blocked.
    fn sets_up_freely(&self) -> bool {
        self.rule == Rule::Weak
    }

    fn spec(&self) -> String {
        let (m, n, k) = (self.shape.m, self.shape.n, self.shape.k);
        match self.rule {
            Rule::Strong => format!("mnk:{m},{n},{k}"),
            rule => format!("mnk:{m},{n},{k},rule={}", rule.word()),
        }
    }

    fn title(&self) -> String {
        let (m, n, k) = (self.shape.m, self.shape.n, self.shape.k);
        let rule = match self.rule {
            Rule::Strong => "",
            Rule::Weak => ", Maker–Breaker",
            Rule::Misere => ", misère",
        };
        match (m, n, k, self.rule) {
            (3, 3, 3, Rule::Strong) => "Tic-tac-toe".into(),
            _ => format!("{m},{n},{k}-game{rule}"),
        }
    }

    fn side_names(&self) -> [&'static str; 2] {
        if self.rule == Rule::Weak { ["Maker", "Breaker"] } else { ["X", "O"] }
    }

    fn side_words(&self) -> [&'static [&'static str]; 2] {
        if self.rule == Rule::Weak { [&["x", "m"], &["o", "b"]] } else { [&["x"], &["o"]] }
    }

    fn parse_board(&self, board: &str, side: Option<Side>) -> Result<Stones<M>, Error> {
        let p = self.parse_rows(board)?;
        self.check(&p)?;
        if side.is_some_and(|side| side != p.side()) {
            return Err(Error::position(
                format!("the stones say {} to move", p.side()),
                "leave the side out: it follows from the stones",
            ));
        }
        Ok(p)
    }

    fn board_text(&self, p: &Stones<M>) -> String {
        let rows: Vec<String> =
            (0..self.shape.n).rev().map(|y| row(self, p, y).into_iter().collect()).collect();
        rows.join("/")
    }

    fn implied_side(&self, p: &Stones<M>) -> Option<Side> {
        Some(p.side())
    }

    fn move_text(&self, _: &Stones<M>, m: Cell) -> String {
        self.shape.name(usize::from(m.0))
    }

    fn facts(&self, p: &Stones<M>) -> Vec<Fact> {
        let (first, second) = (p.first, p.second);
        let names = self.side_names();
        let mut facts = Vec::new();
        let sides = [(names[0], first, second), (names[1], second, first)];
        for (side, own, other) in sides.into_iter().take(if self.rule == Rule::Weak { 1 } else { 2 }) {
            let rests: Vec<M> = self.shape.lines().live(own, other).collect();
            let cells: Vec<String> = (0..self.shape.cells())
                .filter(|&c| rests.iter().any(|rest| rest.count() == 1 && rest.has(c)))
                .map(|c| self.shape.name(c))
                .collect();
            facts.push(Fact::plain(&sentences::LINES_FOR, Some(side), rests.len().to_string(), Vec::new()));
            if self.rule == Rule::Weak {
                let potential: f64 = rests.iter().map(|rest| 0.5f64.powi(rest.count() as i32 - 1)).sum();
                let value = format!("{potential:.4}");
                facts.push(Fact::plain(&sentences::POTENTIAL, None, value, Vec::new()));
            }
            if !cells.is_empty() {
                facts.push(Fact::plain(&sentences::COMPLETES, Some(side), cells.join(", "), cells));
            }
        }
        facts
    }

    fn settled(&self, p: &Stones<M>) -> Vec<ludex_core::Reason> {
        if self.rule == Rule::Misere {
            return Vec::new();
        }
        let (names, turn) = (self.side_names(), p.side());
        let sides = [(Side::First, p.first, p.second), (Side::Second, p.second, p.first)];
        let attackers = sides.into_iter().take(if self.rule == Rule::Weak { 1 } else { 2 });
        attackers
            .filter_map(|(side, own, other)| {
                let rests: Vec<M> = self.shape.lines().live(own, other).collect();
                let turn = if turn == side { Turn::Attacker } else { Turn::Defender };
                let (attacker, defender) = (names[side.index()], names[side.other().index()]);
                stopped(&rests, turn, attacker, defender, |cell| self.shape.name(cell))
            })
            .collect()
    }

    fn layout(&self) -> Option<ludex_core::Layout> {
        let (m, n) = (self.shape.m, self.shape.n);
        let [first, second] = self.side_names();
        let name = |r: usize, c: usize| self.shape.name((n - 1 - r) * m + c);
        Some(ludex_core::Layout::grid(n, m, name, &[(".", "empty"), ("x", first), ("o", second)]))
    }

    fn picture(&self, p: &Stones<M>) -> String {
        let margin = self.shape.n.to_string().len();
        let wide = column_name(self.shape.m - 1).len();
        let mut text = String::new();
        for y in (0..self.shape.n).rev() {
            let _ = write!(text, "{:margin$}", y + 1);
            row(self, p, y).into_iter().for_each(|c| {
                let _ = write!(text, " {c:>wide$}");
            });
            text.push('\n');
        }
        let _ = write!(text, "{:margin$}", "");
        for x in 0..self.shape.m {
            let _ = write!(text, " {:>wide$}", column_name(x));
        }
        text.push('\n');
        text
    }

    fn svg(&self, p: &Stones<M>, scene: &Scene<Cell>) -> String {
        self.draw(p, scene)
    }

    /// ±(1 + half the cells left after the last move, rounded down); 0 for a draw.
    fn score(&self, p: &Stones<M>, value: Value) -> Option<i32> {
        if value == Value::DRAW {
            return Some(0);
        }
        let left = self.shape.cells() as i32 - (self.rank(p) + value.plies()?) as i32;
        Some(if value.outcome() == Outcome::Win { 1 + left / 2 } else { -1 - left / 2 })
    }

    fn why(&self, p: &Stones<M>) -> Option<Said> {
        self.outcome(p)?;
        let names = self.side_names();
        Some(match self.decided_by(p) {
            Some((side, line)) => {
                let cells: Vec<_> = line.cells().map(|cell| self.shape.name(cell)).collect();
                sentences::LINE.say([("side", names[side.index()].into()), ("cells", cells.join(" ").into())])
            }
            None if self.rule == Rule::Weak => sentences::EVERY_LINE.say([("side", names[1].into())]),
            None => sentences::NO_LINE.say([]),
        })
    }
}

/// The signs of a row.
fn row<M: Board>(game: &Mnk<M>, p: &Stones<M>, y: usize) -> Vec<char> {
    let sign = |cell: usize| match (p.first.has(cell), p.second.has(cell)) {
        (true, _) => 'x',
        (_, true) => 'o',
        _ => '.',
    };
    (0..game.shape.m).map(|x| sign(y * game.shape.m + x)).collect()
}

impl<M: Board> Playable for Mnk<M> {
    type Naive = NaiveMnk;

    fn naive(&self) -> NaiveMnk {
        NaiveMnk { m: self.shape.m, n: self.shape.n, k: self.shape.k, rule: self.rule }
    }
}
