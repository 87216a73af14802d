//! What the heuristic opponent thinks things are worth: all its numbers, in one table.

/// The worth of everything the evaluation counts, for the player it counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// A stone in the middle column (in each of the two middle ones if the width is even).
    pub centre: i32,
    /// A stone beside the middle.
    pub beside_centre: i32,
    /// A window of four cells with four own stones.
    pub own_four: i32,
    /// Three own stones and a free cell.
    pub own_three: i32,
    /// Two own stones and two free cells.
    pub own_two: i32,
    /// Three of the opponent's and a free cell.
    pub other_three: i32,
    /// Two of the opponent's and two free cells.
    pub other_two: i32,
    /// A cell that completes a four and can be played at once.
    pub threat_playable: i32,
    /// One that cannot, in a row that favours its owner: odd rows the first player, even rows the second.
    pub threat_favourable: i32,
    /// One that cannot, in another row.
    pub threat_other: i32,
    /// The opponent's that can be played at once.
    pub other_threat_playable: i32,
    /// The opponent's that cannot, in a row that favours him.
    pub other_threat_favourable: i32,
    /// Two own threats on top of each other: they cannot both be blocked.
    pub stacked_threats: i32,
    /// A column in which our stone would open the opponent's winning cell.
    pub we_open: i32,
    /// A column in which the opponent's stone would open ours.
    pub other_opens: i32,
    /// A threat in a favourable row with none of the opponent's below it.
    pub controlled: i32,
    /// Such a threat with an even number of cells to be filled before it: won, even if far away.
    pub forced: i32,
}

/// The weights it plays with.
pub const WEIGHTS: Weights = Weights {
    centre: 6,
    beside_centre: 3,
    own_four: 1000,
    own_three: 50,
    own_two: 10,
    other_three: -80,
    other_two: -8,
    threat_playable: 500,
    threat_favourable: 150,
    threat_other: 80,
    other_threat_playable: -450,
    other_threat_favourable: -140,
    stacked_threats: 300,
    we_open: -200,
    other_opens: 180,
    controlled: 250,
    forced: 2000,
};

/// What a move is worth before it is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderWeights {
    /// It completes a four.
    pub win: i32,
    /// It stops one.
    pub block: i32,
    /// Its column: the middle, beside it, the next, all others.
    pub columns: [i32; 4],
    /// It was good elsewhere: a killer, or the best history.
    pub habit: i32,
}

/// The order it searches in.
pub const ORDER: OrderWeights = OrderWeights { win: 1000, block: 500, columns: [10, 5, 2, 0], habit: 20 };

/// How deep it looks, by the stones on the board: up to so many stones, so many plies.
pub const DEPTHS: [(u32, u32); 4] = [(8, 6), (20, 8), (30, 10), (u32::MAX, 12)];
