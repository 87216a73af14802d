//! m,n,k-games: wins are narrow and long, draws are wide, so both kinds of search take turns.

use ludex_core::{Error, Nature, Notation, Playable, Spec};
use ludex_games::{
    mnk::{FAMILY, make},
    registry::Visitor,
};
use ludex_judge::{AnyGame, BOTH, Question, Study, host_with};

/// Depth-first and proof-number search in turns.
#[derive(Clone, Copy, Debug)]
pub struct InTurns;

impl<G: Notation> Study<G> for InTurns {
    fn suits(&self, _: &Question, _: Nature) -> Option<&'static str> {
        Some(BOTH)
    }
}

impl Visitor for InTurns {
    type Output = Box<dyn AnyGame>;

    fn visit<G: Playable>(self, game: G) -> Self::Output {
        host_with(game, &FAMILY, self)
    }
}

/// Host the game of a spec.
///
/// # Errors
/// If the parameters are wrong.
pub fn open(spec: &Spec) -> Result<Box<dyn AnyGame>, Error> {
    make(spec, InTurns)
}
