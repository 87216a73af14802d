//! Building a table with all threads.

use std::{
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use ludex_core::{Cancel, Code, Error, ErrorCode, Goal, Known, Notation, Numbering, Probe, Stop};
use ludex_search::retrograde::{Numbered, Plan, Positions, stretches};
use ludex_store::tablebase::{Builder, Heading, Tablebase};

use super::{listing_error, memory_error, stopped};
use crate::{Clock, Study, Terms};

/// What to build.
#[derive(Clone, Debug)]
pub struct Order<'a> {
    /// The file.
    pub out: &'a Path,
    /// `Wdl` or `Distance`.
    pub goal: Goal,
    /// Bytes it may take.
    pub memory: u64,
    /// Threads it may use.
    pub threads: usize,
    /// Whether positions are listed by key even if the game has a numbering.
    pub by_key: bool,
    /// How it is called off, where the time comes from, who runs the workers.
    pub terms: &'a Terms,
}

/// How far a build is.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The tier that is being solved.
    pub tier: usize,
    /// How many there are; 0 while positions are being listed.
    pub tiers: usize,
    /// Its name.
    pub name: String,
    /// Positions solved or listed so far.
    pub done: u64,
    /// Positions in all; 0 while they are being listed.
    pub positions: u64,
    /// Time since the start.
    pub time: Duration,
}

/// What was built.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// Its numbering, `dense` or `keys`.
    pub numbering: String,
    /// Tiers in all, and how many of them were there already.
    pub tiers: usize,
    /// Tiers that an earlier run had left.
    pub resumed: usize,
    /// Positions in all.
    pub positions: u64,
    /// The memory that was planned for, in bytes.
    pub memory: u64,
    /// The length of the file.
    pub bytes: u64,
    /// Its digest.
    pub digest: String,
    /// Time it took.
    pub time: Duration,
}

/// The bytes that a build with `threads` threads takes: codes, and working space of every thread, and the codes of
/// the largest tier once more while it is written.
pub fn estimate(numbered: &dyn Numbered, threads: usize) -> u64 {
    let tiers = numbered.tiers();
    let largest = tiers.iter().map(|t| t.len).max().unwrap_or(0);
    Plan::of(tiers).peak + largest / 2 + numbered.workspace() * threads as u64 + (8 << 20)
}

struct Listing<'a> {
    cancel: &'a Cancel,
    done: AtomicU64,
    watch: &'a Stopwatch,
    report: &'a (dyn Fn(&Step) + Sync),
}

impl Probe for Listing<'_> {
    fn check(&self, new: u64) -> Option<Stop> {
        let done = self.done.fetch_add(new, Ordering::Relaxed) + new;
        if new > 0 && done.is_multiple_of(1 << 17) {
            (self.report)(&Step {
                tier: 0,
                tiers: 0,
                name: "listing positions".into(),
                done,
                positions: 0,
                time: self.watch.elapsed(),
            });
        }
        self.cancel.is_cancelled().then_some(Stop::Cancelled)
    }
}

/// The time since a build began.
struct Stopwatch(Arc<dyn Clock>, Duration);

impl Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.now().saturating_sub(self.1)
    }
}

/// A build and whoever is told of it.
struct Build<'a> {
    order: &'a Order<'a>,
    report: &'a (dyn Fn(&Step) + Sync),
    watch: Stopwatch,
}

/// Build a table, calling `report` now and then. `game` is one made for the distance.
///
/// # Errors
/// If the game cannot be numbered within the memory, the file cannot be written, or it was called off.
pub(super) fn build<G: Notation>(
    game: &G,
    study: &dyn Study<G>,
    order: &Order<'_>,
    report: &(dyn Fn(&Step) + Sync),
) -> Result<Built, Error> {
    if order.out.is_dir() {
        let message = format!("{} is a folder", order.out.display());
        return Err(Error::new(ErrorCode::BadFile, message, "name the file to write"));
    }
    let clock = order.terms.clock.clone();
    let start = clock.now();
    let build = Build { order, report, watch: Stopwatch(clock, start) };
    let heading = Heading {
        spec: game.spec(),
        goal: order.goal.word().into(),
        value_bits: if order.goal == Goal::Wdl { 2 } else { 8 },
        ..Heading::default()
    };
    check_plies(game)?;
    let too_much = |needed| memory_error(needed, order.memory);
    if let Some(numbering) = study.numbering(game).filter(|_| !order.by_key) {
        let numbered: &dyn Numbered = &(game, numbering.as_ref());
        let needed = estimate(numbered, order.threads);
        if needed > order.memory {
            return Err(too_much(needed));
        }
        return run(numbered, &|_| Vec::new(), heading, needed, &build);
    }
    let root = game.root().ok_or_else(|| no_start(game))?;
    let listing =
        Listing { cancel: &order.terms.cancel, done: AtomicU64::new(0), watch: &build.watch, report };
    let keyed =
        study.searches().reach(game, &root, order.memory / 4 * 3, &listing).map_err(|stop| match stop {
            Stop::Memory => listing_error(order.memory),
            _ => stopped(),
        })?;
    let numbering: &dyn Numbering<G> = &*keyed;
    let numbered: &dyn Numbered = &(game, numbering);
    let needed = keyed.memory() + estimate(numbered, order.threads);
    if needed > order.memory {
        return Err(too_much(needed));
    }
    let heading = Heading { numbering: "keys".into(), key_bytes: keyed.key_len(), block: 1 << 12, ..heading };
    run(numbered, &|tier| keyed.keys(tier), heading, needed, &build)
}

/// A table tells only so many plies.
fn check_plies<G: Notation>(game: &G) -> Result<(), Error> {
    match game.root() {
        Some(root) if game.max_plies(&root) > Code::MAX_PLIES => Err(Error::spec(
            format!(
                "games of {} may last longer than the {} plies a table can tell",
                game.spec(),
                Code::MAX_PLIES
            ),
            "take a smaller board",
        )),
        _ => Ok(()),
    }
}

fn no_start<G: Notation>(game: &G) -> Error {
    Error::spec(format!("{} has no fixed start", game.spec()), "name the deal in the spec")
}

/// The positions of a game for whoever solves them elsewhere. `game` is one made for the distance.
///
/// # Errors
/// If there can be no table of the game.
pub(super) fn positions<G: Notation>(
    game: &G,
    study: &dyn Study<G>,
    by_key: bool,
) -> Result<Positions, Error> {
    check_plies(game)?;
    let numbering = study.numbering(game).filter(|_| !by_key);
    if numbering.is_none() {
        game.root().ok_or_else(|| no_start(game))?;
    }
    let too_long = || {
        Error::spec(
            format!("a position of {} takes more bytes than a row has", game.spec()),
            "take a smaller board, or build it without --workers",
        )
    };
    study.searches().positions(game, numbering).ok_or_else(too_long)
}

/// Solve tier after tier, keeping each on disk as soon as it is done.
fn run(
    numbered: &dyn Numbered,
    keys: &dyn Fn(usize) -> Vec<u8>,
    heading: Heading,
    memory: u64,
    build: &Build<'_>,
) -> Result<Built, Error> {
    let Build { order, report, watch } = build;
    let tiers = numbered.tiers();
    let plan = Plan::of(tiers);
    let builder = Builder::open(order.out, &heading)?;
    let mut codes: Vec<Vec<u8>> = vec![Vec::new(); tiers.len()];
    let (mut resumed, done) = (0, AtomicU64::new(0));
    for tier in 0..tiers.len() {
        let kept = builder.has(tier).then(|| builder.load(tier)).flatten();
        if let Some((values, _)) = kept.filter(|(values, _)| values.len() as u64 == tiers[tier].len) {
            resumed += 1;
            done.fetch_add(tiers[tier].len, Ordering::Relaxed);
            codes[tier] = values;
            if order.goal == Goal::Wdl {
                codes[tier].iter_mut().for_each(|c| *c = Code::of_class(*c).0);
            }
        } else {
            let mut out = vec![0; tiers[tier].len as usize];
            let step = || Step {
                tier,
                tiers: tiers.len(),
                name: tiers[tier].name.clone(),
                done: done.load(Ordering::Relaxed),
                positions: plan.positions,
                time: watch.elapsed(),
            };
            solve_tier(numbered, tier, &codes, &mut out, order, &|n| {
                done.fetch_add(n, Ordering::Relaxed);
                report(&step());
            })?;
            if order.goal == Goal::Wdl {
                out.iter_mut().for_each(|c| *c = Code::of_class(Code(*c).class()).0);
            }
            let packed: Vec<u8>;
            let values = if order.goal == Goal::Wdl {
                packed = out.iter().map(|c| Code(*c).class()).collect();
                &packed
            } else {
                &out
            };
            builder.put(tier, &tiers[tier].title(), values, &keys(tier))?;
            codes[tier] = out;
        }
        for old in (0..=tier).filter(|&t| plan.last_use[t] == tier) {
            codes[old] = Vec::new();
        }
    }
    let table: Tablebase = builder.finish(tiers.len())?;
    Ok(Built {
        numbering: heading.numbering,
        tiers: tiers.len(),
        resumed,
        positions: plan.positions,
        memory,
        bytes: table.bytes(),
        digest: table.digest().to_owned(),
        time: watch.elapsed(),
    })
}

/// Solve the stretches of a tier side by side.
fn solve_tier(
    numbered: &dyn Numbered,
    tier: usize,
    codes: &[Vec<u8>],
    out: &mut [u8],
    order: &Order<'_>,
    done: &(dyn Fn(u64) + Sync),
) -> Result<(), Error> {
    let slices: Vec<&[u8]> = codes.iter().map(Vec::as_slice).collect();
    let known = Known { tiers: &slices };
    let mut rest = out;
    let mut work = Vec::new();
    // Small enough that all threads have something to do, and that a call to stop is heard.
    let size = (numbered.tiers()[tier].len / (8 * order.threads.max(1) as u64)).clamp(1 << 12, 1 << 18);
    for stretch in stretches(numbered, tier, size) {
        let (part, after) = rest.split_at_mut((stretch.end - stretch.start) as usize);
        work.push((stretch.start, part));
        rest = after;
    }
    work.reverse();
    let (work, cancel) = (Mutex::new(work), &order.terms.cancel);
    let worker = |_| {
        while !cancel.is_cancelled() {
            let next = work.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some((start, part)) = next else { break };
            numbered.values(tier, start, known, part);
            done(part.len() as u64);
        }
    };
    super::on_all(&*order.terms.spawner, order.threads, &worker)?;
    if cancel.is_cancelled() { Err(stopped()) } else { Ok(()) }
}
