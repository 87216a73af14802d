//! Games and positions: nothing here searches, and all but random play is short.

use std::sync::Arc;

use axum::{Json, extract::State};
use ludex_judge::answer::Rules;

use super::{Ask, Body};
use crate::{
    ApiError, Service, board,
    objects::{Game, Games, Imported, Position, Tables},
    questions,
    requests::{GameQuery, ImportBody, PlayBody, PositionQuery, RandomQuery},
};

pub(crate) async fn games(State(service): State<Arc<Service>>) -> Result<Json<Games>, ApiError> {
    let judge = service.judge.clone();
    service.look(move || Ok(Json(board::families(&judge.registry)))).await
}

pub(crate) async fn game(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<GameQuery>,
) -> Result<Json<Game>, ApiError> {
    let judge = service.judge.clone();
    service.look(move || Ok(Json(board::about(&judge.registry, &query.game)?))).await
}

pub(crate) async fn rules(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<GameQuery>,
) -> Result<Json<Rules>, ApiError> {
    let judge = service.judge.clone();
    service.look(move || Ok(Json(ludex_judge::rules(&judge.registry, &query.game)?))).await
}

pub(crate) async fn import(
    State(service): State<Arc<Service>>,
    Body(body): Body<ImportBody>,
) -> Result<Json<Imported>, ApiError> {
    let judge = service.judge.clone();
    service.look(move || Ok(Json(questions::import(&judge, &body)?))).await
}

pub(crate) async fn position(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<PositionQuery>,
) -> Result<Json<Position>, ApiError> {
    let judge = service.judge.clone();
    service.look(move || Ok(Json(questions::position(&judge, query)?))).await
}

pub(crate) async fn play(
    State(service): State<Arc<Service>>,
    Body(body): Body<PlayBody>,
) -> Result<Json<Position>, ApiError> {
    let judge = service.judge.clone();
    service.look(move || Ok(Json(questions::play(&judge, body)?))).await
}

pub(crate) async fn random(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<RandomQuery>,
) -> Result<Json<Position>, ApiError> {
    let judge = service.judge.clone();
    service
        .analyze(service.config.analyze_time, move |cancel| {
            Ok(Json(questions::random(&judge, query, cancel)?))
        })
        .await
}

pub(crate) async fn tables(State(service): State<Arc<Service>>) -> Result<Json<Tables>, ApiError> {
    let judge = service.judge.clone();
    service.look(move || Ok(Json(questions::tables(&judge)))).await
}
