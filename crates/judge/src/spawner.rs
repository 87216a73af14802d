//! Who runs several workers at once. Threads where there are some, one worker where there are none.

use std::{
    any::Any,
    fmt::Debug,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Runs the same work as several workers.
pub trait Spawner: Debug + Send + Sync {
    /// Run `work(0)` here, and `work(1)` to `work(workers − 1)` beside it if that can be done; return when all have
    /// returned.
    ///
    /// # Errors
    /// If one of them panicked: what it said.
    fn run(&self, workers: usize, work: &(dyn Fn(usize) + Sync)) -> Result<(), String>;
}

/// Only worker 0, right here.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Spawner for Alone {
    fn run(&self, _: usize, work: &(dyn Fn(usize) + Sync)) -> Result<(), String> {
        guarded(|| work(0))
    }
}

/// A thread for every worker but the first.
#[cfg(not(target_family = "wasm"))]
#[derive(Clone, Copy, Debug, Default)]
pub struct Threads;

#[cfg(not(target_family = "wasm"))]
impl Spawner for Threads {
    fn run(&self, workers: usize, work: &(dyn Fn(usize) + Sync)) -> Result<(), String> {
        std::thread::scope(|scope| {
            let others: Vec<_> =
                (1..workers).map(|worker| scope.spawn(move || guarded(|| work(worker)))).collect();
            let own = guarded(|| work(0));
            others
                .into_iter()
                .map(|other| other.join().unwrap_or_else(|panic| Err(said(&*panic))))
                .fold(own, Result::and)
        })
    }
}

/// Run something and turn a panic into what it said.
fn guarded(work: impl FnOnce()) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| said(&*panic))
}

/// The text of a panic, which is one of these two types unless somebody threw something of their own.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "it did not say why".to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;

    #[test]
    fn every_worker_runs_once_and_a_panic_is_told() {
        let ran = AtomicUsize::new(0);
        Threads
            .run(4, &|worker| {
                ran.fetch_add(1 << (4 * worker), Relaxed);
            })
            .expect("no panic");
        assert_eq!(ran.load(Relaxed), 0x1111);
        Alone
            .run(4, &|worker| {
                ran.fetch_add(worker + 1, Relaxed);
            })
            .expect("no panic");
        assert_eq!(ran.load(Relaxed), 0x1112);
        for faulty in 0..3 {
            let fault = Threads.run(3, &|worker| assert!(worker != faulty, "worker {worker} fails"));
            assert_eq!(fault, Err(format!("worker {faulty} fails")));
        }
    }
}
