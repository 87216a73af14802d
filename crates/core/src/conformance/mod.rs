//! The kit that every game must pass.
//!
//! [`check`] is all of it in one call, [`check_without_reference`] what can be checked before the rules are written a
//! second time. The parts: [`random_play`] plays the fast rules against the naive ones, and checks notation, rank and
//! keys on the way; [`spoilt_texts`] puts foreign and misplaced signs into texts; [`drawings`] looks at pictures;
//! [`every_position`] goes through a whole small game and checks that symmetric positions are worth the same and that
//! everything [`Game::look`](crate::Game::look) says is true; [`sampled_look`] does the latter on random late positions
//! of larger games. All of them panic with the position at fault.
mod check;
mod drawings;
mod look;
mod minimax;
mod play;
mod texts;

pub use check::{Passed, check, check_without_reference};
pub use drawings::drawings;
pub use look::{check_look, every_position, sampled_look};
pub use minimax::Minimax;
pub use play::{Played, random_play};
pub use texts::spoilt_texts;
