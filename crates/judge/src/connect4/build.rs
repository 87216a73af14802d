//! Building an opening book: the positions of the last ply by search, those before them from their moves.
//!
//! The work is the list of the last ply's positions, in order of their keys, so that neighbours share what the table
//! remembers. Every score is handed out as it is found: whoever keeps them can go on later where it stopped.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
};

use ludex_core::{Game, Notation, Outcome, Probe};
use ludex_games::connect4::{Board, Connect4, Shape, score};

use super::{book::Book, driver::score_of, memory::Recall};

/// A book in the making.
pub struct Building<'a, M> {
    /// Scores that are known already, by key.
    pub known: HashMap<u64, i8>,
    /// The table, shared by all threads and positions.
    pub memory: &'a M,
    /// Threads.
    pub threads: usize,
    /// Limits. A building that is stopped keeps what it has handed out.
    pub probe: &'a dyn Probe,
    /// Told of every score that was found: its key, the score, how many are done, and of how many.
    pub found: &'a (dyn Fn(u64, i8, usize, usize) + Sync),
}

/// Build the book of the first `plies` plies; `None` if the probe stopped it.
pub fn build<S: Shape<Word = u64>, M: Recall<u64>>(
    game: &Connect4<S>,
    plies: u32,
    building: Building<'_, M>,
) -> Option<Book> {
    let mut layers: Vec<BTreeSet<u64>> = vec![BTreeSet::new(); plies as usize + 1];
    let mut boards: HashMap<u64, Board<u64>> = HashMap::new();
    let root = game.root()?;
    layers[0].insert(game.key(&root));
    boards.insert(game.key(&root), root);
    for ply in 0..plies as usize {
        let layer: Vec<u64> = layers[ply].iter().copied().collect();
        for key in layer {
            let p = boards[&key];
            game.each_move(&p, |m| {
                let child = game.play(&p, m);
                if game.outcome(&child).is_none() {
                    layers[ply + 1].insert(game.key(&child));
                    boards.insert(game.key(&child), child);
                }
            });
        }
    }
    let mut scores = search_last(game, layers.last()?, &boards, &building)?;
    for layer in layers.iter().rev().skip(1) {
        for key in layer {
            let p = boards[key];
            let mut best = i32::MIN;
            game.each_move(&p, |m| {
                let child = game.play(&p, m);
                let worth = match game.outcome(&child) {
                    Some(Outcome::Draw) => 0,
                    Some(_) => -score::lost_with(game.max_plies(&child)),
                    None => -i32::from(scores[&game.key(&child)]),
                };
                best = best.max(worth);
            });
            scores.insert(*key, best as i8);
        }
    }
    Some(Book::new(game.spec(), plies, scores.into_iter().collect()))
}

fn search_last<S: Shape<Word = u64>, M: Recall<u64>>(
    game: &Connect4<S>,
    layer: &BTreeSet<u64>,
    boards: &HashMap<u64, Board<u64>>,
    building: &Building<'_, M>,
) -> Option<HashMap<u64, i8>> {
    let known = layer.iter().filter_map(|key| Some((*key, *building.known.get(key)?)));
    let scores: Mutex<HashMap<u64, i8>> = Mutex::new(known.collect());
    let todo: Vec<u64> = layer.iter().filter(|key| !building.known.contains_key(key)).copied().collect();
    let next = AtomicUsize::new(0);
    let stopped = thread::scope(|scope| {
        let workers: Vec<_> = (0..building.threads.max(1))
            .map(|_| {
                scope.spawn(|| {
                    while let Some(&key) = todo.get(next.fetch_add(1, Relaxed)) {
                        let Some((score, _)) = score_of(game, boards[&key], building.memory, building.probe)
                        else {
                            return true;
                        };
                        let mut scores = scores.lock().unwrap_or_else(PoisonError::into_inner);
                        scores.insert(key, score as i8);
                        (building.found)(key, score as i8, scores.len(), layer.len());
                    }
                    false
                })
            })
            .collect();
        workers.into_iter().map(|w| w.join().unwrap_or(true)).fold(false, |any, one| any | one)
    });
    (!stopped).then(|| scores.into_inner().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use ludex_core::Unlimited;
    use ludex_games::connect4::Sized;

    use super::*;
    use crate::connect4::memory::Packed;

    /// A small book, built in two goes, knows what searches find.
    #[test]
    fn a_book_agrees_with_searches() {
        let game = Connect4::new(Sized::<u64>::new(5, 4).expect("it fits"));
        let memory = Packed::new(1 << 20, game.key_bits()).expect("it fits");
        let all = Mutex::new(HashMap::new());
        let found = |key, score, _, _| {
            all.lock().expect("no panic").insert(key, score);
        };
        let first =
            Building { known: HashMap::new(), memory: &memory, threads: 2, probe: &Unlimited, found: &found };
        let book = build(&game, 3, first).expect("no limit");
        let known = all.lock().expect("no panic").clone();
        let again = |_, _, _, _| panic!("everything is known");
        let second = Building { known, memory: &memory, threads: 1, probe: &Unlimited, found: &again };
        assert_eq!(build(&game, 3, second), Some(book.clone()));
        let root = game.root().expect("a start");
        assert_eq!(book.score(game.key(&root)), Some(0));
        game.each_move(&root, |m| {
            let child = game.play(&root, m);
            let (score, _) = score_of(&game, child, &memory, &Unlimited).expect("no limit");
            assert_eq!(book.score(game.key(&child)), Some(score));
        });
    }
}
