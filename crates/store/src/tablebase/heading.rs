//! What a tablebase is about.

use std::path::Path;

use super::{FAMILY, MAGIC, TableError, segment::u32_at};

fn checksum(start: &[u8], text: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(start);
    crc.update(text);
    crc.finalize()
}

/// What a file holds, written at its beginning as lines of `key=value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The spec of the game.
    pub spec: String,
    /// What the values say: `distance` or `wdl`, or a word of the game's own.
    pub goal: String,
    /// How positions are numbered: `dense`, `keys`, or a word of the game's own.
    pub numbering: String,
    /// Bits of a value: 2, or 8 times the number of its bytes.
    pub value_bits: u32,
    /// Bytes of a key in front of every value; 0 where positions are numbered.
    pub key_bytes: usize,
    /// Values in a block.
    pub block: usize,
    /// In an opening book: it holds the positions after at most this many plies. None in a table of a whole game.
    pub plies: Option<u32>,
    /// What made it.
    pub program: String,
}

impl Default for Heading {
    fn default() -> Self {
        Self {
            spec: String::new(),
            goal: "distance".into(),
            numbering: "dense".into(),
            value_bits: 8,
            key_bytes: 0,
            block: 1 << 16,
            plies: None,
            program: concat!("ludex ", env!("CARGO_PKG_VERSION")).into(),
        }
    }
}

/// Bytes before the text of a heading: the mark, the length of the text, and the checksum of all three.
pub(super) const START: usize = 16;

/// The longest key.
const MOST_KEY_BYTES: usize = 1024;

/// The most that the values and keys of a block may take once they are unpacked.
pub(super) const MOST_BLOCK_BYTES: usize = 64 << 20;

impl Heading {
    /// The beginning of a file: mark, length of the text u32, CRC-32 of mark, length and text u32, text.
    pub(super) fn encode(&self) -> Vec<u8> {
        let text = self.write();
        let mut bytes = MAGIC.to_vec();
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(checksum(&bytes, text.as_bytes()).to_le_bytes());
        bytes.extend(text.into_bytes());
        bytes
    }

    /// Read the beginning of a file of `len` bytes, which `fetch` hands out by offset and length.
    pub(super) fn decode(
        path: &Path,
        len: u64,
        fetch: impl Fn(u64, usize) -> Result<Vec<u8>, TableError>,
    ) -> Result<Self, TableError> {
        let start = fetch(0, START)?;
        let (mark, rest) = start.split_at(MAGIC.len());
        if mark != MAGIC {
            return Err(match mark.strip_prefix(FAMILY) {
                Some([digit]) if digit.is_ascii_digit() => {
                    TableError::Version { path: path.to_owned(), found: u32::from(digit - b'0') }
                }
                _ => TableError::damaged(path, "not a tablebase"),
            });
        }
        let text_len = u32_at(rest, 0);
        if u64::from(text_len) > len - START as u64 {
            return Err(TableError::damaged(path, "its heading is longer than the file"));
        }
        let text = fetch(START as u64, text_len as usize)?;
        // The spec decides what every value is taken for, so nothing of the heading is believed before this.
        if checksum(&start[..12], &text) != u32_at(rest, 4) {
            return Err(TableError::damaged(path, "its heading does not match its checksum"));
        }
        std::str::from_utf8(&text)
            .ok()
            .and_then(Self::read)
            .ok_or_else(|| TableError::damaged(path, "its heading cannot be read"))
    }

    /// Bytes of `n` values in a block.
    pub(super) fn value_bytes(&self, n: usize) -> usize {
        (n * self.value_bits as usize).div_ceil(8)
    }

    /// Bytes of one value as it is handed in and out.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.value_bits.div_ceil(8) as usize
    }

    pub(super) fn write(&self) -> String {
        let plies = self.plies.map_or(String::new(), |n| format!("plies={n}\n"));
        format!(
            "spec={}\ngoal={}\nnumbering={}\nvalue_bits={}\nkey_bytes={}\nblock={}\n{plies}program={}\n",
            self.spec, self.goal, self.numbering, self.value_bits, self.key_bytes, self.block, self.program
        )
    }

    pub(super) fn read(text: &str) -> Option<Self> {
        let get = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        let heading = Self {
            spec: get("spec")?.into(),
            goal: get("goal")?.into(),
            numbering: get("numbering")?.into(),
            value_bits: get("value_bits")?.parse().ok()?,
            key_bytes: get("key_bytes")?.parse().ok()?,
            block: get("block")?.parse().ok()?,
            plies: match get("plies") {
                Some(n) => Some(n.parse().ok()?),
                None => None,
            },
            program: get("program")?.into(),
        };
        heading.is_sound().then_some(heading)
    }

    /// Whether a file can have it: a block is unpacked as a whole, so its size is bounded whatever a file says.
    pub(super) fn is_sound(&self) -> bool {
        let of_bytes = self.value_bits.is_multiple_of(8) && (8..=64).contains(&self.value_bits);
        (self.value_bits == 2 || of_bytes)
            && self.key_bytes <= MOST_KEY_BYTES
            && (1..=MOST_BLOCK_BYTES).contains(&self.block)
            && self.block as u64 * (self.key_bytes + self.width()) as u64 <= MOST_BLOCK_BYTES as u64
    }
}
