//! m,n,k-games: wins are narrow and long, draws are wide, so both kinds of search take turns.

use ludex_core::{Nature, Notation};
use ludex_judge::{BOTH, Question, Study};

/// Depth-first and proof-number search in turns.
#[derive(Clone, Copy, Debug)]
pub struct InTurns;

impl<G: Notation> Study<G> for InTurns {
    fn suits(&self, _: &Question, _: Nature) -> Option<&'static str> {
        Some(BOTH)
    }
}
