//! From a question to an answer: what is known first, then the search, then remembering.

use ludex_core::{
    Bounds, Error, ErrorCode, Goal, Notation, Outcome, Probe as _, Stats, Status, Stop, Value,
    Verdict as Found, order_of,
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

/// What is known of all moves of a position.
pub(crate) struct Rated<M> {
    /// The moves looked at, with what they are worth to the side that makes them and the line behind them, best first.
    pub(crate) moves: Vec<(Bounds, M, Vec<M>)>,
    /// Those that there was no time for, smallest first.
    pub(crate) unknown: Vec<M>,
    /// What is known of the position.
    pub(crate) bounds: Bounds,
    pub(crate) status: Status,
    source: Option<(Source, SolverName)>,
    stats: Stats,
}

impl<M> Rated<M> {
    fn add(&mut self, bounds: Bounds, m: M, line: Vec<M>) {
        self.bounds = Bounds { lo: self.bounds.lo.max(bounds.lo), hi: self.bounds.hi.max(bounds.hi) };
        self.moves.push((bounds, m, line));
    }
}

/// What a question comes down to for a concrete game.
pub(crate) struct Task<'a, G: Notation> {
    pub(crate) question: &'a Question,
    pub(crate) terms: &'a Terms,
    pub(crate) monitor: &'a Monitor,
    /// The game as it is searched.
    pub(crate) game: G,
    /// The game whose keys are exact to the ply.
    pub(crate) exact: G,
    /// The game whose keys the memory knows.
    pub(crate) stored: G,
    solver: &'static str,
    /// Whether a value will do and no move is wanted.
    pub(crate) value_only: bool,
    /// Whether a line of best play is wanted.
    pub(crate) lines: bool,
}

impl<G: Notation> Task<'_, G> {
    /// What the memory said after the search. That it cannot be used is a warning: what was found is found.
    fn unless_unkept<T>(&self, said: Result<T, Error>) -> Result<Option<T>, Error> {
        match said {
            Ok(said) => Ok(Some(said)),
            Err(error) if error.code == ErrorCode::BadDatabase => {
                self.monitor.warn(error.at("the verdict was not kept"));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The same where a value will do and no move is wanted.
    pub(crate) fn for_values(self) -> Self {
        Self { value_only: true, ..self }
    }

    /// The same where a number will do, and neither a move nor a line is wanted.
    pub(crate) fn for_numbers(self) -> Self {
        Self { value_only: true, lines: false, ..self }
    }
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
            lines: true,
        })
    }

    /// Judge one position.
    pub(crate) fn judge_one(&self, question: &Question, terms: &Terms) -> Result<Verdict, Error> {
        let monitor = Monitor::new(&question.budget, terms);
        let task = self.task(question, terms, &monitor)?;
        let p = self.position_of(question)?;
        let finding = self.judge(&task, &p, &mut self.memory())?;
        // What a table told is kept too, for people and for programs that have no such table.
        if finding.from == Source::Table
            && let Some(None) = task.unless_unkept(known::recall(&task.stored, &p, terms))?
        {
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
        // An analysis whose time is up begins no further search: on a large board even the first positions of each of some
        // hundred moves would take longer than all of its time.
        if task.value_only
            && let Some(stop @ (Stop::Time | Stop::Cancelled)) = task.monitor.check(0)
        {
            let (bounds, status) = (Bounds::ALL, stop.into());
            let verdict = Found { bounds, status, best: None, pv: Vec::new(), stats: Stats::default() };
            return Ok(Finding { verdict, from: Source::Search, solver: task.solver.into() });
        }
        let before = task.monitor.elapsed();
        task.monitor.next_question();
        let searched = self.run(task).search(*p, memory, || self.about(task, p));
        let (solver, verdict) = searched.map_err(|e| self.at(p, e))?;
        let finding = Finding { verdict, from: Source::Search, solver: solver.into() };
        self.remember(task, p, &finding, (task.monitor.elapsed() - before).as_secs_f64())?;
        Ok(finding)
    }

    /// What a task's searches are run with.
    pub(crate) fn run<'a>(&'a self, task: &'a Task<'a, G>) -> Run<'a, G> {
        Run {
            game: &task.game,
            study: self.study(),
            solver: task.solver,
            question: task.question,
            terms: task.terms,
            monitor: task.monitor,
            lines: task.lines,
        }
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

    /// Keep what was found, if it can be written.
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
        task.unless_unkept(memory.put(&row).map_err(Error::from)).map(drop)
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
        let over = game.outcome(p).map(|_| game.why(p).unwrap_or_default().text);
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
            warnings: task.monitor.warnings(),
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
        let task = self.task(question, terms, &monitor)?.for_values();
        let p = self.position_of(question)?;
        let rated = self.rate(&task, &p)?;
        Ok(self.analysis(&task, &p, rated))
    }

    /// Judge every move of a position, one after the other, as far as the limits allow. Moves that end the game come
    /// first: what they are worth is seen at once, however little time there is.
    pub(crate) fn rate(&self, task: &Task<'_, G>, p: &G::Position) -> Result<Rated<G::Move>, Error> {
        self.rate_with(task, p, None)
    }

    /// The same with a memory of the caller's.
    pub(crate) fn rate_with(
        &self,
        task: &Task<'_, G>,
        p: &G::Position,
        memory: Option<&mut Memory<G>>,
    ) -> Result<Rated<G::Move>, Error> {
        let (game, monitor) = (self.game(), task.monitor);
        let mut rated = Rated {
            moves: Vec::new(),
            unknown: Vec::new(),
            bounds: Bounds { lo: Value::WORST, hi: Value::WORST },
            status: Status::Solved,
            source: None,
            stats: Stats::default(),
        };
        let all = self.sorted_moves(p);
        let mut lasting = Vec::new();
        for (i, &m) in all.iter().enumerate() {
            if let Some(stop) = monitor.check(0) {
                rated.status = stop.into();
                rated.unknown.extend(&all[i..]);
                break;
            }
            let child = game.play(p, m);
            let alternating = game.side(p) != game.side(&child);
            match game.outcome(&child) {
                Some(outcome) => {
                    rated.add(Bounds::exact(Value::ended(outcome)).back(alternating), m, Vec::new())
                }
                None => lasting.push(m),
            }
        }
        let mut own;
        let memory = match memory {
            Some(memory) => memory,
            None => {
                own = self.memory();
                &mut *own
            }
        };
        for (i, &m) in lasting.iter().enumerate() {
            if let Some(stop) = monitor.check(0) {
                rated.status = stop.into();
                rated.unknown.splice(..0, lasting[i..].iter().copied());
                break;
            }
            let child = game.play(p, m);
            let alternating = game.side(p) != game.side(&child);
            let moves = (rated.moves.len(), all.len());
            monitor.next_move(Surroundings { best: rated.bounds, moves, alternating });
            let Finding { verdict, from, solver } = self.judge(task, &child, memory)?;
            rated.stats.absorb(&verdict.stats);
            if rated.status == Status::Solved {
                rated.status = verdict.status;
            }
            // A search of one move makes it all a search.
            if rated
                .source
                .as_ref()
                .is_none_or(|(known, _)| *known != Source::Search && from == Source::Search)
            {
                rated.source = Some((from, solver));
            }
            rated.add(verdict.bounds.back(alternating), m, verdict.pv);
        }
        if !rated.unknown.is_empty() {
            rated.bounds.hi = Value::BEST;
        }
        let best_first = order_of(rated.moves.len(), &|a, b| {
            let ((x, m, _), (y, n, _)) = (&rated.moves[a], &rated.moves[b]);
            (y.lo, y.hi).cmp(&(x.lo, x.hi)).then(m.cmp(n))
        });
        let mut moves: Vec<_> = rated.moves.drain(..).map(Some).collect();
        rated.moves = best_first.iter().filter_map(|&i| moves[i as usize].take()).collect();
        Ok(rated)
    }

    /// What was found out about all moves, as it leaves the judge.
    pub(crate) fn analysis(&self, task: &Task<'_, G>, p: &G::Position, rated: Rated<G::Move>) -> Analysis {
        let game = self.game();
        let Rated { moves, unknown, status, source, stats, .. } = rated;
        let bounds = match game.outcome(p) {
            Some(outcome) => Bounds::exact(Value::ended(outcome)),
            None => rated.bounds,
        };
        let certain = status == Status::Solved || bounds.lo >= Value::DRAW;
        let best: Vec<G::Move> =
            moves.iter().filter(|r| certain && r.0.lo == bounds.lo).map(|r| r.1).collect();
        let pv = moves.first().map_or_else(Vec::new, |(_, m, rest)| [&[*m], rest.as_slice()].concat());
        let (from, solver) = source.unwrap_or_else(|| (Source::Search, task.solver.into()));
        let verdict = Found { bounds, status, best: best.first().copied(), pv, stats };
        let mut verdict = self.answer(task, p, Finding { verdict, from, solver });
        verdict.kind = VerdictKind::Analysis;
        verdict.best = best.iter().map(|&m| game.move_text(p, m)).collect();
        let known = moves.iter().map(|(bounds, m, _)| (*m, *bounds));
        let moves = known
            .chain(unknown.into_iter().map(|m| (m, Bounds::ALL)))
            .map(|(m, bounds)| self.move_value(task.question.goal, p, m, bounds))
            .collect();
        Analysis { verdict, moves }
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
