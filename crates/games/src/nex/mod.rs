//! Nex: a connection game with neutral stones, by João Pedro Neto.
//!
//! Black connects top and bottom, White left and right. A move either puts an own stone and a neutral one on two
//! empty cells, or turns two neutral stones into own ones and one own stone into a neutral one. So every move adds
//! exactly one stone of the mover's colour, and the game ends.
//!
//! The spec is `nex:RxC[,rules=nexc|official][,swap=on]`. Under `nexc` rules a player without a move makes it a
//! draw; under `official` rules the last cells are filled one at a time, so that somebody always connects.
//!
//! ```
//! use ludex_core::{Game, Notation, Value, conformance::Minimax};
//! use ludex_games::nex::{Nex, Rules};
//!
//! let game = Nex::<1>::new(2, 2, Rules::Nexc, false);
//! let start = game.root().unwrap();
//! assert_eq!(Minimax::new().value(&game, &start), Value::win(3));
//! let p = game.parse_position("moves:Ba1?a2").unwrap();
//! assert_eq!(game.board_text(&p), "B?/..");
//! ```
mod eval;
mod hints;
mod moves;
mod notation;
mod numbering;
mod position;
mod reference;

use ludex_core::{Error, SizeForm, Spec};

use crate::{
    registry::{Family, Visitor},
    rhombus::WIDEST,
};

pub use eval::{Paths, TERMS, Terms};
pub use moves::NexMove;
pub use position::{Nex, NexKey, NexPosition, Rules};
pub use reference::NaiveNex;

/// What the registry says about it.
pub const FAMILY: Family = Family {
    name: "nex",
    title: "Nex",
    about: "Connect your edges; a move is an own and a neutral stone, or two neutrals for one of your own.",
    usage: "nex:RxC[,rules=nexc|official][,swap=on] (R rows, C columns, 2 to 19)",
    examples: &["nex:4x4", "nex:3x3", "nex:3x3,rules=official", "nex:5x5,swap=on"],
    size: Some(SizeForm::RowsByColumns),
    row_first: true,
    small: &[
        "nex:2x2",
        "nex:2x2,rules=official",
        "nex:2x2,swap=on",
        "nex:2x2,rules=official,swap=on",
        "nex:2x3",
        "nex:3x2",
        "nex:2x3,rules=official",
        "nex:3x2,rules=official",
    ],
    largest: &["nex:19x19", "nex:13x13", "nex:10x10,rules=official,swap=on"],
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
        AnyNex::Small(game) => visitor.visit(game),
        AnyNex::Middle(game) => visitor.visit(game),
        AnyNex::Large(game) => visitor.visit(game),
    })
}

/// A game by the words a set of its cells takes.
#[derive(Clone, Debug)]
pub enum AnyNex {
    /// At most 63 cells.
    Small(Nex<1>),
    /// At most 191 cells.
    Middle(Nex<3>),
    /// Up to 19x19.
    Large(Nex<6>),
}

/// The game of a spec, as its own type.
///
/// # Errors
/// If the parameters are wrong.
pub fn of_spec(spec: &Spec) -> Result<AnyNex, Error> {
    let usage = FAMILY.usage;
    spec.only(1, &["rules", "swap"], usage)?;
    let (rows, cols) = spec.size(0, usage)?.unwrap_or((4, 4));
    if !(2..=WIDEST).contains(&rows) || !(2..=WIDEST).contains(&cols) {
        return Err(Error::spec(format!("there is no Nex board of {rows}x{cols}"), usage));
    }
    let rules = match spec.named("rules") {
        None | Some("nexc") => Rules::Nexc,
        Some("official") => Rules::Official,
        Some(other) => return Err(Error::spec(format!("there are no rules '{other}'"), usage)),
    };
    let swap = match spec.named("swap") {
        None | Some("off") => false,
        Some("on") => true,
        Some(other) => {
            return Err(Error::spec(format!("swap cannot be '{other}'"), "swap=on or swap=off"));
        }
    };
    if swap && rows != cols {
        return Err(Error::spec(
            format!("a swap reflects the board, and {rows}x{cols} is not square"),
            "leave swap=on out, or use a square board",
        ));
    }
    Ok(match rows * cols {
        0..=63 => AnyNex::Small(Nex::new(rows, cols, rules, swap)),
        64..=191 => AnyNex::Middle(Nex::new(rows, cols, rules, swap)),
        _ => AnyNex::Large(Nex::new(rows, cols, rules, swap)),
    })
}
