//! Positions as the record files know them: sets of cells, and the key mixed from them.

use ludex_core::Side;

use ludex_games::collapsi::{Board, JOKER, Position};

/// The sets of cells of a position, bit i being cell i: also the cards that have collapsed keep their kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Sets {
    /// Aces and start cards, twos, threes, fours.
    pub cards: [u16; 4],
    /// The cell of X.
    pub x: u16,
    /// The cell of O.
    pub o: u16,
    /// What has collapsed.
    pub collapsed: u16,
    /// 0 if X is to move, 1 if O is.
    pub turn: u8,
}

impl Sets {
    /// The sets of a position on 4x4; a card that has collapsed counts as an ace, since a position does not know it.
    #[must_use]
    pub fn of(p: &Position) -> Self {
        let mut sets = Self {
            x: 1 << p.pawn(Side::First),
            o: 1 << p.pawn(Side::Second),
            collapsed: !p.open(),
            turn: p.to_move().index() as u8,
            ..Self::default()
        };
        for cell in 0..16 {
            let kind = match p.card(cell) {
                card @ 2..=4 => usize::from(card) - 1,
                _ => 0,
            };
            sets.cards[kind] |= 1 << cell;
        }
        sets
    }

    /// The position, or what is wrong with the sets. Pawns that have not moved stand on start cards.
    ///
    /// # Errors
    /// If a cell has no card or two, or a pawn is missing, doubled or on a collapsed card.
    pub fn position(&self) -> Result<Position, String> {
        let mut cards = [0; 16];
        for (cell, card) in cards.iter_mut().enumerate() {
            let kinds: Vec<u8> =
                (0..4).filter(|&k| self.cards[k] >> cell & 1 == 1).map(|k| k as u8 + 1).collect();
            *card = match kinds[..] {
                [kind] => kind,
                _ => return Err(format!("cell {cell} has {} cards", kinds.len())),
            };
        }
        let pawn = |name: &str, set: u16| match set.count_ones() {
            1 if set & self.collapsed == 0 => Ok(set.trailing_zeros() as usize),
            1 => Err(format!("{name} stands on a collapsed card")),
            n => Err(format!("{name} stands on {n} cells")),
        };
        let pawns = [pawn("X", self.x)?, pawn("O", self.o)?];
        if self.x == self.o {
            return Err("both pawns stand on one cell".into());
        }
        if self.turn > 1 {
            return Err(format!("turn is {}", self.turn));
        }
        let made = self.collapsed.count_ones();
        for (cell, card) in cards.iter_mut().enumerate() {
            if self.collapsed >> cell & 1 == 1 {
                *card = 0;
            } else if *card == 1 && (cell == pawns[0] && made == 0 || cell == pawns[1] && made < 2) {
                *card = JOKER;
            }
        }
        Ok(Position::new(&cards, pawns, [Side::First, Side::Second][usize::from(self.turn)]))
    }

    /// The sets shifted down and to the right, around the edges.
    #[must_use]
    pub fn shifted(&self, down: usize, right: usize) -> Self {
        let shift = |mask| Board::of(4).shift(mask, down, right);
        Self {
            cards: self.cards.map(shift),
            x: shift(self.x),
            o: shift(self.o),
            collapsed: shift(self.collapsed),
            turn: self.turn,
        }
    }

    /// The sets shifted so that X stands on the first cell.
    #[must_use]
    pub fn normal(&self) -> Self {
        let cell = self.x.trailing_zeros() as usize % 16;
        self.shifted(4 - cell / 4, 4 - cell % 4)
    }

    /// All sixteen shifts.
    #[must_use]
    pub fn shifts(&self) -> Vec<Self> {
        (0..16).map(|i| self.shifted(i / 4, i % 4)).collect()
    }

    /// The key of these very sets.
    #[must_use]
    pub fn key(&self) -> u64 {
        mixed_key(&[
            self.cards[0].into(),
            self.cards[1].into(),
            self.cards[2].into(),
            self.cards[3].into(),
            self.x.into(),
            self.o.into(),
            self.collapsed.into(),
            self.turn.into(),
        ])
    }
}

/// Szudzik's pairing of the numbers one after the other, then the finaliser of SplitMix64. Not injective: two positions
/// may share a key, which is why nothing else here uses it.
#[must_use]
pub fn mixed_key(numbers: &[u64]) -> u64 {
    let mut h = 0u64;
    for &v in numbers {
        h = if h >= v {
            h.wrapping_mul(h).wrapping_add(h).wrapping_add(v)
        } else {
            h.wrapping_add(v.wrapping_mul(v))
        };
    }
    ludex_core::Rng::new(h).next_u64()
}
