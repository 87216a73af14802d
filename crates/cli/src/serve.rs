//! `serve`: the page and the API.

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use clap::Args as ClapArgs;
use ludex_judge::{Memory, Store};
use ludex_server::{Config, FarmPage};

use crate::{
    context::Context,
    db,
    exit::{Done, Exit, failed},
    farm, units,
};

/// `serve`.
#[derive(Debug, ClapArgs)]
pub struct Serve {
    /// The address to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7117")]
    pub listen: SocketAddr,
    /// A host name to answer for besides the loopback ones (may be given several times)
    #[arg(long, value_name = "NAME")]
    pub host: Vec<String>,
    /// A site whose pages may show a game of this server in a frame, by /embed; * for all (may be given several times)
    #[arg(long, value_name = "SITE")]
    pub embed: Vec<String>,
    /// The longest a direct analysis may take
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "2s")]
    pub analyze_time: Duration,
    /// The longest an engine may think about a move
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "10s")]
    pub move_time: Duration,
    /// Solves at the same time [default: half the cores]
    #[arg(long, value_name = "N")]
    pub solves: Option<usize>,
    /// Solves that may wait for their turn
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub queue: usize,
    /// The longest a solve may take
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "10m")]
    pub job_time: Duration,
    /// The most memory a solve may take
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "512MiB")]
    pub job_memory: u64,
    /// The most threads a solve may take
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub job_threads: usize,
    /// Memory of games that wait for the next question about them
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "512MiB")]
    pub warm_memory: u64,
    /// Connections at the same time
    #[arg(long, value_name = "N", default_value_t = 512)]
    pub connections: usize,
    /// Connections of one address; behind a proxy, all clients have the proxy's
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub per_address: usize,
    /// The database of verdicts [default: ludex.db in the platform's data directory]
    #[arg(long, value_name = "FILE", conflicts_with = "no_db")]
    pub db: Option<PathBuf>,
    /// Show at /farm how a farm is doing: sqlite:FILE, or postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "URL")]
    pub farm: Option<String>,
    /// Use no database
    #[arg(long)]
    pub no_db: bool,
}

/// Serve until interrupted.
pub fn serve(context: &Context, serve: &Serve) -> Done {
    let mut config = Config {
        listen: serve.listen,
        hosts: serve.host.clone(),
        embed: serve.embed.clone(),
        analyze_time: serve.analyze_time,
        queue: serve.queue,
        job_time: serve.job_time,
        job_memory: serve.job_memory,
        threads: serve.job_threads,
        move_time: serve.move_time,
        warm: serve.warm_memory,
        connections: serve.connections,
        per_address: serve.per_address,
        tables: context.tables.clone(),
        ..Config::default()
    };
    if let Some(url) = &serve.farm {
        let mut queue = ludex_farm::Farm::open(&farm::store(Some(url))?)?;
        config.farm = Some(FarmPage::new(move || Ok(ludex_farm::page(&queue.status(None)?))));
    }
    config.solves = serve.solves.unwrap_or(config.solves);
    let store = match (&serve.db, serve.no_db) {
        (_, true) => None,
        (Some(path), _) => Some(Store::open(path)?),
        (None, _) => db::default_store()?,
    };
    let public = !serve.listen.ip().is_loopback();
    let memory = store.map(|store| Arc::new(store) as Arc<dyn Memory>);
    ludex_server::run(config, context.registry.clone(), memory, move |address| {
        println!("http://{address}");
        if public {
            eprintln!("ludex: {address} can be reached from other machines; there is no login");
        }
    })
    .map_err(failed(format!("cannot listen on {}", serve.listen)))?;
    Ok(Exit::Answered)
}
