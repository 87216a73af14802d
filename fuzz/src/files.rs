//! Files: tables, checkpoints, databases, and the records of other programs.
//!
//! Most inputs here are *edits* of a good file, four bytes each: where (two bytes, of 65,536 equal parts), and by what the
//! byte there is changed (xor), then how many times the next byte follows. A fuzzer that had to find the magic numbers and
//! checksums first would see nothing else.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use ludex_core::{Bounds, Rng, Side, Value};
use ludex_games::collapsi::Collapsi;
use ludex_store::{
    Filter, Memory as _, Row, Store,
    checkpoint::{self, Reached},
    tablebase::{Builder, Heading, Tablebase},
};
use ludex_studies::collapsi::records::{
    self, INDEX_LAYOUTS, IndexEntry, LAYOUTS, Record, Records, Sets, read_index,
};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::bounded;

/// Enough for one block, unpacked and taken apart, whatever its file says: a block has at most 64 MiB.
const BLOCK: usize = 200 << 20;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));

/// A file of this thread's own.
fn place(name: &str) -> PathBuf {
    let thread = std::thread::current().id();
    FOLDER.path().join(format!("{name}-{thread:?}"))
}

fn written(name: &str, bytes: &[u8]) -> PathBuf {
    let path = place(name);
    fs::write(&path, bytes).expect("written");
    path
}

/// A good file with edits.
fn edited(good: &[u8], data: &[u8]) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for edit in data.as_chunks::<4>().0.iter().take(64) {
        let at = (usize::from(u16::from_le_bytes([edit[0], edit[1]])) * bytes.len()) >> 16;
        for i in 0..=usize::from(edit[3] % 8) {
            if let Some(byte) = bytes.get_mut(at + i) {
                *byte ^= edit[2];
            }
        }
    }
    if let [length, ..] = data.as_chunks::<4>().1
        && *length > 0
    {
        bytes.truncate(bytes.len() * usize::from(*length) / 256);
    }
    bytes
}

pub(crate) fn edits() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(1);
    let mut seeds = vec![Vec::new(), vec![128], vec![255]];
    seeds.extend((0..40).map(|_| rng.next_u64().to_le_bytes()[..4].to_vec()));
    seeds
}

static TABLE_HEADING: LazyLock<Heading> = LazyLock::new(|| Heading {
    spec: "heap:9".into(),
    value_bits: 8,
    key_bytes: 3,
    block: 100,
    ..Heading::default()
});

/// A file and the entries in it, by key.
type FileAndEntries = (Vec<u8>, Vec<(Vec<u8>, u64)>);

/// A table with keys and several blocks, and what it holds.
static TABLE: LazyLock<FileAndEntries> = LazyLock::new(|| {
    let path = FOLDER.path().join("good.table");
    let builder = Builder::open(&path, &TABLE_HEADING).expect("a table");
    let mut entries = Vec::new();
    for tier in 0..3u32 {
        let keys: Vec<[u8; 3]> =
            (0..250u32).map(|i| std::array::from_fn(|b| (i * 7 + tier).to_be_bytes()[b + 1])).collect();
        let values: Vec<u8> = (0..250u32).map(|i| (i % 251) as u8).collect();
        builder.put(tier as usize, &format!("tier {tier}"), &values, keys.as_flattened()).expect("a tier");
        entries.extend(keys.iter().zip(&values).map(|(key, &value)| (key.to_vec(), u64::from(value))));
    }
    drop(builder.finish(3).expect("a table"));
    (fs::read(path).expect("the table"), entries)
});

/// All that a table says, if it is read to the end.
fn entries(table: &Tablebase) -> Option<Vec<(Vec<u8>, u64)>> {
    let mut all = Vec::new();
    for tier in 0..table.tiers().len() {
        table.each(tier, |_, key, value| all.push((key.to_vec(), value))).ok()?;
    }
    Some(all)
}

/// A damaged table is refused, or says what it said before; and only a whole one passes its check.
pub(crate) fn table(data: &[u8]) {
    let (good, truth) = &*TABLE;
    let bytes = edited(good, data);
    let path = written("table", &bytes);
    let Ok(table) = bounded(BLOCK, || Tablebase::open(&path)) else { return };
    assert_eq!((table.heading(), table.tiers().len()), (&*TABLE_HEADING, 3), "a changed heading is believed");
    if bounded(BLOCK, || table.check()).is_ok() {
        assert!(bytes == *good, "a changed file passes its check");
    }
    if let Some(said) = bounded(BLOCK, || entries(&table)) {
        assert!(said == *truth, "a changed file says something else");
    }
    for (i, (key, value)) in truth.iter().enumerate().step_by(31) {
        if let Ok(found) = table.find(i / 250, key) {
            assert_eq!(found, Some(*value), "key {key:?}");
        }
        if let Ok(found) = table.value(i / 250, i as u64 % 250) {
            assert_eq!(found, *value, "number {i}");
        }
    }
}

/// The same where whoever changed the file has put the checksums right: it may say anything, in bounded memory.
pub(crate) fn hostile_table(data: &[u8]) {
    let bytes = sealed(edited(&TABLE.0, data));
    let path = written("hostile", &bytes);
    let Ok(table) = bounded(BLOCK, || Tablebase::open(&path)) else { return };
    let _ = bounded(BLOCK, || table.check());
    for tier in 0..table.tiers().len() + 1 {
        for n in [0, 1, 99, 100, 249, u64::MAX] {
            let _ = bounded(BLOCK, || table.value(tier, n));
        }
        let _ = bounded(BLOCK, || table.find(tier, &[0, 0, 7]));
    }
}

/// Put right what checksums can be found: of the directory, the indexes and the blocks, as the format's page says.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    const TAIL: usize = 8 + 4 + 4 + 32 + 8;
    let number = |bytes: &[u8], at: usize, len: usize| -> Option<usize> {
        let field = bytes.get(at..at.checked_add(len)?)?;
        let number = field.iter().rev().fold(0u64, |n, &b| n << 8 | u64::from(b));
        // Beyond the end of any file there is nothing to put right, and sums of what is left do not overflow.
        usize::try_from(number).ok().filter(|_| number < 1 << 40)
    };
    let mut seal = || -> Option<()> {
        let tail = bytes.len().checked_sub(TAIL)?;
        let (directory, len) = (number(&bytes, tail, 8)?, number(&bytes, tail + 8, 4)?);
        let mut at = directory + 4;
        for _ in 0..number(&bytes, directory, 4)?.min(8) {
            let name = number(&bytes, at, 4)?;
            let (offset, size) = (number(&bytes, at + 4 + name, 8)?, number(&bytes, at + 12 + name, 8)?);
            at += 28 + name;
            let trailer = offset.checked_add(size)?.checked_sub(32)?;
            let (index, blocks) = (number(&bytes, trailer + 8, 8)?, number(&bytes, trailer + 16, 4)?);
            let width = trailer.checked_sub(offset.checked_add(index)?)?.checked_div(blocks)?;
            // More blocks than the index has bytes are the reader's affair.
            for block in 0..if width == 0 { 0 } else { blocks } {
                let entry = offset + index + block * width;
                let (from, len) = (number(&bytes, entry, 8)?, number(&bytes, entry + 8, 4)?);
                let crc = crc32fast::hash(bytes.get(offset + from..offset + from + len)?);
                bytes.get_mut(entry + 12..entry + 16)?.copy_from_slice(&crc.to_le_bytes());
            }
            let crc = crc32fast::hash(bytes.get(offset + index..trailer)?);
            bytes.get_mut(trailer + 20..trailer + 24)?.copy_from_slice(&crc.to_le_bytes());
        }
        let crc = crc32fast::hash(bytes.get(directory..directory + len)?);
        bytes.get_mut(tail + 12..tail + 16)?.copy_from_slice(&crc.to_le_bytes());
        Some(())
    };
    let _ = seal();
    bytes
}

const ABOUT: &str = "game=heap:21\nwithout=\n";

static CHECKPOINT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let path = FOLDER.path().join("good.checkpoint");
    let each = |put: &mut dyn FnMut(&[u64])| (0..40).for_each(|i| put(&[i, u64::MAX - i]));
    checkpoint::save(&path, ABOUT, Reached { nodes: 7, seconds: 0.5 }, &each).expect("saved");
    fs::read(path).expect("the checkpoint")
});

fn load(path: &Path, bytes: usize) -> Option<(Reached, Vec<[u64; 2]>)> {
    let mut entries = Vec::new();
    let reached = bounded((1 << 20) + 4 * bytes, || {
        checkpoint::load(path, ABOUT, 2, &mut |entry| entries.push([entry[0], entry[1]]))
    });
    Some((reached.ok()??, entries))
}

/// A damaged checkpoint is refused. Where the digest was put right it may say anything, in as much memory as it is long.
pub(crate) fn checkpoint(data: &[u8]) {
    let mut bytes = edited(&CHECKPOINT, data);
    let path = written("checkpoint", &bytes);
    if load(&path, bytes.len()).is_some() {
        assert!(bytes == *CHECKPOINT, "a changed file is believed");
    }
    if let Some(end) = bytes.len().checked_sub(32) {
        let digest = Sha256::digest(&bytes[..end]);
        bytes[end..].copy_from_slice(&digest);
        let path = written("checkpoint", &bytes);
        if let Some((_, entries)) = load(&path, bytes.len()) {
            assert!(16 * entries.len() <= bytes.len());
        }
    }
}

/// Texts of any kind go into a database and come back, and no condition finds a row that does not fit it.
pub(crate) fn row(data: &[u8]) {
    let mut rest = data;
    let mut number = || match rest.split_off_first() {
        Some(&byte) => byte,
        None => 0,
    };
    let (lo, hi, cut, side) = (number(), number(), number(), number());
    let text = String::from_utf8_lossy(rest);
    let (spec, position) = text.split_at(text.floor_char_boundary(usize::from(cut)));
    let value = |n: u8| Value::from_raw((i16::from(n) - 128) * 8);
    let side = if side & 1 == 0 { Side::First } else { Side::Second };
    let mut row = Row::new(spec, rest, position, side);
    row.bounds = Bounds { lo: value(lo), hi: value(hi) };
    row.best = (!position.is_empty()).then(|| position.to_owned());
    row.pv = position.split_whitespace().map(str::to_owned).collect();
    row.solver = spec.chars().rev().collect();
    row.switches = position.to_owned();
    let store = Store::memory().expect("a database");
    let put = store.put(&row);
    assert_eq!(put.is_ok(), row.bounds.lo <= row.bounds.hi, "{put:?}");
    if put.is_err() {
        assert!(store.get(spec, rest).expect("an answer").is_none());
        return;
    }
    let found = store.get(spec, rest).expect("an answer").expect("the row");
    assert_eq!(Row { created: 0, ..found }, Row { created: 0, ..row.clone() });
    for filter in [
        Filter { position: Some(position.to_owned()), ..Filter::default() },
        Filter { solver: Some(row.solver.clone()), ..Filter::default() },
    ] {
        assert_eq!(store.query(&filter).expect("an answer").len(), 1, "{filter:?}");
    }
    let other = Filter { solver: Some(format!("{}x", row.solver)), ..Filter::default() };
    assert_eq!(store.purge(&other).expect("an answer"), 0);
}

pub(crate) fn rows() -> Vec<Vec<u8>> {
    let texts =
        ["\x10\u{20}\x05\0heap:9 5 first", "\x7f\x7f\x02\x01';--\"%_*?[a]\0x", "\x40\x40\x03\x01mnk:3,3,3\n"];
    texts.map(|text| text.as_bytes().to_vec()).into()
}

/// A database with a few rows, as one file.
static DATABASE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let path = FOLDER.path().join("good.db");
    let store = Store::open(&path).expect("a database");
    for i in 0..20u64 {
        store.put(&database_row(i)).expect("a row");
    }
    drop(store);
    assert!(!path.with_extension("db-wal").exists(), "the log is part of the file now");
    fs::read(path).expect("the database")
});

fn database_row(i: u64) -> Row {
    let mut row = Row::new("heap:21", &i.to_le_bytes(), &i.to_string(), Side::First);
    row.solver = "brute".into();
    row.bounds = Bounds::exact(if i.is_multiple_of(3) {
        Value::loss(2 * i as u32)
    } else {
        Value::win(2 * i as u32 + 1)
    });
    row
}

/// A damaged database is refused, or what it says of a position is what was written: a row that was changed is an error.
pub(crate) fn database(data: &[u8]) {
    let bytes = edited(&DATABASE, data);
    let path = written("database", &bytes);
    let mut said = Vec::new();
    if let Ok(store) = Store::open(&path) {
        for i in 0..20u64 {
            if let Ok(Some(row)) = store.get("heap:21", &i.to_le_bytes()) {
                assert_eq!(row.key, i.to_le_bytes());
                said.push(row);
            }
        }
        said.extend(store.query(&Filter::default()).unwrap_or_default());
        let _ = store.check();
    }
    // A row that has lost its checksum is taken for one of an older program's, and gets one when the file is opened. That is
    // the only thing that opening a database of this version writes.
    let log = fs::metadata(format!("{}-wal", path.display())).is_ok_and(|log| log.len() > 0);
    let sealed = log || fs::read(&path).is_ok_and(|now| now != bytes);
    for row in said.into_iter().filter(|_| !sealed) {
        let number = row.key.try_into().map(u64::from_le_bytes).expect("a key of eight bytes");
        assert_eq!((row.spec.as_str(), number < 20), ("heap:21", true), "a changed row is believed");
        let truth = database_row(number);
        assert_eq!((row.position, row.bounds), (truth.position, truth.bounds), "a changed row is believed");
    }
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{end}", path.display()));
    }
}

/// Files of records of any kind: they are read to the end or refused, and written back as they were.
pub(crate) fn collapsi_records(data: &[u8]) {
    let path = written("records", data);
    if let Ok(records) = bounded(1 << 20, || Records::open(&path)) {
        let (layout, count) = (records.layout, records.count);
        assert_eq!(layout.size as u64 * count, data.len() as u64);
        let all: Vec<Record> = records.map(|record| record.expect("a whole record").1).collect();
        assert_eq!(all.len() as u64, count);
        for (record, bytes) in all.iter().zip(data.chunks(layout.size)) {
            assert_eq!(layout.decode(&layout.encode(record)), *record);
            assert_eq!(layout.encode(record)[..11], bytes[..11]);
        }
        let _ = records::check(&path, Some(&path), None);
    }
    let mut entries = Vec::new();
    let layout = bounded((1 << 20) + 8 * data.len(), || {
        read_index(&path, |entry| {
            entries.push(entry);
            true
        })
    });
    if let Ok(layout) = layout {
        assert_eq!(layout.size * entries.len(), data.len());
        for entry in entries {
            assert_eq!(layout.decode(&layout.encode(&entry)), entry);
            if let Ok(p) = entry.sets.position() {
                // A position does not know what its collapsed cards were; otherwise it is the same.
                assert_eq!(Sets::of(&p).position(), Ok(p), "{:?}", entry.sets);
            }
        }
    }
}

pub(crate) fn collapsi() -> Vec<Vec<u8>> {
    let record = Record { key: 0x1234_5678_9abc, turn: 1, win: 0, best: 5, plies: 11 };
    let mut seeds: Vec<Vec<u8>> = LAYOUTS.iter().map(|layout| layout.encode(&record).repeat(3)).collect();
    let sets = Sets::of(&Collapsi::new(4, false).shuffled(3));
    let entry = IndexEntry { key: sets.key(), sets };
    seeds.extend(INDEX_LAYOUTS.iter().map(|layout| layout.encode(&entry).repeat(2)));
    seeds
}
