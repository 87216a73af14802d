//! Random play: texts, moves, ranks and keys on the way, and the naive rules beside the fast ones.

use std::collections::{BTreeSet, HashMap};

use super::Minimax;
use crate::{Game, Key, Notation, Outcome, Playable, Reference, Rng, write_key};

/// How much random play found.
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
    let mut twin = None;
    walk(game, start, games, |p, made| {
        let q = match (made, twin.take()) {
            (Some(name), Some(q)) => naive.play(&q, name),
            _ => naive.read(&game.board_text(p), game.side(p)),
        };
        let text = game.position_text(p);
        assert_eq!(naive.write(&q), game.board_text(p), "the naive rules (left) write another board");
        assert_eq!(naive.side(&q), game.side(p), "{text}: the naive rules (left) have another side to move");
        assert_eq!(naive.outcome(&q), game.outcome(p), "{text}: the naive rules (left) have another outcome");
        if game.outcome(p).is_none() {
            let ours: BTreeSet<String> = game.moves(p).into_iter().map(|m| game.move_text(p, m)).collect();
            let theirs: BTreeSet<String> = naive.moves(&q).into_iter().collect();
            assert_eq!(theirs, ours, "{text}: the naive rules (left) have other legal moves");
        }
        twin = Some(q);
    })
}

/// Play random games; `visit` is shown every position, with the text of the move that led to it unless it is a start.
pub(super) fn walk<G: Notation>(
    game: &G,
    start: impl Fn(u64) -> G::Position,
    games: u64,
    mut visit: impl FnMut(&G::Position, Option<&str>),
) -> Played {
    let mut keys: HashMap<G::Key, G::Position> = HashMap::new();
    let mut played = Played::default();
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut p = start(seed);
        let mut made: Option<String> = None;
        let mut plies_left = game.max_plies(&p).saturating_add(1);
        loop {
            let text = game.position_text(&p);
            played.positions += 1;
            check_text(game, &p);
            check_packed(game, &p);
            assert!(
                game.max_plies(&p) < plies_left,
                "{text}: max_plies is {}, after a move from {plies_left}",
                game.max_plies(&p)
            );
            plies_left = game.max_plies(&p);
            check_key(game, &p, &mut keys);
            let over = game.outcome(&p);
            let moves = game.moves(&p);
            check_moves(game, &p, &moves);
            visit(&p, made.as_deref());
            if let Some(outcome) = over {
                played.decided += usize::from(outcome != Outcome::Draw);
                played.drawn += usize::from(outcome == Outcome::Draw);
                break;
            }
            let Some(&m) = rng.pick(&moves) else { panic!("{text}: an unfinished game without a move") };
            let name = game.move_text(&p, m);
            assert_eq!(game.parse_move(&p, &name), Ok(m), "{text}: reading the move '{name}' back");
            let next = game.play(&p, m);
            assert!(game.rank(&next) > game.rank(&p), "{text}: the move '{name}' does not increase the rank");
            assert!(
                !G::ALTERNATES || game.side(&next) != game.side(&p),
                "{text}: the same side is to move after '{name}', but Game::ALTERNATES says that they take turns"
            );
            made = Some(name);
            p = next;
        }
    }
    played
}

/// The text of a position reads back, with the side to move and without.
fn check_text<G: Notation>(game: &G, p: &G::Position) {
    let spelled = format!("{} {}", game.board_text(p), game.side(p));
    for text in [game.position_text(p), spelled] {
        match game.parse_position(&text) {
            Ok(read) => assert_eq!(read, *p, "'{text}' reads back as another position"),
            Err(e) => panic!(
                "'{text}' is written but not read: {e} ({}). Write `grid` and `read_grid`, or `board_text` and \
                 `parse_board`.",
                e.hint
            ),
        }
    }
}

/// What is packed beside the key makes the position again, or one with the same key.
fn check_packed<G: Notation>(game: &G, p: &G::Position) {
    let text = game.position_text(p);
    let mut packed = vec![0; game.packed_len()];
    if !game.pack(p, &mut packed) {
        return;
    }
    let mut key = vec![0; game.key_bits().div_ceil(8) as usize];
    write_key(game.key(p), &mut key);
    let Some(again) = game.unpack(&key, &packed) else { panic!("{text} is packed but not unpacked") };
    assert_eq!(game.key(&again), game.key(p), "{text} is unpacked as {again:?}, which has another key");
    assert_eq!(
        (game.rank(&again), game.side(&again), game.outcome(&again)),
        (game.rank(p), game.side(p), game.outcome(p)),
        "{text} is unpacked as {again:?}"
    );
}

/// Moves have different texts and clicks, and no move is done before the clicks of another are.
fn check_moves<G: Notation>(game: &G, p: &G::Position, moves: &[G::Move]) {
    let text = game.position_text(p);
    let names: BTreeSet<String> = moves.iter().map(|&m| game.move_text(p, m)).collect();
    assert_eq!(names.len(), moves.len(), "{text}: two moves have the same text, of these: {names:?}");
    let clicks: BTreeSet<_> = moves.iter().map(|&m| game.clicks(p, m)).collect();
    assert_eq!(
        clicks.len(),
        moves.len(),
        "{text}: two moves are made by the same clicks, of these: {clicks:?}"
    );
    // In the order of the set a list comes right before those that begin like it.
    for (short, long) in clicks.iter().zip(clicks.iter().skip(1)) {
        assert!(!long.starts_with(short), "{text}: the clicks {short:?} make a move before {long:?} can");
    }
}

/// The key is the same for all images, and for no other position met before.
fn check_key<G: Notation>(game: &G, p: &G::Position, keys: &mut HashMap<G::Key, G::Position>) {
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
