//! The questions that lead to a goal, for every search that answers questions.
//!
//! First who wins, by narrow questions. Then, if the distance is asked, either from below ("in at most 3? 5? 7?",
//! iterative deepening: each question bounds the depth of its own search) or by halving what is still possible, as
//! the game's [nature](Game::nature) says. Questions are put only between values that can occur.

use ludex_core::{
    Bounds, Contradiction, Game, Goal, Iteration, Moves, Outcome, Stats, Status, Value, Verdict, Window,
    sort_by,
};

use crate::{
    Ask,
    halt::{Halt, contradicted, together},
    line,
    meter::{LOOK, Patience},
};

/// The answer at the root: bounds that settle the question, and the move that reached the lower one.
pub(crate) struct Answer<M> {
    pub(crate) bounds: Bounds,
    pub(crate) best: Option<M>,
}

/// A search, as the driver sees it.
pub(crate) trait Oracle<G: Game> {
    /// Settle a question about the root.
    fn put(&mut self, root: &G::Position, question: Window) -> Result<Answer<G::Move>, Halt>;
    /// What it remembers of a position.
    fn recall(&self, p: &G::Position) -> Result<Bounds, Box<Contradiction>>;
    /// Nodes so far.
    fn nodes(&self) -> u64;
    /// The counters of the search, once it has ended.
    fn finish(&mut self) -> Stats;
}

/// What the game sees without search.
pub(crate) const RULES: &str = "the rules";
/// What was remembered of a position.
pub(crate) const TABLE: &str = "the table";
/// What both say.
pub(crate) const KNOWN: &str = "the rules and the table";
/// What came up from the positions after the moves.
pub(crate) const MOVES: &str = "the moves";
/// What was answered before.
const EARLIER: &str = "earlier answers";

/// After a search of fewer nodes than this, gaps in the line of best play are searched too: that takes about as long
/// again at most.
const LINE_NODES: u64 = 1 << 16;

/// Judge a position with an oracle. It is asked a few times in all, so that one driver for each game serves all searches.
pub(crate) fn solve<G: Game>(
    ask: &Ask<'_, G>,
    oracle: &mut dyn Oracle<G>,
) -> Result<Verdict<G::Move>, Contradiction> {
    if let Some(outcome) = ask.game.outcome(&ask.position) {
        return Ok(Verdict::ended(outcome));
    }
    let mut driver =
        Driver { ask, oracle: &mut *oracle, bounds: Bounds::ALL, best: None, iterations: Vec::new() };
    let stopped = match driver.run().and_then(|()| driver.find_best()) {
        Ok(()) => None,
        Err(Halt::Stopped(stop)) => Some(stop),
        Err(Halt::Contradicted(found)) => return Err(*found),
    };
    let Driver { bounds, best, iterations, .. } = driver;
    let status = match stopped {
        _ if ask.goal.met_by(bounds) => Status::Solved,
        Some(stop) => stop.into(),
        None => Status::Solved,
    };
    // What the verdict took; the line does not count.
    let mut stats = oracle.finish();
    stats.iterations = iterations;
    let classes_only = ask.goal == Goal::Wdl;
    // No search for the line after one that was stopped, nor after the first question that is.
    let mut may_search = status == Status::Solved;
    let mut patience = Patience::new(ask.probe, status);
    let pv = line::follow(ask.game, &ask.position, best, bounds, &mut |p, question, search| {
        let mut moves = Moves::new();
        let mut look = |window| {
            let seen = look(ask.game, classes_only, p, window, &mut moves)?;
            patience.spend(LOOK + moves.len())?;
            Ok::<_, Halt>(seen)
        };
        let mut seen = look(question)?;
        if !classes_only {
            seen = together(p, (RULES, seen), ("the rules, asked for more", look(Window::FULL)?))?;
        }
        seen = together(p, (RULES, seen), (TABLE, oracle.recall(p)?))?;
        if search && may_search && !question.settled_by(seen) && oracle.nodes() < LINE_NODES {
            match oracle.put(p, question) {
                Ok(answer) => return Ok(together(p, (KNOWN, seen), ("the search", answer.bounds))?),
                Err(Halt::Stopped(_)) => may_search = false,
                Err(Halt::Contradicted(found)) => return Err(found.into()),
            }
        }
        Ok(seen)
    })
    .map_err(|found| *found)?;
    Ok(Verdict { bounds, status, best, pv, stats })
}

/// Settle one question about an unfinished game, and nothing more: no best move, no line. `None` if the search was stopped.
pub(crate) fn settle<G: Game>(
    oracle: &mut impl Oracle<G>,
    root: &G::Position,
    question: Window,
) -> Result<Option<Bounds>, Contradiction> {
    match oracle.put(root, question) {
        Ok(answer) => Ok(Some(answer.bounds)),
        Err(Halt::Stopped(_)) => Ok(None),
        Err(Halt::Contradicted(found)) => Err(*found),
    }
}

struct Driver<'d, 'a, G: Game> {
    ask: &'d Ask<'a, G>,
    oracle: &'d mut dyn Oracle<G>,
    bounds: Bounds,
    best: Option<G::Move>,
    iterations: Vec<Iteration>,
}

impl<G: Game> Driver<'_, '_, G> {
    fn run(&mut self) -> Result<(), Halt> {
        match self.ask.goal {
            Goal::AtLeast(value) => self.put(Window::at_least(value)),
            Goal::Wdl => self.who_wins(),
            Goal::Distance => {
                self.who_wins()?;
                self.how_soon()
            }
        }
    }

    fn who_wins(&mut self) -> Result<(), Halt> {
        self.put(Window::WIN)?;
        if self.bounds.outcome().is_none() { self.put(Window::DRAW) } else { Ok(()) }
    }

    fn how_soon(&mut self) -> Result<(), Halt> {
        let longest = self.ask.game.max_plies(&self.ask.position).clamp(1, Value::MAX_PLIES);
        let slowest = match self.bounds.lo.outcome() {
            Outcome::Draw => return Ok(()),
            Outcome::Win => Bounds::at_least(Value::win(longest)),
            Outcome::Loss => Bounds::at_most(Value::loss(longest)),
        };
        self.narrow(("the length of the longest game", slowest))?;
        while let Some(question) = self.next_distance() {
            self.put(question)?;
        }
        Ok(())
    }

    /// The next question about the number of plies, if one is left.
    fn next_distance(&mut self) -> Option<Window> {
        let nature = self.ask.game.nature();
        let win = self.bounds.lo > Value::DRAW;
        // Values that cannot occur do not count: move the bounds onto ones that can.
        let occurs = |v: Value| !nature.odd_wins || v.plies().is_none_or(|n| (n % 2 == 1) == win);
        while !occurs(self.bounds.lo) && self.bounds.lo < self.bounds.hi {
            self.bounds.lo = self.bounds.lo.better();
        }
        while !occurs(self.bounds.hi) && self.bounds.lo < self.bounds.hi {
            self.bounds.hi = self.bounds.hi.worse();
        }
        let (lo, hi) = (self.bounds.lo.raw(), self.bounds.hi.raw());
        if lo >= hi {
            return None;
        }
        // Quick ends lie at the top for a win and at the bottom for a loss.
        let mut target = match (nature.deepen, win) {
            (true, true) => hi,
            (true, false) => lo + 1,
            (false, _) => lo + (hi - lo + 1) / 2,
        };
        while target < hi && !occurs(Value::from_raw(target)) {
            target += 1;
        }
        Some(Window::at_least(Value::from_raw(target)))
    }

    /// Where no move is known yet to keep the value: the first that does, in the game's order.
    fn find_best(&mut self) -> Result<(), Halt> {
        let wanted = self.bounds.lo;
        if self.best.is_none() && wanted > G::OPEN.lo {
            let answer = self.oracle.put(&self.ask.position, Window::at_least(wanted))?;
            together(
                &self.ask.position,
                (EARLIER, self.bounds),
                ("the search for a best move", answer.bounds),
            )?;
            self.best = answer.best;
        }
        if self.best.is_some() {
            return Ok(());
        }
        // The game sees the value without looking at a move, or all moves are as good as any other.
        let (game, p) = (self.ask.game, &self.ask.position);
        let moves = in_order(game, p);
        if wanted <= G::OPEN.lo {
            self.best = moves.first().copied();
            return Ok(());
        }
        for &m in &moves {
            let child = game.play(p, m);
            let alternates = game.side(p) != game.side(&child);
            let bounds = match game.outcome(&child) {
                Some(outcome) => Bounds::exact(Value::ended(outcome)),
                None => self.oracle.put(&child, Window::at_least(wanted).child(alternates))?.bounds,
            };
            let lo = bounds.back(alternates).lo;
            together(p, (EARLIER, self.bounds), (MOVES, Bounds::at_least(lo)))?;
            if lo >= wanted {
                self.best = Some(m);
                return Ok(());
            }
        }
        self.best = moves.first().copied();
        Ok(())
    }

    fn put(&mut self, question: Window) -> Result<(), Halt> {
        let (nodes, time) = (self.oracle.nodes(), self.ask.probe.elapsed());
        let answer = self.oracle.put(&self.ask.position, question)?;
        let mut bounds = answer.bounds;
        // A search that returns has settled its question. One that has not is broken, whatever the game's rules say:
        // that is a panic, which whoever started the worker reports.
        assert!(question.settled_by(bounds), "a search must settle {question:?}, but says {bounds:?}");
        if !self.ask.game.nature().draws {
            // Without draws, no win is a loss, and the other way round.
            if bounds.hi == Value::DRAW {
                bounds.hi = Value::SOME_LOSS;
            }
            if bounds.lo == Value::DRAW {
                bounds.lo = Value::SOME_WIN;
            }
        }
        if self.best.is_none() || bounds.lo > self.bounds.lo {
            self.best = answer.best;
        }
        self.narrow(("the search", bounds))?;
        self.ask.probe.bounds(self.bounds);
        self.iterations.push(Iteration {
            question: format!("at least {}", question.beta),
            nodes: self.oracle.nodes() - nodes,
            time: self.ask.probe.elapsed().saturating_sub(time),
        });
        Ok(())
    }

    /// Take in what a source says of the root.
    fn narrow(&mut self, claim: (&'static str, Bounds)) -> Result<(), Box<Contradiction>> {
        self.bounds = together(&self.ask.position, (EARLIER, self.bounds), claim)?;
        Ok(())
    }
}

/// All moves: those that the game lists of itself, in its order, then the others, the smallest first.
pub(crate) fn in_order<G: Game>(game: &G, p: &G::Position) -> Vec<G::Move> {
    let mut listed = Moves::new();
    game.look(p, Window::FULL, &mut listed);
    let mut moves: Vec<G::Move> = listed.iter().collect();
    let mut known = moves.clone();
    sort_by(&mut known, Ord::cmp);
    let mut others = game.moves(p);
    others.retain(|m| known.binary_search(m).is_err());
    sort_by(&mut others, Ord::cmp);
    moves.append(&mut others);
    moves
}

/// What a game sees of an unfinished position without search, as a search may use it: nobody has won yet; and where
/// only the outcome is asked, nothing is said about plies.
#[inline]
pub(crate) fn look<G: Game>(
    game: &G,
    classes_only: bool,
    p: &G::Position,
    window: Window,
    moves: &mut Moves<G::Move>,
) -> Result<Bounds, Box<Contradiction>> {
    let seen = game.look(p, window, moves);
    let known = if classes_only { classes(seen) } else { seen.meet(G::OPEN) };
    if known.is_empty() {
        return Err(contradicted(p, (RULES, seen), ("a game that goes on", G::OPEN)));
    }
    Ok(known)
}

/// The same bounds with nothing said about plies. Where only the outcome is asked, a game may leave out what changes
/// no more than the number of plies, so that numbers of plies from different places need not agree.
#[inline]
pub(crate) fn classes(bounds: Bounds) -> Bounds {
    let lo = match bounds.lo.outcome() {
        Outcome::Win => Value::SOME_WIN,
        Outcome::Draw => Value::DRAW,
        Outcome::Loss => Value::WORST,
    };
    let hi = match bounds.hi.outcome() {
        Outcome::Win => Value::BEST,
        Outcome::Draw => Value::DRAW,
        Outcome::Loss => Value::SOME_LOSS,
    };
    Bounds { lo, hi }
}
