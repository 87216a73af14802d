//! Which positions workers are at, roughly: keys that share a mark are taken for one, which only changes who does what.

use ludex_core::Key;

use crate::{
    atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed},
    hash,
};

const MARKS: usize = 1 << 14;

/// Marks for positions that workers are at, and the number of workers.
pub(crate) struct Busy {
    marks: Box<[AtomicU8]>,
    workers: AtomicUsize,
}

impl Busy {
    /// Bytes of a set of marks.
    pub(crate) const BYTES: u64 = MARKS as u64;

    pub(crate) fn new() -> Self {
        Self { marks: (0..MARKS).map(|_| AtomicU8::new(0)).collect(), workers: AtomicUsize::new(0) }
    }

    fn mark<K: Key>(&self, key: K) -> &AtomicU8 {
        // As many bits as there are marks.
        &self.marks[(hash::mark(key.words().as_ref()) >> (64 - MARKS.ilog2())) as usize]
    }

    /// A worker enters a position.
    pub(crate) fn enter<K: Key>(&self, key: K) {
        self.mark(key).fetch_add(1, Relaxed);
    }

    /// It leaves it.
    pub(crate) fn leave<K: Key>(&self, key: K) {
        self.mark(key).fetch_sub(1, Relaxed);
    }

    /// How many workers are at a position.
    pub(crate) fn at<K: Key>(&self, key: K) -> u8 {
        self.mark(key).load(Relaxed)
    }

    /// A worker begins, and ends when what is returned is dropped.
    pub(crate) fn join(&self) -> Worker<'_> {
        self.workers.fetch_add(1, Relaxed);
        Worker(self)
    }

    /// Whether several workers are at work.
    #[inline]
    pub(crate) fn is_shared(&self) -> bool {
        self.workers.load(Relaxed) > 1
    }
}

/// A worker that is at work.
pub(crate) struct Worker<'a>(&'a Busy);

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.0.workers.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_counted_and_workers_too() {
        let busy = Busy::new();
        let others = || (1..1000u64).filter(|&key| busy.at(key) > 0).count();
        busy.enter(0u64);
        busy.enter(0u64);
        assert_eq!((busy.at(0u64), busy.is_shared()), (2, false));
        assert!(others() < 10, "positions have marks of their own");
        busy.leave(0u64);
        assert_eq!(busy.at(0u64), 1);
        busy.leave(0u64);
        assert_eq!((busy.at(0u64), others()), (0, 0));
        let worker = busy.join();
        assert!(!busy.is_shared());
        let others = [busy.join(), busy.join()];
        assert!(busy.is_shared());
        drop(others);
        assert!(!busy.is_shared(), "one is left");
        drop(worker);
    }
}
