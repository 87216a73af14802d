//! The judge where there is no server: the requests of the API, answered by a function call.
//!
//! [`desk`] takes a request as text and gives its answer, the same objects as over HTTP. [`memory`] hands both through the
//! linear memory of WebAssembly, with nothing but numbers in its signatures, so that no tool has to generate code for it.
//! There are no threads: a page runs this in a worker and ends the worker to end a search.
#![deny(unsafe_code)]

pub mod desk;
pub mod memory;
