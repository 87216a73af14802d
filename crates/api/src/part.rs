//! A part of a long list of moves: which, and how many there are in all.
//!
//! A Nex board of 10x10 has 9,900 moves, one of 19x19 has 130,000. Lists up to [`MOST`] come whole; of longer ones
//! a client asks for one part after the other.

use ludex_core::{Error, ErrorCode};
use ludex_judge::answer::Analysis;

use crate::{objects::PartialAnalysis, requests::number};

/// The longest list of moves in an answer, and the usual one.
pub const MOST: usize = 10_000;

/// Moves in all the answers to one request for several positions.
pub const MOST_OF_SEVERAL: usize = 50_000;

/// Which moves of a list are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// How many to leave out at the beginning.
    pub offset: usize,
    /// How many to take.
    pub limit: usize,
}

impl Default for Part {
    fn default() -> Self {
        Self { offset: 0, limit: MOST }
    }
}

impl Part {
    /// The part that a query names.
    ///
    /// # Errors
    /// If a number is none, or out of its range.
    pub fn of(offset: Option<&str>, limit: Option<&str>) -> Result<Self, Error> {
        let limit = number(limit, "limit")?.unwrap_or(MOST);
        if limit > MOST {
            let message = format!("limit={limit} is more than an answer holds");
            return Err(Error::new(
                ErrorCode::BadQuery,
                message,
                format!("a number from 0 to {MOST}; offset=… has the rest"),
            ));
        }
        Ok(Self { offset: number(offset, "offset")?.unwrap_or(0), limit })
    }

    /// The places of its moves.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.offset..self.offset.saturating_add(self.limit)
    }

    /// An analysis with this part of its moves.
    #[must_use]
    pub fn cut(self, mut analysis: Analysis) -> PartialAnalysis {
        let total_moves = analysis.moves.len();
        analysis.moves.truncate(self.range().end);
        analysis.moves.drain(..self.offset.min(analysis.moves.len()));
        PartialAnalysis { analysis, total_moves }
    }
}
