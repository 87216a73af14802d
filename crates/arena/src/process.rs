//! A program that is ended with everything it has started.
//!
//! On Unix it leads a process group of its own, and the group is killed: a player that is a shell script leaves no engine
//! behind. Elsewhere only the program itself is ended.

use std::{
    io,
    process::{Child, ChildStdin, ChildStdout, Command},
    sync::{Mutex, PoisonError},
};

/// The programs that run, by process id, so that all can be ended at once.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// A running program, ended when dropped.
#[derive(Debug)]
pub struct Process(Child);

impl Process {
    /// Start it.
    pub(crate) fn start(mut command: Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // Started under the lock, so that `end_all` ends it or keeps it from starting.
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let child = command.spawn()?;
        running.push(child.id());
        Ok(Self(child))
    }

    /// Its standard input and output, once.
    pub(crate) fn take_pipes(&mut self) -> Option<(ChildStdin, ChildStdout)> {
        self.0.stdin.take().zip(self.0.stdout.take())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The group is killed before its leader is waited for: until then nobody else can have its number.
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).retain(|id| *id != self.0.id());
        kill_group(self.0.id());
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// End every running program, for a process that ends without unwinding.
pub fn end_all() {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).drain(..).for_each(kill_group);
}

/// Kill a program and what it started. It may have ended by itself.
fn kill_group(leader: u32) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(leader).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = leader;
}
