//! The fast rules.
//!
//! A position is its cards, three bits a cell, and its pawns; with the side to move they are also the key:
//!
//! ```text
//!  bit 56   55–52   51–48   47–45 …  5–3     2–0
//!  side     O's     X's     cell 15 … cell 1  cell 0      0 collapsed, 1–4 the steps, 5 a start card
//! ```

use ludex_core::{Bounds, Game, Goal, Moves, Nature, Outcome, Rng, Side, Switch, Switches, Window, switches};

use super::{
    board::{Board, Walks},
    symmetry,
};

/// The card that has collapsed.
pub(super) const COLLAPSED: u8 = 0;
/// A start card: joker or jack.
pub const JOKER: u8 = 5;

switches! {
    /// The rules that can be switched off.
    SWITCHES:
    pub(super) STUCK = "stuck", "wins in one ply and losses in two are seen without search";
}

/// The rules of Collapsi on a board, perhaps with the deal that a game starts from.
#[derive(Clone, Debug)]
pub struct Collapsi {
    pub(super) board: &'static Board,
    /// Whether a start card may be left by one to four steps, and not just by one.
    pub(super) wild: bool,
    pub(super) deal: Option<Position>,
    pub(super) switches: Switches,
    /// Whether keys disregard symmetries. Inside one search that finds nothing: a deal has few symmetric positions.
    pub(super) canonical: bool,
}

/// The cards that are left, the pawns and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Three bits a cell.
    pub(super) cards: u64,
    /// The cells that have not collapsed.
    pub(super) open: u16,
    /// Where X and O stand.
    pub(super) pawns: [u8; 2],
    pub(super) side: Side,
}

/// A move: from the cell the pawn stands on to another, by the least number of steps that the card allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Walk {
    /// The cell that collapses.
    pub from: u8,
    /// Where the pawn goes.
    pub to: u8,
    /// How many steps it makes.
    pub steps: u8,
}

impl Collapsi {
    /// The deal that its game starts from, if it is about one.
    #[must_use]
    pub fn deal(&self) -> Option<&Position> {
        self.deal.as_ref()
    }

    /// The game on 3x3 or 4x4 cards without a deal. Start cards are left by one step, or `wild` by one to four.
    #[must_use]
    pub fn new(width: usize, wild: bool) -> Self {
        let board = Board::of(width);
        Self { board, wild, deal: None, switches: Switches::default(), canonical: true }
    }

    /// The same rules with a position to start from.
    #[must_use]
    pub fn with_deal(self, deal: Position) -> Self {
        Self { deal: Some(deal), ..self }
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &'static Board {
        self.board
    }

    /// Whether start cards are wild.
    #[must_use]
    pub fn wild(&self) -> bool {
        self.wild
    }

    /// The cards of a deal, in order: the start cards, then aces, twos, threes and fours.
    #[must_use]
    pub fn deck(&self) -> Vec<u8> {
        let counts: &[(u8, usize)] = match self.board.width {
            3 => &[(JOKER, 2), (1, 4), (2, 3)],
            _ => &[(JOKER, 2), (1, 4), (2, 4), (3, 4), (4, 2)],
        };
        counts.iter().flat_map(|&(card, n)| std::iter::repeat_n(card, n)).collect()
    }

    /// The deal of a seed: the deck in the order of [`deck`](Self::deck), shuffled by [`Rng::shuffle`], laid out in
    /// reading order; X stands on the first start card, O on the second, and X is to move.
    #[must_use]
    pub fn shuffled(&self, seed: u64) -> Position {
        let mut cards = self.deck();
        Rng::new(seed).shuffle(&mut cards);
        let mut starts = (0..cards.len()).filter(|&c| cards[c] == JOKER);
        let pawns = [0, 1].map(|_| starts.next().unwrap_or_default());
        Position::new(&cards, pawns, Side::First)
    }

    /// Where a pawn on a card can walk, if the other pawn were not in the way.
    #[inline(always)]
    #[must_use]
    pub fn walks(&self, cell: usize, card: u8, open: u16) -> Walks {
        let steps = if card == JOKER && !self.wild { 1 } else { card };
        self.board.walks(cell, usize::from(steps), open)
    }

    /// Where a pawn on a card can end, if the other pawn were not in the way.
    #[inline]
    pub(super) fn ends(&self, cell: usize, card: u8, open: u16) -> u16 {
        self.walks(cell, card, open).ends
    }

    /// The cells a pawn may go to.
    #[inline]
    pub(super) fn targets(&self, p: &Position) -> u16 {
        let [me, other] = p.mine();
        self.ends(me, p.card(me), p.open) & !(1 << other)
    }

    /// The move to one of the targets.
    #[inline]
    pub(super) fn walk(&self, p: &Position, to: usize) -> Walk {
        let me = p.mine()[0];
        let card = p.card(me);
        let steps = if card < JOKER {
            card
        } else if self.wild {
            (1..=4).find(|&s| self.board.ends(me, s, p.open) >> to & 1 == 1).unwrap_or(1) as u8
        } else {
            1
        };
        Walk { from: me as u8, to: to as u8, steps }
    }

    /// The cells a move passes, both ends included, found in the position before it or after it.
    #[must_use]
    pub fn cells_passed(&self, p: &Position, m: Walk) -> Vec<usize> {
        let (from, to) = (usize::from(m.from), usize::from(m.to));
        self.board.path(from, to, usize::from(m.steps), p.open).unwrap_or_else(|| vec![from, to])
    }
}

impl Position {
    /// The position with these cards (0 collapsed, 1 to 4, 5 a start card) in reading order, and these pawns.
    #[must_use]
    pub fn new(cards: &[u8], pawns: [usize; 2], side: Side) -> Self {
        let mut p = Self { cards: 0, open: 0, pawns: pawns.map(|c| c as u8), side };
        for (cell, &card) in cards.iter().enumerate() {
            p.cards |= u64::from(card) << (3 * cell);
            p.open |= u16::from(card != COLLAPSED) << cell;
        }
        p
    }

    /// The card on a cell: 0 collapsed, 1 to 4, 5 a start card.
    #[inline]
    #[must_use]
    pub fn card(&self, cell: usize) -> u8 {
        (self.cards >> (3 * cell) & 7) as u8
    }

    /// The cells that have not collapsed.
    #[must_use]
    pub fn open(&self) -> u16 {
        self.open
    }

    /// The cell of a side's pawn.
    #[must_use]
    pub fn pawn(&self, side: Side) -> usize {
        usize::from(self.pawns[side.index()])
    }

    /// Who is to move.
    #[must_use]
    pub fn to_move(&self) -> Side {
        self.side
    }

    /// The same cards and pawns with the other side to move.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { side: self.side.other(), ..self }
    }

    /// The same position with the names of the players exchanged: worth the same to the side to move.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { pawns: [self.pawns[1], self.pawns[0]], side: self.side.other(), ..self }
    }

    /// The pawn of the side to move, and the other.
    #[inline]
    pub(super) fn mine(&self) -> [usize; 2] {
        let [x, o] = self.pawns.map(usize::from);
        match self.side {
            Side::First => [x, o],
            Side::Second => [o, x],
        }
    }

    /// Whether nothing has happened yet: all cards are there, and the pawns are on start cards.
    #[must_use]
    pub fn is_deal(&self, board: &Board) -> bool {
        self.open == board.all() && self.pawns.iter().all(|&c| self.card(usize::from(c)) == JOKER)
    }

    /// The key without regard to symmetries.
    #[inline]
    pub(super) fn plain_key(&self) -> u64 {
        self.cards
            | u64::from(self.pawns[0]) << 48
            | u64::from(self.pawns[1]) << 52
            | (self.side.index() as u64) << 56
    }
}

impl Game for Collapsi {
    type Position = Position;
    type Move = Walk;
    type Key = u64;

    fn root(&self) -> Option<Position> {
        self.deal
    }

    fn side(&self, p: &Position) -> Side {
        p.side
    }

    fn outcome(&self, p: &Position) -> Option<Outcome> {
        (self.targets(p) == 0).then_some(Outcome::Loss)
    }

    fn each_move(&self, p: &Position, mut f: impl FnMut(Walk)) {
        let mut targets = self.targets(p);
        while targets != 0 {
            f(self.walk(p, targets.trailing_zeros() as usize));
            targets &= targets - 1;
        }
    }

    #[inline]
    fn play(&self, p: &Position, m: Walk) -> Position {
        let mut next = *p;
        next.cards &= !(7 << (3 * m.from));
        next.open &= !(1 << m.from);
        next.pawns[p.side.index()] = m.to;
        next.side = p.side.other();
        next
    }

    fn rank(&self, p: &Position) -> u32 {
        self.board.cells as u32 - p.open.count_ones()
    }

    fn max_plies(&self, p: &Position) -> u32 {
        p.open.count_ones() - 2
    }

    fn key(&self, p: &Position) -> u64 {
        if self.canonical { symmetry::canonical(self, p) } else { p.plain_key() }
    }

    fn key_bits(&self) -> u32 {
        57
    }

    fn look(&self, p: &Position, window: Window, moves: &mut Moves<Walk>) -> Bounds {
        self.hints(p, window, moves)
    }

    fn for_goal(self, _: Goal) -> Self {
        Self { canonical: false, ..self }
    }

    fn for_store(self) -> Self {
        Self { canonical: true, ..self }
    }

    fn images(&self, p: &Position) -> Vec<Position> {
        if self.canonical { symmetry::images(self, p) } else { vec![*p] }
    }

    fn switches(&self) -> &'static [Switch] {
        SWITCHES
    }

    fn switched(&self) -> Switches {
        self.switches
    }

    fn with_switches(self, on: Switches) -> Self {
        Self { switches: on, ..self }
    }

    fn nature(&self) -> Nature {
        Nature { draws: false, forcing: false, deepen: false, odd_wins: true }
    }
}
