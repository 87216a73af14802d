//! One run of values: blocks, their index, and a trailer that says where it is.
//!
//! ```text
//! block 0, block 1, …      each compressed by itself: the first bytes of all keys, their second bytes, …, then the values
//! index                    for each block: offset u64, length u32, CRC-32 u32, its first key
//! trailer (32 bytes)       entries u64, offset of the index u64, blocks u32, CRC-32 of the index u32, "LXSEGMT2"
//! ```
//! All numbers are little-endian; offsets count from the beginning of the segment.

use std::io::{self, Write};

use super::{
    heading::Heading,
    packing::{self, Packer},
};

pub(super) const TRAILER: usize = 32;
const MARK: &[u8; 8] = b"LXSEGMT2";

/// A block's place in its segment.
#[derive(Clone, Debug)]
pub(super) struct BlockEntry {
    pub offset: u64,
    pub len: u32,
    pub crc: u32,
    pub first_key: Vec<u8>,
}

/// The index of a segment.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    pub entries: u64,
    pub blocks: Vec<BlockEntry>,
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

/// Pack values, two bits each if the heading says so.
fn pack(heading: &Heading, values: &[u8]) -> Vec<u8> {
    if heading.value_bits != 2 {
        return values.to_vec();
    }
    values
        .chunks(4)
        .map(|four| four.iter().enumerate().fold(0, |byte, (i, v)| byte | (v & 3) << (2 * i)))
        .collect()
}

/// Undo [`pack`].
fn unpack(heading: &Heading, bytes: &[u8], n: usize) -> Vec<u8> {
    if heading.value_bits != 2 {
        return bytes.to_vec();
    }
    (0..n).map(|i| bytes[i / 4] >> (2 * (i % 4)) & 3).collect()
}

/// Rows of `width` bytes as columns: all first bytes, then all second ones. Sorted keys pack twice as well like that.
/// With the number of rows for `width` it undoes itself.
fn turned(rows: &[u8], width: usize) -> Vec<u8> {
    (0..width).flat_map(|column| rows[column..].iter().step_by(width).copied()).collect()
}

/// A segment in the making, block by block.
pub(super) struct Writer<W> {
    heading: Heading,
    out: W,
    packer: Packer,
    index: Vec<u8>,
    at: u64,
    entries: u64,
    blocks: u32,
    values: Vec<u8>,
    keys: Vec<u8>,
}

impl<W: Write> Writer<W> {
    pub(super) fn new(heading: &Heading, out: W) -> io::Result<Self> {
        Ok(Self {
            heading: heading.clone(),
            out,
            packer: Packer::new()?,
            index: Vec::new(),
            at: 0,
            entries: 0,
            blocks: 0,
            values: Vec::new(),
            keys: Vec::new(),
        })
    }

    /// More values of `width` bytes each, and a key for each of them if the heading has keys.
    pub(super) fn push(&mut self, values: &[u8], keys: &[u8]) -> io::Result<()> {
        let (block, width, key_bytes) = (self.heading.block, self.heading.width(), self.heading.key_bytes);
        assert_eq!(keys.len(), values.len() / width * key_bytes, "a key for every value");
        let (mut done, n) = (0, values.len() / width);
        while done < n {
            let take = (block - self.values.len() / width).min(n - done);
            self.values.extend(&values[done * width..(done + take) * width]);
            self.keys.extend(&keys[done * key_bytes..(done + take) * key_bytes]);
            done += take;
            if self.values.len() / width == block {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let key_bytes = self.heading.key_bytes;
        let mut raw = turned(&self.keys, key_bytes);
        raw.extend(pack(&self.heading, &self.values));
        let packed = self.packer.pack(&raw)?;
        self.index.extend(self.at.to_le_bytes());
        self.index.extend((packed.len() as u32).to_le_bytes());
        self.index.extend(crc32fast::hash(&packed).to_le_bytes());
        self.index.extend(&self.keys[..key_bytes]);
        self.out.write_all(&packed)?;
        self.at += packed.len() as u64;
        self.entries += (self.values.len() / self.heading.width()) as u64;
        self.blocks += 1;
        self.values.clear();
        self.keys.clear();
        Ok(())
    }

    /// The last block, the index and the trailer.
    pub(super) fn finish(mut self) -> io::Result<W> {
        if !self.values.is_empty() {
            self.flush()?;
        }
        self.out.write_all(&self.index)?;
        self.out.write_all(&self.entries.to_le_bytes())?;
        self.out.write_all(&self.at.to_le_bytes())?;
        self.out.write_all(&self.blocks.to_le_bytes())?;
        self.out.write_all(&crc32fast::hash(&self.index).to_le_bytes())?;
        self.out.write_all(MARK)?;
        Ok(self.out)
    }
}

/// The place of the index of a segment of `len` bytes: its offset and length, from the trailer.
pub(super) fn index_place(
    heading: &Heading,
    trailer: &[u8; TRAILER],
    len: u64,
) -> Result<(u64, usize), String> {
    if &trailer[24..] != MARK {
        return Err("a segment has no trailer".into());
    }
    let (entries, at, blocks) = (u64_at(trailer, 0), u64_at(trailer, 8), u32_at(trailer, 16));
    let size = u64::from(blocks) * (16 + heading.key_bytes as u64);
    if at.checked_add(size + TRAILER as u64) != Some(len)
        || entries.div_ceil(heading.block as u64) != u64::from(blocks)
    {
        return Err("a segment's index is out of place".into());
    }
    Ok((at, size as usize))
}

/// Read the index.
pub(super) fn read_index(heading: &Heading, trailer: &[u8; TRAILER], bytes: &[u8]) -> Result<Index, String> {
    if crc32fast::hash(bytes) != u32_at(trailer, 20) {
        return Err("a segment's index does not match its checksum".into());
    }
    let at = u64_at(trailer, 8);
    let mut index = Index { entries: u64_at(trailer, 0), blocks: Vec::new() };
    for entry in bytes.chunks_exact(16 + heading.key_bytes) {
        let block = BlockEntry {
            offset: u64_at(entry, 0),
            len: u32_at(entry, 8),
            crc: u32_at(entry, 12),
            first_key: entry[16..].to_vec(),
        };
        if block.offset.checked_add(u64::from(block.len)).is_none_or(|end| end > at) {
            return Err("a block is out of place".into());
        }
        index.blocks.push(block);
    }
    Ok(index)
}

/// A block as it was handed in: its keys and its values.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub keys: Vec<u8>,
    pub values: Vec<u8>,
}

impl Block {
    /// What it takes.
    pub(super) fn bytes(&self) -> usize {
        self.keys.len() + self.values.len()
    }
}

/// Undo the compression of a block of `n` values, checking it on the way.
pub(super) fn read_block(
    heading: &Heading,
    entry: &BlockEntry,
    packed: &[u8],
    n: usize,
) -> Result<Block, String> {
    if crc32fast::hash(packed) != entry.crc {
        return Err("a block does not match its checksum".into());
    }
    let size = n * heading.key_bytes + heading.value_bytes(n);
    let raw = packing::unpack(packed, size).map_err(|e| format!("a block cannot be read: {e}"))?;
    if raw.len() != size {
        return Err("a block has the wrong length".into());
    }
    let (keys, values) = raw.split_at(n * heading.key_bytes);
    Ok(Block { keys: turned(keys, if keys.is_empty() { 0 } else { n }), values: unpack(heading, values, n) })
}
