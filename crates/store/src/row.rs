//! One finding about one position.

use std::time::{SystemTime, UNIX_EPOCH};

use ludex_core::{Bounds, Side, Value};

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
    /// When, in seconds since 1970.
    pub created: i64,
}

impl Row {
    /// A row that knows nothing yet, made now by this version of the program.
    #[must_use]
    pub fn new(spec: &str, key: &[u8], position: &str, to_move: Side) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() as i64);
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
            created: now,
        }
    }

    /// What made it, in words.
    pub(crate) fn maker(&self) -> String {
        let without =
            if self.switches.is_empty() { String::new() } else { format!(" without {}", self.switches) };
        format!("{:?} by {} {}{without}", self.bounds, self.solver, self.version)
    }

    /// How many values are still possible: less is better.
    fn width(&self) -> i32 {
        i32::from(self.bounds.hi.raw()) - i32::from(self.bounds.lo.raw())
    }

    /// Whether the bounds of two rows leave no value.
    pub(crate) fn contradicts(&self, other: &Self) -> bool {
        self.bounds.lo > other.bounds.hi || other.bounds.lo > self.bounds.hi
    }

    /// The intersection of findings about one position. Its moves and maker are those of the finding with the best
    /// move that promises most; the bounds of `rows` must overlap.
    pub(crate) fn together(rows: Vec<Self>) -> Option<Self> {
        let bounds = rows.iter().map(|r| r.bounds).reduce(Bounds::and)?;
        let best =
            rows.into_iter().min_by_key(|r| (r.best.is_none(), std::cmp::Reverse(r.bounds.lo), r.width()))?;
        Some(Self { bounds, ..best })
    }

    /// What the same maker knows after a second search: the intersection, with the moves of the better one.
    pub(crate) fn improved_by(self, new: &Self) -> Self {
        let bounds = self.bounds.and(new.bounds);
        let (created, nodes, seconds) = (new.created, self.nodes + new.nodes, self.seconds + new.seconds);
        let old_best = (self.best.is_some(), self.bounds.lo, -self.width());
        let better =
            if old_best > (new.best.is_some(), new.bounds.lo, -new.width()) { self } else { new.clone() };
        Self { bounds, created, nodes, seconds, ..better }
    }

    /// Whether a second search taught nothing.
    pub(crate) fn covers(&self, new: &Self) -> bool {
        self.bounds.and(new.bounds) == self.bounds && (self.best.is_some() || new.best.is_none())
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

pub(crate) const COLUMNS: &str =
    "spec, key, position, to_move, lo, hi, best, pv, nodes, seconds, version, solver, switches, created";

impl Row {
    pub(crate) fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        let pv: String = row.get(7)?;
        Ok(Self {
            spec: row.get(0)?,
            key: row.get(1)?,
            position: row.get(2)?,
            to_move: if row.get::<_, i64>(3)? == 0 { Side::First } else { Side::Second },
            bounds: Bounds { lo: Value::from_raw(row.get(4)?), hi: Value::from_raw(row.get(5)?) },
            best: row.get(6)?,
            pv: pv.split_whitespace().map(str::to_owned).collect(),
            nodes: row.get::<_, i64>(8)?.max(0) as u64,
            seconds: row.get(9)?,
            version: row.get(10)?,
            solver: row.get(11)?,
            switches: row.get(12)?,
            created: row.get(13)?,
        })
    }
}
