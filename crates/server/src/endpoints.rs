//! The API as a table: the router and the OpenAPI document are both made from it, so that neither can lag behind.

use std::sync::Arc;

use axum::{
    extract::DefaultBodyLimit,
    routing::{MethodRouter, get, post},
};
use ludex_judge::answer::{Explanation, Puzzle, Review, Rules};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::{
    Service,
    certificate::{MOST_BYTES, Walk},
    objects::{Analyses, Choice, Game, Games, Health, Imported, Job, PartialAnalysis, Position, Tables},
    requests::{
        AnalyzeBody, AnalyzeQuery, ChooseBody, ExplainQuery, GameQuery, ImportBody, PartQuery, PlayBody,
        PositionQuery, ProveQuery, PuzzleQuery, RandomQuery, SolveBody, WalkQuery,
    },
    routes::{analysis, certificate, games, health, solve},
};

/// Where certificates are sent.
pub(crate) const CERTIFICATES: &str = "/api/v1/certificate";

/// Makes the schema of a type.
pub(crate) type Describe = fn(&mut SchemaGenerator) -> Schema;

/// What an operation answers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    /// An object with this schema.
    Object(Describe),
    /// The OpenAPI document.
    Document,
    /// Server-sent events whose data has this schema.
    Events(Describe),
    /// The bytes of a file.
    File,
    /// Plain text.
    Text,
}

/// One method of an endpoint.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The HTTP method, in small letters.
    pub method: &'static str,
    /// Its name in the document.
    pub name: &'static str,
    pub(crate) what: &'static str,
    pub(crate) query: Option<Describe>,
    pub(crate) body: Option<Describe>,
    /// Whether the body is a file, as it is.
    pub(crate) file: bool,
    pub(crate) answer: Content,
    pub(crate) status: u16,
    /// Statuses of errors besides those that follow from what it takes.
    pub(crate) errors: &'static [u16],
}

impl Operation {
    const fn new(method: &'static str, name: &'static str, what: &'static str, answer: Content) -> Self {
        Self { method, name, what, query: None, body: None, file: false, answer, status: 200, errors: &[] }
    }

    fn object<T: JsonSchema>(method: &'static str, name: &'static str, what: &'static str) -> Self {
        Self::new(method, name, what, Content::Object(|generator| generator.subschema_for::<T>()))
    }

    fn query<T: JsonSchema>(self) -> Self {
        Self { query: Some(T::json_schema), ..self }
    }

    fn body<T: JsonSchema>(self) -> Self {
        Self { body: Some(|generator| generator.subschema_for::<T>()), ..self }
    }

    const fn file(self) -> Self {
        Self { file: true, ..self }
    }

    const fn errors(self, errors: &'static [u16]) -> Self {
        Self { errors, ..self }
    }

    const fn status(self, status: u16) -> Self {
        Self { status, ..self }
    }
}

/// A path with its methods.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The path, with `{id}` for what varies.
    pub path: &'static str,
    /// What answers.
    pub route: MethodRouter<Arc<Service>>,
    /// Its methods.
    pub operations: Vec<Operation>,
}

/// All of them.
#[must_use]
pub fn all() -> Vec<Endpoint> {
    let endpoint = |path, route, operations: Vec<Operation>| Endpoint { path, route, operations };
    vec![
        endpoint(
            "/api/v1/games",
            get(games::games),
            vec![Operation::object::<Games>("get", "games", "The games, each with specs to offer.")],
        ),
        endpoint(
            "/api/v1/game",
            get(games::game),
            vec![
                Operation::object::<Game>(
                    "get",
                    "game",
                    "What a game is: title, sides, start, rules that can be switched off.",
                )
                .query::<GameQuery>(),
            ],
        ),
        endpoint(
            "/api/v1/rules",
            get(games::rules),
            vec![
                Operation::object::<Rules>("get", "rules", "The rules for people, with every step drawn.")
                    .query::<GameQuery>(),
            ],
        ),
        endpoint(
            "/api/v1/import",
            post(games::import),
            vec![
                Operation::object::<Imported>(
                    "post",
                    "import",
                    "A game as another program writes it: a link of HexWorld, SGF of Hex or gomoku.",
                )
                .body::<ImportBody>(),
            ],
        ),
        endpoint(
            "/api/v1/position",
            get(games::position),
            vec![
                Operation::object::<Position>(
                    "get",
                    "position",
                    "A position: legal moves with their clicks, SVG, text.",
                )
                .query::<PositionQuery>(),
            ],
        ),
        endpoint(
            "/api/v1/play",
            post(games::play),
            vec![
                Operation::object::<Position>("post", "play", "The position after a move.")
                    .body::<PlayBody>(),
            ],
        ),
        endpoint(
            "/api/v1/analyze",
            get(analysis::analyze).post(analysis::analyze_all),
            vec![
                Operation::object::<PartialAnalysis>(
                    "get",
                    "analyze",
                    "The value of every legal move, best first.",
                )
                .query::<AnalyzeQuery>(),
                Operation::object::<Analyses>(
                    "post",
                    "analyzeAll",
                    "The same for several positions of a game, in order.",
                )
                .body::<AnalyzeBody>(),
            ],
        ),
        endpoint(
            "/api/v1/explain",
            get(analysis::explain),
            vec![
                Operation::object::<Explanation>(
                    "get",
                    "explain",
                    "Why a position is worth what it is, in words.",
                )
                .query::<ExplainQuery>(),
            ],
        ),
        endpoint(
            "/api/v1/review",
            get(analysis::review),
            vec![
                Operation::object::<Review>("get", "review", "What every move of a game kept or gave away.")
                    .query::<ExplainQuery>(),
            ],
        ),
        endpoint(
            "/api/v1/solve",
            post(solve::start),
            vec![
                Operation::object::<Job>(
                    "post",
                    "solve",
                    "Start a long search. 503 when the queue is full, 429 at too many of your own.",
                )
                .body::<SolveBody>()
                .status(202),
            ],
        ),
        endpoint(
            "/api/v1/solve/{id}",
            get(solve::look).delete(solve::cancel),
            vec![
                Operation::object::<Job>("get", "job", "How far a job is, and its result.")
                    .query::<PartQuery>(),
                Operation::object::<Job>(
                    "delete",
                    "cancel",
                    "Stop a job. What it has learnt by then is its result, and can be read until the job is forgotten.",
                ),
            ],
        ),
        endpoint(
            "/api/v1/solve/{id}/events",
            get(solve::events),
            vec![Operation::new(
                "get",
                "events",
                "Server-sent events: progress, then done; the data of each is a job.",
                Content::Events(|generator| generator.subschema_for::<Job>()),
            )],
        ),
        endpoint(
            "/api/v1/choose",
            post(analysis::choose),
            vec![
                Operation::object::<Choice>("post", "choose", "The move an engine makes.")
                    .body::<ChooseBody>(),
            ],
        ),
        endpoint(
            "/api/v1/random",
            get(games::random),
            vec![
                Operation::object::<Position>(
                    "get",
                    "random",
                    "A random position that is not the end of a game.",
                )
                .query::<RandomQuery>(),
            ],
        ),
        endpoint(
            "/api/v1/puzzle",
            get(analysis::puzzle),
            vec![
                Operation::object::<Puzzle>("get", "puzzle", "A position in which exactly one move wins.")
                    .query::<PuzzleQuery>()
                    .errors(&[404]),
            ],
        ),
        endpoint(
            CERTIFICATES,
            get(certificate::prove).post(certificate::walk).layer(DefaultBodyLimit::max(MOST_BYTES)),
            vec![
                Operation::new(
                    "get",
                    "prove",
                    "A certificate of what a position is worth, as a file.",
                    Content::File,
                )
                .query::<ProveQuery>(),
                Operation::object::<Walk>(
                    "post",
                    "walk",
                    "Check a certificate, and walk through it: its move wherever the opponent goes, and why.",
                )
                .query::<WalkQuery>()
                .file(),
            ],
        ),
        endpoint(
            "/api/v1/tables",
            get(games::tables),
            vec![Operation::object::<Tables>("get", "tables", "The tables and books that are present.")],
        ),
        endpoint(
            "/api/v1/openapi.json",
            get(health::document),
            vec![Operation::new("get", "openapi", "This description.", Content::Document)],
        ),
        endpoint(
            "/healthz",
            get(health::health),
            vec![Operation::object::<Health>("get", "health", "Whether the server is up.")],
        ),
        endpoint(
            "/metrics",
            get(health::metrics),
            vec![Operation::new("get", "metrics", "Counters for Prometheus.", Content::Text)],
        ),
    ]
}
