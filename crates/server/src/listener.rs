//! Accepting connections and speaking HTTP/1.1 on them, with a time for everything.

use std::{
    convert::Infallible,
    future::{Future, poll_fn},
    io,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    time::Instant,
};

use axum::{
    Router,
    body::Body,
    http::{Request, Response, header},
};
use hyper::{body::Incoming, server::conn::http1, service::Service as _};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use ludex_core::{Error, ErrorCode};
use tokio::{
    io::AsyncWrite as _,
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
    time::{Duration, MissedTickBehavior, interval, sleep, timeout},
};

use crate::{
    Config,
    body::Held,
    connections::{Connections, Entry, Full},
    parked::{Parked, ROUND},
    wire::{Wire, refusal},
};

/// The header of a request must fit into this, and so must what waits to be sent to one client. hyper looks at the length after
/// each read, and a read may double what is there: a longer header is refused before twice as much is read.
const BUFFER: usize = 128 << 10;

/// An answer must be read in this time.
const READ_TIME: Duration = Duration::from_secs(60);

/// Connections that are being refused at a time; the others are closed without a word.
const REFUSALS: usize = 64;

/// How long requests may go on when the server is told to stop.
const FAREWELL: Duration = Duration::from_secs(3);

/// Who is asking.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Serve the router on the listener until `stop` is done, then let requests finish for a moment.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    config: &Config,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(config.header_time).max_buf_size(BUFFER);
    let (connections, refusals) = (Connections::new(config), Arc::new(Semaphore::new(REFUSALS)));
    let service = TowerToHyperService::new(router);
    let graceful = GracefulShutdown::new();
    let mut tasks = JoinSet::new();
    let mut sweep = interval(Duration::from_secs(1));
    let mut parked = Parked::new(config.connections / 2, config.header_time);
    let mut round = interval(ROUND);
    round.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let talk = |stream: TcpStream, address: SocketAddr, entry: Entry| {
        let _ = stream.set_nodelay(true);
        let (entry, service) = (Arc::new(entry), service.clone());
        let (place, peer) = (entry.clone(), Peer(address));
        let answer = move |request| answer(service.clone(), &place, peer, request);
        let wire = TokioIo::new(Wire::new(stream));
        let connection = http.serve_connection(wire, hyper::service::service_fn(answer));
        let connection = graceful.watch(connection);
        async move {
            tokio::select! {
                // However it ends, nobody is left to be told.
                _ = connection => {},
                () = entry.ended() => {},
            }
        }
    };
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = tasks.join_next() => continue,
            _ = sweep.tick() => { connections.sweep(Instant::now()); continue },
            _ = round.tick(), if !parked.is_empty() => {
                for (stream, address, entry) in parked.round(&connections) {
                    tasks.spawn(talk(stream, address, entry));
                }
                continue;
            },
            () = &mut stop => break,
        };
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            Err(fault) => {
                // A client that left before it was accepted is its own affair; without files we wait for some.
                if !matches!(fault.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset)
                {
                    sleep(Duration::from_millis(100)).await;
                }
                continue;
            }
        };
        match connections.admit(address.ip()) {
            Err(Full::Crowd) => parked.push(stream, address),
            Err(full) => {
                if let Ok(place) = refusals.clone().try_acquire_owned() {
                    tasks.spawn(async move {
                        refuse(stream, full).await;
                        drop(place);
                    });
                }
            }
            Ok(entry) => drop(tasks.spawn(talk(stream, address, entry))),
        }
    }
    drop(listener);
    let _ = timeout(FAREWELL, graceful.shutdown()).await;
    Ok(())
}

/// Answer a request; until the answer has been read, the connection is in use.
fn answer(
    service: TowerToHyperService<Router>,
    entry: &Arc<Entry>,
    peer: Peer,
    mut request: Request<Incoming>,
) -> impl Future<Output = Result<Response<Body>, Infallible>> + use<> {
    let answering = entry.answering();
    request.extensions_mut().insert(peer);
    async move {
        let response = service.call(request).await?;
        let kind = response.headers().get(header::CONTENT_TYPE);
        if kind.is_none_or(|kind| !kind.as_bytes().starts_with(b"text/event-stream")) {
            answering.within(READ_TIME);
        }
        Ok(response.map(|body| Held::wrap(body, answering)))
    }
}

/// Say why there is no place, and hang up.
async fn refuse(stream: TcpStream, full: Full) {
    let (message, code) = match full {
        Full::Share => ("your address has as many connections as it may have", ErrorCode::TooMany),
        Full::All | Full::Crowd => ("the server has as many connections as it can have", ErrorCode::Busy),
    };
    let error = Error::new(code, message, "close some, or try again in a few seconds");
    let mut wire = Wire::new(stream);
    wire.say(refusal(code.status(), error));
    let _ =
        timeout(Duration::from_secs(2), poll_fn(|context| Pin::new(&mut wire).poll_shutdown(context))).await;
}
