//! The static bounds of Connect Four against the bare rules: on every position of small boards, even and odd heights,
//! and on random late positions of larger ones, with each rule alone and with all together.

use std::collections::HashMap;

use ludex_core::{Game, Rng, Switches, Value};
use ludex_games::connect4::{Board, Connect4, Forced, Shape, Sized, Word, ceiling, lines, play_out, score};

/// Exact scores by the bare rules.
struct Truth<S: Shape> {
    game: Connect4<S>,
    scores: HashMap<S::Word, i8>,
}

impl<S: Shape> Truth<S> {
    fn new(shape: S) -> Self {
        Self { game: Connect4::new(shape), scores: HashMap::new() }
    }

    /// The score of every position from here on, shown once per mirror pair to `each` with the score.
    fn score(&mut self, p: &Board<S::Word>, each: &mut impl FnMut(&Board<S::Word>, i32)) -> i32 {
        let shape = self.game.shape;
        let left = self.game.max_plies(p);
        if lines::has_four(shape, p.other()) {
            return -(1 + (left / 2) as i32);
        }
        if left == 0 {
            return 0;
        }
        let key = self.game.key(p);
        if let Some(&score) = self.scores.get(&key) {
            return i32::from(score);
        }
        let mut best = i32::MIN;
        let mut landings = p.landings(shape);
        while landings.any() {
            best = best.max(-self.score(&p.with(landings.first()), each));
            landings = landings.rest();
        }
        self.scores.insert(key, best as i8);
        each(p, best);
        best
    }
}

/// Every bound, for every question, with every set of rules; and the end of every forced line.
fn check<S: Shape>(shape: S, p: &Board<S::Word>, truth: i32, on: &[Switches], fired: &mut [u64]) {
    let left = (shape.cells() ^ p.all).count();
    let landings = p.landings(shape);
    if (lines::completing(shape, p.own) & landings).any() {
        assert_eq!(truth, score::win_now(left));
        return;
    }
    let threats = match play_out(shape, *p) {
        Forced::Decided(score) => {
            assert_eq!(score, truth, "{p:?}: the forced line");
            return;
        }
        Forced::Open { stones: 0, threats, .. } => threats,
        Forced::Open { .. } => return,
    };
    for (on, fired) in on.iter().zip(fired) {
        for alpha in score::lose_next(left)..=score::win_now(left) {
            let bound = ceiling(shape, *on, p, threats, left, alpha);
            assert!(
                truth <= bound,
                "{p:?} {shape:?} {on:?}: at most {bound} says the rule, but it is {truth}"
            );
            *fired += u64::from(bound <= alpha);
        }
    }
}

/// All rules together, all but one, and as few as make a rule work alone.
fn sets() -> Vec<Switches> {
    let all = Switches::default();
    let list = Connect4::new(Sized::<u64>::new(4, 4).expect("it fits")).switches();
    let only = |keep: &[&str]| {
        let others = list.iter().filter(|rule| !keep.contains(&rule.name));
        others.fold(all, |on, rule| on.without(list, rule.name).expect("a rule of the list"))
    };
    vec![
        all,
        only(&["follow"]),
        only(&["zugzwang"]),
        only(&["follow", "zugzwang"]),
        only(&["follow", "promised"]),
        only(&["follow", "pair"]),
        only(&["zugzwang", "pair"]),
        only(&["dead"]),
    ]
}

fn everything(width: u32, height: u32) {
    let shape = Sized::<u64>::new(width, height).expect("it fits");
    let mut truth = Truth::new(shape);
    let (sets, mut fired) = (sets(), [0; 8]);
    let root = truth.game.root().expect("a start");
    truth.score(&root, &mut |p, score| check(shape, p, score, &sets, &mut fired));
    assert!(fired.iter().all(|&n| n > 0), "{width}x{height}: {fired:?}");
}

#[test]
fn the_bounds_hold_on_every_position_of_4x4() {
    everything(4, 4);
}

#[test]
fn the_bounds_hold_on_every_position_of_5x4() {
    everything(5, 4);
}

#[test]
fn the_bounds_hold_on_every_position_of_4x5() {
    everything(4, 5);
}

/// Random late positions: with few cells left everything from there on is looked at.
#[test]
fn the_bounds_hold_on_random_positions_of_larger_boards() {
    let sets = sets();
    for (width, height, cells, games) in [
        (6, 5, 14, 60),
        (7, 5, 14, 60),
        (5, 6, 14, 60),
        (6, 6, 14, 60),
        (7, 6, 13, 60),
        (5, 7, 14, 40),
        (9, 7, 11, 15),
    ] {
        let shape = Sized::<u128>::new(width, height).expect("it fits");
        let mut fired = [0; 8];
        for seed in 0..games {
            let mut rng = Rng::new(seed);
            let game = Connect4::new(shape);
            let mut p = game.root().expect("a start");
            while game.max_plies(&p) > cells {
                let mut moves = Vec::new();
                game.each_move(&p, |m| moves.push(game.play(&p, m)));
                moves.retain(|q| game.outcome(q).is_none());
                match rng.pick(&moves) {
                    Some(next) => p = *next,
                    None => break,
                }
            }
            if game.max_plies(&p) <= cells {
                Truth::new(shape).score(&p, &mut |p, score| check(shape, p, score, &sets, &mut fired));
            }
        }
        assert!(fired[0] > 100, "{width}x{height}: {fired:?}");
    }
}

/// The score's meaning in plies, on finished and unfinished games.
#[test]
fn scores_and_values_agree() {
    let game = Connect4::default();
    let p = Board { own: 0, all: 0 };
    assert_eq!(score::value(1, game.max_plies(&p)), Value::win(41));
    assert_eq!(score::value(-2, 41), Value::loss(38));
}
