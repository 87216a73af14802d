//! The questions, each from what was read to the object that answers it.
//!
//! All of them work on the thread that calls them and stop soon after `cancel` is raised.

use std::time::Duration;

use ludex_core::{Budget, Error, ErrorCode, MIN_MEMORY, Side};
use ludex_judge::{
    AnyGame, Cancel, Goal, Question, Reporter, Terms,
    answer::{ErrorLine, Explanation, Puzzle, Review, VERSION},
};

use crate::{
    Inquiry, Judge, Subject,
    board::{self, Location},
    certificate::{Certificates, Walk},
    engine,
    objects::{
        Analyses, AnalysesKind, AnalysisOrError, Choice, ChoiceKind, Imported, ImportedKind, JobKind,
        JobProgress, JobResult, PartialAnalysis, Position, Tables, TablesKind,
    },
    part::{MOST, MOST_OF_SEVERAL, Part},
    requests::{
        AnalyzeBody, AnalyzeQuery, ChooseBody, ExplainQuery, ImportBody, PlayBody, PositionQuery, ProveQuery,
        PuzzleQuery, RandomQuery, SolveBody, WalkQuery, goal, millis, number,
    },
};

/// The least time for the move of an engine.
const LEAST_MOVE_TIME: Duration = Duration::from_millis(10);

/// A game as another program writes it.
///
/// # Errors
/// If nobody knows the text.
pub fn import(judge: &Judge, body: &ImportBody) -> Result<Imported, Error> {
    let game = judge.registry.import(&body.text)?;
    let spec = judge.registry.open_foreign(&game.spec)?.spec();
    Ok(Imported { kind: ImportedKind::Imported, version: VERSION, game: spec, moves: game.moves })
}

/// A position with all that is needed to show it.
///
/// # Errors
/// If the query is wrong.
pub fn position(judge: &Judge, query: PositionQuery) -> Result<Position, Error> {
    let part = query.part.part()?;
    board::find(&judge.registry, &query.location.location()?)?.show(part)
}

/// The position after a move.
///
/// # Errors
/// If the position or the move is wrong.
pub fn play(judge: &Judge, body: PlayBody) -> Result<Position, Error> {
    let PlayBody { game, position, text } = body;
    let location = Location { game, position, play: vec![text], seed: None };
    board::find(&judge.registry, &location)?.show(Part::default())
}

/// A random position that is not the end of a game.
///
/// # Errors
/// If the query is wrong.
pub fn random(judge: &Judge, query: RandomQuery, cancel: &Cancel) -> Result<Position, Error> {
    let plies = number(query.plies.as_deref(), "plies")?;
    let mut location = query.from.location()?;
    let seed = location.seed.unwrap_or_else(|| judge.any_seed());
    location.seed = Some(seed);
    let played = board::find(&judge.registry, &location)?.wander(plies, seed, cancel)?;
    location.play.extend(played);
    board::find(&judge.registry, &location)?.show(Part::default())
}

/// The tables and books that are present.
#[must_use]
pub fn tables(judge: &Judge) -> Tables {
    Tables { kind: TablesKind::Tables, version: VERSION, tables: judge.tables() }
}

/// What a query is about, and how long it may take.
fn short(judge: &Judge, query: ExplainQuery) -> Result<Inquiry, Error> {
    let goal = goal(query.goal.as_deref())?;
    let time = millis(query.time.as_deref(), judge.limits.analyze_time)?;
    let found = board::find(&judge.registry, &query.location.location()?)?;
    Ok(judge.inquiry(&Subject::of(found, goal), time))
}

/// The value of every legal move.
///
/// # Errors
/// If the query is wrong.
pub fn analyze(judge: &Judge, query: AnalyzeQuery, cancel: &Cancel) -> Result<PartialAnalysis, Error> {
    let part = query.part.part()?;
    let inquiry = short(judge, query.question)?;
    Ok(part.cut(judge.ask(&inquiry, judge.terms(cancel), |game, q, terms| game.analyze(q, terms))?))
}

/// Why a position is worth what it is.
///
/// # Errors
/// If the query is wrong.
pub fn explain(judge: &Judge, query: ExplainQuery, cancel: &Cancel) -> Result<Explanation, Error> {
    let inquiry = short(judge, query)?;
    judge.ask(&inquiry, judge.terms(cancel), |game, q, terms| game.explain(q, terms))
}

/// Several positions of a game, whose limits are known to be right.
#[derive(Clone, Debug)]
pub struct Several {
    body: AnalyzeBody,
    goal: Option<Goal>,
    part: Part,
}

impl Several {
    /// Read a request.
    ///
    /// # Errors
    /// If it asks for too much.
    pub fn read(judge: &Judge, body: AnalyzeBody) -> Result<Self, Error> {
        let goal = goal(body.goal.as_deref())?;
        let (count, limit) = (body.positions.len(), judge.limits.positions);
        if count > limit {
            return Err(Error::new(
                ErrorCode::TooManyPositions,
                format!("{count} positions in one request"),
                format!("ask for at most {limit} at a time"),
            ));
        }
        if body.time == Some(0) {
            return Err(Error::new(
                ErrorCode::BadTime,
                "no time at all",
                "a number of milliseconds from 1 on",
            ));
        }
        let share = (MOST_OF_SEVERAL / count.max(1)).min(MOST);
        let part = Part { offset: 0, limit: body.limit.unwrap_or(share) };
        if part.limit > share {
            let message = format!("{} moves of each of {count} positions", part.limit);
            return Err(Error::new(
                ErrorCode::BadBody,
                message,
                format!("a limit of at most {share}, or fewer positions"),
            ));
        }
        Ok(Self { body, goal, part })
    }

    /// Analyse them one after the other.
    ///
    /// # Errors
    /// If there is no such game. What is wrong with a position is its answer.
    pub fn answer(self, judge: &Judge, cancel: &Cancel) -> Result<Analyses, Error> {
        let Self { body, goal, part } = self;
        judge.registry.open_foreign(&body.game)?;
        let count = body.positions.len();
        let each = judge.limits.analyze_time / count.max(1) as u32;
        let each = each.min(body.time.map_or(Duration::MAX, Duration::from_millis));
        let mut results = Vec::with_capacity(count);
        for position in body.positions {
            let location =
                Location { game: body.game.clone(), position: Some(position), ..Location::default() };
            let answer = board::find(&judge.registry, &location).and_then(|found| {
                let inquiry = judge.inquiry(&Subject::of(found, goal), each);
                judge.ask(&inquiry, judge.terms(cancel), |game, q, terms| game.analyze(q, terms))
            });
            results.push(match answer {
                Ok(analysis) => AnalysisOrError::Analysis(part.cut(analysis)),
                Err(error) => AnalysisOrError::Error(ErrorLine::from(error)),
            });
        }
        Ok(Analyses { kind: AnalysesKind::Analyses, version: VERSION, game: body.game, results })
    }
}

/// What every move of a game kept or gave away. It may take as long as an engine's move.
///
/// # Errors
/// If the query is wrong.
pub fn review(judge: &Judge, query: ExplainQuery, cancel: &Cancel) -> Result<Review, Error> {
    let goal = goal(query.goal.as_deref())?;
    let time = millis(query.time.as_deref(), judge.limits.move_time)?;
    let location = query.location.location()?;
    let found = board::find(&judge.registry, &location)?;
    let start = found.start.clone();
    let inquiry = judge.inquiry(&Subject::of(found, goal), time);
    let ask = |game: &dyn AnyGame, q: &Question, terms: &Terms| {
        ludex_judge::review(game, &start, &location.play, q, terms)
    };
    judge.ask(&inquiry, judge.terms(cancel), ask)
}

/// A position in which exactly one move wins.
///
/// # Errors
/// If the query is wrong, or none was found in its time.
pub fn puzzle(judge: &Judge, query: PuzzleQuery, cancel: &Cancel) -> Result<Puzzle, Error> {
    let time = millis(query.time.as_deref(), judge.limits.analyze_time)?;
    let plies = number(query.plies.as_deref(), "plies")?;
    let mut location = query.from.location()?;
    let seed = location.seed.unwrap_or_else(|| judge.any_seed());
    location.seed = Some(seed);
    let found = board::find(&judge.registry, &location)?;
    let mut inquiry = judge.inquiry(&Subject::of(found, Some(Goal::Distance)), time);
    // From the start, and from any deal, unless a position was named.
    if location.text().is_none() && location.play.is_empty() {
        inquiry.question.position = None;
    }
    let ask = |game: &dyn AnyGame, q: &Question, terms: &Terms| game.puzzle(q, terms, seed, plies);
    judge.ask(&inquiry, judge.terms(cancel), ask)
}

/// How long an engine may think: never more than is allowed, even if that is less than the least time for a move.
#[must_use]
pub fn move_time(judge: &Judge, body: &ChooseBody) -> Duration {
    let time = body.time.map_or(judge.limits.analyze_time, Duration::from_millis);
    time.max(LEAST_MOVE_TIME).min(judge.limits.move_time)
}

/// The move of an engine.
///
/// # Errors
/// If the request is wrong, or the game is over.
pub fn choose(judge: &Judge, body: ChooseBody, cancel: &Cancel) -> Result<Choice, Error> {
    let (level, time) = (engine::level(body.level.as_deref())?, move_time(judge, &body));
    let location = Location { game: body.game, position: body.position, ..Location::default() };
    let found = board::find(&judge.registry, &location)?;
    let (seen, _) = found.game.view_part(&found.position, 0..0)?;
    if seen.over.is_some() {
        return Err(Error::new(
            ErrorCode::GameOver,
            "the game is over",
            "go back a move, or start a new game",
        ));
    }
    let seed = body.seed.unwrap_or_else(|| judge.any_seed());
    let inquiry = judge.inquiry(&Subject::of(found, None), time);
    let (text, certain) = engine::choose(judge, level, &inquiry, seen.to_move, seed, cancel)?;
    Ok(Choice {
        kind: ChoiceKind::Choice,
        version: VERSION,
        game: inquiry.game,
        position: inquiry.question.position.unwrap_or_default(),
        to_move: seen.to_move,
        level: level.name.into(),
        text,
        certain,
    })
}

/// A certificate of what a position is worth, as the bytes of a file.
///
/// # Errors
/// If the query is wrong, or nothing could be proved in its time.
pub fn prove(judge: &Judge, query: ProveQuery, cancel: &Cancel) -> Result<Vec<u8>, Error> {
    let time = millis(query.time.as_deref(), judge.limits.move_time)?;
    let found = board::find(&judge.registry, &query.location.location()?)?;
    let question = Question { budget: judge.short(time), ..Question::at(&found.position) };
    let inquiry = Inquiry { game: found.game.spec(), question, any_memory: true };
    let ask = |game: &dyn AnyGame, q: &Question, terms: &Terms| game.prove(q, &[], 0, terms);
    judge.ask(&inquiry, judge.terms(cancel), ask)
}

/// Check a certificate, and walk through it.
///
/// # Errors
/// If it proves nothing, or there is no such claim or move.
pub fn walk(
    judge: &Judge,
    certificates: &Certificates,
    query: WalkQuery,
    file: &[u8],
    cancel: &Cancel,
) -> Result<Walk, Error> {
    let claim = number::<usize>(query.claim.as_deref(), "claim")?.unwrap_or(1);
    let moves: Vec<String> = query.play.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let Some(claim) = claim.checked_sub(1) else {
        return Err(Error::new(ErrorCode::BadClaim, "there is no claim 0", "claims are numbered from 1"));
    };
    certificates.open(file, &judge.registry, cancel)?.walk(claim, &moves)
}

/// A long search that can be started.
#[derive(Clone, Debug)]
pub struct LongSearch {
    /// The canonical spec.
    pub game: String,
    /// The position text.
    pub position: String,
    /// What is asked.
    pub kind: JobKind,
    /// The longest it may take.
    pub time: Duration,
    question: Question,
    to_move: Side,
    names: [&'static str; 2],
}

/// The limits of a long search, cut down to what is allowed.
///
/// # Errors
/// If it has no time or no threads at all.
pub fn budget(judge: &Judge, body: &SolveBody) -> Result<Budget, Error> {
    let time = body.time.unwrap_or(f64::MAX);
    if time.is_nan() || time < 0.001 {
        return Err(Error::new(
            ErrorCode::BadTime,
            format!("a job cannot take {time} s"),
            "seconds, 0.001 or more",
        ));
    }
    if body.threads == Some(0) {
        return Err(Error::new(ErrorCode::BadThreads, "no threads at all", "a number of threads from 1 on"));
    }
    let threads = usize::try_from(body.threads.unwrap_or(1)).unwrap_or(usize::MAX);
    Ok(Budget {
        time: Some(Duration::from_secs_f64(time.min(judge.limits.job_time.as_secs_f64()))),
        nodes: body.nodes,
        memory: body.memory.unwrap_or(u64::MAX).min(judge.limits.memory).max(MIN_MEMORY),
        threads: threads.clamp(1, judge.limits.threads.max(1)),
    })
}

impl LongSearch {
    /// Read a request. What no search would take is refused here.
    ///
    /// # Errors
    /// If the request is wrong.
    pub fn read(judge: &Judge, body: SolveBody) -> Result<Self, Error> {
        let (kind, goal, budget) = (body.kind()?, goal(body.goal.as_deref())?, budget(judge, &body)?);
        let location = Location { game: body.game, position: body.position, ..Location::default() };
        let found = board::find(&judge.registry, &location)?;
        let to_move = found.game.view_part(&found.position, 0..0)?.0.to_move;
        let usual = if kind == JobKind::Solve { Goal::Wdl } else { found.game.usual_goal() };
        let time = budget.time.unwrap_or(judge.limits.job_time);
        let question = Question {
            goal: goal.unwrap_or(usual),
            budget,
            solver: body.solver,
            without: body.without,
            ..Question::at(&found.position)
        };
        found.game.check(&question, &judge.terms(&Cancel::new()))?;
        let (game, names) = (found.game.spec(), found.game.side_names());
        Ok(Self { game, position: found.position, kind, time, question, to_move, names })
    }

    /// Search until the end, the limits, or `cancel`.
    ///
    /// # Errors
    /// If the games contradict themselves.
    pub fn run(
        self,
        judge: &Judge,
        cancel: &Cancel,
        tell: impl Fn(JobProgress) + Send + Sync + 'static,
    ) -> Result<JobResult, Error> {
        let Self { names, to_move, .. } = self;
        let progress: Reporter = std::sync::Arc::new(move |p| tell(JobProgress::new(p, names, to_move)));
        let terms = Terms { progress: Some(progress), ..judge.terms(cancel) };
        let inquiry = Inquiry { game: self.game, question: self.question, any_memory: false };
        match self.kind {
            JobKind::Solve => judge.ask(&inquiry, terms, |g, q, t| g.solve(q, t)).map(JobResult::Verdict),
            JobKind::Analyze => {
                let analysis = judge.ask(&inquiry, terms, |g, q, t| g.analyze(q, t))?;
                let total_moves = analysis.moves.len();
                Ok(JobResult::Analysis(PartialAnalysis { analysis, total_moves }))
            }
        }
    }
}
