//! The compression of a block: Zstandard.
//!
//! Where no C compiler builds for the target there is a decoder in Rust instead: tables can be read there, and not built.

use std::io;

#[cfg(not(target_family = "wasm"))]
pub(super) struct Packer(zstd::bulk::Compressor<'static>);

#[cfg(not(target_family = "wasm"))]
impl Packer {
    pub(super) fn new() -> io::Result<Self> {
        zstd::bulk::Compressor::new(3).map(Self)
    }

    pub(super) fn pack(&mut self, raw: &[u8]) -> io::Result<Vec<u8>> {
        self.0.compress(raw)
    }
}

/// Undo it, if the result has at most `size` bytes.
#[cfg(not(target_family = "wasm"))]
pub(super) fn unpack(packed: &[u8], size: usize) -> io::Result<Vec<u8>> {
    zstd::bulk::decompress(packed, size)
}

#[cfg(target_family = "wasm")]
pub(super) struct Packer;

#[cfg(target_family = "wasm")]
impl Packer {
    pub(super) fn new() -> io::Result<Self> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "no tables are built here"))
    }

    pub(super) fn pack(&mut self, _: &[u8]) -> io::Result<Vec<u8>> {
        Self::new().map(|_| Vec::new())
    }
}

/// Undo it, if the result has at most `size` bytes.
#[cfg(target_family = "wasm")]
pub(super) fn unpack(packed: &[u8], size: usize) -> io::Result<Vec<u8>> {
    use std::io::Read;
    let decoder = ruzstd::decoding::StreamingDecoder::new(packed).map_err(io::Error::other)?;
    let mut raw = Vec::with_capacity(size);
    // One byte more shows that there is more.
    decoder.take(size as u64 + 1).read_to_end(&mut raw)?;
    Ok(raw)
}
