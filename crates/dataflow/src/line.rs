//! A connection to another process, as timely uses it.
//!
//! timely is fail-stop: a connection that ends before its time makes a thread panic. Here it only says that the process
//! is lost, and its thread sleeps from then on; the workers see it and stop in order.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpStream},
    sync::Arc,
    thread,
};

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::watch::Watch;

/// A connection that knows whom it leads to.
pub struct Line {
    stream: TcpStream,
    process: usize,
    watch: Arc<Watch>,
}

impl Line {
    /// A connection to a process.
    pub fn new(stream: TcpStream, process: usize, watch: Arc<Watch>) -> Self {
        Self { stream, process, watch }
    }
}

impl Read for Line {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) if !self.watch.finished() => {
                    self.watch.lose(self.process);
                    // An error would make timely panic, and with this thread the workers that still have to stop in order.
                    loop {
                        thread::park();
                    }
                }
                Err(_) => return Ok(0),
                read => return read,
            }
        }
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => Err(e),
            Ok(0) | Err(_) => {
                if !self.watch.finished() {
                    self.watch.lose(self.process);
                }
                Ok(bytes.len())
            }
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Line {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { stream: self.stream.try_clone()?, process: self.process, watch: Arc::clone(&self.watch) })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // The other side may have hung up first.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
