//! A memory that lasts as long as the program: for tests, for a browser, for whoever wants no file.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{Memory, Row, StoreError};

/// The findings about the positions of one game, by key.
type Findings = HashMap<Vec<u8>, Vec<Row>>;

/// What searches found out while this value lives. It has no clock: `created` stays as it is handed in.
#[derive(Debug, Default)]
pub struct Remembered {
    games: Mutex<HashMap<String, Findings>>,
}

impl Remembered {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Findings>> {
        // A panic elsewhere cannot leave half a finding: each is put in by one assignment.
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory for Remembered {
    fn get(&self, spec: &str, key: &[u8]) -> Result<Option<Row>, StoreError> {
        let games = self.lock();
        Row::together(games.get(spec).and_then(|findings| findings.get(key)).map_or(&[], Vec::as_slice))
    }

    fn put(&self, row: &Row) -> Result<(), StoreError> {
        let mut games = self.lock();
        let known = games.entry(row.spec.clone()).or_default().entry(row.key.clone()).or_default();
        if let Some(new) = row.added_to(known)? {
            match known.iter_mut().find(|old| old.same_maker(&new)) {
                Some(old) => *old = new,
                None => known.push(new),
            }
        }
        Ok(())
    }
}
