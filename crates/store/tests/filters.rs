//! What a filter chooses, to list or to purge.

use ludex_core::Side;
use ludex_store::{Filter, Memory, Row, Store, key_bytes};

fn row(spec: &str, key: u64) -> Row {
    let mut row = Row::new(spec, &key_bytes(&[key]), &format!("p{key}"), Side::Second);
    row.solver = "alphabeta".into();
    row
}

#[test]
fn filters_choose() {
    let store = Store::memory().unwrap();
    let mut rows =
        vec![row("mnk:3,3,3", 1), row("mnk:3,3,3", 2), row("mnk", 1), row("mnk2:3", 1), row("nex:2x2", 1)];
    rows[1].switches = "es,pairing".into();
    rows[2].switches = "pair".into();
    rows[3].version = "0.0.9".into();
    rows[4].solver = "dfpn".into();
    rows[4].created = 1000;
    store.put_all(&rows).unwrap();
    let count = |filter: Filter| store.query(&filter).unwrap().len();
    let some = |t: &str| Some(t.to_owned());
    assert_eq!(count(Filter::default()), 5);
    assert_eq!(count(Filter::game("mnk")), 3);
    assert_eq!(count(Filter::game("mnk:3,3,3")), 2);
    assert_eq!(count(Filter::game("mnk:")), 0);
    assert_eq!(count(Filter { solver: some("dfpn"), ..Filter::game("mnk") }), 0);
    assert_eq!(count(Filter { version: some("0.0.9"), ..Filter::default() }), 1);
    assert_eq!(count(Filter { without_rule: some("pairing"), ..Filter::default() }), 1);
    assert_eq!(count(Filter { with_rule: some("pairing"), ..Filter::default() }), 4);
    assert_eq!(count(Filter { position: some("p2"), ..Filter::default() }), 1);
    assert_eq!(count(Filter { before: Some(1001), ..Filter::default() }), 1);
    assert_eq!(count(Filter { since: Some(1001), ..Filter::default() }), 4);
    assert_eq!(count(Filter { limit: Some(2), ..Filter::default() }), 2);
    assert_eq!(count(Filter::game("mnk' OR 1=1 --")), 0);
    assert_eq!(store.purge(&Filter { with_rule: some("pairing"), ..Filter::game("mnk") }).unwrap(), 2);
    assert_eq!(store.count().unwrap(), 3);
    assert_eq!(store.purge(&Filter::default()).unwrap(), 3);
}

#[test]
fn a_row_without_a_time_gets_that_of_its_writing() {
    let store = Store::memory().unwrap();
    store.put(&row("heap:9", 1)).unwrap();
    store.put(&Row { created: 1000, ..row("heap:9", 2) }).unwrap();
    let created: Vec<i64> = store.query(&Filter::default()).unwrap().iter().map(|r| r.created).collect();
    assert!(created[0] > 1_700_000_000 && created[1] == 1000, "{created:?}");
}
