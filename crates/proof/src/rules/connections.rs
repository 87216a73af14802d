//! Hex and Nex: who connects his two edges wins.

use ludex_core::Side;

use super::{Move, Position, Rules, grid, letter_first, lines::stone, rows, size};

const EMPTY: u8 = 0;
const NEUTRAL: u8 = 3;

/// On larger boards of Nex a position has too many moves for a checker.
const MOST_NEX: usize = 36;

/// What a move of Nex does, in the bits above its three cells.
const GENERATE: Move = 1;
const TRANSFORM: Move = 2;
const SINGLE: Move = 3;
const SWAP: Move = 4;

pub(super) struct Connections {
    rows: usize,
    columns: usize,
    nex: Option<Nex>,
    half_turn: Vec<Vec<usize>>,
}

struct Nex {
    official: bool,
    swap: bool,
}

fn code(kind: Move, a: usize, b: usize, c: usize) -> Move {
    kind << 27 | (a as Move) << 18 | (b as Move) << 9 | c as Move
}

fn parts(m: Move) -> (Move, usize, usize, usize) {
    (m >> 27, (m >> 18 & 511) as usize, (m >> 9 & 511) as usize, (m & 511) as usize)
}

impl Connections {
    fn new(text: &str, nex: Option<Nex>) -> Option<Self> {
        let (rows, columns) = size(text)?;
        ((2..=19).contains(&rows) && (2..=19).contains(&columns)).then_some(())?;
        let half_turn = vec![(0..rows * columns).rev().collect()];
        Some(Self { rows, columns, nex, half_turn })
    }

    pub(super) fn hex(rest: &str) -> Option<Self> {
        Self::new(rest, None)
    }

    pub(super) fn nex(rest: &str) -> Option<Self> {
        let (rest, swap) = rest.strip_suffix(",swap=on").map_or((rest, false), |rest| (rest, true));
        let (rest, official) =
            rest.strip_suffix(",rules=official").map_or((rest, false), |rest| (rest, true));
        Self::new(rest, Some(Nex { official, swap }))
            .filter(|game| game.rows * game.columns <= MOST_NEX && (!swap || game.rows == game.columns))
    }

    fn connected(&self, cells: &[u8], side: Side) -> bool {
        let (rows, columns, own) = (self.rows as i64, self.columns as i64, stone(side));
        let mut reached = vec![false; cells.len()];
        let mut open: Vec<(i64, i64)> = match side {
            Side::First => (0..columns).map(|c| (0, c)).collect(),
            Side::Second => (0..rows).map(|r| (r, 0)).collect(),
        };
        while let Some((r, c)) = open.pop() {
            let cell = (r * columns + c) as usize;
            if cells[cell] != own || std::mem::replace(&mut reached[cell], true) {
                continue;
            }
            if (side == Side::First && r == rows - 1) || (side == Side::Second && c == columns - 1) {
                return true;
            }
            let beside = [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1), (r - 1, c + 1), (r + 1, c - 1)];
            let on_board = |(r, c): &(i64, i64)| (0..rows).contains(r) && (0..columns).contains(c);
            open.extend(beside.into_iter().filter(on_board));
        }
        false
    }
}

impl Rules for Connections {
    fn read(&self, board: &str, side: Side) -> Option<Position> {
        let letters = if self.nex.is_some() { ".BW?" } else { ".BW" };
        Some(Position { cells: grid(board, self.rows, self.columns, letters)?, side })
    }

    fn write(&self, p: &Position) -> String {
        rows(&p.cells, self.columns, ".BW?").join("/")
    }

    fn result(&self, p: &Position) -> Option<Option<Side>> {
        for side in [p.side.other(), p.side] {
            if self.connected(&p.cells, side) {
                return Some(Some(side));
            }
        }
        self.moves(p).is_empty().then_some(None)
    }

    fn moves(&self, p: &Position) -> Vec<Move> {
        let all = |what: u8| -> Vec<usize> { (0..p.cells.len()).filter(|&c| p.cells[c] == what).collect() };
        let empty = all(EMPTY);
        let Some(nex) = &self.nex else { return empty.into_iter().map(|cell| cell as Move).collect() };
        let (neutral, own) = (all(NEUTRAL), all(stone(p.side)));
        let mut moves = Vec::new();
        for &a in &empty {
            moves.extend(empty.iter().filter(|&&b| b != a).map(|&b| code(GENERATE, a, b, 0)));
        }
        for (i, &a) in neutral.iter().enumerate() {
            for &b in &neutral[i + 1..] {
                moves.extend(own.iter().map(|&c| code(TRANSFORM, a, b, c)));
            }
        }
        if moves.is_empty() && nex.official {
            let last = if empty.is_empty() { &neutral } else { &empty };
            moves.extend(last.iter().map(|&a| code(SINGLE, a, 0, 0)));
        }
        let counts = (all(1).len(), all(2).len(), neutral.len());
        if nex.swap && p.side == Side::Second && counts == (1, 0, 1) {
            moves.push(code(SWAP, 0, 0, 0));
        }
        moves
    }

    fn play(&self, p: &Position, m: Move) -> Position {
        let (mut cells, own) = (p.cells.clone(), stone(p.side));
        if self.nex.is_none() {
            cells[m as usize] = own;
            return Position { cells, side: p.side.other() };
        }
        let (kind, a, b, c) = parts(m);
        match kind {
            GENERATE => (cells[a], cells[b]) = (own, NEUTRAL),
            TRANSFORM => (cells[a], cells[b], cells[c]) = (own, own, NEUTRAL),
            SINGLE => cells[a] = own,
            _ => {
                let n = self.columns;
                let exchanged = |stone: u8| [0, 2, 1, 3][usize::from(stone)];
                (0..cells.len()).for_each(|cell| cells[cell] = exchanged(p.cells[cell % n * n + cell / n]));
            }
        }
        Position { cells, side: p.side.other() }
    }

    fn text(&self, p: &Position, m: Move) -> String {
        let name = |cell: usize| letter_first(cell, self.columns);
        if self.nex.is_none() {
            return name(m as usize);
        }
        let own = ["B", "W"][p.side.index()];
        match parts(m) {
            (GENERATE, a, b, _) => format!("{own}{}?{}", name(a), name(b)),
            (TRANSFORM, a, b, c) => format!("{own}{}{own}{}?{}", name(a), name(b), name(c)),
            (SINGLE, a, ..) => format!("{own}{}", name(a)),
            _ => "swap".to_owned(),
        }
    }

    fn symmetries(&self) -> &[Vec<usize>] {
        &self.half_turn
    }
}
