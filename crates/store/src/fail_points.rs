//! Steps of writing a file that fail, or are the process's last, when a test says so.

use std::{
    cell::Cell,
    fs::File,
    io::{self, Write},
};

/// What happens at the chosen step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The disk is full, after half of what was to be written.
    Full,
    /// The process is killed, after half of what was to be written.
    Killed,
}

thread_local! {
    /// How many steps of this thread go well, and what happens then.
    static AIM: Cell<Option<(u64, Fate)>> = const { Cell::new(None) };
}

/// Let so many steps of this thread go well. Gives what is left of the aim before, to see whether it was reached.
pub(crate) fn aim(at: Option<(u64, Fate)>) -> Option<(u64, Fate)> {
    AIM.replace(at)
}

fn reached() -> Option<Fate> {
    let (left, fate) = AIM.get()?;
    AIM.set(left.checked_sub(1).map(|left| (left, fate)));
    (left == 0).then_some(fate)
}

fn meet(fate: Fate) -> io::Result<()> {
    match fate {
        Fate::Full => Err(io::ErrorKind::StorageFull.into()),
        Fate::Killed => kill(),
    }
}

#[cfg(unix)]
fn kill() -> ! {
    use rustix::process::{Signal, getpid, kill_process};
    kill_process(getpid(), Signal::KILL).expect("may kill itself");
    unreachable!("killed");
}

#[cfg(not(unix))]
fn kill() -> ! {
    std::process::abort();
}

/// A step that is not a write.
pub(crate) fn step() -> io::Result<()> {
    reached().map_or(Ok(()), meet)
}

/// A write, torn if this is the chosen step.
pub(crate) fn before_write(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    match reached() {
        None => Ok(()),
        Some(fate) => {
            file.write_all(&bytes[..bytes.len() / 2])?;
            meet(fate)
        }
    }
}
