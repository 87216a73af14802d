//! A table of listed positions: list them, solve them, and join what the workers have into one file.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use ludex_core::{Error, Side, Tier};
use ludex_search::retrograde::Listed;
use ludex_store::tablebase::Builder;

use crate::{
    codes::Codes,
    exchange::Exchange,
    fault,
    grow::{Shelf, grow},
    job::{Done, Job},
    merge::{Source, merge},
    pile::{Pile, PileWriter, io_error},
    solve::Solver,
};

/// The work of one worker.
pub fn run(listed: &dyn Listed, exchange: &mut Exchange<'_>, job: &Job) -> Result<Done, Error> {
    let shelf = Shelf::open(job.worker_folder(exchange.index))?;
    let memory = job.memory_of_worker();
    job.phase(exchange, "listing", 0)?;
    grow(listed, exchange, &shelf, memory)?;

    // Tier 0 is the last rank.
    let mine = shelf.ranks()?;
    let told: Vec<u8> = mine.iter().flat_map(|rank| rank.to_le_bytes()).collect();
    let mut ranks = BTreeSet::new();
    for message in exchange.tell(&told)? {
        let (each, _) = message.as_chunks::<4>();
        ranks.extend(each.iter().map(|rank| u32::from_le_bytes(*rank)));
    }
    let ranks: Vec<u32> = ranks.into_iter().rev().collect();
    let mut held = 0;
    for rank in &mine {
        held += Pile::open(&shelf.list(*rank), listed.row_len())?.len();
    }
    let counts = exchange.numbers(held)?;
    let positions = counts.iter().sum();

    let solved = ranks.iter().take_while(|&&rank| shelf.solved(rank).is_some()).count();
    let first = exchange.numbers(solved as u64)?.into_iter().min().unwrap_or(0) as usize;
    let joined = job.with_builder(|builder| (0..ranks.len()).take_while(|&tier| builder.has(tier)).count());
    let joined = exchange.numbers(joined.unwrap_or(0) as u64)?[0] as usize;
    job.phase(exchange, "solving", counts[job.workers_here()].iter().sum())?;
    let mut solver = Solver::new(listed, &shelf, job.outcome_only, memory);
    for (tier, &rank) in ranks.iter().enumerate() {
        exchange.watch().tier(tier, ranks.len(), &format!("rank {rank}"));
        if tier < first {
            if shelf.list(rank).exists() {
                exchange.watch().count(Pile::open(&shelf.list(rank), listed.row_len())?.len());
            }
        } else {
            let sides = solver.solve(rank, exchange)?;
            shelf.mark_solved(rank, sides)?;
        }
        if tier >= joined {
            join(listed, exchange, job, &shelf, tier, rank)?;
        }
    }
    Ok(Done { tiers: ranks.len(), resumed: first, positions })
}

/// Join what the workers have of a tier: worker 0 gets it all and writes it.
fn join(
    listed: &dyn Listed,
    exchange: &mut Exchange<'_>,
    job: &Job,
    shelf: &Shelf,
    tier: usize,
    rank: u32,
) -> Result<(), Error> {
    let sides = shelf.solved(rank).ok_or_else(|| fault("a rank is not solved"))?;
    let sides = exchange.numbers(sides.into())?.into_iter().fold(0, |all, sides| all | sides);
    let (row_len, key_len) = (listed.row_len(), listed.key_len());
    let open = |list: &Path, codes: &Path, row_len: usize, outcome_only: bool| {
        Source::coded(Pile::open(list, row_len)?, row_len, Codes::open(codes, outcome_only)?)
    };
    let mut far = Vec::new();
    if job.processes() > 1 {
        far = fetch(listed, exchange, job, shelf, rank)?;
    }
    if exchange.index != 0 {
        return Ok(());
    }
    let mut sources = Vec::new();
    for worker in job.workers_here() {
        let near = Shelf::of_another(job.worker_folder(worker));
        if near.list(rank).exists() {
            sources.push(open(&near.list(rank), &near.codes(rank), row_len, job.outcome_only)?);
        }
    }
    for (list, codes) in &far {
        sources.push(open(list, codes, key_len, false)?);
    }
    let side = match sides {
        1 => Some(Side::First),
        2 => Some(Side::Second),
        _ => None,
    };
    let about = Tier { name: format!("rank {rank}"), len: 0, leads_to: Vec::new(), side };
    let write = |builder: &Builder| -> Result<(), Error> {
        let mut writer = builder.tier(tier, &about.title())?;
        let (mut values, mut keys) = (Vec::new(), Vec::new());
        merge(sources, key_len, |row, code| {
            values.push(job.value(code));
            keys.extend(&row[..key_len]);
            if values.len() == 1 << 13 {
                writer.push(&values, &keys)?;
                values.clear();
                keys.clear();
            }
            Ok(())
        })?;
        writer.push(&values, &keys)?;
        Ok(writer.finish()?)
    };
    job.with_builder(write).ok_or_else(|| fault("worker 0 has no table to write"))??;
    for (list, codes) in &far {
        fs::remove_file(list).map_err(io_error(list))?;
        fs::remove_file(codes).map_err(io_error(codes))?;
    }
    Ok(())
}

/// Bring the keys and codes of other processes to worker 0, which writes them to files of its own.
fn fetch(
    listed: &dyn Listed,
    exchange: &mut Exchange<'_>,
    job: &Job,
    shelf: &Shelf,
    rank: u32,
) -> Result<Vec<(PathBuf, PathBuf)>, Error> {
    let (row_len, key_len) = (listed.row_len(), listed.key_len());
    let list = shelf.list(rank);
    let sends = job.process() != 0 && list.exists();
    let mut source = match sends {
        true => Some((Pile::open(&list, row_len)?, Codes::open(&shelf.codes(rank), job.outcome_only)?)),
        false => None,
    };
    let most = (job.memory_of_worker() / 16 / exchange.peers).clamp(1 << 16, 1 << 24);
    let (mut rows, mut block) = (Vec::new(), Vec::new());
    let mut writers: Vec<_> = (0..exchange.peers).map(|_| None).collect();
    loop {
        let mut out = vec![Vec::new(); exchange.peers];
        while let Some((pile, codes)) =
            source.as_mut().filter(|(pile, _)| pile.left() > 0 && out[0].len() < most)
        {
            pile.next(&mut rows)?;
            codes.next(rows.len() / row_len, &mut block)?;
            for (row, code) in rows.chunks_exact(row_len).zip(&block) {
                out[0].extend(&row[..key_len]);
                out[0].push(*code);
            }
        }
        let left = source.as_ref().is_some_and(|(pile, _)| pile.left() > 0);
        let round = exchange.swap(out, left)?;
        for (from, message) in round.messages.iter().enumerate().filter(|(_, message)| !message.is_empty()) {
            if writers[from].is_none() {
                let paths = (
                    shelf.folder().join(format!("spilt-list-{from}")),
                    shelf.folder().join(format!("spilt-codes-{from}")),
                );
                let files = (PileWriter::passing(&paths.0, key_len)?, PileWriter::passing(&paths.1, 1)?);
                writers[from] = Some((paths, files));
            }
            let Some((_, (keys, codes))) = &mut writers[from] else { continue };
            for row in message.chunks_exact(key_len + 1) {
                keys.push(&row[..key_len])?;
                codes.push(&row[key_len..])?;
            }
        }
        if !round.more {
            break;
        }
    }
    let mut far = Vec::new();
    for (paths, (keys, codes)) in writers.into_iter().flatten() {
        keys.finish()?;
        codes.finish()?;
        far.push(paths);
    }
    Ok(far)
}
