//! The tools, in one table: what a client lists and what a call does are both made from it.

use ludex_core::{Cancel, Error, ErrorCode, Goal};
use ludex_judge::{AnyGame, MoveView, review};
use rmcp::model::{Tool, ToolAnnotations};
use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    desk::Desk,
    reply::{self, Reply},
};

/// What a model is told before it sees the tools.
pub(crate) const INSTRUCTIONS: &str = "Exact answers about two-player games of perfect information: who wins, how soon, \
    and every move's value. Values are proved, never guessed; where the time does not suffice, bounds are given. Call `games` for the \
    specs of games. A position is the text that other tools return, or moves:m1,m2,… from the start. Outcomes and plies are for the side to \
    move; a ply is one move of either side.";

/// Moves in one answer.
const MOST: usize = 1000;

/// A tool.
#[derive(Debug)]
pub(crate) struct Offer {
    pub(crate) name: &'static str,
    title: &'static str,
    what: &'static str,
    schema: fn() -> Schema,
    pub(crate) answer: fn(&Desk, Value, &Cancel) -> Result<Reply, Error>,
}

impl Offer {
    /// The tool as a client lists it.
    pub(crate) fn listed(&self) -> Tool {
        let schema = (self.schema)().as_object().cloned().unwrap_or_default();
        let mut annotations = ToolAnnotations::new();
        (annotations.read_only_hint, annotations.open_world_hint) = (Some(true), Some(false));
        let mut tool = Tool::new(self.name, self.what, schema).with_title(self.title);
        tool.annotations = Some(annotations);
        tool
    }
}

/// The tool of a name.
pub(crate) fn named(name: &str) -> Option<&'static Offer> {
    ALL.iter().find(|tool| tool.name == name)
}

macro_rules! offers {
    ($($name:literal, $title:literal, $what:literal, $arguments:ty => $answer:expr;)*) => {
        /// All of them.
        pub(crate) const ALL: &[Offer] = &[$(Offer {
            name: $name,
            title: $title,
            what: $what,
            schema: || schema_for!($arguments),
            answer: |desk, arguments, cancel| {
                let answer: fn(&Desk, $arguments, &Cancel) -> Result<Reply, Error> = $answer;
                answer(desk, read($name, arguments)?, cancel)
            },
        },)*];
    };
}

offers! {
    "games", "List the games", "Every game with what it is and examples of its specs.", Nothing => games;
    "show", "Show a position", "The board of a position, who is to move, and whether the game is over.", Place => show;
    "legal_moves", "List legal moves", "The legal moves of a position, smallest first.", Moves => legal_moves;
    "play", "Play moves", "Play moves from a position, and show where they lead.", Place => play;
    "solve", "Solve a position",
        "Who wins with perfect play, with goal distance also in how many plies, and a line of best play.", Ask => solve;
    "analyze", "Value every move", "Every legal move with its exact value, best first.", Ask => analyze;
    "explain", "Explain a position", "Why a position is worth what it is, in words, with a line of best play to its end.", Ask => explain;
    "puzzle", "Make a puzzle", "A position in which exactly one move wins, with its solution.", Puzzle => puzzle;
    "review", "Review a game", "What every move of a game kept or gave away, and what would have been better.", Ask => reviewed;
}

fn read<T: DeserializeOwned>(tool: &str, arguments: Value) -> Result<T, Error> {
    serde_json::from_value(arguments).map_err(|e| {
        let message = format!("the arguments of {tool} cannot be read: {e}");
        Error::new(ErrorCode::BadArguments, message, "see the schema of the tool")
    })
}

/// Nothing.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// A position of a game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Place {
    /// The game's spec, such as connect4, mnk:5,5,4 or nex:3x3.
    game: String,
    /// The position's text, or moves:m1,m2,…; the start if left out.
    position: Option<String>,
    /// Moves to play from there, in order.
    #[serde(default)]
    moves: Vec<String>,
    /// The seed of the deal, for games that begin with one.
    seed: Option<u64>,
}

/// A position and which of its moves.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Moves {
    /// The game's spec, such as connect4, mnk:5,5,4 or nex:3x3.
    game: String,
    /// The position's text, or moves:m1,m2,…; the start if left out.
    position: Option<String>,
    /// Moves to play from there, in order.
    #[serde(default)]
    moves: Vec<String>,
    /// The seed of the deal, for games that begin with one.
    seed: Option<u64>,
    /// Moves to leave out at the beginning of the list.
    #[serde(default)]
    offset: usize,
    /// Moves in the answer at most, up to 1000.
    limit: Option<usize>,
}

/// What is wanted.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Wanted {
    /// Who wins.
    Wdl,
    /// Who wins, and in how many plies.
    Distance,
}

/// A question about a position; for a review, about the game that the moves make from there.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Ask {
    /// The game's spec, such as connect4, mnk:5,5,4 or nex:3x3.
    game: String,
    /// The position's text, or moves:m1,m2,…; the start if left out.
    position: Option<String>,
    /// Moves to play from there, in order.
    #[serde(default)]
    moves: Vec<String>,
    /// The seed of the deal, for games that begin with one.
    seed: Option<u64>,
    /// Who wins, or also in how many plies; what suits the game if left out.
    goal: Option<Wanted>,
    /// Seconds to take, up to the limit of the server.
    seconds: Option<f64>,
}

/// A puzzle.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Puzzle {
    /// The game's spec, such as connect4, mnk:5,5,4 or nex:3x3.
    game: String,
    /// The position to start from; the start or any deal if left out.
    position: Option<String>,
    /// The number of the puzzle: another seed gives another puzzle.
    seed: Option<u64>,
    /// The length of the win in plies, an odd number from 3 on; any if left out.
    plies: Option<u32>,
    /// Seconds to look for it, up to the limit of the server.
    seconds: Option<f64>,
}

/// The start of a game, or the position that is named.
fn start(game: &dyn AnyGame, position: Option<&str>, seed: Option<u64>) -> Result<String, Error> {
    match position.filter(|text| !text.trim().is_empty()) {
        Some(text) => Ok(game.state(text)?.position),
        None => game.start(seed),
    }
}

/// Moves one by one: models write several into one text.
fn apart(moves: &[String]) -> Vec<String> {
    moves.iter().flat_map(|word| word.split_whitespace()).map(str::to_owned).collect()
}

/// The position after the moves.
fn after(game: &dyn AnyGame, start: String, moves: &[String]) -> Result<String, Error> {
    apart(moves).iter().enumerate().try_fold(start, |position, (i, m)| {
        game.play(&position, m).map_err(|e| e.at(format_args!("move {}", i + 1)))
    })
}

#[derive(Serialize)]
struct Family {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    usage: &'static str,
    examples: &'static [&'static str],
}

#[derive(Serialize)]
struct Families {
    games: Vec<Family>,
}

fn games(desk: &Desk, _: Nothing, _: &Cancel) -> Result<Reply, Error> {
    let family = |family: &'static ludex_core::Family| Family {
        name: family.name,
        title: family.title,
        about: family.about,
        usage: family.usage,
        examples: family.examples,
    };
    let games: Vec<Family> = desk.registry().families().map(family).collect();
    let line = |game: &Family| format!("{} ({}): {}", game.title, game.usage, game.about);
    let text: Vec<String> = games.iter().map(line).collect();
    Reply::new(&Families { games }, text.join("\n"))
}

#[derive(Serialize)]
struct Shown {
    game: String,
    position: String,
    to_move: ludex_core::Side,
    over: Option<ludex_core::Outcome>,
    why: Option<String>,
    picture: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveView>>,
    total_moves: usize,
}

/// A position as an answer, with some of its moves.
fn shown(game: &dyn AnyGame, position: &str, part: Option<(usize, usize)>) -> Result<Reply, Error> {
    let (offset, limit) = part.unwrap_or((0, 0));
    let (mut view, total) = game.view_part(position, offset..offset.saturating_add(limit))?;
    let moves = std::mem::take(&mut view.moves);
    let texts: Vec<String> = moves.iter().map(|m| m.text.clone()).collect();
    let text = reply::board(game, &view, &texts, total.saturating_sub(offset))?;
    let shown = Shown {
        game: game.spec(),
        picture: game.picture(&view.position)?,
        position: view.position,
        to_move: view.to_move,
        over: view.over,
        why: view.why,
        moves: part.map(|_| moves),
        total_moves: total,
    };
    Reply::new(&shown, text)
}

fn show(desk: &Desk, at: Place, _: &Cancel) -> Result<Reply, Error> {
    let game = desk.game(&at.game)?;
    let start = start(&*game, at.position.as_deref(), at.seed)?;
    shown(&*game, &after(&*game, start, &at.moves)?, None)
}

fn play(desk: &Desk, at: Place, cancel: &Cancel) -> Result<Reply, Error> {
    if at.moves.is_empty() {
        return Err(Error::new(ErrorCode::NothingNamed, "no moves to play", "moves: a list of legal moves"));
    }
    show(desk, at, cancel)
}

fn legal_moves(desk: &Desk, at: Moves, _: &Cancel) -> Result<Reply, Error> {
    let game = desk.game(&at.game)?;
    let start = start(&*game, at.position.as_deref(), at.seed)?;
    let limit = at.limit.unwrap_or(MOST).min(MOST);
    shown(&*game, &after(&*game, start, &at.moves)?, Some((at.offset, limit)))
}

fn goal(game: &dyn AnyGame, wanted: Option<Wanted>, or: Goal) -> Goal {
    match wanted {
        Some(Wanted::Wdl) => Goal::Wdl,
        Some(Wanted::Distance) => Goal::Distance,
        None if or == Goal::Wdl => or,
        None => game.usual_goal(),
    }
}

fn solve(desk: &Desk, ask: Ask, cancel: &Cancel) -> Result<Reply, Error> {
    let game = desk.game(&ask.game)?;
    let start = start(&*game, ask.position.as_deref(), ask.seed)?;
    let position = after(&*game, start, &ask.moves)?;
    let question = desk.question(Some(position), goal(&*game, ask.goal, Goal::Wdl), ask.seconds)?;
    let verdict = game.solve(&question, &desk.terms(cancel))?;
    Reply::new(&verdict, reply::verdict(&*game, &verdict))
}

fn analyze(desk: &Desk, ask: Ask, cancel: &Cancel) -> Result<Reply, Error> {
    let game = desk.game(&ask.game)?;
    let start = start(&*game, ask.position.as_deref(), ask.seed)?;
    let position = after(&*game, start, &ask.moves)?;
    let question = desk.question(Some(position), goal(&*game, ask.goal, Goal::Distance), ask.seconds)?;
    let mut analysis = game.analyze(&question, &desk.terms(cancel))?;
    let total = analysis.moves.len();
    analysis.moves.truncate(MOST);
    Reply::new(&analysis, reply::analysis(&*game, &analysis, total))
}

fn explain(desk: &Desk, ask: Ask, cancel: &Cancel) -> Result<Reply, Error> {
    let game = desk.game(&ask.game)?;
    let start = start(&*game, ask.position.as_deref(), ask.seed)?;
    let position = after(&*game, start, &ask.moves)?;
    let question = desk.question(Some(position), goal(&*game, ask.goal, Goal::Wdl), ask.seconds)?;
    let explanation = game.explain(&question, &desk.terms(cancel))?;
    Reply::new(&explanation, reply::explanation(&explanation))
}

fn puzzle(desk: &Desk, ask: Puzzle, cancel: &Cancel) -> Result<Reply, Error> {
    let game = desk.game(&ask.game)?;
    let position = match ask.position.as_deref().filter(|text| !text.trim().is_empty()) {
        Some(text) => Some(game.state(text)?.position),
        None => None,
    };
    let question = desk.question(position, Goal::Distance, ask.seconds)?;
    let puzzle = game.puzzle(&question, &desk.terms(cancel), ask.seed.unwrap_or(1), ask.plies)?;
    Reply::new(&puzzle, reply::puzzle(&*game, &puzzle)?)
}

fn reviewed(desk: &Desk, ask: Ask, cancel: &Cancel) -> Result<Reply, Error> {
    let game = desk.game(&ask.game)?;
    let start = start(&*game, ask.position.as_deref(), ask.seed)?;
    let question = desk.question(None, goal(&*game, ask.goal, Goal::Distance), ask.seconds)?;
    let moves = apart(&ask.moves);
    if moves.is_empty() {
        return Err(Error::new(
            ErrorCode::NothingNamed,
            "no game to look back on",
            "moves: the moves of the game",
        ));
    }
    let review = review(&*game, &start, &moves, &question, &desk.terms(cancel))?;
    Reply::new(&review, reply::review(&review))
}
