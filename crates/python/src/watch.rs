//! Work that leaves the interpreter free, ends on Ctrl-C, and tells of its progress.
//!
//! The work runs on a thread of its own. The calling thread waits detached from the interpreter, so that other Python
//! threads go on, and attaches a few times a second to look for signals; progress is told on the calling thread, where
//! a notebook expects it. What a callback or a signal handler raises cancels the work and is raised when it has ended.

use std::{
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use ludex::{
    core::{Cancel, Error},
    judge::{Reporter, answer::ProgressLine},
};
use pyo3::prelude::*;

use crate::failure::{internal, json};

/// Time between two looks for signals.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The same stack as the main thread of a program has: searches recurse as deep as games are long.
const STACK: usize = 8 << 20;

enum Event {
    /// How far it is, as JSON.
    Progress(String),
    Done,
}

/// Run `work` to its end, or until it notices `cancel`. The work is handed a reporter if `callback` wants to be told.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    cancel: &Cancel,
    callback: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Option<Reporter>) -> Result<T, Error> + Send,
) -> PyResult<Result<T, Error>> {
    let (sender, mut receiver) = mpsc::channel();
    let reporter: Option<Reporter> = callback.map(|_| {
        let sender = sender.clone();
        let report = move |progress: &_| {
            if let Ok(line) = json(&ProgressLine::from(progress)) {
                drop(sender.send(Event::Progress(line)));
            }
        };
        Arc::new(report) as Reporter
    });
    let mut raised = None;
    let done = thread::scope(|scope| {
        let run = move || {
            let done = work(reporter);
            drop(sender.send(Event::Done));
            done
        };
        let worker = match thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run) {
            Ok(worker) => worker,
            Err(failure) => return Err(internal(format!("no thread can be started: {failure}"))),
        };
        loop {
            // Nothing may be shared with a part that is detached, so the receiver goes there and comes back.
            let (event, back) = py.detach(move || (receiver.recv_timeout(LOOK_EVERY), receiver));
            receiver = back;
            let told = match (event, callback) {
                (Ok(Event::Done) | Err(RecvTimeoutError::Disconnected), _) => break,
                (Ok(Event::Progress(line)), Some(callback)) if raised.is_none() => {
                    callback.call1((line,)).map(drop)
                }
                _ => Ok(()),
            };
            if let Err(error) = told.and_then(|()| py.check_signals())
                && raised.is_none()
            {
                cancel.cancel();
                raised = Some(error);
            }
        }
        py.detach(|| worker.join()).unwrap_or_else(|_| Err(internal("the search panicked")))
    });
    raised.map_or(Ok(done), Err)
}
