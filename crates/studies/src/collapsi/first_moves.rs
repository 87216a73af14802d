//! How many first moves win.

use std::{collections::BTreeMap, ops::Range};

use ludex_core::Cancel;
use ludex_games::collapsi::{Classes, Collapsi};

use super::Fast;

/// How many deals have how many winning first moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstMoves {
    /// Classes looked at.
    pub classes: u64,
    /// Their deals, with X on one given cell.
    pub deals: u64,
    /// Deals by the number of winning first moves.
    pub by_winning: BTreeMap<usize, u64>,
    /// Deals by the number of first moves.
    pub by_moves: BTreeMap<usize, u64>,
}

impl FirstMoves {
    /// Both together.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.classes += other.classes;
        self.deals += other.deals;
        for (sum, counts) in
            [(&mut self.by_winning, &other.by_winning), (&mut self.by_moves, &other.by_moves)]
        {
            for (&n, deals) in counts {
                *sum.entry(n).or_default() += deals;
            }
        }
        self
    }
}

/// The numbers of the classes of a game's deals.
#[must_use]
pub fn classes(game: &Collapsi) -> Range<usize> {
    0..Classes::of(game.board().width).count()
}

/// Look at every `step`th of some classes of the deals of a game.
#[must_use]
pub fn first_moves(game: &Collapsi, some: Range<usize>, step: usize, cancel: &Cancel) -> FirstMoves {
    let classes = Classes::of(game.board().width);
    let mut fast = Fast::new(game);
    let mut found = FirstMoves::default();
    for class in some.step_by(step.max(1)).take_while(|_| !cancel.is_cancelled()) {
        let deals = classes.deals(class) as u64;
        let (moves, winning) = fast.winning(&classes.deal(class));
        found.classes += 1;
        found.deals += deals;
        *found.by_winning.entry(winning).or_default() += deals;
        *found.by_moves.entry(moves).or_default() += deals;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 228 of the 280 deals of 3x3 are won.
    #[test]
    fn deals_with_a_winning_move_are_those_that_are_won() {
        let game = Collapsi::new(3, false);
        let found = first_moves(&game, classes(&game), 1, &Cancel::new());
        assert_eq!((found.classes, found.deals, found.by_winning[&0]), (38, 280, 52));
        assert_eq!(found.by_moves.values().sum::<u64>(), 280);
        let parts = [0..10, 10..30, 30..38].map(|some| first_moves(&game, some, 1, &Cancel::new()));
        assert_eq!(parts.iter().fold(FirstMoves::default(), FirstMoves::and), found, "in parts");
    }
}
