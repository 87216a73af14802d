//! Bytes from a program that cannot be trusted: read by a thread of its own, and waited for only so long.

use std::{
    io::Read,
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

use crate::player::Fault;

/// At most so many chunks wait to be taken; a program that sends more is not read until then.
const WAITING: usize = 64;

/// What a stream brings, as it comes.
#[derive(Debug)]
pub(crate) struct Chunks(Receiver<Vec<u8>>);

impl Chunks {
    /// Start reading. The thread ends with the stream, or when nobody takes its chunks any more.
    pub(crate) fn new(mut stream: impl Read + Send + 'static) -> Self {
        let (send, chunks) = sync_channel(WAITING);
        thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(n @ 1..) = stream.read(&mut chunk) {
                if send.send(chunk[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self(chunks)
    }

    /// The next chunk, within a time.
    pub(crate) fn next(&self, time: Option<Duration>) -> Result<Vec<u8>, Fault> {
        match time {
            Some(time) => self.0.recv_timeout(time).map_err(|e| match e {
                RecvTimeoutError::Timeout => Fault::TimedOut,
                RecvTimeoutError::Disconnected => Fault::Left,
            }),
            None => self.0.recv().map_err(|_| Fault::Left),
        }
    }
}
