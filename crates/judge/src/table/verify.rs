//! Deriving the values of a table again.

use std::{
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use ludex_core::{Cancel, Code, Error, Known, Notation, Numbering, Place, Rng, Unlimited};

use super::{Answers, book, listing_error, memory_error, stopped};
use crate::{Spawner, Study};

/// What a verification found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Positions whose value was derived again.
    pub checked: u64,
    /// Positions in all.
    pub positions: u64,
    /// The first positions whose value is wrong: their text, what the table says, what it should say.
    pub wrong: Vec<(String, String, String)>,
}

/// How many wrong positions are listed.
pub(super) const LISTED: usize = 20;

/// How a table is verified.
#[derive(Clone, Copy)]
pub struct Verifying<'a> {
    /// Only so many random positions.
    pub sample: Option<u64>,
    /// The seed of the sample.
    pub seed: u64,
    /// Bytes it may take.
    pub memory: u64,
    /// Threads it may use.
    pub threads: usize,
    /// How it is called off.
    pub cancel: &'a Cancel,
    /// Who runs the workers.
    pub spawner: &'a dyn Spawner,
    /// Told now and then how many positions are done, and of how many.
    pub progress: &'a (dyn Fn(u64, u64) + Sync),
}

impl<'a> Verifying<'a> {
    /// The whole of it, on one thread, in silence.
    #[must_use]
    pub fn whole(memory: u64, cancel: &'a Cancel) -> Self {
        Self {
            sample: None,
            seed: 1,
            memory,
            threads: 1,
            cancel,
            spawner: &crate::Alone,
            progress: &|_, _| (),
        }
    }
}

/// Check a table's checksums, then derive every value from its successors by the rules, or those of `sample` random
/// positions. Those of a book's last ply have none: they are searched again, all of them or a sample.
///
/// # Errors
/// If the file is damaged or of another game, it does not fit into `memory`, or it was called off.
pub(super) fn verify<G: Notation>(
    game: &G,
    study: &dyn Study<G>,
    path: &Path,
    how: &Verifying<'_>,
) -> Result<Verified, Error> {
    let answers = Answers::open(game, study, path)?;
    let table = answers.table();
    table.check()?;
    if answers.is_book() {
        return book::verify(game, study, table, how);
    }
    let needed = table.entries();
    if needed > how.memory {
        return Err(memory_error(needed, how.memory));
    }
    let numbering: Box<dyn Numbering<G>> = if table.heading().key_bytes > 0 {
        let root = game
            .root()
            .ok_or_else(|| Error::spec(format!("{} has no fixed start", game.spec()), "name the deal"))?;
        let keyed = study
            .searches()
            .reach(game, &root, how.memory, &Unlimited)
            .map_err(|_| listing_error(how.memory))?;
        for tier in 0..table.tiers().len() {
            let mut keys = Vec::new();
            table.each(tier, |_, key, _| keys.extend_from_slice(key))?;
            if keyed.tiers().len() != table.tiers().len() || keys != keyed.keys(tier) {
                let about = &table.tiers()[tier].name;
                let wrong =
                    vec![(about.clone(), "these keys".into(), "the keys of what can be reached".into())];
                return Ok(Verified { checked: 0, positions: table.entries(), wrong });
            }
        }
        keyed
    } else {
        study.numbering(game).ok_or_else(|| Error::spec("this board has no numbering", "build it again"))?
    };
    let mut codes = Vec::new();
    for tier in 0..table.tiers().len() {
        let mut tier = table.load(tier)?;
        tier.iter_mut().for_each(|c| *c = answers.code(u64::from(*c)).0);
        codes.push(tier);
    }
    let deriving = Deriving {
        again: &|place, known| numbering.again(game, place, known),
        text: &|place| game.position_text(&numbering.position(place)),
    };
    check(&deriving, &codes, answers.has_plies(), how)
}

/// What a check asks of the game of a table.
struct Deriving<'a> {
    /// The value of a position by the rules.
    again: &'a (dyn Fn(Place, Known<'_>) -> Code + Sync),
    /// Its text.
    text: &'a (dyn Fn(Place) -> String + Sync),
}

/// Derive the values again, side by side.
fn check(
    deriving: &Deriving<'_>,
    codes: &[Vec<u8>],
    plies: bool,
    how: &Verifying<'_>,
) -> Result<Verified, Error> {
    let slices: Vec<&[u8]> = codes.iter().map(Vec::as_slice).collect();
    let known = Known { tiers: &slices };
    let ends: Vec<u64> = codes
        .iter()
        .scan(0, |end, tier| {
            *end += tier.len() as u64;
            Some(*end)
        })
        .collect();
    let positions = ends.last().copied().unwrap_or(0);
    let total = how.sample.unwrap_or(positions);
    let (next, checked, wrong) = (AtomicU64::new(0), AtomicU64::new(0), Mutex::new(Vec::new()));
    const BATCH: u64 = 4096;
    let worker = |_| {
        while !how.cancel.is_cancelled() {
            let from = next.fetch_add(BATCH, Ordering::Relaxed);
            if from >= total || positions == 0 {
                break;
            }
            let mut rng = Rng::new(how.seed ^ from);
            for i in from..(from + BATCH).min(total) {
                let number = if how.sample.is_some() { rng.next_u64() % positions } else { i };
                let tier = ends.partition_point(|&end| end <= number);
                let index = number + codes[tier].len() as u64 - ends[tier];
                let place = Place { tier, index };
                let should = (deriving.again)(place, known);
                let says = known.code(place);
                let same = if plies { should == says } else { should.class() == says.class() };
                if !same {
                    let text = |c: Code| c.value().map_or("unknown".into(), |v| v.to_string());
                    let p = (deriving.text)(place);
                    let mut wrong = wrong.lock().unwrap_or_else(PoisonError::into_inner);
                    if wrong.len() < LISTED {
                        wrong.push((p, text(says), text(should)));
                    }
                }
                let checked = checked.fetch_add(1, Ordering::Relaxed) + 1;
                if checked.is_multiple_of(64) {
                    (how.progress)(checked, total);
                    if how.cancel.is_cancelled() {
                        break;
                    }
                }
            }
        }
    };
    super::on_all(how.spawner, how.threads, &worker)?;
    if how.cancel.is_cancelled() {
        return Err(stopped());
    }
    let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Verified { checked: checked.into_inner(), positions, wrong })
}
