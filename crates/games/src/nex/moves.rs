//! The moves of Nex.

/// A move. Cells are numbers; the derived order is the one in which equally good moves are reported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NexMove {
    /// An own stone and a neutral one on two empty cells.
    Generate {
        /// Where the own stone goes.
        own: u16,
        /// Where the neutral one goes.
        neutral: u16,
    },
    /// Two neutral stones become own, `first < second`, and an own stone becomes neutral.
    Transform {
        /// The neutral stone on the lower cell.
        first: u16,
        /// The neutral stone on the higher cell.
        second: u16,
        /// The own stone that becomes neutral.
        back: u16,
    },
    /// The last cells under official rules: an own stone on the last empty cell or in place of the last neutral.
    Single {
        /// The cell.
        cell: u16,
    },
    /// The second player's first move may take over the first player's.
    Swap,
}

const _: () = assert!(size_of::<NexMove>() == 8);
