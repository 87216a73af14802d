//! What was learnt: the verdict database, tables of whole games, checkpoints of searches.
//!
//! A [`Store`] is one SQLite file (`ludex.db`) that several processes may use at once. It keeps what searches found
//! out about positions, as bounds, together with what made them: program version, solver, rules switched off. Several
//! findings about one position are kept side by side and answered as their intersection, so that a rule found wrong
//! later can be purged without losing what others have shown.
//!
//! ```
//! use ludex_core::{Bounds, Side, Value};
//! use ludex_store::{Filter, Row, Store};
//!
//! let store = Store::memory()?;
//! let mut row = Row::new("heap:21", &7u64.to_le_bytes(), "7", Side::First);
//! row.bounds = Bounds::at_least(Value::SOME_WIN);
//! row.solver = "dfpn".into();
//! store.put(&row)?;
//! row.bounds = Bounds::at_most(Value::win(3));
//! row.solver = "alphabeta".into();
//! store.put(&row)?;
//!
//! // Both findings together; each can still be looked at, and purged, on its own.
//! let known = store.get("heap:21", &7u64.to_le_bytes())?.unwrap();
//! assert_eq!(known.bounds, Bounds { lo: Value::SOME_WIN, hi: Value::win(3) });
//! assert_eq!(store.purge(&Filter { solver: Some("dfpn".into()), ..Filter::default() })?, 1);
//! assert_eq!(store.get("heap:21", &7u64.to_le_bytes())?.unwrap().bounds.lo, Value::WORST);
//! # Ok::<(), ludex_store::StoreError>(())
//! ```
#![forbid(unsafe_code)]

pub mod checkpoint;
mod error;
mod filter;
mod row;
mod schema;
mod sha256;
mod store;
pub mod tablebase;
mod whole;

pub use error::StoreError;
pub use filter::Filter;
pub use row::{Row, key_bytes};
pub use schema::SCHEMA_VERSION;
pub use sha256::{Sha256, hex};
pub use store::Store;
