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
    answer::{Analysis, ErrorLine, Explanation, Puzzle, Review, VERSION},
};
use serde::Serialize;

use super::{Ask, Body, games::any_seed};
use crate::{
    ApiError, Config, Service,
    answers::Answer,
    board::{self, Found, Location},
    engine,
    judge::Inquiry,
    objects::{Analyses, AnalysesKind, AnalysisOrError, Choice, ChoiceKind},
    requests::{AnalyzeBody, AnalyzeQuery, ChooseBody, LocationQuery, goal, number},
};

/// The memory of a short question, in bytes.
const MEMORY: u64 = 64 << 20;

/// A short question about a position that was found.
fn inquiry(config: &Config, found: &Found, goal: Option<Goal>, time: Duration) -> Inquiry {
    let budget = Budget { time: Some(time), nodes: None, memory: config.job_memory.min(MEMORY), threads: 1 };
    let goal = goal.unwrap_or_else(|| found.game.usual_goal());
    Inquiry {
        game: found.game.spec(),
        question: Question { goal, budget, ..Question::at(&found.position) },
        any_memory: true,
    }
}

pub(crate) async fn analyze(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<AnalyzeQuery>,
) -> Result<Response, ApiError> {
    let status = |analysis: &Analysis| analysis.verdict.status;
    direct(service, query, "analyze", |game, question, terms| game.analyze(question, terms), status).await
}

pub(crate) async fn explain(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<AnalyzeQuery>,
) -> Result<Response, ApiError> {
    let status = |explanation: &Explanation| explanation.status;
    direct(service, query, "explain", |game, question, terms| game.explain(question, terms), status).await
}

/// Answer from memory, or ask and remember what is final.
async fn direct<T: Serialize>(
    service: Arc<Service>,
    query: AnalyzeQuery,
    name: &str,
    verb: impl Fn(&dyn AnyGame, &Question, &Terms) -> Result<T, Error> + Send + 'static,
    status: impl Fn(&T) -> Status + Send + 'static,
) -> Result<Response, ApiError> {
    let goal = goal(query.goal.as_deref())?;
    let millis = number(query.time.as_deref(), "time")?.unwrap_or(u64::MAX);
    let time = Duration::from_millis(millis).min(service.config.analyze_time);
    let location = query.location.location()?;
    // What was asked, letter by letter: the same question again needs no parsing.
    let asked = format!("{name}\n{goal:?}\n{location:?}");
    let shared = service.clone();
    let ask = service.work(move |cancel| {
        let found = board::find(&shared.judge.registry, &location)?;
        shared.metrics.analyses.fetch_add(1, Relaxed);
        let inquiry = inquiry(&shared.config, &found, goal, time);
        let answer = shared.judge.ask(&inquiry, shared.judge.terms(cancel), verb)?;
        let body = serde_json::to_vec(&answer).map_err(|_| ApiError::internal())?;
        Ok(Answer { body: body.into(), is_final: status(&answer) == Status::Solved, time })
    });
    let (answer, made) = service.answers.get_or::<ApiError>(&asked, time, ask).await?;
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
    let limit = service.config.positions;
    if body.positions.len() > limit {
        return Err(ApiError::new(
            ErrorCode::TooManyPositions,
            format!("{} positions in one request", body.positions.len()),
            format!("ask for at most {limit} at a time"),
        ));
    }
    let shared = service.clone();
    service
        .work(move |cancel| {
            let judge = &shared.judge;
            judge.registry.open_foreign(&body.game)?;
            let each = shared.config.analyze_time / body.positions.len().max(1) as u32;
            let each = each.min(body.time.map_or(Duration::MAX, Duration::from_millis));
            let mut results = Vec::with_capacity(body.positions.len());
            for position in body.positions {
                if cancel.is_cancelled() {
                    break;
                }
                let location =
                    Location { game: body.game.clone(), position: Some(position), ..Location::default() };
                let answer = board::find(&judge.registry, &location).and_then(|found| {
                    let inquiry = inquiry(&shared.config, &found, goal, each);
                    judge.ask(&inquiry, judge.terms(cancel), |game, q, terms| game.analyze(q, terms))
                });
                results.push(match answer {
                    Ok(analysis) => AnalysisOrError::Analysis(analysis),
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
    Ask(query): Ask<AnalyzeQuery>,
) -> Result<Json<Review>, ApiError> {
    let goal = goal(query.goal.as_deref())?;
    let millis = number(query.time.as_deref(), "time")?.unwrap_or(u64::MAX);
    let time = Duration::from_millis(millis).min(service.config.move_time);
    let location = query.location.location()?;
    let shared = service.clone();
    service
        .think(move |cancel| {
            let found = board::find(&shared.judge.registry, &location)?;
            let inquiry = inquiry(&shared.config, &found, goal, time);
            let (start, moves) = (found.start, location.play);
            let ask = |game: &dyn AnyGame, q: &Question, terms: &Terms| {
                ludex_judge::review(game, &start, &moves, q, terms)
            };
            Ok(Json(shared.judge.ask(&inquiry, shared.judge.terms(cancel), ask)?))
        })
        .await
}

/// A position in which exactly one move wins.
pub(crate) async fn puzzle(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<LocationQuery>,
) -> Result<Json<Puzzle>, ApiError> {
    let mut location = query.location()?;
    let seed = location.seed.unwrap_or_else(any_seed);
    location.seed = Some(seed);
    let shared = service.clone();
    service
        .work(move |cancel| {
            let found = board::find(&shared.judge.registry, &location)?;
            let mut inquiry =
                inquiry(&shared.config, &found, Some(Goal::Distance), shared.config.analyze_time);
            // From the start, and from any deal, unless a position was named.
            if location.text().is_none() && location.play.is_empty() {
                inquiry.question.position = None;
            }
            let terms = shared.judge.terms(cancel);
            let ask = |game: &dyn AnyGame, q: &Question, terms: &Terms| game.puzzle(q, terms, seed, None);
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
    service
        .think(move |cancel| {
            let (judge, config) = (&shared.judge, &shared.config);
            let found = board::find(&judge.registry, &location)?;
            let seen = found.game.view(&found.position)?;
            if seen.over.is_some() {
                return Err(ApiError::new(
                    ErrorCode::GameOver,
                    "the game is over",
                    "go back a move, or start a new game",
                ));
            }
            let seed = body.seed.unwrap_or_else(any_seed);
            let time = body.time.map_or(config.analyze_time, Duration::from_millis);
            let time = time.clamp(Duration::from_millis(10), config.move_time);
            let inquiry = inquiry(config, &found, None, time);
            let (text, certain) = engine::choose(judge, level, &inquiry, seen.to_move, seed, cancel)?;
            Ok(Json(Choice {
                kind: ChoiceKind::Choice,
                version: VERSION,
                game: inquiry.game,
                position: found.position,
                to_move: seen.to_move,
                level: level.name.into(),
                text,
                certain,
            }))
        })
        .await
}
