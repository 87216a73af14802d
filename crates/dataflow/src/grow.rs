//! Listing the positions: rank after rank, each worker lists those whose keys it owns.
//!
//! The workers go through their positions of a rank, send every successor to its owner, and when the last has arrived
//! each owner sorts what it got and writes it down. Files of a worker, R and F being ranks:
//!
//! ```text
//! run-R-F     what the positions of rank F lead to in rank R
//! list-R      the positions of rank R: all its runs as one, made when rank R is begun
//! grown-F     empty; everything that rank F leads to is in runs
//! ```

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use ludex_core::Error;
use ludex_search::retrograde::{Fan, Listed};
use ludex_store::AtomicFile;

use crate::{
    exchange::Exchange,
    fault,
    gather::Gather,
    merge::{Source, merge},
    pile::{Pile, PileWriter, io_error},
    rows::owner,
    sections::{Sections, each_section},
};

const NONE: u64 = u64::MAX;

/// The folder of a worker and its files.
#[derive(Clone, Debug)]
pub struct Shelf {
    folder: PathBuf,
}

impl Shelf {
    /// The folder of a worker, made if it is not there. What an interrupted run spilt is thrown away.
    pub fn open(folder: PathBuf) -> Result<Self, Error> {
        fs::create_dir_all(&folder).map_err(io_error(&folder))?;
        let shelf = Self { folder };
        for name in shelf.names()? {
            if name.starts_with("spilt-") || name.ends_with(".tmp") {
                shelf.remove(&name)?;
            }
        }
        Ok(shelf)
    }

    /// The folder of another worker of this process, as it is.
    pub fn of_another(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Where the files are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn names(&self) -> Result<Vec<String>, Error> {
        let io = io_error(&self.folder);
        let files = fs::read_dir(&self.folder).map_err(&io)?;
        files.map(|f| Ok(f.map_err(&io)?.file_name().to_string_lossy().into_owned())).collect()
    }

    fn remove(&self, name: &str) -> Result<(), Error> {
        let path = self.folder.join(name);
        fs::remove_file(&path).map_err(io_error(&path))
    }

    /// The list of a rank.
    pub fn list(&self, rank: u32) -> PathBuf {
        self.folder.join(format!("list-{rank}"))
    }

    /// The codes of that list.
    pub fn codes(&self, rank: u32) -> PathBuf {
        self.folder.join(format!("codes-{rank}"))
    }

    /// Say that a rank is solved, and who is to move in it.
    pub fn mark_solved(&self, rank: u32, sides: u8) -> Result<(), Error> {
        let path = self.folder.join(format!("solved-{rank}"));
        AtomicFile::write(&path, &[sides]).map_err(io_error(&path))
    }

    /// Who is to move in a rank that is solved.
    pub fn solved(&self, rank: u32) -> Option<u8> {
        fs::read(self.folder.join(format!("solved-{rank}"))).ok()?.first().copied()
    }

    fn run(&self, rank: u32, from: u64) -> PathBuf {
        self.folder.join(format!("run-{rank}-{from}"))
    }

    /// The ranks with lists.
    pub fn ranks(&self) -> Result<BTreeSet<u32>, Error> {
        Ok(self.names()?.iter().filter_map(|name| name.strip_prefix("list-")?.parse().ok()).collect())
    }

    /// The runs: their ranks and what they come from.
    fn runs(&self) -> Result<Vec<(u32, u64)>, Error> {
        let parse = |name: &String| {
            let (rank, from) = name.strip_prefix("run-")?.split_once('-')?;
            Some((rank.parse().ok()?, from.parse().ok()?))
        };
        Ok(self.names()?.iter().filter_map(parse).collect())
    }

    /// The last rank of which everything it leads to is written down.
    fn grown(&self) -> Result<Option<u64>, Error> {
        Ok(self.names()?.iter().filter_map(|name| name.strip_prefix("grown-")?.parse().ok()).max())
    }
}

/// List all positions, or go on with it.
pub fn grow(
    listed: &dyn Listed,
    exchange: &mut Exchange<'_>,
    shelf: &Shelf,
    memory: usize,
) -> Result<(), Error> {
    let (row_len, key_len) = (listed.row_len(), listed.key_len());
    let mut gather = Gather::new(shelf.folder(), row_len, key_len, memory / 2);
    // Rank F is counted as F + 1, so that 0 says that nothing is there yet, not even the start.
    let mine = shelf.grown()?.map_or(0, |rank| rank + 1);
    let last = exchange.numbers(mine)?.into_iter().min().unwrap_or(0);
    for (rank, from) in shelf.runs()? {
        if from >= last {
            fs::remove_file(shelf.run(rank, from)).map_err(io_error(shelf.folder()))?;
        }
    }
    if last == 0 {
        let (rank, row) = listed.start();
        if owner(&row[..key_len], exchange.peers) == exchange.index && !shelf.list(rank).exists() {
            gather.push(rank, &row)?;
            gather.keep(|rank| shelf.list(rank))?;
        }
    }
    let mut after = last;
    loop {
        let runs = shelf.runs()?.into_iter().map(|(rank, _)| rank);
        let next = runs.chain(shelf.ranks()?).filter(|&rank| u64::from(rank) >= after).min();
        let next = exchange.numbers(next.map_or(NONE, u64::from))?.into_iter().min().unwrap_or(NONE);
        if next == NONE {
            return Ok(());
        }
        let rank = u32::try_from(next).map_err(|_| fault("a rank is out of range"))?;
        exchange.watch().tier(rank as usize, 0, &format!("listing rank {rank}"));
        join_runs(shelf, rank, row_len, key_len)?;
        expand(listed, exchange, shelf, rank, &mut gather, memory)?;
        gather.keep(|to| shelf.run(to, next))?;
        let marker = shelf.folder.join(format!("grown-{rank}"));
        AtomicFile::write(&marker, b"").map_err(io_error(&marker))?;
        after = next + 1;
    }
}

/// Make the list of a rank from its runs.
fn join_runs(shelf: &Shelf, rank: u32, row_len: usize, key_len: usize) -> Result<(), Error> {
    let runs: Vec<PathBuf> = shelf
        .runs()?
        .into_iter()
        .filter(|run| run.0 == rank)
        .map(|(rank, from)| shelf.run(rank, from))
        .collect();
    let list = shelf.list(rank);
    if !list.exists() && !runs.is_empty() {
        if let [run] = &runs[..] {
            return fs::rename(run, &list).map_err(io_error(run));
        }
        let mut writer = PileWriter::kept(&list, row_len)?;
        let open = |run: &PathBuf| Source::pile(Pile::open(run, row_len)?, row_len);
        merge(runs.iter().map(open).collect::<Result<_, _>>()?, key_len, |row, _| writer.push(row))?;
        writer.keep()?;
    }
    // A list that is there has all of its runs in it: it was made when no more could come.
    runs.iter().try_for_each(|run| fs::remove_file(run).map_err(io_error(run)))
}

/// Send the successors of all positions of a rank to their owners.
fn expand(
    listed: &dyn Listed,
    exchange: &mut Exchange<'_>,
    shelf: &Shelf,
    rank: u32,
    gather: &mut Gather,
    memory: usize,
) -> Result<(), Error> {
    let (row_len, key_len) = (listed.row_len(), listed.key_len());
    let list = shelf.list(rank);
    let mut pile = if list.exists() { Some(Pile::open(&list, row_len)?) } else { None };
    let (mut rows, mut fan) = (Vec::new(), Fan::default());
    let most = (memory / 16).clamp(1 << 16, 1 << 25);
    loop {
        let mut out: Vec<Sections> = vec![Sections::default(); exchange.peers];
        let mut bytes = 0;
        while let Some(pile) = pile.as_mut().filter(|pile| pile.left() > 0 && bytes < most) {
            exchange.check()?;
            pile.next(&mut rows)?;
            listed.fan(&rows, false, &mut fan).map_err(|row| crate::no_row(&list, row))?;
            for (row, &to) in fan.rows.chunks_exact(row_len).zip(&fan.ranks) {
                if to <= rank {
                    return Err(fault("a move does not increase the rank"));
                }
                out[owner(&row[..key_len], exchange.peers)].push(to, row);
            }
            bytes += fan.rows.len();
            exchange.watch().count((rows.len() / row_len) as u64);
        }
        let left = pile.as_ref().is_some_and(|pile| pile.left() > 0);
        let round = exchange.swap(out.into_iter().map(Sections::bytes).collect(), left)?;
        for message in &round.messages {
            each_section(message, row_len, |rank, rows| gather.push(rank, rows))?;
        }
        if !round.more {
            return Ok(());
        }
    }
}
