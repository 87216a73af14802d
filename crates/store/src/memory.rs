//! What a search asks of a memory of verdicts.

use std::fmt::Debug;

use crate::{Row, StoreError};

/// A memory of what searches found out: asked before a search and fed after it. Threads may share it.
///
/// All implementations treat findings alike. Those of different makers about one position are kept side by side and
/// answered as their intersection; two that exclude each other are an error, never an answer. [`Remembered`] keeps
/// them while the program runs; `Store` (feature `sqlite`) keeps them in a file.
///
/// [`Remembered`]: crate::Remembered
///
/// ```
/// use ludex_core::{Bounds, Side, Value};
/// use ludex_store::{Memory, Remembered, Row};
///
/// /// A search that is spared where the answer is known.
/// fn solve(memory: &dyn Memory) -> Result<Bounds, ludex_core::Error> {
///     if let Some(row) = memory.get("heap:21", b"7")? {
///         return Ok(row.bounds);
///     }
///     let mut row = Row::new("heap:21", b"7", "7", Side::First);
///     row.bounds = Bounds::exact(Value::win(3));
///     memory.put(&row)?;
///     Ok(row.bounds)
/// }
///
/// let memory = Remembered::default();
/// assert_eq!(solve(&memory)?, solve(&memory)?);
/// # Ok::<(), ludex_core::Error>(())
/// ```
pub trait Memory: Debug + Send + Sync {
    /// Everything known of a position: the intersection of all findings.
    ///
    /// # Errors
    /// If findings contradict each other, or cannot be read.
    fn get(&self, spec: &str, key: &[u8]) -> Result<Option<Row>, StoreError>;

    /// Add a finding. The same maker's earlier one is improved; other makers' stay as they are.
    ///
    /// # Errors
    /// If it contradicts itself or what is known, or cannot be written. Nothing is written then.
    fn put(&self, row: &Row) -> Result<(), StoreError>;

    /// Add findings, one after the other. A memory with transactions adds all of them or none.
    ///
    /// # Errors
    /// As for [`Memory::put`], at the first finding that is refused.
    fn put_all(&self, rows: &[Row]) -> Result<(), StoreError> {
        rows.iter().try_for_each(|row| self.put(row))
    }
}
