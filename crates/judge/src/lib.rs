//! Nothing here yet.
pub mod table;
