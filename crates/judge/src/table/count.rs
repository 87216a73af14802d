//! Counting a table.

use std::{collections::BTreeMap, path::Path};

use ludex_core::{Code, Error, Game, Notation, Numbering, Outcome, Place, Side, Tier};
use ludex_store::tablebase::{Heading, Tablebase};

use crate::Study;

/// How many positions have a side to move, an outcome for it, and a number of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tally {
    /// Whose turn it is, if the file tells.
    pub side: Option<Side>,
    /// How it ends for that side; `None` if not known.
    pub outcome: Option<Outcome>,
    /// In how many plies, if that is known and no draw.
    pub plies: Option<u32>,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// Its heading.
    pub heading: Heading,
    /// Its digest.
    pub digest: String,
    /// Its length.
    pub bytes: u64,
    /// Every tier's name and number of positions.
    pub tiers: Vec<(String, u64)>,
    /// Positions in all.
    pub positions: u64,
    /// Positions by side, outcome and plies.
    pub tallies: BTreeMap<Tally, u64>,
}

/// Count the values of a file, checking its blocks on the way.
///
/// # Errors
/// If it cannot be read or is damaged.
pub fn stats(path: &Path) -> Result<Counted, Error> {
    count(&Tablebase::open(path)?)
}

/// Count the values of a file that is open.
///
/// # Errors
/// If it is damaged.
pub fn count(table: &Tablebase) -> Result<Counted, Error> {
    let wide = table.heading().value_bits != 2;
    let mut tallies = BTreeMap::new();
    for (tier, about) in table.tiers().iter().enumerate() {
        let mut counts = [0u64; 256];
        table.each(tier, |_, _, raw| counts[raw as usize & 255] += 1)?;
        let side = if about.name.ends_with(Tier::turn(Some(Side::First))) {
            Some(Side::First)
        } else {
            about.name.ends_with(Tier::turn(Some(Side::Second))).then_some(Side::Second)
        };
        for (raw, &count) in counts.iter().enumerate().filter(|(_, c)| **c > 0) {
            let code = if wide { Code(raw as u8) } else { Code::of_class(raw as u8) };
            let value = code.value();
            let tally =
                Tally { side, outcome: value.map(|v| v.outcome()), plies: value.and_then(|v| v.plies()) };
            *tallies.entry(tally).or_default() += count;
        }
    }
    Ok(Counted {
        heading: table.heading().clone(),
        digest: table.digest().to_owned(),
        bytes: table.bytes(),
        tiers: table.tiers().iter().map(|t| (t.name.clone(), t.entries)).collect(),
        positions: table.entries(),
        tallies,
    })
}

/// How many of the numbered positions can be reached from the start, tier by tier.
pub fn reachable<G: Game>(game: &G, numbering: &dyn Numbering<G>, start: &G::Position) -> Vec<u64> {
    let tiers = numbering.tiers();
    let mut seen: Vec<Vec<u64>> = tiers.iter().map(|t| vec![0; t.len.div_ceil(64) as usize]).collect();
    let mark = |seen: &mut Vec<Vec<u64>>, place: Place| {
        seen[place.tier][place.index as usize / 64] |= 1 << (place.index % 64);
    };
    if let Some(place) = numbering.place(start) {
        mark(&mut seen, place);
    }
    for tier in (0..tiers.len()).rev() {
        for word in 0..seen[tier].len() {
            let mut bits = seen[tier][word];
            while bits != 0 {
                let index = 64 * word as u64 + u64::from(bits.trailing_zeros());
                bits &= bits - 1;
                let p = numbering.position(Place { tier, index });
                if game.outcome(&p).is_none() {
                    game.each_move(&p, |m| {
                        if let Some(place) = numbering.place(&game.play(&p, m)) {
                            mark(&mut seen, place);
                        }
                    });
                }
            }
        }
    }
    seen.iter().map(|words| words.iter().map(|w| u64::from(w.count_ones())).sum()).collect()
}

/// The heading of a file.
///
/// # Errors
/// If it cannot be read.
pub fn heading(path: &Path) -> Result<Heading, Error> {
    Ok(Tablebase::open(path)?.heading().clone())
}

/// How many positions of a numbered game can be reached from its start.
pub(super) fn reachable_of<G: Notation>(game: &G, study: &dyn Study<G>) -> Result<u64, Error> {
    match (study.numbering(game), game.root()) {
        (Some(numbering), Some(root)) => Ok(reachable(game, numbering.as_ref(), &root).iter().sum()),
        _ => Err(Error::spec(
            format!("{} has no numbering", game.spec()),
            "tables by key hold exactly what can be reached, up to symmetry",
        )),
    }
}
