//! Choosing a move where the game is too large to be solved: iterative deepening on guesses.
//!
//! A depth-limited alpha-beta over [`Game::candidates`] with [`Game::estimate`] at its leaves, one ply deeper each time
//! until the limits are reached. What it finds is a move to play, never a verdict: only wins and losses that lie within
//! the depth and were searched with all moves are certain, and even those are only used to play.

use std::collections::HashMap;

use ludex_core::{Bounds, Game, Moves, Outcome, Probe, Value};

/// A win is worth this less one for every ply.
const WIN: i32 = 1_000_000;
/// Positions remembered from one depth to the next.
const MEMORY: usize = 1 << 18;

/// How far to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Plies.
    pub depth: u32,
    /// Moves looked at in a position.
    pub breadth: usize,
}

/// What one depth took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Depth {
    /// How many plies deep.
    pub depth: u32,
    /// Positions in the tree.
    pub nodes: u64,
    /// Positions that were estimated, or over.
    pub leaves: u64,
    /// Moves left out by cutoffs or because they were no candidates.
    pub pruned: u64,
    /// Moves made.
    pub simulated: u64,
    /// Seconds since the start.
    pub seconds: f64,
    /// The best move's score.
    pub score: i32,
}

/// A move to play.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<M> {
    /// The move, unless the game is over.
    pub best: Option<M>,
    /// Its guess for the side to move; beyond ±900,000 a win or loss within sight.
    pub score: i32,
    /// The line expected.
    pub pv: Vec<M>,
    /// Every depth that was finished.
    pub depths: Vec<Depth>,
}

struct Thinker<'a, G: Game> {
    game: &'a G,
    limits: Limits,
    probe: &'a dyn Probe,
    memory: HashMap<G::Key, G::Move>,
    count: Depth,
    unreported: u64,
    stopped: bool,
}

/// Think about a position until a limit is reached or the probe says stop. The first depth is always finished, unless
/// the probe stops it at once.
pub fn think<G: Game>(game: &G, p: &G::Position, limits: Limits, probe: &dyn Probe) -> Thought<G::Move> {
    let mut thought = Thought { best: None, score: 0, pv: Vec::new(), depths: Vec::new() };
    if game.outcome(p).is_some() {
        return thought;
    }
    let mut moves = Moves::new();
    game.candidates(p, limits.breadth, &mut moves);
    thought.best = moves.iter().next();
    let mut thinker = Thinker {
        game,
        limits,
        probe,
        memory: HashMap::new(),
        count: Depth::default(),
        unreported: 0,
        stopped: false,
    };
    for depth in 1..=limits.depth.min(game.max_plies(p)) {
        thinker.count = Depth { depth, ..Depth::default() };
        let mut pv = Vec::new();
        let score = thinker.search(p, depth, 0, -WIN - 1, WIN + 1, &mut pv);
        if thinker.stopped {
            break;
        }
        thought.best = pv.first().copied().or(thought.best);
        (thought.score, thought.pv) = (score, pv);
        thought.depths.push(Depth { score, seconds: probe.elapsed().as_secs_f64(), ..thinker.count });
        if score.abs() > WIN - 1000 {
            break;
        }
    }
    thought
}

impl<G: Game> Thinker<'_, G> {
    fn search(
        &mut self,
        p: &G::Position,
        depth: u32,
        ply: i32,
        mut alpha: i32,
        beta: i32,
        pv: &mut Vec<G::Move>,
    ) -> i32 {
        pv.clear();
        self.count.nodes += 1;
        self.unreported += 1;
        if self.unreported >= 64 {
            if self.probe.check(self.unreported).is_some() {
                self.stopped = true;
            }
            self.unreported = 0;
        }
        if let Some(outcome) = self.game.outcome(p) {
            self.count.leaves += 1;
            return match outcome {
                Outcome::Win => WIN - ply,
                Outcome::Draw => 0,
                Outcome::Loss => ply - WIN,
            };
        }
        if depth == 0 || self.stopped {
            self.count.leaves += 1;
            return self.game.estimate(p).clamp(-WIN / 2, WIN / 2);
        }
        let mut moves = Moves::new();
        let bounds = self.game.candidates(p, self.limits.breadth, &mut moves);
        if let Some(score) = certain(bounds, ply)
            && (ply > 0 || moves.len() == 1)
        {
            self.count.leaves += 1;
            pv.extend(moves.iter().take(1));
            return score;
        }
        let key = self.game.key(p);
        let mut list: Vec<G::Move> = moves.iter().collect();
        if let Some(known) = self.memory.get(&key)
            && let Some(at) = list.iter().position(|m| m == known)
        {
            list[..=at].rotate_right(1);
        }
        let side = self.game.side(p);
        let (mut best, mut line) = (i32::MIN, Vec::new());
        for (i, &m) in list.iter().enumerate() {
            self.count.simulated += 1;
            let child = self.game.play(p, m);
            let score = if self.game.side(&child) == side {
                self.search(&child, depth - 1, ply + 1, alpha, beta, &mut line)
            } else {
                -self.search(&child, depth - 1, ply + 1, -beta, -alpha, &mut line)
            };
            if self.stopped {
                return best.max(alpha);
            }
            if score > best {
                best = score;
                pv.clear();
                pv.push(m);
                pv.extend(&line);
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                self.count.pruned += (list.len() - i - 1) as u64;
                break;
            }
        }
        if let Some(&m) = pv.first()
            && (self.memory.len() < MEMORY || self.memory.contains_key(&key))
        {
            self.memory.insert(key, m);
        }
        best
    }
}

/// The score of a position whose outcome the game knows.
fn certain(bounds: Bounds, ply: i32) -> Option<i32> {
    let plies = |value: Value| value.plies().unwrap_or(100) as i32;
    match bounds.outcome()? {
        Outcome::Win => Some(WIN - ply - plies(bounds.lo)),
        Outcome::Draw => Some(0),
        Outcome::Loss => Some(ply + plies(bounds.hi) - WIN),
    }
}

#[cfg(test)]
mod tests {
    use ludex_core::{Unlimited, conformance::Minimax};
    use ludex_games::{
        hex::Hex,
        nex::{Nex, Rules},
    };

    use super::*;

    #[test]
    fn deep_enough_it_plays_perfectly() {
        let limits = Limits { depth: 12, breadth: usize::MAX };
        let game = Nex::<1>::new(2, 3, Rules::Nexc, false);
        let hex = Hex::<1>::new(2, 2);
        assert!(think(&hex, &hex.root().unwrap(), limits, &Unlimited).score > WIN - 100);
        let mut p = game.root().unwrap();
        let mut minimax = Minimax::new();
        while game.outcome(&p).is_none() {
            let value = minimax.value(&game, &p);
            let thought = think(&game, &p, limits, &Unlimited);
            let next = game.play(&p, thought.best.unwrap());
            assert_eq!(minimax.value(&game, &next).back().outcome(), value.outcome(), "{p:?}");
            p = next;
        }
    }

    #[test]
    fn a_large_board_is_thought_about() {
        let game = Nex::<3>::new(13, 13, Rules::Nexc, false);
        let thought = think(&game, &game.root().unwrap(), Limits { depth: 2, breadth: 10 }, &Unlimited);
        assert!(thought.best.is_some());
        assert_eq!(thought.depths.len(), 2);
        assert!(thought.depths[1].nodes > thought.depths[0].nodes);
    }
}
