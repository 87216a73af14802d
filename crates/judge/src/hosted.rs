//! A game at work: the façade over a concrete type.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use ludex_core::{
    Bounds, Budget, Fact, Goal, InputError, Layout, Mark, Outcome, Playable, Probe, Scene, Side, Stats,
    Status, Switch, Value, Verdict, perft,
};
use ludex_games::registry::{self, Family};
use ludex_search::think::{Limits, think};
use ludex_store::Row;

use crate::{
    Refusal,
    choice::{self, Memory},
    facade::{AnyGame, Count, MoveView, View},
    job::Job,
    known::{self, Known},
    reason,
    table::{self, Answers},
    watch::{Around, Watch},
    wire,
};

/// A folder of tables, and the game's table in it.
type Opened<G> = (PathBuf, Option<Arc<Answers<G>>>);

/// A game with the memory of its searches.
pub(crate) struct Hosted<G: Playable> {
    game: G,
    memory: Mutex<Memory<G>>,
    /// The game's table in a folder that was asked for, if there is a sound one.
    table: Mutex<Option<Opened<G>>>,
}

/// A verdict on one position, with where it came from.
struct Finding<M> {
    verdict: Verdict<M>,
    from: &'static str,
    solver: String,
}

/// What a job comes down to for a concrete game.
struct Task<'a, G: Playable> {
    job: &'a Job,
    watch: &'a Watch,
    /// The game as it is searched.
    game: G,
    /// The game whose keys are exact to the ply.
    exact: G,
    /// The game whose keys the database knows.
    stored: G,
    solver: &'static str,
    /// Whether a value will do and no move is wanted.
    value_only: bool,
}

impl<G: Playable> Hosted<G> {
    pub(crate) fn new(game: G) -> Self {
        Self { game, memory: Mutex::new(Memory::new()), table: Mutex::new(None) }
    }

    fn memory(&self) -> MutexGuard<'_, Memory<G>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start_position(&self, seed: Option<u64>) -> Result<G::Position, InputError> {
        let start = match seed {
            Some(seed) => self.game.deal(seed),
            None => self.game.root(),
        };
        start.ok_or_else(|| {
            InputError::new(
                "no_start",
                format!("{} begins with a deal, and none is given", self.game.spec()),
                "give a deal in the spec, a position, or --seed N",
            )
        })
    }

    fn read(&self, text: &str) -> Result<G::Position, InputError> {
        self.game.parse_position(text)
    }

    fn position_of(&self, job: &Job) -> Result<G::Position, InputError> {
        match &job.position {
            Some(text) => self.read(text),
            None => self.start_position(job.seed),
        }
    }

    fn task<'a>(&self, job: &'a Job, watch: &'a Watch) -> Result<Task<'a, G>, InputError> {
        job.check()?;
        let list = self.game.switches();
        let on = job.without.iter().try_fold(self.game.switched(), |on, name| on.without(list, name))?;
        let game = self.game.clone().with_switches(on).for_goal(job.goal);
        let solver = choice::name(&game, job)?;
        job.checkpoint.as_ref().map_or(Ok(()), |checkpoint| checkpoint.check(solver))?;
        Ok(Task {
            job,
            watch,
            game,
            exact: self.game.clone().for_goal(Goal::Distance),
            stored: self.game.clone().for_store(),
            solver,
            value_only: false,
        })
    }

    /// Judge one position: from what is known, or by search.
    fn judge(
        &self,
        task: &Task<'_, G>,
        p: &G::Position,
        memory: &mut Memory<G>,
    ) -> Result<Finding<G::Move>, Refusal> {
        let job = task.job;
        if let Some(outcome) = self.game.outcome(p) {
            return Ok(Finding {
                verdict: Verdict::ended(outcome),
                from: "search",
                solver: task.solver.into(),
            });
        }
        if let Some(known) = self.known(task, p)? {
            let Known { bounds, best, pv, from, solver } = known;
            let mut stats = Stats::default();
            stats.count("cache_hits", u64::from(from == "cache"));
            let verdict = Verdict { bounds, status: Status::Solved, best, pv, stats };
            return Ok(Finding { verdict, from, solver });
        }
        let before = task.watch.elapsed();
        task.watch.next_question();
        let about = || self.about(task, p);
        let (solver, verdict) = choice::run(task.solver, &task.game, *p, job, task.watch, memory, about)?;
        let finding = Finding { verdict, from: "search", solver: solver.into() };
        self.store(task, p, &finding, (task.watch.elapsed() - before).as_secs_f64())?;
        Ok(finding)
    }

    /// Keep what was found in the database.
    fn store(
        &self,
        task: &Task<'_, G>,
        p: &G::Position,
        finding: &Finding<G::Move>,
        seconds: f64,
    ) -> Result<(), Refusal> {
        let Finding { verdict, solver, .. } = finding;
        if let Some(store) = &task.job.store
            && (verdict.bounds.lo > Value::WORST || verdict.bounds.hi < Value::BEST)
        {
            let text = self.game.position_text(p);
            let mut row =
                Row::new(&self.game.spec(), &known::store_key(&task.stored, p), &text, self.game.side(p));
            row.bounds = verdict.bounds;
            row.pv = self.texts(p, &verdict.pv);
            row.best = row.pv.first().cloned();
            row.nodes = verdict.stats.nodes;
            row.seconds = seconds;
            row.solver.clone_from(solver);
            row.switches = task.game.switched().off_names(self.game.switches());
            store.put(&row)?;
        }
        Ok(())
    }

    /// What a checkpoint of a search belongs to, as lines of `key=value`.
    fn about(&self, task: &Task<'_, G>, p: &G::Position) -> String {
        format!(
            "program=ludex {}\ngame={}\nposition={}\ngoal={:?}\nwithout={}\nsolver={}\n",
            env!("CARGO_PKG_VERSION"),
            self.game.spec(),
            self.game.position_text(p),
            task.job.goal,
            task.game.switched().off_names(self.game.switches()),
            task.solver,
        )
    }

    /// An answer without search that meets the goal, and names a move if one is wanted.
    fn known(&self, task: &Task<'_, G>, p: &G::Position) -> Result<Option<Known<G::Move>>, Refusal> {
        // A job that names its solver or does without a rule wants that search, not what another one found.
        let asked = task.job.solver.is_none() && task.job.without.is_empty();
        let good = |known: &Known<G::Move>| {
            task.job.goal.met_by(known.bounds) && (task.value_only || known.best.is_some())
        };
        if let Some((bounds, from)) = self.elsewhere(task, p)
            && asked
            && task.job.goal.met_by(bounds)
        {
            let pv = self.line(task, *p, bounds);
            return Ok(
                Some(Known { bounds, best: pv.first().copied(), pv, from, solver: from.into() }).filter(good)
            );
        }
        if !asked {
            return Ok(None);
        }
        Ok(known::recall(&task.stored, p, task.job)?.filter(good))
    }

    /// Bounds from a table, or from a book of the game.
    fn elsewhere(&self, task: &Task<'_, G>, p: &G::Position) -> Option<(Bounds, &'static str)> {
        let table = || {
            let table = self.table(task)?;
            let value = table.value(&task.exact, p).ok()??;
            Some((Bounds::of_value(value), if table.is_book() { "book" } else { "table" }))
        };
        table().or_else(|| known::elsewhere(&task.exact, p, task.job))
    }

    /// The table or book of the game, opened when it is first asked for. A file that cannot be used is as good as none.
    fn table(&self, task: &Task<'_, G>) -> Option<Arc<Answers<G>>> {
        let folder = task.job.table_folder.as_ref().filter(|_| task.job.tables || task.job.book)?;
        let mut kept = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_none_or(|(path, _)| path != folder) {
            let file = folder.join(table::file_name(&task.exact.spec()));
            let answers = file.is_file().then(|| Answers::open(&task.exact, &file).ok()).flatten();
            *kept = Some((folder.clone(), answers.map(Arc::new)));
        }
        let wanted = |a: &Arc<Answers<G>>| if a.is_book() { task.job.book } else { task.job.tables };
        kept.as_ref().and_then(|(_, answers)| answers.clone()).filter(wanted)
    }

    /// A line of best play through a table or book, as far as it goes.
    fn line(&self, task: &Task<'_, G>, start: G::Position, bounds: Bounds) -> Vec<G::Move> {
        let (mut p, mut value) = (start, bounds);
        let mut line = Vec::new();
        while self.game.outcome(&p).is_none() {
            let mut next = None;
            for m in self.sorted_moves(&p) {
                let child = self.game.play(&p, m);
                let known = match self.game.outcome(&child) {
                    Some(outcome) => Bounds::exact(Value::ended(outcome)),
                    None => match self.elsewhere(task, &child) {
                        Some((bounds, _)) => bounds,
                        None => match known::afterwards(&task.exact, &child) {
                            Some(bounds) => bounds,
                            None => continue,
                        },
                    },
                };
                if known.back(self.game.side(&p) != self.game.side(&child)).lo >= value.lo {
                    next = Some((m, child, known));
                    break;
                }
            }
            let Some((m, child, known)) = next else { break };
            line.push(m);
            (p, value) = (child, known);
        }
        line
    }

    fn sorted_moves(&self, p: &G::Position) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.game.outcome(p).is_none() {
            self.game.each_move(p, |m| moves.push(m));
        }
        moves.sort_unstable();
        moves
    }

    /// The texts of a line of moves.
    fn texts(&self, p: &G::Position, line: &[G::Move]) -> Vec<String> {
        let mut p = *p;
        line.iter()
            .map(|&m| {
                let text = self.game.move_text(&p, m);
                p = self.game.play(&p, m);
                text
            })
            .collect()
    }

    fn wire(&self, task: &Task<'_, G>, p: &G::Position, finding: Finding<G::Move>) -> wire::Verdict {
        let Finding { verdict, from, solver } = finding;
        let bounds = verdict.bounds;
        let asked = task.job.goal != Goal::Wdl;
        let exact =
            bounds.value().or_else(|| (bounds.outcome() == Some(Outcome::Draw)).then_some(Value::DRAW));
        let side = self.game.side(p);
        wire::Verdict {
            kind: "verdict",
            version: wire::VERSION,
            game: self.game.spec(),
            position: self.game.position_text(p),
            to_move: side.word(),
            status: verdict.status.word(),
            outcome: wire::outcome_word(bounds),
            plies: bounds.value().and_then(Value::plies).filter(|_| asked),
            lower: bounds.lo.into(),
            upper: bounds.hi.into(),
            score: exact.filter(|v| asked || *v == Value::DRAW).and_then(|v| self.game.score(p, v)),
            best: self.texts(p, verdict.best.as_slice()),
            pv: self.texts(p, &verdict.pv),
            solver,
            from,
            stats: wire::stats(&verdict.stats, task.watch.elapsed().as_secs_f64()),
            side,
            bounds,
        }
    }
}

impl<G: Playable> AnyGame for Hosted<G> {
    fn family(&self) -> &'static Family {
        let spec = self.game.spec();
        let name = spec.split(':').next().unwrap_or_default();
        registry::family(name).expect("a game's own spec names its family")
    }

    fn spec(&self) -> String {
        self.game.spec()
    }

    fn title(&self) -> String {
        self.game.title()
    }

    fn side_names(&self) -> [&'static str; 2] {
        self.game.side_names()
    }

    fn switches(&self) -> &'static [Switch] {
        self.game.switches()
    }

    fn draws(&self) -> bool {
        self.game.nature().draws
    }

    fn usual_goal(&self) -> Goal {
        let nature = self.game.nature();
        if nature.forcing && !nature.draws && !nature.deepen { Goal::Wdl } else { Goal::Distance }
    }

    fn start(&self, seed: Option<u64>) -> Result<String, InputError> {
        Ok(self.game.position_text(&self.start_position(seed)?))
    }

    fn view(&self, position: &str) -> Result<View, InputError> {
        let p = self.read(position)?;
        let moves = self
            .sorted_moves(&p)
            .into_iter()
            .map(|m| MoveView {
                text: self.game.move_text(&p, m),
                clicks: self.game.clicks(&p, m),
                path: self.game.path(&p, m),
            })
            .collect();
        Ok(View {
            position: self.game.position_text(&p),
            to_move: self.game.side(&p),
            over: self.game.outcome(&p),
            why: self.game.why(&p),
            moves,
            max_plies: self.game.max_plies(&p),
        })
    }

    fn play(&self, position: &str, m: &str) -> Result<String, InputError> {
        let p = self.read(position)?;
        Ok(self.game.position_text(&self.game.play_all(p, std::iter::once(m))?))
    }

    fn picture(&self, position: &str) -> Result<String, InputError> {
        Ok(self.game.picture(&self.read(position)?))
    }

    fn svg(
        &self,
        position: &str,
        last: Option<(&str, &str)>,
        marks: Vec<Mark>,
    ) -> Result<String, InputError> {
        let p = self.read(position)?;
        let last = match last {
            Some((before, m)) => Some(self.game.parse_move(&self.read(before)?, m)?),
            None => None,
        };
        Ok(self.game.svg(&p, &Scene { last, marks, ..Scene::default() }))
    }

    fn facts(&self, position: &str) -> Result<Vec<Fact>, InputError> {
        Ok(self.game.facts(&self.read(position)?))
    }

    fn layout(&self) -> Option<Layout> {
        self.game.layout()
    }

    fn count(&self, position: &str, depth: u32, what: Count) -> Result<Vec<u64>, InputError> {
        let p = self.read(position)?;
        Ok(match what {
            Count::Sequences => perft::sequences(&self.game, &p, depth),
            Count::Positions => perft::positions(&self.game, &p, depth),
            Count::Canonical => perft::canonical(&self.game, &p, depth),
        })
    }

    fn solve(&self, job: &Job) -> Result<wire::Verdict, Refusal> {
        let watch = Watch::new(job);
        let task = self.task(job, &watch)?;
        let p = self.position_of(job)?;
        let finding = self.judge(&task, &p, &mut self.memory())?;
        // What a table told is kept too, for people and for programs that have no such table.
        if finding.from == "table" && known::recall(&task.stored, &p, job)?.is_none() {
            self.store(&task, &p, &finding, 0.0)?;
        }
        Ok(self.wire(&task, &p, finding))
    }

    fn analyze(&self, job: &Job) -> Result<wire::Analysis, Refusal> {
        if job.checkpoint.is_some() {
            return Err(InputError::new(
                "no_checkpoint",
                "a checkpoint is of one search, and an analysis makes one for every move",
                "use solve",
            )
            .into());
        }
        let watch = Watch::new(job);
        let task = Task { value_only: true, ..self.task(job, &watch)? };
        let p = self.position_of(job)?;
        let mut memory = self.memory();
        let mut total = Stats::default();
        let mut status = Status::Solved;
        let mut sources = Vec::new();
        let mut rated: Vec<(Bounds, G::Move, Vec<G::Move>)> = Vec::new();
        let all = self.sorted_moves(&p);
        let mut best = Bounds { lo: Value::WORST, hi: Value::WORST };
        for (done, &m) in all.iter().enumerate() {
            let child = self.game.play(&p, m);
            let alternating = self.game.side(&p) != self.game.side(&child);
            watch.next_move(Around { best, moves: (done, all.len()), alternating });
            let finding = self.judge(&task, &child, &mut memory)?;
            let bounds = finding.verdict.bounds.back(alternating);
            best = Bounds { lo: best.lo.max(bounds.lo), hi: best.hi.max(bounds.hi) };
            total.absorb(&finding.verdict.stats);
            if status == Status::Solved {
                status = finding.verdict.status;
            }
            if self.game.outcome(&child).is_none() {
                sources.push((finding.from, finding.solver));
            }
            rated.push((bounds, m, finding.verdict.pv));
        }
        drop(memory);
        let asked = job.goal != Goal::Wdl;
        rated.sort_by_key(|&(bounds, m, _)| (std::cmp::Reverse((bounds.lo, bounds.hi)), m));
        let bounds = match self.game.outcome(&p) {
            Some(outcome) => Bounds::exact(Value::ended(outcome)),
            None => best,
        };
        let best: Vec<G::Move> = rated.iter().filter(|r| r.0.lo == bounds.lo).map(|r| r.1).collect();
        let pv = rated.first().map_or_else(Vec::new, |(_, m, rest)| [&[*m], rest.as_slice()].concat());
        let moves = rated
            .iter()
            .map(|&(bounds, m, _)| wire::MoveValue {
                text: self.game.move_text(&p, m),
                outcome: wire::outcome_word(bounds),
                plies: bounds.value().and_then(Value::plies).filter(|_| asked),
                lower: bounds.lo.into(),
                upper: bounds.hi.into(),
                score: bounds
                    .value()
                    .filter(|v| asked || *v == Value::DRAW)
                    .and_then(|v| self.game.score(&p, v)),
            })
            .collect();
        let searched = sources.iter().position(|(from, _)| *from == "search");
        let (from, solver) = searched
            .or((!sources.is_empty()).then_some(0))
            .map_or(("search", task.solver.to_owned()), |i| sources[i].clone());
        let verdict = Verdict { bounds, status, best: best.first().copied(), pv, stats: total };
        let mut wire = self.wire(&task, &p, Finding { verdict, from, solver });
        wire.kind = "analysis";
        wire.best = best.iter().map(|&m| self.game.move_text(&p, m)).collect();
        Ok(wire::Analysis { verdict: wire, moves })
    }

    fn explain(&self, job: &Job) -> Result<wire::Explanation, Refusal> {
        let start = Instant::now();
        let job = Job { goal: self.usual_goal(), ..job.clone() };
        let analysis = self.analyze(&job)?;
        let p = self.position_of(&job)?;
        let mut line: Vec<G::Move> = Vec::new();
        let (mut end, mut next) = (p, analysis.verdict.pv.clone());
        while !next.is_empty() {
            for text in next {
                let m = self.game.parse_move(&end, &text)?;
                line.push(m);
                end = self.game.play(&end, m);
            }
            let time = match job.budget.time.map(|t| t.checked_sub(start.elapsed())) {
                _ if self.game.outcome(&end).is_some() || analysis.verdict.status != "solved" => break,
                Some(None | Some(Duration::ZERO)) => break,
                left => left.flatten(),
            };
            // A table forgets the ends of long lines: ask again from where the line stops.
            let budget = Budget { time, ..job.budget };
            let on = Job { position: Some(self.game.position_text(&end)), budget, ..job.clone() };
            let verdict = self.solve(&on)?;
            next = if verdict.status == "solved" { verdict.pv } else { Vec::new() };
        }
        Ok(reason::explain(&self.game, &p, &analysis, &line))
    }

    fn think(&self, job: &Job, limits: Limits) -> Result<wire::Thought, Refusal> {
        let watch = Watch::new(job);
        let task = self.task(job, &watch)?;
        let p = self.position_of(job)?;
        let thought = think(&task.game, &p, limits, &watch);
        Ok(wire::Thought {
            best: self.texts(&p, thought.best.as_slice()).pop(),
            score: thought.score,
            pv: self.texts(&p, &thought.pv),
            depths: thought.depths,
        })
    }

    fn side(&self, word: &str) -> Result<Side, InputError> {
        self.game.parse_side(word)
    }
}
