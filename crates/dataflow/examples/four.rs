//! The table of a Connect Four board by the library alone: `four COLUMNS ROWS WORKERS MEMORY_MIB FILE [HOSTS PROCESS]`.
//!
//! Prints positions, tiers, bytes of the file, bytes sent to other workers, seconds and the digest.

use std::{env, error::Error, path::PathBuf, time::Duration};

use ludex_core::{Cancel, Goal, Notation};
use ludex_dataflow::{Layout, Order, Positions, build};
use ludex_games::connect4::{Connect4, Sized};
use ludex_search::retrograde::Rows;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [columns, rows, workers, memory, file, rest @ ..] = &arguments[..] else {
        return Err("usage: four COLUMNS ROWS WORKERS MEMORY_MIB FILE [HOST:PORT,HOST:PORT,… PROCESS]".into());
    };
    let mut layout = Layout::threads(workers.parse()?);
    if let [hosts, process] = rest {
        layout.hosts = hosts.split(',').map(str::to_owned).collect();
        layout.process = process.parse()?;
        layout.wait = Duration::from_secs(60);
    }
    let board = Sized::<u64>::new(columns.parse()?, rows.parse()?).ok_or("no such board")?;
    let game = Connect4::new(board);
    let order = Order {
        out: PathBuf::from(file),
        spec: game.spec(),
        goal: Goal::Distance,
        memory: memory.parse::<u64>()? << 20,
        layout,
        cancel: Cancel::new(),
    };
    let rows = Rows::new(game).ok_or("a position does not fit into a row")?;
    let built = build(Positions::Listed(Box::new(rows)), &order, &mut |_| {}).map_err(|e| e.message)?;
    println!(
        "{} positions, {} tiers, {} bytes, {} bytes sent, {:.1} s, {}",
        built.positions,
        built.tiers,
        built.bytes,
        built.sent,
        built.time.as_secs_f64(),
        built.digest
    );
    Ok(())
}
