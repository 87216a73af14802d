//! Lines from a program that cannot be trusted: bounded, checked, and waited for only so long.

use std::{
    io::Read,
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

use crate::player::Fault;

/// No line of a protocol is longer than this.
pub const LONGEST: usize = 4096;
/// At most so many lines wait to be taken; a program that sends more is not read until then.
const WAITING: usize = 64;

/// The lines of a stream, read by a thread of its own.
#[derive(Debug)]
pub struct Lines {
    lines: Receiver<Result<String, Fault>>,
    fault: Option<Fault>,
}

impl Lines {
    /// Start reading. The thread ends with the stream, at the first fault, or when nobody takes its lines any more.
    pub fn new(mut stream: impl Read + Send + 'static) -> Self {
        let (send, lines) = sync_channel(WAITING);
        thread::spawn(move || {
            let mut pending: Vec<u8> = Vec::new();
            let mut chunk = [0; 4096];
            loop {
                let n = match stream.read(&mut chunk) {
                    Ok(0) | Err(_) => {
                        let _ = send.send(Err(Fault::Left));
                        return;
                    }
                    Ok(n) => n,
                };
                pending.extend_from_slice(&chunk[..n]);
                while let Some(end) = pending.iter().position(|&b| b == b'\n') {
                    let line: Vec<u8> = pending.drain(..=end).collect();
                    let line = if line.len() > LONGEST {
                        Err(Fault::TooLong(LONGEST))
                    } else {
                        String::from_utf8(line).map(|l| l.trim_end().to_owned()).map_err(|_| Fault::NotText)
                    };
                    let stop = line.is_err();
                    if send.send(line).is_err() || stop {
                        return;
                    }
                }
                if pending.len() > LONGEST {
                    let _ = send.send(Err(Fault::TooLong(LONGEST)));
                    return;
                }
            }
        });
        Self { lines, fault: None }
    }

    /// The next line, within a time.
    ///
    /// # Errors
    /// If it does not come in time, is too long, or is not text.
    pub fn next(&mut self, time: Option<Duration>) -> Result<String, Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let line = match time {
            Some(time) => match self.lines.recv_timeout(time) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return Err(Fault::TimedOut),
                Err(RecvTimeoutError::Disconnected) => Err(Fault::Left),
            },
            None => self.lines.recv().unwrap_or(Err(Fault::Left)),
        };
        if let Err(fault) = &line {
            self.fault = Some(fault.clone());
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: Vec<u8>) -> Vec<Result<String, Fault>> {
        let mut lines = Lines::new(std::io::Cursor::new(bytes));
        let mut seen = Vec::new();
        loop {
            let line = lines.next(Some(Duration::from_secs(5)));
            let stop = line.is_err();
            seen.push(line);
            if stop {
                return seen;
            }
        }
    }

    #[test]
    fn good_and_bad_streams() {
        assert_eq!(all(b"a\r\nb\nrest".to_vec()), [Ok("a".into()), Ok("b".into()), Err(Fault::Left)]);
        assert_eq!(all(vec![b'x'; 10 << 20]), [Err(Fault::TooLong(LONGEST))]);
        assert_eq!(all(b"ok\n\xff\xfe\nmore\n".to_vec()), [Ok("ok".into()), Err(Fault::NotText)]);
        assert_eq!(all(Vec::new()), [Err(Fault::Left)]);
    }
}
