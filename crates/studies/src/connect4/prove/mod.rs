//! Small strategies of Connect Four: the solver says which moves keep a claim, the static rules where a proof may end.

mod claimed;
mod graph;
mod plan;

use ludex_core::{Error, ErrorCode, Game as _, Probe, Side};
use ludex_games::connect4::{Board, Connect4, Shape, Word};
use ludex_judge::{Proving, WriteProof};
use ludex_proof::{
    ANY, Claim,
    rules::{Position, Rule, Rules},
    witness,
    writer::{Step, Strategy},
};

use super::{Solver, memory::Recall};
use claimed::Claimed;
use graph::{Graph, Holds};
use plan::Plan;

/// Hand a small strategy for each claim to the writer.
pub(super) fn write<S: Shape, M: Recall<S::Word>>(
    game: &Connect4<S>,
    memory: &M,
    proving: &Proving<'_>,
    write: WriteProof<'_>,
) -> Result<Vec<u8>, Error> {
    let mut strategies: Vec<_> = proving
        .claims
        .iter()
        .map(|claim| Small {
            game: *game,
            memory,
            probe: proving.probe,
            claim: *claim,
            effort: proving.effort,
            found: None,
        })
        .collect();
    let mut strategies: Vec<&mut dyn Strategy> =
        strategies.iter_mut().map(|s| s as &mut dyn Strategy).collect();
    write(&mut strategies)
}

/// A small proof of a claim, searched for when the first position is known.
struct Small<'a, S: Shape, M: Recall<S::Word>> {
    game: Connect4<S>,
    memory: &'a M,
    probe: &'a dyn Probe,
    claim: Claim,
    effort: u32,
    found: Option<Graph<S>>,
}

/// The solver as one who knows which moves keep the claim.
struct Asked<'a, S: Shape, M: Recall<S::Word>> {
    solver: Solver<'a, S, M>,
    claimed: Claimed<S>,
}

impl<S: Shape, M: Recall<S::Word>> Holds<S::Word> for Asked<'_, S, M> {
    fn holds(&mut self, q: &Board<S::Word>) -> Result<bool, Error> {
        let Some(most) = self.claimed.most(q) else { return Ok(false) };
        let stopped =
            || Error::new(ErrorCode::Stopped, "the search for a proof was stopped", "give it more time");
        Ok(self.solver.ask(q, most + 1).ok_or_else(stopped)? <= most)
    }
}

/// What the guesses are multiplied by in the first round, by the effort: low guesses make more moves worth a try.
const FIRST_WEIGHTS: [f64; 3] = [4.0, 2.0, 1.0];
/// More effort than that means more rounds, each with guesses that are lower by this factor.
const LOWER: f64 = 0.7;
/// The most positions of a graph with alternatives: about 3 GB of them.
const ROOM: usize = 1 << 25;
/// How often all positions of a proof try their other moves. It mostly ends sooner.
const PASSES: u32 = 20;

impl<S: Shape, M: Recall<S::Word>> Small<'_, S, M> {
    /// The fast board of a position.
    fn board(&self, p: &Position) -> Board<S::Word> {
        let shape = self.game.shape;
        let mut board = Board { own: S::Word::ZERO, all: S::Word::ZERO };
        for (i, &stone) in p.cells.iter().enumerate().filter(|(_, stone)| **stone != 0) {
            let cell = shape.cell(i as u32 % shape.width(), i as u32 / shape.width());
            board.all |= cell;
            if (stone == 1) == (p.side == Side::First) {
                board.own |= cell;
            }
        }
        board
    }

    /// The move of a position that the graph does not have: one beside the first that was asked for, after an only move, or one that a
    /// rule settles on bit boards but not as the format states it (of several lower threats in a column the bit boards
    /// try all, and `odd` the lowest).
    fn proved_now(&mut self, p: &Board<S::Word>) -> Result<u32, Error> {
        let (game, memory, probe) = (self.game, self.memory, self.probe);
        let missing = || Error::contradiction("a position of a proof has no move");
        let graph = self.found.as_mut().ok_or_else(missing)?;
        let mut asked = Asked { solver: Solver::new(&game, memory, probe), claimed: graph.claimed.clone() };
        let id = graph.id(graph.claimed.key(p), *p);
        graph.search(id, &mut asked)?;
        asked.solver.finish();
        graph.chosen(p).ok_or_else(missing)
    }

    /// The graph with proofs of all positions that the claim leaves to prove at the first position that is asked for, with
    /// the limit `w` there.
    fn graph(&mut self, p: &Board<S::Word>, w: u32, claimant: bool) -> Result<&mut Graph<S>, Error> {
        if self.found.is_none() {
            // Only moves are not asked for: the first position need not be the one that the claim is about.
            let played = self.claim.within.saturating_sub(w);
            let free =
                if w == ANY { self.game.shape.cells().count() } else { self.game.max_plies(p) + played };
            let claimed = Claimed::new(self.game.shape, self.game.switched(), &self.claim, free);
            let mut roots = Vec::new();
            if claimant {
                roots.push((claimed.key(p), *p));
            } else {
                claimed.replies(p, &mut roots);
            }
            let mut graph = Graph::new(claimed.clone(), ROOM);
            let mut asked = Asked { solver: Solver::new(&self.game, self.memory, self.probe), claimed };
            let roots: Vec<u32> = roots.into_iter().map(|(key, board)| graph.id(key, board)).collect();
            search(&mut graph, &roots, &mut asked, self.effort)?;
            let mut plan = Plan::new(&graph, &roots);
            for _ in 0..PASSES {
                if !plan.improve() {
                    break;
                }
            }
            let chosen = plan.finish();
            graph.follow(&chosen);
            asked.solver.finish();
            self.found = Some(graph);
        }
        self.found.as_mut().ok_or_else(|| Error::contradiction("a graph has gone"))
    }
}

/// Prove positions, and then look for smaller proofs in as many rounds as the effort says, or until the solver is stopped.
fn search<S: Shape, M: Recall<S::Word>>(
    graph: &mut Graph<S>,
    roots: &[u32],
    asked: &mut Asked<'_, S, M>,
    effort: u32,
) -> Result<(), Error> {
    let most = FIRST_WEIGHTS.len() as u32 - 1;
    let mut weight = FIRST_WEIGHTS[effort.min(most) as usize];
    for _ in most..=effort.max(most) {
        graph.guess(weight);
        for &root in roots {
            match graph.search(root, asked) {
                Err(e) if e.code == ErrorCode::Stopped && roots.iter().all(|&root| graph.is_proved(root)) => {
                    return Ok(());
                }
                searched => searched?,
            }
        }
        weight *= LOWER;
    }
    Ok(())
}

impl<S: Shape, M: Recall<S::Word>> Strategy for Small<'_, S, M> {
    fn decide(&mut self, _: &dyn Rules, p: &Position, w: u32) -> Result<Step, Error> {
        let board = self.board(p);
        let m = self.graph(&board, w, true)?.chosen(&board);
        let m = match m {
            Some(m) => m,
            None => self.proved_now(&board)?,
        };
        Ok(Step { play: Some(m), rule: Rule::Play, hints: Vec::new() })
    }

    fn settle(&mut self, game: &dyn Rules, p: &Position, w: u32) -> Result<(Rule, Vec<u32>), Error> {
        if let Some(rule) = witness::follow(game, &self.claim, p, w) {
            return Ok((rule, Vec::new()));
        }
        self.graph(&self.board(p), w, false)?;
        Ok((Rule::Play, Vec::new()))
    }
}

#[cfg(test)]
mod tests {
    use ludex_core::{Rng, Unlimited};
    use ludex_games::connect4::{Sized, lines};
    use ludex_proof::{rules, witness, writer};

    use super::{super::memory::Packed, *};

    /// Whether the claimant, who has just moved, has several lower threats in one column.
    fn several_lower_threats(shape: Sized<u64>, q: &Board<u64>) -> bool {
        let threats = lines::completing(shape, q.other()) & (shape.cells() ^ q.all) & !shape.upper_rows();
        (0..shape.width()).any(|c| (threats & shape.column(c)).several())
    }

    /// A graph without room for alternatives comes to a proof as well, though not to a small one.
    #[test]
    fn a_full_graph_still_finds_a_proof() {
        let shape = Sized::<u64>::new(5, 4).expect("it fits");
        let game = Connect4::new(shape);
        let memory = Packed::new(1 << 20, game.key_bits()).expect("it fits");
        let claim = Claim { side: Side::First, win: false, within: ANY };
        let size = |room: usize| {
            let claimed = Claimed::new(shape, game.switched(), &claim, 20);
            let mut graph = Graph::new(claimed.clone(), room);
            let mut asked = Asked { solver: Solver::new(&game, &memory, &Unlimited), claimed };
            let empty = Board { own: 0u64, all: 0 };
            let root = graph.id(graph.claimed.key(&empty), empty);
            search(&mut graph, &[root], &mut asked, 1).expect("the first player draws");
            assert!(graph.is_proved(root));
            (graph.least(root), graph.len())
        };
        let sizes: Vec<_> = [usize::MAX, 2_000, 100, 0].map(size).into();
        assert!(sizes.iter().all(|(least, _)| *least >= sizes[0].0), "{sizes:?}");
        assert!(sizes[3].1 < sizes[0].1, "{sizes:?}");
    }

    /// Whatever is left out on bit boards is left out by the checker's rules as well, but for a choice between threats.
    #[test]
    fn what_is_settled_is_settled_by_the_naive_rules() {
        let mut found = 0;
        for (width, height) in [(5, 4), (4, 5), (6, 5), (7, 6)] {
            let shape = Sized::<u64>::new(width, height).expect("it fits");
            let naive = rules::open(&format!("connect4:{width}x{height}"), None).expect("a game");
            let empty = vec![".".repeat(width as usize); height as usize].join("/");
            for seed in 0..600 {
                let mut rng = Rng::new(seed);
                let mut p = naive.read(&empty, Side::First).expect("a board");
                let mut board = Board { own: 0u64, all: 0 };
                let within = if seed % 3 == 0 { (width * height) - 4 } else { ANY };
                let claim = |side, win| Claim { side, win, within: if win { within } else { ANY } };
                while naive.result(&p).is_none() {
                    for claim in [claim(p.side, true), claim(p.side, false)] {
                        let claimed = Claimed::new(shape, Default::default(), &claim, width * height);
                        let played = board.all.count_ones();
                        let w = if claim.within == ANY { ANY } else { claim.within.saturating_sub(played) };
                        if w == 0 || !claimed.settled(&board) {
                            continue;
                        }
                        let ends = |&m: &u32| naive.ends(&p, m).is_some_and(|w| claim.satisfied(w));
                        let ruled = |&m: &u32| {
                            let limit = writer::one_less(w);
                            limit > 0 && witness::follow(&*naive, &claim, &naive.play(&p, m), limit).is_some()
                        };
                        let moves = naive.moves(&p);
                        let candidates: Vec<u32> = writer::candidates(true, &*naive, &claim, &p).collect();
                        let settled = moves.iter().any(ends) || candidates.iter().any(ruled);
                        let after = |&m: &u32| board.with(board.landings(shape) & shape.column(m));
                        let chosen = candidates.iter().any(|m| several_lower_threats(shape, &after(m)));
                        assert!(settled || chosen, "{} {} {claim}", naive.write(&p), p.side);
                        found += 1;
                    }
                    let moves = naive.moves(&p);
                    let m = moves[rng.below(moves.len())];
                    board = board.with(board.landings(shape) & shape.column(m));
                    p = naive.play(&p, m);
                }
            }
        }
        assert!(found > 1000, "only {found}");
    }
}
