//! A table of numbered positions: each worker solves a stretch of every tier, and every process gets all of it.
//!
//! A numbering computes a stretch from whole tiers, so a process holds the tiers that are still led to, once for all its
//! threads. A worker's stretch of a tier is kept in `codes-T`.

use std::{ops::Range, sync::Arc};

use ludex_core::{Code, Error, Known};
use ludex_search::retrograde::{Numbered, Plan};

use crate::{
    codes::{Codes, CodesWriter, pack, unpack},
    exchange::Exchange,
    fault,
    grow::Shelf,
    job::{Done, Job},
};

/// The stretch of a tier that a worker solves: whole grains, about as many for each.
fn stretch(numbered: &dyn Numbered, tier: usize, worker: usize, workers: usize) -> Range<u64> {
    let (len, grain) = (numbered.tiers()[tier].len, numbered.grain(tier).max(1));
    let grains = len.div_ceil(grain);
    let cut = |worker: usize| (grains * worker as u64 / workers as u64 * grain).min(len);
    cut(worker)..cut(worker + 1)
}

/// The work of one worker.
pub fn run(numbered: &dyn Numbered, exchange: &mut Exchange<'_>, job: &Job) -> Result<Done, Error> {
    let tiers = numbered.tiers();
    let plan = Plan::of(tiers);
    let shelf = Shelf::open(job.worker_folder(exchange.index))?;
    let is_solved = |tier: &usize| shelf.solved(*tier as u32).is_some();
    let solved = (0..tiers.len()).take_while(is_solved).count();
    let first = exchange.numbers(solved as u64)?.into_iter().min().unwrap_or(0) as usize;
    let joined = job.with_builder(|builder| (0..tiers.len()).take_while(|&tier| builder.has(tier)).count());
    let joined = exchange.numbers(joined.unwrap_or(0) as u64)?[0] as usize;
    let mine = |tier: usize| stretch(numbered, tier, exchange.index, exchange.peers);
    let counts = exchange.numbers((0..tiers.len()).map(mine).map(|r| r.end - r.start).sum())?;
    job.phase(exchange, "solving", counts[job.workers_here()].iter().sum())?;
    for (tier, about) in tiers.iter().enumerate() {
        exchange.watch().tier(tier, tiers.len(), &about.name);
        let range = stretch(numbered, tier, exchange.index, exchange.peers);
        let n = (range.end - range.start) as usize;
        let mut codes = Vec::new();
        if tier >= first {
            codes = vec![0; n];
            solve(numbered, exchange, job, tier, range.start, &mut codes)?;
            let mut writer = CodesWriter::kept(&shelf.codes(tier as u32), job.outcome_only)?;
            writer.push(&codes)?;
            writer.keep()?;
            shelf.mark_solved(tier as u32, 3)?;
        } else {
            exchange.watch().count(n as u64);
            if plan.last_use[tier] >= first || tier >= joined {
                Codes::open(&shelf.codes(tier as u32), job.outcome_only)?.next(n, &mut codes)?;
                if codes.len() != n {
                    return Err(fault("a stretch of a tier is too short"));
                }
            }
        }
        if tier >= first || plan.last_use[tier] >= first || tier >= joined {
            share(exchange, job, about.len as usize, range.start, &codes)?;
            drop(codes);
            exchange.numbers(0)?;
            if job.is_first_here(exchange.index) {
                let whole = Arc::new(std::mem::take(&mut *job.assembly()));
                job.tiers()[tier] = Arc::clone(&whole);
                for old in (0..=tier).filter(|&old| plan.last_use[old] == tier && old != tier) {
                    job.tiers()[old] = Arc::default();
                }
                if plan.last_use[tier] == tier {
                    job.tiers()[tier] = Arc::default();
                }
                let write = |builder: &ludex_store::tablebase::Builder| -> Result<(), Error> {
                    if tier < joined {
                        return Ok(());
                    }
                    let values: Vec<u8>;
                    let values = if job.outcome_only {
                        values = whole.iter().map(|code| job.value(*code)).collect();
                        &values
                    } else {
                        &*whole
                    };
                    Ok(builder.put(tier, &about.title(), values, &[])?)
                };
                job.with_builder(write).transpose()?;
            }
            exchange.numbers(0)?;
        }
    }
    Ok(Done { tiers: tiers.len(), resumed: first, positions: plan.positions })
}

/// Solve a stretch in pieces, so that a call to stop is heard.
fn solve(
    numbered: &dyn Numbered,
    exchange: &Exchange<'_>,
    job: &Job,
    tier: usize,
    start: u64,
    codes: &mut [u8],
) -> Result<(), Error> {
    let tiers: Vec<Arc<Vec<u8>>> = job.tiers().clone();
    let slices: Vec<&[u8]> = tiers.iter().map(|tier| tier.as_slice()).collect();
    let known = Known { tiers: &slices };
    let grain = numbered.grain(tier).max(1) as usize;
    let piece = grain * ((1 << 16) / grain).max(1);
    let mut at = start;
    for part in codes.chunks_mut(piece) {
        exchange.check()?;
        numbered.values(tier, at, known, part);
        at += part.len() as u64;
        exchange.watch().count(part.len() as u64);
    }
    if job.outcome_only {
        codes.iter_mut().for_each(|code| *code = Code::of_class(Code(*code).class()).0);
    }
    Ok(())
}

/// Put a stretch into the tier of this process, and send it to one worker of every other process, which does the same.
fn share(exchange: &mut Exchange<'_>, job: &Job, len: usize, start: u64, codes: &[u8]) -> Result<(), Error> {
    let place = |start: u64, codes: &[u8]| -> Result<(), Error> {
        let mut whole = job.assembly();
        whole.resize(len, 0);
        let cut = || fault("a stretch is outside its tier");
        let from = usize::try_from(start).map_err(|_| cut())?;
        whole
            .get_mut(from..)
            .and_then(|rest| rest.get_mut(..codes.len()))
            .ok_or_else(cut)?
            .copy_from_slice(codes);
        Ok(())
    };
    place(start, codes)?;
    if job.processes() == 1 {
        return Ok(());
    }
    // A multiple of four codes, which pack into whole bytes.
    let piece = (job.memory_of_worker() / 16 / job.processes()).clamp(1 << 16, 1 << 24) / 4 * 4;
    let mut parts = (start..).step_by(piece).zip(codes.chunks(piece)).peekable();
    loop {
        let mut out = vec![Vec::new(); exchange.peers];
        if let Some((at, part)) = parts.next() {
            let mut message = at.to_le_bytes().to_vec();
            message.extend((part.len() as u64).to_le_bytes());
            if job.outcome_only {
                pack(part, &mut message)
            } else {
                message.extend(part)
            }
            for (to, out) in out.iter_mut().enumerate() {
                if job.is_twin(exchange.index, to) {
                    out.clone_from(&message);
                }
            }
        }
        let round = exchange.swap(out, parts.peek().is_some())?;
        for (_, message) in
            round.messages.iter().enumerate().filter(|(from, m)| *from != exchange.index && !m.is_empty())
        {
            let cut = || fault("a message is cut off");
            let (at, rest) = message.split_first_chunk::<8>().ok_or_else(cut)?;
            let (n, rest) = rest.split_first_chunk::<8>().ok_or_else(cut)?;
            let n = u64::from_le_bytes(*n) as usize;
            let mut codes = Vec::new();
            if job.outcome_only && rest.len() == n.div_ceil(4) {
                unpack(rest, n, &mut codes);
            } else {
                codes.extend(rest);
            }
            if codes.len() != n {
                return Err(cut());
            }
            place(u64::from_le_bytes(*at), &codes)?;
        }
        if !round.more {
            return Ok(());
        }
    }
}
