//! What a validation of a record file counts.
//!
//! Duplicate keys are found exactly in bounded memory: if the keys ascend, neighbours tell; otherwise the file is gone
//! through once for each part of the keys that fits.

use std::{collections::HashMap, path::Path};

use ludex_core::{Game, Outcome, Value};

use ludex_games::collapsi::Collapsi;

use super::{Record, RecordError, Records, Sets, read_index};
use crate::collapsi::Fast;

/// Something that is wrong with some records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anomaly {
    /// What it is.
    pub name: &'static str,
    /// How many records have it.
    pub count: u64,
    /// The numbers of the first of them.
    pub first: Vec<u64>,
}

/// What a validation found.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The layout's name.
    pub layout: &'static str,
    /// Records of the file.
    pub count: u64,
    /// Records that were looked at.
    pub looked_at: u64,
    /// Records with turn 0, 1 and anything else.
    pub turns: [u64; 3],
    /// Records with win 0, 1 and anything else.
    pub wins: [u64; 3],
    /// Least, mean and greatest number of plies.
    pub plies: (u16, f64, u16),
    /// Records without a best move.
    pub no_move: u64,
    /// Zero keys among the first records, and how many those are.
    pub zero_in_first: (u64, u64),
    /// The first records.
    pub samples: Vec<Record>,
    /// All kinds of anomalies, also those that nobody has.
    pub anomalies: Vec<Anomaly>,
    /// Records whose position the index knows, all of which were solved again.
    pub solved_again: u64,
    /// Whether the index was too long to be held at once, so that only its first part was used.
    pub index_cut: bool,
}

impl Checked {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn sound(&self) -> bool {
        self.anomalies.iter().all(|a| a.count == 0)
    }
}

const KINDS: [&str; 12] = [
    "loose: plies over 50",
    "loose: win with less than 1 ply",
    "plies over 14",
    "win and plies disagree in parity",
    "turn not 0 or 1",
    "win not 0 or 1",
    "best move from a cell to itself",
    "zero key",
    "duplicate key",
    "best move not legal (by the index)",
    "value wrong (solved again)",
    "best move not best (solved again)",
];

/// Keys held at once when looking for duplicates.
const KEYS: usize = 1 << 24;
/// Index entries held at once.
const ENTRIES: usize = 1 << 20;
/// Records that are watched for zero keys where nobody says how many.
const WATCHED: u64 = 1000;
/// Numbers listed for an anomaly.
const LISTED: usize = 5;

struct Counter(Vec<Anomaly>);

impl Counter {
    fn note(&mut self, kind: usize, number: u64) {
        let anomaly = &mut self.0[kind];
        anomaly.count += 1;
        if anomaly.first.len() < LISTED {
            anomaly.first.push(number);
        }
    }
}

/// Validate a record file, all of it or its first records, and solve those of its positions again that an index knows.
/// The first records are watched for zero keys and sampled.
///
/// # Errors
/// If a file cannot be read or is none.
pub fn check(path: &Path, index: Option<&Path>, only: Option<u64>) -> Result<Checked, RecordError> {
    let mut known: HashMap<u64, Sets> = HashMap::new();
    let mut index_cut = false;
    if let Some(index) = index {
        read_index(index, |entry| {
            known.insert(entry.key, entry.sets);
            index_cut = known.len() >= ENTRIES;
            !index_cut
        })?;
    }
    let mut records = Records::open(path)?;
    let first = only.unwrap_or(WATCHED);
    let mut counter = Counter(KINDS.iter().map(|&name| Anomaly { name, ..Anomaly::default() }).collect());
    let mut checked = Checked {
        layout: records.layout.name,
        count: records.count,
        looked_at: only.unwrap_or(u64::MAX).min(records.count),
        turns: [0; 3],
        wins: [0; 3],
        plies: (u16::MAX, 0.0, 0),
        no_move: 0,
        zero_in_first: (0, first.min(records.count)),
        samples: Vec::new(),
        anomalies: Vec::new(),
        solved_again: 0,
        index_cut,
    };
    let game = Collapsi::new(4, false);
    let mut fast = Fast::new(&game);
    let (mut sum, mut ascending, mut last) = (0u64, true, None);
    for record in records.by_ref().take(checked.looked_at as usize) {
        let (number, record) = record?;
        checked.turns[usize::from(record.turn.min(2))] += 1;
        checked.wins[usize::from(record.win.min(2))] += 1;
        checked.plies.0 = checked.plies.0.min(record.plies);
        checked.plies.2 = checked.plies.2.max(record.plies);
        sum += u64::from(record.plies);
        checked.no_move += u64::from(record.best == 0xFF);
        if number < first && checked.samples.len() < LISTED {
            checked.samples.push(record);
        }
        checked.zero_in_first.0 += u64::from(number < first && record.key == 0);
        let wrong = [
            record.plies > 50,
            record.win == 1 && record.plies < 1,
            record.plies > 14,
            (record.win == 1) != (record.plies % 2 == 1),
            record.turn > 1,
            record.win > 1,
            record.best != 0xFF && record.best >> 4 == record.best & 15,
            record.key == 0,
        ];
        for (kind, _) in wrong.iter().enumerate().filter(|(_, wrong)| **wrong) {
            counter.note(kind, number);
        }
        ascending &= last.is_none_or(|last| last <= record.key);
        if ascending && last == Some(record.key) {
            counter.note(8, number);
        }
        last = Some(record.key);
        if let Some(sets) = known.get(&record.key) {
            checked.solved_again += 1;
            solve_again(&game, &mut fast, &record, sets, number, &mut counter);
        }
    }
    if !ascending {
        counter.0[8] = duplicates(&mut records, checked.looked_at)?;
    }
    if checked.looked_at > 0 {
        checked.plies.1 = sum as f64 / checked.looked_at as f64;
    }
    checked.anomalies = counter.0;
    Ok(checked)
}

fn solve_again(
    game: &Collapsi,
    fast: &mut Fast,
    record: &Record,
    sets: &Sets,
    number: u64,
    counter: &mut Counter,
) {
    let Ok(p) = (Sets { turn: record.turn.min(1), ..*sets }).position() else {
        counter.note(10, number);
        return;
    };
    let value = fast.value(&p);
    if (value.outcome() == Outcome::Win) != (record.win == 1) || value.plies() != Some(record.plies.into()) {
        counter.note(10, number);
    }
    if record.best == 0xFF {
        if game.outcome(&p).is_none() {
            counter.note(9, number);
        }
        return;
    }
    let moves: Vec<(u8, Value)> = fast.moves(&p).into_iter().map(|(m, v)| (m.from << 4 | m.to, v)).collect();
    match moves.iter().find(|(byte, _)| *byte == record.best) {
        None => counter.note(9, number),
        Some((_, v)) if *v != value => counter.note(11, number),
        Some(_) => {}
    }
}

/// Keys that occur again in the first `most` records, exactly: the keys are taken in parts that fit, one pass over the
/// file for each.
fn duplicates(records: &mut Records, most: u64) -> Result<Anomaly, RecordError> {
    let mut found = Anomaly { name: KINDS[8], ..Anomaly::default() };
    let parts = (most as usize).div_ceil(KEYS).max(1) as u64;
    for part in 0..parts {
        let mut keys: Vec<(u64, u64)> = Vec::new();
        records.seek(0)?;
        for record in records.by_ref().take(most as usize) {
            let (number, record) = record?;
            if ((u128::from(record.key) * u128::from(parts)) >> 64) as u64 == part {
                keys.push((record.key, number));
            }
        }
        keys.sort_unstable();
        for pair in keys.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            found.count += 1;
            found.first.push(pair[1].1);
        }
        found.first.sort_unstable();
        found.first.truncate(LISTED);
    }
    Ok(found)
}
