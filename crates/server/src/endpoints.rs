//! The API as a table: the router and the OpenAPI document are both made from it, so that neither can lag behind.

use std::sync::Arc;

use axum::routing::{MethodRouter, get};
use serde_json::{Map, Value, json};

use crate::{
    Service,
    routes::{analysis, games, health, solve},
};

/// A parameter or a field of a body: name, type, whether it must be there, what it is.
type Field = (&'static str, &'static str, bool, &'static str);

/// One method of an endpoint.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    method: &'static str,
    name: &'static str,
    what: &'static str,
    query: &'static [Field],
    body: &'static [Field],
    answer: &'static str,
    status: &'static str,
}

/// A path with its methods.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The path, with `{id}` for what varies.
    pub path: &'static str,
    /// What answers.
    pub route: MethodRouter<Arc<Service>>,
    operations: Vec<Operation>,
}

const GAME: Field = ("game", "string", true, "A game spec, such as connect4, mnk:4,3,3 or nex:3x3.");
const POSITION: Field = (
    "position",
    "string",
    false,
    "A position text, or moves:m1,m2,… from the start. Left out: the start, or the deal of the seed.",
);
const PLAY: Field = ("play", "string", false, "Moves to play from there, separated by spaces.");
const SEED: Field = ("seed", "integer", false, "A seed for a deal or a random choice.");
const GOAL: Field = ("goal", "string", false, "wdl (who wins) or distance (and how soon).");
const PLACE: [Field; 4] = [GAME, POSITION, PLAY, SEED];

const fn op(method: &'static str, name: &'static str, what: &'static str, answer: &'static str) -> Operation {
    Operation { method, name, what, query: &[], body: &[], answer, status: "200" }
}

/// All of them.
#[must_use]
pub fn all() -> Vec<Endpoint> {
    let endpoint =
        |path, route, operations: &[Operation]| Endpoint { path, route, operations: operations.to_vec() };
    vec![
        endpoint(
            "/api/v1/games",
            get(games::games),
            &[op("get", "games", "The games, each with specs to offer.", "Games")],
        ),
        endpoint(
            "/api/v1/game",
            get(games::game),
            &[Operation {
                query: &[GAME],
                ..op(
                    "get",
                    "game",
                    "What a game is: title, sides, start, rules that can be switched off.",
                    "Game",
                )
            }],
        ),
        endpoint(
            "/api/v1/position",
            get(games::position),
            &[Operation {
                query: &PLACE,
                ..op("get", "position", "A position: legal moves with their clicks, SVG, text.", "Position")
            }],
        ),
        endpoint(
            "/api/v1/play",
            axum::routing::post(games::play),
            &[Operation {
                body: &[GAME, POSITION, ("move", "string", true, "The move to make.")],
                ..op("post", "play", "The position after a move.", "Position")
            }],
        ),
        endpoint(
            "/api/v1/analyze",
            get(analysis::analyze).post(analysis::analyze_all),
            &[
                Operation {
                    query: &[
                        GAME,
                        POSITION,
                        PLAY,
                        SEED,
                        GOAL,
                        ("time", "integer", false, "Milliseconds to think, up to the server's limit."),
                    ],
                    ..op("get", "analyze", "The value of every legal move, best first.", "Analysis")
                },
                Operation {
                    body: &[
                        GAME,
                        ("positions", "array", true, "Position texts."),
                        GOAL,
                        ("time", "integer", false, "Milliseconds to think about each."),
                    ],
                    ..op(
                        "post",
                        "analyzeAll",
                        "The same for several positions of a game, in order.",
                        "Analyses",
                    )
                },
            ],
        ),
        endpoint(
            "/api/v1/explain",
            get(analysis::explain),
            &[Operation {
                query: &[
                    GAME,
                    POSITION,
                    PLAY,
                    SEED,
                    ("time", "integer", false, "Milliseconds to think, up to the server's limit."),
                ],
                ..op("get", "explain", "Why a position is worth what it is, in words.", "Explanation")
            }],
        ),
        endpoint(
            "/api/v1/solve",
            axum::routing::post(solve::start),
            &[Operation {
                body: &[
                    GAME,
                    POSITION,
                    ("kind", "string", false, "solve (the value, default) or analyze (every move)."),
                    GOAL,
                    ("time", "number", false, "Seconds, up to the server's limit."),
                    ("memory", "integer", false, "Bytes, up to the server's limit."),
                    ("nodes", "integer", false, "Positions to search at most."),
                    ("threads", "integer", false, "Threads, up to the server's limit."),
                    ("without", "array", false, "Rules to do without."),
                    ("solver", "string", false, "The search to use."),
                ],
                status: "202",
                ..op(
                    "post",
                    "solve",
                    "Start a long search. 503 when the queue is full, 429 at too many of your own.",
                    "Job",
                )
            }],
        ),
        endpoint(
            "/api/v1/solve/{id}",
            get(solve::look).delete(solve::cancel),
            &[
                op("get", "job", "How far a job is, and its result.", "Job"),
                op("delete", "cancel", "Stop a job; what it has learnt by then is its result.", "Job"),
            ],
        ),
        endpoint(
            "/api/v1/solve/{id}/events",
            get(solve::events),
            &[op(
                "get",
                "events",
                "Server-sent events: progress, then done; the data of each is a job.",
                "Events",
            )],
        ),
        endpoint(
            "/api/v1/choose",
            axum::routing::post(analysis::choose),
            &[Operation {
                body: &[
                    GAME,
                    POSITION,
                    ("level", "string", false, "One of the game's levels; the best one if left out."),
                    ("time", "integer", false, "Milliseconds to think, up to the server's limit."),
                    SEED,
                ],
                ..op("post", "choose", "The move an engine makes.", "Choice")
            }],
        ),
        endpoint(
            "/api/v1/random",
            get(games::random),
            &[Operation {
                query: &[GAME, POSITION, PLAY, SEED, ("plies", "integer", false, "How many random moves.")],
                ..op("get", "random", "A random position that is not the end of a game.", "Position")
            }],
        ),
        endpoint(
            "/api/v1/puzzle",
            get(analysis::puzzle),
            &[Operation {
                query: &PLACE,
                ..op("get", "puzzle", "A position in which exactly one move wins.", "Puzzle")
            }],
        ),
        endpoint(
            "/api/v1/tables",
            get(games::tables),
            &[op("get", "tables", "The tables and books that are present.", "Tables")],
        ),
        endpoint(
            "/api/v1/openapi.json",
            get(health::openapi),
            &[op("get", "openapi", "This description.", "Object")],
        ),
        endpoint(
            "/healthz",
            get(health::health),
            &[op("get", "health", "Whether the server is up.", "Object")],
        ),
        endpoint(
            "/metrics",
            get(health::metrics),
            &[op("get", "metrics", "Counters for Prometheus.", "Text")],
        ),
    ]
}

/// The OpenAPI 3.1 document of [`all`] endpoints.
#[must_use]
pub fn openapi() -> Value {
    let mut paths = Map::new();
    for endpoint in all() {
        let mut item = Map::new();
        for operation in &endpoint.operations {
            item.insert(operation.method.to_owned(), describe(endpoint.path, operation));
        }
        paths.insert(endpoint.path.to_owned(), item.into());
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Ludex",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Who wins, how, and how soon. The objects are those of the command line's --json.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": schemas()},
    })
}

fn describe(path: &str, operation: &Operation) -> Value {
    let parameter = |place: &str, (name, kind, required, what): Field| json!({"name": name, "in": place, "required": required, "description": what, "schema": {"type": kind}});
    let mut parameters: Vec<_> = operation.query.iter().map(|&f| parameter("query", f)).collect();
    if path.contains("{id}") {
        parameters.push(parameter("path", ("id", "string", true, "The job's number.")));
    }
    let content = match operation.answer {
        "Text" => json!({"text/plain": {"schema": {"type": "string"}}}),
        "Events" => json!({"text/event-stream": {"schema": {"type": "string"}}}),
        "Object" => json!({"application/json": {"schema": {"type": "object"}}}),
        name => json!({"application/json": {"schema": {"$ref": format!("#/components/schemas/{name}")}}}),
    };
    let mut described = json!({
        "operationId": operation.name,
        "summary": operation.what,
        "parameters": parameters,
        "responses": {
            operation.status: {"description": "The answer.", "content": content},
            "default": {
                "description": "What was wrong, and what would be right.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
            },
        },
    });
    if !operation.body.is_empty() {
        let schema = object(operation.body);
        described["requestBody"] =
            json!({"required": true, "content": {"application/json": {"schema": schema}}});
    }
    described
}

/// The schema of an object with these fields.
fn object(fields: &[Field]) -> Value {
    let properties: Map<_, _> = fields
        .iter()
        .map(|&(name, kind, _, what)| {
            let mut schema = json!({"description": what});
            if let Some(name) = kind.strip_prefix('#') {
                schema["$ref"] = format!("#/components/schemas/{name}").into();
            } else if let Some((one, _)) = kind.split_once('|') {
                schema["type"] = json!([one, "null"]);
            } else {
                schema["type"] = kind.into();
            }
            (name.to_owned(), schema)
        })
        .collect();
    let required: Vec<_> = fields.iter().filter(|f| f.2).map(|f| f.0).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

const VERDICT: &[Field] = &[
    ("type", "string", true, "verdict or analysis"),
    ("version", "integer", true, "1"),
    ("game", "string", true, "The canonical spec."),
    ("position", "string", true, "The position text."),
    ("to_move", "string", true, "first or second"),
    ("status", "string", true, "solved, out_of_time, out_of_memory, out_of_nodes or cancelled"),
    ("outcome", "string", true, "win, draw, loss or unknown, for the side to move."),
    ("plies", "integer|null", true, "Moves of either side to the end; null for draws and when not asked."),
    ("lower", "#Value", true, "The side to move gets at least this."),
    ("upper", "#Value", true, "The side to move gets at most this."),
    ("best", "array", true, "Best moves."),
    ("pv", "array", true, "A line of best play."),
    ("solver", "string", true, "The search."),
    ("from", "string", true, "search, cache, table or book"),
    ("stats", "object", true, "Nodes, seconds and other counters."),
    ("moves", "array", false, "In an analysis: every move with outcome and plies, best first."),
];

fn schemas() -> Value {
    let kind = ("type", "string", true, "Which object this is.");
    let version = ("version", "integer", true, "1");
    let game = ("game", "string", true, "The canonical spec.");
    json!({
        "Error": object(&[
            kind,
            ("code", "string", true, "A stable word for programs."),
            ("message", "string", true, "What was wrong."),
            ("hint", "string", true, "What would be right."),
        ]),
        "Value": object(&[("outcome", "string", true, "win, draw or loss"), ("plies", "integer|null", true, "How soon.")]),
        "Verdict": object(VERDICT),
        "Analysis": object(VERDICT),
        "Analyses": object(&[kind, version, game, ("results", "array", true, "An analysis or an error for each.")]),
        "Games": object(&[kind, version, ("games", "array", true, "Name, title, about, usage, examples.")]),
        "Game": object(&[
            kind, version, game,
            ("title", "string", true, "Its name for people."),
            ("sides", "array", true, "What the sides are called."),
            ("start", "string|null", true, "The start, unless the game begins with a deal."),
            ("draws", "boolean", true, "Whether it can be drawn."),
            ("switches", "array", true, "Rules of the search that can be switched off."),
            ("levels", "array", true, "How well its engines play, best first."),
            ("layout", "object|null", true, "Rows of cells and the symbols they may hold, for setting up a board."),
        ]),
        "Position": object(&[
            kind, version, game,
            ("title", "string", true, "The game's name."),
            ("start", "string", true, "Where the played moves started."),
            ("position", "string", true, "The position text."),
            ("to_move", "string", true, "first or second"),
            ("sides", "array", true, "What the sides are called."),
            ("last", "string|null", true, "The last move played."),
            ("over", "object|null", true, "The winner and why, if the game is over."),
            ("moves", "array", true, "Legal moves with the clicks that make them."),
            ("facts", "array", true, "Name, value and cells of what else is worth knowing."),
            ("svg", "string", true, "The board; cells carry data-cell."),
            ("picture", "string", true, "The board as text."),
        ]),
        "Puzzle": object(&[
            kind, version, game,
            ("position", "string", true, "The position text."),
            ("to_move", "string", true, "first or second"),
            ("seed", "integer", true, "The seed that makes it again."),
            ("plies", "integer", true, "The length of the win."),
            ("solution", "array", true, "A line that wins."),
            ("best", "array", true, "The winning move."),
        ]),
        "Job": object(&[
            kind, version, game,
            ("id", "string", true, "Its number."),
            ("state", "string", true, "queued, running or done"),
            ("position", "string", true, "The position text."),
            ("kind", "string", true, "solve or analyze"),
            ("progress", "object|null", true, "The latest progress object."),
            ("result", "object|null", true, "The verdict, analysis or error."),
        ]),
        "Choice": object(&[
            kind, version, game,
            ("position", "string", true, "The position text."),
            ("to_move", "string", true, "first or second"),
            ("level", "string", true, "How well it plays."),
            ("move", "string", true, "Its move."),
            ("certain", "boolean", true, "Whether it is known to be a best move."),
        ]),
        "Explanation": object(&[
            kind, version, game,
            ("position", "string", true, "The position text."),
            ("to_move", "string", true, "first or second"),
            ("status", "string", true, "solved, or why not"),
            ("verdict", "string", true, "Who wins, in a sentence."),
            ("reasons", "array", true, "Sentences, each with the cells and the pairs of cells it is about."),
            ("line", "array", true, "Best play to its end: moves, by whom, and what they do."),
        ]),
        "Tables": object(&[
            kind, version,
            ("tables", "array", true, "Game, kind (table or book), goal, positions; bytes, file and digest of a file."),
        ]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_is_whole() {
        let document = openapi();
        let schemas = document["components"]["schemas"].as_object().unwrap();
        let text = document.to_string();
        for name in text.split("#/components/schemas/").skip(1).map(|t| &t[..t.find('"').unwrap()]) {
            assert!(schemas.contains_key(name), "{name}");
        }
        let mut names: Vec<_> = all().iter().flat_map(|e| e.operations.clone()).map(|o| o.name).collect();
        names.sort_unstable();
        let unique = names.len();
        names.dedup();
        assert_eq!(names.len(), unique, "operations have names of their own");
    }
}
