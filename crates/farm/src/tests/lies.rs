//! A worker that answers wrongly is named, and what rests on its answers is done again.

use ludex_core::{Bounds, Outcome as Ends, Value};
use ludex_judge::{Question, Terms};

use super::{assert_right, heaps, on_every_database, registry, status, work};
use crate::{
    Farm, Plan,
    database::cells,
    farm::Finished,
    plan::{Answer, Task},
};

/// Answer a job as a worker would, with something wrong in it.
fn lie(farm: &mut Farm, worker: i64, twist: impl Fn(&mut Answer)) -> i64 {
    let job = farm.claim(worker, std::time::Duration::from_secs(30), 1, false).unwrap().remove(0);
    let submission = farm.submission(job.submission).unwrap();
    let game = registry().open(&submission.spec).unwrap();
    let task: Task = serde_json::from_str(&job.task).unwrap();
    let mut answer = match task {
        Task::Solve { position } => {
            let question = Question { position: Some(position), ..submission.question };
            Answer::Verdict(Box::new(game.solve(&question, &Terms::default()).unwrap()))
        }
        Task::Pursue(leaf) => Answer::Pursuit(Box::new(
            game.pursue(&submission.question, &leaf, &[], &Terms::default()).unwrap(),
        )),
        Task::Part { part } => Answer::Part { came_to: part },
        Task::Check { .. } => panic!("no check is due"),
    };
    twist(&mut answer);
    let result = serde_json::to_string(&answer).unwrap();
    let finished = Finished { job: job.id, result, nodes: 1, seconds: 0.0, seen: 0, sampled: true };
    assert!(farm.finish(worker, &[finished]).unwrap().is_empty());
    job.id
}

#[test]
fn whoever_answers_wrongly_is_named_and_set_aside() {
    on_every_database(|url| {
        let registry = registry();
        let game = registry.open("heap:40").unwrap();
        let mut farm = Farm::open(url).unwrap();
        let lines = heaps(30);
        let plan = Plan { sample: 0.0, ..Plan::default() };
        let (id, _) = farm.submit_positions(&*game, &Question::default(), &plan, &lines).unwrap();
        let liar = farm.enter_worker("liar").unwrap();
        let job = lie(&mut farm, liar, |answer| {
            if let Answer::Verdict(verdict) = answer {
                let wrong = match verdict.outcome {
                    Some(Ends::Win) => Bounds::at_most(Value::SOME_LOSS),
                    _ => Bounds::at_least(Value::SOME_WIN),
                };
                (verdict.bounds, verdict.outcome) = (wrong, wrong.outcome());
            }
        });
        work(url, 1);
        assert_eq!(status(url, id).state, "done");
        assert_right(url, id, &lines);
        let named = farm.status(None).unwrap().workers.into_iter().find(|worker| worker.id == liar).unwrap();
        assert!(!named.trusted && named.why.unwrap().contains(&format!("job {job} ")));
        let aside = farm.query("SELECT job, worker FROM farm_aside", &[]).unwrap();
        assert_eq!((aside.len(), aside[0][0].int(), aside[0][1].int()), (1, job, liar));
        // It gets nothing more to do, and nothing more of it is taken.
        assert!(farm.claim(liar, std::time::Duration::from_secs(1), 9, false).unwrap().is_empty());
    });
}

#[test]
fn a_wrong_proof_is_taken_back_with_all_that_rests_on_it() {
    on_every_database(|url| {
        let registry = registry();
        let game = registry.open("seven:9").unwrap();
        let own = game.solve(&Question::default(), &Terms::default()).unwrap();
        let mut farm = Farm::open(url).unwrap();
        let plan = Plan { nodes: Some(20), sample: 0.0, ..Plan::default() };
        let id = farm.submit_proof(&*game, &Question::default(), &plan).unwrap();
        let mut master = crate::master::Master::new(&mut farm, &registry, id, "test").unwrap();
        let liar = farm.enter_worker("liar").unwrap();
        // The master hands out the root; the liar says that the wrong side wins.
        let wins = own.outcome == Some(Ends::Win);
        std::thread::scope(|scope| {
            let (registry, url) = (&registry, url.clone());
            let leader = scope.spawn(move || {
                let _ = registry;
                let mut farm = Farm::open(&url).unwrap();
                master.lead(&mut farm, &|| false)
            });
            while farm.query("SELECT id FROM farm_job WHERE state = 0", &[]).unwrap().is_empty() {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            lie(&mut farm, liar, |answer| {
                if let Answer::Pursuit(pursuit) = answer {
                    (pursuit.phi, pursuit.delta) =
                        if wins { (f64::INFINITY, 0.0) } else { (0.0, f64::INFINITY) };
                    pursuit.branches.clear();
                }
            });
            assert!(leader.join().unwrap().unwrap(), "solved, as it seems");
        });
        assert_ne!(status(url, id).solved.map(|solved| solved.outcome), own.outcome);
        // A worker comes, checks, and does it all again.
        work(url, 2);
        let solved = status(url, id).solved.expect("solved");
        assert_eq!(Some(solved.outcome), own.outcome);
        assert!(farm.status(None).unwrap().workers.iter().any(|worker| worker.id == liar && !worker.trusted));
    });
}

#[test]
fn an_answer_that_comes_late_must_agree() {
    on_every_database(|url| {
        let registry = registry();
        let game = registry.open("heap:40").unwrap();
        let mut farm = Farm::open(url).unwrap();
        let lines = heaps(1);
        let plan = Plan { sample: 0.0, ..Plan::default() };
        let (id, _) = farm.submit_positions(&*game, &Question::default(), &plan, &lines).unwrap();
        let (slow, quick) = (farm.enter_worker("slow").unwrap(), farm.enter_worker("quick").unwrap());
        let lease = std::time::Duration::from_secs(30);
        let job = farm.claim(slow, lease, 1, false).unwrap().remove(0);
        assert!(farm.claim(quick, lease, 1, false).unwrap().is_empty(), "one worker has it");
        farm.query("UPDATE farm_job SET lease = 0", &[]).unwrap();
        // The lease is over, so somebody else gets it; a heartbeat tells the first.
        let again = Farm::open(url).unwrap().claim(quick, lease, 1, false).unwrap().remove(0);
        assert_eq!(job.id, again.id);
        assert!(farm.heartbeat(slow, lease).unwrap().is_empty());
        let verdict = game.solve(&Question::at(&lines[0]), &Terms::default()).unwrap();
        let finished = |verdict| Finished {
            job: job.id,
            result: serde_json::to_string(&Answer::Verdict(Box::new(verdict))).unwrap(),
            nodes: 1,
            seconds: 0.0,
            seen: 0,
            sampled: false,
        };
        let right = finished(verdict.clone());
        assert!(farm.finish(quick, std::slice::from_ref(&right)).unwrap().is_empty());
        // Delivered twice, by either: nothing changes.
        assert_eq!(farm.finish(quick, std::slice::from_ref(&right)).unwrap(), [job.id]);
        assert_eq!(farm.finish(slow, std::slice::from_ref(&right)).unwrap(), [job.id]);
        crate::trust::compare_late(&mut farm, slow, &right).unwrap();
        let checks = "SELECT id FROM farm_job WHERE key LIKE 'check:%'";
        assert!(farm.query(checks, &[]).unwrap().is_empty());
        let mut wrong = verdict;
        wrong.bounds = Bounds::exact(Value::DRAW);
        crate::trust::compare_late(&mut farm, slow, &finished(wrong)).unwrap();
        assert_eq!(farm.query(checks, &[]).unwrap().len(), 1, "somebody has to look");
        work(url, 1);
        assert_right(url, id, &lines);
        let trusted = farm.query("SELECT trusted FROM farm_worker WHERE id = $1", cells![quick]).unwrap();
        assert_eq!(trusted[0][0].int(), 1, "who was right is trusted");
    });
}
