//! Files that are there whole or not at all, also after a crash.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// A path with one more extension.
pub(crate) fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// A file in the making, beside the one it will replace: `FILE.tmp` until [`AtomicFile::finish`] puts it in the place
/// of `FILE`. Whoever reads `FILE` finds the old content or all of the new, never a part of it.
///
/// Dropped before it is finished, it leaves `FILE` as it was and removes what it wrote. Writes are buffered. Two
/// writers of the same file at the same time disturb each other.
///
/// ```
/// use std::{fs, io::Write};
///
/// use ludex_store::AtomicFile;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("records.txt");
/// let mut file = AtomicFile::create(&path)?;
/// writeln!(file, "one")?;
/// assert!(!path.exists(), "not yet");
/// file.finish()?;
/// assert_eq!(fs::read_to_string(&path)?, "one\n");
///
/// let mut file = AtomicFile::create(&path)?;
/// writeln!(file, "two")?;
/// drop(file); // an error on the way, or nothing worth keeping
/// assert_eq!(fs::read_to_string(&path)?, "one\n");
/// assert_eq!(fs::read_dir(folder.path())?.count(), 1, "nothing is left over");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    temporary: PathBuf,
    file: BufWriter<Disk>,
    finished: bool,
}

/// The file itself. Everything that reaches the disk goes through here, so that tests can make any step fail or be the
/// process's last.
#[derive(Debug)]
struct Disk(File);

impl Disk {
    fn create(path: &Path) -> io::Result<Self> {
        step()?;
        File::create(path).map(Self)
    }

    fn sync(&self) -> io::Result<()> {
        step()?;
        self.0.sync_all()
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        #[cfg(test)]
        crate::fail_points::before_write(&mut self.0, bytes)?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn rename(from: &Path, to: &Path) -> io::Result<()> {
    step()?;
    fs::rename(from, to)
}

/// Between two steps. Only tests have something to do here.
fn step() -> io::Result<()> {
    #[cfg(test)]
    crate::fail_points::step()?;
    Ok(())
}

impl AtomicFile {
    /// Begin a file. Nothing is at `path` yet, or still what was there before.
    ///
    /// # Errors
    /// If the folder does not exist or cannot be written to.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref().to_owned();
        let temporary = beside(&path, "tmp");
        let file = BufWriter::with_capacity(1 << 16, Disk::create(&temporary)?);
        Ok(Self { path, temporary, file, finished: false })
    }

    /// A whole file in one call.
    ///
    /// # Errors
    /// If it cannot be written; what was there before is then still there.
    pub fn write(path: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
        let mut file = Self::create(path)?;
        file.write_all(bytes)?;
        file.finish()
    }

    /// Put it in its place, with everything on the disk before the name points to it.
    ///
    /// # Errors
    /// If it cannot be written; what was there before is then still there.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync()?;
        rename(&self.temporary, &self.path)?;
        self.finished = true;
        sync_folder(&self.path);
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.finished {
            // Nobody is left to tell if this fails; the next writer overwrites it.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Make the new name last through a power cut. Some file systems cannot do this to a folder; the file is whole either
/// way, so that is no error.
fn sync_folder(path: &Path) {
    #[cfg(unix)]
    {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
    }
    #[cfg(not(unix))]
    let _ = path;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_fails_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("place");
        // A folder cannot be replaced by a file, so the last step fails.
        fs::create_dir(&path).unwrap();
        assert!(AtomicFile::write(&path, b"new").is_err());
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|f| f.unwrap().path()).collect();
        assert_eq!(left, [path]);
        assert!(AtomicFile::create(folder.path().join("missing/file")).is_err());
    }

    #[test]
    fn a_leftover_of_a_killed_writer_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("place");
        fs::write(beside(&path, "tmp"), "much more than what is written now").unwrap();
        AtomicFile::write(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(!beside(&path, "tmp").exists());
    }
}
