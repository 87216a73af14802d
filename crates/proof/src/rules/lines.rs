//! Games about filling lines: Connect Four, m,n,k-games, seven in a row on its tile, and positional games from files.

use std::collections::HashSet;

use ludex_core::{Side, column_name};

use super::{Move, Position, Rules, grid, rows, size};
use crate::header::number;

/// An empty cell.
pub const EMPTY: u8 = 0;

/// The stone of a side.
#[must_use]
pub fn stone(side: Side) -> u8 {
    1 + side.index() as u8
}

/// What a complete line means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its side wins.
    Strong,
    /// Its side loses.
    Misere,
    /// Only first has lines; second wins when he has a stone in each.
    Weak,
}

/// Which of the games it is, for names and for what only one of them has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Stones fall.
    Connect4,
    /// Any empty cell.
    Mnk,
    /// Four rows from the top.
    Seven,
    /// From a file.
    Positional(Turns),
}

/// Whose turn each ply is, and what a file says besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turns {
    pub(super) names: Vec<String>,
    pub(super) initial: Vec<(usize, u8)>,
    pub(super) first: Vec<bool>,
    pub(super) opening: Option<Vec<usize>>,
    pub(crate) plain: bool,
}

/// A game about lines.
#[derive(Clone, Debug)]
pub struct LineGame {
    /// Which one.
    pub kind: Kind,
    /// Columns; all cells for a game from a file.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// What a complete line means.
    pub end: End,
    /// The lines of each side.
    pub lines: [Vec<Vec<usize>>; 2],
    /// For each side and cell, what its lines through the cell have besides.
    through: [Vec<Vec<Vec<usize>>>; 2],
    symmetries: Vec<Vec<usize>>,
}

/// All sets of `k` cells in a row, column or diagonal.
fn runs(width: usize, height: usize, k: usize) -> Vec<Vec<usize>> {
    let (w, h) = (width as i64, height as i64);
    let mut lines = Vec::new();
    for (y, x) in (0..h).flat_map(|y| (0..w).map(move |x| (y, x))) {
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let last = (x + (k as i64 - 1) * dx, y + (k as i64 - 1) * dy);
            if (0..w).contains(&last.0) && (0..h).contains(&last.1) {
                lines.push((0..k as i64).map(|i| ((y + i * dy) * w + x + i * dx) as usize).collect());
            }
        }
    }
    lines
}

impl LineGame {
    pub(super) fn new(
        kind: Kind,
        (width, height): (usize, usize),
        end: End,
        lines: [Vec<Vec<usize>>; 2],
        symmetries: Vec<Vec<usize>>,
    ) -> Self {
        let lines = lines.map(|lines| {
            let mut seen = HashSet::new();
            let sorted = lines.into_iter().map(|mut line: Vec<usize>| {
                line.sort_unstable();
                line.dedup();
                line
            });
            sorted.filter(|line| seen.insert(line.clone())).collect::<Vec<_>>()
        });
        let through = [0, 1].map(|side: usize| {
            let mut through = vec![Vec::new(); width * height];
            for line in &lines[side] {
                let besides = |cell: usize| line.iter().copied().filter(|&other| other != cell).collect();
                line.iter().for_each(|&cell| through[cell].push(besides(cell)));
            }
            through
        });
        let same: Vec<usize> = (0..width * height).collect();
        let mut kept: Vec<Vec<usize>> = Vec::new();
        for map in symmetries {
            if map != same && !kept.contains(&map) && keeps(&map, &lines) {
                kept.push(map);
            }
        }
        Self { kind, width, height, end, lines, through, symmetries: kept }
    }

    pub(super) fn connect4(rest: &str) -> Option<Self> {
        let (w, h) = if rest.is_empty() { (7, 6) } else { size(rest)? };
        (w >= 4 && h >= 4 && w.checked_mul(h.checked_add(1)?)? <= 128).then_some(())?;
        let lines = runs(w, h, 4);
        let mirror = (0..w * h).map(|cell| cell / w * w + (w - 1 - cell % w)).collect();
        Some(Self::new(Kind::Connect4, (w, h), End::Strong, [lines.clone(), lines], vec![mirror]))
    }

    pub(super) fn mnk(rest: &str) -> Option<Self> {
        let words: Vec<&str> = rest.split(',').collect();
        let (words, end) = match words.as_slice() {
            [words @ .., "rule=weak"] => (words, End::Weak),
            [words @ .., "rule=misere"] => (words, End::Misere),
            words => (words, End::Strong),
        };
        let [m, n, k] = words else { return None };
        let (m, n, k) = (number(m)? as usize, number(n)? as usize, number(k)? as usize);
        ((1..=225).contains(&m) && (1..=225).contains(&n) && m * n <= 225 && (1..=225).contains(&k))
            .then_some(())?;
        let lines = runs(m, n, k);
        let second = if end == End::Weak { Vec::new() } else { lines.clone() };
        let map = |f: &dyn Fn(usize, usize) -> (usize, usize)| -> Vec<usize> {
            (0..m * n).map(|cell| f(cell % m, cell / m)).map(|(x, y)| y * m + x).collect()
        };
        let mut maps = vec![
            map(&|x, y| (m - 1 - x, y)),
            map(&|x, y| (x, n - 1 - y)),
            map(&|x, y| (m - 1 - x, n - 1 - y)),
        ];
        if m == n {
            maps.push(map(&|x, y| (y, x)));
            maps.push(map(&|x, y| (m - 1 - y, x)));
            maps.push(map(&|x, y| (y, m - 1 - x)));
            maps.push(map(&|x, y| (m - 1 - y, m - 1 - x)));
        }
        Some(Self::new(Kind::Mnk, (m, n), end, [lines, second], maps))
    }

    pub(super) fn seven(rest: &str) -> Option<Self> {
        let mut words = rest.split(',').peekable();
        let n = number(words.next()?).filter(|n| (4..=31).contains(n))? as i64;
        let harness = words.next_if_eq(&"edges=harness").is_some();
        words.next_if_eq(&"first=breaker");
        words.next_if(|word| word.strip_prefix("setup=").is_some_and(|text| !text.is_empty()));
        if words.next().is_some() {
            return None;
        }
        let mut lines: Vec<Vec<(i64, i64)>> = Vec::new();
        for c in 0..n {
            lines.push((0..4).map(|r| (r, c)).collect());
            lines.push((0..4).map(|i| (i, c + i)).collect());
            lines.push((0..4).map(|i| (3 - i, c + i)).collect());
        }
        for r in 0..4 {
            let mut row = |from: i64, to: i64| lines.push((from..=to).map(|c| (r, c)).collect());
            row(0, 3);
            if harness {
                row(0, 4);
                row(0, 5);
                (0..=n - 7).for_each(|c| row(c, c + 6));
                [4, 5, 6].into_iter().filter(|l| n - l >= 7 || n < 7).for_each(|l| row(n - l, n - 1));
            } else {
                row(n - 4, n - 1);
                (1..=n - 8).for_each(|c| row(c, c + 6));
            }
        }
        if !harness {
            for corner in [vec![(2, 0), (1, 1), (0, 2)], vec![(1, 0), (2, 1), (3, 2)], vec![(1, 0), (0, 1)]] {
                lines.push(corner.iter().map(|&(r, c)| (r, n - 1 - c)).collect());
                lines.push(corner);
            }
        }
        let on_board = |line: &Vec<(i64, i64)>| line.iter().all(|&(_, c)| (0..n).contains(&c));
        let numbered = |line: Vec<(i64, i64)>| line.iter().map(|&(r, c)| (r * n + c) as usize).collect();
        let lines: Vec<Vec<usize>> = lines.into_iter().filter(on_board).map(numbered).collect();
        let n = n as usize;
        let map = |f: &dyn Fn(usize, usize) -> (usize, usize)| -> Vec<usize> {
            (0..4 * n).map(|cell| f(cell / n, cell % n)).map(|(r, c)| r * n + c).collect()
        };
        let maps =
            vec![map(&|r, c| (r, n - 1 - c)), map(&|r, c| (3 - r, c)), map(&|r, c| (3 - r, n - 1 - c))];
        Some(Self::new(Kind::Seven, (n, 4), End::Weak, [lines, Vec::new()], maps))
    }

    /// Whether a side has a stone on every cell of one of its lines.
    pub(crate) fn complete(&self, cells: &[u8], side: Side) -> bool {
        self.lines[side.index()].iter().any(|line| line.iter().all(|&cell| cells[cell] == stone(side)))
    }

    /// Whether a stone of a side on a cell would complete a line.
    pub(crate) fn completes(&self, cells: &[u8], cell: usize, side: Side) -> bool {
        let own = stone(side);
        self.through[side.index()][cell].iter().any(|besides| besides.iter().all(|&cell| cells[cell] == own))
    }

    /// The lines of a side in which the other has no stone.
    pub(crate) fn open<'a>(&'a self, cells: &'a [u8], side: Side) -> impl Iterator<Item = &'a Vec<usize>> {
        let foreign = stone(side.other());
        self.lines[side.index()].iter().filter(move |line| line.iter().all(|&cell| cells[cell] != foreign))
    }

    /// The lowest empty cell of a column of Connect Four.
    pub(crate) fn landing(&self, cells: &[u8], column: usize) -> Option<usize> {
        (0..self.height).map(|y| y * self.width + column).find(|&cell| cells[cell] == EMPTY)
    }

    fn stones(cells: &[u8]) -> usize {
        cells.iter().filter(|&&c| c != EMPTY).count()
    }

    /// Whether no more stones can be placed.
    fn used_up(&self, cells: &[u8]) -> bool {
        match &self.kind {
            Kind::Positional(turns) => Self::stones(cells) == turns.initial.len() + turns.first.len(),
            _ => cells.iter().all(|&c| c != EMPTY),
        }
    }

    /// The cell a move puts a stone on.
    pub(crate) fn cell_of(&self, p: &Position, m: Move) -> usize {
        match self.kind {
            Kind::Connect4 => self.landing(&p.cells, m as usize).unwrap_or_default(),
            _ => m as usize,
        }
    }
}

/// Whether a map of cells maps lines to lines.
fn keeps(map: &[usize], lines: &[Vec<Vec<usize>>; 2]) -> bool {
    lines.iter().all(|lines| {
        let all: HashSet<&Vec<usize>> = lines.iter().collect();
        lines.iter().all(|line| {
            let mut image: Vec<usize> = line.iter().map(|&cell| map[cell]).collect();
            image.sort_unstable();
            all.contains(&image)
        })
    })
}

impl Rules for LineGame {
    fn read(&self, board: &str, side: Side) -> Option<Position> {
        let cells = match &self.kind {
            Kind::Positional(turns) => {
                let cells = grid(board, 1, self.width, ".BW")?;
                turns.initial.iter().all(|&(cell, stone)| cells[cell] == stone).then_some(())?;
                let ply = Self::stones(&cells).checked_sub(turns.initial.len())?;
                let turn =
                    if ply == turns.first.len() { side == Side::First } else { *turns.first.get(ply)? };
                (turn == (side == Side::First)).then_some(cells)?
            }
            Kind::Seven => grid(board, self.height, self.width, ".MB")?,
            _ => {
                let rows: Vec<&str> = board.split('/').rev().collect();
                grid(&rows.join("/"), self.height, self.width, ".xo")?
            }
        };
        let floats = |cell: &usize| cells[*cell] != EMPTY && cells[*cell - self.width] == EMPTY;
        if self.kind == Kind::Connect4 && (self.width..cells.len()).any(|cell| floats(&cell)) {
            return None;
        }
        Some(Position { cells, side })
    }

    fn write(&self, p: &Position) -> String {
        let letters = match self.kind {
            Kind::Positional(_) => ".BW",
            Kind::Seven => ".MB",
            _ => ".xo",
        };
        let mut rows = rows(&p.cells, self.width, letters);
        if matches!(self.kind, Kind::Connect4 | Kind::Mnk) {
            rows.reverse();
        }
        rows.join("/")
    }

    fn result(&self, p: &Position) -> Option<Option<Side>> {
        let before = match self.kind {
            Kind::Positional(_) => Side::First,
            _ => p.side.other(),
        };
        if self.end == End::Weak {
            if self.complete(&p.cells, Side::First) {
                return Some(Some(Side::First));
            }
            let stopped = self.open(&p.cells, Side::First).next().is_none() || self.used_up(&p.cells);
            return stopped.then_some(Some(Side::Second));
        }
        for side in [before, before.other()] {
            if self.complete(&p.cells, side) {
                return Some(Some(if self.end == End::Strong { side } else { side.other() }));
            }
        }
        self.used_up(&p.cells).then_some(None)
    }

    fn moves(&self, p: &Position) -> Vec<Move> {
        match &self.kind {
            Kind::Connect4 => {
                let top = (self.height - 1) * self.width;
                (0..self.width).filter(|x| p.cells[top + x] == EMPTY).map(|x| x as Move).collect()
            }
            kind => {
                let opening = match kind {
                    Kind::Positional(turns) if Self::stones(&p.cells) == turns.initial.len() => {
                        turns.opening.as_ref()
                    }
                    _ => None,
                };
                let allowed = |c: &usize| p.cells[*c] == EMPTY && opening.is_none_or(|list| list.contains(c));
                (0..p.cells.len()).filter(allowed).map(|cell| cell as Move).collect()
            }
        }
    }

    fn play(&self, p: &Position, m: Move) -> Position {
        let mut cells = p.cells.clone();
        cells[self.cell_of(p, m)] = stone(p.side);
        let side = match &self.kind {
            Kind::Positional(turns) => match turns.first.get(Self::stones(&cells) - turns.initial.len()) {
                Some(true) => Side::First,
                Some(false) => Side::Second,
                None => p.side.other(),
            },
            _ => p.side.other(),
        };
        Position { cells, side }
    }

    fn text(&self, p: &Position, m: Move) -> String {
        let cell = m as usize;
        match &self.kind {
            Kind::Connect4 => char::from_digit(m + 1, 36).unwrap_or('?').to_string(),
            Kind::Mnk => format!("{}{}", column_name(cell % self.width), cell / self.width + 1),
            Kind::Seven => format!("{},{}", cell / self.width, cell % self.width),
            Kind::Positional(turns) => turns.names[self.cell_of(p, m)].clone(),
        }
    }

    fn ends(&self, p: &Position, m: Move) -> Option<Option<Side>> {
        let cell = self.cell_of(p, m);
        if self.end == End::Strong && self.completes(&p.cells, cell, p.side) {
            return Some(Some(p.side));
        }
        if self.end == End::Strong
            && Self::stones(&p.cells) + 1 < p.cells.len()
            && !matches!(self.kind, Kind::Positional(_))
        {
            return None;
        }
        if self.end == End::Weak && !matches!(self.kind, Kind::Positional(_)) {
            let ends = match p.side {
                Side::First => self.completes(&p.cells, cell, p.side),
                Side::Second => self.open(&p.cells, Side::First).all(|line| line.contains(&cell)),
            };
            let last = Self::stones(&p.cells) + 1 == p.cells.len();
            return (ends || last).then_some(Some(if ends { p.side } else { Side::Second }));
        }
        self.result(&self.play(p, m))
    }

    fn symmetries(&self) -> &[Vec<usize>] {
        &self.symmetries
    }

    fn lines(&self) -> Option<&LineGame> {
        Some(self)
    }
}
