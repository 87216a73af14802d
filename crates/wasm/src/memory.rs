//! A request and its answer in linear memory.
//!
//! ```text
//! room(n)       makes room for a request of n bytes and says where
//! answer()      answers it; the answer lies where at() says, and has as many bytes as this returns
//! ```
//! The host provides `now` (milliseconds since some moment), `random` (a number from 0 up to 1) and `tell(at, length)`, which is
//! called with progress while a search runs.
#![allow(unsafe_code, reason = "exported names and functions of the host have no safe form")]

use std::{
    cell::{OnceCell, RefCell},
    sync::Arc,
    time::Duration,
};

use ludex_judge::{Alone, Clock, Terms};

use crate::desk::Desk;

thread_local! {
    static BYTES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static DESK: OnceCell<Desk> = const { OnceCell::new() };
}

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    safe fn now() -> f64;
    safe fn random() -> f64;
    safe fn tell(at: usize, length: usize);
}

/// What a host would say, where there is none: for the tests of this crate.
#[cfg(not(target_family = "wasm"))]
mod alone {
    pub(super) fn now() -> f64 {
        0.0
    }

    pub(super) fn random() -> f64 {
        0.5
    }

    pub(super) fn tell(_: usize, _: usize) {}
}
#[cfg(not(target_family = "wasm"))]
use alone::{now, random, tell};

/// The host's clock.
#[derive(Clone, Copy, Debug)]
struct HostClock;

impl Clock for HostClock {
    fn now(&self) -> Duration {
        Duration::from_secs_f64(now().max(0.0) / 1000.0)
    }
}

/// Make room for a request of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> usize {
    BYTES.with_borrow_mut(|bytes| {
        bytes.clear();
        bytes.resize(length, 0);
        bytes.as_ptr() as usize
    })
}

/// Answer the request; how many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let request = BYTES.take();
    let answer = DESK.with(|desk| {
        let desk = desk.get_or_init(|| {
            let terms = Terms::new(Arc::new(HostClock), Arc::new(Alone));
            Desk::new(terms, || (random() * f64::from(u32::MAX)) as u64)
        });
        desk.answer(&request, |news| tell(news.as_ptr() as usize, news.len()))
    });
    let length = answer.len();
    BYTES.set(answer);
    length
}

/// Where the answer lies.
#[unsafe(no_mangle)]
pub extern "C" fn at() -> usize {
    BYTES.with_borrow(|bytes| bytes.as_ptr() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_goes_in_and_its_answer_comes_out() {
        let request = b"{\"method\":\"GET\",\"path\":\"position\",\"query\":{\"game\":\"mnk:3,3,3\"}}\n";
        room(request.len());
        BYTES.with_borrow_mut(|bytes| bytes.copy_from_slice(request));
        let length = answer();
        let text = BYTES.with_borrow(|bytes| String::from_utf8_lossy(bytes).into_owned());
        assert_eq!(text.len(), length);
        assert!(text.starts_with("200 application/json\n{\"type\":\"position\""), "{text}");
    }
}
