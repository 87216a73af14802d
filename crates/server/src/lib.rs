//! The web page and the REST API of Ludex, in one process with everything embedded.
//!
//! A request passes the [`guard`] (host check, security headers, a net for panics), reaches one of the [`endpoints`],
//! which are also what the OpenAPI document is made from, and is answered with the objects of the machine interface.
//! Boards come from [`board`], values from the judge through [`oracle`], which
//! keeps games [`warm`], long searches are [`jobs`]. The page knows no
//! game: it shows the SVG it is sent and offers the clicks that make a legal move.
#![forbid(unsafe_code)]

pub mod board;
pub mod cache;
mod config;
pub mod endpoints;
mod error;
pub mod guard;
pub mod jobs;
pub mod levels;
mod listener;
mod metrics;
pub mod oracle;
mod page;
mod routes;
mod service;
pub mod warm;

pub use config::Config;
pub use error::ApiError;
pub use metrics::Metrics;
pub use service::{Service, bind, router, run, serve};
