//! Messages of rows, by rank: for each rank its number u32, the number of rows u32, the rows.

use ludex_core::Error;

use crate::fault;

/// A message in the making.
#[derive(Clone, Debug, Default)]
pub struct Sections {
    ranks: Vec<(u32, Vec<u8>, u32)>,
}

impl Sections {
    /// One more row of a rank. Says which section it is in.
    #[inline]
    pub fn push(&mut self, rank: u32, row: &[u8]) -> usize {
        // Nearly always there is one rank only.
        let at = match self.ranks.iter().position(|section| section.0 == rank) {
            Some(at) => at,
            None => {
                self.ranks.push((rank, Vec::new(), 0));
                self.ranks.len() - 1
            }
        };
        self.ranks[at].1.extend_from_slice(row);
        self.ranks[at].2 += 1;
        at
    }

    /// The message.
    pub fn bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.ranks.iter().map(|(_, rows, _)| rows.len() + 8).sum());
        for (rank, rows, count) in self.ranks {
            bytes.extend(rank.to_le_bytes());
            bytes.extend(count.to_le_bytes());
            bytes.extend(rows);
        }
        bytes
    }
}

/// Go through the sections of a message.
pub fn each_section<'a>(
    mut message: &'a [u8],
    row_len: usize,
    mut take: impl FnMut(u32, &'a [u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let cut = || fault("a message is cut off");
    while !message.is_empty() {
        let (rank, rest) = message.split_first_chunk::<4>().ok_or_else(cut)?;
        let (count, rest) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
        let len = u32::from_le_bytes(*count) as usize * row_len;
        let (rows, rest) = rest.split_at_checked(len).ok_or_else(cut)?;
        take(u32::from_le_bytes(*rank), rows)?;
        message = rest;
    }
    Ok(())
}
