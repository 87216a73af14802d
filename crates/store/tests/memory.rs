//! Every memory alike: what goes in comes out, better bounds win, makers stay apart, contradictions are errors.

use ludex_core::{Bounds, Error, ErrorCode, Rng, Side, Value};
use ludex_store::{Memory, Remembered, Row, StoreError, key_bytes};

/// A new one of each kind.
fn memories() -> Vec<Box<dyn Memory>> {
    vec![
        Box::new(Remembered::default()),
        #[cfg(feature = "sqlite")]
        Box::new(ludex_store::Store::memory().unwrap()),
    ]
}

fn row(spec: &str, key: u64, lo: i16, hi: i16) -> Row {
    let mut row = Row::new(spec, &key_bytes(&[key]), &format!("p{key}"), Side::Second);
    row.bounds = Bounds { lo: Value::from_raw(lo), hi: Value::from_raw(hi) };
    row.solver = "alphabeta".into();
    row.created = 1_700_000_000;
    row
}

#[test]
fn a_row_comes_back_as_it_was() {
    for memory in memories() {
        let full = Row {
            best: Some("0,3".into()),
            pv: vec!["0,3".into(), "1,2".into()],
            nodes: 1 << 40,
            seconds: 0.25,
            switches: "pairing,threats".into(),
            ..row("seven:8", 5, -7, 994)
        };
        memory.put(&full).unwrap();
        assert_eq!(memory.get("seven:8", &full.key).unwrap(), Some(full));
        assert_eq!(memory.get("seven:8", &key_bytes(&[6])).unwrap(), None);
        assert_eq!(memory.get("seven:9", &key_bytes(&[5])).unwrap(), None);
        assert_eq!(memory.get("seven:8", &[]).unwrap(), None);
    }
}

#[test]
fn findings_intersect_like_a_model_of_them() {
    for memory in memories() {
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
            memory.put(&new).unwrap();
            let known = model.entry(key).or_insert(Bounds::ALL);
            *known = Bounds { lo: known.lo.max(new.bounds.lo), hi: known.hi.min(new.bounds.hi) };
            assert_eq!(memory.get("heap:20", &new.key).unwrap().unwrap().bounds, *known);
        }
    }
}

#[test]
fn the_best_move_is_one_that_keeps_the_promise() {
    for memory in memories() {
        let win = Row { best: Some("a1".into()), ..row("mnk:3,3,3", 1, 1, 1001) };
        let quick = Row { solver: "dfpn".into(), ..row("mnk:3,3,3", 1, 0, 996) };
        let draw = Row { best: Some("b2".into()), solver: "brute".into(), ..row("mnk:3,3,3", 1, 0, 1001) };
        memory.put_all(&[draw, win.clone(), quick]).unwrap();
        let known = memory.get("mnk:3,3,3", &win.key).unwrap().unwrap();
        assert_eq!(known.best.as_deref(), Some("a1"));
        assert_eq!((known.bounds.lo.raw(), known.bounds.hi.raw()), (1, 996));
        // The same maker, later: less is learnt, nothing is lost.
        memory.put(&Row { best: None, ..row("mnk:3,3,3", 1, 0, 1001) }).unwrap();
        assert_eq!(memory.get("mnk:3,3,3", &win.key).unwrap().unwrap(), known);
    }
}

#[test]
fn a_makers_second_finding_adds_to_the_first() {
    for memory in memories() {
        let first = Row { nodes: 10, seconds: 1.0, best: Some("a1".into()), ..row("heap:9", 2, 1, 1001) };
        let second = Row { nodes: 5, seconds: 2.0, created: 1_800_000_000, ..row("heap:9", 2, 0, 990) };
        memory.put_all(&[first.clone(), second.clone()]).unwrap();
        let known = memory.get("heap:9", &first.key).unwrap().unwrap();
        assert_eq!((known.bounds.lo, known.bounds.hi), (first.bounds.lo, second.bounds.hi));
        assert_eq!((known.nodes, known.seconds, known.created), (15, 3.0, second.created));
        assert_eq!(known.best, first.best);
    }
}

#[test]
fn contradictions_are_refused_and_named() {
    for memory in memories() {
        let right = row("mnk:4,4,4", 3, 0, 0);
        memory.put(&right).unwrap();
        let wrong = Row { solver: "dfpn".into(), switches: "es".into(), ..row("mnk:4,4,4", 3, 1, 1001) };
        let error = memory.put(&wrong).unwrap_err();
        assert!(matches!(error, StoreError::Contradiction { .. }));
        let version = env!("CARGO_PKG_VERSION");
        let text = format!(
            "mnk:4,4,4 p3: [win, win(0)] by dfpn {version} without es contradicts [draw, draw] by alphabeta {version}"
        );
        assert_eq!(error.to_string(), text);
        let error = Error::from(error);
        assert_eq!((error.code, error.code.exit(), error.message), (ErrorCode::Contradiction, 3, text));
        // The same maker contradicting itself is no better.
        assert!(memory.put(&row("mnk:4,4,4", 3, -1001, -1)).is_err());
        assert_eq!(memory.get("mnk:4,4,4", &right.key).unwrap(), Some(right));
    }
}

#[test]
fn a_finding_that_leaves_no_value_is_refused() {
    for memory in memories() {
        let forged = row("mnk:4,4,4", 5, 1, 0);
        let error = memory.put(&forged).unwrap_err();
        assert!(matches!(error, StoreError::Impossible { .. }));
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            error.to_string(),
            format!("mnk:4,4,4 p5: [win, draw] by alphabeta {version} leaves no value")
        );
        assert_eq!(Error::from(error).code, ErrorCode::Contradiction);
        assert_eq!(memory.get("mnk:4,4,4", &forged.key).unwrap(), None);
    }
}

#[test]
fn threads_share_a_memory() {
    for memory in memories() {
        std::thread::scope(|scope| {
            for key in 0..4 {
                let memory = &memory;
                scope.spawn(move || {
                    (0..100).for_each(|i| memory.put(&row("heap:9", key, i, 1001 - i)).unwrap());
                });
            }
        });
        for key in 0..4 {
            let known = memory.get("heap:9", &key_bytes(&[key])).unwrap().unwrap();
            assert_eq!((known.bounds.lo.raw(), known.bounds.hi.raw()), (99, 902));
        }
    }
}
