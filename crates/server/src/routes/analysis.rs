//! Questions that are answered at once, or as far as a short time allows.

use std::{
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use axum::{
    Json,
    body::Bytes,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use ludex_core::Rng;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Ask, Body, PlaceQuery, games::any_seed, number};
use crate::{
    ApiError, Config, Service,
    board::{self, Place},
    levels::Level,
    oracle::{Kind, Question},
};

#[derive(Deserialize)]
pub(crate) struct AnalyzeQuery {
    #[serde(flatten)]
    place: PlaceQuery,
    goal: Option<String>,
    /// Milliseconds.
    time: Option<String>,
}

/// A goal's name if there is one, or what is wrong with it.
pub(crate) fn goal(text: Option<String>) -> Result<Option<String>, ApiError> {
    match text.as_deref() {
        None | Some("") => Ok(None),
        Some("wdl" | "distance") => Ok(text),
        Some(other) => Err(ApiError::bad_request(
            "bad_goal",
            format!("'{other}' is not a goal"),
            "the goals are wdl and distance",
        )),
    }
}

fn question(config: &Config, game: String, position: String, goal: String, time: Duration) -> Question {
    Question {
        game,
        position,
        kind: Kind::Analyze,
        goal,
        time: time.min(config.analyze_time),
        memory: config.job_memory.min(64 << 20),
        short: true,
        nodes: None,
        threads: 1,
        without: Vec::new(),
        solver: None,
    }
}

fn json_bytes(bytes: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], bytes).into_response()
}

pub(crate) async fn analyze(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<AnalyzeQuery>,
) -> Result<Response, ApiError> {
    direct(service, query, Kind::Analyze).await
}

pub(crate) async fn explain(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<AnalyzeQuery>,
) -> Result<Response, ApiError> {
    direct(service, query, Kind::Explain).await
}

/// Answer from memory, or ask and remember what is final.
async fn direct(service: Arc<Service>, query: AnalyzeQuery, kind: Kind) -> Result<Response, ApiError> {
    let goal = goal(query.goal)?;
    let millis = number(query.time.as_deref(), "time")?.unwrap_or(u64::MAX);
    let place = query.place.place()?;
    // What was asked, letter by letter: the same question again needs no parsing.
    let asked = format!(
        "{}\n{goal:?}\n{}\n{:?}\n{:?}\n{:?}",
        kind.word(),
        place.game,
        place.position,
        place.play,
        place.seed
    );
    if let Some(answer) = service.answers.get(&asked) {
        service.metrics.cache_hits.fetch_add(1, Relaxed);
        return Ok(json_bytes(answer));
    }
    let shared = service.clone();
    let (answer, last) = service
        .work(move |cancel| {
            let at = board::view(&place)?;
            shared.metrics.analyses.fetch_add(1, Relaxed);
            let time = Duration::from_millis(millis);
            let goal = goal.unwrap_or_else(|| at.goal.to_owned());
            let question = Question { kind, ..question(&shared.config, at.game, at.position, goal, time) };
            let answer = shared.oracle.ask(&question, cancel, None)?;
            let last = answer["status"] == "solved";
            Ok((Bytes::from(answer.to_string()), last))
        })
        .await?;
    if last {
        service.answers.put(asked, answer.clone());
    }
    Ok(json_bytes(answer))
}

/// Several positions of one game.
#[derive(Deserialize)]
pub(crate) struct Batch {
    game: String,
    positions: Vec<String>,
    goal: Option<String>,
    /// Milliseconds for each position.
    time: Option<u64>,
}

pub(crate) async fn analyze_all(
    State(service): State<Arc<Service>>,
    Body(batch): Body<Batch>,
) -> Result<Json<Value>, ApiError> {
    let goal = goal(batch.goal)?;
    let limit = service.config.positions;
    if batch.positions.len() > limit {
        return Err(ApiError::bad_request(
            "too_many_positions",
            format!("{} positions in one request", batch.positions.len()),
            format!("ask for at most {limit} at a time"),
        ));
    }
    board::about(&batch.game)?;
    let shared = service.clone();
    service
        .work(move |cancel| {
            let each = shared.config.analyze_time / batch.positions.len().max(1) as u32;
            let each = each.min(batch.time.map_or(Duration::MAX, Duration::from_millis));
            let mut results = Vec::with_capacity(batch.positions.len());
            for position in batch.positions {
                if cancel.is_cancelled() {
                    break;
                }
                let place = Place { game: batch.game.clone(), position: Some(position), ..Place::default() };
                let answer = board::view(&place).map_err(ApiError::from).and_then(|at| {
                    let goal = goal.clone().unwrap_or_else(|| at.goal.to_owned());
                    let question = question(&shared.config, at.game, at.position, goal, each);
                    shared.oracle.ask(&question, cancel, None)
                });
                results.push(answer.unwrap_or_else(|e| e.object()));
            }
            Ok(Json(json!({"type": "analyses", "version": 1, "game": batch.game, "results": results})))
        })
        .await
}

/// A position in which exactly one move wins: found by going astray and asking.
pub(crate) async fn puzzle(
    State(service): State<Arc<Service>>,
    Ask(query): Ask<PlaceQuery>,
) -> Result<Json<Value>, ApiError> {
    let mut place = query.place()?;
    let seed = place.seed.unwrap_or_else(any_seed);
    let shared = service.clone();
    service
        .work(move |cancel| {
            let start = std::time::Instant::now();
            let mut rng = Rng::new(seed);
            let mut found = None;
            let fixed = place.play.len();
            while found.is_none() && start.elapsed() < shared.config.analyze_time && !cancel.is_cancelled() {
                let sub = rng.next_u64() >> 32;
                place.play.truncate(fixed);
                place.seed = Some(sub);
                place.play.extend(board::wander(&place, None, sub)?);
                let at = board::view(&place)?;
                if at.over.is_some() || at.moves.len() < 3 {
                    continue;
                }
                let left = shared.config.analyze_time.saturating_sub(start.elapsed()) / 4;
                let left = left.max(Duration::from_millis(1));
                let question = question(&shared.config, at.game.clone(), at.position.clone(), "distance".into(), left);
                let answer = shared.oracle.ask(&question, cancel, None)?;
                let wins = answer["moves"].as_array().map_or(0, |m| m.iter().filter(|m| m["outcome"] == "win").count());
                if answer["status"] == "solved" && wins == 1 && answer["plies"].as_u64() > Some(1) {
                    found = Some((at, answer));
                }
            }
            let (at, answer) = found.ok_or_else(|| {
                ApiError::not_found(
                    format!("no puzzle of {} was found in the time there is", place.game),
                    "try another seed, or a smaller board",
                )
            })?;
            Ok(Json(json!({
                "type": "puzzle", "version": 1, "game": at.game, "position": at.position, "to_move": at.to_move,
                "seed": seed, "plies": answer["plies"], "solution": answer["pv"], "best": answer["best"],
            })))
        })
        .await
}

/// A position for an engine to move in.
#[derive(Deserialize)]
pub(crate) struct Choose {
    game: String,
    position: Option<String>,
    level: Option<String>,
    seed: Option<u64>,
    /// Milliseconds.
    time: Option<u64>,
}

pub(crate) async fn choose(
    State(service): State<Arc<Service>>,
    Body(wish): Body<Choose>,
) -> Result<Json<Value>, ApiError> {
    let level = Level::named(wish.level.as_deref())?;
    let place = Place { game: wish.game, position: wish.position, ..Place::default() };
    let shared = service.clone();
    service
        .think(move |cancel| {
            let at = board::view(&place)?;
            if at.over.is_some() {
                return Err(ApiError::bad_request("game_over", "the game is over", "go back a move, or start a new game"));
            }
            let seed = wish.seed.unwrap_or_else(any_seed);
            let config = &shared.config;
            let time = wish.time.map_or(config.analyze_time, Duration::from_millis);
            let time = time.clamp(Duration::from_millis(10), config.move_time);
            let (game, position) = (at.game.clone(), at.position.clone());
            let question = Question { time, ..question(config, game, position, "distance".into(), time) };
            let choice = level.choose(&shared.oracle, &question, &at, seed, cancel)?;
            Ok(Json(json!({
                "type": "choice", "version": 1, "game": at.game, "position": at.position, "to_move": at.to_move,
                "level": level.name, "move": choice.text, "certain": choice.certain,
            })))
        })
        .await
}
