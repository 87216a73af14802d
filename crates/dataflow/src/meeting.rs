//! Processes meet: each connects to those before it, waits for those after it, and makes sure that all build the same.
//!
//! Before anything else each side says in a few lines what it builds. Two that differ refuse each other by name.

use std::{
    io::{self, Read, Write},
    net::{TcpListener, TcpStream},
    thread::sleep,
    time::{Duration, Instant},
};

use ludex_core::{Cancel, Error, ErrorCode};
use socket2::{SockRef, TcpKeepalive};

use crate::job::{Done, End};

/// The first line of a greeting. Its number changes with the messages.
const MARK: &str = "ludex table 1";
const PAUSE: Duration = Duration::from_millis(50);
/// How long the process that has finished the table waits for those that have not heard of it.
const FAREWELL: Duration = Duration::from_secs(10);

/// What a process says of itself: lines `name=value`, the same in all processes but for the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// The number of the process.
    pub process: usize,
    /// What has to be the same.
    pub lines: Vec<(&'static str, String)>,
}

impl Greeting {
    fn write(&self) -> String {
        let lines: String = self.lines.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
        format!("{MARK}\nprocess={}\n{lines}", self.process)
    }

    /// The number of another process, if it builds the same.
    fn compare(&self, text: &str, at: &str) -> Result<usize, Error> {
        let get = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        let process: usize = get("process").and_then(|n| n.parse().ok()).unwrap_or(usize::MAX);
        for (name, ours) in &self.lines {
            let theirs = get(name).unwrap_or("nothing");
            if theirs != ours {
                return Err(Error::new(
                    ErrorCode::BadPeer,
                    format!(
                        "process {process} at {at} has {name} {theirs}, and this one, process {}, has {name} {ours}",
                        self.process
                    ),
                    "start the same program with the same arguments in every process; only --process differs",
                ));
            }
        }
        Ok(process)
    }
}

fn say(stream: &mut TcpStream, text: &str) -> io::Result<()> {
    stream.write_all(&(text.len() as u32).to_le_bytes())?;
    stream.write_all(text.as_bytes())
}

/// What the other side says, if it is one of us.
fn hear(stream: &mut TcpStream) -> io::Result<String> {
    let mut len = [0; 4];
    stream.read_exact(&mut len)?;
    let len = u32::from_le_bytes(len);
    if len > 1 << 16 {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut text = vec![0; len as usize];
    stream.read_exact(&mut text)?;
    let text = String::from_utf8(text).map_err(|_| io::ErrorKind::InvalidData)?;
    if text.lines().next() == Some(MARK) { Ok(text) } else { Err(io::ErrorKind::InvalidData.into()) }
}

/// What is said of a table that is in its place.
fn write_end(end: &End) -> String {
    let Done { tiers, resumed, positions } = end.done;
    format!("end={tiers} {resumed} {positions} {} {}\n", end.bytes, end.digest)
}

fn read_end(text: &str) -> Option<End> {
    let mut words = text.lines().find_map(|line| line.strip_prefix("end="))?.split(' ');
    let mut number = || words.next()?.parse::<u64>().ok();
    let done = Done { tiers: number()? as usize, resumed: number()? as usize, positions: number()? };
    Some(End { done, bytes: number()?, digest: words.next()?.to_owned() })
}

/// Whom a process has met.
pub enum Met {
    /// All others; `None` in the place of this one.
    All(Vec<Option<TcpStream>>),
    /// The one that has finished the table: it was only waiting for this one to hear of it.
    Over(End),
}

/// Both sides greet. An error of the system means that nobody of ours is there.
fn greet(mut stream: TcpStream, greeting: &str) -> io::Result<(TcpStream, String)> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    // A host that vanishes without a word is noticed by the system in about a minute.
    let keep = TcpKeepalive::new().with_time(Duration::from_secs(30)).with_interval(Duration::from_secs(10));
    SockRef::from(&stream).set_tcp_keepalive(&keep)?;
    say(&mut stream, greeting)?;
    let text = hear(&mut stream)?;
    stream.set_read_timeout(None)?;
    Ok((stream, text))
}

fn listen(address: &str, me: usize, patience: Duration) -> Result<TcpListener, Error> {
    let start = Instant::now();
    let listener = loop {
        match TcpListener::bind(address) {
            Ok(listener) => break listener,
            // A process that was killed may have left its connections behind for a moment.
            Err(e) if e.kind() == io::ErrorKind::AddrInUse && start.elapsed() < patience => sleep(PAUSE),
            Err(e) => {
                return Err(Error::new(
                    ErrorCode::BadPeer,
                    format!("process {me} cannot listen at {address}: {e}"),
                    "start each process once, on the host that the hosts file names for it",
                ));
            }
        }
    };
    listener
        .set_nonblocking(true)
        .map_err(|e| Error::new(ErrorCode::Failed, format!("{address}: {e}"), ""))?;
    Ok(listener)
}

/// Tell those that were lost, should they come back, that the table is in its place. Nothing depends on their coming.
pub fn farewell(greeting: &Greeting, hosts: &[String], wait: Duration, cancel: &Cancel, end: &End) {
    let wait = wait.min(FAREWELL);
    let Ok(listener) = listen(&hosts[greeting.process], greeting.process, wait) else { return };
    let text = greeting.write() + &write_end(end);
    let (start, mut told) = (Instant::now(), vec![false; hosts.len()]);
    told[greeting.process] = true;
    while told.contains(&false) && start.elapsed() < wait && !cancel.is_cancelled() {
        let Ok((stream, from)) = listener.accept() else {
            sleep(PAUSE);
            continue;
        };
        let Ok((_, theirs)) = greet(stream, &text) else { continue };
        if let Some(told) = greeting.compare(&theirs, &from.to_string()).ok().and_then(|p| told.get_mut(p)) {
            *told = true;
        }
    }
}

/// Connect all processes.
///
/// # Errors
/// If this process cannot listen, one builds something else, one does not come in time, or it was called off.
pub fn meet(greeting: &Greeting, hosts: &[String], wait: Duration, cancel: &Cancel) -> Result<Met, Error> {
    let me = greeting.process;
    let start = Instant::now();
    let listener = listen(&hosts[me], me, wait.min(Duration::from_secs(5)))?;
    let ours = greeting.write();
    let mut met: Vec<Option<TcpStream>> = hosts.iter().map(|_| None).collect();
    loop {
        let missing = (0..hosts.len()).filter(|&p| p != me && met[p].is_none());
        let Some(first) = missing.clone().next() else { return Ok(Met::All(met)) };
        if cancel.is_cancelled() {
            return Err(crate::stopped());
        }
        if start.elapsed() > wait {
            return Err(Error::new(
                ErrorCode::PeerLost,
                format!("process {first} at {} has not come in {} s", hosts[first], wait.as_secs()),
                "start it there, or allow more time with --wait",
            ));
        }
        for process in missing.filter(|&p| p < me).collect::<Vec<_>>() {
            let Ok(stream) = TcpStream::connect(&hosts[process]) else { continue };
            let Ok((stream, text)) = greet(stream, &ours) else { continue };
            let named = greeting.compare(&text, &hosts[process])?;
            if named != process {
                return Err(Error::new(
                    ErrorCode::BadPeer,
                    format!("at {} is process {named}, not {process}", hosts[process]),
                    "give every process the same hosts file",
                ));
            }
            if let Some(end) = read_end(&text) {
                return Ok(Met::Over(end));
            }
            met[process] = Some(stream);
        }
        match listener.accept() {
            Ok((stream, from)) => {
                let Ok((stream, text)) = greet(stream, &ours) else { continue };
                let process = greeting.compare(&text, &from.to_string())?;
                if process <= me || process >= hosts.len() {
                    return Err(Error::new(
                        ErrorCode::BadPeer,
                        format!(
                            "process {process} at {from} has called process {me}, which is not before it"
                        ),
                        "start each process once, with a --process of its own",
                    ));
                }
                met[process] = Some(stream);
            }
            Err(_) => sleep(PAUSE),
        }
    }
}
