//! `mcp`: the judge as a server of the Model Context Protocol, on standard input and output.

use std::{path::PathBuf, sync::Arc, time::Duration};

use clap::Args as ClapArgs;
use ludex_judge::{Memory, Store};
use ludex_mcp::{Limits, Means};

use crate::{
    context::Context,
    db,
    exit::{Done, Exit, failed},
    units,
};

/// `mcp`.
#[derive(Debug, ClapArgs)]
pub struct Mcp {
    /// The longest a call may take
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "10s")]
    time: Duration,
    /// The most memory a search may take
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "256MiB")]
    memory: u64,
    /// Threads of a search
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Calls that are answered at the same time [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    at_once: Option<usize>,
    /// The database of verdicts [default: ludex.db in the platform's data directory]
    #[arg(long, value_name = "FILE", conflicts_with = "no_db")]
    db: Option<PathBuf>,
    /// Use no database
    #[arg(long)]
    no_db: bool,
}

/// Serve one client until it closes its end.
pub fn mcp(context: &Context, asked: &Mcp) -> Done {
    let store = match (&asked.db, asked.no_db) {
        (_, true) => None,
        (Some(path), _) => Some(Store::open(path)?),
        (None, _) => db::default_store()?,
    };
    let usual = Limits::default();
    let limits = Limits {
        time: asked.time,
        memory: asked.memory,
        threads: asked.threads,
        at_once: asked.at_once.unwrap_or(usual.at_once),
    };
    let memory = store.map(|store| Arc::new(store) as Arc<dyn Memory>);
    let means = Means { limits, tables: context.tables.clone(), memory };
    ludex_mcp::run(context.registry.clone(), means)
        .map_err(failed("the client does not speak the protocol"))?;
    Ok(Exit::Answered)
}
