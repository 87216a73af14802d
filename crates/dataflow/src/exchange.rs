//! What timely is used for: every worker hands every other one a message, and all know when the last has arrived.
//!
//! One dataflow: an input, an exchange by the name of the receiver, an inbox, and a probe. Each [`Exchange::swap`] is a
//! timestamp of its own; a worker goes on once the probe says that nothing of it is under way anywhere. So a round ends
//! at the same point for all workers, on however many machines they are.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc, sync::Arc, time::Duration};

use ludex_core::Error;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use timely::{
    container::CapacityContainerBuilder,
    dataflow::{
        InputHandle, ProbeHandle,
        channels::pact,
        operators::{Input, Operator, Probe},
    },
    worker::Worker,
};

use crate::watch::Watch;

/// Bytes of a part of a message.
const PART: usize = 1 << 20;

/// A part of a message.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Parcel {
    to: u32,
    from: u32,
    round: u64,
    part: u32,
    bytes: ByteBuf,
}

/// What a worker got in a round.
#[derive(Debug)]
pub struct Round {
    /// The messages, by the worker they come from.
    pub messages: Vec<Vec<u8>>,
    /// Whether some worker has more to send.
    pub more: bool,
}

/// A worker among others.
pub struct Exchange<'w> {
    worker: &'w mut Worker,
    input: InputHandle<u64, CapacityContainerBuilder<Vec<Parcel>>>,
    probe: ProbeHandle<u64>,
    inbox: Rc<RefCell<Vec<Parcel>>>,
    round: u64,
    watch: Arc<Watch>,
    /// The number of this worker.
    pub index: usize,
    /// How many there are.
    pub peers: usize,
}

impl<'w> Exchange<'w> {
    /// Take part. All workers must do so, and then swap equally often.
    pub fn new(worker: &'w mut Worker, watch: Arc<Watch>) -> Self {
        let (index, peers) = (worker.index(), worker.peers());
        let probe = ProbeHandle::new();
        let inbox = Rc::new(RefCell::new(Vec::new()));
        let arrived = Rc::clone(&inbox);
        let input = worker.dataflow::<u64, _, _>(|scope| {
            let (input, stream) = scope.new_input::<Vec<Parcel>>();
            let route = pact::Exchange::new(|parcel: &Parcel| u64::from(parcel.to));
            stream
                .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(route, "inbox", |_, _| {
                    move |input, _| {
                        input.for_each_time(|_, parcels| {
                            parcels.for_each(|some| arrived.borrow_mut().append(some));
                        });
                    }
                })
                .probe_with(&probe);
            input
        });
        Self { worker, input, probe, inbox, round: 0, watch, index, peers }
    }

    /// Hand a message to every worker, get one from each, and hear whether anybody has `more` to send.
    ///
    /// # Errors
    /// If it was called off, or a process is lost.
    pub fn swap(&mut self, mut out: Vec<Vec<u8>>, more: bool) -> Result<Round, Error> {
        out.resize(self.peers, Vec::new());
        let mut messages: Vec<Vec<u8>> = vec![Vec::new(); self.peers];
        let mut any = more;
        for (to, bytes) in out.into_iter().enumerate() {
            if to == self.index {
                messages[to] = bytes;
                continue;
            }
            // Part 0 says whether there is more to come in later rounds.
            self.send(to, 0, vec![u8::from(more)]);
            self.watch.sent(bytes.len());
            if bytes.len() <= PART {
                self.send(to, 1, bytes);
            } else {
                for (part, some) in (1..).zip(bytes.chunks(PART)) {
                    self.send(to, part, some.to_vec());
                }
            }
        }
        self.round += 1;
        self.input.advance_to(self.round);
        while self.probe.less_than(&self.round) {
            self.watch.check()?;
            self.worker.step_or_park(Some(Duration::from_millis(20)));
        }
        self.watch.check()?;
        let arrived = self.inbox.take();
        let (now, later): (Vec<_>, Vec<_>) =
            arrived.into_iter().partition(|parcel| parcel.round + 1 == self.round);
        self.inbox.borrow_mut().extend(later);
        let mut parts: BTreeMap<(u32, u32), ByteBuf> = BTreeMap::new();
        for parcel in now {
            parts.insert((parcel.from, parcel.part), parcel.bytes);
        }
        for ((from, part), bytes) in parts {
            if part == 0 {
                any |= bytes.first() == Some(&1);
            } else if part == 1 {
                messages[from as usize] = bytes.into_vec();
            } else {
                messages[from as usize].extend(&bytes[..]);
            }
        }
        Ok(Round { messages, more: any })
    }

    fn send(&mut self, to: usize, part: u32, bytes: Vec<u8>) {
        let (to, from, round) = (to as u32, self.index as u32, self.round);
        self.input.send(Parcel { to, from, round, part, bytes: ByteBuf::from(bytes) });
    }

    /// Tell all workers the same few bytes.
    ///
    /// # Errors
    /// If it was called off, or a process is lost.
    pub fn tell(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
        Ok(self.swap(vec![bytes.to_vec(); self.peers], false)?.messages)
    }

    /// Tell all workers a number, and hear theirs.
    ///
    /// # Errors
    /// If it was called off, or a process is lost.
    pub fn numbers(&mut self, mine: u64) -> Result<Vec<u64>, Error> {
        let all = self.tell(&mine.to_le_bytes())?;
        let number = |bytes: Vec<u8>| Some(u64::from_le_bytes(bytes.try_into().ok()?));
        all.into_iter()
            .map(|bytes| number(bytes).ok_or_else(|| crate::fault("a message is cut off")))
            .collect()
    }

    /// Look whether it was called off, or a process is lost.
    ///
    /// # Errors
    /// If so.
    pub fn check(&self) -> Result<(), Error> {
        self.watch.check()
    }

    /// What is told of the progress.
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// Leave: the others may go on only if they are done too.
    pub fn leave(self, done: bool) {
        if done {
            self.watch.finish();
        } else {
            for dataflow in self.worker.installed_dataflows() {
                self.worker.drop_dataflow(dataflow);
            }
        }
    }
}
