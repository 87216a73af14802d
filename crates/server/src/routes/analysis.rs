//! Questions that are answered at once, or as far as a short time allows.

use std::sync::{Arc, atomic::Ordering::Relaxed};

use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use ludex_core::{Error, Status};
use ludex_judge::{
    AnyGame, Question, Terms,
    answer::{Puzzle, Review},
};
use serde::Serialize;

use super::{Ask, Body};
use crate::{
    ApiError, Service,
    answers::Answer,
    board, engine,
    judge::Subject,
    objects::{Analyses, Choice},
    part::Part,
    questions::{self, Several},
    requests::{AnalyzeBody, AnalyzeQuery, ChooseBody, ExplainQuery, PuzzleQuery, goal, millis},
};

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
        let inquiry = shared.judge.inquiry(&subject, time);
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
    let several = Several::read(&service.judge, body)?;
    let judge = service.judge.clone();
    service
        .analyze(service.config.analyze_time, move |cancel| Ok(Json(several.answer(&judge, cancel)?)))
        .await
}

/// What every move of a game kept or gave away. It may take as long as an engine's move.
pub(crate) async fn review(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<ExplainQuery>,
) -> Result<Json<Review>, ApiError> {
    let time = millis(query.time.as_deref(), service.config.move_time)?;
    let judge = service.judge.clone();
    service.think(time, move |cancel| Ok(Json(questions::review(&judge, query, cancel)?))).await
}

/// A position in which exactly one move wins.
pub(crate) async fn puzzle(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<PuzzleQuery>,
) -> Result<Json<Puzzle>, ApiError> {
    let time = millis(query.time.as_deref(), service.config.analyze_time)?;
    let judge = service.judge.clone();
    service.analyze(time, move |cancel| Ok(Json(questions::puzzle(&judge, query, cancel)?))).await
}

pub(crate) async fn choose(
    State(service): State<Arc<Service>>,
    Body(body): Body<ChooseBody>,
) -> Result<Json<Choice>, ApiError> {
    // A level that there is not takes nobody's turn.
    engine::level(body.level.as_deref())?;
    let judge = service.judge.clone();
    service
        .think(questions::move_time(&judge, &body), move |cancel| {
            Ok(Json(questions::choose(&judge, body, cancel)?))
        })
        .await
}
