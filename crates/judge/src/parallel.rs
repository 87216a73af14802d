//! The same question on several threads.

use std::{sync::Mutex, thread};

use ludex_core::{Status, Verdict};

use crate::watch::Watch;

/// Run `work` as worker 0 here and as workers 1, 2, … on other threads, all on the same shared table.
///
/// With `lead`, worker 0 answers whatever the others have found meanwhile: its answer does not depend on them.
/// Without, whoever is done first answers.
pub(crate) fn run<M: Copy + Send>(
    watch: &Watch,
    threads: usize,
    lead: bool,
    work: impl Fn(usize) -> Verdict<M> + Sync,
) -> Verdict<M> {
    if threads <= 1 {
        return work(0);
    }
    let first: Mutex<Option<Verdict<M>>> = Mutex::new(None);
    let (mut answer, others) = thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads)
            .map(|worker| {
                let (work, first) = (&work, &first);
                scope.spawn(move || {
                    let verdict = work(worker);
                    if !lead && verdict.status == Status::Solved {
                        if let Ok(mut first) = first.lock() {
                            first.get_or_insert_with(|| verdict.clone());
                        }
                        watch.set_done(true);
                    }
                    verdict.stats
                })
            })
            .collect();
        let answer = work(0);
        watch.set_done(true);
        let others: Vec<_> = helpers.into_iter().filter_map(|h| h.join().ok()).collect();
        watch.set_done(false);
        (answer, others)
    });
    if answer.status != Status::Solved
        && let Ok(Some(verdict)) = first.into_inner()
    {
        answer = Verdict { stats: answer.stats, ..verdict };
    }
    for stats in &others {
        answer.stats.absorb(stats);
    }
    answer
}
