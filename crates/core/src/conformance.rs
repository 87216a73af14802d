//! The kit that every game must pass.
//!
//! [`random_play`] plays the fast rules against the naive ones, and checks notation, rank and keys on the way.
//! [`every_position`] goes through a whole small game and checks that symmetric positions are worth the same and that
//! everything [`Game::look`] says is true. [`sampled_look`] does the latter on random late positions of larger games.
//! All of them panic with the position at fault.

use std::collections::{BTreeSet, HashMap};

use crate::{Game, Goal, Key, Moves, Outcome, Playable, Reference, Rng, Value, Window};

/// Minimax over a whole game with nothing but the rules: the obviously right twin of every search.
#[derive(Debug, Default)]
pub struct Minimax<P> {
    /// The value of every position reached so far, for its side to move.
    pub values: HashMap<P, Value>,
}

impl<P: Copy + Eq + std::hash::Hash> Minimax<P> {
    /// Nothing known yet.
    #[must_use]
    pub fn new() -> Self {
        Self { values: HashMap::new() }
    }

    /// The exact value of a position for its side to move, all plies included.
    pub fn value<G: Game<Position = P>>(&mut self, game: &G, p: &P) -> Value {
        if let Some(outcome) = game.outcome(p) {
            return Value::ended(outcome);
        }
        if let Some(&value) = self.values.get(p) {
            return value;
        }
        let mut moves = Vec::new();
        game.each_move(p, |m| moves.push(m));
        let side = game.side(p);
        let value = moves
            .iter()
            .map(|&m| {
                let child = game.play(p, m);
                let value = self.value(game, &child);
                if game.side(&child) == side { value.later() } else { value.back() }
            })
            .max()
            .unwrap_or_else(|| {
                panic!("{p_text}: an unfinished game without a move", p_text = debug(game, p))
            });
        self.values.insert(*p, value);
        value
    }
}

fn debug<G: Game>(_: &G, p: &G::Position) -> String {
    format!("{p:?}")
}

/// How much a random play-out found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Positions visited.
    pub positions: usize,
    /// Games that ended with a winner.
    pub decided: usize,
    /// Games that ended in a draw.
    pub drawn: usize,
}

/// Play `games` random games from `start`, with the fast rules and the naive ones side by side.
///
/// # Panics
/// If they differ in anything, or if notation, rank, number of plies or keys are not as promised.
pub fn random_play<G: Playable>(game: &G, start: impl Fn(u64) -> G::Position, games: u64) -> Played {
    let naive = game.naive();
    let mut keys: HashMap<G::Key, G::Position> = HashMap::new();
    let mut played = Played::default();
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut p = start(seed);
        let mut q = naive.read(&game.board_text(&p), game.side(&p));
        let mut plies_left = game.max_plies(&p) + 1;
        loop {
            let text = game.position_text(&p);
            played.positions += 1;
            assert_eq!(naive.write(&q), game.board_text(&p), "the board's text");
            assert_eq!(naive.side(&q), game.side(&p), "{text}: the side to move");
            assert_eq!(game.parse_position(&text).as_ref(), Ok(&p), "{text}: reading it back");
            let spelled = format!("{} {}", game.board_text(&p), game.side(&p));
            assert_eq!(game.parse_position(&spelled).as_ref(), Ok(&p), "{spelled}: reading it back");
            assert!(game.max_plies(&p) < plies_left, "{text}: more plies left than before");
            plies_left = game.max_plies(&p);
            check_key(game, &p, &mut keys);
            let outcome = game.outcome(&p);
            assert_eq!(naive.outcome(&q), outcome, "{text}: the outcome");
            if let Some(outcome) = outcome {
                played.decided += usize::from(outcome != Outcome::Draw);
                played.drawn += usize::from(outcome == Outcome::Draw);
                break;
            }
            let mut moves = Vec::new();
            game.each_move(&p, |m| moves.push(m));
            let ours: BTreeSet<String> = moves.iter().map(|&m| game.move_text(&p, m)).collect();
            assert_eq!(ours.len(), moves.len(), "{text}: two moves with the same text");
            assert_eq!(ours, naive.moves(&q).into_iter().collect(), "{text}: the legal moves");
            let clicks: BTreeSet<_> = moves.iter().map(|&m| game.clicks(&p, m)).collect();
            assert_eq!(clicks.len(), moves.len(), "{text}: two moves by the same clicks");
            let &m = rng.pick(&moves).expect("an unfinished game has a move");
            let name = game.move_text(&p, m);
            assert_eq!(game.parse_move(&p, &name), Ok(m), "{text}: reading the move {name}");
            let next = game.play(&p, m);
            assert!(game.rank(&next) > game.rank(&p), "{text}: {name} does not increase the rank");
            q = naive.play(&q, &name);
            p = next;
        }
    }
    played
}

/// The key is the same for all images, and for no other position met before.
fn check_key<G: Playable>(game: &G, p: &G::Position, keys: &mut HashMap<G::Key, G::Position>) {
    let key = game.key(p);
    let images = game.images(p);
    assert!(images.contains(p), "{}: not among its own images", game.position_text(p));
    for image in &images {
        assert_eq!(game.key(image), key, "{}: another key than its image", game.position_text(p));
    }
    let words = key.words();
    for (i, word) in words.as_ref().iter().enumerate() {
        let bits = game.key_bits().saturating_sub(64 * i as u32).min(64);
        assert!(bits == 64 || word >> bits == 0, "{}: more key bits than said", game.position_text(p));
    }
    if let Some(other) = keys.insert(key, *p) {
        assert!(
            images.contains(&other) || other == *p || same_game(game, p, &other),
            "{} and {} share a key",
            game.position_text(p),
            game.position_text(&other)
        );
    }
}

/// Positions that are no images of each other may still share a key if the game has normalised away what makes no
/// difference any more (dead cells). Then they must be worth the same, which is checked where that can be done.
fn same_game<G: Game>(game: &G, p: &G::Position, q: &G::Position) -> bool {
    if game.side(p) != game.side(q) || game.max_plies(p).max(game.max_plies(q)) > 8 {
        return game.side(p) == game.side(q) && game.rank(p) == game.rank(q);
    }
    let mut minimax = Minimax::new();
    minimax.value(game, p) == minimax.value(game, q)
}

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
/// made by [`Game::for_goal`].
///
/// # Panics
/// If a bound is wrong or a needed move is missing.
pub fn check_look<G: Playable>(game: &G, goal: Goal, p: &G::Position, minimax: &mut Minimax<G::Position>) {
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
pub fn every_position<G: Playable>(game: &G, start: &G::Position) -> usize {
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
pub fn sampled_look<G: Playable>(
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
            let mut moves = Vec::new();
            game.each_move(&p, |m| moves.push(m));
            p = game.play(&p, *rng.pick(&moves).expect("an unfinished game has a move"));
        }
    }
    checked
}
