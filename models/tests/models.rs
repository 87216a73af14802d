//! Two writers and a reader on one bucket: what is read was, as a whole, put there for that very key.
//!
//! The reader is always the thread that starts last. It writes nothing, so nothing depends on when it runs, but only on
//! what its loads may return, and loom returns every value that the language allows, however old. (loom remembers only the
//! last access to each word, and overlooks orders in which an earlier thread's load would have come after another's
//! store; readers that start first would find hardly anything.)

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use loom::{sync::Arc, thread};
use ludex_core::{Bounds, Key, Value};
use ludex_models::{
    connect4::{KnownScore, Packed, Recall},
    table::{Entry, Table, Wide},
};

/// A thread is interrupted at most this often. With three, every model takes minutes and finds nothing more.
const PREEMPTIONS: usize = 2;

/// Run the writers and the reader in every order. `read` returns whether it found anything: a model in which the reader
/// never finds anything, or always does, models nothing.
fn every_order<T, const N: usize>(
    make: impl Fn() -> T + Send + Sync + 'static,
    writers: [fn(&T); N],
    read: fn(&T) -> bool,
) where
    T: Send + Sync + 'static,
{
    let found = std::sync::Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let counted = found.clone();
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(PREEMPTIONS);
    model.max_branches = 100_000;
    model.check(move || {
        let shared = Arc::new(make());
        let threads = writers.map(|write| {
            let shared = shared.clone();
            thread::spawn(move || write(&shared))
        });
        let reader = {
            let (shared, counted) = (shared.clone(), counted.clone());
            thread::spawn(move || counted[usize::from(read(&shared))].fetch_add(1, Relaxed))
        };
        reader.join().expect("the reader");
        for writer in threads {
            writer.join().expect("a writer");
        }
        // Two writers at once leave no mixture behind.
        read(&shared);
    });
    let [nothing, something] = [&found[0], &found[1]].map(|n| n.load(Relaxed));
    assert!(nothing > 0 && something > 0, "{nothing} times nothing, {something} times something");
}

/// Bounds and tag that follow from one number, so that half of one entry and half of another never fit.
fn entry(n: i16) -> Entry {
    Entry { bounds: Bounds::exact(Value::from_raw(n)), tag: n as u8 & 31 }
}

/// Whether a key is there; if so, with one of its own entries.
fn find<K: Key>(table: &Table<K>, key: K, own: &[i16]) -> bool {
    let found = table.get(key);
    assert!(found.is_none_or(|found| own.iter().any(|&n| found == entry(n))), "{key:?}: {found:?}");
    found.is_some()
}

/// Keys of four bits in two buckets of two: the mixed key's first bit is the bucket, the other three are stored. The keys
/// are mixed to 0, 2 and 4, which fall into one bucket and are told apart by what is stored.
#[test]
fn packed_entries_are_whole() {
    every_order(
        || Table::<u64>::new(1, 4),
        [
            |table: &Table<u64>| {
                table.put(0, entry(5), 1);
                table.put(11, entry(9), 2);
            },
            |table| {
                table.put(0, entry(6), 1);
                table.put(3, entry(11), 3);
            },
        ],
        |table| find(table, 0, &[5, 6]) | find(table, 11, &[9]) | find(table, 3, &[11]),
    );
}

/// A bucket of two entries, for three keys of two words.
#[test]
fn wide_entries_are_whole() {
    every_order(
        || Table::<[u64; 2]>::new(1, 128),
        [|table: &Table<[u64; 2]>| table.put([1, 2], entry(5), 1), |table| table.put([1, 2], entry(6), 2)],
        |table| find(table, [1, 2], &[5, 6]),
    );
    // One entry makes room for another: its key is written first, and must not be found with the old value.
    every_order(
        || {
            let table = Table::<[u64; 2]>::new(1, 128);
            table.put([1, 2], entry(5), 1);
            table.put([3, 2], entry(6), 2);
            table
        },
        [|table: &Table<[u64; 2]>| table.put([3, 4], entry(7), 3)],
        |table| {
            find(table, [1, 4], &[]);
            find(table, [3, 2], &[6]);
            find(table, [1, 2], &[5]);
            find(table, [3, 4], &[7])
        },
    );
}

/// The layout of proof numbers, with a payload of two words. Searches read it by `get`, checkpoints by `each`.
#[test]
fn wide_payloads_are_whole() {
    fn get(table: &Wide) -> bool {
        let mut payload = [0; 2];
        let found = table.get(&[1], 1, &mut payload);
        assert!(!found || payload[1] == 100 * payload[0] && payload[0] > 0, "{payload:?}");
        found
    }
    fn each(table: &Wide) -> bool {
        let mut found = false;
        table.each(1, |key, payload, _| {
            assert!(key == [1] && payload[1] == 100 * payload[0] && payload[0] > 0, "{key:?} {payload:?}");
            found = true;
        });
        found
    }
    every_order(
        || Wide::new(1, 1, 2),
        [|table: &Wide| table.put(&[1], 1, &[5, 500], 1), |table| table.put(&[1], 1, &[6, 600], 2)],
        get,
    );
    every_order(
        || Wide::new(1, 1, 2),
        [|table: &Wide| {
            table.put(&[1], 1, &[5, 500], 1);
            table.put(&[1], 1, &[6, 600], 2);
        }],
        each,
    );
}

/// Connect Four's table doubles between the moments at which a writer, or the reader, finds a place and uses it. The keys
/// are mixed to 15 and 14: one bucket at first, two after it has grown.
#[test]
fn growth_under_readers_keeps_keys_apart() {
    type Recalled = dyn Recall<u64, Place = (u32, u64)>;
    fn put(table: &Recalled, key: u64, n: i8) {
        table.put(table.place(key), KnownScore { lo: n, hi: n, column: n as u8 }, 1);
    }
    fn find(table: &Packed, key: u64, own: &[i8]) -> bool {
        let table: &Recalled = table;
        let found = table.get(table.place(key));
        let known = |n: i8| KnownScore { lo: n, hi: n, column: n as u8 };
        assert!(found.is_none_or(|found| own.iter().any(|&n| found == known(n))), "{key}: {found:?}");
        found.is_some()
    }
    every_order(
        || Packed::growing(1, 1 << 6, 4).expect("it fits"),
        [
            |table: &Packed| {
                put(table, 3, 3);
                Recall::<u64>::settle(table, 1 << 20);
                put(table, 6, 11);
                assert!(table.bytes() > 32, "{} bytes: it has not grown", table.bytes());
            },
            |table| put(table, 6, 12),
        ],
        |table| find(table, 3, &[3]) | find(table, 6, &[11, 12]),
    );
}
