//! Who is connected: a bounded number in all, a share for each address, and room for whoever has a question.
//!
//! A connection that is waiting for the header of a request costs nothing to end, so when all places or all those of an
//! address are taken, the one that has been waiting for longest makes room, of the address that has most of them: clients
//! that send their headers byte by byte, or nothing at all, lock nobody out. An address that has a crowd waiting already does
//! not push in at once: its new connections stand in line (see [`parked`](crate::parked)). Only when every place is taken by
//! a question that is being answered is somebody refused.

use std::{
    cmp::Reverse,
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::Notify;

use crate::Config;

/// An address with more connections than this waiting for their requests is a crowd: a browser has six.
const CROWD: usize = 16;

/// All connections.
#[derive(Debug)]
pub(crate) struct Connections {
    open: Mutex<Open>,
    most: usize,
    share: usize,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    all: HashMap<u64, Connection>,
}

#[derive(Debug)]
struct Connection {
    peer: IpAddr,
    state: State,
    end: Arc<Notify>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// For a request, since then.
    Waiting(Instant),
    /// A request is being answered; the answer must have been sent by then.
    Answering(Option<Instant>),
}

/// Why there is no place for a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// The address has its share.
    Share,
    /// All places are taken.
    All,
    /// The address has a crowd waiting: one more has to wait too.
    Crowd,
}

impl Connections {
    pub(crate) fn new(config: &Config) -> Arc<Self> {
        let most = config.connections.max(1);
        Arc::new(Self { open: Mutex::default(), most, share: config.per_address.clamp(1, most) })
    }

    /// A place for a connection from this address; somebody who only waits is pushed out for it, if it is no crowd's.
    pub(crate) fn admit(self: &Arc<Self>, peer: IpAddr) -> Result<Entry, Full> {
        self.place(peer, false)
    }

    /// A place for a connection of a crowd: somebody who only waits is pushed out for it.
    pub(crate) fn push_in(self: &Arc<Self>, peer: IpAddr) -> Result<Entry, Full> {
        self.place(peer, true)
    }

    fn place(self: &Arc<Self>, peer: IpAddr, pushing: bool) -> Result<Entry, Full> {
        let peer = neighbourhood(peer);
        let mut open = self.lock();
        let (mut taken, mut waiting) = (0, 0);
        for connection in open.all.values().filter(|c| c.peer == peer) {
            taken += 1;
            waiting += usize::from(matches!(connection.state, State::Waiting(_)));
        }
        let (share, all) = (taken >= self.share, open.all.len() >= self.most);
        if (share || all) && waiting > CROWD && !pushing {
            return Err(Full::Crowd);
        }
        if share && !open.evict(|c| c.peer == peer) {
            return Err(Full::Share);
        }
        if open.all.len() >= self.most && !open.evict(|_| true) {
            return Err(Full::All);
        }
        open.next += 1;
        let (id, end) = (open.next, Arc::new(Notify::new()));
        let state = State::Waiting(Instant::now());
        open.all.insert(id, Connection { peer, state, end: end.clone() });
        Ok(Entry { id, end, connections: self.clone() })
    }

    /// End the connections whose answers should have been read by now.
    pub(crate) fn sweep(&self, now: Instant) {
        self.lock().all.retain(|_, connection| {
            let over = matches!(connection.state, State::Answering(Some(until)) if until < now);
            if over {
                connection.end.notify_one();
            }
            !over
        });
    }

    fn set(&self, id: u64, state: State) {
        if let Some(connection) = self.lock().all.get_mut(&id) {
            connection.state = state;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// End the connection that has been waiting for a request for longest, of those that fit: one of the address that has
    /// most of them waiting, so that a crowd costs the crowd its places and nobody else's.
    fn evict(&mut self, fits: impl Fn(&Connection) -> bool) -> bool {
        let mut crowds: HashMap<IpAddr, usize> = HashMap::new();
        let mut waiting = Vec::new();
        for (&id, connection) in self.all.iter().filter(|(_, c)| fits(c)) {
            if let State::Waiting(since) = connection.state {
                *crowds.entry(connection.peer).or_default() += 1;
                waiting.push((connection.peer, since, id));
            }
        }
        let longest = waiting.iter().min_by_key(|(peer, since, id)| (Reverse(crowds[peer]), *since, *id));
        let Some(&(_, _, id)) = longest else { return false };
        if let Some(ended) = self.all.remove(&id) {
            ended.end.notify_one();
        }
        true
    }
}

/// One connection's place; free when this is dropped.
#[derive(Debug)]
pub(crate) struct Entry {
    id: u64,
    end: Arc<Notify>,
    connections: Arc<Connections>,
}

impl Entry {
    /// Done when the connection must make room.
    pub(crate) async fn ended(&self) {
        self.end.notified().await;
    }

    /// A request has come.
    pub(crate) fn answering(self: &Arc<Self>) -> Answering {
        self.connections.set(self.id, State::Answering(None));
        Answering(self.clone())
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.connections.lock().all.remove(&self.id);
    }
}

/// A request that is being answered; when this is dropped, the connection waits for the next.
#[derive(Debug)]
pub(crate) struct Answering(Arc<Entry>);

impl Answering {
    /// The answer must be read within so long.
    pub(crate) fn within(&self, time: Duration) {
        self.0.connections.set(self.0.id, State::Answering(Instant::now().checked_add(time)));
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.connections.set(self.0.id, State::Waiting(Instant::now()));
    }
}

/// What counts as one address: in IPv6 whoever has one has 2^64 of them.
fn neighbourhood(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connections(most: usize, share: usize) -> Arc<Connections> {
        Connections::new(&Config { connections: most, per_address: share, ..Config::default() })
    }

    fn address(last: u8) -> IpAddr {
        IpAddr::from([127, 0, 0, last])
    }

    async fn is_ended(entry: &Entry) -> bool {
        tokio::time::timeout(Duration::from_millis(1), entry.ended()).await.is_ok()
    }

    #[tokio::test]
    async fn who_waits_longest_makes_room_and_who_is_answered_stays() {
        let all = connections(3, 2);
        let first = Arc::new(all.admit(address(1)).unwrap());
        let answering = first.answering();
        let second = all.admit(address(1)).unwrap();
        let third = all.admit(address(1)).unwrap();
        assert!(is_ended(&second).await && !is_ended(&first).await && !is_ended(&third).await);
        let other = Arc::new(all.admit(address(2)).unwrap());
        let _answering = other.answering();
        let newest = Arc::new(all.admit(address(2)).unwrap());
        assert!(
            is_ended(&third).await,
            "the share of the second address is not used up, but all places are taken"
        );
        let _answering_newest = newest.answering();
        assert_eq!(all.admit(address(2)).unwrap_err(), Full::Share);
        assert_eq!(all.admit(address(3)).unwrap_err(), Full::All);
        drop(answering);
        assert!(all.admit(address(3)).is_ok() && is_ended(&first).await);
    }

    #[tokio::test]
    async fn a_crowd_makes_room_before_others_do() {
        let all = connections(4, 4);
        let lone = all.admit(address(1)).unwrap();
        let crowd: Vec<_> = (0..3).map(|_| all.admit(address(2)).unwrap()).collect();
        let _newest = all.admit(address(3)).unwrap();
        assert!(is_ended(&crowd[0]).await && !is_ended(&crowd[1]).await);
        assert!(!is_ended(&lone).await, "it has waited longest, but it is alone");
    }

    #[tokio::test]
    async fn places_are_given_back_and_slow_readers_swept_away() {
        let all = connections(2, 2);
        drop(all.admit(address(1)).unwrap());
        assert!(all.lock().all.is_empty());
        let slow = Arc::new(all.admit(address(1)).unwrap());
        let answering = slow.answering();
        answering.within(Duration::from_secs(1));
        all.sweep(Instant::now());
        assert!(!is_ended(&slow).await);
        all.sweep(Instant::now() + Duration::from_secs(2));
        assert!(is_ended(&slow).await && all.lock().all.is_empty());
    }

    #[test]
    fn an_ipv6_network_is_one_address() {
        let of = |text: &str| neighbourhood(text.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
    }
}
