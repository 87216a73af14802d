//! How the judge goes about m,n,k-games: wins are narrow and long, draws are wide, so both searches take turns.

use std::any::Any;

use ludex_core::Game;
use ludex_games::{hypergraph::Wide, mnk::Mnk};

/// Whether a game is an m,n,k-game.
pub(crate) fn plays<G: Game>(game: &G) -> bool {
    let game: &dyn Any = game;
    game.is::<Mnk<u64>>() || game.is::<Mnk<u128>>() || game.is::<Mnk<Wide>>()
}
