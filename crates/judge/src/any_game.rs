//! A game of whatever kind, with texts in and typed answers out.

use std::ops::Range;

use ludex_core::{Error, Fact, Family, Goal, Layout, Mark, Outcome, Said, Side, Switch};
use ludex_proof::{Claim, rules::Rules};
use ludex_search::think::Limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[cfg(feature = "files")]
use crate::table::AnyTable;
use crate::{
    Leaf, Met, Pursuit, Question, SharedFact, Style, Terms, Told,
    answer::{Analysis, Complexity, Evaluation, Explanation, Opening, Puzzle, Source, Thought, Verdict},
};

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MoveView {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// The cells to click, in order.
    pub clicks: Vec<String>,
    /// The cells it passes, where a piece travels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
}

/// What is to be seen of a position at a glance, without its moves, of which there can be a million.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The canonical text.
    pub position: String,
    /// Who is to move.
    pub to_move: Side,
    /// How the game has ended for the side to move, if it has.
    pub over: Option<Outcome>,
    /// Why it is over.
    pub why: Option<String>,
    /// Plies that can still be played, at most.
    pub max_plies: u32,
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
    /// The same, to be said in any language.
    pub said: Option<Said>,
    /// The legal moves, smallest first.
    pub moves: Vec<MoveView>,
    /// Plies that can still be played, at most.
    pub max_plies: u32,
}

/// The object-safe side of a game: one virtual call per request, none per node.
pub trait AnyGame: Send + Sync {
    /// What is known of its family.
    fn family(&self) -> &'static Family;
    /// The canonical spec.
    fn spec(&self) -> String;
    /// The name for people.
    fn title(&self) -> String;
    /// What the sides are called.
    fn side_names(&self) -> [&'static str; 2];
    /// The colours of the sides, as `#RRGGBB`.
    fn side_colours(&self) -> [&'static str; 2];
    /// The rules that can be switched off.
    fn switches(&self) -> &'static [Switch];
    /// Whether a game can be drawn.
    fn draws(&self) -> bool;
    /// The solvers that take it, by name.
    fn solvers(&self) -> Vec<&'static str>;
    /// What is asked of every move where nobody says: how soon it wins, or only whether it does in games where a
    /// search for that is far quicker.
    fn usual_goal(&self) -> Goal;

    /// The text of the start; of the deal of a seed, where there is one.
    ///
    /// # Errors
    /// If the game needs a deal and no seed is given.
    fn start(&self, seed: Option<u64>) -> Result<String, Error>;

    /// Look at a position without listing its moves.
    ///
    /// # Errors
    /// If the text is no position of this game.
    fn state(&self, position: &str) -> Result<State, Error>;

    /// Look at a position.
    ///
    /// # Errors
    /// If the text is no position of this game.
    fn view(&self, position: &str) -> Result<View, Error> {
        Ok(self.view_part(position, 0..usize::MAX)?.0)
    }

    /// The same with only some of the moves, by their places in the list, and how many there are: a Nex board of 19x19
    /// has 130,000, and whoever wants the canonical text need not have them all written out.
    ///
    /// # Errors
    /// If the text is no position of this game.
    fn view_part(&self, position: &str, moves: Range<usize>) -> Result<(View, usize), Error>;

    /// The text of one of the legal moves, by its number among all of them, smallest first: `choose` is told how many
    /// there are. Boards can have a million moves, which take long to be written down; `None` if there is none.
    ///
    /// # Errors
    /// If the text is no position of this game.
    fn one_move(
        &self,
        position: &str,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<Option<String>, Error>;

    /// The text of a move that wins at once; otherwise of one after which the opponent does not, chosen like
    /// [`one_move`](AnyGame::one_move); of any, if there is no such. `None` if there is no move.
    ///
    /// # Errors
    /// If the question's position is none of this game.
    fn greedy_move(
        &self,
        question: &Question,
        terms: &Terms,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<Option<String>, Error>;

    /// The text of the position after a move.
    ///
    /// # Errors
    /// If the position or the move is not one, or the game is over.
    fn play(&self, position: &str, m: &str) -> Result<String, Error>;

    /// The board for a terminal.
    ///
    /// # Errors
    /// If the text is no position of this game.
    fn picture(&self, position: &str) -> Result<String, Error>;

    /// The board as SVG. `last` is the position before and the move that led here.
    ///
    /// # Errors
    /// If a text is no position or move of this game.
    fn svg(&self, position: &str, last: Option<(&str, &str)>, marks: Vec<Mark>) -> Result<String, Error>;

    /// What is worth knowing about a position besides its value.
    ///
    /// # Errors
    /// If the text is no position of this game.
    fn facts(&self, position: &str) -> Result<Vec<Fact>, Error>;

    /// The rows of cells and the symbols of the board text, where any position can be set up by hand.
    fn layout(&self) -> Option<Layout>;

    /// Read the name of a side.
    ///
    /// # Errors
    /// If it is none.
    fn side(&self, word: &str) -> Result<Side, Error>;

    /// Count what can be reached in 0, 1, … `depth` plies.
    ///
    /// # Errors
    /// If the text is no position of this game.
    fn count(&self, position: &str, depth: u32, what: Count) -> Result<Vec<u64>, Error>;

    /// Refuse a question that no search would take, without searching: an unknown solver or rule, limits that cannot be kept.
    ///
    /// # Errors
    /// What is wrong with it.
    fn check(&self, question: &Question, terms: &Terms) -> Result<(), Error>;

    /// Who wins, and how soon if that is asked.
    ///
    /// # Errors
    /// If the question is wrong, the memory cannot be used, or two certain things exclude each other.
    fn solve(&self, question: &Question, terms: &Terms) -> Result<Verdict, Error>;

    /// Search a leaf of a shared proof search for one slice, with what others have found. The question says where the
    /// search starts and what may be used; its solver and goal do not matter.
    ///
    /// # Errors
    /// If the question or the way to the leaf is wrong, the slice is called off, or two certain things exclude each other.
    fn pursue(
        &self,
        question: &Question,
        leaf: &Leaf,
        facts: &[SharedFact],
        terms: &Terms,
    ) -> Result<Pursuit, Error>;

    /// Every legal move with its value, best first.
    ///
    /// # Errors
    /// Those of [`solve`](AnyGame::solve).
    fn analyze(&self, question: &Question, terms: &Terms) -> Result<Analysis, Error>;

    /// What every move of every position of a list is worth, in numbers alone, told as it is found. The question gives goal
    /// and limits; the limits are for each position, and its threads share the positions. Positions that cancelling left
    /// out are not told of.
    ///
    /// # Errors
    /// If the question is wrong, or two certain things exclude each other. What is wrong with one position is told.
    fn analyze_all(
        &self,
        positions: &[&str],
        question: &Question,
        terms: &Terms,
        told: Told<'_>,
    ) -> Result<(), Error>;

    /// The canonical text of a position, and its class.
    ///
    /// # Errors
    /// If the text is no position of this game.
    fn met_at(&self, position: &str) -> Result<Met, Error>;

    /// A position in which the game goes on, any of those of one game that is played from the question's position (or the start,
    /// or a deal) by chance. The question's seed and the number fix the game; `None` if the position is the end of one.
    ///
    /// # Errors
    /// If the question's position is none of this game.
    fn met_by_chance(
        &self,
        question: &Question,
        terms: &Terms,
        style: Style,
        number: u64,
    ) -> Result<Option<Met>, Error>;

    /// Every position that can be reached from the question's position and in which the game goes on, once each, those after
    /// fewer moves first, until `visit` says that it is enough.
    ///
    /// # Errors
    /// If there is no such position, or there are more than the question's memory can list.
    fn met_anywhere(
        &self,
        question: &Question,
        terms: &Terms,
        visit: &mut dyn FnMut(Met) -> bool,
    ) -> Result<(), Error>;

    /// Why a position is worth what it is, in words, and a line of best play to its end.
    ///
    /// # Errors
    /// Those of [`solve`](AnyGame::solve).
    fn explain(&self, question: &Question, terms: &Terms) -> Result<Explanation, Error>;

    /// Choose a move to play without solving the game: a guess, never a verdict.
    ///
    /// # Errors
    /// If the question is wrong.
    fn think(&self, question: &Question, terms: &Terms, limits: Limits) -> Result<Thought, Error>;

    /// How good a position looks, term by term: a guess, never a verdict.
    ///
    /// # Errors
    /// If the text is no position of this game.
    fn evaluate(&self, position: &str) -> Result<Evaluation, Error>;

    /// A position in which exactly one move wins, found by random play from the question's position and searches within
    /// its limits; `plies` is the length of the win, if it matters.
    ///
    /// # Errors
    /// If there is none to be found within the limits.
    fn puzzle(
        &self,
        question: &Question,
        terms: &Terms,
        seed: u64,
        plies: Option<u32>,
    ) -> Result<Puzzle, Error>;

    /// What every opening is worth, by classes under symmetry, best first, and where that comes from: the game's table, or
    /// the whole game solved on the spot if it is small.
    ///
    /// # Errors
    /// If there is no table and the game is not small.
    fn openings(&self, terms: &Terms) -> Result<(Vec<Opening>, Source), Error>;

    /// How large the game is: exactly if it has at most `exact` positions, and by random games.
    ///
    /// # Errors
    /// If the game has no start.
    fn complexity(&self, samples: u64, seed: u64, exact: u64) -> Result<Complexity, Error>;

    /// The rules of the game as a checker of certificates plays it.
    fn rules(&self) -> Box<dyn Rules>;

    /// Write a certificate of claims about the question's position; of what it is worth, if there are none. The more effort,
    /// the smaller it is and the longer it takes.
    ///
    /// # Errors
    /// If a claim is not true, the limits do not suffice, or two certain things exclude each other.
    fn prove(
        &self,
        question: &Question,
        claims: &[Claim],
        effort: u32,
        terms: &Terms,
    ) -> Result<Vec<u8>, Error>;

    /// What can be done with tables of the whole game.
    #[cfg(feature = "files")]
    fn tables(&self) -> &dyn AnyTable;
}
