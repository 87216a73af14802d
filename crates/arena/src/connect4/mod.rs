//! An opponent for people at Connect Four: it judges by rules of thumb, looks a few moves ahead, and can be beaten.
//!
//! [`weights`] holds all its numbers, [`evaluation`] what it counts, [`engine`] how it searches, [`levels`] how strong
//! it is made, from one that a child beats to one that never errs.
pub mod engine;
pub mod evaluation;
pub mod levels;
pub mod savings;
pub mod weights;

use std::any::Any;

use ludex_core::{Game, InputError, Playable, Side};
use ludex_games::{
    connect4::{Connect4, Shape, Sized, Standard},
    registry::{self, Visitor},
};

use crate::player::{Fault, Player, Turn};

use engine::{Choice, Engine, Options};
use evaluation::{Evaluation, Parts};

/// In tournaments a level plays under its name with this before it.
pub const PREFIX: &str = "connect4-";

/// A level as a player of the arena.
pub struct Seated {
    level: levels::Level,
    seed: u64,
    /// The board it plays on, and the player.
    rated: Option<(String, levels::Rated)>,
}

impl Seated {
    /// A player of a level; the same seed makes the same choices.
    #[must_use]
    pub const fn new(level: levels::Level, seed: u64) -> Self {
        Self { level, seed, rated: None }
    }
}

impl Player for Seated {
    fn name(&self) -> String {
        format!("{PREFIX}{}", self.level.name)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<String, Fault> {
        let spec = turn.game.spec();
        let rated = match &mut self.rated {
            Some((board, rated)) if *board == spec => rated,
            other => {
                let rated = levels::Rated::new(&spec, self.level, self.seed);
                &mut other.insert((spec, rated.map_err(|e| Fault::Failed(e.message))?)).1
            }
        };
        rated.choose(turn.position).map_err(|e| Fault::Failed(e.to_string()))
    }
}

/// A heuristic opponent on a board of any size.
pub trait Opponent: Send {
    /// What it thinks of a position, for a side; the parts and the threats of both sides.
    ///
    /// # Errors
    /// If the text is no position.
    fn evaluate(&self, position: &str, side: Side) -> Result<Judgement, InputError>;

    /// Choose a move, and say why.
    ///
    /// # Errors
    /// If the text is no position, or the game is over in it.
    fn choose(&mut self, position: &str) -> Result<(String, Choice), InputError>;

    /// Who is to move.
    ///
    /// # Errors
    /// If the text is no position.
    fn side(&self, position: &str) -> Result<Side, InputError>;
}

/// What the opponent thinks of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The parts of the evaluation.
    pub parts: Parts,
    /// The cells that complete a four of the first and of the second player, as `column-row`.
    pub threats: [Vec<String>; 2],
}

/// A side and what is thought of a position for it, if anything.
pub type Glanced = Result<Option<(Side, Judgement)>, InputError>;

/// What the opponent thinks of a position at a glance, for the side to move; `None` for other games and finished ones.
///
/// # Errors
/// If the text is no position.
pub fn glance(spec: &str, position: &str) -> Glanced {
    struct Glance<'a>(&'a str);
    impl Visitor for Glance<'_> {
        type Output = Glanced;
        fn visit<G: Playable>(self, game: G) -> Self::Output {
            let game: &dyn Any = &game;
            match glance_at::<Standard>(game, self.0)
                .or_else(|| glance_at::<Sized<u64>>(game, self.0))
                .or_else(|| glance_at::<Sized<u128>>(game, self.0))
            {
                Some(seen) => seen,
                None => Ok(None),
            }
        }
    }
    registry::visit(&spec.parse()?, Glance(position))?
}

fn glance_at<S: Shape>(game: &dyn Any, position: &str) -> Option<Glanced> {
    let game = *game.downcast_ref::<Connect4<S>>()?;
    let seen = ludex_core::Notation::parse_position(&game, position).map(|p| {
        let evaluation = Evaluation::new(game);
        let side = game.side(&p);
        let threats = [Side::First, Side::Second].map(|side| evaluation.threat_names(&p, side));
        game.outcome(&p).is_none().then(|| (side, Judgement { parts: evaluation.parts(&p, side), threats }))
    });
    Some(seen)
}

/// Make an opponent for a spec.
///
/// # Errors
/// If the spec is not one of Connect Four.
pub fn opponent(spec: &str, options: Options) -> Result<Box<dyn Opponent>, InputError> {
    struct Make(Options);
    impl Visitor for Make {
        type Output = Option<Box<dyn Opponent>>;
        fn visit<G: Playable>(self, game: G) -> Self::Output {
            let game: &dyn Any = &game;
            seat::<Standard>(game, self.0)
                .or_else(|| seat::<Sized<u64>>(game, self.0))
                .or_else(|| seat::<Sized<u128>>(game, self.0))
        }
    }
    registry::visit(&spec.parse()?, Make(options))?
        .ok_or_else(|| InputError::spec(format!("'{spec}' is not Connect Four"), "connect4 or connect4:WxH"))
}

fn seat<S: Shape>(game: &dyn Any, options: Options) -> Option<Box<dyn Opponent>> {
    let game = *game.downcast_ref::<Connect4<S>>()?;
    Some(Box::new(Seat { game, evaluation: Evaluation::new(game), engine: Engine::new(game, options) }))
}

struct Seat<S: Shape> {
    game: Connect4<S>,
    evaluation: Evaluation<S>,
    engine: Engine<S>,
}

impl<S: Shape> Opponent for Seat<S> {
    fn evaluate(&self, position: &str, side: Side) -> Result<Judgement, InputError> {
        let p = ludex_core::Notation::parse_position(&self.game, position)?;
        let threats = [Side::First, Side::Second].map(|side| self.evaluation.threat_names(&p, side));
        Ok(Judgement { parts: self.evaluation.parts(&p, side), threats })
    }

    fn choose(&mut self, position: &str) -> Result<(String, Choice), InputError> {
        use ludex_core::Notation as _;
        let p = self.game.parse_position(position)?;
        if self.game.outcome(&p).is_some() {
            return Err(InputError::position("the game is over", "give a position that can be played on"));
        }
        let choice = self.engine.choose(&p);
        Ok((self.game.move_text(&p, choice.column), choice))
    }

    fn side(&self, position: &str) -> Result<Side, InputError> {
        Ok(self.game.side(&ludex_core::Notation::parse_position(&self.game, position)?))
    }
}
