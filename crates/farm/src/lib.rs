//! Work that outgrows one process, through a queue in a database: SQLite on one machine, PostgreSQL on many.
//!
//! A submission is a list of positions, one position for a proof search that all workers share, or the parts of a [`Chore`]. Workers take jobs under
//! leases, say every second that they live, and hand in answers; one that dies loses the job it was at. The master of a
//! shared proof search keeps the top of the tree, hands out the leaves that matter most and takes in what they came to; it
//! can die too. What a worker finds below a leaf goes into the tables of all others. A sample of all answers is found out
//! again by somebody else.
//!
//! ```
//! use ludex_farm::{Farm, Plan, StoreUrl, Worker};
//! use ludex_games::template::{FAMILY, of_spec};
//! use ludex_judge::{Cancel, Question, Registry};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let url: StoreUrl = format!("sqlite:{}", folder.path().join("farm.db").display()).parse()?;
//! Farm::init(&url)?;
//! let mut farm = Farm::open(&url)?;
//! let registry = Registry::new().with(&FAMILY, of_spec);
//! let game = registry.open("heap:21")?;
//! let id = farm.submit_proof(&*game, &Question::default(), &Plan::default())?;
//! let worker = Worker { until_done: true, memory: 1 << 20, ..Worker::default() };
//! worker.run(&mut farm.again()?, &registry, &Cancel::new())?;
//! let solved = farm.status(Some(id))?.submissions[0].solved.clone().unwrap();
//! assert_eq!(solved.outcome, ludex_judge::Outcome::Win);
//! # Ok::<(), ludex_judge::Error>(())
//! ```
#![forbid(unsafe_code)]

mod chore;
mod database;
mod farm;
mod master;
mod page;
mod plan;
mod schema;
pub mod simulate;
mod status;
mod submit;
#[cfg(test)]
mod tests;
mod tree;
mod trust;
mod url;
mod verdicts;
mod worker;

pub use chore::{At, Chore, Chores, Gathering};
pub use farm::Farm;
pub use page::page;
pub use plan::{Found, Kind, Plan};
pub use status::{FarmStatus, Solved, SubmissionStatus, WorkerStatus};
pub use submit::Outcome;
pub use tree::{Pick, Tree, Twig};
pub use url::{Address, StoreUrl};
pub use verdicts::Verdicts;
pub use worker::{Worked, Worker};
