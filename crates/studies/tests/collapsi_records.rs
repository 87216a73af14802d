//! Record files of Collapsi: keys of the reference deals, layouts, and what a validation finds.

use std::{fs, path::PathBuf};

use ludex_core::{Notation, Outcome};
use ludex_games::collapsi::Collapsi;
use ludex_studies::collapsi::{
    Fast,
    records::{INDEX_LAYOUTS, IndexEntry, LAYOUTS, Record, RecordError, Records, Sets, check, read_index},
};

/// The rows of a reference file with a quoted column of sets.
fn rows(csv: &str) -> Vec<Vec<String>> {
    csv.lines()
        .filter(|l| !l.starts_with('#') && !l.starts_with("id,"))
        .map(|line| {
            let (before, rest) = line.split_once('"').expect("sets in quotes");
            let (sets, after) = rest.split_once('"').expect("sets in quotes");
            let mut fields: Vec<String> =
                before.trim_end_matches(',').split(',').map(str::to_owned).collect();
            fields.push(sets.to_owned());
            fields.extend(after.trim_start_matches(',').split(',').map(str::to_owned));
            fields
        })
        .collect()
}

fn sets(text: &str) -> Sets {
    let n: Vec<u16> = text.split(',').map(|s| u16::from_str_radix(s, 16).expect("hex")).collect();
    Sets { cards: [n[0], n[1], n[2], n[3]], x: n[4], o: n[5], collapsed: n[6], turn: n[7] as u8 }
}

#[test]
fn sets_and_keys_of_the_reference_deals() {
    let game = Collapsi::new(4, false);
    for row in rows(include_str!("../../games/tests/data/collapsi_deals.csv")) {
        let given = sets(&row[8]);
        let p = game.parse_position(&format!("{} {}", row[1], row[2])).expect("a deal");
        assert_eq!(Sets::of(&p), given, "{}", row[1]);
        assert_eq!(given.position().expect("a board"), p);
        assert_eq!(format!("{:016x}", given.normal().key()), row[9], "{}", row[1]);
        for shift in given.shifts() {
            assert_eq!(shift.normal(), given.normal());
        }
    }
    for row in rows(include_str!("../../games/tests/data/collapsi_positions.csv")) {
        let p = game.parse_position(&format!("{} {}", row[1], row[2])).expect("a position");
        assert_eq!(sets(&row[7]).position().expect("a board"), p, "{}", row[1]);
    }
}

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("ludex-records-{}-{name}", std::process::id()));
    fs::write(&path, bytes).expect("written");
    path
}

/// Correct records and index entries of some deals.
fn solved(deals: u64) -> Vec<(Record, IndexEntry)> {
    let game = Collapsi::new(4, false);
    let mut fast = Fast::new(&game);
    (0..deals)
        .map(|seed| {
            let sets = Sets::of(&game.shuffled(seed)).normal();
            let p = sets.position().expect("a deal");
            let value = fast.value(&p);
            let moves = fast.moves(&p);
            let best = moves.iter().find(|(_, v)| *v == value).map_or(0xFF, |(m, _)| m.from << 4 | m.to);
            let record = Record {
                key: sets.key(),
                turn: sets.turn,
                win: u8::from(value.outcome() == Outcome::Win),
                best,
                plies: value.plies().expect("no draws") as u16,
            };
            (record, IndexEntry { key: record.key, sets })
        })
        .collect()
}

#[test]
fn every_layout_is_detected_and_sound() {
    let all = solved(40);
    let index: Vec<u8> = all.iter().flat_map(|(_, e)| INDEX_LAYOUTS[0].encode(e)).collect();
    let index = file("index", &index);
    for layout in LAYOUTS {
        let bytes: Vec<u8> = all.iter().flat_map(|(r, _)| layout.encode(r)).collect();
        let path = file(&format!("sound-{}", layout.size), &bytes);
        let records = Records::open(&path).expect("a record file");
        assert_eq!((records.layout, records.count), (layout, 40));
        let read: Vec<Record> = records.map(|r| r.expect("readable").1).collect();
        assert_eq!(read, all.iter().map(|(r, _)| *r).collect::<Vec<_>>());
        let checked = check(&path, Some(&index), None).expect("readable");
        assert!(checked.sound(), "{:?}", checked.anomalies);
        assert_eq!((checked.count, checked.solved_again, checked.samples.len()), (40, 40, 5));
        // Cut within the last record: an error that names where.
        let cut = file(&format!("cut-{}", layout.size), &bytes[..bytes.len() - 3]);
        match Records::open(&cut) {
            Err(RecordError::Foreign { offset, .. }) => assert_eq!(offset, 39 * layout.size as u64),
            other => panic!("{}: {other:?}", layout.name),
        }
        fs::remove_file(cut).expect("removed");
        fs::remove_file(path).expect("removed");
    }
    for layout in INDEX_LAYOUTS {
        let bytes: Vec<u8> = all.iter().flat_map(|(_, e)| layout.encode(e)).collect();
        let path = file(&format!("index-{}", layout.size), &bytes);
        let mut read = Vec::new();
        let found = read_index(&path, |entry| {
            read.push(entry);
            true
        });
        assert_eq!(found.expect("an index"), layout);
        assert_eq!(read, all.iter().map(|(_, e)| *e).collect::<Vec<_>>());
        fs::remove_file(path).expect("removed");
    }
    fs::remove_file(index).expect("removed");
}

#[test]
fn every_anomaly_is_found() {
    let all = solved(30);
    let index: Vec<u8> = all.iter().flat_map(|(_, e)| INDEX_LAYOUTS[1].encode(e)).collect();
    let index = file("anomalies-index", &index);
    let mut records: Vec<Record> = all.iter().map(|(r, _)| *r).collect();
    records[3].plies = 60;
    records[4].key = 0;
    records[5].key = records[6].key;
    records[7].best = 0x11;
    records[8].win ^= 1;
    records[9].best = (records[9].best & 0xF0) | (records[9].best + 7) & 15;
    records[10] = Record { win: 1, plies: 0, ..records[10] };
    let bytes: Vec<u8> = records.iter().flat_map(|r| LAYOUTS[0].encode(r)).collect();
    let path = file("anomalies", &bytes);
    let checked = check(&path, Some(&index), None).expect("readable");
    assert!(!checked.sound());
    let first = |name: &str| {
        let anomaly = checked.anomalies.iter().find(|a| a.name.starts_with(name)).expect(name);
        (anomaly.count, anomaly.first.first().copied())
    };
    assert_eq!(first("loose: plies over 50"), (1, Some(3)));
    assert_eq!(first("loose: win with less"), (1, Some(10)));
    assert_eq!(first("plies over 14"), (1, Some(3)));
    assert_eq!(first("zero key"), (1, Some(4)));
    assert_eq!(first("duplicate key"), (1, Some(6)));
    assert_eq!(first("best move from a cell to itself"), (1, Some(7)));
    assert!(first("win and plies disagree").0 >= 2);
    assert!(first("value wrong").0 >= 3);
    assert!(first("best move not legal").0 >= 1);
    assert_eq!(checked.zero_in_first, (1, 30));
    let part = check(&path, Some(&index), Some(5)).expect("readable");
    assert_eq!((part.count, part.looked_at, part.solved_again, part.zero_in_first), (30, 5, 4, (1, 5)));
    assert_eq!(part.turns.iter().sum::<u64>(), 5, "it stops after five");
    let foreign = file("foreign", &b"this is no record file at all, but a letter\n".repeat(12));
    assert!(matches!(Records::open(&foreign), Err(RecordError::Foreign { offset: 0, .. })));
    for path in [foreign, path, index] {
        fs::remove_file(path).expect("removed");
    }
}
