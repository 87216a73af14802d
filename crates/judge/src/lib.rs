//! Nothing here yet.
pub mod collapsi;
pub mod table;
