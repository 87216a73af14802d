//! Hex: one stone a move on an empty cell; Black connects top and bottom, White left and right.
//!
//! The second small folder on the rhombic board: everything but the rules themselves is shared with Nex.
//!
//! ```
//! use ludex_core::{Game, Value, conformance::Minimax};
//! use ludex_games::hex::Hex;
//!
//! let game = Hex::<1>::new(2, 2);
//! assert_eq!(Minimax::new().value(&game, &game.root().unwrap()), Value::win(3));
//! ```
mod guess;
mod import;
mod notation;
mod position;
mod reference;

use ludex_core::{Error, SizeForm, Spec};

use crate::{
    registry::{Family, Visitor},
    rhombus::WIDEST,
};

pub use position::{Hex, HexPosition, Stone};
pub use reference::NaiveHex;

/// What the registry says about it.
pub const FAMILY: Family = Family {
    name: "hex",
    title: "Hex",
    about: "One stone a move; Black connects top and bottom, White left and right.",
    usage: "hex:RxC (R rows, C columns, 2 to 19)",
    examples: &["hex:4x4", "hex:3x3", "hex:11x11"],
    size: Some(SizeForm::RowsByColumns),
    row_first: true,
    small: &["hex:2x2", "hex:2x3", "hex:3x2", "hex:3x3"],
    largest: &["hex:19x19"],
    import: import::import,
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
    Ok(match of_spec(spec)? {
        AnyHex::Small(game) => visitor.visit(game),
        AnyHex::Large(game) => visitor.visit(game),
    })
}

/// A game by the words a set of its cells takes.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of it for each game that is opened")]
pub enum AnyHex {
    /// At most 63 cells.
    Small(Hex<1>),
    /// Up to 19x19.
    Large(Hex<6>),
}

/// The game of a spec, as its own type.
///
/// # Errors
/// If the parameters are wrong.
pub fn of_spec(spec: &Spec) -> Result<AnyHex, Error> {
    spec.only(1, &[], FAMILY.usage)?;
    let (rows, cols) = spec.size(0, FAMILY.usage)?.unwrap_or((4, 4));
    if !(2..=WIDEST).contains(&rows) || !(2..=WIDEST).contains(&cols) {
        return Err(Error::spec(format!("there is no Hex board of {rows}x{cols}"), FAMILY.usage));
    }
    Ok(match rows * cols {
        0..=63 => AnyHex::Small(Hex::new(rows, cols)),
        _ => AnyHex::Large(Hex::new(rows, cols)),
    })
}
