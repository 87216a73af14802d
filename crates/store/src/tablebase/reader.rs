//! Reading a tablebase: blocks are fetched and unpacked when they are asked for, and the latest stay at hand.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use ludex_core::hex;
use sha2::{Digest, Sha256};

use super::{
    END, TableError,
    heading::{Heading, MOST_BLOCK_BYTES, START},
    segment::{self, Block, Index, TRAILER, u64_at},
};

/// How many unpacked blocks are kept, and how many bytes of them.
const KEPT: (usize, usize) = (64, MOST_BLOCK_BYTES);
/// The end of a file: directory offset u64, length u32, CRC-32 u32, SHA-256, mark.
const TAIL: usize = 8 + 4 + 4 + 32 + 8;

/// A block with its tier and number.
type KeptBlock = ((usize, usize), Arc<Block>);

/// A tier in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierEntry {
    /// What its positions have in common.
    pub name: String,
    /// How many values it has.
    pub entries: u64,
    offset: u64,
    len: u64,
}

/// Where the bytes are.
#[derive(Debug)]
enum Source {
    File(Mutex<File>),
    Program(&'static [u8]),
}

impl Source {
    fn fetch(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        match self {
            Self::File(file) => {
                let mut bytes = vec![0; len];
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(offset))?;
                file.read_exact(&mut bytes)?;
                Ok(bytes)
            }
            Self::Program(all) => all
                .get(offset as usize..)
                .and_then(|rest| rest.get(..len))
                .map(<[u8]>::to_vec)
                .ok_or_else(|| io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// An open tablebase file.
#[derive(Debug)]
pub struct Tablebase {
    path: PathBuf,
    heading: Heading,
    tiers: Vec<TierEntry>,
    indexes: Vec<Index>,
    digest: String,
    bytes: u64,
    source: Source,
    kept: Mutex<Vec<KeptBlock>>,
}

impl Tablebase {
    /// Open a file and read its heading and indexes.
    ///
    /// # Errors
    /// If it cannot be read or is no whole tablebase.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        let file = File::open(path).map_err(TableError::io(path))?;
        let bytes = file.metadata().map_err(TableError::io(path))?.len();
        Self::over(path, bytes, Source::File(Mutex::new(file)))
    }

    /// A file that is part of the program, and what it is called in errors.
    ///
    /// # Errors
    /// If it is no whole tablebase.
    pub fn within(name: &str, bytes: &'static [u8]) -> Result<Self, TableError> {
        Self::over(Path::new(name), bytes.len() as u64, Source::Program(bytes))
    }

    fn over(path: &Path, bytes: u64, source: Source) -> Result<Self, TableError> {
        let bad = |what: &str| TableError::damaged(path, what);
        let fetch = |offset, len| source.fetch(offset, len).map_err(TableError::io(path));
        if bytes < (TAIL + START) as u64 {
            return Err(bad("too short for a tablebase"));
        }
        let heading = Heading::decode(path, bytes - TAIL as u64, fetch)?;
        let tail = fetch(bytes - TAIL as u64, TAIL)?;
        let at = u64_at(&tail, 0);
        let len = u32::from_le_bytes([tail[8], tail[9], tail[10], tail[11]]);
        let crc = u32::from_le_bytes([tail[12], tail[13], tail[14], tail[15]]);
        if &tail[48..] != END || at.checked_add(u64::from(len) + TAIL as u64) != Some(bytes) {
            return Err(bad("cut short: its end is missing"));
        }
        let directory = fetch(at, len as usize)?;
        if crc32fast::hash(&directory) != crc {
            return Err(bad("its directory does not match its checksum"));
        }
        let tiers = read_directory(&directory, at).ok_or_else(|| bad("its directory cannot be read"))?;
        let mut indexes = Vec::new();
        for tier in &tiers {
            let end = tier.offset + tier.len;
            let trailer = fetch(end - TRAILER as u64, TRAILER)?;
            let trailer: [u8; TRAILER] = std::array::from_fn(|i| trailer[i]);
            let (at, size) = segment::index_place(&heading, &trailer, tier.len).map_err(|e| bad(&e))?;
            let index = fetch(tier.offset + at, size)?;
            let index = segment::read_index(&heading, &trailer, &index).map_err(|e| bad(&e))?;
            if index.entries != tier.entries {
                return Err(bad("its directory contradicts a segment"));
            }
            indexes.push(index);
        }
        Ok(Self {
            path: path.to_owned(),
            heading,
            tiers,
            indexes,
            digest: hex(&tail[16..48]),
            bytes,
            source,
            kept: Mutex::default(),
        })
    }

    /// The file, or what it is called.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it is about.
    #[must_use]
    pub fn heading(&self) -> &Heading {
        &self.heading
    }

    /// Its tiers.
    #[must_use]
    pub fn tiers(&self) -> &[TierEntry] {
        &self.tiers
    }

    /// The SHA-256 of its content, as it was written.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The length of the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// All values together.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.tiers.iter().map(|t| t.entries).sum()
    }

    fn block(&self, tier: usize, number: usize) -> Result<Arc<Block>, TableError> {
        let lock = |e| PoisonError::into_inner(e);
        {
            let mut kept = self.kept.lock().unwrap_or_else(lock);
            if let Some(i) = kept.iter().position(|(name, _)| *name == (tier, number)) {
                let found = kept.remove(i);
                let block = Arc::clone(&found.1);
                kept.push(found);
                return Ok(block);
            }
        }
        let block = Arc::new(self.fetch_block(tier, number)?);
        let mut kept = self.kept.lock().unwrap_or_else(lock);
        kept.push(((tier, number), Arc::clone(&block)));
        let mut bytes: usize = kept.iter().map(|(_, block)| block.bytes()).sum();
        while kept.len() > KEPT.0 || bytes > KEPT.1 && kept.len() > 1 {
            bytes -= kept.remove(0).1.bytes();
        }
        Ok(block)
    }

    fn fetch_block(&self, tier: usize, number: usize) -> Result<Block, TableError> {
        let index = &self.indexes[tier];
        let entry = &index.blocks[number];
        let offset = self.tiers[tier].offset + entry.offset;
        let packed = self.source.fetch(offset, entry.len as usize).map_err(TableError::io(&self.path))?;
        let n = (index.entries as usize - number * self.heading.block).min(self.heading.block);
        segment::read_block(&self.heading, entry, &packed, n).map_err(|e| {
            TableError::damaged(
                &self.path,
                format!("tier {tier} ({}), block {number}: {e}", self.tiers[tier].name),
            )
        })
    }

    /// The value at a place, as a number.
    ///
    /// # Errors
    /// If there is no such place or the file is damaged there.
    pub fn value(&self, tier: usize, index: u64) -> Result<u64, TableError> {
        if self.tiers.get(tier).is_none_or(|t| index >= t.entries) {
            return Err(TableError::damaged(&self.path, format!("it has no number {index} in tier {tier}")));
        }
        let block = self.block(tier, (index / self.heading.block as u64) as usize)?;
        Ok(self.value_in(&block, (index % self.heading.block as u64) as usize))
    }

    fn value_in(&self, block: &Block, i: usize) -> u64 {
        let width = self.heading.width();
        block.values[i * width..(i + 1) * width]
            .iter()
            .rev()
            .fold(0, |value, &byte| value << 8 | u64::from(byte))
    }

    /// The value of a key in a tier, if it is there.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn find(&self, tier: usize, key: &[u8]) -> Result<Option<u64>, TableError> {
        let size = self.heading.key_bytes;
        if size == 0 || key.len() != size || tier >= self.tiers.len() {
            return Ok(None);
        }
        let after = self.indexes[tier].blocks.partition_point(|b| b.first_key.as_slice() <= key);
        let Some(number) = after.checked_sub(1) else { return Ok(None) };
        let block = self.block(tier, number)?;
        let n = block.keys.len() / size;
        let (mut low, mut high) = (0, n);
        while low < high {
            let mid = usize::midpoint(low, high);
            if &block.keys[mid * size..(mid + 1) * size] < key { low = mid + 1 } else { high = mid }
        }
        Ok((low < n && &block.keys[low * size..(low + 1) * size] == key).then(|| self.value_in(&block, low)))
    }

    /// Go through a tier: call `f` with the number, the key (empty if there are none) and the value of every entry.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn each(&self, tier: usize, mut f: impl FnMut(u64, &[u8], u64)) -> Result<(), TableError> {
        let size = self.heading.key_bytes;
        for number in 0..self.indexes[tier].blocks.len() {
            let block = self.fetch_block(tier, number)?;
            let first = (number * self.heading.block) as u64;
            for i in 0..block.values.len() / self.heading.width() {
                f(first + i as u64, &block.keys[i * size..(i + 1) * size], self.value_in(&block, i));
            }
        }
        Ok(())
    }

    /// All values of a tier, one after the other.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn load(&self, tier: usize) -> Result<Vec<u8>, TableError> {
        // Not all at once: how many there are is what the file says, and the blocks are what it has.
        let said = self.tiers[tier].entries.saturating_mul(self.heading.width() as u64);
        let mut values = Vec::with_capacity(said.min(MOST_BLOCK_BYTES as u64) as usize);
        for number in 0..self.indexes[tier].blocks.len() {
            values.extend(self.fetch_block(tier, number)?.values);
        }
        Ok(values)
    }

    /// Check every block against its checksum and the whole file against its digest.
    ///
    /// # Errors
    /// If anything does not match.
    pub fn check(&self) -> Result<(), TableError> {
        for tier in 0..self.tiers.len() {
            for number in 0..self.indexes[tier].blocks.len() {
                self.fetch_block(tier, number)?;
            }
        }
        let (mut sha, mut at, end) = (Sha256::new(), 0, self.bytes - TAIL as u64);
        while at < end {
            let n = (end - at).min(1 << 16);
            sha.update(&self.source.fetch(at, n as usize).map_err(TableError::io(&self.path))?);
            at += n;
        }
        if hex(&sha.finalize()) == self.digest {
            Ok(())
        } else {
            Err(TableError::damaged(&self.path, "its content does not match its digest"))
        }
    }
}

fn read_directory(mut bytes: &[u8], end: u64) -> Option<Vec<TierEntry>> {
    let mut take = |n: usize| {
        let (head, rest) = bytes.split_at_checked(n)?;
        bytes = rest;
        Some(head)
    };
    let count = u32::from_le_bytes(take(4)?.try_into().ok()?);
    let mut tiers = Vec::new();
    for _ in 0..count {
        let len = u32::from_le_bytes(take(4)?.try_into().ok()?);
        let name = String::from_utf8(take(len as usize)?.to_vec()).ok()?;
        let fixed = take(24)?;
        let entry =
            TierEntry { name, offset: u64_at(fixed, 0), len: u64_at(fixed, 8), entries: u64_at(fixed, 16) };
        if entry.offset.checked_add(entry.len)? > end || entry.len < TRAILER as u64 {
            return None;
        }
        tiers.push(entry);
    }
    Some(tiers)
}
