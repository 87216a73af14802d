//! Files that are there whole or not at all, also after a crash.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use crate::sha256::Sha256;

/// A path with one more extension.
pub(crate) fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// A file in the making, beside the one it will replace. It counts and digests what is written.
pub(crate) struct Whole {
    path: PathBuf,
    temporary: PathBuf,
    file: BufWriter<File>,
    len: u64,
    sha: Sha256,
}

impl Whole {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let temporary = beside(path, "tmp");
        let file = BufWriter::with_capacity(1 << 16, File::create(&temporary)?);
        Ok(Self { path: path.to_owned(), temporary, file, len: 0, sha: Sha256::default() })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.sha.update(bytes);
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// Bytes so far.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The SHA-256 of what was written so far.
    pub(crate) fn digest(&self) -> [u8; 32] {
        self.sha.clone().finish()
    }

    /// Move it into place.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&self.temporary, &self.path)
    }
}
