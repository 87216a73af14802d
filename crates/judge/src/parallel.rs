//! The same question on several workers.

use std::sync::{Mutex, PoisonError};

use ludex_core::{Error, ErrorCode, Status, Verdict};

use crate::{Spawner, monitor::Monitor};

/// What a worker answered.
type Answered<M> = Result<Verdict<M>, Error>;

/// Run `work` as worker 0 and as workers 1, 2, … beside it, all on the same shared table.
///
/// With `lead`, worker 0 answers whatever the others have found meanwhile: its answer does not depend on them.
/// Without, whoever is done first answers.
///
/// # Errors
/// If a worker meets a contradiction, or panics. Nothing that the others found is believed then.
pub(crate) fn run<M: Copy + Send>(
    monitor: &Monitor,
    spawner: &dyn Spawner,
    workers: usize,
    lead: bool,
    work: &(dyn Fn(usize) -> Answered<M> + Sync),
) -> Answered<M> {
    // In the order in which they were done.
    let done: Mutex<Vec<(usize, Answered<M>)>> = Mutex::new(Vec::new());
    let finished = |worker| {
        let verdict = work(worker);
        let answered = verdict.as_ref().map_or(true, |v| worker == 0 || !lead && v.status == Status::Solved);
        done.lock().unwrap_or_else(PoisonError::into_inner).push((worker, verdict));
        if answered {
            monitor.set_done(true);
        }
    };
    let ran = spawner.run(workers, &finished);
    monitor.set_done(false);
    ran.map_err(|said| {
        let hint = "this is a fault in the program; please report the command and the position";
        Error::new(ErrorCode::Internal, format!("a search panicked: {said}"), hint)
    })?;
    let mut answer: Option<Verdict<M>> = None;
    let mut others = Vec::new();
    for (worker, verdict) in done.into_inner().unwrap_or_else(PoisonError::into_inner) {
        let verdict = verdict?;
        others.push((worker, verdict.stats.clone()));
        // Worker 0 answers, unless another one was the first to know.
        let answered = answer.as_ref().is_some_and(|so_far| so_far.status == Status::Solved);
        if !answered && (worker == 0 || !lead && verdict.status == Status::Solved) {
            answer = Some(verdict);
        }
    }
    let mut answer = answer.ok_or_else(|| Error::contradiction("no worker had an answer"))?;
    // The steps are those of worker 0; everything else adds up.
    let leader = others.iter().position(|(worker, _)| *worker == 0).map(|i| others.swap_remove(i).1);
    answer.stats = leader.unwrap_or_default();
    for (_, stats) in &others {
        answer.stats.absorb(stats);
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use ludex_core::{Bounds, Budget, Stats, Value};

    use super::*;
    use crate::{Terms, Threads};

    fn verdict(status: Status, nodes: u64) -> Verdict<u8> {
        let stats = Stats { nodes, ..Stats::default() };
        Verdict { bounds: Bounds::exact(Value::DRAW), status, best: Some(nodes as u8), pv: Vec::new(), stats }
    }

    fn run_three(
        lead: bool,
        work: impl Fn(usize) -> Result<Verdict<u8>, Error> + Sync,
    ) -> Result<Verdict<u8>, Error> {
        run(&Monitor::new(&Budget::default(), &Terms::default()), &Threads, 3, lead, &work)
    }

    #[test]
    fn the_first_to_know_answers_and_nodes_add_up() {
        let stopped = |worker| if worker == 2 { Status::Solved } else { Status::Cancelled };
        let found = run_three(false, |worker| Ok(verdict(stopped(worker), 1 << worker))).expect("an answer");
        assert_eq!((found.status, found.best, found.stats.nodes), (Status::Solved, Some(4), 7));
        let led = run_three(true, |worker| Ok(verdict(stopped(worker), 1 << worker))).expect("an answer");
        assert_eq!((led.status, led.best, led.stats.nodes), (Status::Cancelled, Some(1), 7));
    }

    #[test]
    fn a_fault_of_one_worker_is_no_answer() {
        for faulty in 0..3 {
            let panicked = run_three(true, |worker| {
                assert!(worker != faulty, "a table entry makes no sense");
                Ok(verdict(Status::Solved, 1))
            });
            let fault = panicked.expect_err("one of them panicked");
            assert_eq!(fault.code, ErrorCode::Internal);
            assert!(fault.message.contains("makes no sense"), "{fault}");
            let contradicted = run_three(false, |worker| {
                if worker == faulty {
                    Err(Error::contradiction("two bounds"))
                } else {
                    Ok(verdict(Status::Solved, 1))
                }
            });
            assert_eq!(contradicted.expect_err("a contradiction").code, ErrorCode::Contradiction);
        }
    }
}
