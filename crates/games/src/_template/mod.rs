//! A heap of counters; a move takes one, two or three; who takes the last one wins. **Copy this folder to start a game.**
//!
//! `CONTRIBUTING.md` says what goes where. The whole game is here: with its line in the registry it can be solved,
//! analysed, played, counted and served.
//!
//! ```
//! use ludex_core::{Game, conformance::Minimax, Value};
//! use ludex_games::template::Heap;
//!
//! let game = Heap { size: 8 };
//! let start = game.root().unwrap();
//! assert_eq!(Minimax::new().value(&game, &start), Value::loss(4), "a multiple of four is lost");
//! ```
mod hints;
mod notation;
mod position;
mod reference;

use ludex_core::{Error, Spec};

use crate::registry::{Family, Visitor};

pub use position::{Heap, Pile, Take};
pub use reference::NaiveHeap;

/// What the registry says about it.
pub const FAMILY: Family = Family {
    name: "heap",
    title: "Heap",
    about: "A heap of counters; take one, two or three; who takes the last one wins.",
    usage: "heap:N (N counters, 1 to 500)",
    examples: &["heap:21"],
    small: &["heap:1", "heap:20"],
    largest: &["heap:500"],
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
    Ok(visitor.visit(of_spec(spec)?))
}

/// The game of a spec, such as `heap:21`.
///
/// # Errors
/// If the parameters are wrong.
pub fn of_spec(spec: &Spec) -> Result<Heap, Error> {
    spec.only(1, &[], FAMILY.usage)?;
    let size =
        if spec.positional().is_empty() { 21 } else { spec.number(0, "the size of the heap", 1..=500)? };
    Ok(Heap { size: size as u32 })
}
