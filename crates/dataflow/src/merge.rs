//! Many sorted lists as one.

use ludex_core::Error;

use crate::{codes::Codes, pile::Pile};

/// A sorted list that is read from its beginning, with a code beside every row if it has codes.
pub struct Source {
    pile: Option<Pile>,
    codes: Option<Codes>,
    rows: Vec<u8>,
    row_len: usize,
    at: usize,
    row_codes: Vec<u8>,
}

impl Source {
    /// A list in memory.
    pub fn held(rows: Vec<u8>, row_len: usize) -> Self {
        Self { pile: None, codes: None, rows, row_len, at: 0, row_codes: Vec::new() }
    }

    /// A list on disk.
    pub fn pile(pile: Pile, row_len: usize) -> Result<Self, Error> {
        let mut source = Self { pile: Some(pile), ..Self::held(Vec::new(), row_len) };
        source.fill()?;
        Ok(source)
    }

    /// A list on disk with its codes.
    pub fn coded(pile: Pile, row_len: usize, codes: Codes) -> Result<Self, Error> {
        let mut source = Self { pile: Some(pile), codes: Some(codes), ..Self::held(Vec::new(), row_len) };
        source.fill()?;
        Ok(source)
    }

    fn fill(&mut self) -> Result<(), Error> {
        self.at = 0;
        match &mut self.pile {
            Some(pile) => pile.next(&mut self.rows)?,
            None => self.rows.clear(),
        }
        if let Some(codes) = &mut self.codes {
            codes.next(self.rows.len() / self.row_len, &mut self.row_codes)?;
        }
        Ok(())
    }

    fn row(&self) -> &[u8] {
        &self.rows[self.at * self.row_len..][..self.row_len]
    }

    fn ended(&self) -> bool {
        self.rows.is_empty()
    }

    fn advance(&mut self) -> Result<(), Error> {
        self.at += 1;
        if self.at * self.row_len == self.rows.len() { self.fill() } else { Ok(()) }
    }
}

/// Hand out the rows of all lists in order, each with its code or 0, and only the first of those with the same key.
pub fn merge(
    mut sources: Vec<Source>,
    key_len: usize,
    mut take: impl FnMut(&[u8], u8) -> Result<(), Error>,
) -> Result<(), Error> {
    sources.retain(|source| !source.ended());
    // A heap of sources, the one with the least row on top.
    sources.sort_by(|a, b| a.row().cmp(b.row()));
    let mut last: Vec<u8> = Vec::new();
    while let Some(top) = sources.first_mut() {
        let row = top.row();
        if last != row[..key_len] {
            take(row, top.row_codes.get(top.at).copied().unwrap_or(0))?;
            last.clear();
            last.extend(&row[..key_len]);
        }
        top.advance()?;
        if top.ended() {
            sources.swap_remove(0);
        }
        let mut at = 0;
        loop {
            let child = 2 * at + 1;
            if child >= sources.len() {
                break;
            }
            let other = child + 1;
            let least = if other < sources.len() && sources[other].row() < sources[child].row() {
                other
            } else {
                child
            };
            if sources[at].row() <= sources[least].row() {
                break;
            }
            sources.swap(at, least);
            at = least;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::tidy;

    #[test]
    fn many_lists_are_one() {
        for lists in [0u32, 1, 2, 7, 40] {
            let list = |k: u32| {
                (0..500).filter(|i| i % (k + 1) == 0).flat_map(u32::to_be_bytes).collect::<Vec<u8>>()
            };
            let mut all: Vec<u8> = (1..=lists).flat_map(list).collect();
            tidy(&mut all, 4, 4);
            let mut merged: Vec<u8> = Vec::new();
            let sources = (1..=lists).map(|k| Source::held(list(k), 4)).collect();
            merge(sources, 4, |row, _| {
                merged.extend(row);
                Ok(())
            })
            .unwrap();
            assert_eq!(merged, all);
        }
    }
}
