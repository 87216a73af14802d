//! Answers that are final, kept in memory.
//!
//! A solved analysis never changes, so it can be handed out again as the bytes it was. Two halves: when the young one
//! is full it becomes the old one, and the old one is dropped. An answer that is asked for moves to the young half.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use axum::body::Bytes;

/// A bounded map from questions to answers.
#[derive(Debug)]
pub struct Cache {
    halves: Mutex<[HashMap<String, Bytes>; 2]>,
    half: usize,
}

impl Cache {
    /// Room for so many answers.
    #[must_use]
    pub fn new(room: usize) -> Self {
        Self { halves: Mutex::default(), half: room.div_ceil(2) }
    }

    /// The answer, if it is still there.
    pub fn get(&self, question: &str) -> Option<Bytes> {
        let mut halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = halves[0].get(question) {
            return Some(answer.clone());
        }
        let (question, answer) = halves[1].remove_entry(question)?;
        self.add(&mut halves, question, answer.clone());
        Some(answer)
    }

    /// Keep an answer.
    pub fn put(&self, question: String, answer: Bytes) {
        self.add(&mut self.halves.lock().unwrap_or_else(PoisonError::into_inner), question, answer);
    }

    fn add(&self, halves: &mut [HashMap<String, Bytes>; 2], question: String, answer: Bytes) {
        if halves[0].len() >= self.half {
            halves[1] = std::mem::take(&mut halves[0]);
        }
        halves[0].insert(question, answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays() {
        let cache = Cache::new(8);
        cache.put("kept".into(), Bytes::from_static(b"1"));
        for i in 0..100 {
            cache.put(i.to_string(), Bytes::from_static(b"2"));
            assert!(cache.get("kept").is_some());
        }
        assert!(cache.get("3").is_none());
        assert!(cache.halves.lock().unwrap().iter().map(HashMap::len).sum::<usize>() <= 8);
    }
}
