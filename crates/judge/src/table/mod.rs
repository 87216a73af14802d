//! Tables of whole games: building, probing, counting and verifying them.
//!
//! A table answers every position of a game at once. [`build`] solves the game tier by tier with all threads, keeps
//! every finished tier on disk and goes on there after an interruption; [`Answers`] reads a finished file for the game
//! it was made for; [`stats`] counts it and [`verify`] derives its values again from the rules.
mod answers;
mod build;
mod count;
mod fault;
mod present;
mod verify;

pub use answers::{Answers, MoveValue, Probed, ProbedMove, probe};
pub use build::{Built, Order, Step, build, estimate};
pub use count::{Counted, Tally, count, reachable, reachable_of, stats, stats_heading};
pub use fault::TableFault;
pub use present::{Present, present};
pub use verify::{Verified, Verifying, verify};

pub(crate) use verify::LISTED;

use ludex_core::Side;

/// The end of a tier's name in a file that tells whose turn it is.
const FIRST: &str = ", first to move";
const SECOND: &str = ", second to move";

/// How the name of a tier says whose turn it is.
pub(crate) const fn turn(side: Option<Side>) -> &'static str {
    match side {
        Some(Side::First) => FIRST,
        Some(Side::Second) => SECOND,
        None => "",
    }
}

/// The name of the file in which the table of a game is looked for: `nex:3x3,rules=official` is in
/// `nex-3x3-rules-official.table`.
#[must_use]
pub fn file_name(spec: &str) -> String {
    let plain: String = spec.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("{plain}.table")
}
