//! What a guessing search asks of a game: how good a position looks, and which moves deserve a thought.

use ludex_core::{Bounds, Game, Moves, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How positions of a game are judged where nothing is certain. Every method has a default, so that any game can be
/// thought about: [`Estimate`] has nothing else.
pub trait Evaluation<G: Game>: Send + Sync {
    /// How good an unfinished game looks for a side, whoever is to move.
    ///
    /// A search always asks for the side that chooses, since an evaluation need not be the same through the eyes of
    /// the opponent.
    fn guess(&self, game: &G, p: &G::Position, side: Side) -> i32 {
        let guess = game.estimate(p);
        if game.side(p) == side { guess } else { -guess }
    }

    /// The parts that add up to the guess.
    fn parts(&self, game: &G, p: &G::Position, side: Side) -> Vec<Part> {
        vec![Part::new("estimate", "the game's own guess", self.guess(game, p, side))]
    }

    /// A move to make without any search: a win to take, or the only defence.
    fn at_once(&self, game: &G, p: &G::Position) -> Option<G::Move> {
        let _ = (game, p);
        None
    }

    /// At most `most` moves that deserve a thought, best first and with their scores, and what is known besides.
    fn candidates(&self, game: &G, p: &G::Position, most: usize, moves: &mut Moves<G::Move>) -> Bounds {
        game.candidates(p, most, moves)
    }

    /// What it is worth in the order of the candidates, on the scale of their scores, that a move was good elsewhere
    /// in the tree.
    fn habit(&self) -> i32 {
        0
    }

    /// How many plies to look ahead from here, if the evaluation has an opinion.
    fn depth(&self, game: &G, p: &G::Position) -> Option<u32> {
        let _ = (game, p);
        None
    }

    /// The guesses for a side after the side to move has passed and the opponent made a move, one for each; none where
    /// passing makes no sense.
    fn after_pass(&self, game: &G, p: &G::Position, side: Side) -> Vec<i32> {
        let _ = (game, p, side);
        Vec::new()
    }
}

/// The evaluation every game has: its own [estimate](Game::estimate) and [candidates](Game::candidates).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate;

impl<G: Game> Evaluation<G> for Estimate {}

/// A part of a guess.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// What it counts.
    pub what: String,
    /// The counts of the first and of the second player, if it is one number times a weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<[i32; 2]>,
    /// What one of them is worth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<i32>,
    /// Whether it is part of the sum; a switch may leave it out.
    pub counted: bool,
    /// What it adds to the guess.
    pub value: i32,
}

impl Part {
    /// A part that is more than a count times a weight.
    #[must_use]
    pub fn new(name: &str, what: &str, value: i32) -> Self {
        Self { name: name.into(), what: what.into(), counts: None, weight: None, counted: true, value }
    }
}
