//! Writing with a digest: what is written is counted and hashed on the way.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

use crate::AtomicFile;

/// An [`AtomicFile`] that knows the length and the SHA-256 of what was written so far.
#[derive(Debug)]
pub(crate) struct Digested {
    file: AtomicFile,
    sha: Sha256,
    len: u64,
}

impl Digested {
    pub(crate) fn new(file: AtomicFile) -> Self {
        Self { file, sha: Sha256::new(), len: 0 }
    }

    /// Bytes so far.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The SHA-256 of what was written so far.
    pub(crate) fn digest(&self) -> [u8; 32] {
        self.sha.clone().finalize().into()
    }

    /// Put the file in its place.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.file.finish()
    }
}

impl Write for Digested {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.file.write(bytes)?;
        self.sha.update(&bytes[..n]);
        self.len += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
