//! How far a build is, for whoever asks from outside: a small file in the folder of every process.

use std::{
    fs,
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use crate::{job::Job, watch::Step};

/// What a process of a build last said of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// The number of the process, and how many there are.
    pub process: usize,
    /// How many processes there are.
    pub processes: usize,
    /// Workers of each process.
    pub workers: usize,
    /// `waiting`, `listing`, `solving` or `joining`.
    pub phase: String,
    /// The tier it is at.
    pub tier: usize,
    /// How many there are; 0 while positions are being listed.
    pub tiers: usize,
    /// The name of the tier.
    pub name: String,
    /// Positions of this process that are done.
    pub done: u64,
    /// Positions of this process; 0 while they are being listed.
    pub positions: u64,
    /// Bytes sent to other workers.
    pub sent: u64,
    /// Seconds since it was started.
    pub seconds: f64,
    /// When it said so, in seconds since 1970.
    pub at: u64,
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Say how far it is. If that fails, the build goes on.
pub(crate) fn write(job: &Job, step: &Step) {
    let text = format!(
        "process={}\nprocesses={}\nworkers={}\nphase={}\ntier={}\ntiers={}\nname={}\ndone={}\npositions={}\nsent={}\nseconds={}\nat={}\n",
        job.process(),
        job.processes(),
        job.layout.workers,
        step.phase,
        step.tier,
        step.tiers,
        step.name,
        step.done,
        step.positions,
        step.sent,
        step.time.as_secs_f64(),
        now()
    );
    let path = job.folder.join("status");
    let beside = job.folder.join("status.new");
    let _ = fs::write(&beside, text).and_then(|()| fs::rename(&beside, &path));
}

fn read(path: &Path) -> Option<Status> {
    let text = fs::read_to_string(path).ok()?;
    let get = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    Some(Status {
        process: get("process")?.parse().ok()?,
        processes: get("processes")?.parse().ok()?,
        workers: get("workers")?.parse().ok()?,
        phase: get("phase")?.into(),
        tier: get("tier")?.parse().ok()?,
        tiers: get("tiers")?.parse().ok()?,
        name: get("name")?.into(),
        done: get("done")?.parse().ok()?,
        positions: get("positions")?.parse().ok()?,
        sent: get("sent")?.parse().ok()?,
        seconds: get("seconds")?.parse().ok()?,
        at: get("at")?.parse().ok()?,
    })
}

/// What the processes of the build of a file that keep their folders on this machine last said, by process.
#[must_use]
pub fn statuses(out: &Path) -> Vec<Status> {
    let first = read(&crate::process_path(out, 0).with_added_extension("part").join("status"));
    let most = first.as_ref().map_or(1024, |status| status.processes);
    let others = (1..most)
        .filter_map(|p| read(&crate::process_path(out, p).with_added_extension("part").join("status")));
    first.iter().cloned().chain(others).collect()
}

/// Seconds since a process said something.
#[must_use]
pub fn age(status: &Status) -> u64 {
    now().saturating_sub(status.at)
}
