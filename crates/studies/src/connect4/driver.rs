//! The questions that lead to a score, and the moves that lead to it.
//!
//! Quick ends are asked for first, since such questions are cheap and settle easy positions at once; then who wins;
//! then how soon, near the draw first, where most scores lie.

use ludex_core::{Bounds, Game, Goal, Iteration, Probe, Stats, Status, Verdict};
use ludex_games::connect4::{Board, Column, Connect4, Shape, score};
use ludex_search::Ask;

use super::{memory::Recall, solver::Solver};

/// The next question, "more than this?", when the score lies between `lo` and `hi` and `asked` questions were put.
fn next_question(lo: i32, hi: i32, asked: u32) -> i32 {
    if asked < 2 {
        let middle = lo + (hi - lo) / 2;
        return if middle <= 0 && lo / 2 < middle {
            lo / 2
        } else if middle >= 0 && hi / 2 > middle {
            hi / 2
        } else {
            middle
        };
    }
    if lo <= 0 && hi > 0 {
        if lo == 0 || lo + hi > 0 { 0 } else { -1 }
    } else if lo > 0 {
        lo + (hi - lo) / 4
    } else {
        hi - 1 - (hi - lo - 1) / 4
    }
}

/// Bounds on the score of a position, narrowed by questions until a goal is met or the solver is stopped.
struct Search<'s, 'a, S: Shape, M: Recall<S::Word>> {
    solver: &'s mut Solver<'a, S, M>,
    position: Board<S::Word>,
    lo: i32,
    hi: i32,
    iterations: Vec<Iteration>,
}

impl<S: Shape, M: Recall<S::Word>> Search<'_, '_, S, M> {
    /// Ask whether the score is more than `alpha`.
    fn more_than(&mut self, alpha: i32, probe: &dyn Probe) -> Option<()> {
        let (nodes, start) = (self.solver.nodes, probe.elapsed());
        let bound = self.solver.ask(&self.position, alpha + 1)?;
        if bound > alpha {
            self.lo = self.lo.max(bound)
        } else {
            self.hi = self.hi.min(bound)
        }
        self.iterations.push(Iteration {
            question: format!("score above {alpha}?"),
            nodes: self.solver.nodes - nodes,
            time: probe.elapsed().saturating_sub(start),
        });
        Some(())
    }

    /// Narrow until the goal is met.
    fn run(&mut self, goal: Goal, left: u32, probe: &dyn Probe) -> Option<()> {
        match goal {
            Goal::AtLeast(value) => {
                let target = score::at_least(value, left);
                if self.lo < target && self.hi >= target {
                    self.more_than(target - 1, probe)
                } else {
                    Some(())
                }
            }
            Goal::Wdl => {
                while self.lo <= 0 && self.hi > 0 || self.lo < 0 && self.hi >= 0 {
                    self.more_than(if self.hi > 0 { 0 } else { -1 }, probe)?;
                }
                Some(())
            }
            Goal::Distance => {
                let mut asked = 0;
                while self.lo < self.hi {
                    let alpha = next_question(self.lo, self.hi, asked);
                    self.more_than(alpha, probe)?;
                    probe.bounds(self.bounds(left));
                    asked += 1;
                }
                Some(())
            }
        }
    }

    fn bounds(&self, left: u32) -> Bounds {
        Bounds { lo: score::value(self.lo, left), hi: score::value(self.hi, left) }
    }
}

/// The exact score of an unfinished game for its side to move, and the nodes it took; `None` if the probe stopped it.
pub fn score_of<S: Shape, M: Recall<S::Word>>(
    game: &Connect4<S>,
    position: Board<S::Word>,
    memory: &M,
    probe: &dyn Probe,
) -> Option<(i32, u64)> {
    let mut solver = Solver::new(game, memory, probe);
    let (lo, hi) = solver.recall(&position);
    let mut search = Search { solver: &mut solver, position, lo, hi, iterations: Vec::new() };
    search.run(Goal::Distance, game.max_plies(&position), probe)?;
    let (score, nodes) = (search.lo, search.solver.nodes);
    solver.finish();
    Some((score, nodes))
}

/// Judge a position, and find the smallest best move and a line of play. All workers look for the move as well: what
/// one finds, the table tells the others.
pub fn solve<S: Shape, M: Recall<S::Word>>(ask: &Ask<'_, Connect4<S>>, memory: &M) -> Verdict<Column> {
    let (game, p) = (ask.game, &ask.position);
    if let Some(outcome) = game.outcome(p) {
        return Verdict::ended(outcome);
    }
    let left = game.max_plies(p);
    let mut solver = Solver::new(game, memory, ask.probe);
    let (lo, hi) = solver.recall(p);
    let mut search = Search { solver: &mut solver, position: *p, lo, hi, iterations: Vec::new() };
    search.run(ask.goal, left, ask.probe);
    let (bounds, lo, iterations) = (search.bounds(left), search.lo, std::mem::take(&mut search.iterations));
    let solved = ask.goal.met_by(bounds);
    let (mut best, mut pv) = (None, Vec::new());
    if solved {
        best = smallest_best(game, &mut solver, p, lo);
        pv = line(game, &solver, p, best, lo);
    }
    solver.finish();
    let status = match solver.stop {
        Some(stop) if !solved => stop.into(),
        _ => Status::Solved,
    };
    let mut stats =
        Stats { nodes: solver.nodes, table_hits: solver.table_hits, iterations, ..Stats::default() };
    stats.count("looks", solver.looks);
    stats.depth = pv.len() as u32;
    Verdict { bounds, status, best, pv, stats }
}

/// The first column that keeps a score of at least `lo`.
fn smallest_best<S: Shape, M: Recall<S::Word>>(
    game: &Connect4<S>,
    solver: &mut Solver<'_, S, M>,
    p: &Board<S::Word>,
    lo: i32,
) -> Option<Column> {
    columns(game, p).into_iter().find(|&m| {
        let child = game.play(p, m);
        if game.outcome(&child).is_some() {
            return solver.recall(&child).1 <= -lo;
        }
        solver.ask(&child, 1 - lo).is_some_and(|bound| bound <= -lo)
    })
}

/// Best play as far as it is remembered. It may stop short of the end.
fn line<S: Shape, M: Recall<S::Word>>(
    game: &Connect4<S>,
    solver: &Solver<'_, S, M>,
    p: &Board<S::Word>,
    best: Option<Column>,
    lo: i32,
) -> Vec<Column> {
    let (mut p, mut promise, mut next) = (*p, lo, best);
    let mut line = Vec::new();
    while let Some(m) = next {
        line.push(m);
        p = game.play(&p, m);
        promise = -promise;
        if game.outcome(&p).is_some() {
            break;
        }
        // The score is `promise` exactly if the goal was the distance, and at most that if not.
        next = columns(game, &p).into_iter().find(|&m| -solver.recall(&game.play(&p, m)).1 >= promise);
    }
    line
}

fn columns<S: Shape>(game: &Connect4<S>, p: &Board<S::Word>) -> Vec<Column> {
    let mut columns = Vec::new();
    game.each_move(p, |m| columns.push(m));
    columns
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use ludex_core::{Rng, Unlimited, Value};
    use ludex_games::connect4::{Sized, lines};

    use super::super::memory::Packed;
    use super::*;

    /// Exact scores by the bare rules.
    fn brute<S: Shape>(game: &Connect4<S>, p: &Board<S::Word>, seen: &mut HashMap<S::Word, i32>) -> i32 {
        let left = game.max_plies(p);
        if lines::has_four(game.shape, p.other()) {
            return score::lost_with(left);
        }
        if left == 0 {
            return 0;
        }
        let key = game.key(p);
        if let Some(&score) = seen.get(&key) {
            return score;
        }
        let best = columns(game, p).into_iter().map(|m| -brute(game, &game.play(p, m), seen)).max();
        let best = best.expect("an unfinished game has a move");
        seen.insert(key, best);
        best
    }

    #[test]
    fn every_question_lies_within_its_bounds() {
        for lo in -40..40 {
            for hi in lo + 1..=40 {
                for asked in 0..4 {
                    let alpha = next_question(lo, hi, asked);
                    assert!(lo <= alpha && alpha < hi, "{lo} {hi} {asked}: {alpha}");
                }
            }
        }
    }

    /// All positions a few plies into small boards, with every rule switched off in turn, against the bare rules.
    #[test]
    fn scores_are_those_of_the_bare_rules() {
        for (width, height) in [(4, 4), (5, 4), (4, 5)] {
            let game = Connect4::new(Sized::<u64>::new(width, height).expect("it fits"));
            let mut memory = Packed::new(1 << 20, game.key_bits()).expect("it fits");
            let mut seen = HashMap::new();
            let root = game.root().expect("a start");
            brute(&game, &root, &mut seen);
            for seed in 0..400 {
                let mut rng = Rng::new(seed);
                let mut p = root;
                for _ in 0..rng.below(14) {
                    p = game.play(&p, *rng.pick(&columns(&game, &p)).expect("a move"));
                    if game.outcome(&p).is_some() {
                        break;
                    }
                }
                if game.outcome(&p).is_some() {
                    continue;
                }
                let truth = seen[&game.key(&p)];
                let off = rng.below(9);
                let game =
                    game.with_switches(if off < 7 { game.switched().off(off) } else { game.switched() });
                memory.age();
                let (score, _) = score_of(&game, p, &memory, &Unlimited).expect("no limit");
                assert_eq!(score, truth, "{p:?} on {width}x{height}");
                check_verdict(&game, p, truth, &memory, &seen);
            }
        }
    }

    fn check_verdict(
        game: &Connect4<Sized<u64>>,
        position: Board<u64>,
        truth: i32,
        memory: &Packed,
        seen: &HashMap<u64, i32>,
    ) {
        let left = game.max_plies(&position);
        for goal in [Goal::Wdl, Goal::Distance, Goal::AtLeast(Value::win(5))] {
            let ask = Ask { game, position, goal, probe: &Unlimited, worker: 0 };
            let verdict = solve(&ask, memory);
            assert!(verdict.bounds.contains(score::value(truth, left)), "{position:?} {goal:?}");
            assert_eq!(verdict.status, Status::Solved);
            if goal == Goal::Distance {
                let keeps = |&m: &Column| {
                    let child = game.play(&position, m);
                    let ended = game.outcome(&child).is_some();
                    let score = if ended {
                        brute(game, &child, &mut HashMap::new())
                    } else {
                        seen[&game.key(&child)]
                    };
                    -score == truth
                };
                assert_eq!(verdict.best, columns(game, &position).into_iter().find(keeps));
                assert_eq!(verdict.pv.first(), verdict.best.as_ref());
            }
        }
    }

    /// Published values of boards that take well under a second.
    #[test]
    fn known_scores() {
        for (width, height, value) in [
            (5, 5, Value::DRAW),
            (6, 4, Value::loss(24)),
            (7, 4, Value::DRAW),
            (6, 5, Value::DRAW),
            (5, 6, Value::DRAW),
            (4, 8, Value::DRAW),
        ] {
            let game = Connect4::new(Sized::<u64>::new(width, height).expect("it fits"));
            let memory = Packed::new(1 << 24, game.key_bits()).expect("it fits");
            let root = game.root().expect("a start");
            let (score, _) = score_of(&game, root, &memory, &Unlimited).expect("no limit");
            assert_eq!(score::value(score, width * height), value, "{width}x{height}");
        }
    }
}
