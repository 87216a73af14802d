//! How many short jobs a second go through a farm's queue, and what the queue takes of a job of a second.
//!
//! `cargo run --release -p ludex-farm --features postgres --example throughput -- URL [JOBS [WORKERS]]`

use std::{collections::BTreeSet, time::Instant};

use ludex_farm::{Farm, Plan, StoreUrl, Worker};
use ludex_games::connect4::{self, AnyConnect4};
use ludex_judge::{Budget, Cancel, Error, Question, Registry, host};

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let url: StoreUrl = arguments.next().unwrap_or_else(|| "sqlite:throughput.db".to_owned()).parse()?;
    let jobs: usize = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let workers: usize = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let registry = Registry::new().with_hosted(&connect4::FAMILY, |spec| match connect4::of_spec(spec)? {
        AnyConnect4::Word(game) => Ok(host(game, &connect4::FAMILY)),
        _ => Err(Error::spec("only boards of one word", "")),
    });
    let game = registry.open("connect4:6x5")?;
    // Different positions near the end of the game, which take microseconds each.
    let mut positions = BTreeSet::new();
    let mut dice = 1u64;
    while positions.len() < jobs {
        let mut position = game.start(None)?;
        while game.state(&position)?.max_plies > 6 {
            let mut choose = |n: usize| {
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (dice >> 33) as usize % n
            };
            let Some(m) = game.one_move(&position, &mut choose)? else { break };
            position = game.play(&position, &m)?;
        }
        if game.state(&position)?.over.is_none() {
            positions.insert(position);
        }
    }
    let lines: Vec<String> = positions.into_iter().collect();
    let question =
        Question { budget: Budget { memory: 1 << 20, ..Budget::default() }, ..Question::default() };
    let began = Instant::now();
    for line in lines.iter().take(1000) {
        game.solve(&Question { position: Some(line.clone()), ..question.clone() }, &Default::default())?;
    }
    let alone = began.elapsed().as_secs_f64() / 1000.0;

    Farm::init(&url)?;
    let mut farm = Farm::open(&url)?;
    let plan = Plan { sample: 0.0, ..Plan::default() };
    let began = Instant::now();
    let (id, count) = farm.submit_positions(&*game, &question, &plan, &lines)?;
    println!("{count} jobs submitted, {:.0} a second", count as f64 / began.elapsed().as_secs_f64());
    let worker = Worker { until_done: true, memory: 1 << 20, batch: 512, ..Worker::default() };
    let began = Instant::now();
    let ended: Vec<Result<_, Error>> = std::thread::scope(|scope| {
        let start = |_| scope.spawn(|| worker.run(&mut Farm::open(&url)?, &registry, &Cancel::new()));
        let started: Vec<_> = (0..workers).map(start).collect();
        started.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let seconds = began.elapsed().as_secs_f64();
    for worked in ended {
        worked?;
    }
    let status = farm.status(Some(id))?;
    assert_eq!(status.submissions[0].done, count);
    let each = seconds / count as f64;
    println!("{count} jobs done by {workers} workers in {seconds:.2} s, {:.0} a second", 1.0 / each);
    println!("{:.1} µs a job, of which {:.1} µs are the search alone", each * 1e6, alone * 1e6);
    Ok(())
}
