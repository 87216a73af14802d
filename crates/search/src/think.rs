//! Choosing a move where the game is too large to be solved: iterative deepening on guesses.
//!
//! A depth-limited alpha-beta over the candidates of an [`Evaluation`] with its guesses at the leaves, one ply deeper
//! each time until the limits are reached. What it finds is a move to play, never a verdict: only wins and losses that
//! lie within the depth and were searched with all moves are certain, and even those are only used to play.
//!
//! The same question has the same answer: nothing is random, and the limits of nodes come through the
//! [`Probe`], as those of time do.
mod evaluation;
mod order;

use std::collections::HashMap;

use ludex_core::{Bounds, Game, Moves, Outcome, Probe, Side, sort_by};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use evaluation::{Estimate, Evaluation, Part};
use order::Order;

/// A win is worth this less one for every ply.
pub const WIN: i32 = 1_000_000;
/// Scores beyond this are wins and losses, guesses are within.
const SURE: i32 = WIN / 2;
/// More than any score.
const INFINITE: i32 = WIN + 1;
/// Plies of a win or loss that the game knows without knowing how long it takes.
const LONG: u32 = 100;
/// Positions remembered at a time.
const MEMORY: usize = 1 << 18;

/// How far to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// Plies.
    pub depth: u32,
    /// Moves looked at in a position.
    pub breadth: usize,
}

/// How far to think, and by which techniques.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Plies; `None`: as many as the evaluation says.
    pub depth: Option<u32>,
    /// Moves looked at in a position.
    pub breadth: usize,
    /// Leave out what cannot matter.
    pub cutoffs: bool,
    /// Try likely moves first: those of the evaluation, killers, history. Otherwise they come in their own order.
    pub order: bool,
    /// Remember positions, and deepen step by step.
    pub table: bool,
    /// Let the opponent move twice, and stop where even that does not help him. Wrong where passing would be best
    /// (zugzwang), so it is off by default.
    pub null_move: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { depth: None, breadth: usize::MAX, cutoffs: true, order: true, table: true, null_move: false }
    }
}

impl From<Limits> for Options {
    fn from(limits: Limits) -> Self {
        Self { depth: Some(limits.depth), breadth: limits.breadth, ..Self::default() }
    }
}

/// What one depth took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Depth {
    /// How many plies deep.
    pub depth: u32,
    /// The best move's score.
    pub score: i32,
    /// Positions in the tree.
    pub nodes: u64,
    /// Positions that were estimated, known or over.
    pub leaves: u64,
    /// Moves left out by cutoffs.
    pub pruned: u64,
    /// Moves made.
    pub simulated: u64,
    /// Seconds since the start.
    pub seconds: f64,
}

/// A move to play.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<M> {
    /// The move, unless the game is over.
    pub best: Option<M>,
    /// Its guess for the side to move; beyond ±900,000 a win or loss within sight.
    pub score: i32,
    /// The line expected, as far as it is remembered.
    pub pv: Vec<M>,
    /// Every depth that was finished; none if the move needed no search.
    pub depths: Vec<Depth>,
}

impl<M> Thought<M> {
    /// Positions in the trees of all finished depths.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.depths.iter().map(|d| d.nodes).sum()
    }
}

/// Think about a position until a limit is reached or the probe says stop. A depth that is broken off counts as far as
/// it came: it begins with the best move of the one before.
///
/// ```
/// use ludex_core::{Game, Unlimited};
/// use ludex_games::mnk::{Mnk, Rule};
/// use ludex_search::think::{Estimate, Limits, think};
///
/// let game = Mnk::<u64>::new(3, 3, 3, Rule::Strong);
/// let limits = Limits { depth: 9, breadth: 9 };
/// let thought = think(&game, &Estimate, &game.root().unwrap(), limits.into(), &Unlimited);
/// assert_eq!(thought.score, 0, "tic-tac-toe is a draw");
/// ```
pub fn think<G: Game>(
    game: &G,
    evaluation: &dyn Evaluation<G>,
    p: &G::Position,
    options: Options,
    probe: &dyn Probe,
) -> Thought<G::Move> {
    let mut thought = Thought { best: None, score: 0, pv: Vec::new(), depths: Vec::new() };
    if game.outcome(p).is_some() {
        return thought;
    }
    if let Some(m) = evaluation.at_once(game, p) {
        return Thought { best: Some(m), pv: vec![m], ..thought };
    }
    let mut thinker = Thinker {
        game,
        evaluation,
        options,
        probe,
        root: game.side(p),
        table: HashMap::new(),
        order: Order::new(evaluation.habit()),
        best: None,
        count: Depth::default(),
        unreported: 0,
        stopped: false,
    };
    thought.best = thinker.candidates(p, 0).1.iter().next();
    let plies = options.depth.or_else(|| evaluation.depth(game, p)).unwrap_or(u32::MAX);
    let deepest = plies.min(game.max_plies(p)).max(1);
    // Deepening pays through the table; without it the last depth alone does.
    for depth in if options.table { 1 } else { deepest }..=deepest {
        thinker.count = Depth { depth, ..Depth::default() };
        let score = thinker.search(p, depth, 0, -INFINITE, INFINITE);
        if let Some((m, score)) = thinker.best {
            (thought.best, thought.score) = (Some(m), score);
            thought.pv = thinker.line(p, m, depth);
        }
        if thinker.stopped {
            break;
        }
        thought.depths.push(Depth { score, seconds: probe.elapsed().as_secs_f64(), ..thinker.count });
        if score.abs() > SURE {
            break;
        }
    }
    thought
}

/// What a score says about the exact one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flag {
    Exact,
    AtLeast,
    AtMost,
}

/// What is remembered of a position. The key may stand for other positions as well, whose moves are others.
#[derive(Clone, Copy)]
struct Entry<P, M> {
    position: P,
    best: M,
    /// With the plies of wins and losses counted from here.
    score: i32,
    depth: u32,
    flag: Flag,
}

struct Thinker<'a, G: Game> {
    game: &'a G,
    evaluation: &'a dyn Evaluation<G>,
    options: Options,
    probe: &'a dyn Probe,
    /// The side that chooses, through whose eyes everything is judged.
    root: Side,
    table: HashMap<G::Key, Entry<G::Position, G::Move>>,
    order: Order<G>,
    /// The best move so far, and its score.
    best: Option<(G::Move, i32)>,
    count: Depth,
    unreported: u64,
    stopped: bool,
}

impl<G: Game> Thinker<'_, G> {
    /// The score of a position for its side to move.
    fn search(&mut self, p: &G::Position, depth: u32, ply: u32, mut alpha: i32, mut beta: i32) -> i32 {
        self.node(1);
        if let Some(outcome) = self.game.outcome(p) {
            self.count.leaves += 1;
            return settled(outcome, ply);
        }
        let side = self.game.side(p);
        let sign = if side == self.root { 1 } else { -1 };
        if depth == 0 || self.stopped {
            self.count.leaves += 1;
            return sign * self.evaluation.guess(self.game, p, self.root).clamp(-SURE, SURE);
        }
        let key = self.game.key(p);
        let known = self.table.get(&key).copied();
        // Only scores of the same depth are taken, so that the table changes the work and not the answer.
        if ply > 0
            && let Some(entry) = known.filter(|e| e.depth == depth)
        {
            let score = shifted(entry.score, -(ply as i32));
            match entry.flag {
                Flag::Exact => (alpha, beta) = (score, score),
                Flag::AtLeast => alpha = alpha.max(score),
                Flag::AtMost => beta = beta.min(score),
            }
            if alpha >= beta {
                self.count.leaves += 1;
                return score;
            }
        }
        if self.options.null_move && ply > 0 && depth > 3 && beta < SURE {
            let guesses = self.evaluation.after_pass(self.game, p, self.root);
            self.node(guesses.len() as u64);
            if guesses.iter().map(|guess| sign * guess).min().is_some_and(|worst| worst >= beta) {
                return beta;
            }
        }
        let (bounds, mut moves) = self.candidates(p, ply);
        // The candidates can take longer than all else, and a node is counted whatever it takes.
        self.stopped |= self.probe.check(0).is_some();
        if let Some(outcome) = bounds.outcome()
            && (ply > 0 || moves.len() == 1)
        {
            self.count.leaves += 1;
            let value = if outcome == Outcome::Win { bounds.lo } else { bounds.hi };
            let score = settled(outcome, ply + value.plies().unwrap_or(LONG));
            if ply == 0 {
                self.best = Some((moves.get(0), score));
            }
            return score;
        }
        let first = if ply == 0 { self.best.map(|b| b.0) } else { known.map(|e| e.best) };
        if self.options.order {
            self.order.sort(&mut moves, first, side, ply as usize);
        } else {
            sort_by(moves.scored_mut(), |a, b| a.1.cmp(&b.1));
        }
        let asked = alpha;
        let mut best: Option<(G::Move, i32)> = None;
        for (i, m) in moves.iter().enumerate() {
            self.count.simulated += 1;
            let child = self.game.play(p, m);
            let (low, high) = if self.options.cutoffs { (alpha, beta) } else { (-INFINITE, INFINITE) };
            let score = if self.game.side(&child) == side {
                self.search(&child, depth - 1, ply + 1, low, high)
            } else {
                -self.search(&child, depth - 1, ply + 1, -high, -low)
            };
            if self.stopped {
                return alpha;
            }
            if best.is_none_or(|(_, most)| score > most) {
                best = Some((m, score));
                if ply == 0 {
                    self.best = best;
                }
            }
            alpha = alpha.max(score);
            if self.options.cutoffs && alpha >= beta {
                self.count.pruned += (moves.len() - i - 1) as u64;
                self.order.cutoff(m, side, ply as usize, depth);
                break;
            }
        }
        // A position in which the game goes on has a move, and some move is a candidate.
        let Some((best, score)) = best else { return alpha };
        let flag = match score {
            _ if score <= asked => Flag::AtMost,
            _ if score >= beta => Flag::AtLeast,
            _ => Flag::Exact,
        };
        if self.options.table {
            if self.table.len() >= MEMORY {
                self.table.clear();
            }
            let score = shifted(score, ply as i32);
            self.table.insert(key, Entry { position: *p, best, score, depth, flag });
        }
        score
    }

    /// Count positions, and ask now and then whether to go on.
    fn node(&mut self, number: u64) {
        self.count.nodes += number;
        self.unreported += number;
        if self.unreported >= 64 {
            self.stopped |= self.probe.check(self.unreported).is_some();
            self.unreported = 0;
        }
    }

    /// The candidates. A game that has settled the position may name none, and yet a move has to be made at the root.
    fn candidates(&self, p: &G::Position, ply: u32) -> (Bounds, Moves<G::Move>) {
        let mut moves = Moves::new();
        let bounds = self.evaluation.candidates(self.game, p, self.options.breadth, &mut moves);
        if moves.is_empty() && (ply == 0 || bounds.outcome().is_none()) {
            self.game.each_move(p, |m| moves.push(m));
        }
        (bounds, moves)
    }
    /// The line that begins with a move, as far as it is remembered.
    fn line(&self, p: &G::Position, first: G::Move, most: u32) -> Vec<G::Move> {
        let (mut line, mut p) = (vec![first], self.game.play(p, first));
        while (line.len() as u32) < most
            && let Some(entry) = self.table.get(&self.game.key(&p))
            && (entry.position, entry.flag) == (p, Flag::Exact)
        {
            line.push(entry.best);
            p = self.game.play(&p, entry.best);
        }
        line
    }
}

/// The score of a game that ends so many plies from the root.
fn settled(outcome: Outcome, plies: u32) -> i32 {
    match outcome {
        Outcome::Win => WIN - plies as i32,
        Outcome::Draw => 0,
        Outcome::Loss => plies as i32 - WIN,
    }
}

/// A score with its win or loss so many plies sooner.
fn shifted(score: i32, plies: i32) -> i32 {
    match score {
        _ if score > SURE => score + plies,
        _ if score < -SURE => score - plies,
        _ => score,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use ludex_core::{Rng, Stop, Unlimited, conformance::Minimax};
    use ludex_games::{
        connect4::{Board, Connect4},
        hex::Hex,
        nex::{Nex, Rules},
    };

    use super::*;

    #[test]
    fn deep_enough_it_plays_perfectly() {
        let options = Options::from(Limits { depth: 12, breadth: usize::MAX });
        let game = Nex::<1>::new(2, 3, Rules::Nexc, false);
        let hex = Hex::<1>::new(2, 2);
        assert!(think(&hex, &Estimate, &hex.root().unwrap(), options, &Unlimited).score > WIN - 100);
        let mut p = game.root().unwrap();
        let mut minimax = Minimax::new();
        while game.outcome(&p).is_none() {
            let value = minimax.value(&game, &p);
            let thought = think(&game, &Estimate, &p, options, &Unlimited);
            let next = game.play(&p, thought.best.unwrap());
            assert_eq!(minimax.value(&game, &next).back().outcome(), value.outcome(), "{p:?}");
            p = next;
        }
    }

    #[test]
    fn a_large_board_is_thought_about() {
        let game = Nex::<3>::new(13, 13, Rules::Nexc, false);
        let options = Options::from(Limits { depth: 2, breadth: 10 });
        let thought = think(&game, &Estimate, &game.root().unwrap(), options, &Unlimited);
        assert_eq!(thought.best, thought.pv.first().copied());
        assert_eq!((thought.depths.len(), thought.pv.len()), (2, 2));
        assert!(thought.depths[1].nodes > thought.depths[0].nodes);
    }

    /// Random positions of Connect Four, some of which the game settles without naming a move.
    fn positions() -> Vec<Board<u64>> {
        let game = Connect4::default();
        let mut rng = Rng::new(3);
        let mut found = Vec::new();
        while found.len() < 200 {
            let mut p = game.root().unwrap();
            for _ in 0..6 + rng.below(20) {
                let mut moves = Vec::new();
                game.each_move(&p, |m| moves.push(m));
                p = game.play(&p, *rng.pick(&moves).unwrap());
                if game.outcome(&p).is_some() {
                    break;
                }
            }
            found.extend(game.outcome(&p).is_none().then_some(p));
        }
        found
    }

    #[test]
    fn the_table_and_the_order_change_the_work_and_not_the_score() {
        let game = Connect4::default();
        let options = Options::from(Limits { depth: 4, breadth: usize::MAX });
        let bare = Options { table: false, order: false, ..options };
        let [mut nodes, mut bare_nodes] = [0; 2];
        for p in positions() {
            let thought = think(&game, &Estimate, &p, options, &Unlimited);
            let plain = think(&game, &Estimate, &p, bare, &Unlimited);
            assert!(thought.best.is_some() && thought.score.abs() <= WIN, "{p:?}: {thought:?}");
            assert_eq!(thought.score.signum(), plain.score.signum(), "{p:?}");
            nodes += thought.depths.last().map_or(0, |d| d.nodes);
            bare_nodes += plain.nodes();
        }
        assert!(nodes < bare_nodes, "{nodes} and {bare_nodes}");
    }

    #[test]
    fn a_search_that_is_stopped_has_a_move() {
        struct Nodes(AtomicU64);
        impl Probe for Nodes {
            fn check(&self, new: u64) -> Option<Stop> {
                (self.0.fetch_add(new, Relaxed) + new >= 1000).then_some(Stop::Nodes)
            }
        }
        let game = Nex::<1>::new(5, 5, Rules::Nexc, false);
        let options = Options::from(Limits { depth: 9, breadth: 20 });
        let once = || think(&game, &Estimate, &game.root().unwrap(), options, &Nodes(AtomicU64::new(0)));
        let thought = once();
        assert!(thought.best.is_some() && thought.nodes() < 1100 && thought.depths.len() < 9, "{thought:?}");
        assert_eq!(thought, once(), "the same question has the same answer");
    }
}
