//! The classes of deals under the symmetries of the board, numbered without gaps.
//!
//! A deal of the standard deck is seen from the side to move: her pawn is taken to cell 0 and the other pawn to the
//! first cell at its distance, which leaves few symmetries (4, 6 or 24 on 4x4). Those put the cells of the twos into
//! the least order they can; a set of twos that no symmetry keeps leaves none, and the other cards are ranked as they
//! lie. Where some symmetries keep the twos, the least rank of the images counts, and ranks that are nobody's least
//! are left out of the numbering.
//!
//! Since the deal is seen from the side to move, the same number answers for X to move and for O to move.

use std::sync::{LazyLock, OnceLock};

use ludex_core::Side;

use super::{
    Board, Collapsi, Position,
    position::JOKER,
    symmetry::{self, Symmetry},
};

/// The card whose cells are ordered first.
const TWO: u8 = 2;

/// The numbering of the classes of one board.
#[derive(Debug)]
pub struct Classes {
    board: &'static Board,
    /// By the cells of the mover and the other: the distance class, and a symmetry that takes them home.
    home: Vec<Option<(u8, Symmetry)>>,
    distances: Vec<Distance>,
    count: usize,
    /// Kinds and numbers of the cards other than start cards and twos.
    rest: Vec<(u8, usize)>,
    /// How many symmetries fix cell 0.
    fixing: usize,
}

/// Deals whose pawns are this far apart.
#[derive(Debug)]
struct Distance {
    /// Steps between the pawns.
    steps: usize,
    /// The cells without pawns, in order.
    cells: Vec<usize>,
    other: usize,
    /// The symmetries that keep both pawns.
    group: Vec<Symmetry>,
    /// By the set of the twos, as a mask of positions in `cells`: its orbit, and the symmetry to the orbit's least set.
    twos: Vec<(u16, u8)>,
    orbits: Vec<Orbit>,
}

/// Deals whose twos lie alike.
#[derive(Debug)]
struct Orbit {
    /// The number of its first class.
    base: usize,
    twos: u32,
    /// The positions of the other cards.
    others: Vec<usize>,
    /// The symmetries that keep the twos, as images of positions in `others`; the identity is left out.
    keeping: Vec<Vec<u8>>,
    least: OnceLock<Least>,
}

/// Which ranks are the least of their images.
#[derive(Debug)]
struct Least {
    bits: Vec<u64>,
    /// How many come before each word.
    before: Vec<u32>,
}

static SMALL: LazyLock<Classes> = LazyLock::new(|| Classes::new(3));
static LARGE: LazyLock<Classes> = LazyLock::new(|| Classes::new(4));

impl Classes {
    /// The classes of the board with three or four rows and columns.
    #[must_use]
    pub fn of(width: usize) -> &'static Self {
        if width == 3 { &SMALL } else { &LARGE }
    }

    /// How many classes there are: 1,982,769 on 4x4, 38 on 3x3.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of the class of a deal, `None` for anything but a deal of the standard deck.
    #[must_use]
    pub fn index(&self, p: &Position) -> Option<usize> {
        if !p.is_deal(self.board) || !self.standard(p) {
            return None;
        }
        let [mover, other] = p.mine();
        let (d, home) = self.home[mover * self.board.cells + other].as_ref()?;
        let distance = &self.distances[usize::from(*d)];
        let p = symmetry::image(p, home);
        let (orbit, to_least) = distance.twos[distance.set_of_twos(&p) as usize];
        let p = symmetry::image(&p, &distance.group[usize::from(to_least)]);
        let orbit = &distance.orbits[usize::from(orbit)];
        let mut cards = [0; 16];
        for (card, &position) in cards.iter_mut().zip(&orbit.others) {
            *card = p.card(distance.cells[position]);
        }
        Some(orbit.base + orbit.slot(&cards[..orbit.others.len()], &self.rest))
    }

    /// A deal of a class, with X to move.
    #[must_use]
    pub fn deal(&self, index: usize) -> Position {
        let (distance, orbit) = self.place(index);
        let cards = arrangement(orbit.rank(index - orbit.base, &self.rest), &self.rest);
        let mut board = vec![JOKER; self.board.cells];
        for (position, &cell) in distance.cells.iter().enumerate() {
            if orbit.twos >> position & 1 == 1 {
                board[cell] = TWO;
            }
        }
        for (&position, &card) in orbit.others.iter().zip(&cards) {
            board[distance.cells[position]] = card;
        }
        Position::new(&board, [0, distance.other], Side::First)
    }

    /// How many deals with X on one given cell a class has.
    #[must_use]
    pub fn deals(&self, index: usize) -> usize {
        let (_, orbit) = self.place(index);
        if orbit.keeping.is_empty() {
            return self.fixing;
        }
        let cards = arrangement(orbit.rank(index - orbit.base, &self.rest), &self.rest);
        let same = orbit.keeping.iter().filter(|to| moved(&cards, to) == cards).count();
        self.fixing / (1 + same)
    }

    /// For every number of steps between the pawns, the numbers of the classes, in order.
    pub fn by_distance(&self) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> + '_ {
        let ends = self.distances.iter().skip(1).map(|d| d.orbits[0].base).chain([self.count]);
        self.distances.iter().zip(ends).map(|(d, end)| (d.steps, d.orbits[0].base..end))
    }

    /// How many steps the pawns of a class are apart.
    #[must_use]
    pub fn distance(&self, index: usize) -> usize {
        self.place(index).0.steps
    }

    fn place(&self, index: usize) -> (&Distance, &Orbit) {
        let d = self.distances.partition_point(|d| d.orbits[0].base <= index) - 1;
        let distance = &self.distances[d];
        let o = distance.orbits.partition_point(|o| o.base <= index) - 1;
        (distance, &distance.orbits[o])
    }

    /// Whether the cards are those of the standard deck.
    fn standard(&self, p: &Position) -> bool {
        let mut counts = [0usize; 6];
        for cell in 0..self.board.cells {
            counts[usize::from(p.card(cell))] += 1;
        }
        let others: usize = self.rest.iter().map(|&(_, n)| n).sum();
        counts[usize::from(JOKER)] == 2
            && self.rest.iter().all(|&(card, n)| counts[usize::from(card)] == n)
            && counts[usize::from(TWO)] == self.board.cells - 2 - others
    }

    fn new(width: usize) -> Self {
        let board = Board::of(width);
        let deck = Collapsi::new(width, false).deck();
        let number = |card: u8| deck.iter().filter(|&&c| c == card).count();
        let rest: Vec<(u8, usize)> =
            [1, 3, 4].iter().map(|&card| (card, number(card))).filter(|&(_, n)| n > 0).collect();
        let fixing = symmetry::home(board, 0);
        let mut distances: Vec<Distance> = Vec::new();
        let mut count = 0;
        for other in 1..board.cells {
            if fixing.iter().any(|s| usize::from(s[other]) < other) {
                continue;
            }
            let distance = Distance::new(board, other, number(TWO), &rest, &mut count);
            let at = distances.partition_point(|d| d.steps <= distance.steps);
            assert_eq!(at, distances.len(), "the first cells at each distance come in its order");
            distances.push(distance);
        }
        let mut home = Vec::new();
        for mover in 0..board.cells {
            for other in 0..board.cells {
                home.push(symmetry::home(board, mover).iter().find_map(|s| {
                    let d = distances.iter().position(|d| d.other == usize::from(s[other]))?;
                    Some((d as u8, *s))
                }));
            }
        }
        Self { board, home, distances, count, rest, fixing: fixing.len() }
    }
}

impl Distance {
    fn new(board: &Board, other: usize, twos: usize, rest: &[(u8, usize)], count: &mut usize) -> Self {
        let cells: Vec<usize> = (1..board.cells).filter(|&c| c != other).collect();
        let group: Vec<Symmetry> =
            symmetry::home(board, 0).iter().filter(|s| usize::from(s[other]) == other).copied().collect();
        let position = |cell: u8| cells.iter().position(|&c| c == usize::from(cell)).expect("no pawn moves");
        let to: Vec<Vec<u8>> =
            group.iter().map(|s| cells.iter().map(|&c| position(s[c]) as u8).collect()).collect();
        let image = |set: u32, to: &[u8]| {
            (0..cells.len()).filter(|&i| set >> i & 1 == 1).fold(0u32, |image, i| image | 1 << to[i])
        };
        let mut distance = Self {
            steps: (1..).find(|&s| board.ends(0, s, board.all()) >> other & 1 == 1).unwrap_or(0),
            cells: cells.clone(),
            other,
            group,
            twos: vec![(0, 0); 1 << cells.len()],
            orbits: Vec::new(),
        };
        for set in (0..1u32 << cells.len()).filter(|set| set.count_ones() as usize == twos) {
            let (least, by) = to
                .iter()
                .enumerate()
                .map(|(g, to)| (image(set, to), g))
                .min()
                .expect("the identity is in it");
            if least == set {
                let others: Vec<usize> = (0..cells.len()).filter(|&i| set >> i & 1 == 0).collect();
                let place =
                    |i: u8| others.iter().position(|&o| o == usize::from(i)).expect("twos go to twos") as u8;
                let keeping = to
                    .iter()
                    .filter(|to| {
                        image(set, to) == set && to.iter().enumerate().any(|(i, &j)| i != usize::from(j))
                    })
                    .map(|to| others.iter().map(|&i| place(to[i])).collect())
                    .collect();
                let orbit = Orbit { base: *count, twos: set, others, keeping, least: OnceLock::new() };
                *count += orbit.classes(rest);
                distance.orbits.push(orbit);
            }
            // Least sets come before their images, since they are less.
            let orbit = distance.orbits.iter().position(|o| o.twos == least).expect("seen before");
            distance.twos[set as usize] = (orbit as u16, by as u8);
        }
        distance
    }

    fn set_of_twos(&self, p: &Position) -> u32 {
        self.cells.iter().enumerate().fold(0, |set, (i, &cell)| set | u32::from(p.card(cell) == TWO) << i)
    }
}

impl Orbit {
    /// How many classes it has: arrangements up to the symmetries that keep the twos (Burnside's lemma).
    fn classes(&self, rest: &[(u8, usize)]) -> usize {
        let fixed: usize = self.keeping.iter().map(|to| fixed_arrangements(to, rest)).sum();
        (arrangements(rest) + fixed) / (1 + self.keeping.len())
    }

    fn least(&self, rest: &[(u8, usize)]) -> &Least {
        self.least.get_or_init(|| {
            let total = arrangements(rest);
            let mut bits = vec![0u64; total.div_ceil(64)];
            for rank in 0..total {
                let cards = arrangement(rank, rest);
                if self.keeping.iter().all(|to| rank_of(&moved(&cards, to), rest) >= rank) {
                    bits[rank / 64] |= 1 << (rank % 64);
                }
            }
            let mut sum = 0;
            let before = bits
                .iter()
                .map(|word| {
                    sum += word.count_ones();
                    sum - word.count_ones()
                })
                .collect();
            Least { bits, before }
        })
    }

    /// The number of an arrangement of the other cards within the orbit.
    fn slot(&self, cards: &[u8], rest: &[(u8, usize)]) -> usize {
        let rank = rank_of(cards, rest);
        if self.keeping.is_empty() {
            return rank;
        }
        let rank =
            self.keeping.iter().map(|to| rank_of(&moved(cards, to), rest)).min().unwrap_or(rank).min(rank);
        let least = self.least(rest);
        let before = least.bits[rank / 64] & ((1 << (rank % 64)) - 1);
        (least.before[rank / 64] + before.count_ones()) as usize
    }

    /// The rank that has a number within the orbit.
    fn rank(&self, slot: usize, rest: &[(u8, usize)]) -> usize {
        if self.keeping.is_empty() {
            return slot;
        }
        let least = self.least(rest);
        let word = least.before.partition_point(|&before| before as usize <= slot) - 1;
        let mut bits = least.bits[word];
        for _ in 0..slot - least.before[word] as usize {
            bits &= bits - 1;
        }
        word * 64 + bits.trailing_zeros() as usize
    }
}

fn moved(cards: &[u8], to: &[u8]) -> Vec<u8> {
    let mut image = vec![0; cards.len()];
    for (&card, &i) in cards.iter().zip(to) {
        image[usize::from(i)] = card;
    }
    image
}

/// n! / (a! b! …) for the numbers of cards.
fn arrangements(rest: &[(u8, usize)]) -> usize {
    let (mut total, mut cards) = (1, 0);
    for &(_, n) in rest {
        for i in 1..=n {
            cards += 1;
            total = total * cards / i;
        }
    }
    total
}

/// How many arrangements a permutation keeps: those that are the same along each of its cycles.
fn fixed_arrangements(to: &[u8], rest: &[(u8, usize)]) -> usize {
    fn place(cycles: &[usize], left: &mut [usize]) -> usize {
        let Some((&cycle, others)) = cycles.split_first() else { return 1 };
        let mut ways = 0;
        for kind in 0..left.len() {
            if left[kind] >= cycle {
                left[kind] -= cycle;
                ways += place(others, left);
                left[kind] += cycle;
            }
        }
        ways
    }
    let mut seen = vec![false; to.len()];
    let mut cycles = Vec::new();
    for start in 0..to.len() {
        let (mut i, mut length) = (start, 0);
        while !seen[i] {
            seen[i] = true;
            length += 1;
            i = usize::from(to[i]);
        }
        if length > 0 {
            cycles.push(length);
        }
    }
    let mut left: Vec<usize> = rest.iter().map(|&(_, n)| n).collect();
    place(&cycles, &mut left)
}

/// The rank of an arrangement in the order of words.
fn rank_of(cards: &[u8], rest: &[(u8, usize)]) -> usize {
    let mut left = [0usize; 6];
    rest.iter().for_each(|&(card, n)| left[usize::from(card)] = n);
    let (mut total, mut length, mut rank) = (arrangements(rest), cards.len(), 0);
    for &card in cards {
        // Of the words that start as this one does, n/length go on with a card of which n are left.
        for &(smaller, _) in rest.iter().take_while(|&&(c, _)| c < card) {
            rank += total * left[usize::from(smaller)] / length;
        }
        total = total * left[usize::from(card)] / length;
        left[usize::from(card)] -= 1;
        length -= 1;
    }
    rank
}

/// The arrangement of a rank.
fn arrangement(mut rank: usize, rest: &[(u8, usize)]) -> Vec<u8> {
    let mut left = rest.to_vec();
    let mut total = arrangements(rest);
    let length: usize = rest.iter().map(|&(_, n)| n).sum();
    let mut cards = Vec::with_capacity(length);
    for length in (1..=length).rev() {
        for (card, n) in &mut left {
            let share = total * *n / length;
            if rank < share {
                cards.push(*card);
                total = share;
                *n -= 1;
                break;
            }
            rank -= share;
        }
    }
    cards
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::{Game, Rng};
    use std::collections::HashMap;

    #[test]
    fn classes_of_3x3_are_the_canonical_keys() {
        let (classes, game) = (Classes::of(3), Collapsi::new(3, true));
        let mut keys = HashMap::new();
        let mut total = 0;
        for index in 0..classes.count() {
            let deal = classes.deal(index);
            assert_eq!(classes.index(&deal), Some(index));
            assert_eq!(keys.insert(game.key(&deal), index), None, "two classes of one key");
            total += classes.deals(index);
        }
        assert_eq!((total, classes.count()), (280, 38));
        for seed in 0..2000 {
            let deal = game.shuffled(seed);
            assert_eq!(classes.index(&deal), keys.get(&game.key(&deal)).copied());
        }
    }

    #[test]
    fn classes_of_4x4() {
        let (classes, game) = (Classes::of(4), Collapsi::new(4, true));
        assert_eq!(classes.count(), 1_982_769);
        let mut rng = Rng::new(11);
        for seed in 0..300 {
            let index = rng.below(classes.count());
            let deal = classes.deal(index);
            assert_eq!(classes.index(&deal), Some(index));
            assert_eq!(classes.index(&deal.swapped()), Some(index), "O to move, with the pawns exchanged");
            let (p, s) =
                (game.shuffled(seed), rng.pick(symmetry::symmetries(game.board())).expect("not empty"));
            let index = classes.index(&p).expect("a deal");
            assert_eq!(classes.index(&symmetry::image(&p, s)), Some(index));
            assert_eq!(game.key(&classes.deal(index)), game.key(&p));
        }
    }

    /// Twos, aces and all: 15!/(4! 4! 4! 2!) deals have X on a given cell.
    #[test]
    fn every_deal_is_in_a_class() {
        let classes = Classes::of(4);
        let mut by_distance = [0; 5];
        for index in 0..classes.count() {
            by_distance[classes.distance(index)] += classes.deals(index);
        }
        assert_eq!(by_distance, [0, 12_612_600, 18_918_900, 12_612_600, 3_153_150]);
    }

    #[test]
    fn what_is_no_deal_has_no_class() {
        let (classes, game) = (Classes::of(4), Collapsi::new(4, false));
        let read = |text: &str| ludex_core::Notation::parse_position(&game, text).expect(text);
        assert_eq!(classes.index(&read("A242/2333/34Jx2/Jo.AA")), None);
        assert_eq!(classes.index(&read("A242/2333/34X2/OAA4")), None, "three fours");
        assert!(classes.index(&read("A242/2333/34X2/OAAA O")).is_some());
    }
}
