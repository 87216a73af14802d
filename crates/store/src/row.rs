//! One finding about one position.

use ludex_core::{Bounds, Side, Value};

use crate::StoreError;

/// What one maker (program version, solver, switches) knows of one position.
///
/// The key is that of the position's whole class, so `best` and `pv` are moves of `position`, which may be a mirror
/// image of the one that is asked about: use them only where the position texts agree.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The canonical spec of the game.
    pub spec: String,
    /// The canonical exact key, which tells the side to move too. See [`key_bytes`].
    pub key: Vec<u8>,
    /// The position that was searched.
    pub position: String,
    /// Who is to move in it.
    pub to_move: Side,
    /// What is certain, for the side to move.
    pub bounds: Bounds,
    /// A best move of `position`.
    pub best: Option<String>,
    /// A line of best play from `position`.
    pub pv: Vec<String>,
    /// Positions searched to find this out.
    pub nodes: u64,
    /// Time it took.
    pub seconds: f64,
    /// The version of the program that found it.
    pub version: String,
    /// The search that found it.
    pub solver: String,
    /// The rules that were off, joined by commas.
    pub switches: String,
    /// When, in seconds since 1970; 0 if nobody said. A database then writes down the time at which it gets the row.
    pub created: i64,
}

impl Row {
    /// A row that knows nothing yet, made by this version of the program.
    #[must_use]
    pub fn new(spec: &str, key: &[u8], position: &str, to_move: Side) -> Self {
        Self {
            spec: spec.to_owned(),
            key: key.to_owned(),
            position: position.to_owned(),
            to_move,
            bounds: Bounds::ALL,
            best: None,
            pv: Vec::new(),
            nodes: 0,
            seconds: 0.0,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            solver: String::new(),
            switches: String::new(),
            created: 0,
        }
    }

    /// What it says and what made it, in words.
    pub(crate) fn claim(&self) -> String {
        let without =
            if self.switches.is_empty() { String::new() } else { format!(" without {}", self.switches) };
        format!("{:?} by {} {}{without}", self.bounds, self.solver, self.version)
    }

    /// Whether the same program, solver and rules made both.
    pub(crate) fn same_maker(&self, other: &Self) -> bool {
        (&self.version, &self.solver, &self.switches) == (&other.version, &other.solver, &other.switches)
    }

    /// The row itself, unless its bounds leave no value: such a row is refused wherever it comes from.
    pub(crate) fn checked(self) -> Result<Self, StoreError> {
        if self.bounds.lo <= self.bounds.hi {
            return Ok(self);
        }
        let claim = self.claim();
        Err(StoreError::Impossible { spec: self.spec, position: self.position, claim })
    }

    /// What two rows say together. Two rows that leave no value are an error that names both.
    fn and(&self, other: &Self) -> Result<Bounds, StoreError> {
        let both =
            Bounds { lo: self.bounds.lo.max(other.bounds.lo), hi: self.bounds.hi.min(other.bounds.hi) };
        if both.lo <= both.hi {
            return Ok(both);
        }
        Err(StoreError::Contradiction {
            spec: self.spec.clone(),
            position: self.position.clone(),
            one: self.claim(),
            other: other.claim(),
        })
    }

    /// How good a finding is: with a move before without, then the one that promises most, then the narrowest.
    fn merit(&self) -> (bool, Value, i32) {
        let width = i32::from(self.bounds.hi.raw()) - i32::from(self.bounds.lo.raw());
        (self.best.is_some(), self.bounds.lo, -width)
    }

    /// The intersection of findings about one position, with the moves and the maker of the best of them.
    pub(crate) fn together(rows: &[Self]) -> Result<Option<Self>, StoreError> {
        // The greatest lower and the least upper bound are the intersection of all; if these two overlap, all do.
        let most = rows.iter().max_by_key(|row| row.bounds.lo);
        let least = rows.iter().min_by_key(|row| row.bounds.hi);
        let best = rows.iter().rev().max_by_key(|row| row.merit());
        let (Some(most), Some(least), Some(best)) = (most, least, best) else { return Ok(None) };
        Ok(Some(Self { bounds: most.and(least)?, ..best.clone() }))
    }

    /// What to keep of this finding beside those that are `known` of its position, in place of what its maker knew
    /// before; none if its maker knew as much.
    pub(crate) fn added_to(&self, known: &[Self]) -> Result<Option<Self>, StoreError> {
        let new = self.clone().checked()?;
        for other in known {
            new.and(other)?;
        }
        match known.iter().find(|old| old.same_maker(&new)) {
            Some(old) => old.improved_by(new),
            None => Ok(Some(new)),
        }
    }

    /// What the same maker knows after a second search: the intersection, with the moves of the better one; none if
    /// the second search taught nothing.
    fn improved_by(&self, new: Self) -> Result<Option<Self>, StoreError> {
        let bounds = self.and(&new)?;
        if bounds == self.bounds && (self.best.is_some() || new.best.is_none()) {
            return Ok(None);
        }
        let (created, nodes) = (new.created, self.nodes.saturating_add(new.nodes));
        let seconds = self.seconds + new.seconds;
        let better = if self.merit() > new.merit() { self.clone() } else { new };
        Ok(Some(Self { bounds, created, nodes, seconds, ..better }))
    }
}

/// The bytes of a key's words, least significant first.
///
/// ```
/// assert_eq!(ludex_store::key_bytes(&[0x0102]), [2, 1, 0, 0, 0, 0, 0, 0]);
/// ```
#[must_use]
pub fn key_bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}
