//! The positions of a game behind an interface without its types, a stretch of them at a time.
//!
//! Whoever spreads the work over threads and machines moves bytes and knows no game: [`Listed`] gives positions as rows
//! of bytes with the moves from them, [`Numbered`] the values of a stretch of a [`Numbering`]. One call answers for
//! thousands of positions, and only what is here is compiled for every game.
//!
//! ```
//! use ludex_games::template::Heap;
//! use ludex_search::retrograde::{Fan, Listed, Rows};
//!
//! let rows = Rows::new(Heap { size: 8 }).unwrap();
//! let (rank, start) = rows.start();
//! let mut fan = Fan::default();
//! rows.fan(&start, true, &mut fan).unwrap();
//! assert_eq!((rank, fan.ends.len()), (0, 1));
//! assert_eq!(fan.rows.len(), fan.ends[0] as usize * rows.row_len());
//! ```

use ludex_core::{Code, Game, Known, Notation, Numbering, Side, Tier, Value, write_key};

/// The positions of a game, ready to be solved by whoever has the threads.
pub enum Positions {
    /// The game has a number for each of them.
    Numbered(Box<dyn Numbered>),
    /// They are listed from the start by their keys.
    Listed(Box<dyn Listed>),
}

impl std::fmt::Debug for Positions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Numbered(_) => "Numbered",
            Self::Listed(_) => "Listed",
        })
    }
}

/// A numbering together with its game.
pub trait Numbered: Send + Sync {
    /// The tiers, in an order in which they can be solved.
    fn tiers(&self) -> &[Tier];

    /// Stretches of a tier are best cut at multiples of this.
    fn grain(&self, tier: usize) -> u64;

    /// Bytes of working space that every thread takes.
    fn workspace(&self) -> u64;

    /// Write the codes of a stretch of a tier, given those of the tiers it leads to.
    fn values(&self, tier: usize, start: u64, known: Known<'_>, out: &mut [u8]);
}

/// [`Numbered`] for a game.
pub struct Numbers<G: Game> {
    game: G,
    numbering: Box<dyn Numbering<G>>,
}

impl<G: Game> Numbers<G> {
    /// A game with its numbering.
    #[must_use]
    pub fn new(game: G, numbering: Box<dyn Numbering<G>>) -> Self {
        Self { game, numbering }
    }
}

impl<G: Game> std::fmt::Debug for Numbers<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Numbers({:?})", self.game)
    }
}

impl<G: Game> Numbered for Numbers<G> {
    fn tiers(&self) -> &[Tier] {
        self.numbering.tiers()
    }

    fn grain(&self, tier: usize) -> u64 {
        self.numbering.grain(tier)
    }

    fn workspace(&self) -> u64 {
        self.numbering.workspace()
    }

    fn values(&self, tier: usize, start: u64, known: Known<'_>, out: &mut [u8]) {
        self.numbering.values(&self.game, tier, start, known, out);
    }
}

/// The same where somebody else has both.
impl<G: Game> Numbered for (&G, &dyn Numbering<G>) {
    fn tiers(&self) -> &[Tier] {
        self.1.tiers()
    }

    fn grain(&self, tier: usize) -> u64 {
        self.1.grain(tier)
    }

    fn workspace(&self) -> u64 {
        self.1.workspace()
    }

    fn values(&self, tier: usize, start: u64, known: Known<'_>, out: &mut [u8]) {
        self.1.values(self.0, tier, start, known, out);
    }
}

/// What the moves from some positions lead to, as plain lists.
#[derive(Clone, Debug, Default)]
pub struct Fan {
    /// For each position its code if the game is over, and 0 if not.
    pub over: Vec<u8>,
    /// For each position where its successors end in the lists below.
    pub ends: Vec<u32>,
    /// Who was to move: 1 first, 2 second, 3 both.
    pub sides: u8,
    /// For each successor its rank.
    pub ranks: Vec<u32>,
    /// For each successor its row.
    pub rows: Vec<u8>,
    /// For each successor whether the same side is to move again.
    pub again: Vec<bool>,
    /// For each successor its code if the game is over there, and 0 if not; empty if that was not asked.
    pub known: Vec<u8>,
}

impl Fan {
    fn clear(&mut self) {
        self.over.clear();
        self.ends.clear();
        self.sides = 0;
        self.ranks.clear();
        self.rows.clear();
        self.again.clear();
        self.known.clear();
    }
}

/// A game whose positions are rows of bytes: the key, the highest byte first, and what it takes beside it to make the
/// position again.
pub trait Listed: Send + Sync {
    /// Bytes of a key.
    fn key_len(&self) -> usize;

    /// Bytes of a row.
    fn row_len(&self) -> usize;

    /// The rank and the row of the start.
    fn start(&self) -> (u32, Vec<u8>);

    /// List the successors of the positions of some rows; with `known`, also the codes of those that end the game.
    ///
    /// # Errors
    /// With the number of the first row that is no position, or from which a move leads to one that has no row.
    fn fan(&self, rows: &[u8], known: bool, fan: &mut Fan) -> Result<(), usize>;
}

/// [`Listed`] for a game.
#[derive(Debug)]
pub struct Rows<G: Notation> {
    game: G,
    root: G::Position,
    key_len: usize,
    row_len: usize,
}

impl<G: Notation> Rows<G> {
    /// A game with a fixed start that fits into a row; `None` for any other.
    #[must_use]
    pub fn new(game: G) -> Option<Self> {
        let root = game.root()?;
        let key_len = game.key_bits().div_ceil(8) as usize;
        let row_len = key_len + game.packed_len();
        let rows = Self { game, root, key_len, row_len };
        rows.write(&root, &mut vec![0; row_len]).then_some(rows)
    }

    fn write(&self, p: &G::Position, row: &mut [u8]) -> bool {
        let (key, packed) = row.split_at_mut(self.key_len);
        write_key(self.game.key(p), key);
        self.game.pack(p, packed)
    }
}

impl<G: Notation> Listed for Rows<G> {
    fn key_len(&self) -> usize {
        self.key_len
    }

    fn row_len(&self) -> usize {
        self.row_len
    }

    fn start(&self) -> (u32, Vec<u8>) {
        let mut row = vec![0; self.row_len];
        self.write(&self.root, &mut row);
        (self.game.rank(&self.root), row)
    }

    fn fan(&self, rows: &[u8], known: bool, fan: &mut Fan) -> Result<(), usize> {
        let game = &self.game;
        let code = |p: &G::Position| game.outcome(p).map_or(0, |outcome| Code::of(Value::ended(outcome)).0);
        fan.clear();
        for (i, row) in rows.chunks_exact(self.row_len).enumerate() {
            let (key, packed) = row.split_at(self.key_len);
            let p = game.unpack(key, packed).ok_or(i)?;
            let (side, over) = (game.side(&p), code(&p));
            fan.sides |= if side == Side::First { 1 } else { 2 };
            fan.over.push(over);
            let mut fits = true;
            if over == 0 {
                game.each_move(&p, |m| {
                    let child = game.play(&p, m);
                    let at = fan.rows.len();
                    fan.rows.resize(at + self.row_len, 0);
                    fits &= self.write(&child, &mut fan.rows[at..]);
                    fan.ranks.push(game.rank(&child));
                    fan.again.push(game.side(&child) == side);
                    if known {
                        fan.known.push(code(&child));
                    }
                });
            }
            if !fits {
                return Err(i);
            }
            fan.ends.push(fan.ranks.len() as u32);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ludex_core::Unlimited;
    use ludex_games::{
        connect4::{Connect4, Sized},
        hex::Hex,
        mnk::{Mnk, Rule},
    };
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::retrograde::{ByKey as _, Keyed};

    /// Rank by rank the same keys as by the games' own types.
    fn same_as_keyed<G: Notation>(game: G) {
        let game = game.for_goal(ludex_core::Goal::Distance);
        let keyed = Keyed::reach(&game, &game.root().unwrap(), 1 << 30, &Unlimited).unwrap();
        let rows = Rows::new(game).unwrap();
        let (rank, start) = rows.start();
        let mut open: BTreeMap<u32, BTreeSet<Vec<u8>>> = BTreeMap::from([(rank, BTreeSet::from([start]))]);
        let (mut fan, mut tier) = (Fan::default(), keyed.tiers().len());
        while let Some((_, mut layer)) = open.pop_first() {
            let mut keys = BTreeSet::new();
            layer.retain(|row| keys.insert(row[..rows.key_len()].to_vec()));
            tier -= 1;
            assert_eq!(keys.into_iter().flatten().collect::<Vec<u8>>(), keyed.keys(tier));
            let all: Vec<u8> = layer.into_iter().flatten().collect();
            rows.fan(&all, true, &mut fan).unwrap();
            for (row, rank) in fan.rows.chunks(rows.row_len()).zip(&fan.ranks) {
                open.entry(*rank).or_default().insert(row.to_vec());
            }
        }
        assert_eq!(tier, 0);
    }

    #[test]
    fn rows_reach_what_positions_reach() {
        same_as_keyed(Mnk::<u64>::new(3, 3, 3, Rule::Strong));
        same_as_keyed(Mnk::<u64>::new(3, 3, 3, Rule::Misere));
        same_as_keyed(Connect4::new(Sized::<u64>::new(4, 3).unwrap()));
        same_as_keyed(Hex::<1>::new(3, 3));
    }

    #[test]
    fn bytes_that_are_no_position_are_refused() {
        let rows = Rows::new(Connect4::new(Sized::<u64>::new(4, 3).unwrap())).unwrap();
        assert_eq!(rows.fan(&[0xff; 4], false, &mut Fan::default()), Err(0));
        let rows = Rows::new(Hex::<1>::new(3, 3)).unwrap();
        assert_eq!(rows.fan(&vec![b'?'; rows.row_len()], false, &mut Fan::default()), Err(0));
    }
}
