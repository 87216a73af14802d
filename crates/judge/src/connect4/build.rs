//! Working an opening book out: the positions of the last ply by search, those before them from their moves.
//!
//! The work is the list of the last ply's positions, in order of their keys, so that neighbours share what the table
//! remembers. Every value is handed out as it is found: whoever keeps them can go on later where it stopped.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
};

use ludex_core::{Code, Game, Probe, Value};
use ludex_games::connect4::{Board, Connect4, Shape, score};

use super::{driver::score_of, memory::Recall};

/// How a book is worked out.
pub struct Building<'a, M> {
    /// Values of the last ply that are known already, by key.
    pub known: HashMap<u64, Code>,
    /// The table, shared by all threads and positions.
    pub memory: &'a M,
    /// Threads.
    pub threads: usize,
    /// Limits. A building that is stopped keeps what it has handed out.
    pub probe: &'a dyn Probe,
    /// Told of every value that was found: its key, the value, how many are done, and of how many.
    pub found: &'a (dyn Fn(u64, Code, usize, usize) + Sync),
}

/// The unfinished positions after so many plies, up to mirror images, by key, with what they are worth.
pub type Layer = BTreeMap<u64, (Board<u64>, Code)>;

/// The layers of the first `plies` plies, not yet worth anything; `None` if they hold more than `most` positions.
pub fn layers<S: Shape<Word = u64>>(game: &Connect4<S>, plies: u32, most: usize) -> Option<Vec<Layer>> {
    let start = game.root().map(|root| (game.key(&root), (root, Code::UNKNOWN)));
    let mut layers = vec![Layer::from_iter(start)];
    let mut listed = 1;
    for _ in 0..plies {
        let mut next = Layer::new();
        for (p, _) in layers.last().into_iter().flat_map(BTreeMap::values) {
            game.each_move(p, |m| {
                let child = game.play(p, m);
                if game.outcome(&child).is_none() {
                    next.insert(game.key(&child), (child, Code::UNKNOWN));
                }
            });
            if listed + next.len() > most {
                return None;
            }
        }
        listed += next.len();
        layers.push(next);
    }
    Some(layers)
}

/// Say what all positions of the layers are worth; `None` if the probe stopped it.
pub fn build<S: Shape<Word = u64>, M: Recall<u64>>(
    game: &Connect4<S>,
    mut layers: Vec<Layer>,
    building: &Building<'_, M>,
) -> Option<Vec<Layer>> {
    search(game, layers.last_mut()?, building)?;
    for ply in (0..layers.len() - 1).rev() {
        let (before, after) = layers.split_at_mut(ply + 1);
        for (p, code) in before[ply].values_mut() {
            game.each_move(p, |m| {
                let child = game.play(p, m);
                let worth = match game.outcome(&child) {
                    Some(outcome) => Code::of(Value::ended(outcome)),
                    None => after[0][&game.key(&child)].1,
                };
                *code = (*code).max(worth.back());
            });
        }
    }
    Some(layers)
}

/// Search what is not known of a layer; `None` if the probe stopped it.
fn search<S: Shape<Word = u64>, M: Recall<u64>>(
    game: &Connect4<S>,
    layer: &mut Layer,
    building: &Building<'_, M>,
) -> Option<()> {
    let of = layer.len();
    let mut todo = Vec::new();
    for (key, (p, code)) in layer {
        match building.known.get(key) {
            Some(known) => *code = *known,
            None => todo.push((*key, p, code)),
        }
    }
    let done = AtomicUsize::new(of - todo.len());
    let todo = Mutex::new(todo.into_iter());
    let next = || todo.lock().unwrap_or_else(PoisonError::into_inner).next();
    let stopped = thread::scope(|scope| {
        let workers: Vec<_> = (0..building.threads.max(1))
            .map(|_| {
                scope.spawn(|| {
                    while let Some((key, p, code)) = next() {
                        let Some((score, _)) = score_of(game, *p, building.memory, building.probe) else {
                            return true;
                        };
                        *code = Code::of(score::value(score, game.max_plies(p)));
                        (building.found)(key, *code, done.fetch_add(1, Relaxed) + 1, of);
                    }
                    false
                })
            })
            .collect();
        workers.into_iter().map(|w| w.join().unwrap_or(true)).fold(false, |any, one| any | one)
    });
    (!stopped).then_some(())
}

#[cfg(test)]
mod tests {
    use ludex_core::Unlimited;
    use ludex_games::connect4::Sized;

    use super::*;
    use crate::connect4::memory::Packed;

    /// A small book, worked out in two goes, knows what searches find.
    #[test]
    fn a_book_agrees_with_searches() {
        let game = Connect4::new(Sized::<u64>::new(5, 4).expect("it fits"));
        let memory = Packed::new(1 << 20, game.key_bits()).expect("it fits");
        let all = Mutex::new(HashMap::new());
        let found = |key, code, _, _| {
            all.lock().expect("no panic").insert(key, code);
        };
        let first =
            Building { known: HashMap::new(), memory: &memory, threads: 2, probe: &Unlimited, found: &found };
        let listed = layers(&game, 3, 1000).expect("few");
        let book = build(&game, listed.clone(), &first).expect("no limit");
        let known = all.lock().expect("no panic").clone();
        let again = |_, _, _, _| panic!("everything is known");
        let second = Building { known, memory: &memory, threads: 1, probe: &Unlimited, found: &again };
        assert_eq!(build(&game, listed, &second), Some(book.clone()));
        for (key, (p, code)) in book.iter().flatten() {
            let (score, _) = score_of(&game, *p, &memory, &Unlimited).expect("no limit");
            assert_eq!(code.value(), Some(score::value(score, game.max_plies(p))), "{key}");
        }
    }
}
