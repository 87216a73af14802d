//! Lines from a program that cannot be trusted: bounded, checked, and waited for only so long.

use std::{
    io::Read,
    time::{Duration, Instant},
};

use crate::{chunks::Chunks, player::Fault};

/// No line or message of a protocol is longer than this.
pub const LONGEST: usize = 4096;

/// The lines of a stream.
#[derive(Debug)]
pub struct Lines {
    chunks: Chunks,
    pending: Vec<u8>,
    fault: Option<Fault>,
}

impl Lines {
    /// Start reading.
    pub fn new(stream: impl Read + Send + 'static) -> Self {
        Self { chunks: Chunks::new(stream), pending: Vec::new(), fault: None }
    }

    /// The next line, within a time.
    ///
    /// # Errors
    /// If it does not come in time, is too long, or is not text.
    pub fn next(&mut self, time: Option<Duration>) -> Result<String, Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let line = self.read(time.map(|time| Instant::now() + time));
        // A late line may still come; after any other fault there is nothing more to be read.
        self.fault = line.as_ref().err().filter(|fault| **fault != Fault::TimedOut).cloned();
        line
    }

    fn read(&mut self, deadline: Option<Instant>) -> Result<String, Fault> {
        loop {
            let end = self.pending.iter().position(|&b| b == b'\n');
            if end.unwrap_or(self.pending.len()) >= LONGEST {
                return Err(Fault::TooLong(LONGEST));
            }
            if let Some(end) = end {
                let line = self.pending.drain(..=end).collect();
                return String::from_utf8(line)
                    .map(|line| line.trim_end().to_owned())
                    .map_err(|_| Fault::NotText);
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            self.pending.extend(self.chunks.next(left)?);
        }
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
