//! Collapsi beyond the general: a solver for deals by the million.
mod fast;

pub use fast::{Fast, values_of_seeds};
