//! Exact searches, generic over [`Game`](ludex_core::Game) with static dispatch. None of them names a game.
//!
//! | search | finds | for |
//! |---|---|---|
//! | [`brute`] | value and plies, with nothing but the rules | checking the others |
//! | [`alphabeta`] | value and plies | most games; draws |
//! | [`aostar`] | value and plies, best first | short wins in wide graphs |
//! | [`dfpn`] | who wins | long forced wins |
//! | [`pns`] | who wins, best first | the same, as first published |
//! | [`retrograde`] | every position of a game | tables |
//! | [`think`] | a move to play, not a verdict | boards too large to solve |
//!
//! They share one shape: an [`Ask`] and a table in, a [`Verdict`](ludex_core::Verdict) out; or, when a rule, a table and
//! the moves do not agree on a position, a [`Contradiction`](ludex_core::Contradiction), and no value at all. They know no
//! clocks and no threads: limits come through the [`Probe`](ludex_core::Probe), which they ask as the work they do says
//! (`meter`), and several workers may run the same [`Ask`] on one
//! shared table, each with its own number.
pub mod alphabeta;
pub mod aostar;
mod ask;
pub mod atomic;
pub mod brute;
pub mod dfpn;
mod driver;
mod halt;
mod hash;
mod line;
mod meter;
pub mod pns;
pub mod retrograde;
pub mod searches;
pub mod table;
pub mod think;
pub mod two_plies_on;

pub use ask::Ask;
