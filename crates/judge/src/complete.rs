//! What the judge of a browser leaves out: tables that are built, shared searches, measurements. Nothing there asks for them,
//! and each would be code to load for every game.

use ludex_core::{Error, ErrorCode};

/// Whether everything is there. A constant, so that what comes after a test of it is not even compiled where it is not.
pub(crate) const COMPLETE: bool = cfg!(not(target_family = "wasm"));

/// What is said instead.
pub(crate) fn left_out() -> Error {
    Error::new(ErrorCode::NotFound, "this is left out in a browser", "the program has it: ludex help")
}
