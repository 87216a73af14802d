//! Records and index entries as bytes, and which layout a file has.

use std::{
    fs::File,
    io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use super::{RecordError, Sets};

/// A solved position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The key of its shift with X on the first cell.
    pub key: u64,
    /// 0 if X is to move, 1 if O is.
    pub turn: u8,
    /// 1 if the side to move wins.
    pub win: u8,
    /// Sixteen times the cell left plus the cell entered; 255 for none.
    pub best: u8,
    /// Plies to the end.
    pub plies: u16,
}

/// How records are laid out: where the plies are, and the length of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bytes of a record.
    pub size: usize,
    plies_at: usize,
    /// What it is called.
    pub name: &'static str,
}

/// The layouts there are; the first is the usual one.
pub const LAYOUTS: [Layout; 3] = [
    Layout { size: 24, plies_at: 12, name: "24 bytes, aligned" },
    Layout { size: 16, plies_at: 12, name: "16 bytes, aligned" },
    Layout { size: 17, plies_at: 11, name: "17 bytes, packed" },
];

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

impl Layout {
    /// The record in its bytes.
    #[must_use]
    pub fn decode(&self, bytes: &[u8]) -> Record {
        Record {
            key: u64_at(bytes, 0),
            turn: bytes[8],
            win: bytes[9],
            best: bytes[10],
            plies: u16_at(bytes, self.plies_at),
        }
    }

    /// A record's bytes.
    #[must_use]
    pub fn encode(&self, record: &Record) -> Vec<u8> {
        let mut bytes = vec![0; self.size];
        bytes[..8].copy_from_slice(&record.key.to_le_bytes());
        bytes[8..11].copy_from_slice(&[record.turn, record.win, record.best]);
        bytes[self.plies_at..self.plies_at + 2].copy_from_slice(&record.plies.to_le_bytes());
        bytes
    }

    /// Whether bytes look like a record of this layout: flags that are flags, few plies, padding that is empty.
    fn fits(&self, bytes: &[u8]) -> bool {
        let record = self.decode(bytes);
        let padding = bytes[self.plies_at + 2..].iter().chain(&bytes[11..self.plies_at]);
        record.turn < 2 && record.win < 2 && record.plies <= 50 && padding.into_iter().all(|&b| b == 0)
    }
}

/// A stream of the records of a file.
#[derive(Debug)]
pub struct Records {
    path: PathBuf,
    file: BufReader<File>,
    /// The layout that was detected.
    pub layout: Layout,
    /// How many records there are.
    pub count: u64,
    next: u64,
}

/// Records looked at to detect a layout.
const SAMPLE: usize = 512;

impl Records {
    /// Open a file and detect its layout: of those that divide its length, the one whose sample fits best.
    ///
    /// # Errors
    /// If it cannot be read, is cut short or is no record file, with the offset at fault.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let io = |error| RecordError::Io { file: path.display().to_string(), error };
        let foreign = |offset, what| RecordError::Foreign { file: path.display().to_string(), offset, what };
        let mut file = File::open(path).map_err(io)?;
        let bytes = file.metadata().map_err(io)?.len();
        if bytes == 0 {
            return Err(foreign(0, "the file is empty".into()));
        }
        let mut sample = Vec::new();
        file.by_ref().take((SAMPLE * 24) as u64).read_to_end(&mut sample).map_err(io)?;
        let share = |layout: &Layout| {
            let fits = sample.chunks_exact(layout.size).filter(|r| layout.fits(r)).count();
            fits * 1000 / (sample.len() / layout.size).max(1)
        };
        let whole = LAYOUTS.iter().filter(|l| bytes.is_multiple_of(l.size as u64));
        let best = whole.max_by_key(|l| (share(l), std::cmp::Reverse(l.size != 24)));
        let layout = match best {
            Some(&layout) if share(&layout) >= 500 => layout,
            _ => {
                // Not a whole number of records of any layout that fits: cut short, or something else.
                let likely = LAYOUTS.iter().max_by_key(|l| share(l)).copied().unwrap_or(LAYOUTS[0]);
                let size = likely.size as u64;
                return Err(if share(&likely) >= 500 && !bytes.is_multiple_of(size) {
                    foreign(
                        bytes - bytes % size,
                        format!(
                            "the last record ({}) is cut short: {} bytes of {size}",
                            likely.name,
                            bytes % size
                        ),
                    )
                } else {
                    let first =
                        sample.chunks(likely.size).position(|r| r.len() < likely.size || !likely.fits(r));
                    let at = first.unwrap_or(0);
                    let what = match sample.get(at * likely.size..(at + 1) * likely.size) {
                        Some(r) => format!(
                            "turn {} and win {} must be 0 or 1, and {} plies at most 50: no record of 24, 16 or 17 bytes",
                            r[8],
                            r[9],
                            u16_at(r, likely.plies_at)
                        ),
                        None => "too short for a record of 24, 16 or 17 bytes".into(),
                    };
                    foreign((at * likely.size) as u64, what)
                });
            }
        };
        file.seek(SeekFrom::Start(0)).map_err(io)?;
        let count = bytes / layout.size as u64;
        Ok(Self {
            path: path.to_owned(),
            file: BufReader::with_capacity(1 << 16, file),
            layout,
            count,
            next: 0,
        })
    }

    /// Go on at record `n`.
    ///
    /// # Errors
    /// If the file cannot be read there.
    pub fn seek(&mut self, n: u64) -> Result<(), RecordError> {
        self.next = n.min(self.count);
        let offset = self.next * self.layout.size as u64;
        self.file
            .seek(SeekFrom::Start(offset))
            .map_err(|error| RecordError::Io { file: self.path.display().to_string(), error })?;
        Ok(())
    }
}

impl Iterator for Records {
    type Item = Result<(u64, Record), RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.count {
            return None;
        }
        let mut bytes = [0; 24];
        let bytes = &mut bytes[..self.layout.size];
        if let Err(error) = self.file.read_exact(bytes) {
            let file = self.path.display().to_string();
            let offset = self.next * self.layout.size as u64;
            self.next = self.count;
            return Some(Err(match error.kind() {
                ErrorKind::UnexpectedEof => {
                    RecordError::Foreign { file, offset, what: "the file ends within a record".into() }
                }
                _ => RecordError::Io { file, error },
            }));
        }
        self.next += 1;
        Some(Ok((self.next - 1, self.layout.decode(bytes))))
    }
}

/// What the index says of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexEntry {
    /// The key.
    pub key: u64,
    /// The cards and pawns.
    pub sets: Sets,
}

/// How index entries are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexLayout {
    /// Bytes of an entry.
    pub size: usize,
    sets_at: usize,
    /// What it is called.
    pub name: &'static str,
}

/// The layouts there are; the first is the usual one.
pub const INDEX_LAYOUTS: [IndexLayout; 2] = [
    IndexLayout { size: 32, sets_at: 10, name: "32 bytes, aligned" },
    IndexLayout { size: 24, sets_at: 9, name: "24 bytes, packed" },
];

impl IndexLayout {
    /// The entry in its bytes.
    #[must_use]
    pub fn decode(&self, bytes: &[u8]) -> IndexEntry {
        let set = |i: usize| u16_at(bytes, self.sets_at + 2 * i);
        let sets = Sets {
            cards: [set(0), set(1), set(2), set(3)],
            x: set(4),
            o: set(5),
            collapsed: set(6),
            turn: bytes[8],
        };
        IndexEntry { key: u64_at(bytes, 0), sets }
    }

    /// An entry's bytes.
    #[must_use]
    pub fn encode(&self, entry: &IndexEntry) -> Vec<u8> {
        let mut bytes = vec![0; self.size];
        bytes[..8].copy_from_slice(&entry.key.to_le_bytes());
        bytes[8] = entry.sets.turn;
        let s = &entry.sets;
        for (i, set) in s.cards.into_iter().chain([s.x, s.o, s.collapsed]).enumerate() {
            let at = self.sets_at + 2 * i;
            bytes[at..at + 2].copy_from_slice(&set.to_le_bytes());
        }
        bytes
    }
}

/// Go through an index file: call `f` with every entry until it says stop. Returns the layout that was detected.
///
/// # Errors
/// If it cannot be read, is cut short or is no index, with the offset at fault.
pub fn read_index(path: &Path, mut f: impl FnMut(IndexEntry) -> bool) -> Result<IndexLayout, RecordError> {
    let io = |error: io::Error| RecordError::Io { file: path.display().to_string(), error };
    let foreign = |offset, what: &str| RecordError::Foreign {
        file: path.display().to_string(),
        offset,
        what: what.into(),
    };
    let mut file = File::open(path).map_err(io)?;
    let bytes = file.metadata().map_err(io)?.len();
    let mut sample = Vec::new();
    file.by_ref().take(32 * SAMPLE as u64).read_to_end(&mut sample).map_err(io)?;
    let share = |l: &IndexLayout| {
        let good = sample.chunks_exact(l.size).filter(|e| l.decode(e).sets.position().is_ok()).count();
        good * 1000 / (sample.len() / l.size).max(1)
    };
    let layout = INDEX_LAYOUTS
        .into_iter()
        .max_by_key(|l| (share(l), l.size))
        .filter(|l| share(l) >= 500)
        .ok_or_else(|| foreign(0, "no index of 32 or 24 bytes an entry: its cards are no board"))?;
    let size = layout.size as u64;
    if !bytes.is_multiple_of(size) {
        return Err(foreign(bytes - bytes % size, "the last entry is cut short"));
    }
    file.seek(SeekFrom::Start(0)).map_err(io)?;
    let mut file = BufReader::with_capacity(1 << 16, file);
    let mut entry = vec![0; layout.size];
    for _ in 0..bytes / size {
        file.read_exact(&mut entry).map_err(io)?;
        if !f(layout.decode(&entry)) {
            break;
        }
    }
    Ok(layout)
}
