//! Connect Four: stones fall into columns; who first has four in a line wins. Red (`x`) starts.
//!
//! ```
//! use ludex_core::{Game, Notation, Outcome};
//! use ludex_games::connect4::Connect4;
//!
//! let game = Connect4::default();
//! let p = game.parse_position("445566").unwrap();
//! assert_eq!(game.board_text(&p), "......./......./......./......./...ooo./...xxx.");
//! let p = game.play(&p, game.parse_move(&p, "7").unwrap());
//! assert_eq!(game.outcome(&p), Some(Outcome::Loss), "the side to move has lost");
//! assert_eq!(game.why(&p).unwrap(), "Red has four in a line: 4-1 5-1 6-1 7-1 (column-row).");
//! ```
mod ceiling;
mod draw;
mod forced;
mod hints;
pub mod lines;
mod notation;
mod position;
mod reference;
pub mod score;
mod shape;
mod word;

use ludex_core::{Error, SizeForm, Spec};

use crate::registry::{Family, Visitor};

pub use ceiling::{ceiling, late};
pub use forced::{Forced, play_out, play_out_from};
pub use hints::DEAD;
pub use notation::column_name;
pub use position::{Board, Column, Connect4};
pub use reference::NaiveConnect4;
pub use shape::{Shape, Sized, Standard};
pub use word::Word;

/// What the registry says about it.
pub const FAMILY: Family = Family {
    name: "connect4",
    title: "Connect Four",
    about: "Drop stones into columns; the first to have four in a line wins.",
    usage: "connect4 (7x6) or connect4:WxH (columns x rows, 4 or more each, W·(H+1) at most 128)",
    aliases: &[("c4", "connect4")],
    examples: &["connect4", "connect4:8x7", "connect4:6x5", "connect4:9x9", "connect4:5x4"],
    size: Some(SizeForm::ColumnsByRows),
    small: &["connect4:4x4"],
    largest: &["connect4:16x7", "connect4:8x8"],
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
    Ok(match of_spec(spec)? {
        AnyConnect4::Word(game) => visitor.visit(game),
        AnyConnect4::TwoWords(game) => visitor.visit(game),
    })
}

/// A game by the words its board takes.
#[derive(Clone, Copy, Debug)]
pub enum AnyConnect4 {
    /// A board of at most 64 bits.
    Word(Connect4<Sized<u64>>),
    /// A board of at most 128 bits.
    TwoWords(Connect4<Sized<u128>>),
}

/// The game of a spec, as its own type.
///
/// # Errors
/// If the parameters are wrong.
pub fn of_spec(spec: &Spec) -> Result<AnyConnect4, Error> {
    spec.only(1, &[], FAMILY.usage)?;
    let (width, height) = spec.size(0, FAMILY.usage)?.unwrap_or((7, 6));
    let bad = |what: String| Error::spec(what, FAMILY.usage);
    if width < 4 || height < 4 {
        return Err(bad(format!("a board of {width}x{height} has no room for every kind of four")));
    }
    let size = u32::try_from(width).ok().zip(u32::try_from(height).ok()).filter(|&(w, h)| w <= 32 && h <= 32);
    let Some((w, h)) = size else { return Err(bad(format!("{width}x{height} is too large"))) };
    if let Some(shape) = Sized::<u64>::new(w, h) {
        return Ok(AnyConnect4::Word(Connect4::new(shape)));
    }
    match Sized::<u128>::new(w, h) {
        Some(shape) => Ok(AnyConnect4::TwoWords(Connect4::new(shape))),
        None => Err(bad(format!("{w}x{h} is too large: {w}·({h}+1) = {} bits", w * (h + 1)))),
    }
}
