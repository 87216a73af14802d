//! An opponent for people at Connect Four: it judges by rules of thumb, looks a few moves ahead, and can be beaten.
//!
//! [`weights`] holds all its numbers, [`evaluation`] what it counts, [`levels`] how strong it is made, from one that a
//! child beats to one that never errs. It searches as every game does, by [`think`](ludex_search::think).
//! [`savings`] measures what the techniques of that search are worth to it.
pub mod evaluation;
pub mod levels;
pub mod savings;
pub mod weights;

use ludex_core::{Error, Game, Goal, Notation, Side};
use ludex_games::connect4::{AnyConnect4, Connect4, FAMILY, Shape, of_spec};
use ludex_judge::{Budget, Question, Registry, Terms};

use evaluation::{Heuristic, Parts};
use levels::{Level, Rated};

/// The opponent on a board of any size.
pub trait Opponent: Send {
    /// Who is to move in a position, and what the opponent thinks of it for that side.
    ///
    /// # Errors
    /// If the text is no position.
    fn judge(&self, position: &str) -> Result<(Side, Judgement), Error>;

    /// Choose a move.
    ///
    /// # Errors
    /// If the text is no position, or the game is over in it.
    fn choose(&mut self, position: &str) -> Result<String, Error>;
}

/// What the opponent thinks of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The parts of the evaluation.
    pub parts: Parts,
    /// The cells that complete a four of the first and of the second player, as `column-row`.
    pub threats: [Vec<String>; 2],
}

/// Make an opponent of a level for a spec. What it wants to know exactly, it asks the judge of that board in `games`, each
/// time anew: how strong it is does not depend on what it was asked before.
///
/// # Errors
/// If the spec is not one of Connect Four.
pub fn opponent(games: &Registry, spec: &str, level: Level, seed: u64) -> Result<Box<dyn Opponent>, Error> {
    let spec: ludex_core::Spec = spec.parse()?;
    if spec.name != FAMILY.name {
        return Err(Error::spec(format!("'{spec}' is not Connect Four"), "connect4 or connect4:WxH"));
    }
    Ok(match of_spec(&spec)? {
        AnyConnect4::Word(game) => OnBoard::boxed(game, games, level, seed),
        AnyConnect4::TwoWords(game) => OnBoard::boxed(game, games, level, seed),
    })
}

struct OnBoard<S: Shape> {
    game: Connect4<S>,
    games: Registry,
    rated: Rated<S>,
}

impl<S: Shape> OnBoard<S> {
    fn boxed(game: Connect4<S>, games: &Registry, level: Level, seed: u64) -> Box<dyn Opponent> {
        Box::new(Self { game, games: games.clone(), rated: Rated::new(game, level, seed) })
    }
}

impl<S: Shape> Opponent for OnBoard<S> {
    fn judge(&self, position: &str) -> Result<(Side, Judgement), Error> {
        let p = self.game.parse_position(position)?;
        let heuristic = Heuristic::new(self.game);
        let threats = [Side::First, Side::Second].map(|side| heuristic.threat_names(&p, side));
        let side = self.game.side(&p);
        Ok((side, Judgement { parts: heuristic.parts(&p, side), threats }))
    }

    fn choose(&mut self, position: &str) -> Result<String, Error> {
        let p = self.game.parse_position(position)?;
        let exact = |nodes| -> Result<_, Error> {
            let budget = Budget { nodes, memory: 64 << 20, ..Budget::default() };
            let question = Question { goal: Goal::Distance, budget, ..Question::at(position) };
            let verdict = self.games.open(&self.game.spec())?.solve(&question, &Terms::default())?;
            let best = verdict.best.first().filter(|_| verdict.is_solved());
            best.map(|best| self.game.parse_move(&p, best)).transpose()
        };
        let over = || Error::position("the game is over", "give a position that can be played on");
        let m = self.rated.choose(&p, exact)?.ok_or_else(over)?;
        Ok(self.game.move_text(&p, m))
    }
}
