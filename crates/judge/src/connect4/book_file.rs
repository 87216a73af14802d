//! Books on disk: built bit by bit, so that a building that is stopped goes on where it was.
//!
//! While `FILE` is being built, `FILE.part` holds a line `KEY SCORE` for every position that is done.

use std::{
    any::Any,
    collections::HashMap,
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use ludex_core::{Cancel, Game, InputError, Playable, Probe, Stop};
use ludex_games::{
    connect4::{Connect4, Shape, Sized, Standard},
    registry::{self, Visitor},
};

use super::{
    book::{Book, BookError},
    build::{Building, build},
    memory::Packed,
};

/// Why there is no book.
#[derive(Debug, thiserror::Error)]
pub enum BookFault {
    /// What was asked for cannot be.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file could not be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// A file is not a whole book.
    #[error(transparent)]
    Book(#[from] BookError),
}

/// What a building is to do.
pub struct BookJob<'a> {
    /// The game.
    pub spec: &'a str,
    /// Plies to cover.
    pub plies: u32,
    /// The file to write.
    pub file: &'a Path,
    /// Bytes for the table.
    pub memory: u64,
    /// Threads, each on a position of its own.
    pub threads: usize,
    /// Raised to stop.
    pub cancel: &'a Cancel,
    /// Told how many positions are done, and of how many.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

/// Stops when cancelled.
struct Until<'a>(&'a Cancel);

impl Probe for Until<'_> {
    fn check(&self, _: u64) -> Option<Stop> {
        self.0.is_cancelled().then_some(Stop::Cancelled)
    }
}

/// Build a book, or go on with it; `None` if it was cancelled first.
///
/// # Errors
/// If the game is none whose books can be built, or a file fails.
pub fn build_file(job: &BookJob<'_>) -> Result<Option<Book>, BookFault> {
    struct Build<'a>(&'a BookJob<'a>);
    impl Visitor for Build<'_> {
        type Output = Result<Option<Book>, BookFault>;
        fn visit<G: Playable>(self, game: G) -> Self::Output {
            let any: &dyn Any = &game;
            if let Some(game) = any.downcast_ref::<Connect4<Standard>>() {
                build_on(game, self.0)
            } else if let Some(game) = any.downcast_ref::<Connect4<Sized<u64>>>() {
                build_on(game, self.0)
            } else {
                let what = format!("'{}' has no opening book", self.0.spec);
                Err(InputError::spec(what, "connect4 or connect4:WxH with W·(H+1) at most 64").into())
            }
        }
    }
    registry::visit(&job.spec.parse()?, Build(job))?
}

fn build_on<S: Shape<Word = u64>>(game: &Connect4<S>, job: &BookJob<'_>) -> Result<Option<Book>, BookFault> {
    let memory = Packed::new(job.memory, game.key_bits()).ok_or_else(|| {
        InputError::new("bad_memory", format!("{} bytes are too few", job.memory), "give 64MiB or more")
    })?;
    let part = PathBuf::from(format!("{}.part", job.file.display()));
    let known = read_part(&part)?;
    let fault = |e| BookFault::File(part.clone(), e);
    let file = fs::OpenOptions::new().append(true).create(true).open(&part).map_err(fault)?;
    let (file, failed) = (Mutex::new(file), Mutex::new(None));
    let found = |key: u64, score: i8, done: usize, of: usize| {
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(e) = writeln!(file, "{key} {score}") {
            *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(e);
        }
        (job.progress)(done, of);
    };
    let building =
        Building { known, memory: &memory, threads: job.threads, probe: &Until(job.cancel), found: &found };
    let book = build(game, job.plies, building);
    if let Some(e) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(BookFault::File(part, e));
    }
    let Some(book) = book else { return Ok(None) };
    let new = PathBuf::from(format!("{}.new", job.file.display()));
    fs::write(&new, book.to_bytes()).map_err(|e| BookFault::File(new.clone(), e))?;
    fs::rename(&new, job.file).map_err(|e| BookFault::File(job.file.into(), e))?;
    let _ = fs::remove_file(&part);
    Ok(Some(book))
}

/// The lines that were written whole.
fn read_part(part: &Path) -> Result<HashMap<u64, i8>, BookFault> {
    match fs::read_to_string(part) {
        Ok(text) => Ok(text
            .split_inclusive('\n')
            .filter_map(|line| line.strip_suffix('\n')?.split_once(' '))
            .filter_map(|(key, score)| Some((key.parse().ok()?, score.parse().ok()?)))
            .collect()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(HashMap::new()),
        Err(e) => Err(BookFault::File(part.into(), e)),
    }
}

/// Read a book.
///
/// # Errors
/// If there is no such file, or it is not a whole book.
pub fn read_file(file: &Path) -> Result<Book, BookFault> {
    let bytes = fs::read(file).map_err(|e| BookFault::File(file.into(), e))?;
    Ok(Book::from_bytes(&bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_building_that_was_stopped_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("small.book");
        let cancel = Cancel::new();
        let job = |progress, cancel| BookJob {
            spec: "connect4:5x4",
            plies: 3,
            file: &file,
            memory: 1 << 22,
            threads: 1,
            cancel,
            progress,
        };
        let stop_soon = |done, _| {
            if done >= 5 {
                cancel.cancel();
            }
        };
        // Whether the flag is seen in time is up to the searches; what was found is kept either way.
        let first = build_file(&job(&stop_soon, &cancel)).expect("no fault");
        let fresh = Cancel::new();
        let book = build_file(&job(&|_, _| (), &fresh)).expect("no fault").or(first).expect("built");
        assert_eq!(read_file(&file).expect("a book"), book);
        assert_eq!((book.spec(), book.plies()), ("connect4:5x4", 3));
        assert!(matches!(read_file(&folder.path().join("none")), Err(BookFault::File(..))));
    }
}
