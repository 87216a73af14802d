//! Threads on tables of a few entries, little enough for an interpreter: `scripts/nightly` runs these under Miri, which checks every
//! access to memory and lets a load return any value that the language's memory model allows, with other orders for every seed.

use std::thread;

use ludex_core::{
    Bounds, Game as _, Goal, Key, Notation as _, Probe, Rng, Status, Stop, Value, conformance::Minimax,
};
use ludex_games::template::Heap;
use ludex_search::{
    Ask, alphabeta,
    dfpn::{self, ProofTable},
    table::{Entry, Table, memory},
};

/// Bounds and tag that follow from one number, so that half of one entry and half of another never fit.
fn entry(n: u64) -> Entry {
    Entry { bounds: Bounds::exact(Value::from_raw(n as i16)), tag: n as u8 % 32 }
}

/// Every thread puts and gets the same few keys. Whatever is found was put there for that key.
fn hammer<K: Key>(table: &Table<K>, keys: u64, rounds: usize, make: fn(u64) -> K) -> usize {
    thread::scope(|scope| {
        let workers = (0..3).map(|worker| {
            scope.spawn(move || {
                let mut rng = Rng::new(worker);
                let mut hits = 0;
                for _ in 0..rounds {
                    let n = rng.next_u64() % keys;
                    table.prefetch(make(n));
                    if let Some(found) = table.get(make(n)) {
                        assert_eq!(found, entry(n));
                        hits += 1;
                    }
                    table.put(make(n), entry(n), n);
                }
                hits
            })
        });
        let workers: Vec<_> = workers.collect();
        workers.into_iter().map(|worker| worker.join().expect("no panic")).sum()
    })
}

#[test]
fn one_word_per_entry() {
    let table = Table::<u64>::new(1, 8);
    assert!(hammer(&table, 40, 60, |n| n) > 0);
    assert!(table.fill() > 0.0);
}

#[test]
fn several_words_per_entry() {
    let table = Table::<[u64; 3]>::new(1, 192);
    assert!(hammer(&table, 5, 60, |n| [n, n * 0x9e37_79b9, !n]) > 0);
    let table = Table::<u128>::new(1, 128);
    assert!(hammer(&table, 5, 60, |n| u128::from(n) << 64 | u128::from(!n)) > 0);
}

#[test]
fn growth_while_others_read() {
    let mut table = Table::<u128>::growing(1 << 8, 1 << 13, 128);
    let least = table.bytes();
    hammer(&table, 200, 100, |n| u128::from(n) << 64 | u128::from(!n));
    assert!(table.bytes() > least, "it has not grown");
    table.settle();
    table.age();
    assert_eq!(table.get(1), None);
}

#[test]
fn zeros_are_zeros() {
    assert!(memory::zeroed(100).iter().all(|word| word.load(std::sync::atomic::Ordering::Relaxed) == 0));
}

struct Always;

impl Probe for Always {
    fn check(&self, _: u64) -> Option<Stop> {
        None
    }
}

/// Whole searches, two of each kind on shared tables.
#[test]
fn searches_share_tables() {
    let game = Heap { size: 9 };
    let p = game.deal(1).expect("a start");
    let value = Minimax::new().value(&game, &p);
    let game = game.for_goal(Goal::Distance);
    let (table, proofs) = (Table::new(1 << 10, game.key_bits()), ProofTable::new(1 << 10));
    thread::scope(|scope| {
        for worker in 0..4 {
            let (game, table, proofs) = (&game, &table, &proofs);
            scope.spawn(move || {
                let ask = Ask { game, position: p, goal: Goal::Distance, probe: &Always, worker };
                let verdict = if worker.is_multiple_of(2) {
                    alphabeta::solve(&ask, table)
                } else {
                    dfpn::solve(&ask, proofs, dfpn::Options::default())
                };
                let verdict = verdict.expect("no contradiction");
                assert_eq!((verdict.status, verdict.bounds.value()), (Status::Solved, Some(value)));
            });
        }
    });
}
