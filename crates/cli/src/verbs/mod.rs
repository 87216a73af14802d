//! Verbs of single games.
pub mod collapsi;
pub mod nex;
pub mod seven;
