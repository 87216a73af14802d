//! The bytes of a chunk as numbers: zlib outside, LEB128 inside.

use flate2::{Decompress, FlushDecompress, Status};
use ludex_core::hex;
use sha2::{Digest as _, Sha256};

use crate::{Chunk, Fault};

/// The tokens of a chunk, inflated piece by piece.
pub(crate) struct Tokens<'a> {
    packed: &'a [u8],
    inflate: Decompress,
    ended: bool,
    piece: Vec<u8>,
    next: usize,
    digest: Sha256,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(packed: &'a [u8]) -> Self {
        let (inflate, digest) = (Decompress::new(true), Sha256::new());
        Self { packed, inflate, ended: false, piece: Vec::with_capacity(1 << 14), next: 0, digest }
    }

    /// The next byte, if there is one.
    fn byte(&mut self) -> Result<Option<u8>, Fault> {
        while self.next == self.piece.len() {
            if self.ended {
                return Ok(None);
            }
            self.piece.clear();
            self.next = 0;
            let read = self.inflate.total_in();
            let rest = &self.packed[read as usize..];
            let status = self.inflate.decompress_vec(rest, &mut self.piece, FlushDecompress::None);
            let status = status.map_err(|e| Fault::chunk(format!("is no zlib stream: {e}")))?;
            self.ended = status == Status::StreamEnd;
            if !self.ended && self.piece.is_empty() && self.inflate.total_in() == read {
                return Err(Fault::chunk("the zlib stream is cut off"));
            }
            self.digest.update(&self.piece);
        }
        self.next += 1;
        Ok(Some(self.piece[self.next - 1]))
    }

    /// The next token.
    pub(crate) fn token(&mut self) -> Result<u32, Fault> {
        let mut value = 0u64;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?.ok_or_else(|| Fault::chunk("ends in the middle"))?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                if byte == 0 && shift > 0 {
                    break;
                }
                return u32::try_from(value).map_err(|_| Fault::chunk("a number is too large"));
            }
        }
        Err(Fault::chunk("a number is not written as it should be"))
    }

    /// Whether everything has been read, and was what the header says.
    pub(crate) fn finish(&mut self, chunk: &Chunk) -> Result<(), Fault> {
        if self.byte()?.is_some() {
            return Err(Fault::chunk("something follows the end of the proof"));
        }
        if self.inflate.total_in() != self.packed.len() as u64 {
            return Err(Fault::chunk("the zlib stream ends before its bytes do"));
        }
        if self.inflate.total_out() != chunk.inflated {
            return Err(Fault::chunk("inflates to another size than the header says"));
        }
        if hex(&self.digest.finalize_reset()) != chunk.sha256 {
            return Err(Fault::chunk("inflates to other bytes than the header's digest is of"));
        }
        Ok(())
    }
}

/// The SHA-256 of bytes, as lower-case hexadecimal digits.
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}
