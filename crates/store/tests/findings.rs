//! What goes in comes out, better bounds win, and makers stay apart.

use ludex_core::{Bounds, Rng, Side, Value};
use ludex_store::{Filter, Row, Store, StoreError, key_bytes};

fn row(spec: &str, key: u64, lo: i16, hi: i16) -> Row {
    let mut row = Row::new(spec, &key_bytes(&[key]), &format!("p{key}"), Side::Second);
    row.bounds = Bounds { lo: Value::from_raw(lo), hi: Value::from_raw(hi) };
    row.solver = "alphabeta".into();
    row
}

#[test]
fn a_row_comes_back_as_it_was() {
    let store = Store::memory().unwrap();
    let full = Row {
        best: Some("0,3".into()),
        pv: vec!["0,3".into(), "1,2".into()],
        nodes: 1 << 40,
        seconds: 0.25,
        switches: "pairing,threats".into(),
        ..row("seven:8", 5, -7, 994)
    };
    store.put(&full).unwrap();
    assert_eq!(store.get("seven:8", &full.key).unwrap(), Some(full.clone()));
    assert_eq!(store.query(&Filter::default()).unwrap(), [full]);
    assert_eq!(store.get("seven:8", &key_bytes(&[6])).unwrap(), None);
    assert_eq!(store.get("seven:9", &key_bytes(&[5])).unwrap(), None);
    assert_eq!(store.get("seven:8", &[]).unwrap(), None);
}

#[test]
fn findings_intersect_like_a_model_of_them() {
    let store = Store::memory().unwrap();
    let mut rng = Rng::new(7);
    let mut model = std::collections::HashMap::new();
    for _ in 0..2000 {
        let key = rng.next_u64() % 20;
        let truth = (key as i16 * 97) % 2003 - 1001;
        let lo = (truth - (rng.next_u64() % 300) as i16).max(-1001);
        let hi = (truth + (rng.next_u64() % 300) as i16).min(1001);
        let mut new = row("heap:20", key, lo, hi);
        new.solver = ["alphabeta", "dfpn", "brute"][(rng.next_u64() % 3) as usize].into();
        new.best = rng.next_u64().is_multiple_of(2).then(|| format!("m{lo}"));
        store.put(&new).unwrap();
        let known = model.entry(key).or_insert(Bounds::ALL);
        *known = known.and(new.bounds);
        assert_eq!(store.get("heap:20", &new.key).unwrap().unwrap().bounds, *known);
    }
    assert!(store.count().unwrap() <= 60, "one row for each key and maker");
}

#[test]
fn the_best_move_is_one_that_keeps_the_promise() {
    let store = Store::memory().unwrap();
    let win = Row { best: Some("a1".into()), ..row("mnk:3,3,3", 1, 1, 1001) };
    let quick = Row { solver: "dfpn".into(), ..row("mnk:3,3,3", 1, 0, 996) };
    let draw = Row { best: Some("b2".into()), solver: "brute".into(), ..row("mnk:3,3,3", 1, 0, 1001) };
    for r in [&draw, &win, &quick] {
        store.put(r).unwrap();
    }
    let known = store.get("mnk:3,3,3", &win.key).unwrap().unwrap();
    assert_eq!((known.best.as_deref(), known.bounds.lo.raw(), known.bounds.hi.raw()), (Some("a1"), 1, 996));
    // The same maker, later: less is learnt, nothing is lost.
    store.put(&Row { best: None, ..row("mnk:3,3,3", 1, 0, 1001) }).unwrap();
    assert_eq!(store.get("mnk:3,3,3", &win.key).unwrap().unwrap(), known);
}

#[test]
fn contradictions_are_refused_and_named() {
    let store = Store::memory().unwrap();
    store.put(&row("mnk:4,4,4", 3, 0, 0)).unwrap();
    let wrong = Row { solver: "dfpn".into(), switches: "es".into(), ..row("mnk:4,4,4", 3, 1, 1001) };
    let error = store.put_all(&[row("mnk:4,4,4", 4, 0, 0), wrong]).unwrap_err();
    assert!(matches!(error, StoreError::Contradiction { .. }));
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        error.to_string(),
        format!(
            "mnk:4,4,4 p3: [win, win(0)] by dfpn {version} without es contradicts [draw, draw] by alphabeta {version}"
        )
    );
    assert_eq!(store.count().unwrap(), 1, "all or none");
}

#[test]
fn filters_choose() {
    let store = Store::memory().unwrap();
    let mut rows = vec![
        row("mnk:3,3,3", 1, 0, 0),
        row("mnk:3,3,3", 2, 0, 0),
        row("mnk", 1, 0, 0),
        row("mnk2:3", 1, 0, 0),
        row("nex:2x2", 1, 0, 0),
    ];
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
