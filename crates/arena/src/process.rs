//! A program that is ended with everything it has started.
//!
//! On Unix it leads a process group of its own, and the group is killed: a player that is a shell script leaves no engine
//! behind. On Windows it is put into a job object, which the system ends with all that is in it when its last handle is
//! closed, even if this process is killed. Elsewhere only the program itself is ended.

use std::{
    io,
    process::{Child, ChildStdin, ChildStdout, Command},
    sync::{Mutex, PoisonError},
};

#[cfg(windows)]
use crate::job::Job;

/// The programs that run, by process id, so that all can be ended at once.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// A running program, ended when dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Dropped after the program was ended, and everything it has started with it.
    #[cfg(windows)]
    _job: Job,
}

impl Process {
    /// Start it.
    pub(crate) fn start(mut command: Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // Started under the lock, so that `end_all` ends it or keeps it from starting.
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        #[cfg_attr(not(windows), expect(unused_mut, reason = "only a job may refuse it"))]
        let mut child = command.spawn()?;
        #[cfg(windows)]
        let _job = Job::with(&child).inspect_err(|_| drop(child.kill()))?;
        running.push(child.id());
        Ok(Self {
            child,
            #[cfg(windows)]
            _job,
        })
    }

    /// Its standard input and output, once.
    pub(crate) fn take_pipes(&mut self) -> Option<(ChildStdin, ChildStdout)> {
        self.child.stdin.take().zip(self.child.stdout.take())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The group is killed before its leader is waited for: until then nobody else can have its number.
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).retain(|id| *id != self.child.id());
        kill_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
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
