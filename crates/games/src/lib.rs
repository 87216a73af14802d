//! The games Ludex knows, one folder each.
//!
//! A folder holds the fast rules (`position.rs`), the same rules written naively (`reference.rs`), notation, drawing,
//! what the game knows without search, and facts to test against (`known.toml`, `perft.txt`, `playthrough.txt`).
//! [`registry`] is the only list of them. A game names no algorithm.
//!
//! ```
//! use ludex_games::registry::{self, Playable, Visitor};
//!
//! struct Title;
//! impl Visitor for Title {
//!     type Output = String;
//!     fn visit<G: Playable>(self, game: G) -> String {
//!         game.title()
//!     }
//! }
//! let title = registry::visit(&"heap:9".parse().unwrap(), Title).unwrap();
//! assert_eq!(title, "Heap of 9");
//! ```
#[path = "_template/mod.rs"]
pub mod template;

mod cells;
pub mod collapsi;
pub mod connect4;
pub mod hex;
pub mod hypergraph;
mod known;
pub mod mnk;
pub mod nex;
pub mod positional;
pub mod registry;
pub mod rhombus;
pub mod sentences;
pub mod seven;
mod sgf;
pub use ludex_core::svg;

pub use cells::CellSet;
pub use known::{Cost, KnownValue, known_values};
