//! Questions that are answered at once, or as far as a short time allows.

use std::{
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use ludex_core::{Budget, Error, ErrorCode, Status};
use ludex_judge::{
    AnyGame, Goal, Question, Terms,
    answer::{ErrorLine, Puzzle, Review, VERSION},
};
use serde::Serialize;

use super::{Ask, Body, games::any_seed};
use crate::{
    ApiError, Config, Service,
    answers::{Answer, Subject},
    board::{self, Location},
    engine,
    judge::Inquiry,
    objects::{Analyses, AnalysesKind, AnalysisOrError, Choice, ChoiceKind},
    part::{MOST, MOST_OF_SEVERAL, Part},
    requests::{AnalyzeBody, AnalyzeQuery, ChooseBody, ExplainQuery, PuzzleQuery, goal, millis, number},
};

/// The memory of a short question, in bytes.
const MEMORY: u64 = 64 << 20;

/// A short question about a position.
fn inquiry(config: &Config, subject: &Subject, time: Duration) -> Inquiry {
    let budget = Budget { time: Some(time), nodes: None, memory: config.job_memory.min(MEMORY), threads: 1 };
    Inquiry {
        game: subject.game.clone(),
        question: Question { goal: subject.goal, budget, ..Question::at(&subject.position) },
        any_memory: true,
    }
}

pub(crate) async fn analyze(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<AnalyzeQuery>,
) -> Result<Response, ApiError> {
    let part = query.part.part()?;
    // Another part is another answer; the usual one is kept under the name of the question alone.
    let name = if part == Part::default() { "analyze".into() } else { format!("analyze {part:?}") };
    let ask = move |game: &dyn AnyGame, question: &Question, terms: &Terms| {
        let analysis = game.analyze(question, terms)?;
        Ok((analysis.verdict.status, part.cut(analysis)))
    };
    direct(service, query.question, name, ask).await
}

pub(crate) async fn explain(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<ExplainQuery>,
) -> Result<Response, ApiError> {
    let ask = |game: &dyn AnyGame, question: &Question, terms: &Terms| {
        let explanation = game.explain(question, terms)?;
        Ok((explanation.status, explanation))
    };
    direct(service, query, "explain".into(), ask).await
}

/// Answer from memory, or ask and remember what is final.
async fn direct<T: Serialize>(
    service: Arc<Service>,
    query: ExplainQuery,
    name: String,
    verb: impl Fn(&dyn AnyGame, &Question, &Terms) -> Result<(Status, T), Error> + Send + 'static,
) -> Result<Response, ApiError> {
    let goal = goal(query.goal.as_deref())?;
    let time = millis(query.time.as_deref(), service.config.analyze_time)?;
    let location = query.location.location()?;
    let shared = service.clone();
    // What was asked, letter by letter: the same question again needs no parsing.
    let asked = format!("{goal:?}\n{location:?}");
    let subject = match service.answers.subject(&asked) {
        Some(subject) => subject,
        None => {
            let subject = service.look(move || {
                let found = board::find(&shared.judge.registry, &location)?;
                Ok(Arc::new(Subject::of(found, goal)))
            });
            let subject = subject.await?;
            service.answers.is_about(asked, subject.clone());
            subject
        }
    };
    let question = format!("{name}\n{}\n{}\n{:?}", subject.game, subject.position, subject.goal);
    let shared = service.clone();
    let ask = service.analyze(time, move |cancel| {
        shared.metrics.analyses.fetch_add(1, Relaxed);
        let inquiry = inquiry(&shared.config, &subject, time);
        let (status, answer) = shared.judge.ask(&inquiry, shared.judge.terms(cancel), verb)?;
        let body = serde_json::to_vec(&answer).map_err(|_| ApiError::internal())?;
        Ok(Answer { body: body.into(), is_final: status == Status::Solved, time })
    });
    let (answer, made) = service.answers.get_or::<ApiError>(&question, time, ask).await?;
    if !made {
        service.metrics.cache_hits.fetch_add(1, Relaxed);
    }
    Ok(([(header::CONTENT_TYPE, "application/json")], answer.body).into_response())
}

pub(crate) async fn analyze_all(
    State(service): State<Arc<Service>>,
    Body(body): Body<AnalyzeBody>,
) -> Result<Json<Analyses>, ApiError> {
    let goal = goal(body.goal.as_deref())?;
    let (count, limit) = (body.positions.len(), service.config.positions);
    if count > limit {
        return Err(ApiError::new(
            ErrorCode::TooManyPositions,
            format!("{count} positions in one request"),
            format!("ask for at most {limit} at a time"),
        ));
    }
    if body.time == Some(0) {
        return Err(ApiError::new(
            ErrorCode::BadTime,
            "no time at all",
            "a number of milliseconds from 1 on",
        ));
    }
    let share = (MOST_OF_SEVERAL / count.max(1)).min(MOST);
    let part = Part { offset: 0, limit: body.limit.unwrap_or(share) };
    if part.limit > share {
        let message = format!("{} moves of each of {count} positions", part.limit);
        return Err(ApiError::new(
            ErrorCode::BadBody,
            message,
            format!("a limit of at most {share}, or fewer positions"),
        ));
    }
    let shared = service.clone();
    let time = service.config.analyze_time;
    service
        .analyze(time, move |cancel| {
            let judge = &shared.judge;
            judge.registry.open_foreign(&body.game)?;
            let each = time / count.max(1) as u32;
            let each = each.min(body.time.map_or(Duration::MAX, Duration::from_millis));
            let mut results = Vec::with_capacity(count);
            for position in body.positions {
                let location =
                    Location { game: body.game.clone(), position: Some(position), ..Location::default() };
                let answer = board::find(&judge.registry, &location).and_then(|found| {
                    let inquiry = inquiry(&shared.config, &Subject::of(found, goal), each);
                    judge.ask(&inquiry, judge.terms(cancel), |game, q, terms| game.analyze(q, terms))
                });
                results.push(match answer {
                    Ok(analysis) => AnalysisOrError::Analysis(part.cut(analysis)),
                    Err(error) => AnalysisOrError::Error(ErrorLine::from(error)),
                });
            }
            Ok(Json(Analyses { kind: AnalysesKind::Analyses, version: VERSION, game: body.game, results }))
        })
        .await
}

/// What every move of a game kept or gave away. It may take as long as an engine's move.
pub(crate) async fn review(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<ExplainQuery>,
) -> Result<Json<Review>, ApiError> {
    let goal = goal(query.goal.as_deref())?;
    let time = millis(query.time.as_deref(), service.config.move_time)?;
    let location = query.location.location()?;
    let shared = service.clone();
    service
        .think(time, move |cancel| {
            let found = board::find(&shared.judge.registry, &location)?;
            let start = found.start.clone();
            let inquiry = inquiry(&shared.config, &Subject::of(found, goal), time);
            let ask = |game: &dyn AnyGame, q: &Question, terms: &Terms| {
                ludex_judge::review(game, &start, &location.play, q, terms)
            };
            Ok(Json(shared.judge.ask(&inquiry, shared.judge.terms(cancel), ask)?))
        })
        .await
}

/// A position in which exactly one move wins.
pub(crate) async fn puzzle(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<PuzzleQuery>,
) -> Result<Json<Puzzle>, ApiError> {
    let time = millis(query.time.as_deref(), service.config.analyze_time)?;
    let plies = number(query.plies.as_deref(), "plies")?;
    let mut location = query.from.location()?;
    let seed = location.seed.unwrap_or_else(any_seed);
    location.seed = Some(seed);
    let shared = service.clone();
    service
        .analyze(time, move |cancel| {
            let found = board::find(&shared.judge.registry, &location)?;
            let mut inquiry = inquiry(&shared.config, &Subject::of(found, Some(Goal::Distance)), time);
            // From the start, and from any deal, unless a position was named.
            if location.text().is_none() && location.play.is_empty() {
                inquiry.question.position = None;
            }
            let terms = shared.judge.terms(cancel);
            let ask = |game: &dyn AnyGame, q: &Question, terms: &Terms| game.puzzle(q, terms, seed, plies);
            Ok(Json(shared.judge.ask(&inquiry, terms, ask)?))
        })
        .await
}

pub(crate) async fn choose(
    State(service): State<Arc<Service>>,
    Body(body): Body<ChooseBody>,
) -> Result<Json<Choice>, ApiError> {
    let level = engine::level(body.level.as_deref())?;
    let location = Location { game: body.game, position: body.position, ..Location::default() };
    let shared = service.clone();
    let time = body.time.map_or(service.config.analyze_time, Duration::from_millis);
    // Never more than the server allows, even if that is less than the least time for a move.
    let time = time.max(Duration::from_millis(10)).min(service.config.move_time);
    service
        .think(time, move |cancel| {
            let (judge, config) = (&shared.judge, &shared.config);
            let found = board::find(&judge.registry, &location)?;
            let (seen, _) = found.game.view_part(&found.position, 0..0)?;
            if seen.over.is_some() {
                return Err(ApiError::new(
                    ErrorCode::GameOver,
                    "the game is over",
                    "go back a move, or start a new game",
                ));
            }
            let seed = body.seed.unwrap_or_else(any_seed);
            let inquiry = inquiry(config, &Subject::of(found, None), time);
            let (text, certain) = engine::choose(judge, level, &inquiry, seen.to_move, seed, cancel)?;
            Ok(Json(Choice {
                kind: ChoiceKind::Choice,
                version: VERSION,
                game: inquiry.game,
                position: inquiry.question.position.unwrap_or_default(),
                to_move: seen.to_move,
                level: level.name.into(),
                text,
                certain,
            }))
        })
        .await
}
