//! What the server listens on and how much it gives to whom.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    time::Duration,
};

use ludex_api::Limits;

use crate::FarmPage;

/// Settings of a server. The defaults suit one person on their own machine.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on. Port 0 takes a free one.
    pub listen: SocketAddr,
    /// Host names that requests may name besides the loopback ones.
    pub hosts: Vec<String>,
    /// Sites whose pages may show `/embed` in a frame, such as `https://example.org`; `*` for all.
    pub embed: Vec<String>,
    /// Solves that may run at the same time.
    pub solves: usize,
    /// Solves that may wait for their turn.
    pub queue: usize,
    /// Unfinished solves of one client.
    pub per_client: usize,
    /// The longest a solve may take.
    pub job_time: Duration,
    /// The most memory a solve may take, in bytes.
    pub job_memory: u64,
    /// Threads of a solve.
    pub threads: usize,
    /// How long a job that nobody asks about goes on.
    pub patience: Duration,
    /// The longest a direct analysis may take.
    pub analyze_time: Duration,
    /// The longest an engine may think about a move.
    pub move_time: Duration,
    /// The memory of games that wait for the next question, in bytes.
    pub warm: u64,
    /// The memory of final answers, in bytes.
    pub answers: u64,
    /// The folder with tables of whole games.
    pub tables: Option<PathBuf>,
    /// The page that tells how a farm is doing.
    pub farm: Option<FarmPage>,
    /// Direct analyses that may run, and that may wait.
    pub analyses: (usize, usize),
    /// Bytes of a request's body.
    pub body: usize,
    /// Positions in one request.
    pub positions: usize,
    /// Requests that only look at a board: how many at the same time, and how many may wait.
    pub small: (usize, usize),
    /// The longest a request waits for its turn.
    pub turn_time: Duration,
    /// Bytes of answers that have been made and not yet read.
    pub unread: usize,
    /// Connections at the same time.
    pub connections: usize,
    /// Connections of one address.
    pub per_address: usize,
    /// The longest the header of a request may take, and the next request on a connection.
    pub header_time: Duration,
    /// The longest the body of a request may take.
    pub body_time: Duration,
}

impl Config {
    /// What a question may take.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            analyze_time: self.analyze_time,
            move_time: self.move_time,
            job_time: self.job_time,
            memory: self.job_memory,
            threads: self.threads,
            positions: self.positions,
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 7117)),
            hosts: Vec::new(),
            embed: Vec::new(),
            solves: cores.div_ceil(2),
            queue: 16,
            per_client: 8,
            job_time: Duration::from_secs(600),
            job_memory: 512 << 20,
            threads: 1,
            patience: Duration::from_secs(60),
            analyze_time: Duration::from_secs(2),
            move_time: Duration::from_secs(10),
            warm: 512 << 20,
            answers: 32 << 20,
            tables: None,
            farm: None,
            analyses: (cores, 64),
            body: 64 << 10,
            positions: 100,
            small: (cores.max(2), 256),
            turn_time: Duration::from_secs(10),
            unread: 64 << 20,
            connections: 512,
            per_address: 256,
            header_time: Duration::from_secs(15),
            body_time: Duration::from_secs(10),
        }
    }
}
