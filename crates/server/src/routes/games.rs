//! Games and positions: nothing here searches.

use std::{path::PathBuf, sync::Arc};

use axum::{Json, extract::State};
use ludex_judge::table::present;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Ask, Body, PlaceQuery, number};
use crate::{
    ApiError, Service,
    board::{self, PositionView},
};

pub(crate) async fn games(State(service): State<Arc<Service>>) -> Result<Json<Value>, ApiError> {
    service.work(|_| Ok(Json(board::families()))).await
}

#[derive(Deserialize)]
pub(crate) struct GameQuery {
    game: String,
}

pub(crate) async fn game(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<GameQuery>,
) -> Result<Json<Value>, ApiError> {
    service.work(move |_| Ok(Json(board::about(&query.game)?))).await
}

pub(crate) async fn position(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<PlaceQuery>,
) -> Result<Json<PositionView>, ApiError> {
    let place = query.place()?;
    service.work(move |_| Ok(Json(board::view(&place)?))).await
}

/// A move to make.
#[derive(Deserialize)]
pub(crate) struct Play {
    game: String,
    position: Option<String>,
    #[serde(rename = "move")]
    text: String,
}

pub(crate) async fn play(
    State(service): State<Arc<Service>>,
    Body(play): Body<Play>,
) -> Result<Json<PositionView>, ApiError> {
    let place = board::Place { game: play.game, position: play.position, play: vec![play.text], seed: None };
    service.work(move |_| Ok(Json(board::view(&place)?))).await
}

#[derive(Deserialize)]
pub(crate) struct RandomQuery {
    #[serde(flatten)]
    place: PlaceQuery,
    plies: Option<String>,
}

pub(crate) async fn random(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<RandomQuery>,
) -> Result<Json<PositionView>, ApiError> {
    let plies: Option<u32> = number(query.plies.as_deref(), "plies")?;
    let mut place = query.place.place()?;
    let seed = place.seed.unwrap_or_else(any_seed);
    place.seed = Some(seed);
    service
        .work(move |_| {
            place.play.extend(board::wander(&place, plies, seed)?);
            Ok(Json(board::view(&place)?))
        })
        .await
}

/// A seed nobody asked for.
pub(crate) fn any_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // Below 2^32, so that people can read it out and JavaScript keeps it exact.
    RandomState::new().hash_one(0) >> 32
}

pub(crate) async fn tables(State(service): State<Arc<Service>>) -> Result<Json<Value>, ApiError> {
    let oracle = service.oracle.clone();
    service
        .work(move |_| {
            let present = present(oracle.tables().map(PathBuf::as_path));
            Ok(Json(json!({"type": "tables", "version": 1, "tables": present})))
        })
        .await
}
