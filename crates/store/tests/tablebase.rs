//! Tablebase files: what is written is read, what is damaged is noticed, what was interrupted goes on.

use std::fs;

use ludex_core::{Error, ErrorCode, Rng};
use ludex_store::tablebase::{Builder, Heading, TableError, Tablebase};

fn heading(bits: u32, key_bytes: usize) -> Heading {
    Heading { spec: "heap:9".into(), value_bits: bits, key_bytes, block: 1000, ..Heading::default() }
}

#[test]
fn values_of_every_width_come_back() {
    let folder = tempfile::tempdir().unwrap();
    for bits in [2, 8, 16, 32] {
        let heading = heading(bits, 0);
        let path = folder.path().join(format!("{bits}.table"));
        let mut rng = Rng::new(u64::from(bits));
        let mut entry = || rng.below(if bits == 2 { 4 } else { 256 }) as u8;
        let tiers: Vec<Vec<u8>> =
            [0usize, 1, 999, 1000, 4321].map(|n| (0..n * heading.width()).map(|_| entry()).collect()).into();
        let builder = Builder::open(&path, &heading).unwrap();
        for (i, values) in tiers.iter().enumerate() {
            builder.put(i, &format!("tier {i}"), values, &[]).unwrap();
            assert_eq!(builder.load(i).unwrap().0, *values);
        }
        let table = builder.finish(tiers.len()).unwrap();
        table.check().unwrap();
        assert_eq!(table.heading(), &heading);
        for (i, values) in tiers.iter().enumerate() {
            assert_eq!(table.tiers()[i].name, format!("tier {i}"));
            assert_eq!(table.load(i).unwrap(), *values);
            for (j, value) in values.chunks(heading.width()).enumerate() {
                let expected = value.iter().rev().fold(0, |v, &b| v << 8 | u64::from(b));
                assert_eq!(table.value(i, j as u64).unwrap(), expected);
            }
            assert!(table.value(i, values.len() as u64).is_err());
        }
        assert!(!path.with_extension("table.part").exists());
    }
}

#[test]
fn keys_are_found_and_others_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.table");
    let builder = Builder::open(&path, &heading(8, 3)).unwrap();
    let keys: Vec<[u8; 3]> = (0..5000u32).map(|i| (i * 7).to_be_bytes()[1..].try_into().unwrap()).collect();
    let values: Vec<u8> = (0..5000u32).map(|i| (i % 251) as u8).collect();
    builder.put(0, "keys", &values, keys.as_flattened()).unwrap();
    let table = builder.finish(1).unwrap();
    for i in 0..35_100u32 {
        let expected = (i % 7 == 0 && i < 35_000).then(|| u64::from(i / 7 % 251));
        assert_eq!(table.find(0, &i.to_be_bytes()[1..]).unwrap(), expected);
    }
    assert_eq!(table.find(0, &[1]).unwrap(), None);
}

#[test]
fn a_file_within_the_program_is_read_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.table");
    let heading = Heading { plies: Some(3), ..heading(8, 2) };
    let builder = Builder::open(&path, &heading).unwrap();
    let keys: Vec<[u8; 2]> = (0..3000u16).map(|i| (i * 5).to_be_bytes()).collect();
    let values: Vec<u8> = (0..3000u16).map(|i| (i % 250) as u8).collect();
    builder.put(0, "rank 3", &values, keys.as_flattened()).unwrap();
    let there = builder.finish(1).unwrap();
    let bytes: &'static [u8] = Box::leak(fs::read(&path).unwrap().into());
    let here = Tablebase::within("a book", bytes).unwrap();
    here.check().unwrap();
    assert_eq!((here.heading(), here.digest(), here.tiers()), (&heading, there.digest(), there.tiers()));
    for i in 0..15_100u16 {
        let key = i.to_be_bytes();
        assert_eq!(here.find(0, &key).unwrap(), there.find(0, &key).unwrap());
    }
    for len in (0..bytes.len()).step_by(7) {
        assert!(Tablebase::within("a book", &bytes[..len]).is_err(), "cut to {len} bytes");
    }
}

#[test]
fn any_damage_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("whole.table");
    let builder = Builder::open(&path, &heading(8, 0)).unwrap();
    let mut rng = Rng::new(3);
    let values: Vec<u8> = (0..3000).map(|_| rng.below(5) as u8).collect();
    builder.put(0, "a", &values, &[]).unwrap();
    builder.finish(1).unwrap().check().unwrap();
    let whole = fs::read(&path).unwrap();
    let other = folder.path().join("damaged.table");
    for at in (0..whole.len()).step_by(7) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        fs::write(&other, &damaged).unwrap();
        let noticed = Tablebase::open(&other).and_then(|t| t.check());
        assert!(noticed.is_err(), "a changed byte {at} of {}", whole.len());
        fs::write(&other, &whole[..at]).unwrap();
        assert!(Tablebase::open(&other).is_err(), "cut at {at}");
    }
}

/// One bit of a heading once turned a table of `mnk:3,3,3` into one of `mnk:3,3,2`. Whatever bit of it is wrong, the file
/// is refused when it is opened.
#[test]
fn every_bit_of_the_heading_is_checked_at_opening() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("whole.table");
    let heading = Heading { spec: "mnk:3,3,3".into(), plies: Some(4), ..heading(8, 2) };
    let builder = Builder::open(&path, &heading).unwrap();
    builder.put(0, "rank 0", &[1, 2], &[0, 1, 0, 2]).unwrap();
    builder.finish(1).unwrap();
    let whole: &'static [u8] = Box::leak(fs::read(&path).unwrap().into());
    let length = u32::from_le_bytes(whole[8..12].try_into().unwrap()) as usize;
    assert!(whole[16..16 + length].ends_with(b"\n"), "mark, length, checksum, text");
    for bit in 0..8 * (16 + length) {
        let mut damaged = whole.to_vec();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let damaged: &'static [u8] = Box::leak(damaged.into());
        let refused = Tablebase::within("damaged", damaged);
        assert!(refused.is_err(), "bit {bit}: {:?}", refused.map(|t| t.heading().clone()));
    }
}

#[test]
fn files_of_other_versions_are_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.table");
    let builder = Builder::open(&path, &heading(8, 0)).unwrap();
    builder.put(0, "a", &[1, 2, 3], &[]).unwrap();
    builder.finish(1).unwrap();
    let whole = fs::read(&path).unwrap();
    for (digit, hint) in [(b'2', "build the table again"), (b'4', "use the newer ludex")] {
        let mut other = whole.clone();
        other[7] = digit;
        fs::write(&path, other).unwrap();
        let error = Error::from(Tablebase::open(&path).unwrap_err());
        assert_eq!(error.code, ErrorCode::TableVersion);
        assert!(error.hint.contains(hint), "{error:?}");
        assert!(error.message.contains(&format!("version {}", digit - b'0')), "{error}");
    }
}

#[test]
fn one_builder_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.table");
    let builder = Builder::open(&path, &heading(8, 0)).unwrap();
    builder.put(0, "a", &[1, 2, 3], &[]).unwrap();
    let error = Error::from(Builder::open(&path, &heading(8, 0)).unwrap_err());
    assert_eq!((error.code, error.code.exit()), (ErrorCode::TableBusy, 1));
    assert_eq!(error.message, format!("another process is building {}", path.display()));
    assert!(
        Builder::open(&folder.path().join("other.table"), &heading(8, 0)).is_ok(),
        "another file is free"
    );
    drop(builder);
    let builder = Builder::open(&path, &heading(8, 0)).unwrap();
    assert!(builder.has(0));
    builder.finish(1).unwrap().check().unwrap();
    assert!(!path.with_extension("table.part").exists(), "the lock is gone with the folder");
}

#[test]
fn a_damaged_tier_of_an_unfinished_build_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.table");
    let builder = Builder::open(&path, &heading(8, 0)).unwrap();
    builder.put(0, "rank 3", &[1, 2, 3], &[]).unwrap();
    let file = builder.folder().join("tier-00000");
    let whole = fs::read(&file).unwrap();
    for bit in 0..8 * whole.len() {
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        fs::write(&file, damaged).unwrap();
        assert_eq!(builder.load(0), None, "bit {bit}");
    }
    fs::write(&file, &whole).unwrap();
    assert!(builder.load(0).is_some());
}

#[test]
fn a_build_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.table");
    let builder = Builder::open(&path, &heading(8, 0)).unwrap();
    builder.put(0, "a", &[1, 2, 3], &[]).unwrap();
    drop(builder);
    assert!(matches!(Builder::open(&path, &heading(2, 0)), Err(TableError::Other { .. })));
    let builder = Builder::open(&path, &heading(8, 0)).unwrap();
    assert!(builder.has(0) && !builder.has(1));
    assert!(matches!(builder.load(0), Some((values, _)) if values == [1, 2, 3]));
    builder.put(1, "b", &[4], &[]).unwrap();
    assert_eq!(builder.finish(2).unwrap().value(1, 0).unwrap(), 4);
}

/// A heading decides how much is set aside for a block, before anything of the block is read.
#[test]
fn headings_that_would_take_all_memory_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.table");
    let builder = Builder::open(&path, &heading(8, 1)).unwrap();
    builder.put(0, "a", &[1, 2], &[0, 1]).unwrap();
    builder.finish(1).unwrap();
    let whole = fs::read(&path).unwrap();
    let length = u32::from_le_bytes(whole[8..12].try_into().unwrap()) as usize;
    let text = String::from_utf8(whole[16..16 + length].to_vec()).unwrap();
    for (from, to, right) in [
        ("block=1000", "block=1001", true),
        ("block=1000", "block=33554432", true),
        ("block=1000", "block=33554433", false),
        ("block=1000", "block=18446744073709551615", false),
        ("block=1000", "block=0", false),
        ("key_bytes=1", "key_bytes=18446744073709551615", false),
        ("value_bits=8", "value_bits=72", false),
        ("value_bits=8", "value_bits=0", false),
        ("value_bits=8", "value_bits=4", false),
    ] {
        let forged = text.replace(from, to);
        assert_ne!(forged, text);
        let mut bytes = whole[..8].to_vec();
        bytes.extend((forged.len() as u32).to_le_bytes());
        let crc = ludex_store::tablebase::checksum(&[&bytes[..12], forged.as_bytes()].concat());
        bytes.extend(crc.to_le_bytes());
        bytes.extend(forged.bytes());
        let moved = (bytes.len() as i64) - (16 + length as i64);
        bytes.extend(&whole[16 + length..]);
        // The directory and what it points to have moved with the text.
        let tail = bytes.len() - 56;
        let place = (u64_at(&bytes, tail) as i64 + moved) as usize;
        bytes[tail..tail + 8].copy_from_slice(&(place as u64).to_le_bytes());
        let offset = place + 4 + 4 + 1;
        let segment = u64_at(&bytes, offset) as i64 + moved;
        bytes[offset..offset + 8].copy_from_slice(&(segment as u64).to_le_bytes());
        let crc = ludex_store::tablebase::checksum(&bytes[place..tail]);
        bytes[tail + 12..tail + 16].copy_from_slice(&crc.to_le_bytes());
        fs::write(&path, &bytes).unwrap();
        let opened = Tablebase::open(&path);
        assert_eq!(opened.is_ok(), right, "{to}: {opened:?}");
    }
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}
