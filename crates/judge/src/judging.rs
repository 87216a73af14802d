//! From a question to an answer: what is known first, then the search, then remembering.

use ludex_core::{
    Bounds, Error, ErrorCode, Goal, Notation, Outcome, Probe as _, Stats, Status, Value, Verdict as Found,
    order_of,
};
use ludex_store::Row;

use crate::{
    Question, Terms,
    answer::{Analysis, MoveValue, SolverName, Source, VERSION, Verdict, VerdictKind},
    host::Host,
    known::{self, Recalled},
    monitor::{Monitor, Surroundings},
    solvers::{self, Memory, Run},
    words,
};

/// A verdict on one position, with where it came from.
pub(crate) struct Finding<M> {
    pub(crate) verdict: Found<M>,
    from: Source,
    solver: SolverName,
}

/// What a question comes down to for a concrete game.
pub(crate) struct Task<'a, G: Notation> {
    pub(crate) question: &'a Question,
    pub(crate) terms: &'a Terms,
    monitor: &'a Monitor,
    /// The game as it is searched.
    pub(crate) game: G,
    /// The game whose keys are exact to the ply.
    pub(crate) exact: G,
    /// The game whose keys the memory knows.
    pub(crate) stored: G,
    solver: &'static str,
    /// Whether a value will do and no move is wanted.
    pub(crate) value_only: bool,
}

impl<G: Notation> Host<G> {
    pub(crate) fn task<'a>(
        &self,
        question: &'a Question,
        terms: &'a Terms,
        monitor: &'a Monitor,
    ) -> Result<Task<'a, G>, Error> {
        question.check()?;
        let (game, list) = (self.game(), self.game().switches());
        let on = question.without.iter().try_fold(game.switched(), |on, name| on.without(list, name))?;
        let searched = game.clone().with_switches(on).for_goal(question.goal);
        let solver = solvers::choose(&searched, self.study(), question)?;
        #[cfg(feature = "files")]
        terms.checkpoint.as_ref().map_or(Ok(()), |checkpoint| checkpoint.check(solver))?;
        Ok(Task {
            question,
            terms,
            monitor,
            game: searched,
            exact: game.clone().for_goal(Goal::Distance),
            stored: game.clone().for_store(),
            solver,
            value_only: false,
        })
    }

    /// Judge one position.
    pub(crate) fn judge_one(&self, question: &Question, terms: &Terms) -> Result<Verdict, Error> {
        let monitor = Monitor::new(&question.budget, terms);
        let task = self.task(question, terms, &monitor)?;
        let p = self.position_of(question)?;
        let finding = self.judge(&task, &p, &mut self.memory())?;
        // What a table told is kept too, for people and for programs that have no such table.
        if finding.from == Source::Table && known::recall(&task.stored, &p, terms)?.is_none() {
            self.remember(&task, &p, &finding, 0.0)?;
        }
        Ok(self.answer(&task, &p, finding))
    }

    /// Judge one position: from what is known, or by search.
    pub(crate) fn judge(
        &self,
        task: &Task<'_, G>,
        p: &G::Position,
        memory: &mut Memory<G>,
    ) -> Result<Finding<G::Move>, Error> {
        if let Some(outcome) = self.game().outcome(p) {
            let verdict = Found::ended(outcome);
            return Ok(Finding { verdict, from: Source::Search, solver: task.solver.into() });
        }
        if let Some(Recalled { bounds, best, pv, from, solver }) = self.known(task, p)? {
            let stats = Stats { cache_hits: Some(u64::from(from == Source::Cache)), ..Stats::default() };
            let verdict = Found { bounds, status: Status::Solved, best, pv, stats };
            return Ok(Finding { verdict, from, solver });
        }
        let before = task.monitor.elapsed();
        task.monitor.next_question();
        let run = Run {
            game: &task.game,
            study: self.study(),
            solver: task.solver,
            question: task.question,
            terms: task.terms,
            monitor: task.monitor,
        };
        let searched = run.search(*p, memory, || self.about(task, p));
        let (solver, verdict) = searched.map_err(|e| self.at(p, e))?;
        let finding = Finding { verdict, from: Source::Search, solver: solver.into() };
        self.remember(task, p, &finding, (task.monitor.elapsed() - before).as_secs_f64())?;
        Ok(finding)
    }

    /// A fault of a search names the position it was asked about.
    fn at(&self, p: &G::Position, error: Error) -> Error {
        match error.code {
            ErrorCode::Contradiction | ErrorCode::Internal => {
                error.at(format_args!("{} {}", self.game().spec(), self.game().position_text(p)))
            }
            _ => error,
        }
    }

    /// Keep what was found.
    fn remember(
        &self,
        task: &Task<'_, G>,
        p: &G::Position,
        finding: &Finding<G::Move>,
        seconds: f64,
    ) -> Result<(), Error> {
        let Finding { verdict, solver, .. } = finding;
        let Some(memory) = &task.terms.memory else { return Ok(()) };
        if verdict.bounds.lo == Value::WORST && verdict.bounds.hi == Value::BEST {
            return Ok(());
        }
        let game = self.game();
        let key = known::store_key(&task.stored, p);
        let mut row = Row::new(&game.spec(), &key, &game.position_text(p), game.side(p));
        row.bounds = verdict.bounds;
        row.pv = self.texts(p, &verdict.pv);
        row.best = row.pv.first().cloned();
        row.nodes = verdict.stats.nodes;
        row.seconds = seconds;
        row.solver = solver.to_string();
        row.switches = task.game.switched().off_names(game.switches());
        Ok(memory.put(&row)?)
    }

    /// What a checkpoint of a search belongs to, as lines of `key=value`.
    fn about(&self, task: &Task<'_, G>, p: &G::Position) -> String {
        format!(
            "program=ludex {}\ngame={}\nposition={}\ngoal={:?}\nwithout={}\nsolver={}\n",
            env!("CARGO_PKG_VERSION"),
            self.game().spec(),
            self.game().position_text(p),
            task.question.goal,
            task.game.switched().off_names(self.game().switches()),
            task.solver,
        )
    }

    /// A finding as it leaves the judge.
    fn answer(&self, task: &Task<'_, G>, p: &G::Position, finding: Finding<G::Move>) -> Verdict {
        let Finding { verdict, from, solver } = finding;
        let (game, bounds, status) = (self.game(), verdict.bounds, verdict.status);
        let asked = task.question.goal != Goal::Wdl;
        let exact =
            bounds.value().or_else(|| (bounds.outcome() == Some(Outcome::Draw)).then_some(Value::DRAW));
        let (side, names) = (game.side(p), game.side_names());
        let over = game.outcome(p).map(|_| game.why(p).unwrap_or_default());
        // A search that was stopped may have a move in mind; it is named only if something is certain of it.
        let best = verdict.best.filter(|_| status == Status::Solved || bounds.lo >= Value::DRAW);
        Verdict {
            kind: VerdictKind::Verdict,
            version: VERSION,
            game: game.spec(),
            position: game.position_text(p),
            to_move: side,
            status,
            outcome: bounds.outcome(),
            plies: bounds.value().and_then(Value::plies).filter(|_| asked),
            bounds,
            score: exact.filter(|v| asked || *v == Value::DRAW).and_then(|v| game.score(p, v)),
            sentence: words::sentence(names, side, bounds, status, over.as_deref()),
            best: self.texts(p, best.as_slice()),
            pv: self.texts(p, if best.is_some() { &verdict.pv } else { &[] }),
            solver,
            from,
            stats: Stats { seconds: task.monitor.elapsed().as_secs_f64(), ..verdict.stats },
        }
    }

    /// Judge every move of a position.
    pub(crate) fn judge_moves(&self, question: &Question, terms: &Terms) -> Result<Analysis, Error> {
        #[cfg(feature = "files")]
        if terms.checkpoint.is_some() {
            let message = "a checkpoint is of one search, and an analysis makes one for every move";
            return Err(Error::new(ErrorCode::NoCheckpoint, message, "use solve"));
        }
        let monitor = Monitor::new(&question.budget, terms);
        let task = Task { value_only: true, ..self.task(question, terms, &monitor)? };
        let (game, p) = (self.game(), self.position_of(question)?);
        let mut memory = self.memory();
        let mut total = Stats::default();
        let mut status = Status::Solved;
        let mut sources = Vec::new();
        let mut rated: Vec<(Bounds, G::Move, Vec<G::Move>)> = Vec::new();
        let all = self.sorted_moves(&p);
        let mut best = Bounds { lo: Value::WORST, hi: Value::WORST };
        for (done, &m) in all.iter().enumerate() {
            let child = game.play(&p, m);
            let alternating = game.side(&p) != game.side(&child);
            monitor.next_move(Surroundings { best, moves: (done, all.len()), alternating });
            let finding = self.judge(&task, &child, &mut memory)?;
            let bounds = finding.verdict.bounds.back(alternating);
            best = Bounds { lo: best.lo.max(bounds.lo), hi: best.hi.max(bounds.hi) };
            total.absorb(&finding.verdict.stats);
            if status == Status::Solved {
                status = finding.verdict.status;
            }
            if game.outcome(&child).is_none() {
                sources.push((finding.from, finding.solver));
            }
            rated.push((bounds, m, finding.verdict.pv));
        }
        drop(memory);
        let best_first = order_of(rated.len(), &|a, b| {
            let ((x, m, _), (y, n, _)) = (&rated[a], &rated[b]);
            (y.lo, y.hi).cmp(&(x.lo, x.hi)).then(m.cmp(n))
        });
        let rated: Vec<_> = best_first.iter().map(|&i| &rated[i as usize]).collect();
        let bounds = match game.outcome(&p) {
            Some(outcome) => Bounds::exact(Value::ended(outcome)),
            None => best,
        };
        let certain = status == Status::Solved || bounds.lo >= Value::DRAW;
        let best: Vec<G::Move> =
            rated.iter().filter(|r| certain && r.0.lo == bounds.lo).map(|r| r.1).collect();
        let pv = rated.first().map_or_else(Vec::new, |(_, m, rest)| [&[*m], rest.as_slice()].concat());
        let searched = sources.iter().position(|(from, _)| *from == Source::Search);
        let (from, solver) = searched
            .or((!sources.is_empty()).then_some(0))
            .map_or((Source::Search, task.solver.into()), |i| sources[i].clone());
        let verdict = Found { bounds, status, best: best.first().copied(), pv, stats: total };
        let mut verdict = self.answer(&task, &p, Finding { verdict, from, solver });
        verdict.kind = VerdictKind::Analysis;
        verdict.best = best.iter().map(|&m| game.move_text(&p, m)).collect();
        let moves = rated.iter().map(|r| self.move_value(question.goal, &p, r.1, r.0)).collect();
        Ok(Analysis { verdict, moves })
    }

    fn move_value(&self, goal: Goal, p: &G::Position, m: G::Move, bounds: Bounds) -> MoveValue {
        let asked = goal != Goal::Wdl;
        MoveValue {
            text: self.game().move_text(p, m),
            outcome: bounds.outcome(),
            plies: bounds.value().and_then(Value::plies).filter(|_| asked),
            bounds,
            score: bounds
                .value()
                .filter(|v| asked || *v == Value::DRAW)
                .and_then(|v| self.game().score(p, v)),
        }
    }
}
