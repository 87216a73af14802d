//! Threads for work that keeps a core busy: a few at a time, a bounded number waiting, and nobody held up for ever.
//!
//! There is a pool for each kind of work, so that what is short never waits behind what is long. Work is told to stop when its
//! time is over or its client has left. Work that does not notice is given up: its client is answered, and after a moment
//! its turn goes to somebody else, while the thread that it still holds is counted apart, and those are bounded too.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use ludex_core::{Cancel, ErrorCode};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, sleep, timeout},
};

use crate::ApiError;

/// How much later than its time work may end before it is told to: a search keeps its own time better than we can.
const NOTICE: Duration = Duration::from_millis(250);

/// How much later than its time, or than being told to stop, work is given up.
pub(crate) const GRACE: Duration = Duration::from_millis(1000);

/// A number of threads and a queue before them.
#[derive(Debug)]
pub struct Pool {
    turns: Arc<Semaphore>,
    places: Arc<Semaphore>,
    overtime: Arc<Semaphore>,
    size: usize,
    queue: usize,
}

impl Pool {
    /// So many pieces of work at a time, and so many waiting.
    #[must_use]
    pub fn new(size: usize, queue: usize) -> Self {
        let size = size.max(1);
        let permits = |n: usize| Arc::new(Semaphore::new(n.min(Semaphore::MAX_PERMITS)));
        let places = permits(size.saturating_add(queue));
        Self { turns: permits(size), places, overtime: permits(size), size, queue }
    }

    /// How much runs, how much waits, and how much was given up and goes on.
    #[must_use]
    pub fn load(&self) -> (usize, usize, usize) {
        let running = self.size - self.turns.available_permits();
        let inside = (self.size + self.queue).saturating_sub(self.places.available_permits());
        (running, inside.saturating_sub(running), self.size - self.overtime.available_permits())
    }

    /// A place in the queue.
    ///
    /// # Errors
    /// If all are taken.
    pub fn enter(&self) -> Result<Place, ApiError> {
        let place = self.places.clone().try_acquire_owned();
        let place = place.map_err(|_| ApiError::busy("too many requests are waiting for an answer"))?;
        Ok(Place { place, turns: self.turns.clone(), overtime: self.overtime.clone() })
    }

    /// Wait for a turn, but not longer than `patience`, and do the work in `time`. Dropping the future stops the work.
    ///
    /// # Errors
    /// If too many wait already, the turn does not come, the work fails, or it does not end in its time.
    pub async fn run<T: Send + 'static>(
        &self,
        patience: Duration,
        time: Duration,
        work: impl FnOnce(&Cancel) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let turn = timeout(patience, self.enter()?.turn());
        let turn =
            turn.await.map_err(|_| ApiError::busy("others are being answered, and take their time"))??;
        turn.run(time, &Cancel::new(), work).await
    }
}

/// A place in the queue of a pool.
#[derive(Debug)]
pub struct Place {
    place: OwnedSemaphorePermit,
    turns: Arc<Semaphore>,
    overtime: Arc<Semaphore>,
}

impl Place {
    /// Wait for a turn.
    ///
    /// # Errors
    /// None, as long as there is a server.
    pub async fn turn(self) -> Result<Turn, ApiError> {
        let turn = self.turns.acquire_owned().await.map_err(|_| ApiError::internal())?;
        Ok(Turn { held: Held::Turn { _place: self.place, _turn: turn }, overtime: self.overtime })
    }
}

/// The right to work now.
#[derive(Debug)]
pub struct Turn {
    held: Held,
    overtime: Arc<Semaphore>,
}

/// What a thread at work holds, and gives back when it ends.
#[derive(Debug)]
enum Held {
    Turn { _place: OwnedSemaphorePermit, _turn: OwnedSemaphorePermit },
    Overtime { _thread: OwnedSemaphorePermit },
    Nothing,
}

impl Turn {
    /// Do the work on a thread of its own. `cancel` is raised when `time` is over, or when the future is dropped.
    ///
    /// # Errors
    /// Those of the work; that it did not end in its time; that it panicked.
    pub async fn run<T: Send + 'static>(
        self,
        time: Duration,
        cancel: &Cancel,
        work: impl FnOnce(&Cancel) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let held = Arc::new(Mutex::new(self.held));
        let _watch = Watch { held: held.clone(), overtime: self.overtime, cancel: cancel.clone() };
        let (release, told) = (Release(held), cancel.clone());
        let mut done = tokio::task::spawn_blocking(move || {
            let _release = release;
            work(&told)
        });
        let start = Instant::now();
        let allowance = GRACE.max(time / 20);
        let late = |by: Duration| start.checked_add(time.saturating_add(by)).map(tokio::time::sleep_until);
        let (mut notice, mut end) = (late(NOTICE).map(Box::pin), late(allowance).map(Box::pin));
        let done = loop {
            tokio::select! {
                done = &mut done => break done,
                () = until(&mut notice) => { cancel.cancel(); notice = None },
                () = until(&mut end) => {
                    let message = format!("the search did not end in its {time:?}");
                    return Err(ApiError::new(ErrorCode::Overrun, message, "ask about a smaller board, or later"));
                }
            }
        };
        done.unwrap_or_else(|fault| {
            eprintln!("ludex: a request failed: {fault}");
            Err(ApiError::internal())
        })
    }
}

/// The end of a sleep, if there is one.
async fn until(sleep: &mut Option<std::pin::Pin<Box<tokio::time::Sleep>>>) {
    match sleep {
        Some(sleep) => sleep.as_mut().await,
        None => std::future::pending().await,
    }
}

/// Gives back what the thread holds, however its work ends.
struct Release(Arc<Mutex<Held>>);

impl Drop for Release {
    fn drop(&mut self) {
        *lock(&self.0) = Held::Nothing;
    }
}

/// Stops the work when nobody waits for it any more.
struct Watch {
    held: Arc<Mutex<Held>>,
    overtime: Arc<Semaphore>,
    cancel: Cancel,
}

impl Watch {
    fn is_working(&self) -> bool {
        matches!(*lock(&self.held), Held::Turn { .. })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.cancel.cancel();
        if !self.is_working() {
            return;
        }
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (held, overtime) = (self.held.clone(), self.overtime.clone());
        runtime.spawn(async move {
            sleep(GRACE).await;
            if let Ok(thread) = overtime.acquire_owned().await {
                let mut held = lock(&held);
                if matches!(*held, Held::Turn { .. }) {
                    *held = Held::Overtime { _thread: thread };
                }
            }
        });
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn code<T>(result: Result<T, ApiError>) -> Option<ErrorCode> {
        result.err().map(|error| error.0.code)
    }

    #[tokio::test]
    async fn the_queue_is_bounded_and_nobody_waits_for_ever() {
        let pool = Arc::new(Pool::new(1, 1));
        let (end, ended) = mpsc::channel::<()>();
        let busy = tokio::spawn({
            let pool = pool.clone();
            async move {
                let wait = move |_: &Cancel| {
                    let _ = ended.recv();
                    Ok(())
                };
                pool.run(LONG, LONG, wait).await
            }
        });
        while pool.load() != (1, 0, 0) {
            tokio::task::yield_now().await;
        }
        let place = pool.enter().expect("one may wait");
        assert_eq!((pool.load(), code(pool.enter())), ((1, 1, 0), Some(ErrorCode::Busy)));
        drop(place);
        let turned_away = pool.run(Duration::from_millis(1), LONG, |_| Ok(())).await;
        assert_eq!(code(turned_away), Some(ErrorCode::Busy));
        drop(end);
        assert!(busy.await.is_ok_and(|result| result.is_ok()));
        assert_eq!(pool.load(), (0, 0, 0));
    }

    #[tokio::test]
    async fn work_that_ignores_its_time_is_given_up_and_its_turn_goes_to_others() {
        let pool = Pool::new(1, 0);
        let (end, ended) = mpsc::channel::<()>();
        let deaf = move |_: &Cancel| {
            let _ = ended.recv();
            Ok(())
        };
        let start = Instant::now();
        assert_eq!(code(pool.run(LONG, Duration::ZERO, deaf).await), Some(ErrorCode::Overrun));
        assert!(start.elapsed() >= GRACE);
        while pool.load() != (0, 0, 1) {
            sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(code(pool.run(LONG, LONG, |_| Ok(())).await), None, "somebody else's turn");
        drop(end);
        while pool.load() != (0, 0, 0) {
            sleep(Duration::from_millis(5)).await;
        }
    }

    #[tokio::test]
    async fn who_leaves_stops_the_work() {
        let pool = Pool::new(1, 0);
        let (begun, begins) = tokio::sync::oneshot::channel();
        let (told, stopped) = mpsc::channel();
        let work = pool.run(LONG, LONG, move |cancel| {
            let _ = begun.send(());
            while !cancel.is_cancelled() {
                std::thread::yield_now();
            }
            let _ = told.send(());
            Ok(())
        });
        tokio::select! {
            _ = work => unreachable!("nothing has stopped it"),
            _ = begins => {},
        }
        assert!(stopped.recv_timeout(LONG).is_ok());
    }
}
