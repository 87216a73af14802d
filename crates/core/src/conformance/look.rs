//! Whether what a game says without search is true.

use std::collections::{BTreeSet, HashMap};

use super::Minimax;
use crate::{Goal, Moves, Notation, Rng, Value, Window};

/// The questions that are put to [`Game::look`] on the way to a goal.
fn windows(goal: Goal, longest: u32) -> Vec<Window> {
    let mut windows = vec![Window::WIN, Window::DRAW];
    if goal == Goal::Wdl {
        return windows;
    }
    windows.push(Window::FULL);
    for plies in 1..=longest.min(Value::MAX_PLIES) {
        windows.push(Window::at_least(Value::win(plies)));
        windows.push(Window::at_least(Value::loss(plies)));
    }
    windows.push(Window { alpha: Value::SOME_LOSS, beta: Value::SOME_WIN });
    windows.push(Window { alpha: Value::DRAW, beta: Value::win(1) });
    windows
}

/// Check what `look` says about one position whose value and whose successors' values minimax knows. `game` is one
/// made by [`Game::for_goal`](crate::Game::for_goal).
///
/// # Panics
/// If a bound is wrong or a needed move is missing.
pub fn check_look<G: Notation>(game: &G, goal: Goal, p: &G::Position, minimax: &mut Minimax<G::Position>) {
    let value = minimax.value(game, p);
    let side = game.side(p);
    let mut legal = BTreeSet::new();
    game.each_move(p, |m| {
        legal.insert(m);
    });
    let mut moves = Moves::new();
    for window in windows(goal, game.max_plies(p)) {
        let bounds = game.look(p, window, &mut moves);
        let at = || format!("{} with {window:?}, worth {value:?}", game.position_text(p));
        let wide = goal == Goal::Wdl;
        let sound = if wide {
            bounds.lo.outcome() <= value.outcome() && value.outcome() <= bounds.hi.outcome()
        } else {
            bounds.contains(value)
        };
        assert!(sound, "{}: look says {bounds:?}", at());
        if window.settled_by(bounds) {
            continue;
        }
        let mut best = Value::WORST;
        for m in moves.iter() {
            assert!(legal.contains(&m), "{}: look lists the illegal move {m:?}", at());
            let child = game.step(p, m);
            let v = minimax.value(game, &child);
            best = best.max(if game.side(&child) == side { v.later() } else { v.back() });
        }
        let clamp = |v: Value| {
            if window.fails_low(v) {
                window.alpha
            } else if window.fails_high(v) {
                window.beta
            } else {
                v
            }
        };
        let answer =
            if wide { clamp(best).outcome() == clamp(value).outcome() } else { clamp(best) == clamp(value) };
        let honest = wide || best <= value && value <= best.max(moves.left_out());
        assert!(
            honest,
            "{}: the listed moves are worth {best:?}, the others at most {:?}",
            at(),
            moves.left_out()
        );
        assert!(answer, "{}: the listed moves are worth {best:?} only", at());
    }
}

/// Go through every position of a game that is small enough for it, and return how many there are.
///
/// # Panics
/// If positions with the same key differ in value, or `look` is wrong anywhere.
pub fn every_position<G: Notation>(game: &G, start: &G::Position) -> usize {
    let mut minimax = Minimax::new();
    minimax.value(game, start);
    let positions: Vec<G::Position> = minimax.values.keys().copied().collect();
    for goal in [Goal::Wdl, Goal::Distance] {
        let game = game.clone().for_goal(goal);
        let mut by_key: HashMap<G::Key, Value> = HashMap::new();
        for p in &positions {
            let value = minimax.values[p];
            let known = *by_key.entry(game.key(p)).or_insert(value);
            let same = known == value || goal == Goal::Wdl && known.outcome() == value.outcome();
            assert!(same, "{}: {value:?}, but its key stands for {known:?}", game.position_text(p));
            check_look(&game, goal, p, &mut minimax);
        }
    }
    positions.len()
}

/// Check `look` on random positions with at most `plies_left` plies to go, and return how many were checked.
///
/// # Panics
/// If it is wrong anywhere.
pub fn sampled_look<G: Notation>(
    game: &G,
    start: impl Fn(u64) -> G::Position,
    plies_left: u32,
    samples: u64,
) -> usize {
    let mut checked = 0;
    for seed in 0..samples {
        let mut rng = Rng::new(seed.wrapping_mul(0x5851_f42d_4c95_7f2d) + 1);
        let mut p = start(seed);
        while game.outcome(&p).is_none() {
            if game.max_plies(&p) <= plies_left {
                let mut minimax = Minimax::new();
                for goal in [Goal::Wdl, Goal::Distance] {
                    check_look(&game.clone().for_goal(goal), goal, &p, &mut minimax);
                }
                checked += 1;
                break;
            }
            let moves = game.moves(&p);
            p = game.play(&p, *rng.pick(&moves).expect("an unfinished game has a move"));
        }
    }
    checked
}
