//! What is answered when there is not enough time, and that nobody waits for anybody else.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc,
    },
    time::Duration,
};

use ludex_core::Value;
use ludex_games::{
    mnk::{self, Mnk, Rule},
    nex::{self, Nex, Rules},
};
use ludex_judge::{AnyGame, Budget, Cancel, Clock, Goal, Outcome, Question, Status, Terms, Threads, host};

/// A clock on which every look takes a millisecond.
#[derive(Debug, Default)]
struct Counting(AtomicU64);

impl Clock for Counting {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Relaxed))
    }
}

fn nex13() -> Box<dyn AnyGame> {
    host(Nex::<3>::new(13, 13, Rules::Nexc, false), &nex::FAMILY)
}

/// A question with so many looks at the clock.
fn within(millis: u64, question: Question) -> (Question, Terms) {
    let budget = Budget { time: Some(Duration::from_millis(millis)), ..Budget::default() };
    (Question { budget, ..question }, Terms::new(Arc::new(Counting::default()), Arc::new(Threads)))
}

#[test]
fn an_analysis_that_runs_out_lists_every_move() {
    let (question, terms) = within(300, Question::default());
    let analysis = nex13().analyze(&question, &terms).expect("an answer");
    assert_eq!(analysis.verdict.status, Status::OutOfTime);
    assert_eq!(analysis.moves.len(), 169 * 168);
    assert!(analysis.verdict.best.is_empty() && analysis.verdict.outcome.is_none());
    assert!(analysis.moves.iter().all(|m| m.outcome.is_none()));
}

#[test]
fn what_is_known_by_then_is_told() {
    // Three crosses in an open row: either end wins, and the rest of 64 moves takes longer than there is time for.
    let game = host(Mnk::<u128>::new(8, 8, 4, Rule::Strong), &mnk::FAMILY);
    let position = "......../......../...o..../......../..xxx.../....o.../o......./........";
    for millis in [70, 90, 120] {
        let (question, terms) = within(millis, Question { goal: Goal::Distance, ..Question::at(position) });
        let analysis = game.analyze(&question, &terms).expect("an answer");
        let verdict = &analysis.verdict;
        assert_eq!((verdict.status, verdict.outcome), (Status::OutOfTime, Some(Outcome::Win)), "{millis}");
        assert_eq!(verdict.best, ["b4", "f4"]);
        assert_eq!(verdict.bounds.lo, Value::win(1));
        assert_eq!(analysis.moves.len(), 58);
        assert_eq!(analysis.moves[0].bounds.lo, Value::win(1));
        let solved = game.solve(&question, &Terms::default()).expect("an answer");
        assert!(verdict.best.contains(&solved.best[0]) && solved.bounds.lo == Value::win(1));
    }
}

/// A question about a game that is being searched does not wait for that search.
#[test]
fn questions_do_not_wait_for_each_other() {
    let game = nex13();
    let (told, progress) = mpsc::channel();
    let cancel = Cancel::new();
    let endless = Terms {
        progress: Some(Arc::new(move |_| told.send(()).unwrap_or_default())),
        ..Terms::default().until(&cancel)
    };
    std::thread::scope(|scope| {
        let first = scope.spawn(|| game.solve(&Question::default(), &endless));
        progress.recv().expect("it is being searched");
        let (question, terms) = within(20, Question::default());
        let second = game.solve(&question, &terms).expect("an answer");
        assert_eq!(second.status, Status::OutOfTime);
        cancel.cancel();
        let first = first.join().expect("no panic").expect("an answer");
        assert_eq!(first.status, Status::Cancelled);
    });
}
