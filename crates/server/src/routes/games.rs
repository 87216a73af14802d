//! Games and positions: nothing here searches, and all but random play is short.

use std::sync::Arc;

use axum::{Json, extract::State};
use ludex_judge::answer::{Rules, VERSION};

use super::{Ask, Body};
use crate::{
    ApiError, Service,
    board::{self, Location},
    objects::{Game, Games, Imported, ImportedKind, Position, Tables, TablesKind},
    part::Part,
    requests::{GameQuery, ImportBody, PlayBody, PositionQuery, RandomQuery, number},
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
    service
        .look(move || {
            let game = judge.registry.import(&body.text)?;
            let spec = judge.registry.open_foreign(&game.spec)?.spec();
            let (kind, version) = (ImportedKind::Imported, VERSION);
            Ok(Json(Imported { kind, version, game: spec, moves: game.moves }))
        })
        .await
}

pub(crate) async fn position(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<PositionQuery>,
) -> Result<Json<Position>, ApiError> {
    let part = query.part.part()?;
    show(&service, query.location.location()?, part).await
}

pub(crate) async fn play(
    State(service): State<Arc<Service>>,
    Body(body): Body<PlayBody>,
) -> Result<Json<Position>, ApiError> {
    let PlayBody { game, position, text } = body;
    show(&service, Location { game, position, play: vec![text], seed: None }, Part::default()).await
}

async fn show(service: &Service, location: Location, part: Part) -> Result<Json<Position>, ApiError> {
    let judge = service.judge.clone();
    service.look(move || Ok(Json(board::find(&judge.registry, &location)?.show(part)?))).await
}

pub(crate) async fn random(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<RandomQuery>,
) -> Result<Json<Position>, ApiError> {
    let plies = number(query.plies.as_deref(), "plies")?;
    let mut location = query.from.location()?;
    let seed = location.seed.unwrap_or_else(any_seed);
    location.seed = Some(seed);
    let judge = service.judge.clone();
    service
        .analyze(service.config.analyze_time, move |cancel| {
            let played = board::find(&judge.registry, &location)?.wander(plies, seed, cancel)?;
            location.play.extend(played);
            Ok(Json(board::find(&judge.registry, &location)?.show(Part::default())?))
        })
        .await
}

/// A seed nobody asked for.
pub(crate) fn any_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // Below 2^32, so that people can read it out and JavaScript keeps it exact.
    RandomState::new().hash_one(0) >> 32
}

pub(crate) async fn tables(State(service): State<Arc<Service>>) -> Result<Json<Tables>, ApiError> {
    let judge = service.judge.clone();
    service
        .look(move || Ok(Json(Tables { kind: TablesKind::Tables, version: VERSION, tables: judge.tables() })))
        .await
}
