//! The search: null-window negamax that looks at every child before it enters any.
//!
//! A node's children are first played out along forced replies, judged by the static bounds and looked up, all in one
//! pass; only what is still open is searched, most threats first. So a node here stands for several of a plain
//! alpha-beta. Scores, not values, are passed around: see [`score`].

use ludex_core::{Game, Probe, Stop};
use ludex_games::connect4::{
    Board, Connect4, DEAD, Forced, Shape, Word, ceiling, late, lines, play_out, play_out_from, score,
};

use super::memory::{KnownScore, Recall};

/// Nodes between two looks at the clock.
const CHECK_EVERY: u64 = 256;
/// Workers share the children of nodes with at least this many free cells.
const SHARED: u32 = 20;
/// What is added to the order of a child that another worker is at.
const DEFERRED: i32 = -(1 << 24);
/// No column.
const NONE: u8 = 31;

/// A position that is still open, as its parent's mover sees it.
#[derive(Clone, Copy)]
struct Child<W, P> {
    board: Board<W>,
    threats: W,
    place: P,
    order: i32,
    left: u32,
    column: u8,
    /// Whether the parent's mover is to move again, after forced replies.
    same: bool,
    mirrored: bool,
}

/// One worker on one table.
pub struct Solver<'a, S: Shape, M: Recall<S::Word>> {
    game: &'a Connect4<S>,
    memory: &'a M,
    probe: &'a dyn Probe,
    /// Positions entered.
    pub nodes: u64,
    reported: u64,
    /// Positions looked at.
    pub looks: u64,
    /// Positions settled by the table.
    pub table_hits: u64,
    /// Why it was told to stop. From then on its answers mean nothing.
    pub stop: Option<Stop>,
    open: Vec<Child<S::Word, M::Place>>,
    /// What a stone is worth to the order by its cell: the fours through it, less its distance from the middle.
    worth: Vec<i32>,
}

/// What is known of a position before it is searched.
enum First<W, P> {
    /// Its score, for its side to move.
    Score(i32),
    /// Where the search begins: the position after forced replies, and whether the side to move has changed.
    Search { child: Child<W, P>, turned: bool },
}

impl<'a, S: Shape, M: Recall<S::Word>> Solver<'a, S, M> {
    /// A worker. Several on one table share the work: none enters what another is at if it has something else to do.
    pub fn new(game: &'a Connect4<S>, memory: &'a M, probe: &'a dyn Probe) -> Self {
        let shape = game.shape;
        let mut worth = vec![0; (shape.width() * shape.stride()) as usize];
        for (c, column) in (0..shape.width()).zip(worth.chunks_mut(shape.stride() as usize)) {
            for (r, worth) in (0..shape.height()).zip(column) {
                *worth = lines::through(shape, c, r) as i32 - (2 * c + 1).abs_diff(shape.width()) as i32;
            }
        }
        Self {
            game,
            memory,
            probe,
            nodes: 0,
            reported: 0,
            looks: 0,
            table_hits: 0,
            stop: None,
            open: Vec::with_capacity(512),
            worth,
        }
    }

    /// Ask whether an unfinished game is worth `beta` or more to its side to move. The answer is a bound: a lower one if it is
    /// at least `beta`, an upper one otherwise. `None` if the solver was stopped.
    pub fn ask(&mut self, p: &Board<S::Word>, beta: i32) -> Option<i32> {
        let bound = match self.first(p) {
            First::Score(score) => score,
            First::Search { child, turned } => {
                let beta = if turned { 1 - beta } else { beta };
                let bound = self.open_bound(&child, beta);
                if turned { -bound } else { bound }
            }
        };
        if self.stop.is_some() { None } else { Some(bound) }
    }

    /// What can be said of a position without search: bounds on its score.
    pub fn recall(&self, p: &Board<S::Word>) -> (i32, i32) {
        match self.first(p) {
            First::Score(score) => (score, score),
            First::Search { child, turned } => {
                let (mut lo, mut hi) = widest(child.left);
                if let Some(known) = self.memory.get(child.place) {
                    (lo, hi) = (lo.max(known.lo.into()), hi.min(known.hi.into()));
                }
                if turned { (-hi, -lo) } else { (lo, hi) }
            }
        }
    }

    /// Report what was not reported yet.
    pub fn finish(&mut self) {
        self.report();
    }

    fn first(&self, p: &Board<S::Word>) -> First<S::Word, M::Place> {
        let shape = self.game.shape;
        let left = self.game.max_plies(p);
        if lines::has_four(shape, p.other()) {
            return First::Score(score::lost_with(left));
        }
        if (lines::completing(shape, p.own) & p.landings(shape)).any() {
            return First::Score(score::win_now(left));
        }
        match play_out(shape, *p) {
            Forced::Decided(score) => First::Score(score),
            Forced::Open { board, stones, threats } => {
                let (key, mirrored) = self.key(&board);
                let (place, left) = (self.memory.place(key), left - stones);
                let child = Child { board, threats, place, order: 0, left, column: 0, same: false, mirrored };
                First::Search { child, turned: stones % 2 == 1 }
            }
        }
    }

    #[inline]
    fn key(&self, board: &Board<S::Word>) -> (S::Word, bool) {
        let key = board.own.plus(board.all);
        let image = self.game.shape.mirrored(key);
        if image < key { (image, true) } else { (key, false) }
    }

    /// The bound of an open position for its own mover: by rule, by memory or by search.
    fn open_bound(&mut self, child: &Child<S::Word, M::Place>, beta: i32) -> i32 {
        let (lo, hi) = self.static_bounds(&child.board, child.threats, child.left, beta);
        if lo >= beta {
            return lo;
        }
        if hi < beta {
            return hi;
        }
        let known = self.memory.get(child.place);
        if let Some(known) = known {
            if i32::from(known.lo) >= beta {
                return known.lo.into();
            }
            if i32::from(known.hi) < beta {
                return known.hi.into();
            }
        }
        self.search(child, beta, known)
    }

    #[inline]
    fn static_bounds(&self, board: &Board<S::Word>, threats: S::Word, left: u32, beta: i32) -> (i32, i32) {
        let (shape, on) = (self.game.shape, self.game.switched());
        let (mut lo, mut hi) = widest(left);
        hi = hi.min(ceiling(shape, on, board, threats, left, beta - 1));
        if lo < beta
            && beta <= 0
            && on.on(DEAD)
            && late(shape, left)
            && !lines::has_four(shape, board.other() | shape.cells() ^ board.all)
        {
            lo = 0;
        }
        (lo, hi)
    }

    /// The bound of an open position that neither rules nor memory settle.
    fn search(&mut self, node: &Child<S::Word, M::Place>, beta: i32, known: Option<KnownScore>) -> i32 {
        let before = self.nodes;
        self.nodes += 1;
        if self.nodes - self.reported >= CHECK_EVERY {
            self.report();
        }
        let base = self.open.len();
        let (best, column) = match self.look_at_children(node, beta) {
            (bound, column) if bound >= beta => (bound, column),
            (bound, column) => self.enter_children(node, beta, known, base, bound, column),
        };
        self.open.truncate(base);
        if self.stop.is_some() {
            return best;
        }
        let (mut lo, mut hi) = widest(node.left);
        if let Some(known) = known {
            (lo, hi) = (lo.max(known.lo.into()), hi.min(known.hi.into()));
        }
        if best >= beta {
            lo = lo.max(best)
        } else {
            hi = hi.min(best)
        }
        let column = self.through_mirror(node, column);
        self.memory.put(node.place, KnownScore { lo: lo as i8, hi: hi as i8, column }, self.nodes - before);
        best
    }

    /// Play out, judge and look up every child. Those that stay open are pushed. Returns the best bound and its column.
    #[inline]
    fn look_at_children(&mut self, node: &Child<S::Word, M::Place>, beta: i32) -> (i32, u8) {
        let shape = self.game.shape;
        let board = &node.board;
        let free = shape.cells() ^ board.all;
        let (mut best, mut best_column) = (i32::MIN, NONE);
        let base = self.open.len();
        let mut cells = board.landings(shape) & !(node.threats >> 1);
        while cells.any() {
            let cell = cells.first();
            cells = cells.rest();
            let column = shape.column_number(cell) as u8;
            self.looks += 1;
            let own_threats = lines::completing(shape, board.own | cell) & (free ^ cell);
            let (lo, hi) = match play_out_from(shape, board.with(cell), own_threats) {
                Forced::Decided(score) => (-score, -score),
                Forced::Open { board: next, stones, threats } => {
                    let (left, same) = (node.left - 1 - stones, stones % 2 == 1);
                    let question = if same { beta } else { 1 - beta };
                    let (lo, hi) = self.static_bounds(&next, threats, left, question);
                    let (lo, hi) = if same { (lo, hi) } else { (-hi, -lo) };
                    if lo < beta && hi >= beta {
                        let (key, mirrored) = self.key(&next);
                        let place = self.memory.place(key);
                        self.memory.prefetch(place);
                        let lasting = match stones {
                            0 => own_threats,
                            _ if !same => threats,
                            _ => lines::completing(shape, next.own) & (shape.cells() ^ next.all),
                        };
                        // Threats right above a cell that can be played take a move from the other side.
                        let forbidding = own_threats & board.landings(shape) << 1;
                        let replies = if same {
                            shape.width()
                        } else {
                            (next.landings(shape) & !(threats >> 1)).count()
                        };
                        let order = own_threats.count() as i32 * 64
                            + lasting.count() as i32 * 16
                            + forbidding.count() as i32 * 16
                            + i32::from(same) * 8
                            + self.worth[cell.lowest() as usize]
                            - replies as i32 * 3;
                        self.open.push(Child {
                            board: next,
                            threats,
                            place,
                            order,
                            left,
                            column,
                            same,
                            mirrored,
                        });
                        continue;
                    }
                    (lo, hi)
                }
            };
            let bound = if lo >= beta { lo } else { hi };
            if bound > best {
                (best, best_column) = (bound, column);
            }
            if bound >= beta {
                return (best, best_column);
            }
        }
        let mut i = base;
        while i < self.open.len() {
            let child = &self.open[i];
            if let Some(known) = self.memory.get(child.place) {
                let (lo, hi) = seen(known, child.same);
                if lo >= beta || hi < beta {
                    self.table_hits += 1;
                    let bound = if lo >= beta { lo } else { hi };
                    if bound > best {
                        (best, best_column) = (bound, child.column);
                    }
                    if bound >= beta {
                        return (best, best_column);
                    }
                    self.open.swap_remove(i);
                    continue;
                }
            }
            i += 1;
        }
        (best, best_column)
    }

    /// Search the open children, best first.
    #[inline]
    fn enter_children(
        &mut self,
        node: &Child<S::Word, M::Place>,
        beta: i32,
        known: Option<KnownScore>,
        base: usize,
        best: i32,
        column: u8,
    ) -> (i32, u8) {
        let (mut best, mut best_column) = (best, column);
        if let Some(known) = known {
            let tried = self.through_mirror(node, known.column);
            for child in &mut self.open[base..] {
                if child.column == tried {
                    child.order += 1 << 20;
                }
            }
        }
        let mut entered = false;
        while self.open.len() > base {
            let last = self.open.len() - 1;
            let pick = (base..last).fold(last, |pick, i| {
                let (a, b) = (&self.open[i], &self.open[pick]);
                if (a.order, b.column) > (b.order, a.column) { i } else { pick }
            });
            let mut child = self.open.swap_remove(pick);
            let shared = child.left >= SHARED;
            if shared && entered && child.order > DEFERRED / 2 && self.memory.entered(child.place) {
                // Another worker is at it: by the time the others are done, so may that be.
                child.order += DEFERRED;
                self.open.push(child);
                continue;
            }
            let known = self.memory.get(child.place);
            let question = if child.same { beta } else { 1 - beta };
            // What the siblings found may settle this one meanwhile.
            let settled = known.filter(|_| entered).and_then(|known| {
                let (lo, hi) = seen(known, child.same);
                (lo >= beta).then_some(lo).or((hi < beta).then_some(hi))
            });
            let bound = settled.unwrap_or_else(|| {
                if shared {
                    self.memory.enter(child.place);
                }
                let bound = self.search(&child, question, known);
                if shared {
                    self.memory.leave(child.place);
                }
                if child.same { bound } else { -bound }
            });
            entered = true;
            if bound > best {
                (best, best_column) = (bound, child.column);
            }
            if bound >= beta || self.stop.is_some() {
                break;
            }
            if shared && let Some((bound, column)) = self.found_by_another(node, beta) {
                return (bound, column);
            }
        }
        (best, best_column)
    }

    /// A column as it is counted on the board of a node's key, or back.
    #[inline]
    fn through_mirror(&self, node: &Child<S::Word, M::Place>, column: u8) -> u8 {
        if node.mirrored && column != NONE { self.game.shape.width() as u8 - 1 - column } else { column }
    }

    /// What settles a node that another worker has been at meanwhile.
    fn found_by_another(&self, node: &Child<S::Word, M::Place>, beta: i32) -> Option<(i32, u8)> {
        let known = self.memory.get(node.place)?;
        let (lo, hi) = (i32::from(known.lo), i32::from(known.hi));
        let bound = (lo >= beta).then_some(lo).or((hi < beta).then_some(hi))?;
        Some((bound, self.through_mirror(node, known.column)))
    }

    #[cold]
    fn report(&mut self) {
        let new = self.nodes - self.reported;
        self.reported = self.nodes;
        self.memory.settle(new);
        if let Some(stop) = self.probe.check(new) {
            self.stop.get_or_insert(stop);
        }
    }
}

/// Bounds for the parent's mover.
#[inline]
fn seen(known: KnownScore, same: bool) -> (i32, i32) {
    let (lo, hi) = (i32::from(known.lo), i32::from(known.hi));
    if same { (lo, hi) } else { (-hi, -lo) }
}

/// The bounds of every open position: nobody wins with the next stone or the answer to it.
#[inline]
pub(super) const fn widest(left: u32) -> (i32, i32) {
    let (lo, hi) = (score::lose_next(left) + 1, score::win_now(left) - 1);
    (if lo > 0 { 0 } else { lo }, hi)
}
