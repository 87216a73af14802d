//! The fast rules: three sets of cells and the side to move.

use ludex_core::{
    Bounds, Game, Key, Moves, Nature, Numbering, Outcome, Side, Switch, Switches, Value, Window,
};

use super::NexMove;
use crate::{CellSet, rhombus::Rhombus};

/// What happens when neither kind of move is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rules {
    /// The game is drawn.
    Nexc,
    /// The mover puts one own stone on the last empty cell, or in place of the last neutral stone if none is empty.
    Official,
}

/// Nex on a board that fits into `N` words.
#[derive(Clone, Debug)]
pub struct Nex<const N: usize> {
    /// The board.
    pub board: Rhombus<N>,
    /// How it ends when nothing else is possible.
    pub rules: Rules,
    /// Whether the second player may take over the first move.
    pub swap: bool,
    pub(super) on: Switches,
}

/// A board and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NexPosition<const N: usize> {
    /// Black's and White's stones.
    pub stones: [CellSet<N>; 2],
    /// The neutral stones.
    pub neutral: CellSet<N>,
    /// Who is to move.
    pub side: Side,
}

impl<const N: usize> NexPosition<N> {
    /// The number of coloured stones.
    #[inline]
    #[must_use]
    pub fn coloured(&self) -> usize {
        self.stones[0].len() + self.stones[1].len()
    }

    /// Whether White is a stone ahead of the count, which happens after a swap. No other move changes it.
    fn swapped(&self) -> bool {
        let [black, white] = self.stones.map(CellSet::len);
        white >= black + usize::from(self.side == Side::First)
    }
}

/// The two bit planes of a board, one after the other, and a bit for the side to move.
///
/// A cell is in the first plane if it is black or neutral, in the second if it is white or neutral.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NexKey<const N: usize>([[u64; N]; 2]);

/// The words of a [`NexKey`].
#[derive(Clone, Copy, Debug)]
pub struct KeyWords<const N: usize>([[u64; N]; 2]);

impl<const N: usize> AsRef<[u64]> for KeyWords<N> {
    fn as_ref(&self) -> &[u64] {
        self.0.as_flattened()
    }
}

impl<const N: usize> Key for NexKey<N> {
    type Words = KeyWords<N>;
    const WORDS: usize = 2 * N;
    #[inline]
    fn words(self) -> KeyWords<N> {
        KeyWords(self.0)
    }
}

impl<const N: usize> Nex<N> {
    /// The game on a board of a size; `64·N` bits must hold one bit more than the board has cells.
    #[must_use]
    pub fn new(rows: usize, cols: usize, rules: Rules, swap: bool) -> Self {
        assert!(rows * cols < 64 * N);
        Self { board: Rhombus::new(rows, cols), rules, swap, on: Switches::default() }
    }

    /// The empty cells.
    #[inline]
    #[must_use]
    pub fn empty(&self, p: &NexPosition<N>) -> CellSet<N> {
        self.board.all().without(p.stones[0] | p.stones[1] | p.neutral)
    }

    /// Whether the second player may swap now.
    #[must_use]
    pub fn may_swap(&self, p: &NexPosition<N>) -> bool {
        self.swap
            && p.side == Side::Second
            && p.stones[0].len() == 1
            && p.stones[1].is_empty()
            && p.neutral.len() == 1
    }

    /// Whether the mover can generate, and whether it can transform.
    fn kinds(&self, p: &NexPosition<N>) -> (bool, bool) {
        let own = p.stones[p.side.index()];
        (self.empty(p).len() >= 2, p.neutral.len() >= 2 && !own.is_empty())
    }

    /// The cells for a single stone where official rules allow nothing else: the last empty one, otherwise neutrals.
    fn singles(&self, p: &NexPosition<N>) -> CellSet<N> {
        let empty = self.empty(p);
        if empty.is_empty() { p.neutral } else { empty }
    }

    fn key_of(&self, p: &NexPosition<N>) -> NexKey<N> {
        let n = self.board.len();
        let mut words = CellSet::pair(p.stones[0] | p.neutral, p.stones[1] | p.neutral, n);
        words.as_flattened_mut()[2 * n / 64] |= (p.side.index() as u64) << (2 * n % 64);
        NexKey(words)
    }

    /// The position after the half turn.
    #[must_use]
    pub fn turned(&self, p: &NexPosition<N>) -> NexPosition<N> {
        NexPosition {
            stones: p.stones.map(|s| self.board.turned(s)),
            neutral: self.board.turned(p.neutral),
            side: p.side,
        }
    }
}

impl<const N: usize> Game for Nex<N> {
    type Position = NexPosition<N>;
    type Move = NexMove;
    type Key = NexKey<N>;

    /// A move adds no stone of the opponent's, so nobody loses by moving.
    const OPEN: Bounds = Bounds { lo: Value::loss(2), hi: Value::win(1) };

    fn root(&self) -> Option<NexPosition<N>> {
        Some(NexPosition { stones: [CellSet::EMPTY; 2], neutral: CellSet::EMPTY, side: Side::First })
    }

    #[inline]
    fn side(&self, p: &NexPosition<N>) -> Side {
        p.side
    }

    #[inline]
    fn outcome(&self, p: &NexPosition<N>) -> Option<Outcome> {
        let other = p.side.other();
        if self.board.connects(p.stones[other.index()], other) {
            return Some(Outcome::Loss);
        }
        if self.board.connects(p.stones[p.side.index()], p.side) {
            return Some(Outcome::Win);
        }
        let stuck = self.rules == Rules::Nexc && self.kinds(p) == (false, false);
        stuck.then_some(Outcome::Draw)
    }

    fn each_move(&self, p: &NexPosition<N>, mut f: impl FnMut(NexMove)) {
        let (generate, transform) = self.kinds(p);
        let own = p.stones[p.side.index()];
        if generate {
            let empty = self.empty(p);
            for cell in empty.iter() {
                for neutral in empty.without(CellSet::one(cell)).iter() {
                    f(NexMove::Generate { own: cell as u16, neutral: neutral as u16 });
                }
            }
        }
        if transform {
            for first in p.neutral.iter() {
                for second in p.neutral.iter().filter(|&c| c > first) {
                    for back in own.iter() {
                        f(NexMove::Transform {
                            first: first as u16,
                            second: second as u16,
                            back: back as u16,
                        });
                    }
                }
            }
        }
        if !generate && !transform {
            for cell in self.singles(p).iter() {
                f(NexMove::Single { cell: cell as u16 });
            }
        }
        if self.may_swap(p) {
            f(NexMove::Swap);
        }
    }

    #[inline]
    fn play(&self, p: &NexPosition<N>, m: NexMove) -> NexPosition<N> {
        let mut next = *p;
        let own = &mut next.stones[p.side.index()];
        let one = |cell: u16| CellSet::one(usize::from(cell));
        match m {
            NexMove::Generate { own: cell, neutral } => {
                *own = *own | one(cell);
                next.neutral = next.neutral | one(neutral);
            }
            NexMove::Transform { first, second, back } => {
                let (gained, lost) = (one(first) | one(second), one(back));
                *own = (*own | gained).without(lost);
                next.neutral = next.neutral.without(gained) | lost;
            }
            NexMove::Single { cell } => {
                *own = *own | one(cell);
                next.neutral = next.neutral.without(one(cell));
            }
            NexMove::Swap => {
                let reflect =
                    |s: CellSet<N>| s.iter().map(|c| self.board.reflected(c)).collect::<CellSet<N>>();
                next.stones = [reflect(p.stones[1]), reflect(p.stones[0])];
                next.neutral = reflect(p.neutral);
            }
        }
        next.side = p.side.other();
        next
    }

    fn rank(&self, p: &NexPosition<N>) -> u32 {
        (p.coloured() + usize::from(p.swapped())) as u32
    }

    /// Every move colours one cell more. Under nexc rules a single empty cell stays empty, and a single neutral stays
    /// neutral, unless there is nothing left at all.
    fn max_plies(&self, p: &NexPosition<N>) -> u32 {
        let left = self.board.len() - p.coloured();
        let kept = match self.rules {
            Rules::Official => 0,
            Rules::Nexc => left.min(1 + self.empty(p).len() % 2),
        };
        let swap = self.swap && !p.swapped() && p.coloured() <= 1;
        (left - kept + usize::from(swap)) as u32
    }

    #[inline]
    fn key(&self, p: &NexPosition<N>) -> NexKey<N> {
        self.key_of(p).min(self.key_of(&self.turned(p)))
    }

    fn key_bits(&self) -> u32 {
        2 * self.board.len() as u32 + 1
    }

    fn look(&self, p: &NexPosition<N>, window: Window, moves: &mut Moves<NexMove>) -> Bounds {
        self.hints(p, window, moves)
    }

    fn estimate(&self, p: &NexPosition<N>) -> i32 {
        self.evaluate(p)
    }

    fn candidates(&self, p: &NexPosition<N>, most: usize, moves: &mut Moves<NexMove>) -> Bounds {
        self.promising(p, most, moves)
    }

    fn images(&self, p: &NexPosition<N>) -> Vec<NexPosition<N>> {
        vec![*p, self.turned(p)]
    }

    fn switches(&self) -> &'static [Switch] {
        super::hints::SWITCHES
    }

    fn switched(&self) -> Switches {
        self.on
    }

    fn with_switches(mut self, on: Switches) -> Self {
        self.on = on;
        self
    }

    fn numbering(&self) -> Option<Box<dyn Numbering<Self>>> {
        self.number().map(|numbering| Box::new(numbering) as Box<dyn Numbering<Self>>)
    }

    fn nature(&self) -> Nature {
        Nature { draws: self.rules == Rules::Nexc, ..Nature::default() }
    }
}
