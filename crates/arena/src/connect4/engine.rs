//! The heuristic opponent's search: alpha-beta to a depth, with what speeds it up, each as an option.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use ludex_core::{Game, Outcome, Side};
use ludex_games::connect4::{Board, Column, Connect4, Shape, Word, lines};

use super::{
    evaluation::Evaluation,
    weights::{DEPTHS, ORDER, WEIGHTS},
};

/// Which techniques are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Leave out what cannot matter.
    pub cutoffs: bool,
    /// Try likely moves first: wins, blocks, the centre, killers, history.
    pub order: bool,
    /// Remember positions.
    pub table: bool,
    /// Let the opponent move twice, and stop where even that does not help him. Zugzwang is the essence of this game, so
    /// this is an experiment and off by default.
    pub null_move: bool,
    /// A fixed depth, or one that grows with the stones on the board.
    pub depth: Option<u32>,
    /// How long it may think.
    pub time: Option<Duration>,
}

impl Default for Options {
    fn default() -> Self {
        Self { cutoffs: true, order: true, table: true, null_move: false, depth: None, time: None }
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub column: Column,
    /// Its worth to the side that moves.
    pub worth: i32,
    /// The depth that was finished.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
}

#[derive(Clone, Copy)]
enum Flag {
    Exact,
    Lower,
    Upper,
}

#[derive(Clone, Copy)]
struct Remembered {
    worth: i32,
    depth: u32,
    flag: Flag,
    column: Column,
}

/// More than any worth.
const INFINITE: i32 = i32::MAX / 2;

/// An opponent that remembers between moves of one game.
pub struct Engine<S: Shape> {
    game: Connect4<S>,
    evaluation: Evaluation<S>,
    options: Options,
    table: HashMap<(S::Word, bool), Remembered>,
    killers: Vec<[Option<Column>; 2]>,
    history: Vec<i32>,
    nodes: u64,
    deadline: Option<Instant>,
    late: bool,
}

impl<S: Shape> Engine<S> {
    /// An opponent with these options.
    #[must_use]
    pub fn new(game: Connect4<S>, options: Options) -> Self {
        Self {
            game,
            evaluation: Evaluation::new(game),
            options,
            table: HashMap::new(),
            killers: Vec::new(),
            history: vec![0; game.shape.width() as usize * 2],
            nodes: 0,
            deadline: None,
            late: false,
        }
    }

    /// The depth for a number of stones.
    #[must_use]
    pub fn depth_for(&self, stones: u32) -> u32 {
        self.options
            .depth
            .unwrap_or_else(|| DEPTHS.iter().find(|(most, _)| stones <= *most).map_or(12, |d| d.1))
    }

    /// Choose a move in an unfinished game.
    #[must_use]
    pub fn choose(&mut self, p: &Board<S::Word>) -> Choice {
        (self.nodes, self.late) = (0, false);
        self.deadline = self.options.time.map(|t| Instant::now() + t);
        if let Some(column) = self.at_once(p) {
            return Choice { column, worth: 0, depth: 0, nodes: 0 };
        }
        self.table.clear();
        self.history.fill(0);
        let target = self.depth_for(p.stones()).min(self.game.max_plies(p)).max(1);
        self.killers = vec![[None; 2]; target as usize + 1];
        // Deepening pays through the table and the clock; without both, the last depth alone does.
        let first = if self.options.table || self.options.time.is_some() { 1 } else { target };
        let mut choice: Option<Choice> = None;
        for depth in first..=target {
            let (worth, column) = self.root(p, depth, choice.as_ref().map(|c| c.column));
            let Some(column) = column else { break };
            choice = Some(Choice { column, worth, depth, nodes: self.nodes });
            if self.late || worth.abs() >= WEIGHTS.end {
                break;
            }
        }
        let mut fallback = None;
        self.game.each_move(p, |m| {
            fallback.get_or_insert(m);
        });
        choice.unwrap_or(Choice {
            column: fallback.unwrap_or(Column(0)),
            worth: 0,
            depth: 0,
            nodes: self.nodes,
        })
    }

    /// A win that can be taken, else the stone that stops one.
    #[must_use]
    pub fn at_once(&self, p: &Board<S::Word>) -> Option<Column> {
        let (shape, landings) = (self.game.shape, p.landings(self.game.shape));
        let win = lines::completing(shape, p.own) & landings;
        let stop = lines::completing(shape, p.other()) & landings;
        let cell = if win.any() { win } else { stop };
        cell.any().then(|| Column(shape.column_number(cell.first()) as u8))
    }

    fn root(&mut self, p: &Board<S::Word>, depth: u32, first: Option<Column>) -> (i32, Option<Column>) {
        let side = self.game.side(p);
        let (mut alpha, mut best) = (-INFINITE, None);
        for m in self.ordered(p, depth, first) {
            let floor = if self.options.cutoffs { alpha } else { -INFINITE };
            let worth = -self.search(&self.game.play(p, m), depth - 1, -INFINITE, -floor, side);
            if self.late {
                break;
            }
            if best.is_none() || worth > alpha {
                (alpha, best) = (worth, Some(m));
            }
        }
        (alpha, best)
    }

    /// The worth of a position to its side to move. The evaluation is always that of `root`, the side that chooses.
    fn search(&mut self, p: &Board<S::Word>, depth: u32, alpha: i32, beta: i32, root: Side) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) && self.deadline.is_some_and(|d| Instant::now() >= d) {
            self.late = true;
        }
        if self.late {
            return 0;
        }
        match self.game.outcome(p) {
            Some(Outcome::Draw) => return 0,
            Some(_) => return -(WEIGHTS.end + depth as i32),
            None => {}
        }
        let side = self.game.side(p);
        if depth == 0 {
            let worth = self.evaluation.parts(p, root).total();
            return if side == root { worth } else { -worth };
        }
        let (mut alpha, mut beta) = (alpha, beta);
        let key = (self.game.key(p), side == root);
        let remembered = if self.options.table { self.table.get(&key).copied() } else { None };
        if let Some(entry) = remembered.filter(|e| e.depth == depth) {
            match entry.flag {
                Flag::Exact => return entry.worth,
                Flag::Lower => alpha = alpha.max(entry.worth),
                Flag::Upper => beta = beta.min(entry.worth),
            }
            if alpha >= beta {
                return entry.worth;
            }
        }
        if self.options.null_move && depth > 3 && beta < WEIGHTS.end && self.at_once(p).is_none() {
            let passed = Board { own: p.other(), all: p.all };
            if -self.pass_search(&passed, depth - 3, -beta, root) >= beta {
                return beta;
            }
        }
        let start = alpha;
        let (mut best, mut best_move) = (-INFINITE, Column(0));
        for m in self.ordered(p, depth, remembered.map(|e| e.column)) {
            let floor = if self.options.cutoffs { alpha } else { -INFINITE };
            let top = if self.options.cutoffs { beta } else { INFINITE };
            let worth = -self.search(&self.game.play(p, m), depth - 1, -top, -floor, root);
            if worth > best {
                (best, best_move) = (worth, m);
            }
            alpha = alpha.max(best);
            if self.options.cutoffs && alpha >= beta {
                self.note_cutoff(m, depth, side);
                break;
            }
        }
        if self.options.table && !self.late {
            let flag = match () {
                () if best <= start => Flag::Upper,
                () if best >= beta => Flag::Lower,
                () => Flag::Exact,
            };
            self.table.insert(key, Remembered { worth: best, depth, flag, column: best_move });
        }
        best
    }

    /// What the opponent can make of a pass: its best stone by the evaluation. The count of stones no longer tells who is
    /// to move, so it goes no further.
    fn pass_search(&mut self, passed: &Board<S::Word>, depth: u32, alpha: i32, root: Side) -> i32 {
        let mut best = -INFINITE;
        let mut landings = passed.landings(self.game.shape);
        while landings.any() {
            let cell = landings.first();
            landings = landings.rest();
            self.nodes += 1;
            let own = passed.own | cell;
            if lines::has_four(self.game.shape, own) {
                return WEIGHTS.end + depth as i32;
            }
            // By the count of stones it is this side's turn still, so its stones are the mover's.
            let after = Board { own, all: passed.all | cell };
            let worth = self.evaluation.parts(&after, root).total();
            best = best.max(if self.game.side(&after) == root { worth } else { -worth });
            if best > alpha {
                break;
            }
        }
        best
    }

    fn note_cutoff(&mut self, m: Column, depth: u32, side: Side) {
        if let Some(killers) = self.killers.get_mut(depth as usize)
            && killers[0] != Some(m)
        {
            *killers = [Some(m), killers[0]];
        }
        self.history[usize::from(m.0) * 2 + side.index()] += (depth * depth) as i32;
    }

    /// The moves in the order of the table: remembered, wins, blocks, killers, history, centre.
    fn ordered(&self, p: &Board<S::Word>, depth: u32, first: Option<Column>) -> Vec<Column> {
        let shape = self.game.shape;
        let mut moves = Vec::with_capacity(shape.width() as usize);
        self.game.each_move(p, |m| moves.push(m));
        if !self.options.order {
            return moves;
        }
        let wins = lines::completing(shape, p.own);
        let blocks = lines::completing(shape, p.other());
        let landings = p.landings(shape);
        let killers = self.killers.get(depth as usize).copied().unwrap_or_default();
        let side = self.game.side(p).index();
        let most = self.history.iter().copied().max().unwrap_or(0).max(1);
        moves.sort_by_key(|&m| {
            let c = u32::from(m.0);
            let cell = landings & shape.column(c);
            let from_middle = (2 * c).abs_diff(shape.width() - 1) as usize / 2;
            let mut score = ORDER.columns[from_middle.min(3)];
            score +=
                ORDER.win * i32::from((wins & cell).any()) + ORDER.block * i32::from((blocks & cell).any());
            score += 20 * i32::from(killers.contains(&Some(m)));
            score += 20 * self.history[usize::from(m.0) * 2 + side] / most;
            score += 10_000 * i32::from(first == Some(m));
            -score
        });
        moves
    }
}
