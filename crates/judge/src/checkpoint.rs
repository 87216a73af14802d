//! Searches that can be stopped, or killed, and go on later.

use std::{
    path::PathBuf,
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use ludex_core::{Error, ErrorCode, Key, Probe as _, Verdict};
use ludex_search::dfpn::ProofTable;
use ludex_store::checkpoint::{Reached, load, save};

use crate::monitor::Monitor;

/// Hands out all entries of a table.
type EachEntry<'a> = dyn Fn(&mut dyn FnMut(&[u64])) + Sync + 'a;

/// Where a search keeps what it remembers, and how often it writes it down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The file. A search goes on from it if it is there.
    pub file: PathBuf,
    /// The time between two writes; more if writing takes longer than a third of it.
    pub every: Duration,
}

impl Checkpoint {
    /// Refuse searches that keep no checkpoint.
    pub(crate) fn check(&self, solver: &str) -> Result<(), Error> {
        if solver == "dfpn" {
            return Ok(());
        }
        Err(Error::new(
            ErrorCode::NoCheckpoint,
            format!("'{solver}' keeps no checkpoint"),
            "take --solver dfpn, which does for every game",
        ))
    }

    /// Search from the last checkpoint on, writing new ones meanwhile and at the end. `about` says what the search is. A
    /// last one that cannot be written is a warning: the search is done, and the one before is still there.
    pub(crate) fn run<K: Key, M>(
        &self,
        about: &str,
        table: &ProofTable<K>,
        monitor: &Monitor,
        search: impl FnOnce() -> Result<Verdict<M>, Error>,
    ) -> Result<Verdict<M>, Error> {
        let earlier = load(&self.file, about, ProofTable::<K>::ENTRY, &mut |entry| table.restore(entry))?
            .unwrap_or_default();
        let (mut search, mut found) = (Some(search), None);
        let mut searching = || found = search.take().map(|search| search());
        self.beside(about, earlier, &|put| table.each(put), monitor, &mut searching)?;
        let mut verdict = found.unwrap_or_else(|| Err(Error::contradiction("a search was not begun")))?;
        verdict.stats.earlier_nodes = Some(earlier.nodes);
        verdict.stats.earlier_seconds = Some(earlier.seconds as u64);
        Ok(verdict)
    }

    /// Write what is remembered now and then while something is searched, and at the end.
    fn beside(
        &self,
        about: &str,
        earlier: Reached,
        each: &EachEntry<'_>,
        monitor: &Monitor,
        search: &mut dyn FnMut(),
    ) -> Result<(), Error> {
        let write = || {
            let reached = Reached {
                nodes: earlier.nodes + monitor.nodes(),
                seconds: earlier.seconds + monitor.elapsed().as_secs_f64(),
            };
            save(&self.file, about, reached, each)
        };
        // A file that cannot be written is refused before the search, not after it.
        write()?;
        let (done, waiting) = channel::<()>();
        thread::scope(|scope| {
            let write = &write;
            scope.spawn(move || {
                let mut pause = self.every;
                while waiting.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                    let start = Instant::now();
                    // What fails is tried again at the next turn, and at the end.
                    let _ = write();
                    pause = self.every.max(3 * start.elapsed());
                }
            });
            search();
            drop(done);
        });
        if let Err(error) = write() {
            monitor.warn(Error::from(error).at("the checkpoint was not written"));
        }
        Ok(())
    }
}
