//! Deriving the values of a table again.

use std::{
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use ludex_core::{
    Cancel, Code, Goal, InputError, Known, Numbering, Place, Playable, Rng, Spec, Stop, Unlimited,
};
use ludex_games::registry::{self, Visitor};
use ludex_search::retrograde::Keyed;

use super::{Answers, TableFault};
use crate::connect4::book_file::{Verifying, verify as verify_book};

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
pub(crate) const LISTED: usize = 20;

/// Check a table's checksums, then derive every value from its successors by the rules, or those of `sample` random
/// positions. Those of a book's last ply have none: they are searched again, all of them or a sample.
///
/// # Errors
/// If the file is damaged or of another game, it does not fit into `memory`, or it was called off.
pub fn verify(
    spec: &Spec,
    path: &Path,
    sample: Option<u64>,
    seed: u64,
    memory: u64,
    threads: usize,
    cancel: &Cancel,
) -> Result<Verified, TableFault> {
    registry::visit(spec, Verify { path, sample, seed, memory, threads, cancel })?
}

struct Verify<'a> {
    path: &'a Path,
    sample: Option<u64>,
    seed: u64,
    memory: u64,
    threads: usize,
    cancel: &'a Cancel,
}

impl Visitor for Verify<'_> {
    type Output = Result<Verified, TableFault>;

    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let game = game.for_goal(Goal::Distance);
        let answers = Answers::open(&game, self.path)?;
        let table = answers.table();
        table.check()?;
        if answers.is_book() {
            let Self { sample, seed, memory, threads, cancel, .. } = self;
            return verify_book(table, &Verifying { sample, seed, memory, threads, cancel });
        }
        let needed = table.entries();
        if needed > self.memory {
            return Err(TableFault::Memory { needed, given: self.memory });
        }
        let numbering: Box<dyn Numbering<G>> = if table.heading().key_bytes > 0 {
            let root = game.root().ok_or_else(|| {
                InputError::spec(format!("{} has no fixed start", game.spec()), "name the deal")
            })?;
            let keyed = Keyed::reach(&game, &root, self.memory, &Unlimited)
                .map_err(|_| TableFault::Listing { given: self.memory })?;
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
            Box::new(keyed)
        } else {
            game.numbering()
                .ok_or_else(|| InputError::spec("this board has no numbering", "build it again"))?
        };
        let mut codes = Vec::new();
        for tier in 0..table.tiers().len() {
            let mut tier = table.load(tier)?;
            tier.iter_mut().for_each(|c| *c = answers.code(u64::from(*c)).0);
            codes.push(tier);
        }
        self.check(&game, numbering.as_ref(), &codes, answers.has_plies())
    }
}

impl Verify<'_> {
    fn check<G: Playable>(
        &self,
        game: &G,
        numbering: &dyn Numbering<G>,
        codes: &[Vec<u8>],
        plies: bool,
    ) -> Result<Verified, TableFault> {
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
        let total =
            self.sample.unwrap_or(positions).min(if self.sample.is_some() { u64::MAX } else { positions });
        let (next, checked, wrong) = (AtomicU64::new(0), AtomicU64::new(0), Mutex::new(Vec::new()));
        const BATCH: u64 = 4096;
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(|| {
                    while !self.cancel.is_cancelled() {
                        let from = next.fetch_add(BATCH, Ordering::Relaxed);
                        if from >= total || positions == 0 {
                            break;
                        }
                        let mut rng = Rng::new(self.seed ^ from);
                        for i in from..(from + BATCH).min(total) {
                            let number = if self.sample.is_some() { rng.next_u64() % positions } else { i };
                            let tier = ends.partition_point(|&end| end <= number);
                            let index = number + codes[tier].len() as u64 - ends[tier];
                            let place = Place { tier, index };
                            let should = numbering.again(game, place, known);
                            let says = known.code(place);
                            let same = if plies { should == says } else { should.class() == says.class() };
                            if !same {
                                let text = |c: Code| c.value().map_or("unknown".into(), |v| v.to_string());
                                let p = game.position_text(&numbering.position(place));
                                let mut wrong = wrong.lock().unwrap_or_else(PoisonError::into_inner);
                                if wrong.len() < LISTED {
                                    wrong.push((p, text(says), text(should)));
                                }
                            }
                            checked.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        if self.cancel.is_cancelled() {
            return Err(TableFault::Stopped(Stop::Cancelled));
        }
        let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Verified { checked: checked.into_inner(), positions, wrong })
    }
}
