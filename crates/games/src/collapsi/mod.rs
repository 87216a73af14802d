//! Collapsi: two pawns on a torus of cards; the card you stand on says how many steps you make,
//! and collapses when you leave it. Who cannot move loses.
//!
//! `collapsi[:DEAL][,joker=wild]`, `collapsi:3x3[,…]`. A deal is any board of cards, such as `A242/2333/34X2/OAAA`;
//! without one the game has no start, but deals one from a seed. See `docs/src/games/collapsi.md`.
//!
//! ```
//! use ludex_core::{Game, Notation, Outcome};
//! use ludex_games::collapsi::Collapsi;
//!
//! let game = Collapsi::new(4, false);
//! let deal = game.parse_position("A242/2333/34X2/OAAA").unwrap();
//! let mut moves = Vec::new();
//! game.each_move(&deal, |m| moves.push(game.move_text(&deal, m)));
//! assert_eq!(moves, ["c3-c2", "c3-b3", "c3-d3", "c3-c4"]);
//!
//! let stuck = game.parse_position("..../2x4../...4o/...A").unwrap();
//! assert_eq!(game.outcome(&stuck), Some(Outcome::Loss));
//! ```
mod board;
mod classes;
mod draw;
mod hints;
mod notation;
mod position;
mod reading;
mod reference;
pub mod symmetry;

use ludex_core::{Error, ErrorCode, Notation, Spec};

use crate::registry::{Family, Visitor};

pub use board::{Board, Walks};
pub use classes::Classes;
pub use position::{Collapsi, JOKER, Position, Walk};
pub use reference::NaiveCollapsi;

/// What the registry says about it.
pub const FAMILY: Family = Family {
    name: "collapsi",
    title: "Collapsi",
    about: "Two pawns on a torus of cards: walk as many steps as your card says; the card collapses; who is stuck loses.",
    usage: "collapsi[:DEAL][,joker=wild] or collapsi:3x3[,DEAL][,joker=wild]; DEAL such as A242/2333/34X2/OAAA",
    subtle_end: true,
    examples: &["collapsi", "collapsi:A242/2333/34X2/OAAA", "collapsi:joker=wild", "collapsi:3x3"],
    small: &[
        "collapsi:3x3",
        "collapsi:3x3,joker=wild",
        "collapsi:X2A/A2A/A2O",
        "collapsi:4X4/A3O/3J2,joker=wild",
    ],
    largest: &["collapsi:A242/2333/34X2/OAAA", "collapsi:A242/2333/34X2/OAAA,joker=wild"],
    for_newcomers: true,
    rules: include_str!("rules.md"),
    known: include_str!("known.toml"),
    perft: include_str!("perft.txt"),
    playthrough: include_str!("playthrough.txt"),
    ..Family::NEW
};

/// Make the game of a spec.
///
/// # Errors
/// If the parameters are wrong.
pub fn make<V: Visitor>(spec: &Spec, visitor: V) -> Result<V::Output, Error> {
    game(spec).map(|game| visitor.visit(game))
}

/// The game of a spec, as its own type.
///
/// # Errors
/// If the parameters are wrong.
pub fn game(spec: &Spec) -> Result<Collapsi, Error> {
    spec.only(2, &["joker"], FAMILY.usage)?;
    let wild = match spec.named("joker") {
        None | Some("1") => false,
        Some("wild") => true,
        Some(other) => {
            return Err(Error::spec(format!("a joker cannot be '{other}'"), "joker=1 or joker=wild"));
        }
    };
    let (mut size, mut deal) = (None, None);
    for word in spec.positional() {
        let place = if word.contains('/') { &mut deal } else { &mut size };
        if place.replace(word.as_str()).is_some() {
            return Err(Error::spec(format!("'{spec}' has a parameter too many: '{word}'"), FAMILY.usage));
        }
    }
    let width = match size.map(str::to_lowercase).as_deref() {
        Some("3x3") => 3,
        Some("4x4") => 4,
        Some(other) => {
            return Err(Error::spec(
                format!("'{other}' is neither a size nor a deal"),
                "a size is 3x3 or 4x4, a deal has rows joined by '/', such as A242/2333/34X2/OAAA",
            ));
        }
        None if deal.is_some_and(|d| reading::rows(d) == 3) => 3,
        None => 4,
    };
    let game = Collapsi::new(width, wild);
    match deal {
        Some(deal) => {
            let deal = game.parse_board(deal, None).map_err(|e| Error { code: ErrorCode::BadSpec, ..e })?;
            Ok(game.with_deal(deal))
        }
        None => Ok(game),
    }
}
