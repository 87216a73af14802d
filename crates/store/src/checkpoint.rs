//! What a search remembers, on disk: so that it can go on after it was stopped or killed.
//!
//! ```text
//! LUDEXCP1 | length of the heading, u32 | heading | entries, each of so many u64 | SHA-256 of all before
//! ```
//! All numbers are little-endian. The heading is lines of `key=value`: first what the search is about, which must be the
//! same to the letter when it goes on, then how far it had come.

use std::{
    fs::File,
    io::{self, BufReader, Read, Write},
    path::{Path, PathBuf},
};

use ludex_core::{Error, ErrorCode};
use sha2::{Digest, Sha256};

use crate::{AtomicFile, digested::Digested};

const MAGIC: &[u8; 8] = b"LUDEXCP1";
const DIGEST: u64 = 32;

/// How far a search had come.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Reached {
    /// Positions searched.
    pub nodes: u64,
    /// Seconds spent.
    pub seconds: f64,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// Something else is in the file.
    #[error("{} is no checkpoint", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The checkpoint is of another search.
    #[error("{} is the checkpoint of another search: {found} instead of {wanted}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What the file says.
        found: String,
        /// What was asked.
        wanted: String,
    },
    /// The file was cut or changed.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
}

impl CheckpointError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Io { .. } => "name a file in a folder that can be written",
            Self::Other { .. } => "ask the same question with the same rules, or name another file",
            Self::Foreign { .. } | Self::Damaged { .. } => {
                "name another file, or remove this one to begin anew"
            }
        }
    }
}

impl From<CheckpointError> for Error {
    fn from(error: CheckpointError) -> Self {
        Self::new(ErrorCode::BadCheckpoint, error.to_string(), error.hint())
    }
}

fn io(path: &Path) -> impl Fn(io::Error) -> CheckpointError {
    let path = path.to_owned();
    move |error| CheckpointError::Io { path: path.clone(), error }
}

/// Hands out every entry of a search's memory, one after the other.
type EachEntry<'a> = dyn Fn(&mut dyn FnMut(&[u64])) + 'a;

/// Write the entries that `each` hands out, in place of what was there before.
///
/// # Errors
/// If it cannot be written; the file before is then still there.
pub fn save(path: &Path, about: &str, reached: Reached, each: &EachEntry<'_>) -> Result<(), CheckpointError> {
    let heading = format!("{about}nodes={}\nseconds={:.3}\n", reached.nodes, reached.seconds);
    let write = || -> io::Result<()> {
        let mut file = Digested::new(AtomicFile::create(path)?);
        file.write_all(MAGIC)?;
        file.write_all(&(heading.len() as u32).to_le_bytes())?;
        file.write_all(heading.as_bytes())?;
        let mut written = Ok(());
        let mut bytes = Vec::new();
        each(&mut |entry| {
            bytes.clear();
            bytes.extend(entry.iter().flat_map(|word| word.to_le_bytes()));
            if written.is_ok() {
                written = file.write_all(&bytes);
            }
        });
        written?;
        let digest = file.digest();
        file.write_all(&digest)?;
        file.finish()
    };
    write().map_err(io(path))
}

/// Read a checkpoint of the same search whose entries have so many words, if there is a file. Nothing is handed out
/// unless the whole file is sound.
///
/// # Errors
/// If the file is something else, belongs to another search, or is not what was written.
pub fn load(
    path: &Path,
    about: &str,
    words: usize,
    each: &mut dyn FnMut(&[u64]),
) -> Result<Option<Reached>, CheckpointError> {
    let damaged = |what| CheckpointError::Damaged { path: path.to_owned(), what };
    let mut file = match File::open(path) {
        Ok(file) => BufReader::with_capacity(1 << 16, file),
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(io(path)(e)),
    };
    let len = file.get_ref().metadata().map_err(io(path))?.len();
    let mut start = [0; 12];
    if file.read_exact(&mut start).is_err() || &start[..8] != MAGIC {
        return Err(CheckpointError::Foreign { path: path.to_owned() });
    }
    let [.., a, b, c, d] = start;
    let heading_len = u64::from(u32::from_le_bytes([a, b, c, d]));
    let body =
        len.checked_sub(start.len() as u64 + heading_len + DIGEST).ok_or(damaged("it is cut short"))?;
    check(path, len - DIGEST)?
        .then_some(())
        .ok_or(damaged("its digest is wrong, as if it were cut or changed"))?;

    let mut heading = vec![0; heading_len as usize];
    file.read_exact(&mut heading).map_err(io(path))?;
    let heading = String::from_utf8(heading).map_err(|_| damaged("its heading is no text"))?;
    let differs = about.lines().zip(heading.lines()).find(|(wanted, found)| wanted != found);
    if let Some((wanted, found)) = differs {
        let (wanted, found) = (wanted.to_owned(), found.to_owned());
        return Err(CheckpointError::Other { path: path.to_owned(), found, wanted });
    }
    let number = |key: &str| {
        let value = heading.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        value.and_then(|v| v.parse::<f64>().ok()).ok_or(damaged("its heading is incomplete"))
    };
    let reached = Reached { nodes: number("nodes")? as u64, seconds: number("seconds")? };
    let mut entry = vec![0u64; words];
    let mut bytes = vec![0u8; 8 * words];
    if body % bytes.len() as u64 != 0 {
        return Err(damaged("its entries have another length"));
    }
    for _ in 0..body / bytes.len() as u64 {
        file.read_exact(&mut bytes).map_err(io(path))?;
        for (word, bytes) in entry.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        each(&entry);
    }
    Ok(Some(reached))
}

/// Whether the digest at the end is that of the `len` bytes before it.
fn check(path: &Path, len: u64) -> Result<bool, CheckpointError> {
    let mut file = File::open(path).map_err(io(path))?;
    let mut sha = Sha256::new();
    let (mut left, mut buffer) = (len, vec![0; 1 << 16]);
    while left > 0 {
        let n = left.min(buffer.len() as u64) as usize;
        file.read_exact(&mut buffer[..n]).map_err(io(path))?;
        sha.update(&buffer[..n]);
        left -= n as u64;
    }
    let mut digest = [0; DIGEST as usize];
    file.read_exact(&mut digest).map_err(io(path))?;
    Ok(digest[..] == sha.finalize()[..])
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const ABOUT: &str = "game=heap:21\nwithout=\n";

    fn load_all(path: &Path, about: &str) -> Result<(Reached, Vec<Vec<u64>>), CheckpointError> {
        let mut entries = Vec::new();
        let reached = load(path, about, 2, &mut |entry| entries.push(entry.to_vec()))?;
        Ok((reached.unwrap_or_default(), entries))
    }

    #[test]
    fn what_was_saved_comes_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("search");
        assert!(matches!(load(&path, ABOUT, 2, &mut |_| ()), Ok(None)));
        let entries: Vec<Vec<u64>> = (0..1000).map(|i| vec![i, u64::MAX - i]).collect();
        for reached in [Reached { nodes: 7, seconds: 0.5 }, Reached { nodes: 1 << 40, seconds: 1e6 }] {
            save(&path, ABOUT, reached, &|put| entries.iter().for_each(|e| put(e))).expect("saved");
            assert_eq!(load_all(&path, ABOUT).expect("loaded"), (reached, entries.clone()));
        }
        assert!(!folder.path().join("search.tmp").exists());
    }

    #[test]
    fn nothing_else_is_taken_for_a_checkpoint() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("search");
        save(&path, ABOUT, Reached::default(), &|put| (0..50).for_each(|i| put(&[i, i]))).expect("saved");
        let good = fs::read(&path).expect("read");
        let fault = load_all(&path, "game=heap:22\nwithout=\n").expect_err("another game");
        assert!(matches!(fault, CheckpointError::Other { .. }), "{fault}");
        assert!(fault.to_string().contains("game=heap:21 instead of game=heap:22"), "{fault}");
        for (bytes, what) in [
            (b"Roses are red, and this is no checkpoint.".to_vec(), "is no checkpoint"),
            (good[..10].to_vec(), "is no checkpoint"),
            (good[..40].to_vec(), "cut short"),
            (good[..good.len() - 1].to_vec(), "digest is wrong"),
        ] {
            fs::write(&path, bytes).expect("written");
            let fault = load_all(&path, ABOUT).expect_err(what);
            assert!(fault.to_string().contains(what), "{fault}");
        }
        for at in (0..good.len()).step_by(13) {
            let mut bytes = good.clone();
            bytes[at] ^= 4;
            fs::write(&path, bytes).expect("written");
            assert!(load_all(&path, ABOUT).is_err(), "a changed byte {at}");
        }
    }
}
