//! All positions of a small board, numbered without gaps.
//!
//! A tier holds the positions with the same number of empty cells and of moves made: counts of all stones follow,
//! since every move adds one coloured stone and the sides alternate. A generate leads from (e, m) to (e−2, m+1), a
//! transform to (e, m+1).
//!
//! The stones of the side *not* to move stay where they are during a move, so they are the outermost part of the
//! number: with Y those stones, X the mover's, N the neutral ones and k = n − |Y|,
//!
//! ```text
//! index = rank(Y in n cells) · C(k, |X|) · C(k−|X|, |N|) + rank(X in the k cells left) · C(k−|X|, |N|)
//!         + rank(N in the cells left then)            rank of a set: its number in colexicographic order
//! ```
//! [`values`](Numbering::values) solves all positions with one Y together: it fetches their successors into an array
//! indexed by ternary numbers over the k cells (0 empty, 1 mover, 2 neutral), in which a move is an addition.

use std::collections::BTreeMap;

use ludex_core::{Code, Known, Numbering, Place, Side, Tier, one_value};

use super::{Nex, NexPosition, Rules};
use crate::CellSet;

/// Boards with more cells are not numbered.
const MOST_CELLS: usize = 20;
/// The ternary array is used up to this many cells.
const TERNARY: usize = 15;

/// The counts of a tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Counts {
    empty: usize,
    /// Of the side to move.
    own: usize,
    /// Of the other side.
    other: usize,
    neutral: usize,
}

impl Counts {
    /// `None` if no game gets there.
    fn new(n: usize, empty: usize, made: usize, rules: Rules) -> Option<Self> {
        let neutral = n.checked_sub(empty + made)?;
        let full = rules == Rules::Official && n % 2 == 1 && empty == 0 && neutral <= 1;
        let regular = (n - empty).is_multiple_of(2) && neutral <= made;
        (full || regular).then_some(Self { empty, own: made / 2, other: made.div_ceil(2), neutral })
    }
}

/// The numbering of a board.
#[derive(Debug)]
pub(super) struct NexNumbering<const N: usize> {
    n: usize,
    rules: Rules,
    tiers: Vec<Tier>,
    counts: Vec<Counts>,
    by_counts: BTreeMap<Counts, usize>,
    choose: [[u64; MOST_CELLS + 2]; MOST_CELLS + 1],
}

fn binomials() -> [[u64; MOST_CELLS + 2]; MOST_CELLS + 1] {
    let mut choose = [[0; MOST_CELLS + 2]; MOST_CELLS + 1];
    for n in 0..=MOST_CELLS {
        choose[n][0] = 1;
        for k in 1..=n {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
        }
    }
    choose
}

/// The next greater number with as many ones.
fn next_subset(mask: u32) -> u32 {
    if mask == 0 {
        return u32::MAX;
    }
    let low = mask & mask.wrapping_neg();
    let ripple = mask + low;
    ripple | (((mask ^ ripple) >> 2) / low)
}

/// The bits of `mask` at the places that `among` has, moved together.
fn gather(mask: u32, among: u32) -> u32 {
    let (mut out, mut to, mut left) = (0, 0, among);
    while left != 0 {
        out |= (mask >> left.trailing_zeros() & 1) << to;
        to += 1;
        left &= left - 1;
    }
    out
}

/// Undo [`gather`].
fn scatter(bits: u32, among: u32) -> u32 {
    let (mut out, mut from, mut left) = (0, 0, among);
    while left != 0 {
        out |= (bits >> from & 1) << left.trailing_zeros();
        from += 1;
        left &= left - 1;
    }
    out
}

fn mask<const N: usize>(set: CellSet<N>) -> u32 {
    set.words()[0] as u32
}

fn set<const N: usize>(mask: u32) -> CellSet<N> {
    (0..32).filter(|i| mask >> i & 1 == 1).collect()
}

/// For every subset of `r` things with `k` elements, in colexicographic order: the elements, then the others.
fn splits(r: usize, k: usize) -> Vec<u8> {
    let mut list = Vec::new();
    let mut subset = (1u32 << k) - 1;
    while subset < 1 << r {
        list.extend((0..r as u8).filter(|i| subset >> i & 1 == 1));
        list.extend((0..r as u8).filter(|i| subset >> i & 1 == 0));
        subset = next_subset(subset);
    }
    list
}

impl<const N: usize> Nex<N> {
    /// The numbering of all positions, on small boards without a swap.
    pub(super) fn number(&self) -> Option<NexNumbering<N>> {
        let n = self.board.len();
        if n > MOST_CELLS || self.swap {
            return None;
        }
        let mut numbering = NexNumbering {
            n,
            rules: self.rules,
            tiers: Vec::new(),
            counts: Vec::new(),
            by_counts: BTreeMap::new(),
            choose: binomials(),
        };
        for empty in 0..=n {
            for made in (0..=n - empty).rev() {
                let Some(counts) = Counts::new(n, empty, made, self.rules) else { continue };
                let leads_to = [0, 1, 2]
                    .iter()
                    .filter_map(|less| Counts::new(n, empty.checked_sub(*less)?, made + 1, self.rules))
                    .filter_map(|child| numbering.by_counts.get(&child).copied())
                    .collect();
                numbering.by_counts.insert(counts, numbering.tiers.len());
                numbering.counts.push(counts);
                numbering.tiers.push(Tier {
                    name: format!("{empty} empty, {made} moves"),
                    len: numbering.choose[n][counts.other] * numbering.run(counts),
                    leads_to,
                    side: Some(numbering.side(counts)),
                });
            }
        }
        Some(numbering)
    }
}

impl<const N: usize> NexNumbering<N> {
    /// Positions with the same stones of the side that is not to move.
    fn run(&self, counts: Counts) -> u64 {
        let k = self.n - counts.other;
        self.choose[k][counts.own] * self.choose[k - counts.own][counts.neutral]
    }

    fn rank(&self, mut mask: u32) -> u64 {
        let (mut rank, mut i) = (0, 0);
        while mask != 0 {
            i += 1;
            rank += self.choose[mask.trailing_zeros() as usize][i];
            mask &= mask - 1;
        }
        rank
    }

    fn unrank(&self, mut rank: u64, ones: usize, n: usize) -> u32 {
        let (mut mask, mut cell) = (0, n);
        for i in (1..=ones).rev() {
            cell = (0..cell).rev().find(|&c| self.choose[c][i] <= rank).unwrap_or(0);
            rank -= self.choose[cell][i];
            mask |= 1 << cell;
        }
        mask
    }

    fn side(&self, counts: Counts) -> Side {
        if counts.own == counts.other { Side::First } else { Side::Second }
    }

    /// Fetch the successors in one tier of all positions with the other side's stones `fixed`, as the mover sees them,
    /// into the ternary array.
    fn fetch(&self, cells: &Cells, child: Counts, codes: &[u8], ternary: &mut [u8]) {
        let (k, own, neutral) = (cells.weights.len(), child.other, child.neutral);
        let rest = k - own;
        let subsets = splits(rest, neutral);
        let (run, inner) = (self.run(child), self.choose[rest][neutral]);
        let mut open = vec![0u32; rest];
        let mut local = (1u32 << own) - 1;
        while local < 1 << k {
            let whole = scatter(local, cells.open);
            let base: u32 = cells.sum(local);
            for (weight, cell) in open.iter_mut().zip((0..k).filter(|c| local >> c & 1 == 0)) {
                *weight = cells.weights[cell];
            }
            let beside = gather(cells.fixed, !whole & ((1 << self.n) - 1));
            let at = self.rank(whole) * run + self.rank(beside) * inner;
            let codes = &codes[at as usize..(at + inner) as usize];
            for (subset, code) in subsets.chunks_exact(rest.max(1)).zip(codes) {
                let sum: u32 = subset[..neutral].iter().map(|&i| open[usize::from(i)]).sum();
                ternary[(base + 2 * sum) as usize] = Code(*code).back().0;
            }
            if rest == 0 {
                ternary[base as usize] = Code(codes[0]).back().0;
            }
            local = next_subset(local);
        }
    }

    /// Solve all positions of a tier with the same `fixed` stones, once their successors are in the ternary array.
    fn solve_run(&self, game: &Nex<N>, cells: &Cells, counts: Counts, ternary: &[u8], out: &mut [u8]) {
        let (k, own, neutral) = (cells.weights.len(), counts.own, counts.neutral);
        let rest = k - own;
        let subsets = splits(rest, neutral);
        let inner = self.choose[rest][neutral] as usize;
        let side = self.side(counts);
        let (mut open, mut mine) = (vec![0u32; rest], vec![0u32; own]);
        let (mut empties, mut neutrals) = (vec![0u32; counts.empty], vec![0u32; neutral]);
        let mut local = (1u32 << own) - 1;
        let stuck = counts.empty < 2 && (neutral < 2 || own == 0);
        for codes in out.chunks_exact_mut(inner) {
            if game.board.connects(set(scatter(local, cells.open)), side) {
                codes.fill(Code::WON.0);
            } else if stuck {
                codes.fill(Code::DRAW.0);
            } else {
                let base = cells.sum(local);
                let (mut i, mut j) = (0, 0);
                for cell in 0..k {
                    if local >> cell & 1 == 1 {
                        mine[i] = cells.weights[cell];
                        i += 1;
                    } else {
                        open[j] = cells.weights[cell];
                        j += 1;
                    }
                }
                for (subset, code) in subsets.chunks_exact(rest).zip(codes) {
                    let (chosen, others) = subset.split_at(neutral);
                    neutrals.iter_mut().zip(chosen).for_each(|(w, &i)| *w = open[usize::from(i)]);
                    empties.iter_mut().zip(others).for_each(|(w, &i)| *w = open[usize::from(i)]);
                    let here = base + 2 * neutrals.iter().sum::<u32>();
                    *code = best_successor(ternary, here, &mine, &neutrals, &empties);
                }
            }
            local = next_subset(local);
        }
    }
}

/// The best of all moves from the ternary number `here`, given the weights of the mover's, neutral and empty cells.
fn best_successor(ternary: &[u8], here: u32, mine: &[u32], neutrals: &[u32], empties: &[u32]) -> u8 {
    let mut best = 0;
    for (i, own) in empties.iter().enumerate() {
        let own = here + own;
        for (j, neutral) in empties.iter().enumerate() {
            if i != j {
                best = best.max(ternary[(own + 2 * neutral) as usize]);
            }
        }
        if best == Code::WIN_IN_ONE.0 {
            return best;
        }
    }
    for (i, first) in neutrals.iter().enumerate() {
        for second in &neutrals[i + 1..] {
            let gained = here - first - second;
            for back in mine {
                best = best.max(ternary[(gained + back) as usize]);
            }
        }
        if best == Code::WIN_IN_ONE.0 {
            return best;
        }
    }
    best
}

/// The cells that the fixed stones leave, and the ternary weight of each.
struct Cells {
    fixed: u32,
    open: u32,
    weights: Vec<u32>,
}

impl Cells {
    fn new(fixed: u32, n: usize) -> Self {
        let open = !fixed & ((1 << n) - 1);
        Self { fixed, open, weights: (0..open.count_ones()).map(|i| 3u32.pow(i)).collect() }
    }

    fn sum(&self, mut local: u32) -> u32 {
        let mut sum = 0;
        while local != 0 {
            sum += self.weights[local.trailing_zeros() as usize];
            local &= local - 1;
        }
        sum
    }
}

impl<const N: usize> Numbering<Nex<N>> for NexNumbering<N> {
    fn tiers(&self) -> &[Tier] {
        &self.tiers
    }

    fn place(&self, p: &NexPosition<N>) -> Option<Place> {
        let [own, other] = [p.side, p.side.other()].map(|s| mask(p.stones[s.index()]));
        let neutral = mask(p.neutral);
        let count = |mask: u32| mask.count_ones() as usize;
        let counts = Counts {
            empty: self.n - count(own | other | neutral),
            own: count(own),
            other: count(other),
            neutral: count(neutral),
        };
        let &tier = self.by_counts.get(&counts)?;
        if self.side(counts) != p.side {
            return None;
        }
        let all = (1u32 << self.n) - 1;
        let inner = self.choose[self.n - counts.other - counts.own][counts.neutral];
        let index = self.rank(other) * self.run(counts)
            + self.rank(gather(own, all & !other)) * inner
            + self.rank(gather(neutral, all & !other & !own));
        Some(Place { tier, index })
    }

    fn position(&self, place: Place) -> NexPosition<N> {
        let counts = self.counts[place.tier];
        let all = (1u32 << self.n) - 1;
        let run = self.run(counts);
        let k = self.n - counts.other;
        let inner = self.choose[k - counts.own][counts.neutral];
        let other = self.unrank(place.index / run, counts.other, self.n);
        let own = scatter(self.unrank(place.index % run / inner, counts.own, k), all & !other);
        let neutral = self.unrank(place.index % inner, counts.neutral, k - counts.own);
        let neutral = scatter(neutral, all & !other & !own);
        let side = self.side(counts);
        let stones = if side == Side::First { [own, other] } else { [other, own] };
        NexPosition { stones: stones.map(set), neutral: set(neutral), side }
    }

    fn grain(&self, tier: usize) -> u64 {
        self.run(self.counts[tier])
    }

    fn workspace(&self) -> u64 {
        3u64.pow(self.n.min(TERNARY) as u32)
    }

    fn values(&self, game: &Nex<N>, tier: usize, start: u64, known: Known<'_>, out: &mut [u8]) {
        let counts = self.counts[tier];
        let run = self.run(counts);
        let k = self.n - counts.other;
        let last_cells = self.rules == Rules::Official && counts.empty < 2 && counts.neutral < 2;
        let aligned = start.is_multiple_of(run) && (out.len() as u64).is_multiple_of(run);
        if k > TERNARY || last_cells || !aligned {
            for (index, code) in (start..).zip(out) {
                *code = one_value(self, game, Place { tier, index }, known).0;
            }
            return;
        }
        let mut ternary = vec![0; 3usize.pow(k as u32)];
        let opponent = self.side(counts).other();
        for (i, codes) in out.chunks_exact_mut(run as usize).enumerate() {
            let fixed = self.unrank(start / run + i as u64, counts.other, self.n);
            if game.board.connects(set(fixed), opponent) {
                codes.fill(Code::LOST.0);
                continue;
            }
            let cells = Cells::new(fixed, self.n);
            for &child in &self.tiers[tier].leads_to {
                self.fetch(&cells, self.counts[child], known.tiers[child], &mut ternary);
            }
            self.solve_run(game, &cells, counts, &ternary, codes);
        }
    }
}

#[cfg(test)]
mod tests {
    use ludex_core::{Game, Rng, Value, conformance::Minimax};

    use super::*;

    /// All tiers by the fast way, and whether the slow way says the same.
    fn solve(game: &Nex<1>, numbering: &NexNumbering<1>, compare: bool) -> Vec<Vec<u8>> {
        let mut done: Vec<Vec<u8>> = Vec::new();
        for tier in 0..numbering.tiers.len() {
            let slices: Vec<&[u8]> = done.iter().map(Vec::as_slice).collect();
            let known = Known { tiers: &slices };
            let mut codes = vec![0; numbering.tiers[tier].len as usize];
            numbering.values(game, tier, 0, known, &mut codes);
            if compare {
                for (index, &code) in (0..).zip(&codes) {
                    let place = Place { tier, index };
                    assert_eq!(numbering.place(&numbering.position(place)), Some(place));
                    assert_eq!(Code(code), one_value(numbering, game, place, known), "{place:?}");
                }
            }
            done.push(codes);
        }
        done
    }

    /// Every board of at most nine cells under both rules: the fast way, the slow way and minimax from the start agree
    /// on every position.
    #[test]
    fn all_ways_agree_on_small_boards() {
        for (rows, cols) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)] {
            for rules in [Rules::Nexc, Rules::Official] {
                let game = Nex::<1>::new(rows, cols, rules, false);
                let numbering = game.number().unwrap();
                let solved = solve(&game, &numbering, true);
                let mut minimax = Minimax::new();
                minimax.value(&game, &game.root().unwrap());
                for (p, &value) in &minimax.values {
                    let place = numbering.place(p).unwrap();
                    assert_eq!(Code(solved[place.tier][place.index as usize]), Code::of(value), "{p:?}");
                }
            }
        }
    }

    /// On even boards a draw under nexc rules is a win for White under official ones, and a drawn game lasts
    /// 2⌊n/2⌋ − 1 plies; every win and loss under nexc rules stands under official ones.
    #[test]
    fn what_becomes_of_a_draw() {
        for (rows, cols) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)] {
            let n = rows * cols;
            let games = [Rules::Nexc, Rules::Official].map(|rules| Nex::<1>::new(rows, cols, rules, false));
            let mut values = [Minimax::new(), Minimax::new()];
            for (game, minimax) in games.iter().zip(&mut values) {
                minimax.value(game, &game.root().unwrap());
            }
            for (p, &value) in &values[0].values {
                assert_eq!(p.side == Side::First, p.stones[0].len() == p.stones[1].len());
                let official = values[1].values[p];
                if value != Value::DRAW {
                    assert_eq!(value, official);
                } else if n % 2 == 0 {
                    let white = if p.side == Side::Second { official } else { official.flipped() };
                    assert!(white > Value::DRAW, "{p:?}");
                }
                games[0].each_move(p, |m| {
                    let child = games[0].play(p, m);
                    assert_eq!(child.stones[p.side.index()].len(), p.stones[p.side.index()].len() + 1);
                    assert_eq!(child.stones[p.side.other().index()], p.stones[p.side.other().index()]);
                    if games[0].outcome(&child) == Some(ludex_core::Outcome::Draw) {
                        assert_eq!(child.coloured(), 2 * (n / 2) - 1);
                    }
                });
            }
        }
    }

    #[test]
    fn places_and_positions_belong_together() {
        let mut rng = Rng::new(11);
        for (rows, cols, rules) in [(4, 4, Rules::Nexc), (3, 5, Rules::Official), (4, 5, Rules::Nexc)] {
            let game = Nex::<1>::new(rows, cols, rules, false);
            let numbering = game.number().unwrap();
            for tier in 0..numbering.tiers.len() {
                for _ in 0..20 {
                    let place = Place { tier, index: rng.next_u64() % numbering.tiers[tier].len };
                    assert_eq!(numbering.place(&numbering.position(place)), Some(place));
                }
            }
        }
    }
}
