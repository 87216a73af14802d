//! What the workers of a process have in common.

use std::{
    ops::Range,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ludex_core::{Code, Error};
use ludex_search::retrograde::Positions;
use ludex_store::tablebase::{Builder, Heading, Tablebase};

use crate::{Layout, exchange::Exchange, fault, listed, numbered};

/// What a worker has done when it is done.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    pub tiers: usize,
    pub resumed: usize,
    pub positions: u64,
}

/// The end of a build, as every process hears of it.
#[derive(Clone, Debug)]
pub struct End {
    pub done: Done,
    pub bytes: u64,
    pub digest: String,
}

/// A build, seen by the workers of a process.
pub struct Job {
    pub positions: Positions,
    pub heading: Heading,
    pub outcome_only: bool,
    pub memory: u64,
    pub layout: Layout,
    pub folder: PathBuf,
    /// The table in the making: in process 0 until it is finished. In the others it only locks their folder.
    pub builder: Mutex<Option<Builder>>,
    tiers: Mutex<Vec<Arc<Vec<u8>>>>,
    assembly: Mutex<Vec<u8>>,
    end: Mutex<Option<End>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Job {
    pub fn new(
        positions: Positions,
        heading: Heading,
        memory: u64,
        layout: Layout,
        builder: Builder,
    ) -> Self {
        Self {
            positions,
            outcome_only: heading.value_bits == 2,
            heading,
            memory,
            layout,
            folder: builder.folder().to_owned(),
            builder: Mutex::new(Some(builder)),
            tiers: Mutex::default(),
            assembly: Mutex::default(),
            end: Mutex::default(),
        }
    }

    pub fn process(&self) -> usize {
        self.layout.process
    }

    pub fn processes(&self) -> usize {
        self.layout.hosts.len().max(1)
    }

    /// The workers of this process.
    pub fn workers_here(&self) -> Range<usize> {
        let first = self.process() * self.layout.workers;
        first..first + self.layout.workers
    }

    pub fn is_first_here(&self, worker: usize) -> bool {
        worker == self.workers_here().start
    }

    /// Whether a worker has the same place in another process.
    pub fn is_twin(&self, worker: usize, other: usize) -> bool {
        worker != other && worker % self.layout.workers == other % self.layout.workers
    }

    pub fn worker_folder(&self, worker: usize) -> PathBuf {
        self.folder.join(format!("worker-{worker}"))
    }

    pub fn memory_of_worker(&self) -> usize {
        (self.memory / self.layout.workers as u64) as usize
    }

    /// The tiers that this process holds; empty where it does not.
    pub fn tiers(&self) -> MutexGuard<'_, Vec<Arc<Vec<u8>>>> {
        let mut tiers = locked(&self.tiers);
        if let (true, Positions::Numbered(numbered)) = (tiers.is_empty(), &self.positions) {
            tiers.resize(numbered.tiers().len(), Arc::default());
        }
        tiers
    }

    /// The tier that is being put together.
    pub fn assembly(&self) -> MutexGuard<'_, Vec<u8>> {
        locked(&self.assembly)
    }

    /// A code as the table keeps it.
    pub fn value(&self, code: u8) -> u8 {
        if self.outcome_only { Code(code).class() } else { code }
    }

    /// Do something with the table in the making, in process 0.
    pub fn with_builder<T>(&self, with: impl FnOnce(&Builder) -> T) -> Option<T> {
        if self.process() == 0 { locked(&self.builder).as_ref().map(with) } else { None }
    }

    /// A phase begins, for all at the same time.
    pub fn phase(
        &self,
        exchange: &mut Exchange<'_>,
        phase: &'static str,
        positions: u64,
    ) -> Result<(), Error> {
        if self.is_first_here(exchange.index) {
            exchange.watch().phase(phase, positions);
        }
        exchange.numbers(0).map(drop)
    }

    /// What was held by a run that failed is of no use to the next.
    pub fn forget(&self) {
        locked(&self.tiers).clear();
        locked(&self.assembly).clear();
    }

    /// The end, in process 0 as soon as the table is in its place.
    pub fn end(&self) -> Option<End> {
        locked(&self.end).clone()
    }

    /// All the work of one worker.
    pub fn work(&self, exchange: &mut Exchange<'_>) -> Result<End, Error> {
        let done = match &self.positions {
            Positions::Listed(listed) => listed::run(&**listed, exchange, self)?,
            Positions::Numbered(numbered) => numbered::run(&**numbered, exchange, self)?,
        };
        self.phase(exchange, "joining", done.positions)?;
        exchange.check()?;
        exchange.watch().settle();
        // Everybody keeps what it has until the table is whole.
        let mut said = Vec::new();
        if exchange.index == 0 {
            let builder =
                locked(&self.builder).take().ok_or_else(|| fault("worker 0 has no table to write"))?;
            let table: Tablebase = builder.finish(done.tiers)?;
            let (bytes, digest) = (table.bytes(), table.digest().to_owned());
            said.extend(bytes.to_le_bytes());
            said.extend(digest.bytes());
            *locked(&self.end) = Some(End { done, bytes, digest });
        }
        let said = exchange.tell(&said)?.swap_remove(0);
        let (bytes, digest) = said.split_first_chunk::<8>().ok_or_else(|| fault("a message is cut off"))?;
        Ok(End {
            done,
            bytes: u64::from_le_bytes(*bytes),
            digest: String::from_utf8_lossy(digest).into_owned(),
        })
    }
}
