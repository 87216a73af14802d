//! Verbs of single games.
pub mod collapsi;
pub mod connect4;
pub mod connect4_measure;
pub mod nex;
pub mod seven;
