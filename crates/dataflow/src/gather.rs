//! Rows that arrive in any order, by rank: sorted, each key once, on disk where memory ends.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use ludex_core::Error;

use crate::{
    merge::{Source, merge},
    pile::{Pile, PileWriter, io_error},
    rows::tidy,
};

/// Bytes that are worth sorting at a time.
const SOME: usize = 8 << 20;

#[derive(Debug, Default)]
struct Bag {
    rows: Vec<u8>,
    tidied: usize,
    spilt: Vec<PathBuf>,
}

/// A collection of rows.
#[derive(Debug)]
pub struct Gather {
    folder: PathBuf,
    row_len: usize,
    key_len: usize,
    budget: usize,
    bags: BTreeMap<u32, Bag>,
    files: usize,
}

impl Gather {
    /// An empty collection that takes about so many bytes of memory and leaves the rest in a folder.
    pub fn new(folder: &Path, row_len: usize, key_len: usize, budget: usize) -> Self {
        Self { folder: folder.to_owned(), row_len, key_len, budget, bags: BTreeMap::new(), files: 0 }
    }

    /// Rows of a rank.
    pub fn push(&mut self, rank: u32, rows: &[u8]) -> Result<(), Error> {
        let bag = self.bags.entry(rank).or_default();
        bag.rows.extend(rows);
        // Sorting takes the rows once or twice more.
        if bag.rows.len() > (2 * bag.tidied).max(SOME.min(self.budget / 4)) {
            tidy(&mut bag.rows, self.row_len, self.key_len);
            bag.tidied = bag.rows.len();
        }
        if self.bags.values().map(|bag| bag.rows.len()).sum::<usize>() > self.budget / 3 {
            self.spill()?;
        }
        Ok(())
    }

    /// Move the largest bag to disk.
    fn spill(&mut self) -> Result<(), Error> {
        let Some(bag) = self.bags.values_mut().max_by_key(|bag| bag.rows.len()) else { return Ok(()) };
        tidy(&mut bag.rows, self.row_len, self.key_len);
        let path = self.folder.join(format!("spilt-{}", self.files));
        self.files += 1;
        let mut writer = PileWriter::passing(&path, self.row_len)?;
        writer.push(&bag.rows)?;
        writer.finish()?;
        bag.spilt.push(path);
        bag.rows = Vec::new();
        bag.tidied = 0;
        Ok(())
    }

    /// Write every rank to the file that `name` gives it, and be empty again.
    pub fn keep(&mut self, name: impl Fn(u32) -> PathBuf) -> Result<(), Error> {
        for (rank, mut bag) in std::mem::take(&mut self.bags) {
            tidy(&mut bag.rows, self.row_len, self.key_len);
            let mut writer = PileWriter::kept(&name(rank), self.row_len)?;
            if bag.spilt.is_empty() {
                writer.push(&bag.rows)?;
            } else {
                let mut sources = vec![Source::held(bag.rows, self.row_len)];
                for path in &bag.spilt {
                    sources.push(Source::pile(Pile::open(path, self.row_len)?, self.row_len)?);
                }
                merge(sources, self.key_len, |row, _| writer.push(row))?;
            }
            writer.keep()?;
            for path in &bag.spilt {
                fs::remove_file(path).map_err(io_error(path))?;
            }
        }
        self.files = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ludex_core::Rng;

    use super::*;

    #[test]
    fn spilt_or_not_it_is_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let mut rng = Rng::new(7);
        let rows: Vec<[u8; 5]> = (0..30_000)
            .map(|_| [0, (rng.next_u64() % 9) as u8, rng.next_u64() as u8, rng.next_u64() as u8 % 7, 1])
            .collect();
        let mut all = rows.concat();
        tidy(&mut all, 5, 4);
        for budget in [3_000, 100_000, 1 << 30] {
            let mut gather = Gather::new(folder.path(), 5, 4, budget);
            for some in rows.chunks(100) {
                gather.push(3, &some.concat()).unwrap();
            }
            gather.keep(|rank| folder.path().join(format!("kept-{rank}"))).unwrap();
            let kept = Pile::open(&folder.path().join("kept-3"), 5).unwrap().all().unwrap();
            assert!(kept == all, "with {budget} bytes");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left over");
        }
    }
}
