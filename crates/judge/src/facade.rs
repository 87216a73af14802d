//! A game of whatever kind, with strings in and out.

use ludex_core::{Fact, Goal, InputError, Layout, Mark, Outcome, Side, Switch};
use ludex_games::registry::Family;
use ludex_search::think::Limits;

use crate::{Refusal, job::Job, wire};

/// What can be counted from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Sequences of moves.
    Sequences,
    /// Different positions.
    Positions,
    /// Different positions up to symmetry.
    Canonical,
}

/// A legal move, for people and programs.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct MoveView {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// The cells to click, in order.
    pub clicks: Vec<String>,
    /// The cells it passes, where a piece travels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
}

/// Everything there is to see of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The canonical text.
    pub position: String,
    /// Who is to move.
    pub to_move: Side,
    /// How the game has ended for the side to move, if it has.
    pub over: Option<Outcome>,
    /// Why it is over.
    pub why: Option<String>,
    /// The legal moves, smallest first.
    pub moves: Vec<MoveView>,
    /// Plies that can still be played, at most.
    pub max_plies: u32,
}

/// The object-safe side of a game: one virtual call per request, none per node.
pub trait AnyGame: Send + Sync {
    /// What the registry says about its family.
    fn family(&self) -> &'static Family;
    /// The canonical spec.
    fn spec(&self) -> String;
    /// The name for people.
    fn title(&self) -> String;
    /// What the sides are called.
    fn side_names(&self) -> [&'static str; 2];
    /// The rules that can be switched off.
    fn switches(&self) -> &'static [Switch];
    /// Whether a game can be drawn.
    fn draws(&self) -> bool;
    /// What is asked of every move where nobody says: how soon it wins, or only whether it does in games where a
    /// search for that is far quicker.
    fn usual_goal(&self) -> Goal;

    /// The text of the start; of the deal of a seed, where there is one.
    ///
    /// # Errors
    /// If the game needs a deal and no seed is given.
    fn start(&self, seed: Option<u64>) -> Result<String, InputError>;

    /// Look at a position.
    ///
    /// # Errors
    /// If the text is no position of this game.
    fn view(&self, position: &str) -> Result<View, InputError>;

    /// The text of the position after a move.
    ///
    /// # Errors
    /// If the position or the move is not one, or the game is over.
    fn play(&self, position: &str, m: &str) -> Result<String, InputError>;

    /// The board for a terminal.
    ///
    /// # Errors
    /// If the text is no position of this game.
    fn picture(&self, position: &str) -> Result<String, InputError>;

    /// The board as SVG. `last` is the position before and the move that led here.
    ///
    /// # Errors
    /// If a text is no position or move of this game.
    fn svg(&self, position: &str, last: Option<(&str, &str)>, marks: Vec<Mark>)
    -> Result<String, InputError>;

    /// What is worth knowing about a position besides its value.
    ///
    /// # Errors
    /// If the text is no position of this game.
    fn facts(&self, position: &str) -> Result<Vec<Fact>, InputError>;

    /// The rows of cells and the symbols of the board text, where any position can be set up by hand.
    fn layout(&self) -> Option<Layout>;

    /// Count what can be reached in 0, 1, … `depth` plies.
    ///
    /// # Errors
    /// If the text is no position of this game.
    fn count(&self, position: &str, depth: u32, what: Count) -> Result<Vec<u64>, InputError>;

    /// Who wins, and how soon if that is asked.
    ///
    /// # Errors
    /// If the job is wrong or the database cannot be used.
    fn solve(&self, job: &Job) -> Result<wire::Verdict, Refusal>;

    /// Every legal move with its value, best first.
    ///
    /// # Errors
    /// If the job is wrong or the database cannot be used.
    fn analyze(&self, job: &Job) -> Result<wire::Analysis, Refusal>;

    /// Why a position is worth what it is, in words, and a line of best play to its end.
    ///
    /// # Errors
    /// If the job is wrong or the database cannot be used.
    fn explain(&self, job: &Job) -> Result<wire::Explanation, Refusal>;

    /// Choose a move to play without solving the game: a guess, never a verdict.
    ///
    /// # Errors
    /// If the job is wrong.
    fn think(&self, job: &Job, limits: Limits) -> Result<wire::Thought, Refusal>;

    /// Read the name of a side.
    ///
    /// # Errors
    /// If it is none.
    fn side(&self, word: &str) -> Result<Side, InputError>;
}
