//! Verbs of single games.
pub mod seven;
