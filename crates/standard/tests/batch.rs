//! Many positions at once are worth what they are worth one by one, on one thread and on several.

use std::sync::Mutex;

use ludex_core::Rng;
use ludex_judge::{Budget, Cancel, ErrorCode, Goal, Question, Ratings, Terms};

/// Positions of random games, by their texts.
fn positions(game: &dyn ludex_judge::AnyGame, games: u64) -> Vec<String> {
    let mut found = Vec::new();
    for seed in 0..games {
        let (mut rng, mut at) = (Rng::new(seed), game.start(Some(seed)).expect("a start"));
        while let Some(m) = game.one_move(&at, &mut |count| rng.below(count)).expect("moves") {
            at = game.play(&at, &m).expect("a legal move");
            found.push(at.clone());
        }
    }
    found
}

#[test]
fn a_batch_says_what_analyses_say() {
    for (spec, games) in [("connect4:5x4", 12), ("mnk:3,3,3", 12), ("nex:3x3", 4), ("heap:21", 4)] {
        let game = ludex_standard::open(spec).expect("a game");
        let texts = positions(&*game, games);
        let listed: Vec<&str> = texts.iter().map(String::as_str).collect();
        for (goal, threads) in [(Goal::Distance, 1), (Goal::Distance, 3), (Goal::Wdl, 1)] {
            let budget = Budget { threads, memory: 16 << 20, ..Budget::default() };
            let question = Question { goal, budget, ..Question::default() };
            let told: Mutex<Vec<Option<Ratings>>> = Mutex::new(vec![None; listed.len()]);
            let tell = |i: usize, found: Result<Ratings, _>| {
                assert!(told.lock().expect("a lock")[i].replace(found.expect("a position")).is_none());
            };
            game.analyze_all(&listed, &question, &Terms::default(), &tell).expect("answers");
            for (text, ratings) in texts.iter().zip(told.into_inner().expect("a lock")) {
                let ratings = ratings.expect("every position is told of");
                let question = Question { goal, ..Question::at(text) };
                let analysis = game.analyze(&question, &Terms::default()).expect("an answer");
                let verdict = &analysis.verdict;
                let here = format!("{spec} {text} {goal} {threads}");
                assert_eq!(ratings.position.bounds.outcome(), verdict.outcome, "{here}");
                assert_eq!(
                    (ratings.position.plies, ratings.position.score),
                    (verdict.plies, verdict.score),
                    "{here}"
                );
                assert_eq!((ratings.to_move, ratings.status), (verdict.to_move, verdict.status), "{here}");
                assert_eq!(ratings.moves.len(), analysis.moves.len(), "{here}");
                for (name, rating) in &ratings.moves {
                    let twin = analysis.moves.iter().find(|m| m.text == *name).expect("the same move");
                    assert_eq!(rating.bounds.outcome(), twin.outcome, "{here} {name}");
                    assert_eq!((rating.plies, rating.score), (twin.plies, twin.score), "{here} {name}");
                }
            }
        }
    }
}

#[test]
fn what_is_wrong_with_one_position_is_told_and_cancelling_ends_it() {
    let game = ludex_standard::open("connect4").expect("a game");
    let wrong = Mutex::new(Vec::new());
    let tell = |i: usize, found: Result<Ratings, ludex_core::Error>| {
        if let Err(error) = found {
            wrong.lock().expect("a lock").push((i, error.code));
        }
    };
    game.analyze_all(&["44", "99", "1"], &Question::default(), &Terms::default(), &tell).expect("answers");
    assert_eq!(wrong.into_inner().expect("a lock"), [(1, ErrorCode::BadPosition)]);
    let cancel = Cancel::new();
    cancel.cancel();
    let told = Mutex::new(0);
    let terms = Terms::default().until(&cancel);
    game.analyze_all(&["44"], &Question::default(), &terms, &|_, _| *told.lock().expect("a lock") += 1)
        .expect("nothing is wrong");
    assert_eq!(told.into_inner().expect("a lock"), 0);
    let none = Question { budget: Budget { threads: 0, ..Budget::default() }, ..Question::default() };
    let refused = game.analyze_all(&["44"], &none, &Terms::default(), &|_, _| ());
    assert_eq!(refused.map_err(|e| e.code), Err(ErrorCode::BadThreads));
}
