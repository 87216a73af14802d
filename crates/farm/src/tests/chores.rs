//! Work in parts: all of it is done, once, whoever dies, lies or calls it off.

use std::{thread, time::Duration};

use ludex_core::{Cancel, Error, ErrorCode};
use serde_json::{Value, json};

use super::{on_every_database, registry, status, worker};
use crate::{At, Chore, Farm, Gathering, StoreUrl, Worker, database::cells, farm::Finished, plan::Answer};

/// Multiplies; slowly, so that a worker can be stopped in the middle.
#[derive(Debug)]
struct Products;

impl Chore for Products {
    fn name(&self) -> &'static str {
        "products"
    }

    fn part(&self, at: &At<'_>, order: &Value, part: &Value) -> Result<Option<Value>, Error> {
        let (Some(by), Some(n)) = (order.as_u64(), part.as_u64()) else {
            return Err(Error::new(ErrorCode::Damaged, "no number", "numbers"));
        };
        thread::sleep(Duration::from_millis(2));
        Ok((!at.terms.cancel.is_cancelled()).then(|| json!(by * n)))
    }
}

fn at_work(url: &StoreUrl, workers: usize, cancel: &Cancel) {
    let registry = registry();
    thread::scope(|scope| {
        for i in 0..workers {
            let registry = &registry;
            scope.spawn(move || {
                let worker = Worker { chores: &[&Products], ..worker(&format!("number {i}")) };
                worker.run(&mut Farm::open(url).unwrap(), registry, cancel).unwrap();
            });
        }
    });
}

fn numbers(of: u64) -> Vec<Value> {
    (0..of).map(Value::from).collect()
}

fn gathered(farm: &mut Farm, id: i64) -> Result<Option<Vec<Value>>, Error> {
    farm.gather(id, &Cancel::new(), &mut |_| {})
}

#[test]
fn all_parts_come_back_in_their_order() {
    on_every_database(|url| {
        let mut farm = Farm::open(url).unwrap();
        let id = farm.submit_parts(&Products, "heap:9", &json!(7), &numbers(100)).unwrap();
        let again = farm.submit_parts(&Products, "heap:9", &json!(7), &numbers(100)).unwrap();
        assert_eq!(id, again, "the same work is the same submission");
        let other = farm.submit_parts(&Products, "heap:9", &json!(8), &numbers(3)).unwrap();
        assert_ne!(id, other);
        let mut last = None;
        thread::scope(|scope| {
            scope.spawn(|| at_work(url, 2, &Cancel::new()));
            let came_to = farm.gather(id, &Cancel::new(), &mut |far| last = Some(far)).unwrap().unwrap();
            assert_eq!(came_to, (0..100).map(|n| json!(7 * n)).collect::<Vec<_>>());
        });
        assert!(matches!(last, Some(Gathering { done: 100, of: 100, .. })));
        assert_eq!(gathered(&mut farm, other).unwrap().unwrap(), [json!(0), json!(8), json!(16)]);
        let status = status(url, id);
        assert_eq!(
            (status.chore.as_deref(), status.about(), status.done),
            (Some("products"), "products", 100)
        );
        assert!(status.confirmed > 0, "a sample is checked: {status:?}");
    });
}

#[test]
fn what_was_called_off_goes_on() {
    on_every_database(|url| {
        let mut farm = Farm::open(url).unwrap();
        let id = farm.submit_parts(&Products, "heap:9", &json!(2), &numbers(60)).unwrap();
        let stopped = Cancel::new();
        thread::scope(|scope| {
            scope.spawn(|| at_work(url, 1, &stopped));
            while status(url, id).done == 0 {
                thread::sleep(Duration::from_millis(5));
            }
            farm.cancel(id).unwrap();
            stopped.cancel();
        });
        assert_eq!(gathered(&mut farm, id).unwrap_err().code, ErrorCode::Stopped);
        assert_eq!(farm.submit_parts(&Products, "heap:9", &json!(2), &numbers(60)).unwrap(), id);
        let waits = Cancel::new();
        waits.cancel();
        assert_eq!(farm.gather(id, &waits, &mut |_| {}).unwrap(), None, "whoever waits can leave");
        at_work(url, 1, &Cancel::new());
        assert_eq!(gathered(&mut farm, id).unwrap().unwrap().len(), 60);
    });
}

#[test]
fn a_wrong_part_is_found_out() {
    on_every_database(|url| {
        let mut farm = Farm::open(url).unwrap();
        let id = farm.submit_parts(&Products, "heap:9", &json!(3), &numbers(20)).unwrap();
        let liar = farm.enter_worker("liar").unwrap();
        let job = farm.claim(liar, Duration::from_secs(30), 1, false).unwrap().remove(0);
        let result = serde_json::to_string(&Answer::Part { came_to: json!(1) }).unwrap();
        let lie = Finished { job: job.id, result, nodes: 0, seconds: 0.0, seen: 0, sampled: true };
        assert!(farm.finish(liar, &[lie]).unwrap().is_empty());
        at_work(url, 1, &Cancel::new());
        let came_to = gathered(&mut farm, id).unwrap().unwrap();
        assert_eq!(came_to, (0..20).map(|n| json!(3 * n)).collect::<Vec<_>>());
        let trusted = farm.query("SELECT trusted FROM farm_worker WHERE id = $1", cells![liar]).unwrap();
        assert_eq!(trusted[0][0].int(), 0);
    });
}

#[test]
fn a_part_that_fails_fails_the_whole_and_a_strange_chore_is_refused() {
    on_every_database(|url| {
        let mut farm = Farm::open(url).unwrap();
        let parts = [json!(1), json!("one")];
        let id = farm.submit_parts(&Products, "heap:9", &json!(3), &parts).unwrap();
        at_work(url, 1, &Cancel::new());
        assert_eq!(gathered(&mut farm, id).unwrap_err().code, ErrorCode::Damaged);
        let id = farm.submit_parts(&Products, "heap:9", &json!(4), &numbers(1)).unwrap();
        super::work(url, 1);
        let error = gathered(&mut farm, id).unwrap_err();
        assert!(error.code == ErrorCode::BadKind && error.message.contains("products"), "{error}");
        assert_eq!(farm.submit_parts(&Products, "heap:9", &json!(4), &numbers(1)).unwrap(), id);
        at_work(url, 1, &Cancel::new());
        assert_eq!(
            gathered(&mut farm, id).unwrap().unwrap(),
            [json!(0)],
            "tried again by one that knows how"
        );
    });
}
