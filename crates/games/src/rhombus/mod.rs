//! The rhombic board of hexagons that Nex and Hex are played on.
//!
//! Cell (r, c) is bit `r·C + c`. Each printed row is shifted half a cell to the right, so the neighbours are the two
//! cells beside it, the two with the same column in the rows above and below, and (r−1, c+1) and (r+1, c−1):
//!
//! ```text
//!        a1 a2 a3          bits   0 1 2
//!          b1 b2 b3              3 4 5        b2 touches a2 a3 b1 b3 c1 c2
//!            c1 c2 c3           6 7 8
//! ```
//! The first player connects top and bottom, the second left and right; a full board connects exactly one of them.
mod draw;
mod geometry;

pub use draw::Board;
pub use geometry::{Rhombus, WIDEST};
