//! The codes of a list, on disk: a byte each, or two bits where only the outcome is kept.

use std::path::Path;

use ludex_core::{Code, Error};
use ludex_store::AtomicFile;

use crate::pile::{Pile, PileWriter};

/// Two bits for each code.
pub fn pack(codes: &[u8], out: &mut Vec<u8>) {
    let four =
        |four: &[u8]| four.iter().enumerate().fold(0, |byte, (i, c)| byte | Code(*c).class() << (2 * i));
    out.extend(codes.chunks(4).map(four));
}

/// The codes that were packed.
pub fn unpack(bytes: &[u8], n: usize, out: &mut Vec<u8>) {
    out.extend((0..n).map(|i| Code::of_class(bytes[i / 4] >> (2 * (i % 4)) & 3).0));
}

/// Codes in the making.
pub struct CodesWriter {
    pile: PileWriter<AtomicFile>,
    outcome_only: bool,
    rest: Vec<u8>,
    packed: Vec<u8>,
}

impl CodesWriter {
    /// Begin a file that is kept.
    pub fn kept(path: &Path, outcome_only: bool) -> Result<Self, Error> {
        Ok(Self { pile: PileWriter::kept(path, 1)?, outcome_only, rest: Vec::new(), packed: Vec::new() })
    }

    /// More codes.
    pub fn push(&mut self, codes: &[u8]) -> Result<(), Error> {
        if !self.outcome_only {
            return self.pile.push(codes);
        }
        self.rest.extend(codes);
        let whole = self.rest.len() / 4 * 4;
        self.packed.clear();
        pack(&self.rest[..whole], &mut self.packed);
        self.rest.drain(..whole);
        self.pile.push(&self.packed)
    }

    /// Put the file in its place.
    pub fn keep(mut self) -> Result<(), Error> {
        self.packed.clear();
        pack(&self.rest, &mut self.packed);
        self.pile.push(&self.packed)?;
        self.pile.keep()
    }
}

/// Codes on disk, read from their beginning.
#[derive(Debug)]
pub struct Codes {
    pile: Pile,
    outcome_only: bool,
    buffer: Vec<u8>,
    ready: Vec<u8>,
}

impl Codes {
    /// Open the codes of a list.
    pub fn open(path: &Path, outcome_only: bool) -> Result<Self, Error> {
        Ok(Self { pile: Pile::open(path, 1)?, outcome_only, buffer: Vec::new(), ready: Vec::new() })
    }

    /// The next `n` codes, in place of what is in `out`; fewer only if there are no more.
    pub fn next(&mut self, n: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        while self.ready.len() < n && self.pile.left() > 0 {
            self.pile.next(&mut self.buffer)?;
            if self.outcome_only {
                unpack(&self.buffer, 4 * self.buffer.len(), &mut self.ready);
            } else {
                self.ready.extend(&self.buffer);
            }
        }
        out.clear();
        out.extend(self.ready.drain(..n.min(self.ready.len())));
        Ok(())
    }
}
