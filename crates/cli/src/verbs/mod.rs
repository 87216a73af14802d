//! Verbs of single games.
pub mod nex;
pub mod seven;
