//! The two widths of a set of cells of a tile.

use ludex_core::{Key, Side};

use crate::hypergraph::Mask;

/// A set of cells of a tile, a column being a group of four bits.
pub trait TileMask: Mask {
    /// How many columns fit.
    const COLUMNS: usize;
    /// A key: the cells of both and the side to move.
    type Key: Key;
    /// Its bits: four for each column and side, and one.
    const KEY_BITS: u32 = 8 * Self::COLUMNS as u32 + 1;

    /// The key of a position.
    fn key(maker: Self, breaker: Self, side: Side) -> Self::Key;

    /// The board of so many columns turned by half.
    #[must_use]
    fn half_turned(self, columns: usize) -> Self;

    /// Every column upside down.
    #[must_use]
    fn upside_down(self) -> Self;

    /// The first column with a cell and the one after the last. There must be one.
    fn span(self) -> (u32, u32);
}

macro_rules! geometry {
    ($word:ty) => {
        #[inline]
        fn half_turned(self, columns: usize) -> Self {
            self.reverse_bits() >> (<$word>::BITS as usize - 4 * columns)
        }

        #[inline]
        fn upside_down(self) -> Self {
            const LOW: $word = <$word>::MAX / 15 * 5;
            const PAIRS: $word = <$word>::MAX / 15 * 3;
            let swapped = (self & LOW) << 1 | self >> 1 & LOW;
            (swapped & PAIRS) << 2 | swapped >> 2 & PAIRS
        }

        #[inline]
        fn span(self) -> (u32, u32) {
            (self.trailing_zeros() / 4, (<$word>::BITS + 3 - self.leading_zeros()) / 4)
        }
    };
}

impl TileMask for u64 {
    const COLUMNS: usize = 15;
    type Key = u128;

    #[inline]
    fn key(maker: u64, breaker: u64, side: Side) -> u128 {
        u128::from(maker) | u128::from(breaker) << 60 | (side.index() as u128) << 120
    }

    geometry!(u64);
}

impl TileMask for u128 {
    const COLUMNS: usize = 31;
    type Key = [u64; 4];

    #[inline]
    fn key(maker: u128, breaker: u128, side: Side) -> [u64; 4] {
        let (low, high) = (maker | breaker << 124, breaker >> 4 | (side.index() as u128) << 120);
        [low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64]
    }

    geometry!(u128);
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use ludex_core::{Game as _, Goal, Moves, Notation as _, Outcome, Rng, Window};

    use super::*;
    use crate::{
        hypergraph::{Residual, naive::maker_wins},
        seven::{Board, EdgeSet, Seven, WideSeven},
    };

    /// Every cell of each side, and the side, has a bit of its own below the number of bits.
    #[test]
    fn keys_are_exact() {
        fn bits<M: TileMask>() {
            let mut seen = std::collections::HashSet::new();
            let mut one = |key: M::Key| {
                let words = key.words();
                let on: Vec<u32> = (0..64 * M::Key::WORDS as u32)
                    .filter(|bit| words.as_ref()[*bit as usize / 64] >> (bit % 64) & 1 == 1)
                    .collect();
                assert_eq!(on.len(), 1);
                assert!(on[0] < M::KEY_BITS && seen.insert(on[0]));
            };
            for cell in 0..4 * M::COLUMNS {
                one(M::key(M::bit(cell), M::EMPTY, Side::First));
                one(M::key(M::EMPTY, M::bit(cell), Side::First));
            }
            one(M::key(M::EMPTY, M::EMPTY, Side::Second));
            assert_eq!(seen.len() as u32, M::KEY_BITS);
        }
        bits::<u64>();
        bits::<u128>();
    }

    /// Random positions of both widths: the same moves, bounds, guesses, steps and keys that are shared by the same ones.
    #[test]
    fn both_widths_say_the_same() {
        let mut rng = Rng::new(3);
        let (mut narrow_keys, mut wide_keys) = (HashMap::new(), HashMap::new());
        for round in 0..1200 {
            let columns = 4 + round % 12;
            let edges = if round % 3 == 0 { EdgeSet::Harness } else { EdgeSet::Paper };
            let narrow = Seven::new(columns, edges).expect("a board").for_goal(Goal::Wdl);
            let wide = WideSeven::new(columns, edges).expect("a board").for_goal(Goal::Wdl);
            let mut p = narrow.start();
            for cell in 0..4 * columns {
                match rng.below(12) {
                    0..3 => p.maker |= 1 << cell,
                    3..6 => p.breaker |= 1 << cell,
                    _ => {}
                }
            }
            p.side = if rng.below(2) == 0 { Side::First } else { Side::Second };
            let broad = |p: &Board| Board { maker: p.maker.into(), breaker: p.breaker.into(), side: p.side };
            let q: Board<u128> = broad(&p);
            assert_eq!(narrow.outcome(&p), wide.outcome(&q));
            assert_eq!(narrow.board_text(&p), wide.board_text(&q));
            if narrow.outcome(&p).is_some() {
                continue;
            }
            let (mut moves, mut others) = (Moves::new(), Moves::new());
            assert_eq!(narrow.look(&p, Window::WIN, &mut moves), wide.look(&q, Window::WIN, &mut others));
            assert_eq!(moves.iter().collect::<Vec<_>>(), others.iter().collect::<Vec<_>>());
            assert_eq!(narrow.effort(&p, Window::WIN), wide.effort(&q, Window::WIN));
            for m in moves.iter() {
                assert_eq!(broad(&narrow.step(&p, m)), wide.step(&q, m));
            }
            let at = (columns, edges);
            assert_eq!(
                *narrow_keys.entry((at, narrow.key(&p))).or_insert(round),
                round_of(&mut wide_keys, (at, wide.key(&q)), round)
            );
        }
    }

    fn round_of<K: Eq + std::hash::Hash>(keys: &mut HashMap<K, usize>, key: K, round: usize) -> usize {
        *keys.entry(key).or_insert(round)
    }

    /// What is said of positions on boards of more than 15 columns, against minimax.
    #[test]
    fn wide_boards_are_right() {
        let mut rng = Rng::new(4);
        let mut won = [0; 2];
        for round in 0..600 {
            let columns = 16 + round % 16;
            let edges = if round % 3 == 0 { EdgeSet::Harness } else { EdgeSet::Paper };
            let game = WideSeven::new(columns, edges).expect("a board").for_goal(Goal::Wdl);
            let mut p = game.start();
            p.side = if rng.below(2) == 0 { Side::First } else { Side::Second };
            let mut order: Vec<usize> = (0..4 * columns).collect();
            rng.shuffle(&mut order);
            let share = 25 + rng.below(30);
            for cell in order {
                let bit = 1u128 << cell;
                if Residual::of(game.lines(), p.maker, p.breaker).cells().count() <= 10 {
                    break;
                }
                if rng.below(100) < share && !Residual::of(game.lines(), p.maker | bit, p.breaker).is_made() {
                    p.maker |= bit;
                } else {
                    p.breaker |= bit;
                }
            }
            if game.outcome(&p).is_some() {
                continue;
            }
            let truth = |p: &Board<u128>| {
                let rest = Residual::of(game.lines(), p.maker, p.breaker);
                let cells: Vec<usize> = rest.cells().cells().collect();
                let fewer = |edge: &u128| {
                    cells.iter().enumerate().fold(0u64, |e, (i, &c)| e | u64::from(edge.has(c)) << i)
                };
                let edges: Vec<u64> = rest.edges().iter().map(fewer).collect();
                maker_wins(&edges, p.side == Side::First)
            };
            let wins = truth(&p);
            won[usize::from(wins)] += 1;
            let mut moves = Moves::new();
            let bounds = game.look(&p, Window::WIN, &mut moves);
            let own = wins == (p.side == Side::First);
            let said = bounds.outcome().map(|outcome| outcome == Outcome::Win);
            let by_moves = moves.iter().any(|m| truth(&game.step(&p, m)) == (p.side == Side::First));
            assert_eq!(said.unwrap_or(by_moves), own, "{p:?} of {}", game.spec());
            for image in game.images(&p) {
                assert_eq!(game.key(&image), game.key(&p));
            }
        }
        assert!(won[0] > 50 && won[1] > 50, "{won:?}");
    }

    #[test]
    fn spans() {
        assert_eq!((0b1000_0000_0000u64).span(), (2, 3));
        assert_eq!((1u128 << 123 | 1 << 5).span(), (1, 31));
    }
}
