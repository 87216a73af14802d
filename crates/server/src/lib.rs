//! The web page and the REST API of Ludex, in one process with everything embedded.
//!
//! A connection is one of a bounded number, with a share for each address (`connections`); HTTP/1.1 is spoken on it with a
//! time for everything (`listener`). A request passes the [`guard`] (host check, security headers, a net for panics), reaches one of the [`endpoints`],
//! and is answered with the [`objects`] of the machine interface; the [`openapi`] document and the types of the page are
//! made from the same table and the same types. Boards come from [`board`], values from the judge through
//! [`judge`], which keeps games [`warm`]; final [`answers`] are kept; long searches are [`jobs`]; a [`certificate`] is checked and walked through. What keeps a core busy runs in a [`pool`] of
//! its kind, so that what is short never waits behind what is long. The server takes the
//! games of whatever registry it is given. The page knows no game: it shows the SVG it is sent and offers the clicks that
//! make a legal move.
#![deny(unsafe_code)]

pub mod answers;
pub mod board;
mod body;
pub mod certificate;
mod config;
mod connections;
pub mod endpoints;
pub mod engine;
mod error;
mod freed;
pub mod guard;
pub mod jobs;
pub mod judge;
mod listener;
mod metrics;
pub mod objects;
pub mod openapi;
mod page;
pub mod part;
pub mod pool;
pub mod requests;
mod routes;
mod service;
pub mod warm;
mod wire;

pub use config::Config;
pub use error::ApiError;
pub use metrics::Metrics;
pub use routes::farm::FarmPage;
pub use service::{Service, bind, router, run, serve};
