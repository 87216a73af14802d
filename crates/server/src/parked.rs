//! Connections that wait to be let in.
//!
//! When all places are taken, a new connection pushes out one that is only waiting (see [`Connections`]). A crowd from one
//! address that comes back as soon as it is pushed out would keep the server busy with nothing but that, so its
//! connections are left standing, unread: of each address one is let in every [`ROUND`], the newest first, because who has
//! just come is most likely to have a question. Who stands here costs the server a socket, and the crowd its patience.

use std::{
    collections::{HashSet, VecDeque},
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::net::TcpStream;

use crate::connections::{Connections, Entry};

/// How often somebody is let in.
pub(crate) const ROUND: Duration = Duration::from_millis(50);

/// The connections, the newest at the end.
#[derive(Debug)]
pub(crate) struct Parked {
    all: VecDeque<(TcpStream, SocketAddr, Instant)>,
    most: usize,
    patience: Duration,
}

impl Parked {
    /// Room for so many, each for so long.
    pub(crate) fn new(most: usize, patience: Duration) -> Self {
        Self { all: VecDeque::new(), most, patience }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Leave a connection standing; if there are too many, the oldest is closed without a word.
    pub(crate) fn push(&mut self, stream: TcpStream, from: SocketAddr) {
        if self.all.len() >= self.most {
            self.all.pop_front();
        }
        self.all.push_back((stream, from, Instant::now()));
    }

    /// Those that are let in now: all for whom there is room, and one of each address beside.
    pub(crate) fn round(&mut self, connections: &Arc<Connections>) -> Vec<(TcpStream, SocketAddr, Entry)> {
        let (now, patience) = (Instant::now(), self.patience);
        self.all.retain(|(_, _, since)| now.duration_since(*since) < patience);
        let (mut let_in, mut pushed, mut stay) = (Vec::new(), HashSet::new(), VecDeque::new());
        while let Some((stream, from, since)) = self.all.pop_back() {
            let mut entry = connections.admit(from.ip());
            if entry.is_err() && pushed.insert(from.ip()) {
                entry = connections.push_in(from.ip());
            }
            match entry {
                Ok(entry) => let_in.push((stream, from, entry)),
                Err(_) => stay.push_front((stream, from, since)),
            }
        }
        self.all = stay;
        let_in
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    #[tokio::test]
    async fn one_of_an_address_at_a_time_the_newest_first() {
        let config = Config { connections: 20, per_address: 20, ..Config::default() };
        let connections = Connections::new(&config);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut crowd: Vec<Entry> = (0..20).map(|_| connections.admit(address.ip()).unwrap()).collect();
        let mut parked = Parked::new(3, Duration::from_secs(60));
        let mut froms = Vec::new();
        for _ in 0..4 {
            let client = TcpStream::connect(address).await.unwrap();
            let (stream, from) = listener.accept().await.unwrap();
            assert!(connections.admit(from.ip()).is_err(), "a crowd is not let in at once");
            parked.push(stream, from);
            froms.push((client, from));
        }
        let let_in = parked.round(&connections);
        assert_eq!(let_in.iter().map(|(_, from, _)| *from).collect::<Vec<_>>(), [froms[3].1]);
        // Two places are free: the one of the round, and one that was given back.
        drop(crowd.pop());
        crowd.extend(let_in.into_iter().map(|(_, _, entry)| entry));
        let let_in = parked.round(&connections);
        assert_eq!(let_in.iter().map(|(_, from, _)| *from).collect::<Vec<_>>(), [froms[2].1, froms[1].1]);
        assert!(parked.is_empty(), "the oldest was closed when there was no room for it to stand");
    }
}
