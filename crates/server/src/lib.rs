//! The web page and the REST API of Ludex, in one process with everything embedded.
//!
//! A connection is one of a bounded number, with a share for each address (`connections`); HTTP/1.1 is spoken on it with a
//! time for everything (`listener`). A request passes the [`guard`] (host check, security headers, a net for panics), reaches one of the [`endpoints`],
//! and is answered with the [`objects`] of the machine interface; the [`openapi`] document and the types of the page are
//! made from the same table and the same types. The [`questions`] themselves are those of `ludex_api`, which knows no HTTP;
//! final [`answers`] are kept here, and long searches are [`jobs`]. What keeps a core busy runs in a [`pool`] of
//! its kind, so that what is short never waits behind what is long. The server takes the
//! games of whatever registry it is given. The page knows no game: it shows the SVG it is sent and offers the clicks that
//! make a legal move.
#![deny(unsafe_code)]

pub mod answers;
mod body;
mod config;
mod connections;
pub mod endpoints;
mod error;
mod freed;
pub mod guard;
pub mod jobs;
mod listener;
mod metrics;
pub mod openapi;
mod page;
mod parked;
pub mod pool;
mod routes;
mod service;
mod wire;

pub use config::Config;
pub use error::ApiError;
pub use ludex_api::{board, certificate, engine, judge, objects, part, questions, requests};
pub use metrics::Metrics;
pub use routes::farm::FarmPage;
pub use service::{Service, bind, router, run, serve};
