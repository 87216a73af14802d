//! Writing a tablebase, tier by tier, so that a killed build can go on.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use super::{
    END, TableError, Tablebase,
    heading::Heading,
    lock::Lock,
    segment::{self, TRAILER},
};
use crate::{AtomicFile, atomic_file::beside, digested::Digested};

/// A tablebase in the making. Its tiers are files in the folder `FILE.part` until it is finished. One process builds a
/// file at a time: the folder is locked, and free again when the process ends, however it ends.
#[derive(Debug)]
pub struct Builder {
    path: PathBuf,
    folder: PathBuf,
    heading: Heading,
    _lock: Lock,
}

/// The folder of an unfinished build of a file, if there is one.
#[must_use]
pub fn unfinished(path: &Path) -> Option<PathBuf> {
    let folder = beside(path, "part");
    folder.is_dir().then_some(folder)
}

impl Builder {
    /// Begin a build, or go on with one that was interrupted.
    ///
    /// # Errors
    /// If the folder cannot be used, holds the build of another table, or another process is building there.
    pub fn open(path: &Path, heading: &Heading) -> Result<Self, TableError> {
        assert!(heading.is_sound(), "no file can have this heading: {heading:?}");
        let folder = beside(path, "part");
        let lock = Lock::take(&folder)
            .map_err(TableError::io(&folder))?
            .ok_or_else(|| TableError::Busy { path: path.to_owned() })?;
        let about = folder.join("heading");
        match fs::read_to_string(&about) {
            Ok(text) if text == heading.write() => {}
            Ok(_) => return Err(TableError::Other { path: folder }),
            Err(_) => {
                AtomicFile::write(&about, heading.write().as_bytes()).map_err(TableError::io(&about))?;
            }
        }
        Ok(Self { path: path.to_owned(), folder, heading: heading.clone(), _lock: lock })
    }

    /// The folder of the unfinished build. What else is put there is removed with it.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn tier_file(&self, tier: usize) -> PathBuf {
        self.folder.join(format!("tier-{tier:05}"))
    }

    /// Whether a tier is done.
    #[must_use]
    pub fn has(&self, tier: usize) -> bool {
        self.tier_file(tier).is_file()
    }

    /// Write a tier: the values one after the other, and their keys in ascending order if the heading has keys.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn put(&self, tier: usize, name: &str, values: &[u8], keys: &[u8]) -> Result<(), TableError> {
        let mut writer = self.tier(tier, name)?;
        writer.push(values, keys)?;
        writer.finish()
    }

    /// Begin a tier that does not fit into memory, to be written piece by piece.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn tier(&self, tier: usize, name: &str) -> Result<TierWriter, TableError> {
        let path = self.tier_file(tier);
        let mut bytes = (name.len() as u32).to_le_bytes().to_vec();
        bytes.extend(name.bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        let begin = || {
            let mut file = AtomicFile::create(&path)?;
            file.write_all(&bytes)?;
            segment::Writer::new(&self.heading, file)
        };
        let segment = begin().map_err(TableError::io(&path))?;
        Ok(TierWriter { path, segment })
    }

    /// The values and keys of a tier that is done, or `None` if it is not, or is damaged: then it has to be made again.
    #[must_use]
    pub fn load(&self, tier: usize) -> Option<(Vec<u8>, Vec<u8>)> {
        let bytes = fs::read(self.tier_file(tier)).ok()?;
        let (_, bytes) = split_name(&bytes)?;
        let trailer: &[u8; TRAILER] = bytes.last_chunk()?;
        let (at, size) = segment::index_place(&self.heading, trailer, bytes.len() as u64).ok()?;
        let index =
            segment::read_index(&self.heading, trailer, &bytes[at as usize..at as usize + size]).ok()?;
        let (mut values, mut keys, mut left) = (Vec::new(), Vec::new(), index.entries as usize);
        for entry in &index.blocks {
            let n = left.min(self.heading.block);
            let packed = &bytes[entry.offset as usize..(entry.offset + u64::from(entry.len)) as usize];
            let block = segment::read_block(&self.heading, entry, packed, n).ok()?;
            values.extend(block.values);
            keys.extend(block.keys);
            left -= n;
        }
        Some((values, keys))
    }

    /// Put tiers 0 to `tiers − 1` together, move the file into place and remove the folder.
    ///
    /// # Errors
    /// If a tier is missing or damaged, or the file cannot be written.
    pub fn finish(self, tiers: usize) -> Result<Tablebase, TableError> {
        let io = |result: io::Result<()>| result.map_err(TableError::io(&self.path));
        let file = AtomicFile::create(&self.path).map_err(TableError::io(&self.path))?;
        let mut out = Digested::new(file);
        io(out.write_all(&self.heading.encode()))?;
        let mut directory = (tiers as u32).to_le_bytes().to_vec();
        for tier in 0..tiers {
            let path = self.tier_file(tier);
            let mut file = File::open(&path).map_err(TableError::io(&path))?;
            let name = read_name(&mut file)
                .ok_or_else(|| TableError::damaged(&path, "its name does not match its checksum"))?;
            let start = 8 + name.len() as u64;
            let len = file.metadata().map_err(TableError::io(&path))?.len() - start;
            let mut trailer = [0; TRAILER];
            let mut last = || {
                file.seek(SeekFrom::End(-(TRAILER as i64)))?;
                file.read_exact(&mut trailer)?;
                file.seek(SeekFrom::Start(start))
            };
            if len < TRAILER as u64 || last().is_err() {
                return Err(TableError::damaged(&path, "no trailer"));
            }
            directory.extend((name.len() as u32).to_le_bytes());
            directory.extend(name);
            directory.extend(out.len().to_le_bytes());
            directory.extend(len.to_le_bytes());
            directory.extend(&trailer[..8]);
            io(io::copy(&mut file, &mut out).map(drop))?;
        }
        let at = out.len();
        io(out.write_all(&directory))?;
        let digest = out.digest();
        io(out.write_all(&at.to_le_bytes()))?;
        io(out.write_all(&(directory.len() as u32).to_le_bytes()))?;
        io(out.write_all(&crc32fast::hash(&directory).to_le_bytes()))?;
        io(out.write_all(&digest))?;
        io(out.write_all(END))?;
        io(out.finish())?;
        fs::remove_dir_all(&self.folder).map_err(TableError::io(&self.folder))?;
        Tablebase::open(&self.path)
    }
}

/// A tier in the making. It is there when it is finished, or not at all.
pub struct TierWriter {
    path: PathBuf,
    segment: segment::Writer<AtomicFile>,
}

impl std::fmt::Debug for TierWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TierWriter({})", self.path.display())
    }
}

impl TierWriter {
    /// More values, and their keys in ascending order if the heading has keys.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn push(&mut self, values: &[u8], keys: &[u8]) -> Result<(), TableError> {
        self.segment.push(values, keys).map_err(TableError::io(&self.path))
    }

    /// Put the tier in its place.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<(), TableError> {
        self.segment.finish().and_then(AtomicFile::finish).map_err(TableError::io(&self.path))
    }
}

/// The name at the beginning of a tier's file, after which the segment follows.
fn read_name(file: &mut File) -> Option<Vec<u8>> {
    let mut len = [0; 4];
    file.read_exact(&mut len).ok()?;
    let size = u32::from_le_bytes(len) as usize;
    let mut bytes = vec![0; size.min(1 << 16) + 4];
    file.read_exact(&mut bytes).ok()?;
    let (name, crc) = bytes.split_last_chunk::<4>()?;
    let whole = [&len, name].concat();
    (name.len() == size && crc32fast::hash(&whole) == u32::from_le_bytes(*crc)).then(|| name.to_vec())
}

/// The name and the segment of a tier's file: length of the name u32, name, CRC-32 of both u32, segment.
fn split_name(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = bytes.split_first_chunk::<4>()?;
    let (name, rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
    let (crc, segment) = rest.split_first_chunk::<4>()?;
    (crc32fast::hash(&bytes[..4 + name.len()]) == u32::from_le_bytes(*crc)).then_some((name, segment))
}
