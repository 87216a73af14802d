//! Files of rows, in blocks under checksums.
//!
//! ```text
//! blocks       8,192 rows each, the last one fewer, each followed by its CRC-32
//! trailer      "LXPILE01", bytes of a row u32, number of rows u64, CRC-32 of these 20 bytes
//! ```
//! All numbers are little-endian. A file that is kept is written under a temporary name, synced and renamed.

use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use ludex_core::{Error, ErrorCode};
use ludex_store::AtomicFile;

/// Rows in a block.
pub const BLOCK: usize = 1 << 13;
const MARK: &[u8; 8] = b"LXPILE01";
const TRAILER: usize = 24;

/// An error of the file system.
pub fn io_error(path: &Path) -> impl Fn(io::Error) -> Error {
    let path = path.to_owned();
    move |error| {
        Error::new(
            ErrorCode::TableIo,
            format!("{}: {error}", path.display()),
            "name a file in a folder that exists and has room",
        )
    }
}

fn damaged(path: &Path, what: &str) -> Error {
    Error::new(
        ErrorCode::TableDamaged,
        format!("{}: {what}", path.display()),
        "remove the folder it is in, in every process, and build the table again",
    )
}

/// A file of rows in the making.
pub struct PileWriter<W: Write> {
    path: PathBuf,
    out: W,
    row_len: usize,
    count: u64,
    block: Vec<u8>,
}

impl PileWriter<AtomicFile> {
    /// Begin a file that is kept: it is there whole or not at all.
    pub fn kept(path: &Path, row_len: usize) -> Result<Self, Error> {
        Ok(Self::new(path, AtomicFile::create(path).map_err(io_error(path))?, row_len))
    }

    /// Put it in its place.
    pub fn keep(self) -> Result<(), Error> {
        let path = self.path.clone();
        self.finish()?.finish().map_err(io_error(&path))
    }
}

impl PileWriter<BufWriter<File>> {
    /// Begin a file that this run only needs for a while.
    pub fn passing(path: &Path, row_len: usize) -> Result<Self, Error> {
        Ok(Self::new(path, BufWriter::new(File::create(path).map_err(io_error(path))?), row_len))
    }
}

impl<W: Write> PileWriter<W> {
    fn new(path: &Path, out: W, row_len: usize) -> Self {
        Self { path: path.to_owned(), out, row_len, count: 0, block: Vec::new() }
    }

    /// More rows.
    pub fn push(&mut self, mut rows: &[u8]) -> Result<(), Error> {
        let full = BLOCK * self.row_len;
        while !rows.is_empty() {
            let (now, later) = rows.split_at(rows.len().min(full - self.block.len()));
            self.block.extend(now);
            rows = later;
            if self.block.len() == full {
                self.flush().map_err(io_error(&self.path))?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.block)?;
        self.out.write_all(&crc32fast::hash(&self.block).to_le_bytes())?;
        self.count += (self.block.len() / self.row_len) as u64;
        self.block.clear();
        Ok(())
    }

    /// The last block and the trailer.
    pub fn finish(mut self) -> Result<W, Error> {
        let path = self.path.clone();
        let mut end = || {
            if !self.block.is_empty() {
                self.flush()?;
            }
            let mut trailer = MARK.to_vec();
            trailer.extend((self.row_len as u32).to_le_bytes());
            trailer.extend(self.count.to_le_bytes());
            trailer.extend(crc32fast::hash(&trailer).to_le_bytes());
            self.out.write_all(&trailer)?;
            self.out.flush()
        };
        end().map_err(io_error(&path))?;
        Ok(self.out)
    }
}

/// A file of rows, read block by block.
#[derive(Debug)]
pub struct Pile {
    path: PathBuf,
    file: BufReader<File>,
    row_len: usize,
    count: u64,
    left: u64,
}

impl Pile {
    /// Open a file of rows of this length.
    pub fn open(path: &Path, row_len: usize) -> Result<Self, Error> {
        let io = io_error(path);
        let mut file = File::open(path).map_err(&io)?;
        let len = file.metadata().map_err(&io)?.len();
        let mut trailer = [0; TRAILER];
        if len < TRAILER as u64 {
            return Err(damaged(path, "it is too short"));
        }
        file.seek(SeekFrom::End(-(TRAILER as i64))).map_err(&io)?;
        file.read_exact(&mut trailer).map_err(&io)?;
        file.seek(SeekFrom::Start(0)).map_err(&io)?;
        let (said, crc) = trailer.split_at(20);
        let count = u64::from_le_bytes(std::array::from_fn(|i| said[12 + i]));
        let blocks = count.div_ceil(BLOCK as u64);
        let sound = crc == crc32fast::hash(said).to_le_bytes()
            && &said[..8] == MARK
            && said[8..12] == (row_len as u32).to_le_bytes()
            && count.checked_mul(row_len as u64).and_then(|n| n.checked_add(4 * blocks + TRAILER as u64))
                == Some(len);
        if !sound {
            return Err(damaged(path, "its trailer does not fit it"));
        }
        Ok(Self {
            path: path.to_owned(),
            file: BufReader::with_capacity(1 << 17, file),
            row_len,
            count,
            left: count,
        })
    }

    /// How many rows there are.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// How many rows have not been read yet.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Read the next block into `rows`, in place of what was there; nothing at the end.
    pub fn next(&mut self, rows: &mut Vec<u8>) -> Result<(), Error> {
        let n = self.left.min(BLOCK as u64) as usize;
        self.left -= n as u64;
        rows.resize(n * self.row_len, 0);
        if n > 0 {
            let mut crc = [0; 4];
            self.file.read_exact(rows).map_err(io_error(&self.path))?;
            self.file.read_exact(&mut crc).map_err(io_error(&self.path))?;
            if crc != crc32fast::hash(rows).to_le_bytes() {
                return Err(damaged(&self.path, "a block does not match its checksum"));
            }
        }
        Ok(())
    }

    /// All rows that are left.
    #[cfg(test)]
    pub fn all(mut self) -> Result<Vec<u8>, Error> {
        let (mut all, mut rows) = (Vec::with_capacity(self.left as usize * self.row_len), Vec::new());
        while self.left > 0 {
            self.next(&mut rows)?;
            all.extend(&rows);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_damage_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pile");
        let rows: Vec<u8> = (0..3 * (2 * BLOCK + 17)).map(|i| (i % 251) as u8).collect();
        let mut writer = PileWriter::kept(&path, 3).unwrap();
        rows.chunks(1000).for_each(|part| writer.push(part).unwrap());
        writer.keep().unwrap();
        let pile = Pile::open(&path, 3).unwrap();
        assert_eq!(pile.len(), 2 * BLOCK as u64 + 17);
        assert!(pile.all().unwrap() == rows);
        assert_eq!(Pile::open(&path, 4).unwrap_err().code, ErrorCode::TableDamaged);
        let sound = std::fs::read(&path).unwrap();
        for at in [0, sound.len() / 2, sound.len() - 30, sound.len() - 10, sound.len() - 1] {
            let mut bytes = sound.clone();
            bytes[at] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            let read = Pile::open(&path, 3).and_then(Pile::all);
            assert_eq!(read.unwrap_err().code, ErrorCode::TableDamaged, "byte {at}");
        }
        std::fs::write(&path, &sound[..sound.len() - 5]).unwrap();
        assert!(Pile::open(&path, 3).is_err());
    }
}
