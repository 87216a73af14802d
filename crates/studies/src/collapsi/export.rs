//! Writing record files of deals.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::Path,
};

use ludex_core::{Outcome, Side};
use ludex_games::collapsi::Collapsi;

use super::{
    Fast,
    records::{IndexEntry, IndexLayout, Layout, Record, Sets},
};

/// What to write, and where.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The record file and its layout.
    pub out: (&'a Path, Layout),
    /// The index file and its layout.
    pub index: Option<(&'a Path, IndexLayout)>,
    /// The folder of the keys of the shifts.
    pub norm2raw: Option<&'a Path>,
    /// The first seed.
    pub seed: u64,
    /// How many deals.
    pub count: u64,
    /// Whether each deal is written with O to move as well.
    pub both: bool,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Records.
    pub records: u64,
    /// Deals left out because their key was written before.
    pub repeated: u64,
}

/// Solve deals and write their records.
///
/// # Errors
/// If a file cannot be written.
pub fn export(wanted: &Wanted<'_>) -> io::Result<Exported> {
    let game = Collapsi::new(4, false);
    let mut fast = Fast::new(&game);
    let mut out = BufWriter::new(File::create(wanted.out.0)?);
    let mut index = match wanted.index {
        Some((path, layout)) => Some((BufWriter::new(File::create(path)?), layout)),
        None => None,
    };
    if let Some(folder) = wanted.norm2raw {
        fs::create_dir_all(folder)?;
    }
    let mut written = std::collections::HashSet::new();
    let mut exported = Exported::default();
    for seed in wanted.seed..wanted.seed.saturating_add(wanted.count) {
        let deal = game.shuffled(seed);
        for side in [Side::First, Side::Second].into_iter().take(if wanted.both { 2 } else { 1 }) {
            let dealt = if side == Side::First { deal } else { deal.turned() };
            let sets = Sets::of(&dealt).normal();
            let key = sets.key();
            if !written.insert(key) {
                exported.repeated += 1;
                continue;
            }
            let Ok(p) = sets.position() else { continue };
            let value = fast.value(&p);
            let best = fast.moves(&p).into_iter().find(|(_, v)| *v == value);
            let record = Record {
                key,
                turn: sets.turn,
                win: u8::from(value.outcome() == Outcome::Win),
                best: best.map_or(0xFF, |(m, _)| m.from << 4 | m.to),
                plies: value.plies().unwrap_or(0) as u16,
            };
            out.write_all(&wanted.out.1.encode(&record))?;
            if let Some((file, layout)) = &mut index {
                file.write_all(&layout.encode(&IndexEntry { key, sets }))?;
            }
            if let Some(folder) = wanted.norm2raw {
                let lines: String =
                    sets.shifts().iter().map(|s| format!("{:016x}|{}\n", s.key(), s.turn)).collect();
                fs::write(folder.join(format!("{key:016x}-{}.txt", sets.turn)), lines)?;
            }
            exported.records += 1;
        }
    }
    out.flush()?;
    if let Some((mut file, _)) = index {
        file.flush()?;
    }
    Ok(exported)
}
