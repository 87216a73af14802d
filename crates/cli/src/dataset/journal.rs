//! The rows of a dataset that is being made: a file that is only appended to, the order on its first line.
//!
//! A line counts when it is whole. After a crash the last one may not be; it is cut off and made again.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs::{File, OpenOptions},
    io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use ludex_core::{Cancel, Error, ErrorCode};
use serde::Deserialize;

use crate::{
    exit::{Failure, failed},
    objects::DatasetOrder,
    progress::Bar,
};

/// How often what was written is forced to the disk: that much work is lost when the power fails.
const SYNC: Duration = Duration::from_secs(5);

/// A file beside another: `FILE.part`.
pub fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.file_name().map(OsString::from).unwrap_or_default();
    name.push(ending);
    file.with_file_name(name)
}

/// Rows that have been made.
pub struct Journal {
    path: PathBuf,
    file: File,
    rows: u64,
    synced: Instant,
}

impl Journal {
    /// The journal of a file, new or begun by the same order.
    pub fn open(out: &Path, order: &DatasetOrder) -> Result<Self, Failure> {
        let path = beside(out, ".part");
        let unopened = |path: &Path| failed(format!("cannot write {}", path.display()));
        let file =
            OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(unopened(&path))?;
        if file.try_lock().is_err() {
            let message = format!("another process is writing {}", path.display());
            return Err(
                Error::new(ErrorCode::CannotWrite, message, "wait for it, or name another file").into()
            );
        }
        let mut journal = Self { path, file, rows: 0, synced: Instant::now() };
        journal.mend(order)?;
        Ok(journal)
    }

    fn failed(&self) -> impl FnOnce(std::io::Error) -> Failure + use<> {
        failed(format!("cannot write {}", self.path.display()))
    }

    /// Cut off what is not whole, and see that the order is the same; begin with it if there is none.
    fn mend(&mut self, order: &DatasetOrder) -> Result<(), Failure> {
        let mut reader = BufReader::new(&self.file);
        reader.seek(SeekFrom::Start(0)).map_err(self.failed())?;
        let (mut line, mut whole) = (Vec::new(), 0);
        let mut begun: Option<DatasetOrder> = None;
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line).map_err(self.failed())?;
            if line.last() != Some(&b'\n') {
                break;
            }
            if begun.is_none() {
                match serde_json::from_slice(&line) {
                    Ok(order) => begun = Some(order),
                    Err(_) => return Err(self.foreign()),
                }
            } else if serde_json::from_slice::<Named>(&line).is_err() {
                break;
            } else {
                self.rows += 1;
            }
            whole += length as u64;
        }
        drop(reader);
        match begun {
            Some(begun) if begun == *order => {}
            Some(begun) => return Err(differs(&self.path, &begun, order)),
            // A first line that is not whole was written by a program that was killed at once; anything else is not ours.
            None if whole == 0 && !self.is_ours()? => return Err(self.foreign()),
            None => {}
        }
        self.file.set_len(whole).map_err(self.failed())?;
        if whole == 0 {
            let mut first = serde_json::to_vec(order).map_err(|e| self.failed()(e.into()))?;
            first.push(b'\n');
            self.file.write_all(&first).map_err(self.failed())?;
        }
        Ok(())
    }

    /// Whether the beginning of a file without a whole line can be that of a journal.
    fn is_ours(&self) -> Result<bool, Failure> {
        let mut reader = BufReader::new(&self.file);
        reader.seek(SeekFrom::Start(0)).map_err(self.failed())?;
        let start = reader.fill_buf().map_err(self.failed())?;
        Ok(start.iter().zip(b"{\"program\":").all(|(a, b)| a == b))
    }

    fn foreign(&self) -> Failure {
        let message = format!("{} is not the beginning of a dataset", self.path.display());
        Error::new(ErrorCode::BadFile, message, "delete it, or name another file").into()
    }

    /// Rows so far.
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// The positions so far, in their order.
    pub fn known(&self) -> Result<Vec<String>, Failure> {
        self.read()?
            .map(|line| Ok(serde_json::from_str::<Named>(&line?).map_err(|_| self.foreign())?.position))
            .collect()
    }

    /// The lines of the rows.
    pub fn read(&self) -> Result<impl Iterator<Item = Result<String, Failure>>, Failure> {
        let file = File::open(&self.path).map_err(self.failed())?;
        let path = self.path.clone();
        let unread = move |e| failed(format!("cannot read {}", path.display()))(e);
        Ok(BufReader::new(file).lines().skip(1).map(move |line| line.map_err(&unread)))
    }

    /// A position that is not the one that should be there.
    pub fn strange(&self, number: usize, position: &str, wanted: &str) -> Failure {
        let message = format!(
            "row {} of {} is of the position {position} and not of {wanted}",
            number + 1,
            self.path.display()
        );
        Error::new(ErrorCode::Damaged, message, "delete it and begin again").into()
    }

    pub fn append(&mut self, line: &str) -> Result<(), Failure> {
        self.file.write_all(line.as_bytes()).map_err(self.failed())?;
        self.rows += 1;
        if self.synced.elapsed() > SYNC {
            self.sync()?;
        }
        Ok(())
    }

    /// Force it to the disk.
    pub fn sync(&mut self) -> Result<(), Failure> {
        self.file.sync_data().map_err(self.failed())?;
        self.synced = Instant::now();
        Ok(())
    }

    /// It has become a dataset.
    pub fn remove(self) -> Result<(), Failure> {
        std::fs::remove_file(&self.path).map_err(self.failed())
    }
}

/// What is read of a row where only its place matters.
#[derive(Deserialize)]
struct Named {
    position: String,
}

/// An order that is not the one a file was begun with.
pub fn differs(path: &Path, begun: &DatasetOrder, order: &DatasetOrder) -> Failure {
    let fields = |order| match serde_json::to_value(order) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let (begun, order) = (fields(begun), fields(order));
    let different: Vec<String> = begun
        .iter()
        .filter(|(name, value)| order.get(*name) != Some(value))
        .map(|(name, value)| {
            format!("{name} {value} there, {} here", order.get(name).unwrap_or(&serde_json::Value::Null))
        })
        .collect();
    let message = format!("{} is of another command: {}", path.display(), different.join("; "));
    Error::new(ErrorCode::BadFile, message, "repeat that command, name another file, or delete this one")
        .into()
}

/// Rows that come in any order and are written down in theirs.
pub struct Labels<'a>(Mutex<Inner<'a>>);

struct Inner<'a> {
    journal: &'a mut Journal,
    bar: &'a Bar,
    /// The place of the next row to be written.
    next: usize,
    waiting: BTreeMap<usize, String>,
    fault: Option<Failure>,
}

impl<'a> Labels<'a> {
    /// For the rows that come next.
    pub const fn new(journal: &'a mut Journal, bar: &'a Bar) -> Self {
        Self(Mutex::new(Inner { journal, bar, next: 0, waiting: BTreeMap::new(), fault: None }))
    }

    /// A row by its place, or what went wrong, which ends everything; nothing if it was called off.
    pub fn take(&self, place: usize, line: Result<Option<String>, Error>, cancel: &Cancel) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let inner = &mut *inner;
        match line {
            Ok(Some(line)) => drop(inner.waiting.insert(place, line)),
            Ok(None) => {}
            Err(error) => inner.fault = Some(error.into()),
        }
        while inner.fault.is_none() {
            let Some(line) = inner.waiting.remove(&inner.next) else { break };
            inner.fault = inner.journal.append(&line).err();
            inner.next += 1;
            inner.bar.at(inner.journal.rows());
        }
        if inner.fault.is_some() {
            cancel.cancel();
        }
    }

    /// What went wrong, if something did.
    pub fn finish(self) -> Result<(), Failure> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).fault.map_or(Ok(()), Err)
    }
}
