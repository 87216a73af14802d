//! Nothing here yet.
pub mod retrograde;
